"""What a device is said to have over Bluetooth: nothing good of what may not be there at all."""

from __future__ import annotations

import pytest

from p2p.ble import probe as probing
from p2p.ble.radio import NoBluetooth

pytest.importorskip("bleak")


@pytest.mark.parametrize(
    ("version", "told"),
    [((0, 0), ["bluetooth.no-bus"]), ((5, 82), ["bluetooth.bluez", "bluetooth.no-bus"])],
)
async def test_a_bluez_nobody_knows_is_not_praised_where_bluetooth_fails(
    monkeypatch: pytest.MonkeyPatch, version: tuple[int, int], told: list[str]
) -> None:
    async def known() -> tuple[int, int]:
        return version

    async def none(*_: str, **__: str) -> None:
        raise NoBluetooth("bluetooth.no-bus")

    monkeypatch.setattr(probing.sys, "platform", "linux")
    monkeypatch.setattr("p2p.ble.bluez.peripheral.bluez_version", known)
    monkeypatch.setattr(probing, "open_radio", none)
    facts = await probing.probe()
    assert [fact.message for fact in facts] == told
    assert not facts[-1].good
