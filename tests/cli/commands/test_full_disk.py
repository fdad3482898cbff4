"""A disk that is full in mid-game: said at once, whoever's entry it was; later the game goes on."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from cli.exits import Exit
from tests.cli.commands import people
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


def test_a_host_whose_disk_keeps_no_new_game_begins_none_and_nobody_waits_for_one(tmp_path):
    small = ("-c", LIMITED.format(most=3_000))
    with (
        host(tmp_path / "a", "--option", "deck=24", program=small) as a,
        guest(tmp_path / "b", a.said("listening")["port"]) as b,
    ):
        code, complaint = a.ended()
        left, why = b.ended()
    assert (code, complaint.startswith("The disk refused to keep a new game")) == (Exit.IO, True), complaint
    assert (left, why) == (Exit.IO, "The table was closed.\n")
    assert "unfinished" not in durak(tmp_path / "b", "games").stdout


def test_whoever_starts_with_a_full_disk_may_make_room_and_say_it_again(room, tmp_path):
    """Nobody is sent away: neither the host nor the guest who agrees."""
    anna, address, code = people.host(room, "Anna", "--option", "deck=24")
    boris = people.join(room, "Boris", address, code)
    boris.expect("Do you agree")
    for person, home, word in ((boris, "boris", "ready"), (anna, "anna", "start")):
        games = tmp_path / home / "games"
        games.write_bytes(b"where no game can be kept")
        person.type(word)
        person.expect("The disk refused to keep a new game .* say it again: the table stays")
        games.unlink()
        person.type(word)
        anna.expect("All have agreed. Type start" if person is boris else "lead")
    boris.expect("lead")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_what_the_disk_refuses_is_said_in_the_same_words_whatever_was_written(run, monkeypatch, number):
    def refuse(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    code, _, complaint = run("name", "Zed")
    file = Path(os.environ["DURAK_HOME"]) / "settings.json"
    assert code == Exit.IO
    assert complaint.startswith(f"The disk refused to keep {file} ({os.strerror(number)}). Make room")
    assert not file.exists()


def test_a_game_in_a_folder_that_cannot_be_written_is_not_said_to_be_open_elsewhere(room):
    """Where a folder has the lock's name the operating system refuses to write, whoever one is."""
    anna = room("Anna", "play", "--text", "--option", "deck=24")
    anna.expect("lead")
    anna.type("quit")
    assert anna.ended() == Exit.OK
    (folder,) = (anna.home / "games").iterdir()
    (folder / "lock").unlink()
    (folder / "lock").mkdir()
    for words in ((), ("games", "resume")):
        done = durak(anna.home, *words, typed="yes\n")
        assert done.returncode == Exit.IO
        assert done.stderr.startswith(
            f"The disk refused to keep {folder} ({os.strerror(errno.EISDIR)}). Make room"
        )
