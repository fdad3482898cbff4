"""What stands beside a log is there from its first moment: a peer killed then comes back."""

from __future__ import annotations

from cli.game_folder import GameFolders
from cli.home import Home
from ledger.folder import LOG
from ledger.store import GameStore
from tests.tables import genesis_of, options_of, seed_of


def test_what_belongs_beside_a_log_comes_as_soon_as_there_is_a_game(tmp_path):
    home = Home(tmp_path)
    genesis = genesis_of(options_of(seats=2))
    asked = []

    def beside(game):
        assert (home.game(game.game_id) / LOG).exists()
        asked.append(game)

    store = GameFolders(home, beside).create(genesis, seed_of("game 0"))
    store.close()
    assert asked == [genesis]
    assert GameStore.open(home.game(genesis.game_id)).genesis == genesis
