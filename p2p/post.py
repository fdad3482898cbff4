"""What one side of a lobby has to say: messages for the peers that have a link, events for its owner."""

from __future__ import annotations

from ledger.identity import PublicKey
from p2p.lobby import LobbyEvent, ToPeer
from p2p.messages import Message


class Post:
    """Collects both until they are taken. `here`: everybody with a link; for others nothing is kept."""

    def __init__(self) -> None:
        self.here: dict[PublicKey, None] = {}
        self._messages: list[ToPeer] = []
        self._events: list[LobbyEvent] = []

    def send(self, identity: PublicKey, message: Message) -> None:
        """To this peer, if it has a link."""
        if identity in self.here:
            self._messages.append(ToPeer(identity, message))

    def report(self, event: LobbyEvent) -> None:
        self._events.append(event)

    def take_messages(self) -> tuple[ToPeer, ...]:
        messages, self._messages = tuple(self._messages), []
        return messages

    def take_events(self) -> tuple[LobbyEvent, ...]:
        events, self._events = tuple(self._events), []
        return events
