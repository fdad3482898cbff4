"""A link at work on a platform, in virtual time."""

from __future__ import annotations

import asyncio

from p2p.ble.link_events import LinkEvent, Up, Writable
from tests.p2p.ble.test_failures_platform import ack, end_with
from tests.p2p.ble.virtual import run


def test_who_was_held_back_is_told_when_there_is_room() -> None:
    """A node asks once whether a link is writable, and then waits to be told."""

    async def scene() -> tuple[bool, list[LinkEvent]]:
        events: list[LinkEvent] = []
        gate = asyncio.Event()

        async def write(value: bytes) -> bool:
            await gate.wait()
            return True

        end = end_with(write, events)
        end.arrived(ack(0))
        for _ in range(4):
            end.send(bytes(1_000))
        held_back = not end.writable
        await asyncio.sleep(0.1)
        assert [type(event) for event in events] == [Up]
        gate.set()
        await asyncio.sleep(0.1)
        await end.end()
        return held_back, events

    held_back, events = run(scene())
    assert held_back
    assert [type(event) for event in events] == [Up, Writable]
