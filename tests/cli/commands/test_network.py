"""Tables between real processes, and everything that goes wrong when people join: a sentence and 30 or 21."""

from __future__ import annotations

import os
import socket

import pytest

from cli.exits import Exit
from tests.cli.commands.running import Running, durak, guest, host

SAME_IDENTITY = {
    "That address is this very table.\n",
    "Another device talks there under the same identity. Each device needs its own data folder.\n",
    "Somebody sits there under the same identity already. Each seat needs its own data folder.\n",
}


def finished(*peers):
    """The "done" words of all peers."""
    return [peer.said("done") for peer in peers]


def test_two_processes_play_and_keep_the_same_log(tmp_path):
    with host(tmp_path / "a", "--name", "Anna") as a:
        port = a.said("listening")["port"]
        with guest(tmp_path / "b", port, "--name", "Boris") as b:
            assert a.said("game")["names"] == ["Anna", "Boris"]
            done = finished(a, b)
    assert done[0]["heights"] == done[1]["heights"]
    for home in ("a", "b"):
        export = str(tmp_path / f"{home}.durak")
        assert durak(tmp_path / home, "games", "export", "--out", export).returncode == 0
        assert durak(tmp_path / home, "verify", export).returncode == Exit.OK
    assert (tmp_path / "a.durak").read_bytes() == (tmp_path / "b.durak").read_bytes()


def test_a_port_in_use(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = durak(tmp_path, "host", "--listen", "127.0.0.1", "--port", str(port), "--bot", "easy")
    assert done.returncode == Exit.IO
    assert done.stderr == (
        f"Port {port} is in use by another program."
        " Choose another with --port, or --port 0 for any free one.\n"
    )


def test_a_port_in_use_is_said_before_anybody_is_asked_for_a_name(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = durak(tmp_path, "host", "--listen", "127.0.0.1", "--port", str(port), typed="Anna\nquit\n")
    assert done.returncode == Exit.IO
    assert done.stdout == ""
    assert done.stderr.startswith(f"Port {port} is in use by another program.")


def test_an_address_that_is_not_ours_to_listen_on(tmp_path):
    done = durak(tmp_path, "host", "--listen", "192.0.2.1", "--bot", "easy")
    assert done.returncode == Exit.IO
    assert "192.0.2.1" in done.stderr
    assert "Traceback" not in done.stderr


def test_nobody_listens_there(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    done = durak(tmp_path, "join", f"127.0.0.1:{port}", "--bot", "easy")
    assert done.returncode == Exit.IO
    assert done.stderr == (
        f"Nobody answers at 127.0.0.1:{port}. Has the host started, and are address and port right?\n"
    )


def test_no_address_at_all(tmp_path):
    for neither_code_nor_address in ("", "a b"):
        done = durak(tmp_path, "join", neither_code_nor_address, "--bot", "easy")
        assert done.returncode == Exit.USAGE
    for address in ("::", "127.0.0.1:99999", "host.invalid:1"):
        done = durak(tmp_path, "join", address, "--bot", "easy")
        assert done.returncode == Exit.IO, address
        assert "Traceback" not in done.stderr


def test_something_else_than_a_table_answers(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with Running(tmp_path, "join", f"127.0.0.1:{port}", "--bot", "easy") as join:
            talk, _ = other.accept()
            with talk:
                talk.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            code, said = join.ended()
    assert code == Exit.IO
    assert said.strip()
    assert "Traceback" not in said


def test_a_host_of_another_version(tmp_path):
    later = (
        "import p2p.session as session; session.VERSION += 1\n"
        "from cli.main import main; raise SystemExit(main())"
    )
    words = ("host", "--open", "--listen", "127.0.0.1", "--port", "0", "--bot", "easy", "--porcelain")
    with Running(tmp_path / "a", *words, program=("-c", later)) as a:
        port = a.said("listening")["port"]
        done = durak(tmp_path / "b", "join", f"127.0.0.1:{port}", "--bot", "easy")
        assert done.returncode == Exit.UNSUPPORTED
        assert "Both sides need the same" in done.stderr
        assert a.process.poll() is None


def test_garbage_on_the_port_disturbs_nobody(tmp_path):
    with host(tmp_path / "a") as a:
        port = int(str(a.said("listening")["port"]))
        for garbage in (os.urandom(4000), b"GET / HTTP/1.1\r\n\r\n", b"", b"\xff" * 70_000):
            with socket.create_connection(("127.0.0.1", port)) as stranger:
                stranger.sendall(garbage)
        idle = socket.create_connection(("127.0.0.1", port))
        with idle, guest(tmp_path / "b", port) as b:
            assert all(done["status"] == "finished" for done in finished(a, b))


@pytest.mark.parametrize(
    ("words", "instead"),
    [((), ""), (("--watch",), "This table lets you look on: type durak watch instead of durak join. ")],
)
def test_a_full_table_and_one_that_plays(tmp_path, words, instead):
    with host(tmp_path / "a", "--seats", "2", *words) as a:
        port = a.said("listening")["port"]
        with guest(tmp_path / "b", port) as b:
            a.said("game")
            with guest(tmp_path / "c", port) as c:
                code, complaint = c.ended()
            assert code == Exit.IO
            begun = f"The game has begun already. {instead}For a seat in "
            assert complaint.startswith(begun) or complaint == "The table is full.\n"
            finished(a, b)


def test_the_same_identity_twice(tmp_path):
    with host(tmp_path / "a", "--seats", "3") as a:
        port = a.said("listening")["port"]
        with guest(tmp_path / "b", port) as b:
            for home in ("a", "b"):
                with guest(tmp_path / home, port) as again:
                    code, complaint = again.ended()
                assert code == Exit.IO
                assert complaint in SAME_IDENTITY
            with guest(tmp_path / "c", port) as c:
                finished(a, b, c)


def test_a_private_table_lets_in_who_has_the_code_and_nobody_else(tmp_path):
    words = ("host", "--listen", "127.0.0.1", "--port", "0", "--bot", "easy", "--porcelain")
    with Running(tmp_path / "a", *words) as a:
        listening = a.said("listening")
        port, code = listening["port"], str(listening["code"])
        assert len(code) == 12
        with guest(tmp_path / "b", port) as b:
            assert b.ended() == (Exit.IO, "The table is private: its join code is needed.\n")
        with guest(tmp_path / "b", port, code="7K2M-9QXW-4TBC") as b:
            assert b.ended() == (Exit.IO, "That is not the table's join code.\n")
        with guest(tmp_path / "b", port, code=code.lower()) as b:
            assert all(done["status"] == "finished" for done in finished(a, b))


def test_what_is_no_code_is_said(tmp_path):
    for typed, answer in (
        ("7K2M-9QXW", "A join code has 12 characters; this one has 8.\n"),
        ("7K2M-9QXW-4TB!", "! (character 12) is not part of any join code.\n"),
    ):
        done = durak(tmp_path, "join", "127.0.0.1:4717", typed, "--bot", "easy")
        assert (done.returncode, done.stderr) == (Exit.USAGE, answer)


def test_an_open_table_asks_its_person(tmp_path):
    words = ("host", "--open", "--text", "--listen", "127.0.0.1", "--port", "0", "--name", "Anna")
    with Running(tmp_path / "a", *words) as a:
        assert a.process.stdin is not None
        assert a.process.stdout is not None
        port = next(line for line in a.process.stdout if "durak join" in line).rsplit(":", 1)[1].strip()
        for answer in ("no", "yes"):
            with guest(tmp_path / answer, port, "--name", answer) as asking:
                assert next(line for line in a.process.stdout if "asks" in line) == (
                    f"{answer} asks for a seat. yes or no\n"
                )
                a.process.stdin.write(f"{answer}\n")
                a.process.stdin.flush()
                if answer == "no":
                    assert asking.ended() == (Exit.IO, "The host said no.\n")
                else:
                    assert any("Type start" in line for line in a.process.stdout)
                    a.process.stdin.write("start\n")
                    a.process.stdin.flush()
                    assert asking.said("game")["names"] == ["Anna", "yes"]
