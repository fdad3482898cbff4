"""The replay as one file that needs nothing: the page's modules, styles and a film in one document.

The modules keep a form that makes this simple, and a test holds them to it: imports at the top from the
same folder, exports in front of what they name, no circles. Each becomes a function returning them.
Nothing in the file may run or be fetched but what is in it; its policy names the hashes of script and style.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from importlib import resources
from typing import TYPE_CHECKING, Final

from cli.page.texts import texts
from cli.texts import languages

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cli.page.encode import Json

ENTRY: Final = "replay-main.js"
STYLES: Final = ("page.css", "cards.css", "sheets.css", "replay.css")
IMPORT: Final = re.compile(r'^import (?:\{([^}]*)\}|\* as (\w+)) from "\./([\w-]+\.js)";\n', re.MULTILINE)
EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)


START: Final = '<script type="module" src="/static/main.js"></script>'
REPLAY: Final = f"""<link rel="stylesheet" href="/static/replay.css">
<script type="module" src="/static/{ENTRY}"></script>"""


class Circle(ValueError):
    """Modules that import one another can't be put in an order."""


def one_page(film: Mapping[str, Json], language: str) -> str:
    """The whole document. Works from a file, offline, in every language there is."""
    script = f'"use strict";\n(async () => {{\n{bundle(_sources(), ENTRY)}}})();\n'
    style = "\n".join(_read(name) for name in STYLES)
    said = {each: texts(each) for each in languages()}
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    page = replay_page()
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<style>{style}</style>\n'
        f'<script type="application/json" id="film">{_data(film)}</script>\n'
        f'<script type="application/json" id="texts">{_data(said)}</script>\n'
    )
    page = re.sub(r"<link [^>]*>\n|<script [^>]*></script>\n", "", page)
    page = page.replace('<html lang="en">', f'<html lang="{language}">')
    page = page.replace("</head>", f"{head}</head>")
    return page.replace("</body>", f"<script>{script}</script>\n</body>")


def replay_page() -> str:
    """The page's one document, started as a replay."""
    return _read("index.html").replace(START, REPLAY)


def bundle(sources: Mapping[str, str], entry: str) -> str:
    """The modules that `entry` needs, each before whoever imports it. Raises Circle."""
    order: list[str] = []
    _visit(sources, entry, order, ())
    return "const modules = {};\n" + "".join(_wrapped(sources[name], name, entry=entry) for name in order)


def _visit(sources: Mapping[str, str], name: str, order: list[str], path: tuple[str, ...]) -> None:
    if name in path:
        raise Circle(" → ".join((*path, name)))
    if name in order:
        return
    for _, _, needed in IMPORT.findall(sources[name]):
        _visit(sources, needed, order, (*path, name))
    order.append(name)


def _wrapped(source: str, name: str, *, entry: str) -> str:
    exports = EXPORT.findall(source)
    body = EXPORT.sub("", IMPORT.sub(_taken, source))
    if name == entry:
        return body
    return f'modules["{name}"] = (() => {{\n{body}return {{ {", ".join(exports)} }};\n}})();\n'


def _taken(found: re.Match[str]) -> str:
    names, whole, module = found.groups()
    return f'const {whole or "{" + names.replace(" as ", ": ") + "}"} = modules["{module}"];\n'


def _sources() -> dict[str, str]:
    folder = resources.files("cli.page") / "static"
    return {file.name: _read(file.name) for file in folder.iterdir() if file.name.endswith(".js")}


def _read(name: str) -> str:
    return (resources.files("cli.page") / "static" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _data(value: object) -> str:
    """JSON that can stand inside a script element: no tag can open or close in it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
