"""What the page needs from our own peer at one table. `cli.peer` satisfies it through a small adapter."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from game.actions import Action
    from game.errors import IllegalMove
    from game.events import Event
    from game.options import Options
    from game.view import View
    from ledger.engine import Height, Seat

Mode: TypeAlias = Literal["practice", "friends", "watching", "replay"]
Presence: TypeAlias = Literal["me", "bot", "linked", "relayed", "lost"]
"""How a seat is reached: it is us; a bot on this device; a link of our own; another relays; not at all."""
Program: TypeAlias = Literal["own-app", "installed-page", "guest-page"]
"""Where a peer says its program comes from: its person's choice, or the host's device (docs/guests.md)."""
LobbyWish: TypeAlias = Literal["ready", "not-ready", "start", "seat-bot", "sit", "watch"]
"""What a person may want before a game; `sit` and `watch` are for who has no seat."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Proven against a seat's device: the entry at `height` breaks `rule`, or is a fork.

    `details` are pairs of label id and value, for "show proof".
    """

    seat: Seat
    kind: Literal["forbidden", "fork"]
    height: Height
    rule: str | None = None
    reason: str | None = None
    params: Mapping[str, object] = field(default_factory=dict)
    details: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in the lobby; `ready` once he agrees to the table as it is offered. `id` names the device;
    `away`: the host does not reach it; `may_show_out`: our person may take the seat back."""

    name: str
    ready: bool
    bot: bool
    me: bool
    program: Program = "own-app"
    id: str = ""
    away: bool = False
    may_show_out: bool = False


@dataclass(frozen=True, slots=True)
class WaysIn:
    """How others find a table of ours: addresses, the join code ("" for an open table), and a QR code as rows
    of "1" (dark) and "0", () where none can be drawn. `guests`: the addresses of the page for guests."""

    addresses: tuple[str, ...] = ()
    code: str = ""
    qr: tuple[str, ...] = ()
    guests: tuple[str, ...] = ()
    guest_qr: tuple[str, ...] = ()
    guest_hint: str = ""
    """Why no guest may have come so far, as a message id."""


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who asks our table to be let in. `id` names the device."""

    id: str
    name: str
    watching: bool


@dataclass(frozen=True, slots=True)
class Lobby:
    """A table before its game: who is there, where others find it. `options` are those offered.

    `may_start`: it is ours, all seats are taken and all have agreed. `may_seat_bot`: a seat of ours is free.
    `apart`: why we are not at the table, as a message id (a game without us is on, it is full, its host is
    asked …), "" if we are or may be at once; `may_sit`, `may_watch`: what may be asked for then.
    """

    options: Options
    people: tuple[Person, ...]
    ways: WaysIn = WaysIn()
    hosting: bool = False
    may_start: bool = False
    may_seat_bot: bool = False
    apart: str = ""
    may_sit: bool = False
    may_watch: bool = False


@dataclass(frozen=True, slots=True)
class Situation:
    """All about the table that is not in the log: links, the series, who wants another game.

    `may_take_back`: our word that we want another game still can be.
    `go_on`: the others may end the game without the seats waited for (R30); `agreed` are those that said so.
    `programs` per seat, () before a game; `bots`: the seats known to have one. `file`: what its files are
    called when they are saved, without the ending; "" before a game.
    `trouble` is a message id about our own device (only watching, disk
    full), None if all is well. `lobby` is None while a game is on, and after one as long as the same people
    gather for the next by the same rules. `asking`: who waits for our word to be let in.
    """

    mode: Mode
    presence: tuple[Presence, ...]
    fault: Fault | None = None
    wins: tuple[int, ...] = ()
    losses: tuple[int, ...] = ()
    game: int = 1
    can_rematch: bool = False
    rematch: tuple[Seat, ...] = ()
    may_take_back: bool = False
    go_on: bool = False
    agreed: tuple[Seat, ...] = ()
    trouble: str | None = None
    lobby: Lobby | None = None
    programs: tuple[Program, ...] = ()
    bots: tuple[Seat, ...] = ()
    file: str = ""
    asking: tuple[Guest, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something was not done: a message id with its parameters."""

    reason: str
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Told:
    """An event and the height it happened at."""

    height: Height
    event: Event


class Feed(Protocol):
    """One seat's table. Reading is immediate; `wait` returns after anything may have changed."""

    def view(self) -> View | None:
        """What our seat may know; None before the first game."""
        ...

    def history(self) -> tuple[Told, ...]:
        """All events of the game in course, oldest first. Another game starts again from nothing."""
        ...

    def situation(self) -> Situation: ...

    def refusal(self, action: Action) -> IllegalMove | None:
        """Why we may not do this now; None if we may."""
        ...

    async def wait(self) -> None: ...

    async def act(self, height: Height, action: Action) -> None:
        """Sign and send. Does nothing when the log has left that height."""
        ...

    async def rematch(self, *, on: bool) -> None: ...

    async def go_on_without(self, *, on: bool) -> None: ...

    async def hint(self) -> Action | None:
        """What a bot would do in our place; None but in practice, or where nothing is asked of us."""
        ...

    async def lobby(self, wish: LobbyWish) -> Refusal | None:
        """Agree to the table, take that back, start the game, seat a bot; who has no seat asks for one, or to
        watch. Why not, if it can't be."""
        ...

    async def admit(self, guest: str, *, on: bool) -> None:
        """Let somebody who asks sit down or watch, or decline."""
        ...

    async def show_out(self, person: str) -> Refusal | None:
        """Take the seat of this person, or bot, of the lobby of our table back. Why not, if it can't be."""
        ...

    def log_file(self) -> bytes:
        """The log as exported (`.durak`)."""
        ...

    def case_file(self) -> bytes | None:
        """The case against the faulty seat (`.durakcase`), None if there is none."""
        ...
