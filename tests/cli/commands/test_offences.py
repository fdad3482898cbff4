"""Every offence that can be proven, in a game with real cards: its case, its verdict, the referee's note."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from cli.exits import Exit
from cli.texts import languages
from ledger.codec import encode
from ledger.evidence import case_of
from ledger.verdict import AWAY, COPY, LIMITS, LONGER, VERSION
from tests.disputes import HONEST, NAMES, OFFENCES, dispute

pytestmark = pytest.mark.usefixtures("fast")


@pytest.fixture
def run(run):
    """As everywhere, but nothing may be complained of."""

    def call(*words):
        code, out, err = run(*words)
        assert err == ""
        return code, out

    return call


@pytest.fixture
def files(tmp_path):
    """The log and the case of a dispute, as files."""

    def write(name):
        log = dispute(name).log
        (tmp_path / "x.durak").write_bytes(log.export())
        (tmp_path / "x.durakcase").write_bytes(case_of(log, log.fault))
        return tmp_path / "x.durak", tmp_path / "x.durakcase"

    return write


SIGNED = {
    "fork": ("lead 10H", "resign"),
    "late fork": ("lead 6C", "resign"),
    "fork after result": ("take the cards", "resign"),
    "forbidden move": ("beat 10H with JD", "Rule R9: A card beats a lower card of its suit"),
    "wrong state": ("take the cards", "a fingerprint of the table"),
    "wrong turn": ("take the cards", "Only who is asked signs"),
    "wrong shape": ("something that cannot be read", "must have the form"),
    "bad shuffle": ("shuffle the deck", "the same cards as the one that went in"),
    "bad card": ("lead AS", "this very card was dealt to that place. It was not."),
    "false result": ("the result: durak Zoë, out: Olya, Zoë", "Rule R29: All sign one and the same result"),
    "play after resign": ("lead AS", "Max resigns."),
    "early abort": ("end the game without Max", "Rule R30: A game may be ended without those it waits for"),
}


@pytest.mark.parametrize("name", OFFENCES)
def test_log_and_case_prove_it_and_name_the_same_offence(run, files, name):
    said = []
    for file in files(name):
        code, out = run("verify", file, "--json")
        report = json.loads(out)
        assert (code, report["verdict"]) == (Exit.PROVEN, "proven")
        said.append(report["offence"])
        assert ("copy" in report["limits"]) == (OFFENCES[name][1] == "F_FORK")
        assert ("version" in report["limits"]) == (OFFENCES[name][1] == "I_STATE")
    assert said[0] == said[1]
    assert said[0]["code"] == OFFENCES[name][1]
    assert said[0]["seat"] == dispute(name).log.fault.seat


@pytest.mark.parametrize("name", OFFENCES)
def test_the_referees_note_says_what_was_signed_and_which_rule_forbids_it(run, files, name):
    offender = NAMES[dispute(name).log.fault.seat]
    key = dispute(name).genesis.seats[dispute(name).log.fault.seat].game_key.hex()[:16]
    log, case = files(name)
    for command, file in (("explain", log), ("explain", case), ("verify", log)):
        code, out = run(command, file)
        assert code == (Exit.OK if command == "explain" else Exit.PROVEN)
        what, why = SIGNED[name]
        assert what in out
        assert why in out or (command == "verify" and name == "play after resign")
        assert f"{offender}'s device signed" in out
        assert f"Signed with the key {key}…" in out
        assert "A log cannot show" in out
        if file == log or OFFENCES[name][1] != "F_FORK":
            assert ("the result stands" in out) == (name == "fork after result")
            assert ("The game is halted" in out) == (name != "fork after result")


@pytest.mark.parametrize("name", [*OFFENCES, *HONEST])
def test_every_language_tells_it_and_the_json_is_the_same_in_all(run, tmp_path, name):
    file = tmp_path / "x.durak"
    file.write_bytes(dispute(name).log.export())
    told = {run("--lang", language, "explain", file)[1] for language in languages()}
    assert len(told) == len(languages())
    assert len({run("--lang", language, "explain", file, "--json")[1] for language in ("en", "ru")}) == 1


@pytest.mark.parametrize("name", ["fork", "forbidden move", "aborted"])
def test_a_verdict_is_told_in_every_language_too(run, tmp_path, name):
    file = tmp_path / "x.durak"
    file.write_bytes(dispute(name).log.export())
    told = {run("--lang", language, "verify", file)[1] for language in languages()}
    assert len(told) == len(languages())
    assert len({run("--lang", language, "verify", file, "--json")[1] for language in languages()}) == 1


def test_the_keys_of_a_note_are_always_the_same(run, files, tmp_path):
    keys = {tuple(json.loads(run("explain", file, "--json")[1])) for file in files("fork")}
    (tmp_path / "y.durak").write_bytes(dispute("finished").log.export())
    for height in ("0", "12", "30", "119"):
        note = json.loads(run("explain", tmp_path / "y.durak", "--height", height, "--json")[1])
        keys.add(tuple(note))
    names = "game height asked signed waiting_for table events offences exhibits limits"
    assert keys == {tuple(names.split())}


def test_a_note_shows_open_hands_where_the_keys_are_published(run, tmp_path):
    file = tmp_path / "x.durak"
    file.write_bytes(dispute("finished").log.export())
    assert "All hands, as the keys" in run("explain", file, "--height", "20")[1]
    file.write_bytes(dispute("unfinished").log.export())
    assert "All hands" not in run("explain", file)[1]


def test_an_ended_game_claims_nothing_about_who_is_missing(run, tmp_path):
    file = tmp_path / "x.durak"
    for name, code in (("aborted", Exit.VOID), ("aborted durak", Exit.OK)):
        file.write_bytes(dispute(name).log.export())
        assert run("verify", file)[0] == code
        for command in ("verify", "explain"):
            out = run(command, file)[1]
            assert "says nothing of whether one was sent" in out
            assert "from whom no answer had come" in out
    assert "Olya signed: end the game without" in run("explain", file)[1]


def test_an_unfinished_game_may_be_answered_by_a_longer_log(run, tmp_path):
    file = tmp_path / "x.durak"
    file.write_bytes(dispute("unfinished").log.export())
    code, out = run("verify", file)
    assert code == Exit.UNFINISHED
    assert "the newest log shown waits at height 13 for Zoë" in out
    assert "A longer log may hold the answer" in out


@cache
def accusations():
    """Cases that prove nothing, and one that says less than it could: bytes, code, and what is told of it."""
    log, other, forbade = (dispute(name).log for name in ("fork", "late fork", "forbidden move"))
    genesis = log.genesis.to_bytes()
    one, two = (entry.record for entry in log.fault.entries)
    wrong = forbade.fault.entries[0].record
    played = [entry.record for height in range(13) for entry in forbade.met(height)]

    def head(code, seat, height):
        return encode((b"durak-case", 1, code.encode(), seat, height)) + genesis

    fork = head("F_FORK", 1, 12)
    return {
        "the same twice": (fork + one + one, 11, "signing one thing twice is no offence"),
        "one alone": (fork + one, 12, "proven by exactly two entries"),
        "two heights": (fork + one + log.met(0)[1].record, 11, "answer two different questions"),
        "two games": (fork + one + other.fault.entries[0].record, 11, "belongs to another game"),
        "somebody else": (head("F_FORK", 0, 12) + one + two, 11, "not by the seat, or not of the height"),
        "an allowed entry": (head("I_RULE", 1, 12) + b"".join(played[:-1]) + two, 11, "was allowed"),
        "no entry": (head("I_RULE", 1, 12), 12, "complained of is not in it"),
        "a hole": (head("I_RULE", 2, 13) + b"".join(played[9:]) + wrong, 12, "up to that entry is not all"),
        "another rule": (head("I_PROOF", 2, 13) + b"".join(played) + wrong, 10, "Rule R9: "),
        "swapped": (fork + two + one, 10, "signed two different entries"),
        "a forged signature": (fork + one + two[:-1] + bytes([two[-1] ^ 1]), 20, "does not hold"),
        "another offence": (head("I_UGLY", 1, 12) + one, 21, "an offence this program does not know"),
    }  # fmt: skip


ACCUSATIONS = (
    "the same twice", "one alone", "two heights", "two games", "somebody else", "an allowed entry",
    "no entry", "a hole", "another rule", "swapped", "a forged signature", "another offence",
)  # fmt: skip


def test_every_accusation_is_judged():
    assert tuple(accusations()) == ACCUSATIONS


@pytest.mark.parametrize("name", ACCUSATIONS)
def test_what_a_case_does_not_prove_is_said_in_words(run, tmp_path, name):
    data, code, words = accusations()[name]
    (tmp_path / "x.durakcase").write_bytes(data)
    given, out = run("verify", tmp_path / "x.durakcase")
    assert given == code
    assert words in out
    assert ("It accuses " in out) == (code in (Exit.REFUTED, Exit.INSUFFICIENT))
    assert "case." not in out


def test_the_page_about_disputes_names_every_key_and_every_code(run, files):
    page = (Path(__file__).parents[3] / "docs" / "disputes.md").read_text(encoding="utf-8")
    log, _ = files("forbidden move")
    verdict = json.loads(run("verify", log, "--json")[1])
    reports = [verdict, verdict["offence"], json.loads(run("explain", log, "--json")[1])]
    reports.append(json.loads(run("diff", log, log, "--json")[1]))
    for report in reports:
        assert [key for key in report if f"`{key}`" not in page] == []
    for limit in (*LIMITS, LONGER, AWAY, COPY, VERSION):
        assert f"`{limit}`" in page
    for code in Exit:
        assert f"{int(code)} " in page
