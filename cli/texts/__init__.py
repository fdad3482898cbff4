"""Every text a person reads: one `.po` file per language, the msgid being the message id the code names."""

from __future__ import annotations

from cli.texts.cards import CardStyle
from cli.texts.catalogue import Texts, UnknownMessage, choose_language, is_language, languages, load
from cli.texts.names import HarmlessName, harmless

__all__ = [
    "CardStyle",
    "HarmlessName",
    "Texts",
    "UnknownMessage",
    "choose_language",
    "harmless",
    "is_language",
    "languages",
    "load",
]
