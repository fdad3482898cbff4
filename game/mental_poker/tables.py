"""How one point takes part in a sum of many: as a sliding window or as a fixed-base comb.

Both kinds put precomputed operands into the columns that `edwards.accumulate` adds up, so a sum may mix them.
Sliding windows: Straus' trick with width-w NAF (Handbook of Elliptic and Hyperelliptic Curve Cryptography,
algorithms 9.10 and 9.23). Comb: one row of multiples per window, no doublings at all (ibid. §9.3).
"""

from __future__ import annotations

from typing import Protocol

from game.mental_poker.edwards import Extended, Niels, add, double, negated, normalised, to_niels

BITS = 253
"""Scalars are below 2^253."""


class Table(Protocol):
    """The multiples of one point."""

    def place(self, scalar: int, columns: list[list[Niels]]) -> None:
        """Add operands that sum up to `scalar` · point to the BITS + 1 `columns`; 0 ≤ scalar < 2^253."""


class Window:
    """±1P, ±3P, … ±(2^(w−1) − 1)P for width-w NAF: about 253/(w + 1) additions."""

    __slots__ = ("_operands", "_width")

    def __init__(self, point: Extended, width: int, *, affine: bool = False) -> None:
        twice = to_niels(double(point))
        multiples = [point]
        for _ in range((1 << (width - 2)) - 1):
            multiples.append(add(multiples[-1], twice))
        odd = [to_niels(multiple) for multiple in (normalised(multiples) if affine else multiples)]
        self._width = width
        self._operands = odd + [negated(operand) for operand in reversed(odd)]

    def place(self, scalar: int, columns: list[list[Niels]]) -> None:
        width, operands = self._width, self._operands
        half = 1 << (width - 1)
        mask = 2 * half - 1
        position = 0
        while scalar:
            zeros = (scalar & -scalar).bit_length() - 1
            scalar >>= zeros
            position += zeros
            columns[position].append(operands[(scalar & mask) >> 1])
            scalar = (scalar + half) >> width  # to nearest: the digit was scalar mods 2^width
            position += width


class Comb:
    """d · 2^(w·i) · P for all windows i and signed digits d: 253/w additions, no doublings."""

    __slots__ = ("_rows", "_width")

    def __init__(self, point: Extended, width: int, *, affine: bool = False) -> None:
        half = 1 << (width - 1)
        windows = BITS // width + 1
        multiples: list[Extended] = []
        for _ in range(windows):
            step = to_niels(point)
            for _ in range(half):
                multiples.append(point)
                point = add(point, step)
            point = double(multiples[-1])
        operands = [to_niels(multiple) for multiple in (normalised(multiples) if affine else multiples)]
        self._width = width
        self._rows: list[list[Niels]] = []
        for start in range(0, len(operands), half):
            row = operands[start : start + half]
            self._rows.append([row[-1], *row, *(negated(operand) for operand in reversed(row[:-1]))])

    def place(self, scalar: int, columns: list[list[Niels]]) -> None:
        width, rows, column = self._width, self._rows, columns[0]
        half = 1 << (width - 1)
        mask = 2 * half - 1
        window = 0
        while scalar:
            digit = scalar & mask
            if digit:
                column.append(rows[window][digit])
            scalar = (scalar + half - 1) >> width  # digits −half + 1 … half
            window += 1
