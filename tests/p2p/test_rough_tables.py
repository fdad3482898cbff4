"""Scripts of bad nights: honest peers end alike or halt by name, a planted bug is found, and shrinks."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from p2p.sharing import Sharing
from tests.memory_store import MemoryStore
from tests.p2p.game_holder import GameHolder
from tests.rough_tables import Deed, Run, Script, code, complaint, shrunk, written
from tests.simulator import Faults

ROOT = Path(__file__).parents[2]
FEW = 12
CHUNK = 100


def judge(seed: int, *, real: bool = False) -> None:
    script = written(seed, real=real)
    if wrong := complaint(script):
        pytest.fail(f"{wrong}; the smallest script that does the same:\n    {code(shrunk(script))}")


@pytest.mark.parametrize("seed", range(FEW))
def test_all_honest_peers_come_to_one_end(seed: int) -> None:
    judge(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(FEW, 2_000, CHUNK))
def test_thousands_come_to_one_end(first: int) -> None:
    for seed in range(first, first + CHUNK):
        judge(seed)


@pytest.mark.parametrize("seed", [1, 5, 11])
def test_dealt_by_mental_poker_they_come_to_one_end(seed: int) -> None:
    judge(seed, real=True)


def test_a_run_is_its_script_in_every_process() -> None:
    """Other hash seeds order sets and dicts of strings otherwise: nothing here may depend on it."""
    program = (
        "from tests.rough_tables import written, Run\n"
        "for seed in (2, 12):\n"
        "    run = Run(written(seed))\n"
        "    print(run.complaint(), run.world.datagrams, run.world.carried, run.world.now,"
        " [peer.log.export().hex() for peer in run.peers])\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", program], cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("0", "1", "4711")
    }  # fmt: skip
    assert len(told) == 1


def test_liars_are_among_them_and_are_named() -> None:
    """The scripts do hold what they are for: of those with a liar most end halted, with his name."""
    liars = [written(seed) for seed in range(60) if written(seed).liar is not None]
    halted = 0
    for script in liars:
        run = Run(script)
        assert run.complaint() == ""
        halted += any(peer.log.fault is not None for peer in run.honest)
    assert halted >= len(liars) // 2 > 2


def answers_nobody(self: Sharing, *rest: object) -> None:
    """Heads are heard and never answered: what a lost link swallowed stays lost."""


def test_a_planted_bug_is_found_and_shrinks_to_a_few_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Sharing, "_heads", answers_nobody)
    seed = next(seed for seed in range(24) if complaint(written(seed)))
    script = written(seed)
    small = shrunk(script)
    assert complaint(small) == complaint(script) == "stuck: the peers do not come to one end"
    assert (small.seats, small.liar, small.star, small.faults) == (2, None, False, Faults())
    assert len(small.deeds) <= 1
    assert eval(code(small), {"Script": Script, "Faults": Faults, "Deed": Deed}) == small
    assert len(code(small)) < 120
    monkeypatch.undo()
    assert complaint(small) == ""


def forgets(self: GameHolder) -> GameHolder:
    """A disk that lost what was signed."""
    store = MemoryStore(self.store.genesis, self.store.seed())
    return GameHolder(store, random.Random("other dice"), self.game.course)


def test_a_seat_that_forgets_what_it_signed_is_found_and_shrinks_to_one_crash(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(GameHolder, "restarted", forgets)
    honest = (script for script in map(written, range(36, 200)) if script.liar is None)
    script = next(s for s in honest if complaint(s) == "an honest seat is blamed")
    small = shrunk(script)
    assert [deed.verb for deed in small.deeds] == ["crash"]
    assert replace(small.faults, delay=Faults().delay) == Faults()
    assert len(code(small)) < 150


def test_a_raised_error_is_a_complaint() -> None:
    assert complaint(replace(written(0), seats=7)).startswith("BadGenesis raised in")
