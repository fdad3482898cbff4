"""When a page is opened, and what is said where it cannot be."""

from __future__ import annotations

import importlib.util

import pytest

from cli.app import App
from cli.exits import CommandError, Exit
from cli.faces import wants_page
from cli.home import Home
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


async def test_the_port_used_last_is_tried_first_and_another_if_it_is_taken(tmp_path, feed_of, view_of):
    """The secrets are those of each start: a port says nothing."""
    pytest.importorskip("aiohttp")
    from cli.page.face import _start
    from cli.page.server import PageServer

    home = Home(tmp_path)
    feed = feed_of(view_of())
    first, second, third = (PageServer(feed) for _ in range(3))
    await _start(first, home)
    port = first.guard.port
    assert home.page_port() == port
    secrets = {first.guard.token, first.guard.session}
    await first.stop()
    await _start(second, home)
    assert second.guard.port == port
    assert secrets.isdisjoint({second.guard.token, second.guard.session})
    await _start(third, home)
    assert third.guard.port not in (0, port)
    assert home.page_port() == third.guard.port, "the one used last"
    await second.stop()
    await third.stop()
    assert [path.name for path in tmp_path.iterdir()] == ["page-port"]
    kept = (tmp_path / "page-port").read_bytes()
    assert not any(secret.encode() in kept for secret in secrets)


@pytest.mark.parametrize("junk", [b"", b"-1", b"99999", b"x", b"\xff" * 99, b"8080\n8080"])
def test_a_damaged_port_is_none(tmp_path, junk):
    (tmp_path / "page-port").write_bytes(junk)
    assert Home(tmp_path).page_port() == 0
