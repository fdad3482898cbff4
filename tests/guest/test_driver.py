"""The guest's driver against a native host, link in memory, vault in memory: the tab dies at every write.

L1 (DESIGN §2): whatever died, the host never sees two bodies for one due, and the game ends the same
everywhere.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
from collections import deque
from collections.abc import Callable
from typing import Any

import pytest

from cli.game_peer import NotOurTurn
from cli.guests.inside.driver import GuestDriver, HostLink
from cli.guests.inside.page import GuestPage
from cli.guests.inside.vault import Journal, Kept, KeptGame, VaultError, Write
from cli.peer import Peer
from game.actions import RESIGN
from game.course import Course
from game.mental_poker import deck
from game.options import RULES_ID, encode
from ledger.errors import LedgerError
from ledger.level import Status
from p2p.alarm import Alarm
from p2p.codes import code_key, fingerprint, make_code
from p2p.host import HostLobby
from p2p.link import LinkId
from p2p.lobby import LobbyError, Terms
from p2p.node import Node
from p2p.pump import Pump
from p2p.session import Door
from p2p.stream import STREAM_MTU, StreamReader, frame
from tests.desk import MemoryGames
from tests.tables import identity_of, options_of


class Disk:
    """What the browser keeps. The tab that commits may be told to die before or after the write."""

    def __init__(self) -> None:
        self.identity = b""
        self.seat = b""
        self.again = b""
        self.games: dict[str, dict[str, Any]] = {}
        self.signed: dict[tuple[str, str], bytes] = {}
        self.owner = 0
        self.commits = 0

    def kept(self) -> Kept:
        games = (KeptGame(g["genesis"], g["seed"], tuple(g["records"])) for g in self.games.values())
        return Kept(self.identity, tuple(games), self.seat, self.again)

    def write(self, kind: str, game: str, due: str, data: bytes) -> None:
        match kind:
            case "identity":
                assert not self.identity
                self.identity = data
            case "seat":
                self.seat = data
            case "again":
                self.again = data
            case "genesis":
                assert game not in self.games
                self.seat = b""
                self.games[game] = {"genesis": data, "seed": b"", "records": []}
            case "seed" | "forget":
                self.games[game]["seed"] = data
            case _:
                if kind == "own":
                    assert (game, due) not in self.signed, "a second body for one due"
                    self.signed[game, due] = data
                self.games[game]["records"].append(data)


class Tab:
    """One start of the page, as a vault and as the wire of its driver. `dies`: "", "before" or "after"."""

    def __init__(self, room: Room, dies: str) -> None:
        self.room = room
        self.dies = dies
        self.dead = False
        self.waiting = 0
        room.disk.owner += 1
        self.number = room.disk.owner
        self.driver = GuestDriver(
            vault=self, kept=room.disk.kept(), name="Boris", code=room.code,
            host=fingerprint(identity_of(0).public), dial=lambda: room.connect(self), random=os.urandom,
        )  # fmt: skip

    async def claim(self) -> Kept:
        return self.room.disk.kept()

    async def commit(self, writes: tuple[Write, ...]) -> None:
        await asyncio.sleep(0)
        disk = self.room.disk
        if self.number != disk.owner:
            raise VaultError("vault.other-tab")
        disk.commits += 1
        if self.dies == "before":
            self.die()
        for write in writes:
            disk.write(*write)
        if self.dies == "after":
            self.die()

    def die(self) -> None:
        """Nothing of this tab happens any more."""
        self.dead = True
        self.room.lost(self)
        raise VaultError("vault.failed")

    def send(self, data: bytes) -> None:
        assert not self.dead
        self.room.from_guest(self, data)

    def close(self) -> None:
        self.room.lost(self)


class Room:
    """A native host and whatever tab the guest has now."""

    def __init__(self) -> None:
        self.code = make_code(random.Random("code").randbytes)
        self.disk = Disk()
        self.tab: Tab | None = None
        options = options_of(seats=2, deck=24)
        identity = identity_of(0)
        lobby = HostLobby(identity.public, Terms(RULES_ID, encode(options), 1, 2))
        self.node = Node(
            identity=identity, door=Door(code=code_key(self.code)), random=os.urandom, lobby=lobby
        )
        self.pump = Pump(self.node)
        self.loop = asyncio.get_running_loop()
        self.peer = Peer(
            identity=identity, name="Anna", node=self.node, course=Course(deck), games=MemoryGames(),
            random=os.urandom, clock=self.loop.time, auto_start=True,
        )  # fmt: skip
        self.peer.flush = self.flush
        self.number = LinkId(-1)
        self.reader = StreamReader()
        self.peer.sit()

    def open_tab(self, dies: str = "") -> Tab:
        if self.tab is not None:
            self.lost(self.tab)
        self.tab = Tab(self, dies)
        self.tab.driver.start()
        return self.tab

    @property
    def done(self) -> bool:
        return self.peer.game is not None and self.peer.game.done

    # the wire between the two

    def connect(self, tab: Tab) -> None:
        if tab is not self.tab or tab.dead:
            return
        self.reader = StreamReader()
        self.number = self.pump.up(HostEnd(self, tab), initiator=False, now=self.loop.time())
        tab.driver.opened(tab)

    def from_guest(self, tab: Tab, data: bytes) -> None:
        self.loop.call_soon(self.arrived, tab, data)

    def arrived(self, tab: Tab, data: bytes) -> None:
        if tab is not self.tab:
            return
        self.reader.feed(data)
        while (datagram := self.reader.next(limit=STREAM_MTU)) is not None:
            self.pump.received(self.number, datagram, self.loop.time())
        self.flush()

    def lost(self, tab: Tab) -> None:
        if tab is self.tab and self.pump.knows(self.number):
            self.pump.down(self.number, self.loop.time())
            self.loop.call_soon(self.flush)

    def flush(self) -> None:
        self.pump.flush(self.loop.time())
        while events := self.node.take_events():
            for event in events:
                self.peer.take(event)
            self.pump.flush(self.loop.time())


class HostEnd:
    """The host's end of the wire; satisfies `p2p.link.Link`."""

    mtu = STREAM_MTU
    writable = urgently_writable = True

    def __init__(self, room: Room, tab: Tab) -> None:
        self.room = room
        self.tab = tab

    def send(self, datagram: bytes, *, urgent: bool) -> None:
        self.room.loop.call_soon(self._arrive, frame(datagram))

    def _arrive(self, data: bytes) -> None:
        if self.tab is self.room.tab and not self.tab.dead:
            self.tab.driver.arrived(data)

    def close(self, why: object) -> None:
        if not self.tab.dead:
            self.room.loop.call_soon(self.tab.driver.closed)


async def decide(peer: Peer, dice: random.Random) -> None:
    if peer.game is None:
        return
    legal = [action for action in peer.view().legal if action != RESIGN]
    if legal:
        await peer.act(dice.choice(legal))


async def play(room: Room, deaths: list[str]) -> Tab:
    """Play to the end; `deaths` says how each tab but the last dies, at its first write."""
    dice = random.Random("driver")
    tab = room.open_tab()
    async with asyncio.timeout(120):
        while not (tab.driver.peer.game is not None and tab.driver.peer.game.done and room.done):
            await asyncio.sleep(0)
            if tab.dead:
                tab = room.open_tab()
                continue
            game = tab.driver.peer.game
            if deaths and not tab.dies:
                tab.dies = deaths.pop(0)
            table = tab.driver.peer.table
            if game is None and table is not None and len(table.roster) == 2:
                with contextlib.suppress(LobbyError):
                    tab.driver.peer.ready()
            await decide(room.peer, dice)
            with contextlib.suppress(LedgerError):  # a tab that has died signs nothing
                await decide(tab.driver.peer, dice)
    return tab


async def test_a_tab_that_dies_at_every_write_never_signs_twice_and_plays_to_the_end() -> None:
    room = Room()
    tab = await play(room, ["before", "after"] * 15)
    native, guest = room.peer.game, tab.driver.peer.game
    assert native is not None
    assert guest is not None
    assert room.disk.owner > 20, "tabs did die"
    assert native.log.fault is None
    assert native.log.status is Status.FINISHED
    assert native.log.export() == guest.log.export()
    assert not any(game["seed"] for game in room.disk.games.values())


async def until(found: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not found():
            await asyncio.sleep(0)


async def test_who_loads_the_page_again_after_a_game_has_its_result_and_the_wish_for_another() -> None:
    room = Room()
    tab = await play(room, [])
    assert room.peer.game is not None
    room.peer.wishes.seat = False
    first = room.peer.game.genesis.game_id
    export = room.peer.game.log.export()
    for wanted in (False, True):
        tab = room.open_tab()
        peer, page = tab.driver.peer, GuestPage(tab.driver, lambda _: None, lambda: 0.0)
        await until(lambda peer=peer: peer.game is not None and peer.game.log.export() == export)  # type: ignore[misc]
        assert peer.game is not None
        view = peer.view()
        assert view.me == peer.game.seat == 1
        assert view.result is not None
        page._before_each_look()
        assert peer.wishes.seat is wanted
        assert page._feed.situation().rematch == ((1,) if wanted else ())
        await page._feed.rematch(on=True)
        page._before_each_look()
        await until(lambda: room.disk.again == first)
    await page._feed.rematch(on=False)
    page._before_each_look()
    await until(lambda: room.disk.again == b"")
    await page._feed.rematch(on=True)
    page._before_each_look()
    await until(lambda: room.disk.again == first)
    assert not any(game["seed"] for game in room.disk.games.values())
    room.peer.rematch()
    tab = room.open_tab()
    page = GuestPage(tab.driver, lambda _: None, lambda: 0.0)
    await until(lambda: tab.driver.peer.game is not None)
    assert tab.driver.peer.game is not None
    assert tab.driver.peer.game.genesis.game_id == first, "the next is being prepared"
    page._before_each_look()
    room.peer.wishes.seat = True
    room.peer.sit()
    await until(lambda: tab.driver.peer.game is not None and tab.driver.peer.game.genesis.game_id != first)
    await until(lambda: len(room.disk.games) == 2)  # without another word


async def test_a_table_that_has_nothing_to_do_with_an_old_game_does_not_show_it() -> None:
    room = Room()
    await play(room, [])
    other = Room()
    other.disk = room.disk
    tab = other.open_tab()
    await until(lambda: tab.driver.peer.table is not None and len(tab.driver.peer.table.roster) == 2)
    assert tab.driver.peer.game is None
    assert tab.driver.peer.wishes.seat


async def test_nothing_leaves_before_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was noted when bytes were made is on the disk when they leave; what was noted since may wait."""
    room = Room()
    noted = written = sent = 0
    marks: deque[int] = deque()
    early: list[tuple[int, int]] = []
    note, write, hold, pass_on = Journal.note, room.disk.write, GuestDriver.hold, room.from_guest

    def count_noted(self: Journal, *writes: Write) -> None:
        nonlocal noted
        noted += len(writes)
        note(self, *writes)

    def count_written(*what: Any) -> None:
        nonlocal written
        write(*what)
        written += 1

    def made(self: GuestDriver, link: HostLink, data: bytes) -> None:
        if data:
            marks.append(noted)
        hold(self, link, data)

    def leaves(tab: Tab, data: bytes) -> None:
        nonlocal sent
        sent += 1
        if (needed := marks.popleft()) > written:
            early.append((needed, written))
        pass_on(tab, data)

    monkeypatch.setattr(Journal, "note", count_noted)
    monkeypatch.setattr(GuestDriver, "hold", made)
    room.disk.write = count_written  # type: ignore[method-assign]
    room.from_guest = leaves  # type: ignore[method-assign]
    tab = await play(room, [])
    assert not early, "bytes left before what they rest on was written"
    assert room.disk.commits > 20
    assert sent > 20
    assert not marks
    assert tab.driver.peer.game is not None
    own = set(room.disk.signed.values())
    log = tab.driver.peer.game.log
    assert own <= set(log.records())


async def test_a_tab_that_has_stopped_decides_nothing_more() -> None:
    """The seat is another tab's now: a second body for one due must not even be made."""
    room, dice = Room(), random.Random("stopped")
    tab = room.open_tab()
    peer = tab.driver.peer
    async with asyncio.timeout(60):
        while not (choices := [] if peer.game is None else [*peer.view().legal]):
            await asyncio.sleep(0)
            if peer.game is None and peer.table is not None and len(peer.table.roster) == 2:
                with contextlib.suppress(LobbyError):
                    peer.ready()
            await decide(room.peer, dice)
    while tab.driver.journal or tab.driver._writing is not None:  # of before
        await asyncio.sleep(0)
    signed = dict(room.disk.signed)
    height = peer.view().height
    tab.driver.stop("vault.other-tab")
    assert peer.view().legal == ()
    for choice in choices:
        with pytest.raises(NotOurTurn):
            await peer.act(choice)
    for _ in range(20):
        await asyncio.sleep(0)
    assert (peer.view().height, room.disk.signed) == (height, signed)
    assert peer.game is not None
    assert peer.game.trouble == "vault.other-tab"


async def test_the_tab_before_falls_silent_once_another_has_the_table() -> None:
    room = Room()
    first = room.open_tab()
    for _ in range(50):
        await asyncio.sleep(0)
    second = Tab(room, "")
    first.driver.journal.note(Write("record", "", "", b"x"))
    first.driver.flush()
    for _ in range(10):
        await asyncio.sleep(0)
    assert first.driver.trouble == "vault.other-tab"
    assert not second.driver.trouble


async def test_a_deadline_that_has_passed_is_kept_at_once() -> None:
    """A browser's loop refuses to be asked for the past."""
    room = Room()
    tab = room.open_tab()
    asked: list[float] = []
    loop = asyncio.get_running_loop()
    tab.driver.node.deadline = lambda: loop.time() - 5  # type: ignore[method-assign]
    tab.driver._alarm = Alarm(lambda: asked.append(loop.time()))
    later = loop.call_later
    loop.call_later = lambda delay, *rest, **more: later(check(delay), *rest, **more)  # type: ignore[method-assign]

    def check(delay: float) -> float:
        assert delay >= 0
        return delay

    tab.driver.flush()
    await asyncio.sleep(0.01)
    assert asked
