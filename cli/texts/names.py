"""Names come from strangers. What may be shown is a kind of its own, so that a raw name cannot reach a
screen.

Dropped: control and format characters (Unicode Cc, Cf: escape sequences, bidi overrides and isolates,
zero-width marks, tags), surrogates, private and unassigned code points, line and paragraph separators, what
Unicode says to draw as nothing, and what is drawn blank. Runs of white space become one space; more than two
combining marks on one letter are cut (stacked marks cover the lines around).

Brackets of every kind are dropped too: what stands in brackets behind a name, as "(2)" or "[bot]", is said by
this program alone. Only for who is known to be a bot the mark of the name it was given stays.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NewType

HarmlessName = NewType("HarmlessName", str)
"""A name without anything that could move the cursor, reorder the line or hide; never empty, one line."""

LONGEST = 32
MOST_MARKS = 2
_DROPPED = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_IGNORABLE = (
    (0x00AD, 0x00AD), (0x034F, 0x034F), (0x061C, 0x061C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164),
    (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
"""Default_Ignorable_Code_Point (Unicode 16, DerivedCoreProperties.txt; UAX #44): drawn as nothing at all.
Python does not tell this property, and some of these are letters to it (the Hangul fillers)."""
_BLANK = frozenset("\u2800\u303f\ufffc\U00013441\U00013442\U00016fe4\U0001d159")
"""Letters and symbols that are drawn blank, or by some fonts (Unicode 16, NamesList.txt): braille pattern
blank, ideographic half fill space, object replacement, full and half blank of hieroglyphs, Khitan filler,
null notehead."""
_QUOTES = frozenset("\u201a\u201e\u2e42\u301d\u301e\u301f")
"""What Unicode counts among brackets (Ps, Pe) and people among quotation marks."""
_PIECES = range(0x239B, 0x23B4)
"""Brackets drawn in pieces (Sm, So)."""


def harmless(name: str, *, otherwise: str, bot: bool = False) -> HarmlessName:
    """`name` made fit to be shown; `otherwise` (our own words) if nothing of it is left.

    `bot`: it is known to be one, so that the mark at the end of its name is true and stays.
    """
    if bot and (found := _MARKED.fullmatch(name)):
        base, mark = (harmless(part, otherwise="") for part in found.groups())
        if base and mark:
            return HarmlessName(f"{base} [{mark}]")
    spaced = (" " if character.isspace() else character for character in name)
    marks = 0
    clean = ""
    for character in unicodedata.normalize("NFC", "".join(filter(_is_shown, spaced))):
        marks = marks + 1 if unicodedata.category(character) in {"Mn", "Me", "Mc"} else 0
        if marks <= MOST_MARKS:
            clean += character
    clean = " ".join(clean.split())[:LONGEST].strip()
    visible = any(unicodedata.category(character)[0] in "LNPS" for character in clean)
    return HarmlessName(clean if visible else otherwise)


_MARKED = re.compile(r"\s*([^\[\]]+?)\s*\[([^\[\]]{1,8})\]\s*")
"""A name with a mark behind it, as our bots are given theirs (`bot.name`)."""


def _is_shown(character: str) -> bool:
    category, code = unicodedata.category(character), ord(character)
    if category in _DROPPED or character in _BLANK or any(low <= code <= high for low, high in _IGNORABLE):
        return False
    return not (category in {"Ps", "Pe"} and character not in _QUOTES) and code not in _PIECES


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
