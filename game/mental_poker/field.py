"""The field of 2^255 − 19 as ristretto255 needs it (RFC 9496 §4.1, §4.2)."""

from __future__ import annotations

P = 2**255 - 19
"""The field prime; field elements are ints, canonical in 0 … P − 1."""

LOW = 2**255 - 1
"""Mask of the low 255 bits. `(v & LOW) + (v >> 255) * 19` is congruent to v, cheaper than `v % P`, and not
fully reduced: one such fold of a product of canonical elements stays below 2^260."""

D = 37095705934669439343138083508754565189542113879843219016388785533085940283555
"""d of −x² + y² = 1 + d x² y²."""
SQRT_M1 = 19681161376707505956807079304988542015446066515923890162744021073123829784752
SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235
INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578
ONE_MINUS_D_SQ = 1159843021668779879193775521855586647937357759715417654439879720876111806838
D_MINUS_ONE_SQ = 40440834346308536858101042469323190826248399146238708352240133220865137265952

_EXPONENT = (P - 5) // 8


def sqrt_ratio_m1(u: int, v: int) -> tuple[bool, int]:
    """(True, √(u/v)) or (False, √(√−1 · u/v)), the root non-negative, i.e. even (RFC 9496 §4.2)."""
    v3 = v * v * v % P
    r = u * v3 * pow(u * v3 * v3 * v % P, _EXPONENT, P) % P
    check = v * r * r % P
    u %= P
    correct = check == u
    flipped = check == P - u if u else check == 0
    if flipped or check == (P - u) * SQRT_M1 % P:
        r = r * SQRT_M1 % P
    return correct or flipped, P - r if r & 1 else r
