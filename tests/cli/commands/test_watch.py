"""`durak watch`: only where the table allows it; no hand, no signature; from game to game."""

from __future__ import annotations

import signal

from cli.exits import Exit
from tests.cli.commands.running import Running, durak, guest, host


def watch(home, port, *words):
    return Running(home, "watch", f"127.0.0.1:{port}", "--listen", "127.0.0.1", "--porcelain", *words)


def test_a_watcher_follows_a_game_from_its_middle_and_the_next_one(tmp_path):
    words = ("--watch", "--games", "2")
    with host(tmp_path / "a", *words) as a:
        port = a.said("listening")["port"]
        with guest(tmp_path / "b", port, "--games", "2") as b:
            assert a.said("height")["height"] == 0
            b.process.send_signal(signal.SIGSTOP)
            with watch(tmp_path / "w", port, "--name", "Wanda", "--games", "9") as w:
                assert w.said("game")["seat"] is None
                assert w.said("height")["height"] == 0
                b.process.send_signal(signal.SIGCONT)
                for _ in range(2):
                    assert w.said("done")["entries"] == a.said("done")["entries"] == b.said("done")["entries"]
    listed = durak(tmp_path / "w", "games").stdout.splitlines()
    assert len(listed) == 2
    assert all("finished" in line and "unfinished" not in line for line in listed)
    folders = [path for path in (tmp_path / "w" / "games").iterdir() if path.is_dir()]
    assert not any((folder / "seed").exists() for folder in folders)
    game = listed[0].split()[0]
    for home in "aw":
        export = str(tmp_path / f"{home}.durak")
        assert durak(tmp_path / home, "games", "export", game, "--out", export).returncode == 0
    assert (tmp_path / "a.durak").read_bytes() == (tmp_path / "w.durak").read_bytes()


def test_nobody_watches_where_the_table_does_not_allow_it(tmp_path):
    with host(tmp_path / "a") as a:
        port = a.said("listening")["port"]
        with watch(tmp_path / "w", port) as w:
            assert w.ended() == (Exit.IO, "Nobody may watch at this table.\n")
