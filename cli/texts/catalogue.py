"""The catalogue: message id + parameters in, a sentence in the person's language out.

A `.po` file is read at run time with Babel and compiled in memory, so nothing has to be built or installed
to add a language. Parameters are put in with `str.format`; what stands in a parameter is never interpreted
again. A message with plural forms has the same msgid in singular and plural and is asked for with `count`.
"""

from __future__ import annotations

import gettext
from functools import cache
from importlib import resources
from io import BytesIO
from typing import TYPE_CHECKING

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SOURCE_LANGUAGE = "en"


class UnknownMessage(LookupError):
    """No catalogue, not even the English one, has this message id: a mistake in the code, never in the
    input."""


class Texts:
    """One language, with English behind it for what it lacks."""

    def __init__(self, language: str, translations: gettext.GNUTranslations) -> None:
        self.language = language
        self._translations = translations

    def say(self, message: str, /, **parameters: object) -> str:
        """The sentence for `message`. Raises UnknownMessage, or KeyError for a missing parameter."""
        found = self._translations.gettext(message)
        if found == message:
            raise UnknownMessage(message)
        return found.format(**parameters)

    def count(self, message: str, number: int, /, **parameters: object) -> str:
        """As `say`, in the plural form that `number` asks for; the text has it as `{n}`."""
        found = self._translations.ngettext(message, message, number)
        if found == message:
            raise UnknownMessage(message)
        return found.format(n=number, **parameters)

    def knows(self, message: str) -> bool:
        """Whether `say` would find this message."""
        return self._translations.gettext(message) != message

    def means(self, word: str, typed: str) -> bool:
        """Whether what was typed, folded, is one of the words for `word`."""
        return typed in self.say(f"word.{word}").split()

    def yes_or_no(self, typed: str) -> bool | None:
        """What was typed, folded, as an answer; None if it is none."""
        if self.means("yes", typed):
            return True
        return False if self.means("no", typed) else None

    def listed(self, words: Iterable[str]) -> str:
        """Several words as one: "A, B and C" in this language."""
        *most, last = [*words] or [""]
        if not most:
            return last
        return self.say("list.and", most=self.say("list.comma").join(most), last=last)


def languages() -> tuple[str, ...]:
    """The languages there are, English first."""
    found = sorted(
        file.name.removesuffix(".po")
        for file in resources.files(__package__).iterdir()
        if file.name.endswith(".po")
    )
    return (SOURCE_LANGUAGE, *(language for language in found if language != SOURCE_LANGUAGE))


def is_language(wanted: str) -> bool:
    """Whether there is a catalogue for it, or for the language it is a form of: de-AT."""
    return _base(wanted) in languages()


def _base(locale: str) -> str:
    return locale.split(".")[0].replace("-", "_").split("_")[0].lower()


def choose_language(wanted: str, environment: Mapping[str, str]) -> str:
    """`wanted` if there is such a catalogue; else what the environment says (POSIX order); else English."""
    spoken = [wanted, *(environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))]
    for candidate in spoken:
        language = _base(candidate)
        if language in {"c", "posix"} or language in languages():
            return language if language in languages() else SOURCE_LANGUAGE
    return SOURCE_LANGUAGE


@cache
def load(language: str = SOURCE_LANGUAGE) -> Texts:
    """The texts of one language. Raises FileNotFoundError if there is no such catalogue."""
    translations = _compile(language)
    if language != SOURCE_LANGUAGE:
        translations.add_fallback(_compile(SOURCE_LANGUAGE))
    return Texts(language, translations)


def _compile(language: str) -> gettext.GNUTranslations:
    with (resources.files(__package__) / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
