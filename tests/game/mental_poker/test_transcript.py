"""The transcript, byte by byte against DEALING §2 written out a second time."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from game.mental_poker import transcript as module
from game.mental_poker.backend import L
from game.mental_poker.errors import Degenerate, ProofFailed
from game.mental_poker.transcript import Context, Secrets, Transcript

GAME = bytes(range(32))


def test_every_byte_that_is_hashed() -> None:
    t = Transcript.open(Context(GAME, 258, 3), "deal")
    stream = b""
    for label, data in (
        (b"suite", b"durak-ristretto255-bg1-1"),
        (b"game", GAME),
        (b"height", b"\0\0\1\2"),
        (b"seat", b"\3"),
        (b"purpose", b"deal"),
        (b"X", b"xyz"),
    ):
        stream += b"\1" + bytes([len(label)]) + label + len(data).to_bytes(4, "big") + data
    t.absorb("X", b"xyz")

    secret_state = hashlib.sha512(stream + b"\3").digest()
    expected = hmac.new(b"k" * 32, b"durak-1-nonce" + secret_state + b"\2rA\1\2", "sha512").digest()
    assert t.secrets(b"k" * 32).secret("rA", 258) == int.from_bytes(expected, "little")
    assert t.secrets(b"k" * 32).nonce("rA", 258) == int.from_bytes(expected, "little") % L

    stream += b"\2\1w"
    digest = hashlib.sha512(stream).digest()
    assert t.weight() == int.from_bytes(digest[:16], "little")
    stream += digest + b"\2\1c"
    assert t.scalar("c") == int.from_bytes(hashlib.sha512(stream).digest(), "little") % L


def test_secrets_leave_the_transcript_as_it_was() -> None:
    one, two = (Transcript.open(Context(GAME, 1, 1), "open") for _ in range(2))
    one.secrets(bytes(32)).nonce("k")
    assert one.squeeze("c") == two.squeeze("c")


def test_framing_is_injective() -> None:
    digests = set()
    for label, data in (("a", b"bc"), ("ab", b"c"), ("abc", b""), ("a", b"b"), ("", b"abc")):
        t = Transcript.open(Context(GAME, 1, 1), "open")
        t.absorb(label, data)
        digests.add(t.squeeze("c"))
    one, two = (Transcript.open(Context(GAME, 1, 1), "open") for _ in range(2))
    one.absorb("a", b"x")
    one.absorb("a", b"y")
    two.absorb("a", b"xy")
    digests |= {one.squeeze("c"), two.squeeze("c")}
    assert len(digests) == 7


def test_zero_values_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    t = Transcript.open(Context(GAME, 1, 1), "open")
    monkeypatch.setattr(Transcript, "squeeze", lambda self, label: L.to_bytes(64, "little"))
    with pytest.raises(ProofFailed, match="challenge c is zero"):
        t.scalar("c")
    monkeypatch.setattr(Secrets, "secret", lambda self, label, index=0: 7 * L)
    with pytest.raises(Degenerate, match="nonce k"):
        t.secrets(bytes(32)).nonce("k")


def test_secrets_are_not_printed() -> None:
    secrets = Transcript.open(Context(GAME, 1, 1), "open").secrets(b"topsecret" * 4)
    assert repr(secrets) == "<Secrets>"


@pytest.mark.parametrize(
    "context", [Context(b"short", 0, 0), Context(GAME, -1, 0), Context(GAME, 2**32, 0), Context(GAME, 0, 256)]
)
def test_contexts_out_of_range(context: Context) -> None:
    with pytest.raises((ValueError, OverflowError)):
        Transcript.open(context, "key")


def test_integers_are_big_endian() -> None:
    assert (module.u8(1), module.u16(1), module.u32(1)) == (b"\1", b"\0\1", b"\0\0\0\1")
