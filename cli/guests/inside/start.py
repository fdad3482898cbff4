"""Where the guest's worker enters Python: the JavaScript backends, the vault and the socket, and the peer."""

from __future__ import annotations

import asyncio
import os
import secrets
from typing import TYPE_CHECKING, Any, Final

from pyodide.ffi import JsException, to_js

from cli.guests.inside.sodium import JsChannel, JsGroup, JsSignatures
from cli.guests.inside.vault import Kept, KeptGame, VaultError, Write
from game.mental_poker.group import use_backend
from ledger.identity import use_signatures
from p2p.primitives import use_channel

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from cli.guests.inside.driver import GuestDriver
    from cli.guests.inside.page import GuestPage
    from cli.guests.inside.sodium import Call


class Sodium:
    """The JavaScript function of `static/sodium.js` as Python calls it; None while there is none."""

    def __init__(self, function: Any = None) -> None:
        self.function = function

    def __call__(self, name: str, data: bytes) -> bytes | None:
        answer = self.function(name, to_js(data))
        return None if answer is None else bytes(answer.to_bytes())


SODIUM: Final = Sodium()


def use_sodium(call: Call) -> None:
    """Use libsodium for everything from now on."""
    use_backend(JsGroup(call))
    use_signatures(JsSignatures(call))
    use_channel(JsChannel(call))


class JsVault:
    """The database of `static/vault.js`; satisfies `cli.guests.inside.vault.Vault`."""

    def __init__(self, vault: Any) -> None:
        self._vault = vault

    async def claim(self) -> Kept:
        kept = await self._vault.claim()
        games = tuple(
            KeptGame(
                bytes(game.genesis.to_bytes()),
                bytes(game.seed.to_bytes()),
                tuple(bytes(record.to_bytes()) for record in game.records),
            )
            for game in kept.games
        )
        rest = (bytes(found.to_bytes()) for found in (kept.seat, kept.again))
        return Kept(bytes(kept.identity.to_bytes()), games, *rest)

    def commit(self, writes: tuple[Write, ...]) -> Awaitable[None]:
        return self._committed(self._vault.commit(to_js([list(write) for write in writes])))

    async def _committed(self, writing: Any) -> None:
        try:
            await writing
        except JsException as error:
            other = "other tab" in str(error)
            raise VaultError("vault.other-tab" if other else "vault.failed") from error


class JsWire:
    """An open WebSocket; satisfies `cli.guests.inside.driver.Wire`."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket

    @property
    def waiting(self) -> int:
        return int(self._socket.bufferedAmount)

    def send(self, data: bytes) -> None:
        self._socket.send(to_js(data))

    def close(self) -> None:
        self._socket.close()


class Started:
    """The running guest as the worker calls it."""

    def __init__(self, driver: GuestDriver, page: GuestPage) -> None:
        self.driver = driver
        self.page = page
        self._running = asyncio.ensure_future(page.run())

    def opened(self, socket: Any) -> None:
        self.driver.opened(JsWire(socket))

    def arrived(self, data: Any) -> None:
        self.driver.arrived(bytes(data.to_bytes()))

    def closed(self) -> str:
        """Why it is no use to go on, as a message id; "" otherwise."""
        self.driver.closed()
        return self.driver.trouble

    def intent(self, text: str) -> None:
        self.page.receive(text)

    def stop(self, why: str) -> None:
        self.driver.stop(why)

    def hurry(self) -> None:
        self.driver.hurry()

    def log_file(self) -> Any:
        return to_js(self.page.log_file())


async def start(vault: Any, dial: Any, say: Any, name: str, code: str, host: str) -> Any:
    """The guest at the table of `host` (a fingerprint). `dial()` asks for a socket, `say` takes a frame."""
    from cli.guests.inside.driver import GuestDriver  # after the backends: they make points as they load
    from cli.guests.inside.page import GuestPage
    from cli.page.table import LONGEST_WAIT, SHORTEST_WAIT

    kept_in = JsVault(vault)
    dice = secrets.SystemRandom()
    driver = GuestDriver(
        vault=kept_in,
        kept=await kept_in.claim(),
        name=name,
        code=code,
        host=host,
        dial=dial,
        random=os.urandom,
    )
    page = GuestPage(driver, say, lambda: dice.uniform(SHORTEST_WAIT, LONGEST_WAIT))
    page.welcome()
    started = Started(driver, page)
    driver.start()
    return started
