"""`durak doctor --guest-bundle URL`: does a host give its guests what this device would give them?

Everything is fetched as a guest's browser would: the page, and every file the page can name. A host that
means harm can still answer us one way and a guest another: what is found here is a mistake or an honest host.
A device that has no bundle of its own still sees whether the host's is whole, and what it says of itself.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, build_opener

from cli.exits import CommandError
from cli.guests.bundle import sources
from cli.guests.hosting import own_bundle
from cli.guests.page_files import MARK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.app import App
    from cli.guests.bundle import Bundle

PATIENCE: Final = 20.0
LARGEST: Final = 32_000_000
"""Bytes of one answer that are read at most."""
PORT: Final = 8765
"""Where an address without a port is asked: that of `durak host --guests`."""


class Damaged(Exception):
    """A host serves this file with other bytes than its list says."""

    def __init__(self, file: str) -> None:
        super().__init__(file)
        self.file = file


@dataclass(frozen=True, slots=True)
class Given:
    """What a host gives, whole by its own list. `sources`: what it says it was made from."""

    digest: str
    page: bytes
    sources: str


def compared(app: App, address: str, folder: str) -> Iterator[tuple[bool, str]]:
    """Lines that say what the host at `address` gives, and whether each is good. `folder`: our own bundle."""
    say = app.texts.say
    own, lack = _own(app, folder)
    try:
        base = _base(address)
    except ValueError:
        yield False, say("doctor.guest.away", address=address)
        return
    try:
        given = _given(base)
    except Damaged as error:
        yield False, say("doctor.guest.damaged", address=base, file=error.file)
        return
    except (URLError, OSError, ValueError, KeyError, TypeError, AttributeError):
        yield False, say("doctor.guest.away", address=base)
        return
    digest = given.digest[:16]
    if own is None:
        same = given.sources == sources()
        message = "doctor.guest.says-same" if same else "doctor.guest.says-other"
        yield same, say(message, address=base, digest=digest)
        yield False, lack
    elif given.digest != own.digest:
        yield False, say("doctor.guest.other", address=base, digest=digest, own=own.digest[:16])
    elif given.page != own.page:
        yield False, say("doctor.guest.damaged", address=base, file="/")
    else:
        yield True, say("doctor.guest.same", address=base, digest=digest)


def _own(app: App, folder: str) -> tuple[Bundle | None, str]:
    """Our own bundle; else None, and a sentence that says how to make it."""
    try:
        return own_bundle(app, folder), ""
    except CommandError as error:
        reason = "doctor.guest.no-own" if error.message == "guests.no-bundle" else error.message
        return None, app.texts.say(reason, **error.parameters)


def _base(address: str) -> str:
    """Scheme, host and port of what a person typed or copied, without the rest. Raises ValueError."""
    parts = urlsplit(address if "://" in address else f"http://{address}")
    if not parts.hostname:
        raise ValueError(address)
    port = "" if parts.port is not None or parts.scheme != "http" else f":{PORT}"
    return f"{parts.scheme}://{parts.netloc}{port}"


def _given(base: str) -> Given:
    """Fetch all of it. Raises `Damaged`, and whatever an answer that is no list of files makes of itself."""
    manifest = _get(f"{base}/bundle")
    listed = json.loads(manifest)
    named: dict[str, str] = listed["files"]
    digest = hashlib.sha256(manifest).hexdigest()
    files = {name: _get(f"{base}/b/{digest}/{name}") for name in sorted(named)}
    for name, data in files.items():
        if hashlib.sha256(data).hexdigest() != named[name]:
            raise Damaged(name)
    page = _get(f"{base}/")
    if page != files["index.html"].replace(MARK.encode(), digest.encode()):
        raise Damaged("/")
    return Given(digest, page, str(listed.get("sources", "")))


def _get(address: str) -> bytes:
    """An answer, straight from that device: no proxy. Raises URLError, OSError, ValueError."""
    if not address.startswith(("http://", "https://")):
        raise ValueError(address)
    with build_opener(ProxyHandler({})).open(address, timeout=PATIENCE) as answer:
        data: bytes = answer.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(address)
    return data
