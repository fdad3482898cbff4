"""A hand-made peer: shakes hands as it must and then says whatever a test wants."""

from __future__ import annotations

from typing import ClassVar
from weakref import WeakValueDictionary

from ledger.identity import SigningKey
from p2p.link import LinkId
from p2p.message_codec import decode_message, encode_message
from p2p.messages import Alive, Message
from p2p.node import Node
from p2p.output import Close, Send
from p2p.reasons import Why
from p2p.session import Door, Failed, Opened, Received, Session
from tests.p2p.people import CODE, dice


class Stranger:
    """The other end of one link of `node`. `heard` are the messages the node sent, heartbeats left out."""

    numbers = iter(range(1_000_000, 2_000_000))
    by_link: ClassVar[WeakValueDictionary[LinkId, Stranger]] = WeakValueDictionary()

    def __init__(
        self,
        node: Node,
        key: SigningKey,
        *,
        now: float = 0.0,
        door: Door | None = None,
        initiator: bool = True,
        process: str = "",
        mtu: int = 16_384,
    ) -> None:
        self.node = node
        self.link = LinkId(next(self.numbers))
        self.by_link[self.link] = self
        self.heard: list[Message] = []
        self.closed: Why | None = None
        self.failed: Failed | None = None
        self.now = now
        random = dice(f"stranger {key.public.hex()} {process}")
        static = random(32)
        self.session = Session(
            initiator=initiator,
            mtu=mtu,
            identity=key,
            static=static,
            ephemeral=dice(f"ephemeral {self.link}")(32),
            door=Door(CODE) if door is None else door,
        )
        node.link_up(self.link, initiator=not initiator, mtu=mtu, now=now)
        self.carry()

    def say(self, *messages: Message) -> None:
        for message in messages:
            self.say_bytes(encode_message(message))
        self.carry()

    def say_bytes(self, data: bytes) -> None:
        """One sealed message, well-formed or not."""
        if self.session.open:
            self.session.send(data)

    def send(self, datagram: bytes) -> None:
        """One datagram as it stands."""
        self.node.datagram(self.link, datagram, self.now)

    def carry(self) -> None:
        """Bytes both ways until both are silent."""
        while True:
            moved = False
            for datagram in self.session.take_datagrams():
                moved = True
                self.node.datagram(self.link, datagram, self.now)
            for output in self.node.take_output(self.now):
                moved = True
                other = self.by_link.get(output.link)
                match output:
                    case Send(datagram=datagram) if other is not None:
                        other._receive(datagram)
                    case Close(why=why) if other is not None:
                        other.closed = why
                    case _:
                        pass
            if not moved:
                return

    def wait(self, seconds: float, step: float = 0.5) -> None:
        """Let time pass, and stay alive."""
        until = self.now + seconds
        while self.now < until and self.closed is None:
            self.now += step
            self.say(Alive())
            self.node.tick(self.now)
            self.carry()

    def take_heard(self, *kinds: type) -> list[Message]:
        """The messages heard since the last call, of these kinds if any are given."""
        heard, self.heard = self.heard, []
        return [message for message in heard if not kinds or isinstance(message, kinds)]

    def _receive(self, datagram: bytes) -> None:
        for event in self.session.receive(datagram):
            match event:
                case Received(message=data):
                    message = decode_message(data)
                    if not isinstance(message, Alive):
                        self.heard.append(message)
                case Failed():
                    self.failed = event
                case Opened():
                    pass
