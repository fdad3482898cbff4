"""Failure modes by number (docs/bluetooth.md §7) at whole tables in virtual time: nodes, channels, logs."""

from __future__ import annotations

import pytest

from ledger.identity import PublicKey
from p2p.ble.advert import Advert
from p2p.ble.central import Found
from p2p.ble.lookout import Lookout
from p2p.codes import JoinCode, code_key, fingerprint
from p2p.discovery import Announcement, Discovery
from p2p.errors import NoDiscovery
from p2p.reasons import Why
from tests.p2p.ble.room import Room
from tests.p2p.ble.test_budget import ready, sit
from tests.p2p.ble.virtual import run


def test_failure_21_a_stuck_handshake_ends_after_ten_seconds_and_the_next_one_succeeds() -> None:
    room = Room(21, star=True)
    anna, boris = sit(room, 2, play=False)
    received = boris.pump.received
    boris.pump.received = lambda *arguments: None  # type: ignore[method-assign]  # his app hangs, his radio does not
    assert room.run(10, lambda: any(end.link.up for end in room.ends))
    room.run(9.5)
    assert anna.closed == []
    room.run(1.5)
    assert Why.HANDSHAKE_TIME in (*anna.closed, *boris.closed)
    assert anna.node.peers() == boris.node.peers() == ()
    boris.pump.received = received  # type: ignore[method-assign]
    assert room.run(30, lambda: ready([anna, boris]))


def test_failure_33_an_app_in_the_background_is_away_and_nothing_is_held_against_it() -> None:
    """Neither found nor heard for three minutes: the others see it, wait, and blame nobody."""
    room = Room(33, star=True)
    anna, boris, ciro = peers = sit(room, 3, play=True)
    assert room.run(60, lambda: ready(peers) or all(peer.log.height > 30 for peer in peers))
    room.part([0, 1], [2])
    room.run(7.0)
    (away,) = [state for state in anna.node.peer_states(room.now) if state.identity == ciro.key.public]
    assert away.quiet
    room.run(173.0)
    assert ciro.key.public not in anna.node.peers()
    assert 2 in anna.log.waiting_for
    assert anna.log.fault is boris.log.fault is ciro.log.fault is None
    waited_at = anna.log.height
    room.heal()
    assert room.run(30, lambda: all(peer.log.height > waited_at + 3 or not peer.log.dues for peer in peers))
    assert all(peer.log.fault is None for peer in peers)


def test_failure_40_one_s_own_advertisement_is_not_a_table_around() -> None:
    """The radio's half of it: some stacks show a device what it says itself."""
    own, other = (
        Advert(bytes(8), bytes(2), host=True, full=False),
        Advert(b"8" * 8, bytes(2), host=True, full=False),
    )
    looking = Lookout(None, own.process, {})

    async def seen() -> list[bytes]:
        for advert in (own, other, own):
            looking._advert(Found(advert, None, -40, 0.0))  # type: ignore[arg-type]
        return [found.advert.process for found in looking.seen()]

    assert run(seen()) == [other.process]


async def test_failure_40_on_the_network_only_named_interfaces_and_never_oneself() -> None:
    """The network's half: one's own packets come back, and where there is no multicast that is said."""
    host, key = PublicKey(b"h" * 32), code_key(JoinCode("0123456789AB"))
    ours = Announcement(host, 4717, ("127.0.0.1",), key)
    async with (
        Discovery(announce=ours, interfaces=("127.0.0.1",)) as there,
        Discovery(interfaces=("127.0.0.1",)) as here,
    ):
        found = await here.find(key, 5.0)
        assert found is not None
        assert found.fingerprint == fingerprint(host)
        assert fingerprint(host) not in {table.fingerprint for table in there.tables}
    with pytest.raises(NoDiscovery) as caught:
        await Discovery(interfaces=("192.0.2.1",)).__aenter__()
    assert caught.value.reason == "discovery.no-multicast"
