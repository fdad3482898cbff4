"""The peripheral's side of all its links: values from any central in, links out. Sans-IO.

A device is whatever the platform tells centrals apart by; None where it cannot (bless). Two processes on one
machine share an adapter, so one device may have several links, and where the device is unknown the link
number alone decides.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from typing import Final

from p2p.ble.ble_link import BleLink
from p2p.ble.frames import (
    NO_ROOM,
    UNNUMBERED,
    WIRE_VERSION,
    BadFrame,
    CutFrame,
    Hello,
    LinkNumber,
    Welcome,
    decode_frame,
    encode_frame,
    value_limit,
)
from p2p.reasons import Why

RECENT_NUMBERS: Final = 64
"""A frame still under way to an ended link must not meet another of the same number."""


class Desk:
    """`limit` links at most, half-open ones included. `random(n)` gives n random bytes."""

    def __init__(self, *, process: bytes, random: Callable[[int], bytes], limit: int) -> None:
        self.limit = limit
        self.refused = 0
        """HELLOs that found no place."""
        self._process = process
        self._random = random
        self._links: dict[LinkNumber, BleLink] = {}
        self._devices: dict[LinkNumber, Hashable] = {}
        self._claims: dict[LinkNumber, bytes] = {}
        self._recent: deque[LinkNumber] = deque(maxlen=RECENT_NUMBERS)

    @property
    def links(self) -> tuple[BleLink, ...]:
        return tuple(self._links.values())

    def device(self, link: BleLink) -> Hashable:
        """The device behind a link that is not forgotten yet, else None."""
        return self._devices.get(link.number)

    def receive(self, device: Hashable, value: bytes, mtu: int, now: float) -> bytes | None:
        """One value from `device`. Returns what has to be answered outside any link: a refusal."""
        try:
            frame = decode_frame(value)
        except CutFrame as error:
            link = self._of(device, error.link)
            if link is not None:
                link.receive(value, now)
            return None
        except BadFrame:
            return None
        if not isinstance(frame, Hello):
            link = None if isinstance(frame, Welcome) else self._of(device, frame.link)
            if link is not None:
                link.receive_frame(frame, now)
            return None
        if frame.version != WIRE_VERSION:
            number = self._new_number()
            return encode_frame(
                Welcome(number, frame.nonce, self._process, WIRE_VERSION, 0, value_limit(mtu))
            )
        if self._greeted(device, frame, mtu, now):
            return None
        self.refused += 1
        number = self._new_number()
        return encode_frame(
            Welcome(number, frame.nonce, self._process, WIRE_VERSION, NO_ROOM, value_limit(mtu))
        )

    def gone(self, device: Hashable) -> None:
        """The platform says this central has left."""
        for number, link in self._links.items():
            if self._devices[number] == device:
                link.lost()

    def forget_ended(self) -> tuple[BleLink, ...]:
        """Take the links that are over off the list."""
        ended = tuple(link for link in self._links.values() if link.over)
        for link in ended:
            del self._links[link.number], self._devices[link.number], self._claims[link.number]
        return ended

    def _of(self, device: Hashable, number: LinkNumber) -> BleLink | None:
        link = self._links.get(number)
        return link if link is not None and self._devices[number] == device else None

    def _greeted(self, device: Hashable, hello: Hello, mtu: int, now: float) -> bool:
        for number, link in self._links.items():
            if self._devices[number] != device:
                continue
            if link.nonce == hello.nonce:
                link.greeted_again(now)
                return True
            if device is not None and self._claims[number] == hello.process:
                link.lost(Why.GONE)
        if sum(not link.over for link in self._links.values()) >= self.limit:
            return False
        number = self._new_number()
        self._links[number] = BleLink.answer(hello, number=number, process=self._process, mtu=mtu, now=now)
        self._devices[number] = device
        self._claims[number] = hello.process
        return True

    def _new_number(self) -> LinkNumber:
        while True:
            number = LinkNumber(int.from_bytes(self._random(2), "big"))
            if number != UNNUMBERED and number not in self._links and number not in self._recent:
                self._recent.append(number)
                return number
