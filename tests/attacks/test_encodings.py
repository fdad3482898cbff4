"""Attacks 9 to 15: encodings, sizes, the group, signatures."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from game import kinds
from game.mental_poker import deck as real_suite
from game.mental_poker import group
from game.mental_poker.backend import L
from game.state import Stage
from ledger import edwards
from ledger.codec import decode, encode
from ledger.engine import Kind, Payload
from ledger.entry import MAX_BODY, signed_bytes
from ledger.errors import BadGenesis
from ledger.genesis import Genesis
from ledger.identity import SMALL_ORDER, derive
from ledger.outcome import Accepted, Duplicate
from p2p.reasons import Why
from tests.attacks.hall import Cheat, Hall
from tests.attacks.recorded import recorded

RFC9496 = json.loads((Path(__file__).parents[1] / "vectors" / "rfc9496_ristretto255.json").read_text())
BAD_POINTS = [bytes.fromhex(bad["encoding"]) for bad in RFC9496["invalid"]]
TORSION = sorted(encoding for encoding in SMALL_ORDER if edwards.decompress(encoding) is not None)
"""The points of Ed25519 whose order divides 8."""
IDENTITY = bytes(32)
DENIAL = "attacks 6"
"""In this game seats 0 and 1 prove that they hold no lower trump: seat 2 has the lowest."""

Change = Callable[[Cheat, Payload], Payload]


def spliced(data: object, at: int, piece: bytes) -> bytes:
    assert isinstance(data, bytes)
    assert len(data) >= at + len(piece)
    return data[:at] + piece + data[at + len(piece) :]


def shuffle_deck(at: int, piece: bytes) -> Change:
    return lambda cheat, payload: (spliced(payload[0], at, piece), payload[1])


def shuffle_proof(at: int, piece: bytes) -> Change:
    return lambda cheat, payload: (payload[0], spliced(payload[1], at, piece))


def tokens(at: int, piece: bytes) -> Change:
    return lambda cheat, payload: (payload[0], spliced(payload[1], at, piece), payload[2])


def tokens_proof(at: int, piece: bytes) -> Change:
    return lambda cheat, payload: (payload[0], payload[1], spliced(payload[2], at, piece))


def no_lower(at: int, piece: bytes) -> Change:
    return lambda cheat, payload: (spliced(payload[0], at, piece),)


def opened_token(at: int, piece: bytes) -> Change:
    def change(cheat: Cheat, payload: Payload) -> Payload:
        opening = payload[-1]
        assert isinstance(opening, tuple)
        return (*payload[:-1], (spliced(opening[0], at, piece), opening[1]))

    return change


def changed(stage: Stage, change: Change) -> Hall:
    """The cheat (seat 1; seat 0 where only it is asked) says what it owes at a stage, changed."""
    game = recorded(DENIAL)
    height = game.turn(0, kinds.LEAD) if stage is Stage.PLAY else game.at(stage)
    if stage is Stage.SHUFFLE:
        height += 1
    asked = 1 if stage is not Stage.PLAY else 0
    hall = Hall(game, height, cheats=(asked,))
    kind, payload = hall.cheat.owed()
    hall.cheat.say(kind, change(hall.cheat, payload))
    return hall


def key_of(x: bytes, proof: bytes) -> Hall:
    """The cheat commits to these bytes as its key and proof and opens them."""
    hall = Hall(recorded(DENIAL), 0)
    cheat = hall.cheat
    commitment = real_suite.join_commitment(cheat.log.game_id, 1, x, proof, bytes(32))
    cheat.keep(cheat.say(kinds.JOIN, (commitment,)))
    cheat.say(kinds.OPEN_KEYS, (x, proof, bytes(32)))
    return hall


POINTS: dict[str, tuple[Stage, Callable[[bytes], Change]]] = {
    "A' of a shuffled card": (Stage.SHUFFLE, lambda point: shuffle_deck(64 * 5, point)),
    "B' of a shuffled card": (Stage.SHUFFLE, lambda point: shuffle_deck(64 * 5 + 32, point)),
    "A of the shuffle": (Stage.SHUFFLE, lambda point: shuffle_proof(0, point)),
    "B of the shuffle": (Stage.SHUFFLE, lambda point: shuffle_proof(32, point)),
    "Delta of the shuffle": (Stage.SHUFFLE, lambda point: shuffle_proof(64, point)),
    "token dealt": (Stage.DEAL, lambda point: tokens(32, point)),
    "token played": (Stage.PLAY, lambda point: opened_token(0, point)),
    "V of no lower": (Stage.NO_LOWER, lambda point: no_lower(32, point)),
}


@pytest.mark.parametrize("encoding", BAD_POINTS, ids=lambda data: data.hex()[:12])
def test_attack_09_every_bad_encoding_as_a_token(encoding: bytes) -> None:
    changed(Stage.DEAL, tokens(0, encoding)).halted("I_PROOF")


@pytest.mark.parametrize("where", POINTS)
def test_attack_09_a_bad_encoding_for_every_point(where: str) -> None:
    stage, place = POINTS[where]
    changed(stage, place(BAD_POINTS[0])).halted("I_PROOF")


def test_attack_09_a_bad_encoding_as_key() -> None:
    key_of(BAD_POINTS[7], bytes(64)).halted("I_PROOF")


@pytest.mark.parametrize("where", POINTS)
def test_attack_10_the_identity_for_every_point(where: str) -> None:
    stage, place = POINTS[where]
    changed(stage, place(IDENTITY)).halted("I_PROOF")


def test_attack_10_the_identity_as_key() -> None:
    key_of(IDENTITY, bytes(64)).halted("I_PROOF")


def not_reduced(data: object, at: int) -> bytes:
    """The scalar at this offset, L too large: the same number in every equation."""
    assert isinstance(data, bytes)
    return (int.from_bytes(data[at : at + 32], "little") + L).to_bytes(32, "little")


SCALARS: dict[str, tuple[Stage, int, int]] = {
    "e": (Stage.SHUFFLE, 1, 96),
    "r~": (Stage.SHUFFLE, 1, 128),
    "last c~": (Stage.SHUFFLE, 1, 32 * (3 * 24 + 5)),
    "c of the tokens": (Stage.DEAL, 2, 0),
    "s of the tokens": (Stage.DEAL, 2, 32),
    "c of no lower": (Stage.NO_LOWER, 0, 0),
    "zr": (Stage.NO_LOWER, 0, 64),
    "zg": (Stage.NO_LOWER, 0, 96),
}


@pytest.mark.parametrize("where", SCALARS)
def test_attack_11_a_scalar_of_l_or_more(where: str) -> None:
    stage, item, at = SCALARS[where]

    def change(cheat: Cheat, payload: Payload) -> Payload:
        changed = spliced(payload[item], at, not_reduced(payload[item], at))
        return (*payload[:item], changed, *payload[item + 1 :])

    changed(stage, change).halted("I_PROOF")


def test_attack_11_a_secret_of_l_or_more_is_only_a_case() -> None:
    """All have signed the result: it stands (R32)."""
    game = recorded()
    hall = Hall(game, game.at(Stage.SECRETS))
    hall.cheat.say(kinds.SECRETS, ((hall.cheat.x + L).to_bytes(32, "little"),))
    hall.halted("I_PROOF", stands=True)


@pytest.mark.parametrize(
    ("stage", "change"),
    [
        (Stage.SHUFFLE, shuffle_proof(96, bytes(32))),
        (Stage.DEAL, tokens_proof(0, bytes(32))),
        (Stage.NO_LOWER, no_lower(0, bytes(32))),
    ],
)
def test_attack_11_a_zero_challenge(stage: Stage, change: Change) -> None:
    changed(stage, change).halted("I_PROOF")


@pytest.mark.parametrize("encoding", TORSION, ids=lambda data: data.hex()[:12])
def test_attack_12_points_of_small_order(encoding: bytes) -> None:
    """As a token, as the R of a signature, as the key of a seat."""
    changed(Stage.DEAL, tokens(0, encoding)).halted("I_PROOF")

    hall = Hall(recorded(), 0)
    record = hall.cheat.sign(*hall.cheat.owed())
    hall.cheat.send(record[:-64] + encoding + record[-32:])
    hall.dropped("E_SIG")
    hall.goes_on()

    value = decode(recorded().genesis.to_bytes(), limit=4096)
    assert isinstance(value, tuple)
    assert isinstance(value[4], tuple)
    seat = value[4][0]
    assert isinstance(seat, tuple)
    with pytest.raises(BadGenesis, match="key"):
        Genesis.from_bytes(encode((*value[:4], ((encoding, *seat[1:]), *value[4][1:]), value[5])))


WRONG_SHAPES: dict[str, tuple[Stage, Callable[[Payload], Payload]]] = {
    "no commitment": (Stage.JOIN, lambda p: ()),
    "commitment of 31": (Stage.JOIN, lambda p: (bytes(31),)),
    "commitment as an array": (Stage.JOIN, lambda p: ((0,) * 32,)),
    "commitment as a number": (Stage.JOIN, lambda p: (32,)),
    "one item more": (Stage.JOIN, lambda p: (*p, None)),
    "no key": (Stage.KEYS, lambda p: (None, *p[1:])),
    "nonce as a number": (Stage.KEYS, lambda p: (*p[:2], 32)),
    "deck as a number": (Stage.SHUFFLE, lambda p: (64 * 24, p[1])),
    "proof as an array": (Stage.SHUFFLE, lambda p: (p[0], (p[1],))),
    "tokens as an array": (Stage.DEAL, lambda p: (p[0], (p[1],), p[2])),
    "places as a number": (Stage.DEAL, lambda p: (13, p[1], p[2])),
    "rank as bytes": (Stage.CLAIM, lambda p: (b"\x0a",)),
    "no lower as an array": (Stage.NO_LOWER, lambda p: ((p[0],),)),
    "a lead of nothing": (Stage.PLAY, lambda p: ((), (), None)),
    "a lead of seven": (Stage.PLAY, lambda p: ((0, 1, 2, 3, 4, 5, 6), (7, 8, 9, 10, 11, 12, 20), p[2])),
    "more places than cards": (Stage.PLAY, lambda p: ((0, 1), p[1], p[2])),
    "an opening of three": (Stage.PLAY, lambda p: (*p[:2], (*p[2], None))),  # type: ignore[misc]
    "an opening of no token": (Stage.PLAY, lambda p: (*p[:2], (b"", p[2][1]))),  # type: ignore[index]
    "an opening of half a token": (Stage.PLAY, lambda p: (*p[:2], (p[2][0][:16], p[2][1]))),  # type: ignore
    "an opening of seven": (Stage.PLAY, lambda p: (*p[:2], (p[2][0] * 7, p[2][1]))),  # type: ignore[index]
    "an opening as bytes": (Stage.PLAY, lambda p: (*p[:2], p[2][0] + p[2][1])),  # type: ignore
    "seven duraks": (Stage.RESULT, lambda p: (p[0], (0, 1, 2, 3, 4, 5, 5), *p[2:])),
    "three cards of pogony": (Stage.RESULT, lambda p: (*p[:3], (6, 19, 32))),
    "an outcome of two": (Stage.RESULT, lambda p: (2, *p[1:])),
    "secret of 31": (Stage.SECRETS, lambda p: (p[0][:31],)),  # type: ignore[index]
    "key of 33": (Stage.KEYS, lambda p: (bytes(33), *p[1:])),
    "deck of 0": (Stage.SHUFFLE, lambda p: (b"", p[1])),
    "deck of 1": (Stage.SHUFFLE, lambda p: (bytes(64), bytes(32 * 9))),
    "deck of 23": (Stage.SHUFFLE, lambda p: (bytes(64 * 23), bytes(32 * 75))),
    "deck of 52": (Stage.SHUFFLE, lambda p: (bytes(64 * 52), bytes(32 * 162))),
    "deck of 53": (Stage.SHUFFLE, lambda p: (bytes(64 * 53), bytes(32 * 165))),
    "deck of 240": (Stage.SHUFFLE, lambda p: (bytes(64 * 240), b"")),
    "proof cut": (Stage.SHUFFLE, lambda p: (p[0], p[1][:-32])),  # type: ignore[index]
    "proof longer": (Stage.SHUFFLE, lambda p: (p[0], p[1] + bytes(32))),  # type: ignore[operator]
    "ack that says something": (Stage.ACK, lambda p: (1,)),
    "no tokens": (Stage.DEAL, lambda p: ((), b"", p[2])),
    "a token short": (Stage.DEAL, lambda p: (p[0], p[1][:-32], p[2])),  # type: ignore[index]
    "a place twice": (Stage.DEAL, lambda p: ((p[0][0], *p[0]), p[1] + bytes(32), p[2])),  # type: ignore
    "places falling": (Stage.DEAL, lambda p: (p[0][::-1], p[1], p[2])),  # type: ignore[index]
    "a place as false": (Stage.DEAL, lambda p: ((False, *p[0][1:]), p[1], p[2])),  # type: ignore[index]
    "300 places": (Stage.DEAL, lambda p: (tuple(range(300)), p[1], p[2])),
    "rank 13": (Stage.CLAIM, lambda p: (13,)),
    "no lower of one pair": (Stage.NO_LOWER, lambda p: (bytes(128),)),
    "no lower of 10 kB": (Stage.NO_LOWER, lambda p: (bytes(32 + 96 * 100),)),
}


@pytest.mark.parametrize("what", WRONG_SHAPES)
def test_attack_13_wrong_lengths_before_any_curve_work(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stage, change = WRONG_SHAPES[what]
    game = recorded(DENIAL)
    seat = 0 if stage in (Stage.CLAIM, Stage.PLAY) else 1
    height = game.turn(0, kinds.LEAD) if stage is Stage.PLAY else game.at(stage)
    hall = Hall(game, height + (stage is Stage.SHUFFLE), cheats=(seat,))
    kind, payload = hall.cheat.owed()
    payload = change(payload)
    touched: list[str] = []
    with monkeypatch.context() as patch:
        for name in ("decode", "msm", "base"):
            patch.setattr(type(group.backend()), name, lambda *_, name=name: touched.append(name))
        hall.cheat.say(kind, payload)
    assert touched == []
    hall.halted("I_SHAPE", stands=stage is Stage.SECRETS)


def test_attack_13_bytes_after_the_end_and_bodies_without_end() -> None:
    hall = Hall(recorded(), 0)
    cheat = hall.cheat
    record = cheat.sign(*cheat.owed())
    body = cheat.body(*cheat.owed()).to_bytes()
    noise = [
        (record + b"\0", "E_CBOR"),
        (record[:-1], "E_CBOR"),
        (cheat.sign_bytes(body + b"\0"), "E_CBOR"),
        (cheat.sign_bytes(body[:-1]), "E_CBOR"),
        (cheat.sign_bytes(b"\x81" * (MAX_BODY + 1)), "E_SIZE"),
        (cheat.sign_bytes(b"\x9b" + b"\xff" * 8), "E_CBOR"),
        (cheat.sign_bytes(body[:-35] + b"\x81\x99\x01\xf4" + bytes(500)), "E_CBOR"),
        (cheat.sign_bytes(b"\x5b" + b"\xff" * 8), "E_CBOR"),
        (cheat.sign_bytes(encode((1, *cheat.log.genesis.options))), "E_BODY"),
    ]
    for times, (data, code) in enumerate(noise, 1):
        cheat.send(data)
        hall.dropped(code, times=times)
    hall.goes_on()


def test_attack_13_a_play_of_more_than_512_bytes() -> None:
    game = recorded()
    hall = Hall(game, game.turn(1, kinds.LEAD))
    data = encode((1, *_head_of(hall.cheat, kinds.LEAD), (tuple(range(6)), bytes(600), None)))
    hall.cheat.send(hall.cheat.sign_bytes(data))
    hall.dropped("E_SIZE")
    hall.goes_on()


def test_attack_13_a_message_larger_than_any_closes_its_link() -> None:
    hall = Hall(recorded(), 0)
    for talk in hall.cheat.node._talks.values():
        talk.outbox.take()
        talk._session.send(bytes(32_000))
    hall.settle()
    assert hall.cheat.closed == [Why.GARBLED, Why.GARBLED]
    hall.waits_for(1)


def _head_of(cheat: Cheat, kind: Kind) -> tuple[bytes, int, int, bytes, bytes, int]:
    body = cheat.body(kind, ())
    return (body.game_id, body.height, body.seat, body.prev, body.state, kind)


def bodies(good: bytes) -> dict[str, bytes]:
    """The same body in forms no peer may accept. `good`: 88 01 5820 game 05 01 5820 prev 50 state 00 81…"""
    assert good[:4] == b"\x88\x01\x58\x20"
    height = 4 + 32
    rest = good[height + 1 :]
    assert good[height] < 24
    return {
        "height in two bytes": good[:height] + bytes([0x18, good[height]]) + rest,
        "height in nine bytes": good[:height] + b"\x1b" + bytes(7) + good[height : height + 1] + rest,
        "height as a float": good[:height] + b"\xf9\x00\x00" + rest,
        "height as a big number": good[:height] + b"\xc2\x41" + good[height : height + 1] + rest,
        "version as true": good[:1] + b"\xf5" + good[2:],
        "array without length": b"\x9f" + good[1:] + b"\xff",
        "array with a long length": b"\x98\x08" + good[1:],
        "game id without length": good[:2] + b"\x5f" + good[2:height] + b"\xff" + good[height:],
        "game id as text": good[:2] + b"\x78" + good[3:],
        "a tag around all": b"\xd8\x18" + good,
        "a map with one key twice": b"\x88" + good[1:-35] + b"\xa2\x00\x01\x00\x02",
        "a map": b"\x88" + good[1:-35] + b"\xa1\x00\x01",
        "undefined": b"\x88" + good[1:-35] + b"\x81\xf7",
        "nested six deep": b"\x88" + good[1:-35] + b"\x81" * 6 + b"\x00",
        "nested 9,000 deep": b"\x88" + good[1:-35] + b"\x81" * 9000 + b"\x00",
        "a number of 65 bits": b"\x88" + good[1:-35] + b"\x81\xc2\x49\x01" + bytes(8),
    }


def test_attack_14_other_encodings_of_a_body() -> None:
    """Signed by the right key over just these bytes: still nothing but noise."""
    hall = Hall(recorded(), 0)
    cheat = hall.cheat
    good = cheat.body(*cheat.owed()).to_bytes()
    assert decode(good, limit=MAX_BODY)
    for times, (what, data) in enumerate(bodies(good).items(), 1):
        assert data != good
        cheat.send(cheat.sign_bytes(data))
        code = "E_BODY" if what == "version as true" else "E_CBOR"
        hall.dropped(code, times=times)
    hall.goes_on()


def test_attack_14_other_encodings_of_the_envelope() -> None:
    hall = Hall(recorded(), 0)
    record = hall.cheat.sign(*hall.cheat.owed())
    assert record.startswith(b"\x84\x43\xa1\x01\x27\xa0")
    others = [
        b"\xd2" + record,
        b"\x9f" + record[1:] + b"\xff",
        b"\x84\x44\xa1\x18\x01\x27" + record[5:],
        b"\x84\x43\xa1\x01\x26" + record[5:],
        record[:5] + b"\xa1\x01\x27" + record[6:],
        record[:6] + b"\x5a\x00\x00" + record[7:],
    ]
    for times, other in enumerate(others, 1):
        hall.cheat.send(other)
        hall.dropped("E_CBOR", times=times)
    hall.goes_on()


def test_attack_15_a_signature_plus_l() -> None:
    hall = Hall(recorded(), 0)
    record = hall.cheat.sign(*hall.cheat.owed())
    S = int.from_bytes(record[-32:], "little") + edwards.L
    hall.cheat.send(record[:-32] + S.to_bytes(32, "little"))
    hall.dropped("E_SIG")
    hall.goes_on()


def test_attack_15_another_nonce_under_the_same_body_is_no_fork() -> None:
    """Whoever has the key can sign one body in many ways: the id hashes the body, so it is one entry."""
    hall = Hall(recorded(), 0)
    cheat = hall.cheat
    first = cheat.say(*cheat.owed())
    body = cheat.body(*cheat.owed()).to_bytes()
    second = first[:-64] + signed_with_nonce(derive(cheat.seed, "sign", b"", 32), signed_bytes(body), 12345)
    assert second != first
    cheat.send(second)
    for seat in hall.honest:
        assert [type(outcome) for outcome in hall.outcomes[seat][-2:]] == [Accepted, Duplicate]
        assert hall.log(seat).faults == ()
        assert hall.log(seat).records().count(second) == 0
        assert hall.brought(seat, cheat.node.identity) == 0
    cheat.keep(first)
    hall.goes_on()


def signed_with_nonce(seed: bytes, message: bytes, r: int) -> bytes:
    """An Ed25519 signature that stands, with a nonce of one's choice."""
    a, _ = edwards._expand(seed)
    R = edwards.compress(edwards.multiply(r, edwards.BASE))
    h = edwards._scalar(R, edwards.public_of(seed), message)
    return R + ((r + h * a) % edwards.L).to_bytes(32, "little")
