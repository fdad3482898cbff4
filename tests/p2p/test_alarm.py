"""An alarm rings once, at the time it was set to last."""

from __future__ import annotations

import asyncio

from p2p.alarm import Alarm


async def test_it_rings_at_the_time_set_last_and_once() -> None:
    loop = asyncio.get_running_loop()
    rung: list[float] = []
    alarm = Alarm(lambda: rung.append(loop.time()))
    now = loop.time()
    alarm.set(now + 60)
    alarm.set(now + 0.02)
    assert alarm.is_set
    await asyncio.sleep(0.06)
    assert len(rung) == 1
    assert rung[0] >= now + 0.02
    assert not alarm.is_set


async def test_what_is_past_rings_soon_and_none_not_at_all() -> None:
    rung: list[int] = []
    alarm = Alarm(lambda: rung.append(1))
    alarm.set(asyncio.get_running_loop().time() - 5)
    assert not rung, "never from within"
    await asyncio.sleep(0.01)
    assert rung == [1]
    alarm.set(asyncio.get_running_loop().time())
    alarm.set(None)
    await asyncio.sleep(0.01)
    assert rung == [1]


async def test_it_may_be_set_again_while_it_rings() -> None:
    left = [2]
    alarm = Alarm(lambda: ring())

    def ring() -> None:
        left[0] -= 1
        if left[0]:
            alarm.set(0.0)

    alarm.set(0.0)
    await asyncio.sleep(0.01)
    assert left == [0]
