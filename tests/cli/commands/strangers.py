"""Uninvited guests of a running table, over real sockets: scanners, babblers, idlers, an insider."""

from __future__ import annotations

import os
import random
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import closing, suppress

from ledger.engine import Height, Seat
from ledger.entry import Body, sign_entry
from ledger.genesis import Genesis
from ledger.identity import SigningKey
from p2p.codes import code_key, read_code
from p2p.message_codec import decode_message, encode_message
from p2p.messages import AskWatch, Entries, Message, OfferGenesis, Table, WantGenesis
from p2p.session import Door, Opened, Received, Session
from p2p.stream import STREAM_MTU

GREETINGS = (
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500),
    b"\x00\x00",
    b"\xff\xff" + bytes(9),
    b"\x01\x01" + bytes(257),
    b"\x00\x01\x04",
    b"\x00\x28\x01durak\x01\x00" + bytes(32),
    b"\x00\x38\x01durak\x01\x01" + bytes(48),
)
"""Another protocol, TLS, no length, 64 KiB announced, too much unproven, sealed too early, bad keys."""


def caller(port: int, number: int) -> socket.socket:
    """A connection from one of many addresses of this machine."""
    made = socket.socket()
    made.bind((f"127.0.{number % 200 + 1}.{number // 200 % 200 + 1}", 0))
    made.settimeout(5)
    try:
        made.connect(("127.0.0.1", port))
    except BaseException:
        made.close()
        raise
    return made


def scan(port: int, times: int) -> None:
    """Connect and hang up."""
    for number in range(times):
        caller(port, number).close()


def babble(port: int, times: int, dice: random.Random) -> None:
    """Say what nobody understands."""
    for number in range(times):
        with closing(caller(port, number)) as made, suppress(OSError):
            made.sendall(dice.choice(GREETINGS) if number % 3 else dice.randbytes(dice.randrange(1, 70_000)))


def idle(port: int, times: int) -> list[socket.socket]:
    """Connect and say nothing, or half of a first word."""
    made = [caller(port, number) for number in range(times)]
    for number, each in enumerate(made):
        if number % 2:
            with suppress(OSError):
                each.sendall(b"\x00\x38\x01dur")
    return made


def drip(port: int, times: int, seconds: float) -> None:
    """A byte every now and then, so that there is always something to wait for."""
    made = [caller(port, number) for number in range(times)]
    word = b"\x00\x38\x01durak\x01\x01" + bytes(48)
    until = time.monotonic() + seconds
    for at in range(len(word)):
        if time.monotonic() > until:
            break
        for each in made:
            with suppress(OSError):
                each.sendall(word[at : at + 1])
        time.sleep(0.1)
    for each in made:
        each.close()


class Insider:
    """Somebody who has the code and keeps to the protocol as far as he likes."""

    def __init__(self, port: int, code: str, *, number: int = 0) -> None:
        self.identity = SigningKey.from_seed32(os.urandom(32))
        self.socket = caller(port, number)
        self.session = Session(
            initiator=True,
            mtu=STREAM_MTU,
            identity=self.identity,
            static=os.urandom(32),
            ephemeral=os.urandom(32),
            door=Door(code_key(read_code(code))),
        )
        self._send()
        self._buffer = b""
        while not self.session.open:
            self._receive()

    def close(self) -> None:
        self.socket.close()

    def say(self, *messages: Message) -> None:
        for message in messages:
            self.session.send(encode_message(message))
        self._send()

    def hear(self, kind: type[Message]) -> Message:
        """The next message of this kind."""
        while True:
            for event in self._receive():
                if isinstance(event, Received):
                    message = decode_message(event.message)
                    if isinstance(message, kind):
                        return message

    def is_shown_out(self, seconds: float = 10.0) -> bool:
        """Whether the other side has closed the connection."""
        until = time.monotonic() + seconds
        with suppress(ConnectionError, TimeoutError):
            while time.monotonic() < until:
                if not self.socket.recv(65_536):
                    return True
            return False
        return time.monotonic() < until

    def watch(self) -> Genesis:
        """Ask to watch the game that runs; its genesis."""
        table = self.hear(Table)
        self.say(AskWatch("Mallory"))
        while not (isinstance(table, Table) and table.game and any(line.watching for line in table.roster)):
            table = self.hear(Table)
        self.say(WantGenesis(table.game))
        offer = self.hear(OfferGenesis)
        assert isinstance(offer, OfferGenesis)
        return Genesis.from_bytes(offer.genesis)

    def _send(self) -> None:
        for datagram in self.session.take_datagrams():
            self.socket.sendall(struct.pack(">H", len(datagram)) + datagram)

    def _receive(self) -> Iterator[Opened | Received]:
        data = self.socket.recv(65_536)
        if not data:
            raise ConnectionError("closed")
        self._buffer += data
        events = []
        while len(self._buffer) >= 2:
            length = struct.unpack(">H", self._buffer[:2])[0]
            if len(self._buffer) < 2 + length:
                break
            datagram, self._buffer = self._buffer[2 : 2 + length], self._buffer[2 + length :]
            events += self.session.receive(datagram)
        self._send()
        return iter(events)  # type: ignore[arg-type]


def forged(genesis: Genesis, number: int) -> bytes:
    """An entry that names an honest seat and is signed by nobody we know."""
    body = Body(1, genesis.game_id, Height(number % 5), Seat(1), os.urandom(32), os.urandom(16), 14, ())
    return sign_entry(SigningKey.from_seed32(os.urandom(32)), body)


def forgeries(genesis: Genesis, many: int) -> Iterator[Entries]:
    for number in range(many):
        yield Entries(genesis.game_id, (forged(genesis, number),), more=False)
