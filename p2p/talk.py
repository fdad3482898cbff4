"""One link as the node sees it: a session, what waits to be sent, when it was heard, how much it may ask.

The law of this file: whatever the other side does costs it its link, and us a bounded amount of memory.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final, TypeAlias

from ledger.genesis import GameId
from ledger.identity import PublicKey
from p2p.bucket import Bucket
from p2p.codes import Fingerprint
from p2p.errors import BadMessage
from p2p.message_codec import decode_message, encode_message
from p2p.messages import Alive, Bye, Message
from p2p.outbox import Outbox
from p2p.reasons import FAREWELLS, Why
from p2p.session import Failed, Opened, Received, Session, is_bulk

HANDSHAKE_TIME: Final = 10.0
"""Seconds a link may take to become a talk."""
HEARTBEAT: Final = 2.0
QUIET_AFTER: Final = 6.0
SILENT_AFTER: Final = 15.0
SLOW_AFTER: Final = 15.0
"""Seconds a link may refuse to be written to while something waits."""
MESSAGES_A_SECOND: Final = 200.0
MESSAGES_AT_ONCE: Final = 1_000.0
BYTES_A_SECOND: Final = 1_048_576.0
BYTES_AT_ONCE: Final = 4_194_304.0
DROPPED_BEFORE_CLOSING: Final = 1_000
DUPLICATE_TIME: Final = 1.0
"""Seconds two links to one peer live side by side: both ends know the new one before the old one goes."""
ANSWER_BYTES_A_SECOND: Final = 65_536.0
ANSWER_BYTES_AT_ONCE: Final = 524_288.0
ANSWER_COST: Final = 512
"""Bytes charged for looking at heads, whatever comes of it."""
FALSE_SIGNATURES: Final = 20


@dataclass(frozen=True, slots=True)
class TalkOpened:
    identity: PublicKey
    process: bytes


@dataclass(frozen=True, slots=True)
class TalkClosed:
    """The talk is over; `told`: the other side said so itself."""

    why: Why
    version: int | None = None
    told: bool = False


TalkEvent: TypeAlias = TalkOpened | TalkClosed | Message


class Talk:
    """The talk over one link. Every method takes the time; nothing here waits."""

    def __init__(
        self,
        session: Session,
        *,
        now: float,
        initiator: bool,
        is_host: bool = False,
        expect: PublicKey | Fingerprint | None = None,
        remote: str | None = None,
    ) -> None:
        self.initiator = initiator
        self.is_host = is_host
        self.expect = expect
        self.remote = remote
        self.identity: PublicKey | None = None
        self.process = b""
        self.linked: frozenset[PublicKey] = frozenset()
        self.game: GameId | None = None
        """The game of the last heads the other side told."""
        self.began = now
        self.heard = now
        self.outbox = Outbox()
        self.heads_due: float | None = None
        self.retires: float | None = None
        self.heads_sent = now
        self._session = session
        self._sent = now
        self._datagrams: list[bytes] = []
        self._bulk: deque[bytes] = deque()
        self._unwritable_since: float | None = None
        self._urgent = True
        self._messages = Bucket(rate=MESSAGES_A_SECOND, burst=MESSAGES_AT_ONCE, now=now)
        self._bytes = Bucket(rate=BYTES_A_SECOND, burst=BYTES_AT_ONCE, now=now)
        self._answers = Bucket(rate=ANSWER_BYTES_A_SECOND, burst=ANSWER_BYTES_AT_ONCE, now=now)
        self._dropped = 0
        self._false_signatures = 0

    @property
    def open(self) -> bool:
        return self._session.open

    @property
    def writable(self) -> bool:
        return self._unwritable_since is None

    def set_writable(self, *, writable: bool, urgent: bool, now: float) -> None:
        """`urgent`: the link takes what is no bulk."""
        self._urgent = urgent
        if writable:
            self._unwritable_since = None
        elif self._unwritable_since is None:
            self._unwritable_since = now

    def receive(self, datagram: bytes, now: float) -> list[TalkEvent]:
        """What this datagram made happen. Never raises."""
        self.heard = now
        events: list[TalkEvent] = []
        for event in self._session.receive(datagram):
            match event:
                case Opened():
                    self.identity, self.process = event.identity, event.process
                    events.append(TalkOpened(event.identity, event.process))
                case Failed():
                    events.append(TalkClosed(event.why, event.version, told=event.version is not None))
                case Received():
                    events.extend(self._message(event.message, now))
        return events

    def send(self, message: Message) -> None:
        self.outbox.put(message)

    def close(self, why: Why) -> None:
        """Say good-bye as the last datagrams; the caller closes the link after them."""
        if not self.open:
            if not self.initiator and why is Why.BUSY and not self._session.over:
                self._session.refuse(why)
        elif why in FAREWELLS and self.writable:
            self._session.send(_farewell(why), bulk=True)  # after all that was sent
        self._collect()
        self._datagrams.extend(self._bulk)
        self._bulk.clear()

    def take_datagrams(self, now: float) -> tuple[bytes, ...]:
        """What to send now: what the handshake needs, one message, or one datagram of bulk.

        Bulk leaves datagram by datagram, so that whatever comes up can go between.
        """
        self._collect()
        self.outbox.tick(now, leaving=bool(self._bulk))
        if self.outbox and self.open and not self._datagrams:
            if self._urgent and (message := self.outbox.take(now)) is not None:
                self._session.send(message)
            elif self.writable and not self._bulk and (message := self.outbox.take_bulk(now)) is not None:
                self._session.send(message, bulk=True)
            self._collect()
        if not self._datagrams and self._bulk and self.writable:
            self._datagrams.append(self._bulk.popleft())
        if not self._datagrams:
            return ()
        self._sent = now
        taken, self._datagrams = tuple(self._datagrams), []
        return taken

    def _collect(self) -> None:
        for datagram in self._session.take_datagrams():
            (self._bulk if is_bulk(datagram) else self._datagrams).append(datagram)

    def tick(self, now: float) -> Why | None:
        """Keep the link alive; why it has to be closed, if it has."""
        if not self.open:
            return Why.HANDSHAKE_TIME if now >= self.began + HANDSHAKE_TIME else None
        if self.outbox.full:
            return Why.SLOW
        if self.retires is not None and now >= self.retires:
            return Why.DUPLICATE
        if now >= self.heard + SILENT_AFTER:
            return Why.SILENT
        if self._unwritable_since is not None:
            return Why.SLOW if now >= self._unwritable_since + SLOW_AFTER else None
        if now >= self._sent + HEARTBEAT:
            self._sent = now
            self.send(Alive())
        return None

    def deadline(self) -> float:
        """When `tick` has something to do, should nothing happen before."""
        if not self.open:
            return self.began + HANDSHAKE_TIME
        since = self._unwritable_since
        moment = min(
            self.heard + SILENT_AFTER, self._sent + HEARTBEAT if since is None else since + SLOW_AFTER
        )
        if self.heads_due is not None:
            moment = min(moment, self.heads_due)
        return moment if self.retires is None else min(moment, self.retires)

    def quiet(self, now: float) -> bool:
        """Nothing heard for longer than an honest peer would be silent."""
        return now >= self.heard + QUIET_AFTER

    def may_answer(self, size: int, now: float) -> bool:
        """Whether the other side may have `size` bytes of entries more."""
        return self._answers.take(max(size, ANSWER_COST), now)

    def brought_forgery(self) -> bool:
        """Count an entry anybody could have made; True when the link has brought too many."""
        self._false_signatures += 1
        return self._false_signatures >= FALSE_SIGNATURES

    def _message(self, data: bytes, now: float) -> list[TalkEvent]:
        if not (self._messages.take(1, now) and self._bytes.take(len(data), now)):
            self._dropped += 1
            return [TalkClosed(Why.FLOOD)] if self._dropped >= DROPPED_BEFORE_CLOSING else []
        try:
            message = decode_message(data)
        except BadMessage:
            return [TalkClosed(Why.GARBLED)]
        if isinstance(message, Bye):
            why = FAREWELLS[message.why] if message.why < len(FAREWELLS) else Why.BYE
            return [TalkClosed(why, told=True)]
        return [] if isinstance(message, Alive) else [message]


def _farewell(why: Why) -> bytes:
    return encode_message(Bye(FAREWELLS.index(why)))
