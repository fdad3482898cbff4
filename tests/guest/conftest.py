"""One bundle for the whole run: GUEST_BUNDLE names a folder with one that is made; else it is made here, from
the pinned files in the folder GUEST_FETCHED or from what is fetched; where that cannot be the tests skip."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cli.guests.bundle import BadBundle, Bundle, build, fetch, load
from tests.guest.browsing import CHROMIUM, FLAGS
from tests.guest.hosted import lan_address

NODE = shutil.which("node") or ""


@pytest.fixture(name="bundle_folder", scope="session")
def _bundle_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if os.environ.get("GUEST_BUNDLE"):
        return Path(os.environ["GUEST_BUNDLE"])
    fetched = Path(os.environ.get("GUEST_FETCHED") or tmp_path_factory.mktemp("fetched"))
    out = tmp_path_factory.mktemp("bundle")
    try:
        fetch(fetched)
    except BadBundle as error:
        pytest.skip(f"no bundle: {error}")
    build(out, fetched)
    return out


@pytest.fixture(name="browser")
async def _browser() -> AsyncIterator[Any]:
    """Chromium, to reach a host at an address it does not trust."""
    playwright = pytest.importorskip("playwright.async_api")
    if not CHROMIUM or not lan_address():
        pytest.skip("needs Chromium and an address other than the loopback's")
    async with playwright.async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        await browser.close()


@pytest.fixture(name="bundle", scope="session")
def _bundle(bundle_folder: Path) -> Bundle:
    return load(bundle_folder)
