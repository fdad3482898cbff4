"""When a page is opened, and what is said where it cannot be."""

from __future__ import annotations

import importlib.util

import pytest

from cli.app import App
from cli.exits import CommandError, Exit
from cli.faces import wants_page
from cli.page.face import can_show, page_face


@pytest.mark.parametrize(
    ("environment", "platform", "shown"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"DISPLAY": ":0", "SSH_CONNECTION": "x"}, "linux", False),
        ({}, "darwin", True),
        ({}, "win32", True),
        ({"SSH_CONNECTION": "x"}, "darwin", False),
    ],
)
def test_a_page_opens_where_a_person_can_see_a_browser(environment, platform, shown):
    pytest.importorskip("aiohttp")
    assert can_show({"PATH": "", **environment}, platform) is shown


def test_termux_has_a_browser_of_its_own(tmp_path):
    pytest.importorskip("aiohttp")
    opener = tmp_path / "termux-open-url"
    opener.write_text("#!/bin/sh\n")
    opener.chmod(0o755)
    assert can_show({"PATH": str(tmp_path)}, "linux")


def without_aiohttp(name, *_):
    return None if name == "aiohttp" else importlib.util.spec_from_loader(name, None)


def test_without_aiohttp_it_is_line_mode(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", without_aiohttp)
    assert not can_show({"DISPLAY": ":0"}, "linux")


async def test_asking_for_the_page_without_aiohttp_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setattr(importlib.util, "find_spec", without_aiohttp)
    app = App.of({"DURAK_HOME": str(tmp_path)})
    with pytest.raises(CommandError) as refused:
        async with page_face(app, "practice"):
            pass
    assert (refused.value.code, refused.value.message) == (Exit.USAGE, "page.needs-web")


def test_what_is_said_goes_before_what_could_be(monkeypatch):
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    assert wants_page(said=True, by_itself=False)
    assert not wants_page(said=False, by_itself=True)
    assert not wants_page(said=None, by_itself=False)
