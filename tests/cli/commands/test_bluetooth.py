"""Whole games between `durak` processes that have nothing but an emulated radio."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pexpect
import pytest

from cli.exits import Exit
from tests.cli.commands.running import ROOT, Running, durak, environment

pytest.importorskip("bumble")


PATIENCE = 240.0
"""Seconds for a whole game, set-up on a paced radio included, of six processes on a busy machine."""


class Radio(str):
    """A radio server of its own: what `--ble-hci` takes."""

    server: subprocess.Popen[str]

    def freeze(self, number: int, seconds: float) -> None:
        """Nothing gets in or out of this process's radio for a while."""
        assert self.server.stdin is not None
        print("freeze", number, seconds, file=self.server.stdin, flush=True)


@contextmanager
def radio(*words: str) -> Iterator[Radio]:
    program = [sys.executable, "-m", "tests.radio.server", *words]
    pipe = subprocess.PIPE
    with subprocess.Popen(program, cwd=ROOT, text=True, stdin=pipe, stdout=pipe) as server:
        try:
            assert server.stdout is not None
            name = Radio(server.stdout.readline().strip())
            name.server = server
            yield name
        finally:
            server.kill()


def host(home: Path, hci: str, *words: str) -> Running:
    fixed = ("--bot", "easy", "--porcelain", "--no-lan", "--ble-hci", hci)
    return Running(home, "host", "--ble", *fixed, *words, patience=PATIENCE)


def guest(home: Path, hci: str, *words: str) -> Running:
    fixed = ("--bot", "easy", "--porcelain", "--no-lan", "--ble-hci", hci)
    return Running(home, "join", "--ble", *fixed, *words, patience=PATIENCE)


def play(tmp_path: Path, seats: int, *air: str, kind: str = "") -> list[dict[str, object]]:
    """One game at a private table; every log is verified and the same. `kind` of the host's controller."""
    with radio(*air) as hci, ExitStack() as stack:
        peers = [stack.enter_context(host(tmp_path / "0", hci + kind, "--seats", str(seats)))]
        code = str(peers[0].said("listening")["code"])
        for seat in range(1, seats):
            peers.append(stack.enter_context(guest(tmp_path / str(seat), hci, code)))
        games = {str(peer.said("game")["id"]) for peer in peers}
        done = [peer.said("done") for peer in peers]
    (game,) = games
    exports = []
    for seat in range(seats):
        export = str(tmp_path / f"{seat}.durak")
        assert durak(tmp_path / str(seat), "games", "export", game[:16], "--out", export).returncode == 0
        assert durak(tmp_path / str(seat), "verify", export).returncode == Exit.OK
        exports.append(Path(export).read_bytes())
    assert len(set(exports)) == 1
    return done


def test_two_processes_play_a_whole_game_over_bluetooth(tmp_path: Path) -> None:
    done = play(tmp_path, 2)
    assert all(one["status"] == "finished" for one in done)


@pytest.mark.radio
@pytest.mark.parametrize(
    ("seats", "rate", "kind"),
    [(2, 5_000, ""), (2, 20_000, ""), (3, 20_000, "?broadcast=1"), (6, 20_000, "")],
    ids=["2 seats, 5 kB/s", "2 seats", "3 seats, a host that tells everybody everything", "6 seats"],
)
def test_a_whole_game_on_a_paced_radio(tmp_path: Path, seats: int, rate: int, kind: str) -> None:
    play(tmp_path, seats, "--rate", str(rate), "--interval", "0.03", kind=kind)


def test_no_table_in_reach_is_said_in_words(tmp_path: Path) -> None:
    done = durak(tmp_path, "join", "--ble-hci", "tcp:127.0.0.1:1", "--bot", "easy")
    assert done.returncode == Exit.IO
    assert done.stderr == "No Bluetooth controller answers at tcp:127.0.0.1:1.\n"


def test_a_bluetooth_address_or_adapter_is_enough_to_ask_for_bluetooth(tmp_path: Path) -> None:
    for words in (("join", "ble:0011223344556677"), ("join", "--ble-adapter", "hci7"), ("join", "--ble")):
        done = durak(tmp_path, *words, "--bot", "easy")
        assert done.returncode == Exit.IO
        assert done.stdout == "Looking for a table over Bluetooth …\n"
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "refused"),
    [
        (("--seats", "3", "--max-links", "1"), True),
        (("--seats", "6", "--bots", "2", "--max-links", "2"), True),
        (("--seats", "3", "--max-links", "2"), False),
        (("--seats", "6", "--bots", "3", "--max-links", "2"), False),
        (("--seats", "6"), False),
    ],
)
def test_a_table_without_a_network_that_its_links_could_never_fill_is_refused_in_words(
    tmp_path: Path, words: tuple[str, ...], *, refused: bool
) -> None:
    done = durak(tmp_path, "host", "--no-lan", "--ble-hci", "tcp:127.0.0.1:1", "--bot", "easy", *words)
    if refused:
        assert done.returncode == Exit.USAGE
        guests = "2" if words[1] == "3" else "3"
        assert f"{guests} in all: it would never be full. Use --max-links {guests}, add bots" in done.stderr
    else:
        assert done.returncode == Exit.IO
        assert done.stderr == "No Bluetooth controller answers at tcp:127.0.0.1:1.\n"


def test_where_bluetooth_fails_the_network_is_looked_through_all_the_same(tmp_path: Path) -> None:
    done = durak(tmp_path, "tables", "--ble-hci", "tcp:127.0.0.1:1")
    assert done.returncode == Exit.IO
    assert (
        "No Bluetooth controller answers at tcp:127.0.0.1:1.\nLooking for tables on this network"
        in done.stdout
    )


def test_a_table_without_a_network_names_no_network(tmp_path: Path) -> None:
    with radio() as hci, Running(tmp_path, "host", "--no-lan", "--ble-hci", hci, "--bot", "easy") as a:
        assert a.process.stdout is not None
        first, second = (a.process.stdout.readline() for _ in range(2))
    assert first.endswith("'s table.\n")
    assert second.startswith("Nearby, over Bluetooth: durak join --ble ")


@pytest.mark.radio
def test_the_doctor_says_what_this_radio_can_do(tmp_path: Path) -> None:
    with radio() as hci:
        done = durak(tmp_path, "doctor", "--ble-hci", hci)
    assert "others can find this device" in done.stdout
    assert "can find others; 0 in reach now" in done.stdout
    assert "can host and join" in done.stdout


def test_the_doctor_says_what_is_missing(tmp_path: Path) -> None:
    done = durak(tmp_path, "doctor", "--ble-hci", "tcp:127.0.0.1:1")
    assert done.returncode == Exit.IO
    assert "No Bluetooth controller answers at tcp:127.0.0.1:1." in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.radio
def test_the_tables_around_are_listed_and_an_open_one_is_joined_by_its_address(tmp_path: Path) -> None:
    with radio() as hci, host(tmp_path / "0", hci, "--open", "--seats", "2") as a:
        a.said("listening")
        done = durak(tmp_path / "1", "tables", "--no-lan", "--ble-hci", hci)
        assert done.returncode == Exit.OK
        assert "durak join --ble ble:" in done.stdout
        address = done.stdout.split()[-1]
        assert address.startswith("ble:")
        with guest(tmp_path / "1", hci, address) as b:
            assert [peer.said("done")["status"] for peer in (a, b)] == ["finished", "finished"]


@pytest.mark.radio
def test_who_names_no_table_picks_one_and_is_asked_for_its_code(tmp_path: Path) -> None:
    """Two tables over Bluetooth: both are listed by the marks their hosts see, and a slip costs a line."""
    with radio() as hci, ExitStack() as stack:
        codes = {}
        for number in (0, 1):
            words = ("host", "--ble", "--no-lan", "--ble-hci", hci, "--bot", "easy", "--option", "deck=24")
            one = stack.enter_context(Running(tmp_path / str(number), *words, patience=PATIENCE))
            assert one.process.stdout is not None
            lines = iter(one.process.stdout.readline, "")
            code = next(line for line in lines if line.startswith("Nearby")).split()[-1]
            mark = next(line for line in lines if line.startswith("In the list of tables: table ")).split()[6]
            codes[mark] = code
        listed = sorted(codes)
        words = ("join", "--no-lan", "--ble-hci", hci, "--name", "Boris")
        talk = pexpect.spawn(
            sys.executable,
            ["-m", "cli.main", *words],
            env=environment(tmp_path / "2"),
            encoding="utf-8",
            timeout=60,
        )
        stack.callback(talk.close, force=True)
        for number, mark in enumerate(listed, start=1):
            talk.expect_exact(f"  {number}  table {mark}, with a join code, over Bluetooth")
        talk.expect_exact("Which one?")
        talk.sendline("3")
        talk.expect_exact("There is no such number in the list.")
        talk.expect_exact("Which one?")
        talk.sendline("2")
        talk.expect_exact("Its join code:")
        talk.sendline(codes[listed[0]])
        talk.expect_exact("That is not the table's join code.")
        talk.expect_exact("Its join code:")
        talk.sendline(codes[listed[1]])
        talk.expect_exact("Do you agree")


@contextmanager
def three(tmp_path: Path, hci: str) -> Iterator[tuple[list[Running], str]]:
    """Three processes whose game has begun, and their join code."""
    with ExitStack() as stack:
        peers = [stack.enter_context(host(tmp_path / "0", hci, "--seats", "3"))]
        code = str(peers[0].said("listening")["code"])
        peers += [stack.enter_context(guest(tmp_path / str(seat), hci, code)) for seat in (1, 2)]
        for peer in peers:
            peer.said("game")
        yield peers, code


@pytest.mark.radio
def test_a_guest_is_killed_and_comes_back_over_bluetooth(tmp_path: Path) -> None:
    with radio() as hci, three(tmp_path, hci) as (peers, code):
        peers[2].process.kill()
        peers[2].process.wait()
        with guest(tmp_path / "2", hci, code) as again:
            done = [peer.said("done") for peer in (*peers[:2], again)]
    assert {one["status"] for one in done} == {"finished"}
    assert len({one["heights"] for one in done}) == 1


@pytest.mark.radio
def test_the_host_is_killed_and_comes_back_over_bluetooth(tmp_path: Path) -> None:
    with radio() as hci, three(tmp_path, hci) as (peers, _):
        peers[0].process.kill()
        peers[0].process.wait()
        with Running(tmp_path / "0", "games", "resume", patience=PATIENCE) as again:
            assert again.process.stdout is not None
            again.process.stdout.readline()
            # he may be back before anybody has missed him: what counts is that the game ends
            done = [peer.said("done") for peer in peers[1:]]
    assert {one["status"] for one in done} == {"finished"}


@pytest.mark.radio
@pytest.mark.parametrize("seconds", [5, 20])
def test_a_radio_frozen_in_mid_game(tmp_path: Path, seconds: int) -> None:
    with radio() as hci, three(tmp_path, hci) as (peers, _):
        hci.freeze(1, seconds)
        done = [peer.said("done") for peer in peers]
    assert {one["status"] for one in done} == {"finished"}
    assert len({one["heights"] for one in done}) == 1


@pytest.mark.radio
def test_bluetooth_and_the_network_make_one_table(tmp_path: Path) -> None:
    """The host has both, one guest only Bluetooth, the other only the network."""
    with radio() as hci, ExitStack() as stack:
        fixed = ("--bot", "easy", "--porcelain", "--listen", "127.0.0.1")
        words = ("host", "--seats", "3", "--port", "0", "--ble-hci", hci, *fixed)
        a = stack.enter_context(Running(tmp_path / "0", *words, patience=PATIENCE))
        listening = a.said("listening")
        code = str(listening["code"])
        b = stack.enter_context(guest(tmp_path / "1", hci, code))
        where = f"127.0.0.1:{listening['port']}"
        c = stack.enter_context(Running(tmp_path / "2", "join", where, code, *fixed, patience=PATIENCE))
        done = [peer.said("done") for peer in (a, b, c)]
    assert {one["status"] for one in done} == {"finished"}
    assert len({one["heights"] for one in done}) == 1


@pytest.mark.radio
def test_a_watcher_looks_on_over_bluetooth(tmp_path: Path) -> None:
    with radio() as hci, host(tmp_path / "0", hci, "--seats", "2", "--watch") as a:
        code = str(a.said("listening")["code"])
        fixed = ("--porcelain", "--no-lan", "--ble-hci", hci)
        with (
            Running(tmp_path / "2", "watch", code, *fixed, patience=PATIENCE) as c,
            guest(tmp_path / "1", hci, code) as b,
        ):
            assert c.said("game")["seat"] is None
            done = [peer.said("done") for peer in (a, b, c)]
    assert len({one["entries"] for one in done}) == 1
