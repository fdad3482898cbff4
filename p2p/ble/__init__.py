"""Bluetooth LE: one GATT value is one frame, and the frames of a link earn what `p2p.link` promises.

`frames`, `window`, `outgoing`, `incoming`, `ble_link`, `desk` and `advert` are sans-IO; the
others touch a platform. docs/bluetooth.md has every byte.
"""
