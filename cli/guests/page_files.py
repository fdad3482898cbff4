"""The table page for a guest: one script, one style, the texts; and beside them the modules of his worker.

Few answers matter as much as few bytes: on a weak Wi-Fi each costs a way there and back, and headers.
"""

from __future__ import annotations

import html
import json
import re
from importlib import resources
from typing import TYPE_CHECKING, Final

from cli.page import encode
from cli.page.bundle import bundle
from cli.page.texts import texts
from cli.texts import languages
from game.options import PRESETS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cli.page.encode import Json

MARK: Final = "@BUNDLE@"
"""Stands in the page for the digest of the bundle it belongs to."""
ENTRY: Final = "guest.js"
STYLE: Final = "guest.css"
STYLES: Final = ("page.css", "cards.css", "sheets.css")
WORKER: Final = ("guest-worker.js", "interpreter.js", "pictures.js", "sodium.js", "vault.js")
LINKS: Final = re.compile(r'<link rel="stylesheet" [^>]*>\n|<script [^>]*></script>\n')
SILENT: Final = frozenset({
    "act", "again", "answer", "arena", "ask", "audit", "auto", "bluetooth", "command", "demo", "diff",
    "doctor", "error", "explain", "fault", "finding", "games", "help", "home", "host", "lang", "leave",
    "limit", "logfile", "malformed", "merge", "name", "option-help", "plan", "play", "presence", "previous",
    "question", "replay", "resign", "resume", "rule", "said", "time", "usage", "verdict", "word",
})  # fmt: skip
"""Families of texts that commands say and no page."""


def page_files() -> Iterator[tuple[str, bytes]]:
    """All but the page itself."""
    scripts = _sources("cli.page") | _sources("cli.guests")
    for name in WORKER:
        yield name, scripts.pop(name).encode()
    yield ENTRY, bundle(scripts, ENTRY).encode()
    styles = [*(_read("cli.page", name) for name in STYLES), _read("cli.guests", STYLE)]
    yield STYLE, "\n".join(styles).encode()
    yield "icon.svg", _read("cli.page", "icon.svg").encode()
    for language in languages():
        yield f"texts-{language}.json", _json(spoken(texts(language)))


def index(total: int) -> bytes:
    """The page: the owner's, with another start, how many bytes there are to load, and the usual rules.

    `MARK` stands for the digest. Raises ValueError if the owner's page has no place for these.
    """
    page = _read("cli.page", "index.html")
    if "</head>" not in page or "<body>" not in page or not LINKS.search(page):
        raise ValueError("index.html")
    style = f'<link rel="stylesheet" href="/static/{STYLE}">\n'
    script = f'<script type="module" src="/static/{ENTRY}"></script>\n'
    page = LINKS.sub("", page).replace("</head>", f"{style}{script}</head>")
    usual = html.escape(_json(encode.options(PRESETS["local"])).decode())
    page = page.replace("<body>", f'<body data-total="{total}" data-usual="{usual}">')
    return page.replace("/static/", f"/b/{MARK}/").encode()


def spoken(catalogue: Mapping[str, Json]) -> dict[str, Json]:
    """A catalogue without what only commands say."""
    said = catalogue["texts"]
    assert isinstance(said, dict)
    kept: Json = {name: text for name, text in said.items() if name.partition(".")[0] not in SILENT}
    return {**catalogue, "texts": kept}


def _sources(package: str) -> dict[str, str]:
    folder = resources.files(package) / "static"
    return {file.name: _read(package, file.name) for file in folder.iterdir() if file.name.endswith(".js")}


def _read(package: str, name: str) -> str:
    return (resources.files(package) / "static" / name).read_text(encoding="utf-8")


def _json(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
