"""The secure channel against the public vectors, and what must never open."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from p2p.errors import BadTag, HandshakeFailed
from p2p.noise import CipherState, Handshake, Pattern
from p2p.primitives import OwnKey

VECTORS = "noise_xx_25519_chachapoly_sha256.json"


def public_vectors() -> list[dict[str, Any]]:
    folder = os.environ.get("DURAK_PUBLIC_VECTORS")
    if not folder:
        pytest.skip("DURAK_PUBLIC_VECTORS names no folder with the public vectors of mcginty/snow")
    return list(json.loads((Path(folder) / VECTORS).read_text())["vectors"])


def side(vector: dict[str, Any], name: str) -> Handshake:
    psks = vector.get(f"{name}_psks") or []
    return Handshake(
        Pattern.XXPSK3 if "psk3" in vector["protocol_name"] else Pattern.XX,
        initiator=name == "init",
        static=bytes.fromhex(vector[f"{name}_static"]),
        ephemeral=bytes.fromhex(vector[f"{name}_ephemeral"]),
        prologue=bytes.fromhex(vector[f"{name}_prologue"]),
        psk=bytes.fromhex(psks[0]) if psks else None,
    )


def pair(
    *, psks: tuple[bytes | None, bytes | None] = (None, None), prologues: tuple[bytes, bytes] = (b"", b"")
) -> tuple[Handshake, Handshake]:
    one, two = (
        Handshake(
            Pattern.XX if psks[i] is None else Pattern.XXPSK3,
            initiator=i == 0,
            static=bytes([10 + i]) * 32,
            ephemeral=bytes([20 + i]) * 32,
            prologue=prologues[i],
            psk=psks[i],
        )
        for i in range(2)
    )
    return one, two


def shake(one: Handshake, two: Handshake) -> None:
    two.read(one.write())
    one.read(two.write())
    two.read(one.write())


def test_public_vectors() -> None:
    vectors = public_vectors()
    assert {vector["protocol_name"] for vector in vectors} == {p.protocol_name.decode() for p in Pattern}
    for vector in vectors:
        init, resp = side(vector, "init"), side(vector, "resp")
        writer, reader = init, resp
        messages = [(bytes.fromhex(m["payload"]), bytes.fromhex(m["ciphertext"])) for m in vector["messages"]]
        for payload, ciphertext in messages[:3]:
            assert writer.write(payload) == ciphertext
            assert reader.read(ciphertext) == payload
            writer, reader = reader, writer
        if "handshake_hash" in vector:
            assert init.handshake_hash.hex() == vector["handshake_hash"]
        assert init.handshake_hash == resp.handshake_hash
        ciphers = {"init": init.split(), "resp": resp.split()}
        sender, receiver = "resp", "init"
        for payload, ciphertext in messages[3:]:
            assert ciphers[sender][0].seal(payload) == ciphertext
            assert ciphers[receiver][1].open(ciphertext) == payload
            sender, receiver = receiver, sender


@pytest.mark.parametrize("psk", [None, b"k" * 32])
def test_both_sides_agree_and_learn_the_static_keys(psk: bytes | None) -> None:
    one, two = pair(psks=(psk, psk))
    shake(one, two)
    assert one.handshake_hash == two.handshake_hash
    assert one.remote_static == OwnKey(b"\x0b" * 32).public
    assert two.remote_static == OwnKey(b"\x0a" * 32).public
    (one_out, one_in), (two_out, two_in) = one.split(), two.split()
    assert two_in.open(one_out.seal(b"to two")) == b"to two"
    assert one_in.open(two_out.seal(b"to one")) == b"to one"


def test_another_code_ends_at_message_three() -> None:
    one, two = pair(psks=(b"k" * 32, b"l" * 32))
    with pytest.raises(HandshakeFailed):
        shake(one, two)
    assert not two.finished
    with pytest.raises(HandshakeFailed):
        two.split()


def test_another_prologue_ends_at_message_two() -> None:
    one, two = pair(prologues=(b"a", b"b"))
    two.read(one.write())
    with pytest.raises(HandshakeFailed):
        one.read(two.write())
    with pytest.raises(HandshakeFailed):
        one.write()


@pytest.mark.parametrize("message", [1, 2, 3])
def test_each_flipped_or_cut_byte_is_refused(message: int) -> None:
    def reach() -> tuple[Handshake, bytes]:
        one, two = pair(psks=(b"k" * 32, b"k" * 32))
        sent = one.write()
        if message == 1:
            return two, sent
        two.read(sent)
        sent = two.write()
        if message == 2:
            return one, sent
        one.read(sent)
        return two, one.write()

    _, whole = reach()
    for place in range(len(whole)):
        for damaged in (whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1 :], whole[:place]):
            reader, _ = reach()
            with pytest.raises(HandshakeFailed):
                reader.read(damaged)
            with pytest.raises(HandshakeFailed):
                reader.read(whole)


def test_low_order_points_are_refused() -> None:
    low_order = (bytes(32), b"\x01" + bytes(31), (2**255 - 19).to_bytes(32, "little"))
    for point in low_order:
        _, two = pair()
        two.read(point)
        with pytest.raises(HandshakeFailed):
            two.write()


def test_messages_out_of_turn_are_refused() -> None:
    one, two = pair()
    with pytest.raises(HandshakeFailed):
        two.write()
    first = one.write()
    with pytest.raises(HandshakeFailed):
        one.write()
    two.read(first)
    with pytest.raises(HandshakeFailed):
        two.read(first)


def test_the_counter_waits_for_a_good_tag() -> None:
    sender, receiver = CipherState(b"k" * 32), CipherState(b"k" * 32)
    first, second = sender.seal(b"first"), sender.seal(b"second")
    for wrong in (second, first[:-1], b"", first + b"\0"):
        with pytest.raises(BadTag):
            receiver.open(wrong)
    assert receiver.open(first) == b"first"
    with pytest.raises(BadTag):
        receiver.open(first)
    assert receiver.open(second) == b"second"


def test_a_code_belongs_to_its_pattern() -> None:
    for pattern, psk in ((Pattern.XX, b"k" * 32), (Pattern.XXPSK3, None), (Pattern.XXPSK3, b"short")):
        with pytest.raises(ValueError, match="pre-shared"):
            Handshake(pattern, initiator=True, static=b"s" * 32, ephemeral=b"e" * 32, psk=psk)


def test_nothing_secret_in_repr() -> None:
    one, _ = pair(psks=(b"k" * 32, None))
    assert repr(one) == "<Handshake step 0>"
