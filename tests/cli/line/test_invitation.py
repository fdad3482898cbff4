"""What is printed for the others to type works where they type it."""

from __future__ import annotations

import os
from dataclasses import replace
from types import SimpleNamespace

import pytest

from cli.app import App
from cli.line.invitation import guest_lines, invitation_lines
from cli.tables import Bluetooth, Part
from cli.texts import load
from ledger.identity import SigningKey
from p2p.codes import fingerprint

CODE = "7K2M9QXW4TBC"


@pytest.mark.parametrize(("addresses", "typed"), [
    ("192.168.1.7:4717", "192.168.1.7:4717"),
    ("[2001:db8::7]:4717", "'[2001:db8::7]:4717'"),
    ("[fd00::1]:80", "'[fd00::1]:80'"),
    ("[fe80::1]:4717 192.168.1.7:4717", "192.168.1.7:4717"),
    ("[fe80::1]:4717", "'[fe80::1]:4717'"),
    ("ble:AA:BB 192.168.1.7:4717", "192.168.1.7:4717"),
    ("ble:AA:BB", None),
])  # fmt: skip
def test_addresses_are_quoted_for_a_shell_and_link_local_ones_are_the_last_resort(addresses, typed):
    app = App.plain({**os.environ, "LC_ALL": "C"})
    at = SimpleNamespace(
        part=Part("host", code=CODE),
        driver=SimpleNamespace(addresses=tuple(addresses.split())),
        peer=SimpleNamespace(name="Anna", identity=SigningKey.from_seed32(bytes(32))),
    )
    words = [line.split() for line in invitation_lines(app, at) if "7K2M-9QXW-4TBC" in line]
    typed_lines = [each[-2] for each in words if each[-2] not in ("join", "--ble")]
    assert typed_lines == ([] if typed is None else [typed])


@pytest.mark.parametrize("language", ["en", "de", "es", "ru"])
def test_a_line_above_each_qr_code_says_whom_it_is_for(language):
    pytest.importorskip("segno")
    plain = App.plain({**os.environ, "LC_ALL": "C"})
    texts = load(language)
    app = replace(plain, texts=texts, style=replace(plain.style, texts=texts, signs=True))
    at = SimpleNamespace(
        part=Part("host", code=CODE),
        driver=SimpleNamespace(addresses=("192.168.1.7:4717",)),
        peer=SimpleNamespace(name="Anna", identity=SigningKey.from_seed32(bytes(32))),
    )
    shown = [*invitation_lines(app, at), *guest_lines(app, ["http://192.168.1.7:8765/#7K2M"])]
    drawn = [any(block in line for block in "█▀▄") for line in shown]
    above = [shown[at - 1] for at in range(1, len(shown)) if drawn[at] and not drawn[at - 1]]
    assert above == [texts.say("host.qr"), texts.say("host.qr.guests")]
    assert above[0] != above[1]
    quiet = replace(app, style=replace(app.style, signs=False))
    said = [*invitation_lines(quiet, at), *guest_lines(quiet, ["http://192.168.1.7:8765/#7K2M"])]
    assert not set(above) & set(said)


@pytest.mark.parametrize(("ble", "marks"), [
    (None, "table {lan}"),
    (Bluetooth(), "table {lan} and table a1b2 over Bluetooth"),
    (Bluetooth(alone=True), "table a1b2 over Bluetooth"),
])  # fmt: skip
def test_a_host_sees_the_mark_under_which_others_find_the_table(ble, marks):
    identity = SigningKey.from_seed32(bytes(32))
    radio = () if ble is None else ("ble:a1b2c3d4e5f60718",)
    at = SimpleNamespace(
        part=Part("host", code=CODE, ble=ble),
        driver=SimpleNamespace(addresses=("192.168.1.7:4717", *radio)),
        peer=SimpleNamespace(name="Anna", identity=identity),
    )
    app = App.plain({**os.environ, "LC_ALL": "C"})
    said = marks.format(lan=fingerprint(identity.public)[:4])
    assert f"In the list of tables: {said}" in list(invitation_lines(app, at))
