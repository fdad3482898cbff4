"""Dialling again: the host's address, and peers of our table that fell silent. The driver is `p2p.lan`.

The law of this file: whoever can be reached again is back within two seconds, and a try costs one packet.
"""

from __future__ import annotations

import asyncio
import itertools
import random
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from p2p.backoff import Backoff
from p2p.codes import is_expected
from p2p.errors import NetworkError, OtherVersion, Refused

if TYPE_CHECKING:
    from ledger.identity import PublicKey
    from p2p.codes import Fingerprint
    from p2p.directory import Wanted
    from p2p.lan import LanDriver

CONNECT_TIME: Final = 5.0
CONNECT_AGAIN: Final = (1.5, 1.5, CONNECT_TIME)
"""Seconds for one try after another to a peer we have talked to: a packet lost while the way was cut must not
cost the seconds after which TCP would send it again."""
LONGEST_PAUSE: Final = 0.75
"""Seconds between tries on a local network."""
LOOK_EVERY: Final = 0.5
"""Seconds between looks at a link that stands and shall stay."""
DIAL_EVERY: Final = 0.5


async def keep(
    driver: LanDriver, address: str, *, is_host: bool, expect: PublicKey | Fingerprint | None
) -> None:
    """Dial whenever there is no link to who answered there first, or nothing is heard on it. Never ends.

    A refusal is not asked about again so soon.
    """
    soon, late = Backoff(driver.longest_pause((address,))), Backoff()
    patience = itertools.cycle(CONNECT_AGAIN)
    while True:
        pause = LOOK_EVERY
        if expect is None or not any(is_expected(peer, expect) for peer in _heard(driver)):
            try:
                expect = await driver.dial(address, is_host=is_host, expect=expect, patience=next(patience))
                soon.worked()
                late.worked()
            except (Refused, OtherVersion):
                pause = late.failed(random.random())
            except NetworkError:
                pause = soon.failed(random.random())
        await asyncio.sleep(pause)


async def dial_the_wanted(driver: LanDriver) -> None:
    """Dial the peers the node asks for. Never ends."""
    tries: dict[PublicKey, _Tries] = {}
    dialling: set[PublicKey] = set()

    async def attempt(want: Wanted, patience: float) -> None:
        try:
            for address in want.addresses:
                with suppress(NetworkError):
                    await driver.dial(address, is_host=False, expect=want.identity, patience=patience)
                    break
        finally:
            dialling.discard(want.identity)

    while True:
        now = driver.now()
        wanted = driver.wanted()
        tries = {
            w.identity: tries.get(w.identity) or _Tries(driver.longest_pause(w.addresses)) for w in wanted
        }
        for want in wanted:
            due = tries[want.identity]
            if now >= due.at and want.identity not in dialling:
                dialling.add(want.identity)
                driver.task(attempt(want, next(due.patience)))
                due.at = now + due.backoff.failed(random.random())
        await asyncio.sleep(DIAL_EVERY)


class _Tries:
    """When and how to dial a peer of our table next."""

    def __init__(self, longest_pause: float) -> None:
        self.at = 0.0
        self.backoff = Backoff(longest_pause)
        self.patience = itertools.cycle(CONNECT_AGAIN)


def _heard(driver: LanDriver) -> tuple[PublicKey, ...]:
    """The peers whose links are alive."""
    return tuple(state.identity for state in driver.node.peer_states(driver.now()) if not state.quiet)
