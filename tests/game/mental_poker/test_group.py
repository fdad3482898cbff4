"""Both backends against RFC 9496, each other and the group laws, zero and the identity included."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from game.mental_poker import field, group
from game.mental_poker.backend import Backend, L
from game.mental_poker.errors import BadEncoding
from game.mental_poker.pure import PURE, PurePoint
from tests.game.mental_poker.scenes import seed_bytes, seed_int

RFC9496 = json.loads((Path(__file__).parents[2] / "vectors" / "rfc9496_ristretto255.json").read_text("utf-8"))
TORSION = [  # the eight points of small order of edwards25519 (RFC 8032 encodings)
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
]
EDGE = [0, 1, 2, L - 1, L, L + 1, -1, -L, 2**252, 2**255 - 1, (L + 1) // 2, 2**256 + 5]


def points(count: int) -> list[group.Point]:
    return [group.backend().from_uniform(seed_bytes("point", number, 64)) for number in range(count)]


def test_field_constants_satisfy_their_equations() -> None:
    p = field.P
    assert field.D * 121666 % p == p - 121665
    assert field.SQRT_M1**2 % p == p - 1
    assert field.SQRT_AD_MINUS_ONE**2 % p == (-field.D - 1) % p
    assert field.INVSQRT_A_MINUS_D**2 * (-1 - field.D) % p == 1
    assert (1 - field.D**2) % p == field.ONE_MINUS_D_SQ
    assert (field.D - 1) ** 2 % p == field.D_MINUS_ONE_SQ


@pytest.mark.parametrize(
    ("u", "v", "expected"),
    [(0, 0, (True, 0)), (0, 1, (True, 0)), (1, 0, (False, 0)), (4, 1, (True, 2)), (2, 1, None), (1, 4, None)],
)
def test_sqrt_ratio(u: int, v: int, expected: tuple[bool, int] | None) -> None:
    was_square, root = field.sqrt_ratio_m1(u, v)
    assert root % 2 == 0
    if expected is not None:
        assert (was_square, root) == expected
    else:
        assert v * root * root % field.P == (u if was_square else u * field.SQRT_M1 % field.P)
        assert was_square == ((u, v) == (1, 4))


def test_rfc9496_a1_multiples(backend: Backend) -> None:
    total = backend.identity
    one = backend.base(1)
    for k, encoding in enumerate(RFC9496["multiples"]):
        assert bytes(backend.base(k)).hex() == encoding
        assert bytes(k * one).hex() == encoding
        assert bytes(total).hex() == encoding
        assert bytes(backend.decode(bytes.fromhex(encoding))).hex() == encoding
        total = total + one


def test_rfc9496_a2_and_attack_9_bad_encodings(backend: Backend) -> None:
    assert len(RFC9496["invalid"]) == 29
    for bad in RFC9496["invalid"]:
        with pytest.raises(BadEncoding):
            backend.decode(bytes.fromhex(bad["encoding"]))


def test_rfc9496_a3_one_way_map(backend: Backend) -> None:
    for vector in RFC9496["one_way_map"]:
        assert bytes(backend.from_uniform(bytes.fromhex(vector["input"]))).hex() == vector["output"]


@pytest.mark.parametrize("encoding", TORSION)
def test_attack_12_torsion_is_refused_on_the_wire(backend: Backend, encoding: str) -> None:
    with pytest.raises(BadEncoding):
        group.read_point(bytes.fromhex(encoding))


def test_highest_bit_is_no_alias(backend: Backend) -> None:
    """libsodium 1.0.18 takes a canonical encoding with bit 255 set; RFC 9496 §4.3.1 does not, nor do we."""
    for encoding in RFC9496["multiples"]:
        data = bytearray.fromhex(encoding)
        data[31] |= 0x80
        with pytest.raises(BadEncoding):
            backend.decode(bytes(data))


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_wrong_lengths(backend: Backend, length: int) -> None:
    with pytest.raises(BadEncoding):
        backend.decode(bytes(length))
    with pytest.raises(BadEncoding):
        group.read_scalar(bytes(length))


def test_attack_10_identity_is_a_value_but_no_wire_point(backend: Backend) -> None:
    assert backend.decode(bytes(32)).is_identity
    with pytest.raises(BadEncoding, match="V"):
        group.read_point(bytes(32), "V")


def test_attack_11_scalars() -> None:
    assert group.read_scalar(bytes(32)) == 0
    assert group.read_scalar((L - 1).to_bytes(32, "little")) == L - 1
    for bad in (L, L + 1, 2**252 + 2**251, 2**256 - 1):
        with pytest.raises(BadEncoding, match="zr"):
            group.read_scalar(bad.to_bytes(32, "little"), "zr")


@pytest.mark.parametrize("k", EDGE)
def test_group_law_is_total(backend: Backend, k: int) -> None:
    (P,) = points(1)
    O = backend.identity  # noqa: E741
    assert k * O == O
    assert k * P == (k % L) * P
    assert backend.base(k) == (k % L) * backend.base(1)
    assert k * P + (-k) * P == O
    assert (k * P).is_identity == (k % L == 0)
    assert bytes(0 * P) == bytes(32)
    assert backend.msm([k, 1], [P, P]) == (k + 1) * P
    assert backend.msm([k, 3], [O, P]) == 3 * P


def test_group_law(backend: Backend) -> None:
    P, Q = points(2)
    O = backend.identity  # noqa: E741
    assert P + O == P == O + P
    assert P - P == O
    assert -P + P == O
    assert -O == O
    assert P + P == 2 * P
    assert P + Q == Q + P
    assert (P + Q) - Q == P
    assert P != Q
    assert len({P, P + O, Q}) == 2
    assert bytes(P).hex()[:16] in repr(P)
    assert object() != P


def test_one_element_in_all_its_representatives(backend: Backend) -> None:
    """What the map gives and what its encoding decodes to may be other points of the curve: their difference
    is any of the four of the coset of (0, 1), and the identity all the same."""
    O = backend.identity  # noqa: E741
    corners = set()
    for P in points(40):
        Q = backend.decode(bytes(P))
        assert P == Q
        assert hash(P) == hash(Q)
        assert (P - Q).is_identity
        assert P - Q == O
        assert bytes(P - Q) == bytes(32)
        assert backend.msm([5, -5], [P, Q]).is_identity
        assert 7 * (P - Q) + Q == P
        if isinstance(P - Q, PurePoint):
            x, y, _, _ = (P - Q).coordinates
            corners.add((x == 0, y == 0))
    if backend is PURE:
        assert corners == {(True, False), (False, True)}


@pytest.mark.parametrize("count", [0, 1, 2, 7, 69, 70, 71, 130])
def test_msm_is_the_sum(backend: Backend, count: int) -> None:
    made = points(count)
    scalars = [seed_int("scalar", number) % L for number in range(count)]
    total = backend.identity
    for scalar, point in zip(scalars, made, strict=True):
        total = total + scalar * point
    assert backend.msm(scalars, made) == total
    with pytest.raises(ValueError, match="zip"):
        backend.msm([*scalars, 1], made)


def test_prepared_and_kept_points_sum_the_same(backend: Backend) -> None:
    plain, prepared, kept = (points(1)[0] for _ in range(3))
    prepared.prepare()
    kept.keep()
    for number in range(20):
        k = seed_int("k", number) % L
        assert k * plain == k * prepared == k * kept
    for k in EDGE:
        assert k * plain == k * prepared == k * kept


def test_backends_do_not_mix(backend: Backend) -> None:
    class Stranger(type(backend.identity)):  # type: ignore[misc]
        pass

    with pytest.raises(TypeError):
        backend.base(1) + object()  # type: ignore[operator]
