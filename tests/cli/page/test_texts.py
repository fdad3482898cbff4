"""The page's texts: every id its scripts name has words, every word is used, plurals go by name."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cli.guests
import cli.page
from cli.page.texts import choose, plural_names, texts
from cli.texts import UnknownMessage

STATIC = Path(cli.page.__file__).parent / "static"
GUESTS = Path(cli.guests.__file__).parent / "static"
SCRIPTS = {
    path.name: path.read_text(encoding="utf-8")
    for folder in (STATIC, GUESTS)
    for path in sorted(folder.glob("*.js"))
}
FAMILIES = {name.split(".")[0] for name in texts("en")["texts"]}
PLAIN = re.compile(r'"([a-z]+(?:\.[A-Za-z0-9-]+)+)"')
TEMPLATE = re.compile(r"`([a-z]+\.(?:[a-z-]+\.)*)\$\{")
PYTHON = Path(cli.page.__file__).parent


def named() -> tuple[set[str], set[str]]:
    """Ids, and beginnings of ids, in the page's scripts and in its python."""
    sources = [*SCRIPTS.values(), *(path.read_text(encoding="utf-8") for path in sorted(PYTHON.glob("*.py")))]
    whole = {
        name
        for source in sources
        for name in PLAIN.findall(source)
        if name.split(".")[0] in FAMILIES and not name.endswith((".html", ".css"))
    }
    beginnings = {name for source in sources for name in TEMPLATE.findall(source)}
    return whole, {name for name in beginnings if name.split(".")[0] in FAMILIES}


def test_every_id_the_scripts_name_has_words():
    known = texts("en")["texts"]
    whole, beginnings = named()
    missing = {name for name in whole if name not in known and f"{name}.me" not in known}
    assert missing == set()
    assert {name for name in beginnings if not any(each.startswith(name) for each in known)} == set()


def test_every_text_of_the_page_is_named():
    whole, beginnings = named()
    page = {name for name in texts("en")["texts"] if name.startswith("page.")}
    unused = {
        name
        for name in page
        if name.removesuffix(".me") not in whole
        and name.removesuffix(".detail") not in whole
        and not any(name.startswith(beginning) for beginning in beginnings)
    }
    assert unused == set()


def test_russian_plurals_go_by_their_names():
    rule = "(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2)"
    assert plural_names("ru", rule) == {"many": 2, "one": 0, "few": 1, "other": 2}


def test_english_plurals_go_by_their_names():
    assert plural_names("en", "(n != 1)") == {"other": 1, "one": 0}
    assert texts("en")["texts"]["page.talon"] == {"one": "{n} left", "other": "{n} left"}


def test_the_language_is_the_one_asked_for_or_accepted():
    assert choose("en", "xx") == "en"
    assert choose(None, "xx-YY, en;q=0.5") == "en"
    assert choose("../../etc/passwd", "") == "en"
    assert choose(None, "," * 10_000) == "en"


def test_an_unknown_language_has_no_texts():
    with pytest.raises((UnknownMessage, FileNotFoundError)):
        texts("tlh")
