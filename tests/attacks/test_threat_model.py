"""`docs/threat-model.md` may promise nothing that no test shows."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8")
HERE = "".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))
TESTED = {int(number) for number in re.findall(r"def test_attack_(\d\d)_", HERE)}


def test_every_one_of_the_48_attacks_has_a_test_and_a_line() -> None:
    lines = [int(number) for number in re.findall(r"^\| (\d+) \|", TEXT, re.MULTILINE)]
    assert lines == list(range(1, 49))
    assert set(range(1, 49)) == TESTED


def test_every_file_and_number_named_exists() -> None:
    for path in re.findall(r"`((?:tests|docs|cli|game|ledger|p2p)/[\w/.]+)`", TEXT):
        assert (ROOT / path).exists(), path
    for named in re.findall(r"\*([\d, –]+)\*", TEXT):
        for number in re.findall(r"\d+", named):
            assert int(number) in TESTED, named


LIMITS = (
    "A cheat can hold up a game by silence",
    "The host introduces people and relays.",
    "It knows who is at the table",
    "Length and timing do",
    "The seed of a running game is as good as the seat",
    "Who steals it can sit down under that name",
)
"""How sentences begin that take something away or say what a thing is. Any other one is a promise."""


def sentences(section: str) -> list[str]:
    """Of paragraphs and bullets, line breaks undone."""
    blocks = re.split(r"\n\n|\n(?=- )", section)
    found = []
    for block in blocks:
        text = " ".join(block.strip().removeprefix("- ").split())
        found += [sentence for sentence in re.split(r"(?<=\.)\s+(?=[A-Z*`])", text) if sentence]
    return found


def test_every_sentence_that_promises_names_what_shows_it() -> None:
    """What follows "Not promised" are limits, but for the word on shuffling ahead."""
    promises = TEXT[TEXT.index("## The same for everybody") : TEXT.index("## Not promised")]
    promises += TEXT[TEXT.index("## Shuffle-ahead") : TEXT.index("## The 48 attacks")]
    gone = set(LIMITS)
    for section in promises.split("## ")[1:]:
        _, _, body = section.partition("\n")
        for sentence in sentences(body):
            limit = next((start for start in LIMITS if sentence.startswith(start)), None)
            if limit is None:
                assert re.search(r"\*\d|`tests/", sentence), sentence
            gone.discard(limit or "")
    assert not gone, "limits that are no longer said"
