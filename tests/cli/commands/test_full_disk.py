"""A disk that is full in mid-game: said at once, whoever's entry it was; later the game goes on."""

from __future__ import annotations

import pytest

from cli.exits import Exit
from tests.cli.commands.running import Running, durak, guest, host

resource = pytest.importorskip("resource")

LIMITED = """
import resource, sys
from cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, {most}))
sys.exit(main(sys.argv[1:]))
"""
SAID = "The disk refused to keep an entry"


@pytest.mark.parametrize("most", [6_000, 15_000, 15_600])
def test_a_device_whose_disk_is_full_says_so_and_goes_on_when_there_is_room(tmp_path, most):
    """Most entries come from others: those that cannot be kept must not be taken in silence either."""
    small = ("-c", LIMITED.format(most=most))
    with host(tmp_path / "a", "--option", "deck=24") as a:
        with guest(tmp_path / "b", a.said("listening")["port"], program=small) as b:
            code, complaint = b.ended()
        assert (code, complaint.startswith(SAID)) == (Exit.IO, True), complaint
        with Running(tmp_path / "b", "games", "resume"):
            done = a.said("done")
    assert done["status"] == "finished"
    assert done["bytes"] > most
    assert durak(tmp_path / "b", "games").stdout.count("finished") == 1


def test_a_bot_whose_game_is_told_says_so_too(tmp_path):
    small = ("-c", LIMITED.format(most=15_000))
    with host(tmp_path / "a", "--option", "deck=24") as a:
        address = f"127.0.0.1:{a.said('listening')['port']}"
        words = ("join", address, "--listen", "127.0.0.1", "--bot", "easy")
        with Running(tmp_path / "b", *words, program=small) as b:
            code, complaint = b.ended()
    assert (code, complaint.startswith(SAID)) == (Exit.IO, True), complaint
