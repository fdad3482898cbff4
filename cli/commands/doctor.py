"""`durak doctor`: what this machine offers, and what to do about what is missing. Says no secret."""

from __future__ import annotations

import os
import platform
import socket
import sys
from importlib import metadata
from typing import TYPE_CHECKING

from cli.engine import choose_backend
from cli.exits import Exit
from cli.guests.compare import compared
from cli.mishaps import run_loop
from cli.whole_file import replace_whole
from game.cards import Card

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from cli.app import App

SAMPLE = (Card(12), Card(24), Card(36), Card(47))
"""One card of each suit."""
PACKAGES = ("cbor2", "cryptography", "babel", "platformdirs")
PROBE = 1 << 20
"""Bytes; a game of six takes less."""
EXTRAS = {"aiohttp": "web", "zeroconf": "lan", "segno": "lan", "bleak": "ble"}
"""Packages one can do without, and the extra each comes with."""


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Print one line per fact; 30 if something without which nothing works is missing."""
    sound = True
    for good, line in _facts(app):
        mark = app.texts.say("doctor.ok" if good else "doctor.bad")
        app.show([f"{mark} {line}"])
        sound &= good
    for line in _lacking(app):
        app.show([f"{app.texts.say('doctor.note')} {line}"])
    if arguments.ble or arguments.ble_hci or arguments.ble_adapter:
        sound &= _bluetooth(app, arguments)
    if arguments.guest_bundle:
        for good, line in compared(app, arguments.guest_bundle, arguments.guest_folder):
            app.show([f"{app.texts.say('doctor.ok' if good else 'doctor.bad')} {line}"])
            sound &= good
    return Exit.OK if sound else Exit.IO


def _facts(app: App) -> Iterator[tuple[bool, str]]:
    say = app.texts.say
    yield sys.version_info >= (3, 11), say("doctor.python", version=platform.python_version())
    for name in PACKAGES:
        yield True, say("doctor.package", name=name, version=metadata.version(name))
    yield True, say(f"doctor.backend.{_backend()}")
    why = _not_writable(app)
    home = (
        say("doctor.home-not", path=app.home.folder, why=why)
        if why
        else say("doctor.home", path=app.home.folder)
    )
    yield not why, home
    yield _loopback(), say("doctor.loopback")
    yield True, say("doctor.screen", encoding=sys.stdout.encoding, cards=app.style.cards(SAMPLE))


def _backend() -> str:
    """Which backend deals, and whether plain Python was asked for."""
    asked = os.environ.get("DURAK_BACKEND") == "pure"
    return "pure-asked" if asked else choose_backend(os.environ)


def _lacking(app: App) -> Iterator[str]:
    """What would be possible here with one package more."""
    for name, extra in EXTRAS.items():
        try:
            metadata.version(name)
        except metadata.PackageNotFoundError:
            yield app.texts.say(f"doctor.lacks.{extra}", name=name)


def _bluetooth(app: App, arguments: argparse.Namespace) -> bool:
    """Say what this device can do over Bluetooth, and whether that is all."""
    from p2p.ble.probe import probe  # bleak takes a while to load, and is optional

    sound = True
    say = app.texts.say
    for fact in run_loop(app, probe(arguments.ble_hci, arguments.ble_adapter)):
        mark = say("doctor.ok" if fact.good else "doctor.bad")
        text = say(fact.message, **fact.params)
        app.show([f"{mark} {text}"])
        sound &= fact.good
    return sound


def _not_writable(app: App) -> str:
    """Why the data folder cannot keep a game, "" if it can: tried with as many bytes, on the disk itself."""
    probe = app.home.folder / f".probe.{os.getpid()}"
    try:
        app.home.make()
        replace_whole(probe, bytes(PROBE))
        probe.unlink()
    except OSError as error:
        return error.strerror or str(error)
    return ""


def _loopback() -> bool:
    """Whether a port can be opened on this machine's own address."""
    try:
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
    except OSError:
        return False
    return True
