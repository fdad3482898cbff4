"""The talk before a game, as a pure object: the table as shown and typed lines in; lines and wishes out.

It never waits and decides nothing: the host's lobby says what is possible, the person sees why not. Names are
harmless and told apart before they get here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from cli.commands.rules import table_lines as rules_lines
from cli.house_bots import LEVELS
from cli.options import difference
from cli.texts.names import harmless, told_apart
from game.options import decode
from p2p.lobby import seated
from p2p.messages import GUEST_PAGE, INSTALLED_PAGE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cli.texts import Texts
    from cli.texts.names import HarmlessName
    from game.bots import Level
    from ledger.identity import PublicKey
    from p2p.messages import RosterLine, Table

PROGRAM_NOTES: Final = {INSTALLED_PAGE: "lobby.note.installed-page", GUEST_PAGE: "lobby.note.guest-page"}
"""What is said about a seat whose program its person has not installed (docs/guests.md)."""


@dataclass(frozen=True, slots=True)
class Start:
    """The host begins the game."""


@dataclass(frozen=True, slots=True)
class Agree:
    """The guest agrees to the rules shown, or no longer."""

    ready: bool


@dataclass(frozen=True, slots=True)
class SeatBot:
    """The host puts a bot on a free seat; "" for the level said when the table was opened."""

    level: Level | None


@dataclass(frozen=True, slots=True)
class Move:
    """The host puts somebody on another seat, from 0."""

    identity: PublicKey
    seat: int


@dataclass(frozen=True, slots=True)
class ShowOut:
    """The host takes a seat or a watcher's place back."""

    identity: PublicKey


@dataclass(frozen=True, slots=True)
class Change:
    """The host changes rules: `NAME=VALUE` each."""

    assignments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The host's word on who asks to come in."""

    admit: bool


@dataclass(frozen=True, slots=True)
class ShowInvitation:
    """What others type, once more."""


@dataclass(frozen=True, slots=True)
class Leave:
    """The person gets up."""


@dataclass(frozen=True, slots=True)
class Say:
    """Nothing but lines. `understood`: the person typed something else than what was asked for."""

    lines: tuple[str, ...]
    understood: bool = True


Wish: TypeAlias = Start | Agree | SeatBot | Move | ShowOut | Change | Answer | ShowInvitation | Leave | Say


class LobbyTalk:
    """One person before a game. `host` is None while it is not known who hosts."""

    def __init__(self, texts: Texts, *, me: PublicKey, hosting: bool) -> None:
        self._texts = texts
        self._me = me
        self._hosting = hosting
        self._table: Table | None = None
        self._shown: tuple[str, ...] = ()
        self._asked_to_agree: tuple[int, tuple[int, ...]] | None = None

    def shown(
        self, table: Table, *, host: PublicKey | None, here: Callable[[PublicKey], bool]
    ) -> tuple[str, ...]:
        """The lines for what has changed since the last call; () if nothing a person sees has."""
        before, self._table = self._table, table
        lines: list[str] = []
        if before is None:
            lines += rules_lines(decode(table.options), self._texts)
        elif before.options != table.options:
            changed = difference(decode(before.options), decode(table.options))
            lines.append(self._texts.say("lobby.rules-changed", changes=", ".join(changed)))
        seats = tuple(self._seat_lines(table, host, here))
        if seats != self._shown or lines:
            self._shown = seats
            lines += [*seats, *self._what_now(table, here)]
        return tuple(lines)

    def typed(self, line: str, *, asking: bool = False) -> Wish:
        """What the person wants. `asking`: somebody waits for a yes or no."""
        words = line.split()
        first = words[0].casefold() if words else ""
        if not words:
            return Say(self._shown)
        if self._texts.means("quit", first):
            return Leave()
        if self._texts.means("help", first) or first.startswith("?"):
            return self._say("lobby.help.host" if self._hosting else "lobby.help.guest")
        if self._texts.means("who", first):
            return Say(self._shown)
        if self._texts.means("rules", first) and self._table is not None:
            return Say(tuple(rules_lines(decode(self._table.options), self._texts)))
        wish = self._hosts(first, words[1:], asking=asking) if self._hosting else self._guests(first)
        return wish or replace(
            self._say("lobby.help.host" if self._hosting else "lobby.help.guest"), understood=False
        )

    def _guests(self, first: str) -> Wish | None:
        if self._texts.means("ready", first) or self._texts.means("yes", first):
            return Agree(ready=True)
        if self._texts.means("wait", first) or self._texts.means("no", first):
            return Agree(ready=False)
        return None

    def _hosts(self, first: str, rest: Sequence[str], *, asking: bool) -> Wish | None:
        admit = self._texts.yes_or_no(first)
        if asking and admit is not None:
            return Answer(admit=admit)
        if self._texts.means("start", first):
            return Start()
        if self._texts.means("invite", first):
            return ShowInvitation()
        if self._texts.means("set", first) and rest:
            return Change(tuple(rest))
        if self._texts.means("bot", first):
            level = rest[0].casefold() if rest else ""
            known = next((each for each in LEVELS if each == level), None)
            return (
                SeatBot(known) if known or not rest else self._say("lobby.levels", levels=", ".join(LEVELS))
            )
        if self._texts.means("out", first) and rest:
            said = " ".join(rest)
            found = self._who(said)
            return self._nobody(said) if found is None else ShowOut(found)
        if self._texts.means("move", first) and len(rest) > 1:
            return self._moves(" ".join(rest[:-1]), _number(rest[-1]))
        return None

    def _moves(self, said: str, seat: int) -> Wish:
        found = self._who(said)
        if found is None or self._table is None:
            return self._nobody(said)
        if not seat:
            return self._say("lobby.nobody-there")
        lines = seated(self._table.roster)
        if seat <= len(lines) and lines[seat - 1].identity == found:
            return self._say("lobby.sits-there", name=roster_names(self._table, self._texts)[found])
        return Move(found, seat - 1)

    def _nobody(self, said: str) -> Say:
        """Nobody has this number, or this name."""
        if _number(said):
            return self._say("lobby.nobody-there")
        return self._say("lobby.nobody-called", name=harmless(said, otherwise="?"))

    def _who(self, said: str) -> PublicKey | None:
        """Who sits at this number, or has this name."""
        if self._table is None:
            return None
        names = roster_names(self._table, self._texts)
        number = _number(said)
        if number:
            return [*names][number - 1] if number <= len(names) else None
        fitting = [identity for identity, name in names.items() if name.casefold() == said.casefold()]
        return fitting[0] if len(fitting) == 1 else None

    def _seat_lines(
        self, table: Table, host: PublicKey | None, here: Callable[[PublicKey], bool]
    ) -> Iterable[str]:
        texts = self._texts
        lines = seated(table.roster)
        names = roster_names(table, texts)
        yield texts.say("lobby.seats", here=len(lines), seats=table.seats)
        for number, line in enumerate(lines, start=1):
            name = names[line.identity]
            notes = [texts.say(note) for note in self._notes(line, host, here)]
            yield texts.say("lobby.seat", number=number, name=name, notes=texts.say("list.comma").join(notes))
        for number in range(len(lines) + 1, table.seats + 1):
            yield texts.say("lobby.seat.free", number=number)
        watching = [names[line.identity] for line in table.roster if line.watching]
        if watching:
            yield texts.say("lobby.watching", names=texts.listed(watching))

    def _notes(
        self, line: RosterLine, host: PublicKey | None, here: Callable[[PublicKey], bool]
    ) -> Iterable[str]:
        if line.identity == self._me:
            yield "seat.you"
        if line.bot:
            yield "lobby.note.bot"
        elif line.identity == host:
            yield "lobby.note.host"
        if line.program in PROGRAM_NOTES:
            yield PROGRAM_NOTES[line.program]
        if line.identity != self._me and self._hosting and not here(line.identity):
            yield "lobby.note.away"
        elif line.identity != host:
            yield "lobby.note.ready" if line.ready else "lobby.note.not-ready"

    def _what_now(self, table: Table, here: Callable[[PublicKey], bool]) -> Iterable[str]:
        """What this person may do next, or who is waited for."""
        texts = self._texts
        lines = seated(table.roster)
        mine = next((line for line in lines if line.identity == self._me), None)
        if not self._hosting and mine is not None and not mine.ready:
            yield texts.say("lobby.agree")
        elif len(lines) < table.seats:
            yield texts.say("lobby.free-seats.host" if self._hosting else "lobby.free-seats")
        else:
            names = roster_names(table, texts)
            unready = [names[line.identity] for line in lines if not line.ready and line.identity != self._me]
            if unready:
                yield texts.say("lobby.waits-for", names=texts.listed(unready))
            elif self._hosting:
                yield texts.say("lobby.all-ready.host")
            else:
                yield texts.say("lobby.all-ready")

    def _say(self, message: str, /, **parameters: object) -> Say:
        return Say((self._texts.say(message, **parameters),))


def roster_names(table: Table, texts: Texts) -> dict[PublicKey, HarmlessName]:
    """Everybody at the table by the name shown, seats first: harmless, equal ones told apart.

    One person has one name in every line, so names are never told apart among a part of the table.
    """
    lines = _seats_first(table)
    names = _apart(((line.name, line.bot) for line in lines), texts)
    return dict(zip((line.identity for line in lines), names, strict=True))


def newcomer_name(name: str, table: Table | None, texts: Texts) -> HarmlessName:
    """The name shown of somebody who is not at the table yet."""
    there = () if table is None else _seats_first(table)
    return _apart((*((line.name, line.bot) for line in there), (name, False)), texts)[-1]


def _seats_first(table: Table) -> tuple[RosterLine, ...]:
    """Everybody at the table; of equal names the one with a seat is told first."""
    return (*seated(table.roster), *(line for line in table.roster if line.watching))


def _apart(names: Iterable[tuple[str, bool]], texts: Texts) -> tuple[HarmlessName, ...]:
    shown = tuple(harmless(name, otherwise=texts.say("seat.nameless"), bot=bot) for name, bot in names)
    return told_apart(shown, ours=texts.say("seat.you"))


def _number(text: str) -> int:
    """A number from 1 as typed, 0 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else 0
