"""What a Bluetooth link reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from p2p.reasons import Why


@dataclass(frozen=True, slots=True)
class Up:
    """The link stands. `process` is the other side's claim of which process it is: a hint."""

    process: bytes
    mtu: int


@dataclass(frozen=True, slots=True)
class Arrived:
    datagram: bytes


@dataclass(frozen=True, slots=True)
class Quiet:
    """Nothing heard for `QUIET_AFTER` seconds."""


@dataclass(frozen=True, slots=True)
class Heard:
    """Heard again after `Quiet`."""


@dataclass(frozen=True, slots=True)
class Writable:
    """What waited has left: there is room for more."""


@dataclass(frozen=True, slots=True)
class Down:
    """The link is over; the last event."""

    why: Why


LinkEvent: TypeAlias = Up | Arrived | Quiet | Heard | Writable | Down
