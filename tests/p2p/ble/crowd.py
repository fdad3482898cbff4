"""People with radios of their own in one process; nodes, lobby and log know nothing of Bluetooth."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from ledger.identity import PublicKey
from p2p.ble.driver import BleDriver
from p2p.ble.radio import Radio, open_radio
from tests.p2p.keeper import Keeper, start
from tests.p2p.people import Person
from tests.radio.server import RadioServer


class Seated(Keeper[BleDriver]):
    """A person behind a driver with a radio."""

    def __init__(self, person: Person, radio: Radio, **options: object) -> None:
        super().__init__(
            person,
            lambda hear: BleDriver(person.node, radio, on_event=hear, **options),  # type: ignore[arg-type]
        )

    async def sit(self, address: str = "ble:") -> PublicKey:
        return await super().sit(address)


@asynccontextmanager
async def crowd(
    radio: RadioServer, *people: Person, guest_links: int = 0, **options: object
) -> AsyncIterator[list[Seated]]:
    """Each person with a radio of his own, the first one as the host."""
    async with AsyncExitStack() as stack:
        seated = []
        for place, person in enumerate(people):
            own = {"max_links": guest_links} if place and guest_links else {}
            one = Seated(person, await open_radio(radio.name), host=place == 0, **{**options, **own})
            await stack.enter_async_context(one.driver)
            seated.append(one)
        yield seated


async def begin(everybody: list[Seated]) -> None:
    """All sit down at the first one's table, and it starts."""
    for one in everybody[1:]:
        await one.sit()
    await start(*everybody)
