"""Bad air between real devices: lost packets, long ways, narrow ones, cuts, sleep, other addresses."""

from __future__ import annotations

import time

import pytest

from tests.namespaces.rooms import PATIENCE, Device, Peer, Room, Wire, exports_are_one_and_valid

pytestmark = pytest.mark.namespaces

NO_RESETS = """table inet air {
 chain out {
  type filter hook output priority 0
  tcp flags & rst == rst drop
 }
}
"""
BACK = 2.0
"""Seconds after which a device that can be reached again is in the game again."""
OUTAGE = 10.0


def sit_down(room: Room, devices: list[Device], *words: str, address: bool = True) -> list[Peer]:
    """A table at the first device, a guest at each of the others; the game has begun."""
    table = devices[0].hosts("--seats", str(len(devices)), "--option", "deck=24", *words)
    said = table.said("listening")
    where = (f"{devices[0].address}:{said['port']}",) if address else ()
    guests = [device.joins(*where, str(said["code"])) for device in devices[1:]]
    peers = [table, *guests]
    for peer in peers:
        peer.said("game")
    return peers


def finish(room: Room, devices: list[Device], peers: list[Peer]) -> None:
    for peer in peers:
        assert peer.said("done")["status"] == "finished"
    for device in devices:
        device.filter("")
    exports_are_one_and_valid(devices, room.folder)


def test_thirty_percent_of_all_packets_are_lost(room: Room) -> None:
    devices = [room.device(), room.device()]
    for device in devices:
        device.lose(30)
    finish(room, devices, sit_down(room, devices, address=False))


def test_a_far_and_narrow_way(room: Room) -> None:
    """200 ms there and back, 20 kB/s, found by multicast through it."""
    devices = [room.device(wire=Wire(milliseconds=50, rate=20_000)) for _ in range(2)]
    finish(room, devices, sit_down(room, devices, address=False))


def test_narrow_cables_for_three(room: Room) -> None:
    devices = [room.device() for _ in range(3)]
    for device in devices:
        device.narrow(20_000)
    finish(room, devices, sit_down(room, devices))


def goes_on(peer: Peer) -> float:
    """Seconds until the next height is told."""
    began = time.monotonic()
    peer.said("height")
    return time.monotonic() - began


def test_a_device_cut_off_for_ten_seconds_is_back_at_once(room: Room) -> None:
    """Its seat owes something at every moment of the set-up, so the game waits for it."""
    devices = [room.device() for _ in range(3)]
    table, boris, ciro = sit_down(room, devices)
    away = devices[2]
    room.cut(away)
    time.sleep(OUTAGE)
    for peer in (table, boris, ciro):
        peer.read_all()
    room.mend(away)
    assert max(goes_on(peer) for peer in (ciro, table, boris)) <= BACK
    finish(room, devices, [table, boris, ciro])


def test_who_hears_one_of_the_others_only_goes_on_playing(room: Room) -> None:
    """One way is cut: a guest hears nothing of the host any more, and gets all of it from the other guest."""
    devices = [room.device() for _ in range(3)]
    peers = sit_down(room, devices)
    devices[2].deafen(devices[0])
    for peer in peers:
        assert peer.said("done")["status"] == "finished"
    finish_later = [device.durak("games").stdout.count(" finished ") for device in devices]
    assert finish_later == [1, 1, 1]
    devices[2].filter("")
    exports_are_one_and_valid(devices, room.folder)


def test_devices_get_other_addresses_in_the_middle_of_a_game(room: Room) -> None:
    """First a guest, then the host, as after a change of network: nobody types anything."""
    devices = [room.device() for _ in range(3)]
    table, boris, ciro = peers = sit_down(room, devices)
    for device, address in ((devices[2], "10.77.0.102"), (devices[0], "10.77.0.100")):
        device.move(address)
        for peer in peers:
            peer.read_all()
    finish(room, devices, [table, boris, ciro])


def test_a_device_that_slept_goes_on_where_it_was(room: Room) -> None:
    devices = [room.device() for _ in range(2)]
    table, boris = sit_down(room, devices)
    boris.freeze()
    time.sleep(17)  # longer than any link is kept
    assert any("is lost" in line for line in table.read_all())
    boris.thaw()
    assert goes_on(boris) <= BACK
    finish(room, devices, [table, boris])


def test_a_program_restarted_while_its_link_is_cut_has_its_seat_again(room: Room) -> None:
    """The host has not noticed yet that the old link is dead: it sees somebody of this identity there."""
    devices = [room.device() for _ in range(2)]
    table = devices[0].hosts("--option", "deck=24")
    said = table.said("listening")
    where = (f"{devices[0].address}:{said['port']}", str(said["code"]))
    boris = devices[1].joins(*where)
    boris.said("height")
    room.cut(devices[1])
    boris.kill()
    devices[1].filter(NO_RESETS)
    room.mend(devices[1])
    finish(room, devices, [table, devices[1].joins(*where)])


def test_a_host_whose_port_was_taken_meanwhile_comes_back_on_another(room: Room) -> None:
    devices = [room.device() for _ in range(2)]
    table = devices[0].hosts("--option", "deck=24")
    said = table.said("listening")
    boris = devices[1].joins(str(said["code"]))
    boris.said("height")
    table.kill()
    devices[0].hosts("--port", str(said["port"]))  # another table of the same person
    game = devices[0].durak("games").stdout.split()[0]
    devices[0].start("games", "resume", game, "--text")
    assert boris.said("done")["status"] == "finished"


def test_a_game_of_yesterday_goes_on_though_everybody_has_another_address(room: Room) -> None:
    """Both ended their programs and are on another network now; nobody types an address or a code."""
    devices = [room.device() for _ in range(2)]
    peers = sit_down(room, devices)
    for peer in peers:
        peer.kill()
    for number, device in enumerate(devices):
        device.ip("link", "set", "wlan", "addrgenmode", "none")
        device.ip("-6", "addr", "flush", "dev", "wlan")
        device.move(f"10.77.0.{100 + number}")
    game = devices[0].durak("games").stdout.split()[0]
    for device in devices:
        device.start("games", "resume", game, "--text")
    deadline = time.monotonic() + PATIENCE
    while not all(" finished " in device.durak("games").stdout for device in devices):
        assert time.monotonic() < deadline
        time.sleep(1)
    exports_are_one_and_valid(devices, room.folder)
