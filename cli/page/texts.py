"""The catalogue as JSON for the page, plural forms under the CLDR names that `Intl.PluralRules` gives.

Gettext numbers the plural forms of a language, CLDR names them; which number is which name is found by asking
both about the same numbers.
"""

from __future__ import annotations

import gettext
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

from babel import Locale
from babel.messages.pofile import read_po

from cli.texts import languages
from cli.texts.catalogue import SOURCE_LANGUAGE

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

    from cli.page.encode import Json

_ASKED: Final = range(201)


@cache
def texts(language: str) -> dict[str, Json]:
    """{"language", "languages", "texts": {id: text or {plural name: text}}}; English where one is missing.

    Raises FileNotFoundError for a language there is no catalogue for.
    """
    found: dict[str, Json] = {}
    for each in dict.fromkeys((SOURCE_LANGUAGE, language)):
        found |= _messages(each)
    return {"language": language, "languages": [*languages()], "texts": found}


def choose(wanted: str | None, accepted: str) -> str:
    """`wanted` if it exists; else the first of an Accept-Language header that does; else English."""
    known = languages()
    for each in (wanted or "", *(part.split(";")[0].strip() for part in accepted[:200].split(","))):
        short = each.split("-")[0].lower()
        if short in known:
            return short
    return SOURCE_LANGUAGE


def plural_names(language: str, expression: str) -> dict[str, int]:
    """The CLDR plural names of a language, each with its gettext number."""
    number_of = gettext.c2py(expression)
    locale = Locale.parse(language)
    names: dict[str, int] = {}
    for number in _ASKED:
        names.setdefault(locale.plural_form(number), number_of(number))
    names.setdefault("other", max(names.values()))
    return names


def _messages(language: str) -> dict[str, Json]:
    with (resources.files("cli.texts") / f"{language}.po").open("rb") as file:
        catalogue: Catalog = read_po(file, locale=language)
    names = plural_names(language, catalogue.plural_expr)
    found: dict[str, Json] = {}
    for message in catalogue:
        forms = message.string
        if isinstance(message.id, str):
            if message.id and forms:
                found[message.id] = str(forms)
        elif isinstance(forms, (tuple, list)) and all(forms):
            found[message.id[0]] = {name: forms[number] for name, number in names.items()}
    return found
