"""Rooms with a network of their own: a network namespace for each device, veth cables to a bridge.

What a kernel without `netem` offers makes the air bad: nftables drops packets at random or by sender, `tbf`
narrows a cable, `wires.py` puts a cable under a process that delays. Needs Linux, root, iproute2, nftables.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from tests.cli.commands.running import ROOT, environment

PATIENCE = 120
"""Seconds any process here may take."""
_numbers = itertools.count()


def run(*words: object, text: str | None = None) -> str:
    """Run a tool to its end. Raises RuntimeError with what it complained."""
    done = subprocess.run(
        [str(word) for word in words], input=text, capture_output=True, text=True, check=False, timeout=20
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


@functools.cache
def why_not() -> str:
    """Why there can be no rooms on this machine; "" if there can."""
    if sys.platform != "linux":
        return "network namespaces are a thing of Linux"
    missing = [tool for tool in ("ip", "tc", "nft") if shutil.which(tool) is None]
    if missing:
        return f"not installed: {', '.join(missing)} (packages iproute2, nftables)"
    if os.geteuid() != 0:
        return "making network namespaces needs root"
    name = f"durak-probe-{os.getpid()}"
    try:
        run("ip", "netns", "add", name)
        try:
            run("ip", "-n", name, "link", "add", "air", "type", "bridge")
            run("ip", "-n", name, "link", "add", "v0", "type", "veth", "peer", "name", "v1")
            run("ip", "netns", "exec", name, "nft", "-f", "-", text=_loss(10))
        finally:
            run("ip", "netns", "del", name)
    except (RuntimeError, OSError, subprocess.TimeoutExpired) as error:
        return f"this machine makes no network namespaces: {error}"
    return ""


class Device:
    """One device in a room: a namespace with one cable, and the processes on it."""

    def __init__(self, room: Room, number: int, home: Path, *, ipv4: bool, wire: Wire | None) -> None:
        self.room = room
        self.home = home
        self.name = f"{room.name}{number}"
        self.port = f"p{number}"
        self.address = f"10.77.0.{number}"
        run("ip", "netns", "add", self.name)
        if wire is not None:
            room.lay(wire, self.name, self.port)
        else:
            run(
                "ip", "-n", room.name, "link", "add", self.port, "type", "veth",
                "peer", "name", "wlan", "netns", self.name,
            )  # fmt: skip
        run("ip", "-n", room.name, "link", "set", self.port, "master", "air", "up")
        self.ip("link", "set", "lo", "up")
        self.ip("link", "set", "wlan", "up")
        if ipv4:
            self.ip("addr", "add", f"{self.address}/24", "brd", "+", "dev", "wlan")
            self.ip("route", "add", "default", "dev", "wlan")

    def ip(self, *words: object) -> str:
        return run("ip", "-n", self.name, *words)

    def link_local(self) -> str:
        """The address every IPv6 interface has, once it may be used."""
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            shown = self.ip("-j", "-6", "addr", "show", "dev", "wlan", "scope", "link", "-tentative")
            found = json.loads(shown)
            for link in found:
                for address in link.get("addr_info", ()):
                    if "local" in address:
                        return str(address["local"])
            time.sleep(0.1)
        raise AssertionError("no link-local address")

    def filter(self, rules: str) -> None:
        """Replace all rules by the table `air` given; "" for none."""
        run("ip", "netns", "exec", self.name, "nft", "flush", "ruleset")
        if rules:
            run("ip", "netns", "exec", self.name, "nft", "-f", "-", text=rules)

    def lose(self, percent: int) -> None:
        """Of what arrives so much is lost; the sender does not notice."""
        self.filter(_loss(percent))

    def deafen(self, *others: Device) -> None:
        """Hear nothing from these, or from nobody; they still hear us."""
        senders = ", ".join(other.address for other in others)
        rule = f"ip saddr {{ {senders} }} drop" if others else 'iifname "wlan" drop'
        self.filter(_input(rule))

    def move(self, address: str) -> None:
        """Have another address from now on; all connections of the old one are dead."""
        self.ip("addr", "flush", "dev", "wlan", "scope", "global")
        self.address = address
        self.ip("addr", "add", f"{address}/24", "brd", "+", "dev", "wlan")
        self.ip("route", "replace", "default", "dev", "wlan")

    def narrow(self, bytes_a_second: int) -> None:
        """No more than this leaves the device."""
        rate = f"{bytes_a_second * 8}bit"
        run(
            "tc", "-n", self.name, "qdisc", "replace", "dev", "wlan", "root", "tbf",
            "rate", rate, "burst", "3000", "latency", "2s",
        )  # fmt: skip

    def start(self, *words: str) -> Peer:
        """A `durak` command here, talking porcelain."""
        return self.room.keep(Peer(self, words))

    def durak(self, *words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        """A `durak` command here, to its end."""
        return subprocess.run(
            ["ip", "netns", "exec", self.name, sys.executable, "-m", "cli.main", *words],
            input=typed, env=environment(self.home), cwd=ROOT, capture_output=True, text=True,
            timeout=PATIENCE, check=False,
        )  # fmt: skip

    def hosts(self, *words: str, open_table: bool = False) -> Peer:
        """A table hosted by a bot here."""
        way = ("--open",) if open_table else ()
        return self.start("host", *way, "--port", "0", "--bot", "easy", "--porcelain", *words)

    def joins(self, *where: str, words: tuple[str, ...] = ()) -> Peer:
        """A bot of this device at somebody's table."""
        return self.start("join", *where, "--bot", "easy", "--porcelain", *words)


class Wire(NamedTuple):
    """A bad cable: milliseconds each way, bytes a second (0: no limit), percent of the frames lost."""

    milliseconds: float = 0.0
    rate: float = 0.0
    loss: float = 0.0


class Peer:
    """A running command. Its lines are read as they come, so that waiting for one has a limit."""

    def __init__(self, device: Device, words: tuple[str, ...]) -> None:
        self.device = device
        self.process = subprocess.Popen(
            ["ip", "netns", "exec", device.name, sys.executable, "-m", "cli.main", *words],
            env=environment(device.home), cwd=ROOT, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self._lines: list[tuple[float, str]] = []
        self._read = 0
        self._changed = threading.Condition()
        self._ended = False
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._changed:
                self._lines.append((time.monotonic(), line.rstrip("\n")))
                self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def line(self, seconds: float = PATIENCE) -> tuple[float, str]:
        """The next line and when it came. Fails with the complaint if there is none."""
        deadline = time.monotonic() + seconds
        with self._changed:
            while self._read >= len(self._lines):
                left = deadline - time.monotonic()
                if self._ended:
                    assert self.process.stderr is not None
                    raise AssertionError(f"ended: {self.process.stderr.read()[-2000:]}")
                if left <= 0:
                    raise AssertionError(f"silent for {seconds} s: {self.device.room.whereabouts()}")
                self._changed.wait(left)
            self._read += 1
            return self._lines[self._read - 1]

    def whereabouts(self) -> str:
        """For a failure: the last lines, and the complaint if it has ended."""
        state = f"{self.device.name}: {[line for _, line in self._lines[-3:]]}"
        if self.process.poll() is None:
            return state
        assert self.process.stderr is not None
        return f"{state} ended {self.process.returncode}: {self.process.stderr.read()[-2000:]}"

    def said(self, event: str, seconds: float = PATIENCE) -> dict[str, object]:
        """The next porcelain object of this kind."""
        deadline = time.monotonic() + seconds
        while True:
            _, line = self.line(max(0.01, deadline - time.monotonic()))
            said: dict[str, object] = json.loads(line)
            if said["event"] == event:
                return said

    def shows(self, text: str, seconds: float = PATIENCE) -> str:
        """The next line with this in it."""
        deadline = time.monotonic() + seconds
        while True:
            _, line = self.line(max(0.01, deadline - time.monotonic()))
            if text in line:
                return line

    def read_all(self) -> list[str]:
        """What has come and was not read yet."""
        with self._changed:
            fresh = [line for _, line in self._lines[self._read :]]
            self._read = len(self._lines)
        return fresh

    def freeze(self) -> None:
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self.process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def leave(self) -> None:
        """Ask it to go, then make it."""
        with suppress(OSError):
            self.process.send_signal(signal.SIGCONT)
        assert self.process.stdin is not None
        with suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.kill()
        for pipe in (self.process.stdout, self.process.stderr):
            self._reader.join(5)
            if pipe is not None:
                pipe.close()


class Room:
    """Devices on one bridge. `close` frees everything, whatever happened."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = f"dk{os.getpid() % 100_000}{chr(ord('a') + next(_numbers) % 26)}"
        self.devices: list[Device] = []
        self._peers: list[Peer] = []
        self._wires: list[subprocess.Popen[str]] = []
        run("ip", "netns", "add", self.name)
        run("ip", "-n", self.name, "link", "add", "air", "type", "bridge", "mcast_snooping", 0)
        run("ip", "-n", self.name, "link", "set", "air", "up")

    def device(self, *, ipv4: bool = True, wire: Wire | None = None) -> Device:
        """One more device, with a data folder of its own."""
        number = len(self.devices) + 1
        device = Device(self, number, self.folder / f"home-{number}", ipv4=ipv4, wire=wire)
        self.devices.append(device)
        return device

    def cut(self, device: Device) -> None:
        """Nothing gets to this device or from it; its own interface looks as before."""
        run("ip", "-n", self.name, "link", "set", device.port, "nomaster")

    def mend(self, device: Device) -> None:
        run("ip", "-n", self.name, "link", "set", device.port, "master", "air")

    def lay(self, wire: Wire, device: str, port: str) -> None:
        """Put a bad cable between a device and the bridge."""
        words = [device, self.name, port, *map(str, wire)]
        carrier = subprocess.Popen(
            [sys.executable, "-m", "tests.namespaces.wires", *words], cwd=ROOT, text=True,
            stdout=subprocess.PIPE,
        )  # fmt: skip
        self._wires.append(carrier)
        assert carrier.stdout is not None
        assert carrier.stdout.readline() == "up\n"

    def keep(self, peer: Peer) -> Peer:
        self._peers.append(peer)
        return peer

    def whereabouts(self) -> str:
        """For a failure: where every command of this room stands."""
        return "\n".join(peer.whereabouts() for peer in self._peers)

    def close(self) -> None:
        for peer in self._peers:
            peer.leave()
        for wire in self._wires:
            wire.kill()
            wire.wait()
            assert wire.stdout is not None
            wire.stdout.close()
        for device in self.devices:
            run("ip", "netns", "del", device.name)
        run("ip", "netns", "del", self.name)


def exports_are_one_and_valid(devices: list[Device], folder: Path) -> None:
    """All devices hold the same log, byte for byte, and it is a finished game."""
    exports = set()
    for device in devices:
        export = folder / f"{device.name}.durak"
        assert device.durak("games", "export", "--out", str(export)).returncode == 0
        exports.add(export.read_bytes())
    assert len(exports) == 1
    assert devices[0].durak("verify", str(export)).returncode == 0


def _loss(percent: int) -> str:
    return _input(f'iifname "wlan" numgen random mod 100 < {percent} drop')


def _input(rule: str) -> str:
    return f"table inet air {{\n chain in {{\n  type filter hook input priority 0\n  {rule}\n }}\n}}\n"
