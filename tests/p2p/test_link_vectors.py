"""p2p 41: peers of different makes must agree on every byte; these are ours and do not change unseen."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from p2p.message_codec import decode_message
from p2p.messages import Entries, Hello, Message
from p2p.noise import Handshake, Pattern
from tests.vectors.generate_links import VECTORS, every_message, vectors


@pytest.fixture(scope="module")
def stored() -> dict[str, Any]:
    return dict(json.loads(VECTORS.read_text(encoding="utf-8")))


def test_the_file_is_what_the_code_does(stored: dict[str, Any]) -> None:
    assert vectors() == stored


def test_every_kind_of_message_is_in_it(stored: dict[str, Any]) -> None:
    assert {type(message) for message in every_message().values()} | {Hello} == set(get_args(Message))
    for name, message in every_message().items():
        assert decode_message(bytes.fromhex(stored["messages"][name])) == message


@pytest.mark.parametrize("name", ["with_code", "without_code"])
def test_the_talk_read_with_noise_alone(stored: dict[str, Any], name: str) -> None:
    """As the description says, without the session's code: a second implementation would do this."""
    talk = stored[name]
    pattern = Pattern.XX if talk["psk"] is None else Pattern.XXPSK3
    prologue = b"durak" + bytes([1, pattern.value])
    ends = {
        end: Handshake(
            pattern,
            initiator=end == "initiator",
            static=bytes.fromhex(talk[end]["static"]),
            ephemeral=bytes.fromhex(talk[end]["ephemeral"]),
            prologue=prologue,
            psk=None if talk["psk"] is None else bytes.fromhex(talk["psk"]),
        )
        for end in ("initiator", "responder")
    }
    datagrams = [(each["from"], bytes.fromhex(each["datagram"])) for each in talk["datagrams"]]
    one, two = ends["initiator"], ends["responder"]
    for writer, reader, head, (_, datagram) in zip(
        (one, two, one), (two, one, two), (b"\1" + prologue, b"\2", b"\3"), datagrams, strict=False
    ):
        assert datagram == head + writer.write()
        assert reader.read(datagram[len(head) :]) == b""
    receiving = {"initiator": two.split()[1], "responder": one.split()[1]}
    opened: dict[str, list[bytes]] = {"initiator": [], "responder": []}
    bulk_lane, bulk = receiving["responder"].beginning_at(2**63), []
    for sender, datagram in datagrams[3:]:
        if datagram[0] == 6:
            assert sender == "responder"
            bulk.append(bulk_lane.open(datagram[1:]))
        else:
            assert datagram[0] == 4
            opened[sender].append(receiving[sender].open(datagram[1:]))
    assert datagrams[3][0] == "responder"  # who must show first that it knows the code
    for role, (end, pieces) in enumerate(opened.items()):
        assert pieces[0][0] == 1
        hello = decode_message(pieces[0][1:])
        assert isinstance(hello, Hello)
        assert hello.identity.hex() == talk[end]["identity"]
        Ed25519PublicKey.from_public_bytes(hello.identity).verify(
            hello.signature, b"durak-channel-1" + bytes([role]) + one.handshake_hash
        )
    assert opened["initiator"][1:] == [b"\1" + bytes.fromhex(stored["messages"]["alive"])]
    *long_message, alive = opened["responder"][1:]
    assert alive == b"\1" + bytes.fromhex(stored["messages"]["alive"])
    for pieces, fill in ((long_message, 2), (bulk, 5)):
        assert [piece[0] for piece in pieces] == [0] * (len(pieces) - 1) + [1]
        message = decode_message(b"".join(piece[1:] for piece in pieces))
        assert isinstance(message, Entries)
        assert message.records == (bytes(range(256)) * fill,)
