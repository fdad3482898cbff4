"""One promise per parser: every message has one encoding, and all other bytes give `BadMessage`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.codec import encode
from ledger.engine import Height, Seat, Value
from ledger.entry import EntryId
from ledger.fault import CaseId
from ledger.genesis import Digest, GameId, Previous, SeatRecord
from ledger.heads import Heads
from ledger.identity import PublicKey, Signature
from p2p.errors import BadMessage
from p2p.message_codec import decode_message, encode_message
from p2p.messages import (
    GUEST_PAGE,
    MESSAGE_LIMIT,
    Address,
    Agree,
    Alive,
    AskSeat,
    AskWatch,
    Bye,
    Cancel,
    Entries,
    EntryName,
    Have,
    Hello,
    Leave,
    Linked,
    Listening,
    Message,
    Notice,
    OfferGenesis,
    PeerLine,
    Peers,
    Ready,
    Refused,
    RosterLine,
    Runs,
    Start,
    Table,
    Want,
    WantGenesis,
)
from p2p.reasons import Refusal

KEY = PublicKey(b"k" * 32)
GAME = GameId(b"g" * 32)
PREV = Digest(b"p" * 32)
RECORD = SeatRecord(KEY, PublicKey(b"i" * 32), b"n" * 32, Signature(b"c" * 64), "Оля")
PREVIOUS = Previous(GAME, Digest(b"d" * 32), Seat(1), (1, 0), (0, 1))
ROSTER = (RosterLine(KEY, "Оля", ready=True, bot=False, watching=False),)

EVERY_MESSAGE: tuple[Message, ...] = (
    Hello(1, KEY, Signature(b"s" * 64)),
    Alive(),
    Bye(3),
    Table(1, b"r" * 32, (36, 2, 0), 1, 2, may_watch=True, previous=None, game=None, roster=ROSTER),
    Table(2, b"r" * 32, (), 0, 6, may_watch=False, previous=PREVIOUS, game=GAME, roster=()),
    AskSeat(1, RECORD),
    AskWatch("Petja"),
    Refused(Refusal.FULL),
    Ready(b"t" * 32, ready=True),
    OfferGenesis(1, b"genesis"),
    Agree(GAME),
    Start(GAME),
    Cancel(1, Refusal.GUEST_LEFT),
    Leave(),
    WantGenesis(GAME),
    Listening((Address("[fe80::1%3]:4711"),)),
    Peers((PeerLine(KEY, (Address("10.0.0.1:4711"),)),)),
    Heads(GAME, Height(3), PREV, 0b101, (EntryId(b"a" * 32),), None, ((Height(1), PREV),) * 12),
    Heads(GAME, Height(4096), PREV, 63, (), CaseId(b"c" * 32), ()),
    Entries(GAME, (b"record", b"r" * 17_000), more=False),
    Linked((KEY,)),
    Runs(GUEST_PAGE),
    Have(b"game", (EntryName(3, 5, 0, b"8 bytes."),)),
    Want(b"game", (EntryName(4096, 0, 1, b"8 bytes."),) * 64),
    Notice(GAME, 5, 255, (0, 1), relayed=False),
)


@pytest.mark.parametrize("message", EVERY_MESSAGE, ids=lambda message: type(message).__name__)
def test_round_trip(message: Message) -> None:
    assert decode_message(encode_message(message)) == message


def test_the_list_above_is_complete() -> None:
    from typing import get_args

    assert {type(message) for message in EVERY_MESSAGE} == set(get_args(Message))


def test_bytes_on_the_wire() -> None:
    assert encode_message(Alive()).hex() == "8101"
    assert encode_message(Refused(Refusal.SAME_IDENTITY)).hex() == "820d01"
    assert encode_message(Heads(GAME, Height(3), PREV, 5, (), None, ())).hex() == (
        "88181e" + "5820" + "67" * 32 + "03" + "5820" + "70" * 32 + "05" + "80" + "f6" + "80"
    )


WRONG: tuple[Value, ...] = (
    (),
    7,
    None,
    (True,),
    (b"\0",),
    (99,),
    (-1,),
    (1, 0),
    (0, 1, b"k" * 31, b"s" * 64),
    (0, 256, b"k" * 32, b"s" * 64),
    (0, True, b"k" * 32, b"s" * 64),
    (12, b"n" * 33),
    (12, b"\xff"),
    (13, len(Refusal)),
    (14, b"t" * 32, 1),
    (21, (b"a" * 81,)),
    (21, (b"",)),
    (21, (b"a",) * 9),
    (23, (b"k" * 31,)),
    (23, (b"k" * 32,) * 23),
    (30, b"g" * 32, 4097, b"p" * 32, 0, (), None, ()),
    (30, b"g" * 32, 1, b"p" * 32, 64, (), None, ()),
    (30, b"g" * 32, 1, b"p" * 32, 0, (), None, ((0, b"o" * 32),) * 13),
    (30, b"g" * 32, 1, b"p" * 32, 0, (), None, (b"o" * 32,)),
    (31, b"g" * 32, (), False),
    (31, b"g" * 32, (b"",), False),
    (31, b"g" * 32, (b"r",) * 257, False),
    (32, b"game", ()),
    (32, b"game", ((3, 5, 0, b"7 bytes"),)),
    (32, b"game", ((3, 5, 2, b"8 bytes."),)),
    (33, b"game!", ((3, 5, 0, b"8 bytes."),)),
    (33, b"game", ((3, 5, 0, b"8 bytes."),) * 65),
    (34, b"g" * 32, 6, 0, (), False),
)


@pytest.mark.parametrize("value", WRONG, ids=repr)
def test_wrong_shapes(value: Value) -> None:
    with pytest.raises(BadMessage):
        decode_message(encode(value))


@pytest.mark.parametrize("message", EVERY_MESSAGE, ids=lambda message: type(message).__name__)
def test_every_truncation_and_trailing_byte(message: Message) -> None:
    whole = encode_message(message)
    cuts = range(len(whole)) if len(whole) < 1000 else (0, 1, 40, 1000, len(whole) - 1)
    for cut in cuts:
        with pytest.raises(BadMessage):
            decode_message(whole[:cut])
    with pytest.raises(BadMessage):
        decode_message(whole + b"\0")


@given(st.binary(max_size=300))
def test_garbage_gives_one_error(data: bytes) -> None:
    try:
        message = decode_message(data)
    except BadMessage:
        return
    assert encode_message(message) == data


@given(st.sampled_from(EVERY_MESSAGE), st.integers(0, 2**20), st.integers(1, 255))
def test_a_flipped_byte_gives_another_message_or_one_error(message: Message, place: int, flip: int) -> None:
    data = bytearray(encode_message(message))
    data[place % len(data)] ^= flip
    try:
        other = decode_message(bytes(data))
    except BadMessage:
        return
    assert other != message
    assert encode_message(other) == bytes(data)


@pytest.mark.parametrize(
    "hostile",
    [
        b"\x5b" + b"\x7f" + b"\xff" * 7,
        b"\x81" * 30_000,
        b"\x9a\x7f\xff\xff\xff",
        b"\xc0\x00",
        bytes(MESSAGE_LIMIT + 1),
    ],
    ids=["claims 2^63 bytes", "nested 30,000 deep", "claims 2^31 items", "a tag", "too long"],
)
def test_hostile_bytes(hostile: bytes) -> None:
    with pytest.raises(BadMessage):
        decode_message(hostile)


def test_a_message_no_peer_would_accept_is_not_made() -> None:
    for message in (AskWatch("n" * 33), Notice(GAME, 6, 0, (), relayed=False), Entries(GAME, (), more=False)):
        with pytest.raises(BadMessage):
            encode_message(message)
    with pytest.raises(BadMessage):
        encode_message(Entries(GAME, (b"r" * 17_000,) * 2, more=False))
