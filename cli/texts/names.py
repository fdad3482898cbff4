"""Names come from strangers. What may be shown is a kind of its own, so that a raw name cannot reach a
screen.

Dropped: control and format characters (Unicode Cc, Cf: escape sequences, bidi overrides and isolates,
zero-width marks, tags), surrogates, private and unassigned code points, line and paragraph separators. Runs
of white space become one space; more than two combining marks on one letter are cut (stacked marks cover the
lines around). Round brackets become square ones: what stands in round brackets behind a name, as "(2)", is
said by this program alone.
"""

from __future__ import annotations

import unicodedata
from typing import NewType

HarmlessName = NewType("HarmlessName", str)
"""A name without anything that could move the cursor, reorder the line or hide; never empty, one line."""

LONGEST = 32
MOST_MARKS = 2
_DROPPED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BRACKETS = str.maketrans(dict.fromkeys("(（﹙⁽₍❨❪⟮⦅⸨｟", "[") | dict.fromkeys(")）﹚⁾₎❩❫⟯⦆⸩｠", "]"))


def harmless(name: str, *, otherwise: str) -> HarmlessName:
    """`name` made fit to be shown; `otherwise` (our own words) if nothing of it is left."""
    spaced = (" " if character.isspace() else character for character in name)
    kept = (character for character in spaced if unicodedata.category(character) not in _DROPPED)
    marks = 0
    clean = ""
    for character in unicodedata.normalize("NFC", "".join(kept).translate(_BRACKETS)):
        marks = marks + 1 if unicodedata.category(character) in {"Mn", "Me", "Mc"} else 0
        if marks <= MOST_MARKS:
            clean += character
    clean = " ".join(clean.split())[:LONGEST].strip()
    visible = any(unicodedata.category(character)[0] in "LNPS" for character in clean)
    return HarmlessName(clean if visible else otherwise)


def told_apart(names: tuple[HarmlessName, ...], *, ours: str = "") -> tuple[HarmlessName, ...]:
    """Equal names get their turn behind them, "Anna (2)", so that a line never means two people.

    `ours`: our own word for the person spoken to ("you"), which is nobody's name.
    """
    seen: dict[str, int] = {_folded(ours): 1}
    apart: list[HarmlessName] = []
    for name in names:
        key = _folded(name)
        seen[key] = seen.get(key, 0) + 1
        apart.append(name if seen[key] == 1 else HarmlessName(f"{name} ({seen[key]})"))
    return tuple(apart)


def _folded(name: str) -> str:
    """What looks the same is the same: width and case set aside (Unicode NFKC, case folding)."""
    return unicodedata.normalize("NFKC", name).casefold()
