"""The peripheral role, and what a radio can do. One small abstract class; platforms stand beside it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from typing import TypeAlias

Device: TypeAlias = Hashable
"""Whatever the platform tells centrals apart by; None where it cannot."""
OnValue: TypeAlias = Callable[[Device, bytes, int], None]
"""A central has written: the device, the value, the ATT MTU of its connection."""
OnLeft: TypeAlias = Callable[[Device], None]
"""A central is gone, as far as the platform notices."""


class Peripheral(ABC):
    """Offers the service and advertises one UUID. `limits` are message ids of what this platform cannot do.

    Every method may raise what the platform raises; the driver puts each call under a time-out and takes
    every exception for "not now".
    """

    limits: tuple[str, ...] = ()

    @abstractmethod
    async def start(self, on_value: OnValue, on_left: OnLeft) -> None:
        """Register the service; from now on centrals may write."""

    @abstractmethod
    async def advertise(self, uuid: str | None) -> None:
        """Advertise this UUID, and again whenever the platform forgets it; None: no longer."""

    @abstractmethod
    async def notify(self, device: Device, value: bytes) -> bool:
        """Hand one value to the platform for `device`, waiting while its queue is full. False: not there."""

    def address(self, device: Device) -> str | None:
        """The address of this device as the central role would name it, where the platform tells."""
        return None

    @abstractmethod
    async def stop(self) -> None:
        """Take everything back."""
