"""Who sits at a host's table, who watches it, and who of them has a link: the roster everybody is shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ledger.genesis import SeatRecord
from ledger.identity import PublicKey
from p2p.lobby import LobbyError
from p2p.messages import OWN_APP, RosterLine
from p2p.post import Post
from p2p.reasons import Refusal


@dataclass(slots=True)
class Chair:
    """A seat that is taken, in a round perhaps still without its record."""

    identity: PublicKey
    name: str = ""
    record: SeatRecord | None = None
    ready: bool = False
    bot: bool = False
    own: bool = False
    """Played on the host's own device."""
    left: bool = False
    """Gave the seat up while the game ran: it is free from the next round on."""


class Seating:
    """The people of one table: `chairs` in seat order, `watchers` by name. `post` knows who has a link."""

    def __init__(self, post: Post) -> None:
        self.chairs: list[Chair] = []
        self.watchers: dict[PublicKey, str] = {}
        self._here = post.here
        self._bots: frozenset[PublicKey] = frozenset()
        self._programs: dict[PublicKey, int] = {}

    # — who is there —

    def is_here(self, identity: PublicKey) -> bool:
        """Whether this person has a link, or plays on the host's own device."""
        return identity in self._here or self.plays_here(identity)

    def plays_here(self, identity: PublicKey) -> bool:
        """Whether this seat is the host's own, or a bot's of the host."""
        chair = self.chair(identity)
        return chair is not None and chair.own

    def chair(self, identity: PublicKey) -> Chair | None:
        return next((chair for chair in self.chairs if chair.identity == identity), None)

    def holds(self, identity: PublicKey) -> bool:
        """Whether this person sits or watches."""
        return self.chair(identity) is not None or identity in self.watchers

    def roster(self) -> tuple[RosterLine, ...]:
        """Seats first, in seat order, then watchers."""
        seats = (
            RosterLine(
                chair.identity,
                chair.name,
                ready=chair.ready and chair.record is not None,
                bot=chair.bot or chair.identity in self._bots,
                watching=False,
                program=self._programs.get(chair.identity, OWN_APP),
            )
            for chair in self.chairs
        )
        watching = (
            RosterLine(
                identity,
                name,
                ready=False,
                bot=False,
                watching=True,
                program=self._programs.get(identity, OWN_APP),
            )
            for identity, name in self.watchers.items()
        )
        return (*seats, *watching)

    # — who comes and goes —

    def forget(self, identity: PublicKey) -> None:
        """Somebody has no link any more. A chair stays, with the mark of its program; a watcher does not."""
        self.watchers.pop(identity, None)
        for known in [each for each in self._programs if each not in self._here and not self.chair(each)]:
            del self._programs[known]

    def runs(self, identity: PublicKey, program: int) -> bool:
        """Where somebody with a link has his program from; True if that is news of somebody at the table."""
        if identity not in self._here or self._programs.get(identity, OWN_APP) == program:
            return False
        self._programs[identity] = program
        return self.holds(identity)

    def expect_bots(self, identities: Iterable[PublicKey]) -> None:
        """Whoever has one of these identities is a bot."""
        self._bots = self._bots | frozenset(identities)

    # — chairs —

    def seat_own(self, record: SeatRecord, seats: int, *, bot: bool) -> None:
        """A seat of the host's own device, ready at once. Raises `LobbyError` if there is none."""
        chair = self.chair(record.identity_key)
        if chair is None:
            if len(self.chairs) >= seats:
                raise LobbyError(Refusal.FULL)
            chair = Chair(record.identity_key, own=True)
            self.chairs.append(chair)
        elif not chair.own:
            raise LobbyError(Refusal.SAME_IDENTITY)
        chair.record, chair.name, chair.bot, chair.ready = record, record.name, bot, True

    def is_full(self, seats: int) -> bool:
        """Whether nobody new can sit: all chairs are taken, and by people who are there."""
        return len(self.chairs) >= seats and self._left_standing() is None

    def place(self, identity: PublicKey, seats: int) -> Chair:
        """The chair of somebody who watches no more; a new one, if need be where nobody is."""
        self.watchers.pop(identity, None)
        chair = self.chair(identity)
        if chair is None:
            if len(self.chairs) >= seats:
                away = self._left_standing()
                assert away is not None
                self.chairs.remove(away)
            chair = Chair(identity)
            self.chairs.append(chair)
        return chair

    def _left_standing(self) -> Chair | None:
        """The chair somebody left: first come, first served holds only for who is there."""
        return next((chair for chair in self.chairs if not self.is_here(chair.identity)), None)

    def get_up(self, identity: PublicKey) -> None:
        """The chair of this person, if he has one, is gone; the others close up."""
        self.chairs = [chair for chair in self.chairs if chair.identity != identity]

    def move(self, identity: PublicKey, seat: int) -> None:
        """Put somebody on another seat; the others close up. Raises `LobbyError`."""
        chair = self.chair(identity)
        if chair is None or not 0 <= seat < len(self.chairs):
            raise LobbyError("lobby.nobody-there")
        self.chairs.remove(chair)
        self.chairs.insert(seat, chair)

    # — their word —

    def nobody_ready(self) -> None:
        """The terms are others now: only what plays on the host's own device agrees to them."""
        for chair in self.chairs:
            chair.ready = chair.own and chair.record is not None

    def spend_records(self) -> None:
        """A new round: everybody brings a new record."""
        for chair in self.chairs:
            chair.record, chair.ready = None, False

    def records(self, seats: int) -> tuple[SeatRecord, ...]:
        """What a genesis is made of. Raises `LobbyError` while somebody is missing, away or not ready."""
        if len(self.chairs) != seats:
            raise LobbyError("lobby.seats-free", seated=len(self.chairs), seats=seats)
        records = []
        for chair in self.chairs:
            if chair.record is None or not chair.ready:
                raise LobbyError("lobby.not-ready", name=chair.name, who=chair.identity)
            if not self.is_here(chair.identity):
                raise LobbyError("lobby.away", name=chair.name, who=chair.identity)
            records.append(chair.record)
        return tuple(records)
