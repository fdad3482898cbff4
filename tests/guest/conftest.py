"""One bundle for the whole run. GUEST_FETCHED names a folder with the pinned files; else they are fetched,
and where that cannot be the tests skip."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from cli.guests.bundle import BadBundle, Bundle, build, fetch, load

NODE = shutil.which("node") or ""


@pytest.fixture(name="bundle_folder", scope="session")
def _bundle_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    fetched = Path(os.environ.get("GUEST_FETCHED") or tmp_path_factory.mktemp("fetched"))
    out = tmp_path_factory.mktemp("bundle")
    try:
        fetch(fetched)
    except BadBundle as error:
        pytest.skip(f"no bundle: {error}")
    build(out, fetched)
    return out


@pytest.fixture(name="bundle", scope="session")
def _bundle(bundle_folder: Path) -> Bundle:
    return load(bundle_folder)
