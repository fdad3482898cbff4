"""One link over an imagined air: every datagram once, whole and in order, or the link says it is over."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.ble.ble_link import REASONS, BleLink, datagram_limit
from p2p.ble.frames import Data, Hello, Welcome, decode_frame, encode_frame, value_limit
from p2p.ble.link_events import Down, Heard, Quiet, Up
from p2p.reasons import Why
from tests.p2p.ble.air import PROCESS_A, PROCESS_B, Air, Pair


def datagrams(seed: int, count: int, longest: int) -> list[bytes]:
    dice = Random(seed)
    return [dice.randbytes(dice.randint(1, longest)) for _ in range(count)]


def test_both_ends_come_up_with_the_same_mtu_and_each_others_process() -> None:
    pair = Pair(mtu=(517, 185)).open()
    assert pair.events == {"c": [Up(PROCESS_B, 1044)], "p": [Up(PROCESS_A, 1044)]}
    assert pair.central.mtu == pair.peripheral.mtu == datagram_limit(182)
    assert pair.central.number == pair.peripheral.number != 0


@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 2**32),
    mtu=st.sampled_from([23, 24, 64, 185, 247, 517, 527]),
    loss=st.sampled_from([0.0, 0.05, 0.3]),
    twice=st.sampled_from([0.0, 0.2]),
    late=st.sampled_from([0.0, 0.3]),
    cut=st.sampled_from([0.0, 0.1]),
    count=st.integers(1, 8),
)
def test_every_datagram_arrives_once_whole_and_in_order(
    seed: int, mtu: int, loss: float, twice: float, late: float, cut: float, count: int
) -> None:
    pair = Pair(Air(loss=loss, twice=twice, late=late, cut=cut, seed=seed), (mtu, mtu)).open()
    longest = min(pair.central.mtu, 8 * value_limit(mtu))
    sent = {end: datagrams(seed + place, count, longest) for place, end in enumerate("cp")}
    for end in "cp":
        for datagram in sent[end]:
            pair.send(end, datagram)
    pair.run(1_000, stop=lambda: len(pair.got["c"]) == len(pair.got["p"]) == count)
    assert [datagram for _, datagram in pair.got["p"]] == sent["c"]
    assert [datagram for _, datagram in pair.got["c"]] == sent["p"]
    assert max(map(len, pair.values["c"])) <= value_limit(mtu)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32), loss=st.sampled_from([0.0, 0.2]))
def test_lanes_keep_their_own_order_under_loss(seed: int, loss: float) -> None:
    pair = Pair(Air(loss=loss, late=0.2, seed=seed), (247, 247)).open()
    dice = Random(seed)
    sent: dict[bool, list[bytes]] = {False: [], True: []}
    for number in range(20):
        urgent = dice.random() < 0.4
        datagram = bytes([urgent, number]) + dice.randbytes(dice.randint(0, 900))
        sent[urgent].append(datagram)
        pair.send("c", datagram, urgent=urgent)
    pair.run(200, stop=lambda: len(pair.got["p"]) == 20)
    got = [datagram for _, datagram in pair.got["p"]]
    assert [datagram for datagram in got if datagram[0] == 0] == sent[False]
    assert [datagram for datagram in got if datagram[0] == 1] == sent[True]


@settings(deadline=None, max_examples=40)
@given(
    seed=st.integers(0, 2**32),
    begins=st.floats(0.5, 6.0),
    lasts=st.floats(0.0, 12.0),
    mtus=st.lists(st.sampled_from([23, 64, 185, 247, 517]), max_size=4),
    loss=st.sampled_from([0.0, 0.1, 0.3]),
    cut=st.sampled_from([0.0, 0.1]),
)
def test_loss_cuts_a_freeze_and_other_mtus_all_at_once(
    seed: int, begins: float, lasts: float, mtus: list[int], loss: float, cut: float
) -> None:
    """Both lanes, both ways: every datagram once, whole, in the order of its lane, and no end of the link."""
    dice = Random(seed)
    pair = Pair(Air(seed=seed), (247, 247)).open()
    begins += pair.now
    pair.air = Air(loss=loss, twice=0.1, late=0.1, cut=cut, frozen=(begins, begins + lasts), seed=seed)
    sent: dict[tuple[str, bool], list[bytes]] = {(end, lane): [] for end in "cp" for lane in (True, False)}
    for step in range(12):
        end, urgent = dice.choice("cp"), dice.random() < 0.4
        datagram = bytes([urgent, step]) + dice.randbytes(dice.randint(0, 600))
        sent[end, urgent].append(datagram)
        pair.send(end, datagram, urgent=urgent)
        pair.run(pair.now + dice.random())
        if mtus and step % 3 == 2:
            pair.end(dice.choice("cp")).set_mtu(mtus[step // 3 % len(mtus)])
    pair.run(pair.now + 600, stop=lambda: sum(map(len, pair.got.values())) == 12)
    for (end, urgent), datagrams in sent.items():
        got = [datagram for _, datagram in pair.got["p" if end == "c" else "c"]]
        assert [datagram for datagram in got if datagram[0] == urgent] == datagrams
    assert not [event for events in pair.events.values() for event in events if isinstance(event, Down)]


@pytest.mark.parametrize("rate", [5_000, 20_000])
def test_an_urgent_datagram_passes_forty_kilobytes_within_a_second(rate: int) -> None:
    pair = Pair(Air(rate=rate)).open()
    for _ in range(40):
        pair.send("c", bytes(1_000))
    pair.run(pair.now + 1.5)
    asked = pair.now
    pair.send("c", b"move", urgent=True)
    pair.run(asked + 20, stop=lambda: any(datagram == b"move" for _, datagram in pair.got["p"]))
    assert pair.now - asked < 1.0
    assert len(pair.got["p"]) < 35


def test_goodput_of_a_paced_link_is_above_85_percent() -> None:
    pair = Pair(Air(rate=20_000), (247, 247)).open()
    began, total = pair.now, 0
    while total < 100_000:
        pair.send("c", bytes(944))
        total += 944
    pair.run(began + 60, stop=lambda: sum(len(datagram) for _, datagram in pair.got["p"]) == total)
    goodput = total / (pair.now - began) / 20_000
    print(f"goodput {goodput:.1%}")
    assert goodput > 0.85


def test_overhead_of_a_move_of_300_bytes_is_below_25_percent() -> None:
    pair = Pair(Air(), (247, 247)).open()
    pair.run(pair.now + 1)
    before = {end: len(pair.values[end]) for end in "cp"}
    pair.send("c", bytes(300 + 18))  # what the secure channel makes of it
    pair.run(pair.now + 1)
    values = [value for end in "cp" for value in pair.values[end][before[end] :]]
    whole = sum(len(value) + 7 for value in values) / 300
    print(f"{whole:.1%} of its size on the air")
    assert whole <= 1.25


def test_a_radio_frozen_for_five_seconds_is_not_the_end() -> None:
    pair = Pair(Air(frozen=(5.0, 10.0), queue=60)).open()
    pair.run(6)
    sent = datagrams(7, 12, 1_000)
    for datagram in sent:
        pair.send("c", datagram)
    before = len(pair.values["c"])
    pair.run(9.9)
    assert len(pair.values["c"]) - before <= 12  # a frozen radio is not fed again and again
    pair.run(40, stop=lambda: len(pair.got["p"]) == 12)
    assert [datagram for _, datagram in pair.got["p"]] == sent
    assert not [event for event in pair.events["c"] if isinstance(event, Down)]


def test_a_radio_frozen_for_eight_seconds_shows_as_quiet_and_comes_back() -> None:
    pair = Pair(Air(frozen=(5.0, 13.0), queue=60)).open()
    pair.run(20)
    assert [type(event) for event in pair.events["c"]] == [Up, Quiet, Heard]
    assert pair.central.quiet_since is None


def test_a_radio_frozen_for_twenty_seconds_ends_both_links_after_fifteen() -> None:
    pair = Pair(Air(frozen=(5.0, 25.0), queue=60)).open()
    pair.run(60)
    for end in "cp":
        assert pair.events[end][-1] == Down(Why.SILENT)
    assert pair.central.over
    assert pair.peripheral.over


def test_idle_links_beat_every_two_seconds_and_no_more() -> None:
    pair = Pair().open()
    pair.run(100)
    assert 40 <= len(pair.values["c"]) + len(pair.values["p"]) <= 140
    assert len(pair.events["c"]) == 1


def test_the_peripheral_is_silent_until_the_hello_and_answers_each() -> None:
    pair = Pair(Air(loss=1.0))
    pair.run(3)
    assert pair.values["p"] == []
    assert {value[0] >> 4 for value in pair.values["c"]} == {1}
    pair.air.loss = 0.0
    pair.open()
    assert pair.values["p"][0][0] >> 4 == 2


def test_a_hello_nobody_answers_ends_after_ten_seconds() -> None:
    pair = Pair(Air(loss=1.0))
    pair.run(30)
    assert pair.events["c"] == [Down(Why.HANDSHAKE_TIME)]


def test_close_sends_what_is_queued_then_says_bye_with_the_reason() -> None:
    pair = Pair().open()
    pair.send("c", b"last words")
    pair.central.close(Why.DUPLICATE, pair.now)
    pair.run(pair.now + 3)
    assert [datagram for _, datagram in pair.got["p"]] == [b"last words"]
    assert pair.events["p"][-1] == Down(Why.DUPLICATE)
    assert pair.central.over


def test_close_does_not_wait_for_a_dead_radio() -> None:
    pair = Pair().open()
    pair.connected = False
    pair.send("c", b"last words")
    pair.central.close(Why.BYE, pair.now)
    began = pair.now
    pair.run(began + 10, stop=lambda: pair.central.over)
    assert pair.now - began <= 1.1


def test_a_peer_that_beats_but_never_acknowledges_is_too_slow() -> None:
    pair = Pair().open()
    deaf = Pair().open().peripheral
    pair.send("c", b"?")
    link, now, values = pair.central, pair.now, 0
    while not link.over and now < 200:
        while link.take_value(now) is not None:
            values += 1
        now += 0.5
        beat = bytes([0x40, 7]) + link.number.to_bytes(2, "big") + bytes([0, 0, 8])
        link.receive(beat, now)
        link.tick(now)
    assert link.take_events()[-1] == Down(Why.SLOW)
    assert 60 <= now - pair.now <= 62
    assert values < 80
    assert deaf.up


def test_more_than_a_link_can_follow_ends_it_and_memory_stays_bounded() -> None:
    pair = Pair().open()
    for _ in range(262):
        pair.send("c", bytes(1_000))
    assert not pair.central.writable
    assert pair.central.up
    pair.send("c", bytes(1_000))
    assert pair.central.take_events() == (Down(Why.SLOW),)


def test_a_reader_that_collects_nothing_gives_no_credit_and_loses_nothing() -> None:
    pair = Pair(Air(rate=200_000)).open()
    sent = datagrams(3, 60, 1_000) + [bytes(1_000)] * 20
    for datagram in sent:
        pair.send("c", datagram)
    take, pair.peripheral.take_events = pair.peripheral.take_events, lambda: ()  # type: ignore[method-assign]
    pair.run(10)
    kept = take()
    assert 32_768 <= sum(len(event.datagram) for event in kept) <= 32_768 + 8_192
    pair.peripheral.take_events = take  # type: ignore[method-assign]
    pair.run(60, stop=lambda: len(pair.got["p"]) + len(kept) == len(sent))
    assert [event.datagram for event in kept] + [datagram for _, datagram in pair.got["p"]] == sent


def test_a_stack_that_cuts_the_last_three_bytes_gets_shorter_values() -> None:
    pair = Pair(Air(longest=509)).open()
    sent = [*datagrams(5, 10, 1_000), bytes(1_000)]
    for datagram in sent:
        pair.send("c", datagram)
    pair.run(30, stop=lambda: len(pair.got["p"]) == len(sent))
    assert [datagram for _, datagram in pair.got["p"]] == sent
    assert pair.peripheral.cut >= 1
    assert len(pair.values["c"][-2]) <= 509


def test_a_stack_that_swallows_long_values_gets_shorter_ones() -> None:
    pair = Pair(Air(swallow=182)).open()
    sent = [*datagrams(6, 4, 1_000), bytes(1_000)]
    for datagram in sent:
        pair.send("c", datagram)
    pair.run(120, stop=lambda: len(pair.got["p"]) == len(sent))
    assert [datagram for _, datagram in pair.got["p"]] == sent


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32), mtus=st.lists(st.integers(23, 527), min_size=1, max_size=5))
def test_the_mtu_may_change_at_any_time(seed: int, mtus: list[int]) -> None:
    pair = Pair(Air(loss=0.05, seed=seed), (247, 247)).open()
    sent = datagrams(seed, 3 * len(mtus), 944)
    for place, mtu in enumerate(mtus):
        for datagram in sent[3 * place : 3 * place + 3]:
            pair.send("c", datagram)
        pair.run(pair.now + 0.1)
        pair.central.set_mtu(mtu)
        start = len(pair.values["c"])
        pair.run(pair.now + 0.05)
        assert all(len(value) <= value_limit(mtu) for value in pair.values["c"][start:])
    pair.run(pair.now + 300, stop=lambda: len(pair.got["p"]) == len(sent))
    assert [datagram for _, datagram in pair.got["p"]] == sent


@settings(deadline=None, max_examples=200)
@given(values=st.lists(st.binary(max_size=40), max_size=30))
def test_noise_from_the_air_never_raises_and_harms_no_link(values: list[bytes]) -> None:
    pair = Pair().open()
    for value in values:
        if value[2:4] == pair.central.number.to_bytes(2, "big"):
            continue
        pair.central.receive(value, pair.now)
        pair.desk.receive("stranger", value, 517, pair.now)
    assert pair.central.up
    assert pair.peripheral.up
    assert pair.central.take_events() == ()


@settings(deadline=None, max_examples=200)
@given(values=st.lists(st.tuples(st.integers(0, 255), st.binary(max_size=30)), max_size=30))
def test_noise_under_our_own_number_ends_that_link_at_worst(values: list[tuple[int, bytes]]) -> None:
    pair = Pair().open()
    for head, body in values:
        value = bytes([head, (4 + len(body)) % 256]) + pair.central.number.to_bytes(2, "big") + body
        pair.central.receive(value, pair.now)
        pair.central.take_value(pair.now)
        for event in pair.central.take_events():
            assert not isinstance(event, Down) or event.why in REASONS
    assert pair.peripheral.up


def test_a_value_is_only_pulled_as_the_platform_takes_it_so_the_window_bounds_what_is_below() -> None:
    pair = Pair().open()
    for _ in range(50):
        pair.send("c", bytes(1_000))
    taken = 0
    while pair.central.take_value(pair.now) is not None:
        taken += 1
    assert taken <= 8


def test_a_link_up_again_after_a_restart_replaces_the_silent_one() -> None:
    pair = Pair().open()
    again = BleLink.dial(nonce=b"newn", process=PROCESS_A, mtu=517, now=pair.now)
    hello = again.take_value(pair.now)
    assert hello is not None
    pair.desk.receive("phone", hello, 517, pair.now)
    assert pair.peripheral.take_events() == (Down(Why.GONE),)
    assert len([link for link in pair.desk.links if not link.over]) == 1


def test_two_processes_behind_one_adapter_have_a_link_each() -> None:
    pair = Pair().open()
    other = BleLink.dial(nonce=b"newn", process=b"another!", mtu=517, now=pair.now)
    hello = other.take_value(pair.now)
    assert hello is not None
    pair.desk.receive("phone", hello, 517, pair.now)
    assert pair.peripheral.up
    assert len(pair.desk.links) == 2


def test_a_frame_for_another_central_is_ignored() -> None:
    """BlueZ before 5.76 sends every notification to every central."""
    pair = Pair().open()
    other = Pair(Air(seed=99)).open()
    assert other.central.number != pair.central.number
    other.send("p", b"not for you")
    other.run(other.now + 1)
    for value in other.values["p"]:
        pair.central.receive(value, pair.now)
    assert pair.central.up
    assert pair.central.take_events() == ()
    assert any(isinstance(decode_frame(value), Data) for value in other.values["p"])


def test_a_central_for_whom_there_is_no_room_is_told_at_once() -> None:
    pair = Pair().open()
    pair.desk.limit = 1
    late = BleLink.dial(nonce=b"late", process=b"another!", mtu=517, now=pair.now)
    hello = late.take_value(pair.now)
    assert hello is not None
    answer = pair.desk.receive("tablet", hello, 517, pair.now)
    assert answer is not None
    late.receive(answer, pair.now)
    assert late.take_events() == (Down(Why.BUSY),)
    assert pair.desk.refused == 1
    assert pair.peripheral.up


def test_a_central_of_another_version_is_told_ours() -> None:
    pair = Pair().open()
    hello = encode_frame(Hello(b"late", b"another!", 2, 0, 512))
    answer = pair.desk.receive("tablet", hello, 517, pair.now)
    assert answer is not None
    welcome = decode_frame(answer)
    assert isinstance(welcome, Welcome)
    assert welcome.version == 1
    assert len(pair.desk.links) == 1
    late = BleLink.dial(nonce=b"late", process=b"another!", mtu=517, now=pair.now)
    late.receive(encode_frame(replace(welcome, version=2)), pair.now)
    assert late.take_events() == (Down(Why.OTHER_VERSION),)
