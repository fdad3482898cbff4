"""Points of edwards25519 in extended coordinates and sums of many of them.

Formulas: Hisil, Wong, Carter, Dawson, "Twisted Edwards Curves Revisited" (ASIACRYPT 2008) §3.1 for addition
with a cached ("Niels") operand, §3.3 for doubling. They are complete on this curve, so no case is special.
Not constant-time: the libsodium backend is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from game.mental_poker.field import LOW, D, P

Extended: TypeAlias = tuple[int, int, int, int]
"""(X, Y, Z, T) with x = X/Z, y = Y/Z, T = XY/Z; canonical field elements."""
Niels: TypeAlias = tuple[int, int, int, int]
"""(Y − X, Y + X, 2dT, 2Z) of a point: what an addition wants of its second operand. Not reduced, |v| < 2P."""

IDENTITY: Extended = (0, 1, 1, 0)
BASE: Extended = (
    15112221349535400772501151409588531511454012693041857206046113283949847762202,
    46316835694926478169428394003475163141307993866256225615783033603165251855960,
    1,
    15112221349535400772501151409588531511454012693041857206046113283949847762202
    * 46316835694926478169428394003475163141307993866256225615783033603165251855960
    % P,
)
_2D = 2 * D % P


def to_niels(point: Extended) -> Niels:
    X, Y, Z, T = point
    return (Y - X, Y + X, T * _2D % P, 2 * Z)


def negated(operand: Niels) -> Niels:
    minus, plus, t2d, z2 = operand
    return (plus, minus, -t2d, z2)


def add(point: Extended, operand: Niels) -> Extended:
    """`point` + the point behind `operand` (8M)."""
    return accumulate(([operand],), point)


def double(point: Extended) -> Extended:
    """2 · `point` (4M + 4S)."""
    X, Y, Z, _ = point
    A = X * X
    B = Y * Y
    H = (A + B) % P
    E = (H - (X + Y) * (X + Y)) % P
    G = (A - B) % P
    F = (2 * Z * Z + G) % P
    return (E * F % P, G * H % P, F * G % P, E * H % P)


def accumulate(columns: Sequence[Iterable[Niels]], start: Extended = IDENTITY) -> Extended:
    """The sum over j of 2^j · (sum of `columns[j]`), plus 2^(len(columns)−1) · `start`.

    One pass, highest column first; all multi-scalar multiplication ends here. The formulas are written out
    because a call per addition would cost a third of its time. Products are folded where a bound of 2^260
    does, reduced where they are kept.
    """
    X, Y, Z, T = start
    first = True
    for column in reversed(columns):
        if first:
            first = False
        else:
            A = X * X
            B = Y * Y
            H = (A + B) % P
            E = H - (X + Y) * (X + Y) % P
            G = (A - B) % P
            F = (2 * Z * Z + G) % P
            X = E * F % P
            Y = G * H % P
            Z = F * G % P
            T = E * H % P
        for minus, plus, t2d, z2 in column:
            A = (Y - X) * minus
            A = (A & LOW) + (A >> 255) * 19
            B = (Y + X) * plus
            B = (B & LOW) + (B >> 255) * 19
            C = T * t2d
            C = (C & LOW) + (C >> 255) * 19
            F = Z * z2
            F = (F & LOW) + (F >> 255) * 19
            E = B - A
            H = B + A
            G = F + C
            F -= C
            X = E * F % P
            Y = G * H % P
            Z = F * G % P
            T = E * H % P
    return (X, Y, Z, T)


def normalised(points: Sequence[Extended]) -> list[Extended]:
    """The same points with Z = 1, for one inversion (Montgomery's trick)."""
    products = [1]
    for point in points:
        products.append(products[-1] * point[2] % P)
    inverse = pow(products[-1], -1, P)
    result: list[Extended] = []
    for index in range(len(points) - 1, -1, -1):
        X, Y, Z, _ = points[index]
        z_inv = inverse * products[index] % P
        inverse = inverse * Z % P
        x = X * z_inv % P
        y = Y * z_inv % P
        result.append((x, y, 1, x * y % P))
    result.reverse()
    return result
