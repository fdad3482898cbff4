"""Peers joined in memory: what most tests of the links begin with."""

from __future__ import annotations

from hashlib import sha256
from typing import TypeVar

from ledger.identity import SigningKey
from p2p.guest import GuestLobby
from p2p.host import HostLobby
from p2p.lobby import Terms
from p2p.loopback import Loopback
from p2p.messages import AskSeat
from p2p.node import Node
from p2p.pump import Pump
from p2p.session import Door
from tests.ledger.table import Table as Game
from tests.ledger.table import identity_of, seat_record
from tests.ledger.toy import RULES_ID

CODE = sha256(b"code").digest()
E = TypeVar("E")
LOW, HIGH = sorted((identity_of(0), identity_of(1)), key=lambda key: key.public)


def dice(name: str):  # type: ignore[no-untyped-def]
    """Randomness that is the same in every run and differs between names."""
    state = [sha256(name.encode()).digest()]

    def random(length: int) -> bytes:
        state[0] = sha256(state[0]).digest()
        return (state[0] * (length // 32 + 1))[:length]

    return random


def terms(seats: int = 2, *, turns: int = 6) -> Terms:
    return Terms(RULES_ID, (turns, 0), 0, seats)


class Person:
    """A node with its pump, and everything it reported."""

    def __init__(
        self,
        number: int,
        lobby: HostLobby | GuestLobby | None,
        *,
        door: Door | None = None,
        identity: SigningKey | None = None,
        name: str = "",
    ) -> None:
        self.number = number
        self.key = identity or identity_of(number)
        self.node = Node(
            identity=self.key,
            door=Door(CODE) if door is None else door,
            random=dice(f"person {number} {name}"),
            lobby=lobby,
        )
        self.pump = Pump(self.node)

    @property
    def host(self) -> HostLobby:
        assert isinstance(self.node.lobby, HostLobby)
        return self.node.lobby

    @property
    def guest(self) -> GuestLobby:
        assert isinstance(self.node.lobby, GuestLobby)
        return self.node.lobby

    def events(self, *kinds: type[E]) -> list[E]:
        """The events of these kinds since the last call; others are dropped."""
        return [event for event in self.node.take_events() if isinstance(event, kinds or object)]


def host(seats: int = 2, *, door: Door | None = None, **options: bool) -> Person:
    lobby = HostLobby(identity_of(0).public, terms(seats), **options)
    person = Person(0, lobby, door=door)
    lobby.seat_own(seat_record(0))
    return person


def guest(number: int, *, door: Door | None = None, name: str = "", rules: bytes = RULES_ID) -> Person:
    return Person(number, GuestLobby(identity_of(number).public, rules), door=door, name=name)


class Room:
    """A loopback with a clock that only tests move."""

    def __init__(self) -> None:
        self.net = Loopback()
        self.now = 0.0

    def join(self, one: Person, two: Person, *, is_host: bool = True):  # type: ignore[no-untyped-def]
        ends = self.net.join(one.pump, two.pump, self.now, is_host=is_host)
        self.settle()
        return ends

    def settle(self) -> None:
        self.net.deliver(self.now)

    def carry(self, person: Person) -> None:
        """What this person has just decided reaches the others; what it reports is dropped."""
        person.events()
        self.settle()

    def wait(self, seconds: float, *people: Person, step: float = 0.5) -> None:
        until = self.now + seconds
        while self.now < until:
            self.now += step
            for person in people:
                person.node.tick(self.now)
            self.settle()


def two(room: Room) -> tuple[Person, Person]:
    """Two seats of a running game; the first has the lower key, hence decides about duplicates."""
    game = Game.of(2)
    people = (Person(0, None, identity=LOW), Person(1, None, identity=HIGH))
    for person in people:
        person.node.attach(game.fresh(), room.now)
    return people


def links(person: Person) -> int:
    """How many links a person has."""
    return len(person.node._talks)


def asking(number: int) -> AskSeat:
    """A stranger's first request."""
    return AskSeat(1, seat_record(number))


def sit(room: Room, table: Person, person: Person, game: str = ""):  # type: ignore[no-untyped-def]
    """Join, ask for a seat, be ready. The end of the link that is the person's."""
    near, _ = room.join(person, table)
    person.guest.ask_seat(seat_record(person.number, game))
    room.carry(person)
    person.guest.set_ready(ready=True)
    room.carry(person)
    return near


def start(room: Room, table: Person) -> None:
    table.host.start()
    room.carry(table)
