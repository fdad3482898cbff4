"""A cable that takes its time: two TAP interfaces and a process between them that delays, narrows and loses.

Stands for `tc netem`, which not every kernel has. Frames keep their order, as on a cable.

    python -m tests.namespaces.wires DEVICE_NS ROOM_NS PORT MILLISECONDS BYTES_A_SECOND LOSS_PERCENT
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import random
import selectors
import struct
import sys
import time
from collections import deque

CLONE_NEWNET = 0x40000000
TUNSETIFF = 0x400454CA
IFF_TAP, IFF_NO_PI = 0x0002, 0x1000
LONGEST_FRAME = 2048
MOST_WAITING = 200
"""Frames; what does not fit is lost, as in every router."""


def tap(namespace: str, name: str) -> int:
    """A TAP interface of this name in that network namespace; its file descriptor."""
    libc = ctypes.CDLL(None, use_errno=True)
    home = os.open("/proc/self/ns/net", os.O_RDONLY)
    there = os.open(f"/var/run/netns/{namespace}", os.O_RDONLY)
    try:
        if libc.setns(there, CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), "setns")
        tun = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TAP | IFF_NO_PI))
        return tun
    finally:
        libc.setns(home, CLONE_NEWNET)
        os.close(home)
        os.close(there)


class Way:
    """One direction: frames that are under way, each with the moment it arrives."""

    def __init__(self, to: int, *, seconds: float, rate: float, loss: float) -> None:
        self._to = to
        self._seconds = seconds
        self._rate = rate
        self._loss = loss
        self._free = 0.0
        self._frames: deque[tuple[float, bytes]] = deque()

    def put(self, frame: bytes, now: float) -> None:
        if random.random() < self._loss or len(self._frames) >= MOST_WAITING:
            return
        self._free = max(self._free, now) + (len(frame) / self._rate if self._rate else 0.0)
        self._frames.append((self._free + self._seconds, frame))

    def deliver(self, now: float) -> None:
        while self._frames and self._frames[0][0] <= now:
            try:
                os.write(self._to, self._frames.popleft()[1])
            except OSError:
                return

    def due(self) -> float | None:
        return self._frames[0][0] if self._frames else None


def carry(one: int, other: int, *, seconds: float, rate: float, loss: float) -> None:
    """Carry frames both ways, for ever."""
    there = Way(other, seconds=seconds, rate=rate, loss=loss)
    back = Way(one, seconds=seconds, rate=rate, loss=loss)
    watch = selectors.DefaultSelector()
    watch.register(one, selectors.EVENT_READ, there)
    watch.register(other, selectors.EVENT_READ, back)
    while True:
        moments = [moment for moment in (there.due(), back.due()) if moment is not None]
        wait = max(0.0, min(moments) - time.monotonic()) if moments else None
        for key, _ in watch.select(wait):
            way: Way = key.data
            try:
                frame = os.read(key.fd, LONGEST_FRAME)
            except BlockingIOError:
                continue
            way.put(frame, time.monotonic())
        now = time.monotonic()
        there.deliver(now)
        back.deliver(now)


def main(words: list[str]) -> None:
    device, room, port, milliseconds, rate, loss = words
    ends = tap(device, "wlan"), tap(room, port)
    print("up", flush=True)
    carry(*ends, seconds=float(milliseconds) / 1000, rate=float(rate), loss=float(loss) / 100)


if __name__ == "__main__":
    main(sys.argv[1:])
