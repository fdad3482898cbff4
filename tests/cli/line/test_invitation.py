"""What is printed for the others to type works where they type it."""

from __future__ import annotations

import os
from types import SimpleNamespace

import pytest

from cli.app import App
from cli.line.invitation import invitation_lines
from cli.tables import Part
from ledger.identity import SigningKey

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
