"""How a game on this device stands: what is listed, counted and gone on with agrees with the verdict."""

from __future__ import annotations

import pytest

from cli.commands.games import kept_games
from cli.exits import Exit
from cli.home import Home
from cli.kept_ending import ending_of
from cli.kept_results import kept
from cli.main import main
from cli.tables import Part
from ledger.folder import CASE
from ledger.level import Status
from ledger.recovery import recover
from tests.disputes import dispute
from tests.tables import seed_of


@pytest.fixture
def keeps(tmp_path):
    """Put a log into a home of seat 0, with a seed as long as something might be signed."""
    home = Home(tmp_path)
    home.games.mkdir(parents=True)
    (tmp_path / "identity").write_bytes(seed_of("identity 0"))

    def keep(name, *, seed=True, case=False):
        log = dispute(name).log
        folder = home.game(log.game_id)
        folder.mkdir()
        (folder / "log.durak").write_bytes(log.export())
        if seed:
            (folder / "seed").write_bytes(bytes(32))
        if case:
            (folder / CASE).write_bytes(b"")
        return home, folder

    return keep


@pytest.mark.parametrize(
    ("name", "seed", "status"),
    [
        ("unfinished", True, Status.OPEN),
        ("unfinished", False, Status.OPEN),
        ("aborted", True, Status.ABORTED),
        ("aborted durak", True, Status.ABORTED),
        ("finished", False, Status.FINISHED),
        ("resigned", False, Status.FINISHED),
    ],
)
def test_a_kept_game_stands_as_its_verdict_says(keeps, name, seed, status):
    home, folder = keeps(name, seed=seed)
    [listed] = kept_games(home)
    assert listed.status is status
    assert listed.unfinished == (status is Status.OPEN)
    assert ending_of(folder, recover((folder / "log.durak").read_bytes())).status is status


def test_a_game_with_a_case_beside_it_is_halted_and_counts_for_nothing(keeps):
    home, _ = keeps("unfinished", case=True)
    [listed] = kept_games(home)
    assert listed.status is Status.HALTED
    assert (kept(home).ended, kept(home).unfinished) == (1, 0)


def test_a_game_that_came_to_nothing_is_no_unfinished_one(keeps):
    home, _ = keeps("aborted")
    own = kept(home)
    assert (own.games, own.ended, own.unfinished) == (0, 1, 0)


def test_who_was_away_where_that_makes_a_durak_is_counted_as_one(keeps):
    home, _ = keeps("aborted durak")
    own = kept(home)
    assert (own.games, own.ended, own.unfinished) == (1, 0, 0)
    assert own.durak + sum(each.won for each in own.companions.values()) == 1


def test_a_game_somebody_looked_on_at_is_unfinished_and_nothing_to_go_on_with(keeps, capsys, monkeypatch):
    home, folder = keeps("unfinished", seed=False)
    Part("watch").keep(folder)
    [listed] = kept_games(home)
    assert (listed.unfinished, listed.ours) == (True, False)
    monkeypatch.setenv("DURAK_HOME", str(home.folder))
    monkeypatch.setenv("LC_ALL", "C")
    assert main([]) == Exit.OK
    assert "Go on with this game?" not in capsys.readouterr().out
    assert main(["games", "resume"]) == Exit.IO
    assert capsys.readouterr().err.startswith("You have no seat in this game")
