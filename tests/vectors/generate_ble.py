"""Writes ble_frames.json: `python -m tests.vectors.generate_ble`. Every byte string is hexadecimal."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from p2p.ble.advert import SERVICE, TO_CENTRAL, TO_PERIPHERAL, Advert, mark_of
from p2p.ble.ble_link import BleLink, datagram_limit
from p2p.ble.desk import Desk
from p2p.ble.frames import (
    Ack,
    Acknowledgement,
    Bye,
    Chunk,
    Cut,
    Data,
    Frame,
    Hello,
    LinkNumber,
    Part,
    Sequence,
    Welcome,
    encode_frame,
    value_limit,
)
from p2p.reasons import Why

VECTORS = Path(__file__).parent / "ble_frames.json"
NONCE, CENTRAL, PERIPHERAL = b"\x01\x02\x03\x04", b"central!", b"periphrl"
LINK = LinkNumber(0xBEEF)


def frames() -> dict[str, Frame]:
    """One or more of every kind."""
    ack = Acknowledgement(Sequence(254), 0b101, 8)
    first = Chunk(Sequence(7), first=True, last=False, urgent=False, payload=b"durak")
    whole = Chunk(Sequence(255), first=True, last=True, urgent=True, payload=b"\x00")
    longest = Chunk(Sequence(0), first=False, last=True, urgent=False, payload=bytes(range(252)) * 2)
    part = Chunk(Sequence(7), first=True, last=False, urgent=False, payload=b"rak")
    return {
        "hello": Hello(NONCE, CENTRAL, 1, 0, 512),
        "welcome": Welcome(LINK, NONCE, PERIPHERAL, 1, 0, 182),
        "data, first of several, bulk lane": Data(LINK, first, ack, ask=False),
        "data, whole datagram, urgent lane, asks": Data(LINK, whole, ack, ask=True),
        "data, longest": Data(LINK, longest, ack, ask=False),
        "part": Part(LINK, part, ack, ask=True, offset=2, total=5),
        "ack": Ack(LINK, Acknowledgement(Sequence(0), 0, 0), ask=False),
        "ack, asks": Ack(LINK, ack, ask=True),
        "bye": Bye(LINK, 3),
        "cut": Cut(LINK, 509),
    }


def not_frames() -> dict[str, bytes]:
    """Values to ignore."""
    data = encode_frame(frames()["data, first of several, bulk lane"])
    return {
        "empty": b"",
        "header alone": bytes.fromhex("4004beef"),
        "kind 0": bytes.fromhex("0005beef00"),
        "kind 8": bytes.fromhex("8005beef00"),
        "one byte cut": data[:-1],
        "three bytes cut": data[:-3],
        "two values joined": data + data,
        "hello with a link number": bytes.fromhex("1014beef") + encode_frame(frames()["hello"])[4:],
        "ack without a link number": bytes.fromhex("40070000") + bytes(3),
        "ack with credit 9": bytes.fromhex("4007beef000009"),
        "ack with an unknown flag": bytes.fromhex("4107beef000000"),
        "data without payload": bytes.fromhex("3008beef00000000"),
        "part beyond its chunk": bytes.fromhex("600dbeef00000000000400040f"),
        "part of a chunk too long": bytes.fromhex("600dbeef00000000000001f90f"),
        "longer than a value can be": bytes(513),
    }


def conversation() -> list[dict[str, str]]:
    """A central dials, sends two datagrams and closes; the peripheral sends one. MTU 185, nothing lost."""
    dice = Random(1)
    desk = Desk(process=PERIPHERAL, random=dice.randbytes, limit=1)
    central = BleLink.dial(nonce=NONCE, process=CENTRAL, mtu=185, now=0.0)
    lines: list[dict[str, str]] = []

    def carry(now: float) -> None:
        moved = True
        while moved:
            moved = False
            while (value := central.take_value(now)) is not None:
                lines.append({"to": "peripheral", "value": value.hex()})
                desk.receive("central", value, 185, now)
                moved = True
            for link in desk.links:
                while (value := link.take_value(now)) is not None:
                    lines.append({"to": "central", "value": value.hex()})
                    central.receive(value, now)
                    moved = True

    carry(0.0)
    central.send(bytes(range(256)) + b"bulk", now=1.0)
    central.send(b"urgent", urgent=True, now=1.0)
    carry(1.0)
    desk.links[0].send(b"answer", now=1.1)
    carry(1.1)
    carry(1.2)
    central.close(Why.BYE, 1.3)
    carry(1.3)
    return lines


def vectors() -> dict[str, Any]:
    key = bytes(range(32))
    advert = Advert(CENTRAL, mark_of(key), host=True, full=False)
    return {
        "service": SERVICE,
        "characteristic written by the central": TO_PERIPHERAL,
        "characteristic notified by the peripheral": TO_CENTRAL,
        "adverts": [
            {
                "code key": key.hex(),
                "process": CENTRAL.hex(),
                "mark": advert.mark.hex(),
                "host": True,
                "full": False,
                "private": True,
                "uuid": advert.to_uuid(),
                "advertising data": advertising_data(advert).hex(),
            }
        ],
        "frames": {name: encode_frame(frame).hex() for name, frame in frames().items()},
        "not frames": {name: value.hex() for name, value in not_frames().items()},
        "longest value by mtu": {str(mtu): value_limit(mtu) for mtu in (23, 24, 185, 247, 515, 517, 527)},
        "largest datagram by longest value": {
            str(largest): datagram_limit(largest) for largest in (20, 182, 244, 509, 512)
        },
        "conversation": conversation(),
    }


def advertising_data(advert: Advert) -> bytes:
    """The 21 bytes on the air: flags (general discoverable, no BR/EDR), complete list of 128-bit UUIDs."""
    uuid = bytes.fromhex(advert.to_uuid().replace("-", ""))
    return b"\x02\x01\x06\x11\x07" + uuid[::-1]


if __name__ == "__main__":
    VECTORS.write_text(json.dumps(vectors(), indent=1) + "\n")
