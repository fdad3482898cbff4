"""Who may come to a host's table: whoever has the join code, or whom its person lets in; and as what.

First come, first served: what was free when somebody asked may be taken when the person at the door says yes.
"""

from __future__ import annotations

from collections.abc import Iterable

from ledger.identity import PublicKey
from p2p.agreement import Agreement
from p2p.lobby import GuestAsks, LobbyError, record_stands
from p2p.messages import MOST_WATCHERS, AskSeat, AskWatch, Refused
from p2p.post import Post
from p2p.reasons import Refusal
from p2p.seating import Seating


class Admission:
    """`ask_person`: guests wait until the owner admits them (an open table); else the join code did."""

    def __init__(
        self, post: Post, seating: Seating, agreement: Agreement, *, may_watch: bool, ask_person: bool
    ) -> None:
        self.may_watch = may_watch
        self._post = post
        self._seating = seating
        self._agreement = agreement
        self._ask_person = ask_person
        self._waiting: dict[PublicKey, AskSeat | AskWatch] = {}
        self._admitted: set[PublicKey] = set()
        self._shown_out: set[PublicKey] = set()

    @property
    def waiting(self) -> tuple[PublicKey, ...]:
        """Who has asked and has no answer yet."""
        return tuple(self._waiting)

    def is_in(self, identity: PublicKey) -> bool:
        """Whether nobody need be asked about this peer."""
        if identity in self._admitted:
            return True
        return not self._ask_person and identity not in self._shown_out

    def let_in(self, identities: Iterable[PublicKey]) -> None:
        """Nobody need be asked about these."""
        self._admitted.update(identities)

    def show_out(self, identity: PublicKey) -> None:
        """Whoever comes back is asked about, at a private table too."""
        self._admitted.discard(identity)
        self._shown_out.add(identity)
        self._post.send(identity, Refused(Refusal.REMOVED))

    def gone(self, identity: PublicKey) -> None:
        """Whoever waited wants in no more, or has to ask again."""
        self._waiting.pop(identity, None)

    # — what is asked, and answered; True: somebody has come to the table —

    def ask(self, identity: PublicKey, asked: AskSeat | AskWatch, seats: int) -> bool:
        """A peer asks to sit or to watch at a table of so many seats."""
        chair = self._seating.chair(identity)
        if chair is not None and isinstance(asked, AskSeat) and chair.record == asked.record:
            return False  # said again after a lost link
        if chair is not None and isinstance(asked, AskWatch) and not self._agreement.gathering:
            return False
        if self._refuse(identity, asked, seats):
            return False
        if self.is_in(identity):
            self._place(identity, asked, seats)
            return True
        if identity not in self._waiting:
            name = asked.record.name if isinstance(asked, AskSeat) else asked.name
            self._post.report(GuestAsks(identity, name, watching=isinstance(asked, AskWatch)))
        self._waiting[identity] = asked
        return False

    def admit(self, identity: PublicKey, seats: int) -> bool:
        """Let in who has asked. Raises `LobbyError` if nobody has."""
        asked = self._answered(identity)
        self.let_in([identity])
        if self._refuse(identity, asked, seats):
            return False
        self._place(identity, asked, seats)
        return True

    def decline(self, identity: PublicKey, reason: Refusal) -> None:
        """Send away who has asked. Raises `LobbyError` if nobody has."""
        self._answered(identity)
        self._post.send(identity, Refused(reason))

    def _answered(self, identity: PublicKey) -> AskSeat | AskWatch:
        asked = self._waiting.pop(identity, None)
        if asked is None:
            raise LobbyError("lobby.nobody-asked")
        return asked

    def _refuse(self, identity: PublicKey, asked: AskSeat | AskWatch, seats: int) -> bool:
        refusal = (
            self._no_watching() if isinstance(asked, AskWatch) else self._no_seat(identity, asked, seats)
        )
        if refusal is not None:
            self._post.send(identity, Refused(refusal))
        return refusal is not None

    def _no_watching(self) -> Refusal | None:
        if not self.may_watch:
            return Refusal.NO_WATCHING
        return Refusal.FULL if len(self._seating.watchers) >= MOST_WATCHERS else None

    def _no_seat(self, identity: PublicKey, asked: AskSeat, seats: int) -> Refusal | None:
        if self._seating.plays_here(identity):
            return Refusal.SAME_IDENTITY
        if not self._agreement.gathering:
            return Refusal.STARTED
        if asked.round != self._agreement.round:
            return Refusal.OLD_ROUND
        others = (chair for chair in self._seating.chairs if chair.identity != identity)
        taken = {chair.record.game_key for chair in others if chair.record is not None}
        if not record_stands(asked.record, identity) or asked.record.game_key in taken:
            return Refusal.BAD_RECORD
        if self._seating.chair(identity) is None and self._seating.is_full(seats):
            return Refusal.FULL
        return None

    def _place(self, identity: PublicKey, asked: AskSeat | AskWatch, seats: int) -> None:
        if isinstance(asked, AskWatch):
            if self._agreement.gathering:
                self._seating.get_up(identity)
            self._seating.watchers[identity] = asked.name
        else:
            chair = self._seating.place(identity, seats)
            chair.record, chair.name, chair.ready = asked.record, asked.record.name, False
