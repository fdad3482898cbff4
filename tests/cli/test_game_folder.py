"""What stands beside a log is there from its first moment: a peer killed then comes back."""

from __future__ import annotations

import json
import stat

import pytest

from cli.game_folder import GameFolders
from cli.home import Home
from cli.tables import Part
from ledger.store import GameStore
from tests.tables import genesis_of, options_of, seed_of

PART = Part("host", code="7K2M9QXW4TBC", port=4717, watch=True)


def test_the_part_is_kept_as_soon_as_there_is_a_game(tmp_path):
    home = Home(tmp_path)
    genesis = genesis_of(options_of(seats=2))
    store = GameFolders(home, PART.keep).create(genesis, seed_of("game 0"))
    store.close()
    folder = home.game(genesis.game_id)
    assert Part.of(folder) == PART
    assert stat.S_IMODE((folder / "table.json").stat().st_mode) == 0o600
    assert GameStore.open(folder).genesis == genesis


def test_a_part_that_cannot_be_kept_costs_no_game(tmp_path):
    def full(_):
        raise OSError(28, "No space left on device")

    genesis = genesis_of(options_of(seats=2))
    assert GameFolders(Home(tmp_path), full).create(genesis, seed_of("game 0")).may_sign


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
