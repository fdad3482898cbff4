"""Two sessions, hand-carried bytes: who is let in, who is believed, and how a talk ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.identity import PublicKey, SigningKey
from p2p.message_codec import decode_message, encode_message
from p2p.messages import MESSAGE_LIMIT, Hello
from p2p.noise import Handshake, Pattern
from p2p.primitives import OwnKey
from p2p.reasons import Why
from p2p.session import (
    CHANNEL_TAG,
    MAGIC,
    VERSION,
    Door,
    Failed,
    Opened,
    Received,
    Session,
    SessionEvent,
    is_bulk,
)

ANNA, BORIS = SigningKey(b"a" * 32), SigningKey(b"b" * 32)
CODE, OTHER_CODE = b"c" * 32, b"d" * 32


def session(key: SigningKey, *, initiator: bool, door: Door, mtu: int = 4096, number: int = 0) -> Session:
    ephemeral = bytes([1 if initiator else 2, number]) * 16
    return Session(
        initiator=initiator,
        mtu=mtu,
        identity=key,
        static=b"s" * 31 + bytes([initiator]),
        ephemeral=ephemeral,
        door=door,
    )


def carry(one: Session, two: Session) -> tuple[list[SessionEvent], list[SessionEvent]]:
    """Carry datagrams until both are silent; what each side saw."""
    seen: tuple[list[SessionEvent], list[SessionEvent]] = ([], [])
    while True:
        moved = False
        for sender, receiver, events in ((one, two, seen[1]), (two, one, seen[0])):
            for datagram in sender.take_datagrams():
                moved = True
                events.extend(receiver.receive(datagram))
        if not moved:
            return seen


def opened(door: Door = Door(CODE), mtu: int = 4096) -> tuple[Session, Session]:  # noqa: B008 - frozen
    one = session(ANNA, initiator=True, door=Door(door.code), mtu=mtu)
    two = session(BORIS, initiator=False, door=door, mtu=mtu)
    assert carry(one, two) == (
        [Opened(BORIS.public, OwnKey(b"s" * 31 + b"\0").public)],
        [Opened(ANNA.public, OwnKey(b"s" * 31 + b"\1").public)],
    )
    return one, two


@pytest.mark.parametrize("door", [Door(CODE), Door(None, open=True)])
@pytest.mark.parametrize("mtu", [128, 185, 512, 65_535])
def test_both_learn_who_the_other_is_and_talk(door: Door, mtu: int) -> None:
    one, two = opened(door, mtu)
    for message in (
        b"x",
        b"y" * (mtu - 18),
        b"z" * (mtu - 17) if mtu < MESSAGE_LIMIT else b"z",
        b"w" * MESSAGE_LIMIT,
    ):
        one.send(message[:MESSAGE_LIMIT])
        two.send(message[:MESSAGE_LIMIT])
        expected = [Received(message[:MESSAGE_LIMIT])]
        assert carry(one, two) == (expected, expected)


def test_datagrams_fit_the_mtu() -> None:
    one = session(ANNA, initiator=True, door=Door(CODE), mtu=128)
    two = session(BORIS, initiator=False, door=Door(CODE), mtu=128)
    sizes = []
    while datagrams := [(s, d) for s in (one, two) for d in s.take_datagrams()]:
        for sender, datagram in datagrams:
            sizes.append(len(datagram))
            (two if sender is one else one).receive(datagram)
    one.send(b"m" * 1000)
    sizes += [len(d) for d in one.take_datagrams()]
    assert max(sizes) == 128
    assert sizes[:3] == [56, 97, 65]


@pytest.mark.parametrize(
    ("guest", "host", "why"),
    [
        (Door(OTHER_CODE), Door(CODE), Why.CODE_WRONG),
        (Door(), Door(CODE), Why.CODE_NEEDED),
        (Door(CODE), Door(None, open=True), Why.CODE_WRONG),
        (Door(), Door(), Why.CODE_NEEDED),
    ],
)
def test_both_sides_can_say_why_nobody_got_in(guest: Door, host: Door, why: Why) -> None:
    one = session(ANNA, initiator=True, door=guest)
    two = session(BORIS, initiator=False, door=host)
    mine, theirs = carry(one, two)
    assert theirs == [Failed(why)]
    assert mine == [Failed(why, VERSION)]


def test_a_guest_without_the_code_never_learns_who_the_host_is() -> None:
    one = session(ANNA, initiator=True, door=Door(OTHER_CODE))
    two = session(BORIS, initiator=False, door=Door(CODE))
    sent = [one.take_datagrams()]
    two.receive(sent[0][0])
    one.receive(two.take_datagrams()[0])
    two.receive(one.take_datagrams()[0])
    assert two.take_datagrams() == (bytes([5]) + MAGIC + bytes([VERSION, 2]),)


def test_another_version_is_its_own_event() -> None:
    one = session(ANNA, initiator=True, door=Door(CODE))
    two = session(BORIS, initiator=False, door=Door(CODE))
    first = bytearray(one.take_datagrams()[0])
    first[1 + len(MAGIC)] = 9
    assert two.receive(bytes(first)) == (Failed(Why.OTHER_VERSION, 9),)
    (refusal,) = two.take_datagrams()
    assert one.receive(refusal) == (Failed(Why.OTHER_VERSION, VERSION),)
    refusal = bytes([5]) + MAGIC + bytes([7, 0])
    assert session(ANNA, initiator=True, door=Door(CODE)).receive(refusal) == (Failed(Why.OTHER_VERSION, 7),)


def test_a_talk_with_oneself() -> None:
    one = session(ANNA, initiator=True, door=Door(CODE))
    two = session(ANNA, initiator=False, door=Door(CODE))
    assert carry(one, two)[0] == [Failed(Why.MYSELF)]


def hand_made_guest(
    host: Session, claim: bytes, key: SigningKey = ANNA, version: int = VERSION
) -> tuple[SessionEvent, ...]:
    """A guest that shakes hands correctly and then signs `claim` (`%h` = the handshake hash)."""
    preamble = MAGIC + bytes([VERSION, Pattern.XXPSK3.value])
    shake = Handshake(
        Pattern.XXPSK3, initiator=True, static=b"S" * 32, ephemeral=b"E" * 32, prologue=preamble, psk=CODE
    )
    assert host.receive(b"\x01" + preamble + shake.write()) == ()
    shake.read(host.take_datagrams()[0][1:])
    assert host.receive(b"\x03" + shake.write()) == ()
    sending, receiving = shake.split()
    assert decode_message(receiving.open(host.take_datagrams()[0][1:])[1:]).identity == BORIS.public  # type: ignore[union-attr]
    hello = Hello(version, key.public, key.sign(claim.replace(b"%h", shake.handshake_hash)))
    return host.receive(b"\x04" + sending.seal(b"\x01" + encode_message(hello)))


def test_an_identity_is_believed_for_this_handshake_and_role_only() -> None:
    def host() -> Session:
        return session(BORIS, initiator=False, door=Door(CODE))

    assert hand_made_guest(host(), CHANNEL_TAG + b"\0%h") == (Opened(ANNA.public, OwnKey(b"S" * 32).public),)
    for claim in (CHANNEL_TAG + b"\1%h", CHANNEL_TAG + b"\0" + b"h" * 32, b"durak-cert-1\0%h", b"%h"):
        assert hand_made_guest(host(), claim) == (Failed(Why.HANDSHAKE),)
    assert hand_made_guest(host(), CHANNEL_TAG + b"\0%h", version=2) == (Failed(Why.OTHER_VERSION, 2),)


def test_a_key_under_which_one_signature_fits_all_is_refused() -> None:
    class IdentityPoint(SigningKey):
        def __init__(self) -> None:
            super().__init__(b"x" * 32)
            self.public = PublicKey(b"\x01" + bytes(31))

    host = session(BORIS, initiator=False, door=Door(CODE))
    assert hand_made_guest(host, CHANNEL_TAG + b"\0%h", key=IdentityPoint()) == (Failed(Why.HANDSHAKE),)


def test_a_recorded_talk_cannot_be_played_again() -> None:
    one = session(ANNA, initiator=True, door=Door(CODE))
    two = session(BORIS, initiator=False, door=Door(CODE))
    recorded: list[bytes] = []
    while datagrams := [(s, d) for s in (one, two) for d in s.take_datagrams()]:
        for sender, datagram in datagrams:
            (two if sender is one else one).receive(datagram)
            recorded += [datagram] * (sender is one)
    later = session(BORIS, initiator=False, door=Door(CODE), number=7)
    events = [event for datagram in recorded for event in later.receive(datagram)]
    assert events == [Failed(Why.HANDSHAKE)]


@pytest.mark.parametrize("fault", ["replayed", "flipped", "cut", "lost", "swapped", "empty", "too long"])
def test_a_fault_in_an_open_talk_ends_it(fault: str) -> None:
    one, two = opened()
    for number in range(3):
        one.send(bytes([number]) * 20)
    first, second, third = one.take_datagrams()
    assert two.receive(first) == (Received(b"\0" * 20),)
    wrong = {
        "replayed": first,
        "flipped": second[:9] + bytes([second[9] ^ 1]) + second[10:],
        "cut": second[:-3],
        "lost": third,
        "swapped": third,
        "empty": b"",
        "too long": second + bytes(4096),
    }[fault]
    why = Why.GARBLED if fault in ("empty", "too long") else Why.BAD_TAG
    assert two.receive(wrong) == (Failed(why),)
    assert two.over
    assert two.receive(second) == ()


@pytest.mark.parametrize("kind", [4, 6])
def test_pieces_are_kept_up_to_the_limit(kind: int) -> None:
    one, two = opened(mtu=4096)
    sealing = one._lanes[kind].sending
    piece = bytes([kind]) + sealing.seal(b"\0" + bytes(4000))
    for _ in range(8):
        assert two.receive(piece) == ()
        piece = bytes([kind]) + sealing.seal(b"\0" + bytes(4000))
    assert two.receive(piece) == (Failed(Why.GARBLED),)


def test_everything_may_pass_bulk_and_bulk_keeps_its_order() -> None:
    one, two = opened(mtu=128)
    one.send(b"a" * 300, bulk=True)
    one.send(b"move")
    one.send(b"b" * 300, bulk=True)
    datagrams = one.take_datagrams()
    assert [is_bulk(datagram) for datagram in datagrams] == [True] * 3 + [False] + [True] * 3
    *proof, move, fourth, fifth, sixth = datagrams
    events = [e for d in (proof[0], move, *proof[1:], fourth, fifth, sixth) for e in two.receive(d)]
    assert events == [Received(b"move"), Received(b"a" * 300), Received(b"b" * 300)]


@pytest.mark.parametrize("fault", ["replayed", "lost", "moved to the other lane"])
def test_each_lane_counts_for_itself(fault: str) -> None:
    one, two = opened()
    one.send(b"first", bulk=True)
    one.send(b"second", bulk=True)
    one.send(b"move")
    first, second, _ = one.take_datagrams()
    assert two.receive(first) == (Received(b"first"),)
    if fault != "replayed":
        first, second = second, first
    wrong = {"replayed": first, "lost": one_more(one), "moved to the other lane": b"\4" + first[1:]}[fault]
    assert two.receive(wrong) == (Failed(Why.BAD_TAG),)


def one_more(session: Session) -> bytes:
    session.send(b"third", bulk=True)
    return session.take_datagrams()[0]


def test_no_bulk_before_the_identities_are_known() -> None:
    host = session(BORIS, initiator=False, door=Door(CODE))
    preamble = MAGIC + bytes([VERSION, Pattern.XXPSK3.value])
    shake = Handshake(
        Pattern.XXPSK3, initiator=True, static=b"S" * 32, ephemeral=b"E" * 32, prologue=preamble, psk=CODE
    )
    assert host.receive(b"\x01" + preamble + shake.write()) == ()
    shake.read(host.take_datagrams()[0][1:])
    assert host.receive(b"\x03" + shake.write()) == ()
    sealed = shake.split()[0].beginning_at(2**63).seal(b"\1" + b"x")
    assert host.receive(b"\6" + sealed) == (Failed(Why.GARBLED),)


def test_an_unproven_peer_makes_us_keep_little() -> None:
    host = session(BORIS, initiator=False, door=Door(None, open=True))
    preamble = MAGIC + bytes([VERSION, Pattern.XX.value])
    shake = Handshake(Pattern.XX, initiator=True, static=b"S" * 32, ephemeral=b"E" * 32, prologue=preamble)
    host.receive(b"\x01" + preamble + shake.write())
    shake.read(host.take_datagrams()[0][1:])
    host.receive(b"\x03" + shake.write())
    sending, _ = shake.split()
    assert host.receive(b"\x04" + sending.seal(b"\0" + bytes(200))) == ()
    assert host.receive(b"\x04" + sending.seal(b"\0" + bytes(200))) == (Failed(Why.GARBLED),)


@given(datagrams=st.lists(st.binary(max_size=200), max_size=4), initiator=st.booleans())
def test_garbage_ends_a_talk_and_raises_nothing(datagrams: list[bytes], *, initiator: bool) -> None:
    end = session(ANNA, initiator=initiator, door=Door(CODE, open=True))
    events = [event for datagram in datagrams for event in end.receive(datagram)]
    assert all(isinstance(event, Failed) for event in events)
    assert len(events) == (1 if datagrams else 0)


def test_send_only_while_open_and_within_the_limit() -> None:
    fresh = session(ANNA, initiator=True, door=Door(CODE))
    with pytest.raises(ValueError, match="not open"):
        fresh.send(b"x")
    one, _ = opened()
    for message in (b"", bytes(MESSAGE_LIMIT + 1)):
        with pytest.raises(ValueError, match="bytes"):
            one.send(message)
    with pytest.raises(ValueError, match="128"):
        session(ANNA, initiator=True, door=Door(CODE), mtu=127)


def test_no_code_in_repr() -> None:
    assert "cc" not in repr(Door(CODE))
