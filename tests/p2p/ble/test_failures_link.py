"""Failure modes of real radios, by number (docs/bluetooth.md §7), that the link itself has to survive."""

from __future__ import annotations

from random import Random

import pytest

from p2p.ble.advert import Advert
from p2p.ble.ble_link import BleLink
from p2p.ble.central import Found
from p2p.ble.desk import Desk
from p2p.ble.frames import CutFrame, Hello, decode_frame, encode_frame, value_limit
from p2p.ble.link_events import Down, Quiet
from p2p.ble.lookout import FRESH
from p2p.reasons import Why
from tests.p2p.ble.air import Air, Pair
from tests.vectors.generate_ble import VECTORS, advertising_data, vectors

MTUS = (23, 185, 247, 517, 527)


def carried(pair: Pair, *, end: str = "c", count: int = 8, seconds: float = 300.0) -> list[bytes]:
    """Send datagrams of all lengths from `end` and assert that the other side gets them."""
    dice = Random(count)
    sent = [dice.randbytes(dice.randint(1, pair.central.mtu)) for _ in range(count)]
    for datagram in sent:
        pair.send(end, datagram)
    other = "p" if end == "c" else "c"
    pair.run(pair.now + seconds, stop=lambda: len(pair.got[other]) == count)
    assert [datagram for _, datagram in pair.got[other]] == sent
    return pair.values[end]


@pytest.mark.parametrize("mtu", MTUS)
def test_failure_01_chunks_fit_the_real_mtu(mtu: int) -> None:
    values = carried(Pair(mtu=(mtu, mtu)).open())
    assert max(map(len, values)) == min(mtu - 3, 512)


def test_failure_02_no_value_is_longer_than_512_at_mtu_517_and_a_cut_one_is_noticed() -> None:
    values = carried(Pair(Air(swallow=512), (517, 517)).open())
    assert max(map(len, values)) == 512
    with pytest.raises(CutFrame):
        decode_frame(max(values, key=len)[:-2])


def test_failure_03_each_link_has_its_own_length() -> None:
    android, iphone = Pair(mtu=(517, 517)).open(), Pair(mtu=(517, 185)).open()
    assert max(map(len, carried(android, end="p"))) == 512
    assert max(map(len, carried(iphone, end="p"))) == 182


def test_failure_04_a_stack_that_splits_long_values_gets_shorter_ones() -> None:
    pair = Pair(Air(split=182), (517, 517)).open()
    values = carried(pair)
    assert len(values[-2]) <= 182


def test_failure_05_the_last_three_bytes_are_dropped() -> None:
    pair = Pair(Air(longest=509)).open()
    carried(pair)
    assert pair.peripheral.cut >= 1


def test_failure_06_the_mtu_stays_23() -> None:
    assert max(map(len, carried(Pair(mtu=(23, 23)).open(), count=3))) == 20


def test_failure_07_windows_names_the_mtu_later() -> None:
    pair = Pair(mtu=(23, 247)).open()
    pair.central.set_mtu(247)
    assert max(map(len, carried(pair))) == 244


def test_failure_08_a_full_queue_drops_without_a_word() -> None:
    pair = Pair(Air(queue=60, overflow=0.05)).open()
    carried(pair, count=12)
    assert pair.central.repeated > 0


def test_failure_11_a_quarter_of_all_notifications_is_lost() -> None:
    pair = Pair(Air(loss=0.24, seed=11)).open()
    carried(pair, end="p", count=12)


def test_failure_12_the_first_notifications_around_the_subscription_are_lost() -> None:
    pair = Pair()
    pair.air.loss = 1.0
    pair.run(1.2)
    assert pair.values["p"] == []
    pair.air.loss = 0.0
    carried(pair.open(), end="p")


def test_failure_13_notifications_for_others_come_here_too() -> None:
    ours, other = Pair().open(), Pair(Air(seed=4)).open()
    for value in carried(other, end="p"):
        ours.central.receive(value, ours.now)
    assert ours.central.up
    assert ours.central.take_events() == ()
    carried(ours)


@pytest.mark.parametrize("rate", [5_000, 20_000])
def test_failure_14_a_platform_that_takes_everything_holds_eight_values_at_most(rate: int) -> None:
    pair = Pair(Air(rate=rate, queue=60)).open()
    for _ in range(32):
        pair.send("c", bytes(1_000))
    before = len(pair.values["c"])
    pair.run(pair.now + 0.02)
    assert len(pair.values["c"]) - before <= 8


def test_failure_15_a_frozen_radio_looks_healthy() -> None:
    pair = Pair(Air(frozen=(3.0, 60.0), queue=60)).open()
    pair.run(9.1)
    assert isinstance(pair.events["c"][-1], Quiet)
    pair.run(30)
    assert pair.events["c"][-1] == Down(Why.SILENT)


def test_failure_18_a_real_reconnection_wins_over_the_silent_link() -> None:
    pair = Pair().open()
    hello = Hello(b"next", pair.peripheral.peer_process, 1, 0, 512)
    pair.desk.receive("phone", encode_frame(hello), 517, pair.now)
    assert pair.peripheral.over
    assert sum(not link.over for link in pair.desk.links) == 1


def test_failure_22_centrals_that_left_unnoticed_free_their_places() -> None:
    desk = Desk(process=b"periphrl", random=Random(1).randbytes, limit=7)
    for number in range(7):
        hello = Hello(bytes([number] * 4), bytes([number] * 8), 1, 0, 512)
        desk.receive(f"ghost {number}", encode_frame(hello), 517, 0.0)
    assert len(desk.links) == 7
    assert desk.receive("guest", encode_frame(Hello(b"late", b"latelate", 1, 0, 512)), 517, 1.0) is not None
    for link in desk.links:
        link.tick(15.0)
    desk.forget_ended()
    assert desk.receive("guest", encode_frame(Hello(b"late", b"latelate", 1, 0, 512)), 517, 15.0) is None
    assert len(desk.links) == 1


def test_failure_25_an_advertisement_is_believed_for_less_time_than_bluez_remembers_it() -> None:
    assert FRESH < 30
    assert Found.__dataclass_fields__["at"]


def test_failure_27_the_advertisement_says_le_only() -> None:
    advert = Advert(bytes(8), bytes(2), host=True, full=False)
    assert advertising_data(advert)[:3] == bytes([2, 1, 0x06])


def test_failure_32_the_advertisement_fits_31_bytes() -> None:
    assert len(advertising_data(Advert(bytes(8), bytes(2), host=True, full=True))) == 21


def test_failure_38_a_flood_of_handshakes_costs_bounded_memory() -> None:
    pair = Pair().open()
    for number in range(10_000):
        hello = Hello(number.to_bytes(4, "big"), number.to_bytes(8, "big"), 1, 0, 512)
        pair.desk.receive(f"stranger {number}", encode_frame(hello), 517, pair.now)
    assert len(pair.desk.links) == pair.desk.limit == 4
    assert pair.peripheral.up
    carried(pair)


def test_failure_39_too_much_to_send_drops_the_link_whole_and_never_a_chunk() -> None:
    pair = Pair().open()
    while pair.central.up:
        pair.send("c", bytes(1_000))
    assert pair.central.take_events()[-1] == Down(Why.SLOW)


def test_failure_41_the_bytes_are_published() -> None:
    assert VECTORS.read_text().startswith("{")
    assert vectors()["frames"]
    assert value_limit(185) == 182
    assert BleLink
