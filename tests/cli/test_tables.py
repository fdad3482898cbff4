"""What we are at a table, kept beside the log: whole, once, and never in the way of the game."""

from __future__ import annotations

import json
import stat
from dataclasses import replace

import pytest

from cli.game_folder import GameFolders
from cli.home import Home
from cli.tables import AtTable, Part
from p2p.messages import Address
from tests.desk import MemoryGames, Room
from tests.tables import genesis_of, identity_of, options_of

PART = Part("host", code="7K2M9QXW4TBC", port=4717, watch=True)
GUEST = Part("guest", address="10.0.0.1:4717")
ANNA = identity_of(0).public.hex()


@pytest.mark.parametrize("torn", ["", "{", '{"role": "host"', "[]", '{"role": 1, "more": 2}'])
def test_a_part_is_kept_whole_or_not_at_all(tmp_path, torn):
    PART.keep(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["table.json"]
    assert Part.of(tmp_path) == PART
    (tmp_path / "table.json").write_text(torn)
    assert Part.of(tmp_path) is None
    PART.keep(tmp_path)
    assert json.loads((tmp_path / "table.json").read_text())["port"] == 4717


@pytest.mark.parametrize("peers", [[["zz", "a:1"]], [[7, "a:1"]], [["00"]], 3])
def test_a_part_that_is_damaged_is_none(tmp_path, peers):
    """Losing it costs the comfort of `resume`; it must not stop the program later."""
    PART.keep(tmp_path)
    file = tmp_path / "table.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"peers": peers}))
    assert Part.of(tmp_path) is None


class Here(Room):
    """A table of two whose guest is on the disk, with this part."""

    def __init__(self, folder, part):
        self.home = Home(folder)
        super().__init__(options_of(seats=2), label=str(folder))  # a seed serves one game of a process
        self.at = AtTable(self.home, self.seated[1].peer, None, part)

    def new_games(self, number):
        return OnDisk(self.home, lambda genesis: self.at.keep_part(genesis)) if number else MemoryGames()

    def listens_at(self, *addresses):
        self.seated[0].node.set_addresses(map(Address, addresses))
        self.settle()


class OnDisk(GameFolders):
    request = None


def test_the_part_is_kept_as_soon_as_there_is_a_game(tmp_path):
    room = Here(tmp_path, PART)
    room.at.keep_part()
    assert not room.home.games.exists(), "there is none yet"
    room.settle()
    assert Part.of(room.at.folder()) == PART
    assert stat.S_IMODE((room.at.folder() / "table.json").stat().st_mode) == 0o600


def test_it_is_written_once_and_again_when_it_has_changed(tmp_path):
    room = Here(tmp_path, GUEST)
    room.listens_at("10.0.0.1:4717", "10.0.0.2:4717")
    assert Part.of(room.at.folder()).peers == ((ANNA, "10.0.0.1:4717,10.0.0.2:4717"),)
    file = room.at.folder() / "table.json"
    file.unlink()
    room.at.keep_part()
    assert not file.exists(), "nothing is new"
    room.listens_at("10.0.0.3:4717")
    room.at.keep_part()
    assert Part.of(room.at.folder()).peers == ((ANNA, "10.0.0.3:4717"),)


def test_where_somebody_was_last_is_not_forgotten_while_nobody_knows_better(tmp_path):
    room = Here(tmp_path, replace(GUEST, peers=((ANNA, "10.0.0.9:4717"), ("00" * 32, "10.0.0.8:4717"))))
    room.settle()
    assert Part.of(room.at.folder()).peers == ((ANNA, "10.0.0.9:4717"),), "nobody of another game is"


def test_a_part_that_cannot_be_kept_costs_no_game_and_is_tried_again(tmp_path):
    room = Here(tmp_path, PART)
    room.at.keep_part(genesis_of(options_of(seats=2)))  # without a folder: a disk that takes nothing
    room.settle()
    file = room.at.folder() / "table.json"
    file.unlink()
    file.mkdir()
    room.at.part = replace(PART, port=4718)
    room.at.keep_part()
    file.rmdir()
    room.at.keep_part()
    assert Part.of(room.at.folder()) == room.at.part


def test_bots_kept_in_an_earlier_form_are_known_by_their_numbers(tmp_path):
    replace(PART, bots=((2, "hard"),), bot_level="easy").keep(tmp_path)
    file = tmp_path / "table.json"
    kept = json.loads(file.read_text())
    assert Part.of(tmp_path).bots == ((2, "hard"),)
    file.write_text(json.dumps(kept | {"bots": 2, "bot_level": "normal"}))
    assert Part.of(tmp_path).bots == ((1, "normal"), (2, "normal"))
    file.write_text(json.dumps(kept | {"bots": 1, "bot_level": "", "level": "hard"}))
    assert Part.of(tmp_path).bots == ((1, "hard"),)
    for damaged in ("two", [1], [["a", "easy"]]):
        file.write_text(json.dumps(kept | {"bots": damaged}))
        assert Part.of(tmp_path) is None
