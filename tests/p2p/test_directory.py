"""Where the others can be dialled."""

from __future__ import annotations

from ledger.identity import PublicKey
from p2p.directory import MOST_PEERS, PATIENCE, Directory, Wanted
from p2p.messages import MOST_ADDRESSES, Address, PeerLine

LOW, ME, HIGH = PublicKey(b"a" * 32), PublicKey(b"m" * 32), PublicKey(b"z" * 32)
A, B = Address("a:1"), Address("b:1")


def test_a_peers_own_word_comes_first() -> None:
    directory = Directory(ME)
    directory.told([PeerLine(LOW, (B, A))])
    assert directory.addresses(LOW) == (B, A)
    assert directory.said(LOW, (A,))
    assert not directory.said(LOW, (A,))
    assert directory.addresses(LOW) == (A, B)
    assert directory.said(LOW, ())
    assert directory.addresses(LOW) == (B, A)
    assert directory.lines((LOW, HIGH)) == (PeerLine(LOW, (B, A)),)


def test_nobody_tells_us_where_we_are() -> None:
    directory = Directory(ME)
    directory.told([PeerLine(ME, (A,))])
    assert directory.addresses(ME) == ()
    assert directory.wanted((ME,), (), 0.0) == ()


def test_the_lower_key_dials_and_the_higher_one_waits() -> None:
    directory = Directory(ME)
    directory.told([PeerLine(LOW, (A,)), PeerLine(HIGH, (B,))])
    assert directory.wanted((LOW, HIGH), (), 0.0) == (Wanted(HIGH, (B,)),)
    assert directory.wanted((LOW, HIGH), (HIGH,), PATIENCE - 0.1) == ()
    assert directory.wanted((LOW, HIGH), (HIGH,), PATIENCE) == (Wanted(LOW, (A,)),)
    assert directory.wanted((LOW,), (LOW,), 10.0) == ()
    assert directory.wanted((LOW,), (), 11.0) == ()
    assert directory.wanted((LOW,), (), 11.0 + PATIENCE) == (Wanted(LOW, (A,)),)


def test_lies_fill_a_bounded_book() -> None:
    directory = Directory(ME)
    for number in range(1_000):
        key = PublicKey(number.to_bytes(32, "big"))
        directory.told([PeerLine(key, tuple(Address(f"h:{port}") for port in range(1, 50)))])
        directory.said(key, [Address("x:1")])
    assert len(directory._said) == len(directory._told) == MOST_PEERS
    assert len(directory.addresses(PublicKey((999).to_bytes(32, "big")))) == MOST_ADDRESSES


def test_a_loopback_address_is_told_on_the_same_device_alone() -> None:
    directory = Directory(ME)
    near, far = Address("127.0.0.1:1"), Address("10.0.0.7:1")
    directory.told([PeerLine(LOW, (near, far)), PeerLine(HIGH, (Address("[::1]:2"), Address("localhost:2")))])
    assert directory.lines((LOW, HIGH), to="10.0.0.9") == (PeerLine(LOW, (far,)),)
    for same in ("127.0.0.2", "::1", None):
        assert len(directory.lines((LOW, HIGH), to=same)) == 2
    directory.told([PeerLine(LOW, (Address("][ nobody reads this"),))])
    assert len(directory.lines((LOW,), to="10.0.0.9")) == 1
