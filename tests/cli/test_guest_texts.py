"""A guest's catalogue leaves out what commands say: nothing that runs in his browser names any of it."""

from __future__ import annotations

import io
import zipfile
from importlib import resources

from cli.guests.bundle import packages
from cli.guests.page_files import SILENT, spoken
from cli.page.texts import texts


def test_what_is_left_out_is_named_by_nothing_in_the_browser() -> None:
    sources = {
        file.name: file.read_text(encoding="utf-8")
        for package in ("cli.page", "cli.guests")
        for file in (resources.files(package) / "static").iterdir()
        if file.name.endswith(".js")
    }
    with zipfile.ZipFile(io.BytesIO(packages())) as packed:
        sources |= {name: packed.read(name).decode() for name in packed.namelist()}
    known = texts("en")["texts"]
    assert isinstance(known, dict)
    silent = {name for name in known if name.partition(".")[0] in SILENT}
    found = {
        (where, name)
        for where, source in sources.items()
        for name in silent
        if f'"{name}"' in source or f"'{name}'" in source
    }
    assert found == set()
    assert len(silent) > 200
    kept = spoken(texts("ru"))["texts"]
    assert isinstance(kept, dict)
    assert {"page.guest.sit", "rules.variant.throw-in", "illegal.not-your-word"} <= set(kept)
    assert set(known) - set(kept) == silent
