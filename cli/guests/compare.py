"""`durak doctor --guest-bundle URL`: does a host give its guests what this device would give them?

Everything is fetched as a guest's browser would: the page, and every file the page can name. A host that
means harm can still answer us one way and a guest another: what is found here is a mistake or an honest host.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Final
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, build_opener

if TYPE_CHECKING:
    from cli.app import App
    from cli.guests.bundle import Bundle

PATIENCE: Final = 20.0
LARGEST: Final = 32_000_000
"""Bytes of one answer that are read at most."""


def compare(app: App, address: str, own: Bundle) -> tuple[bool, str]:
    """Whether it is the same, and the line that says so."""
    say = app.texts.say
    parts = urlsplit(address if "://" in address else f"http://{address}")
    base = f"{parts.scheme}://{parts.netloc}"
    try:
        manifest = _get(f"{base}/bundle")
        named: dict[str, str] = json.loads(manifest)["files"]
        digest = hashlib.sha256(manifest).hexdigest()
        if digest != own.digest:
            return False, say("doctor.guest.other", address=base, digest=digest[:16], own=own.digest[:16])
        for name, expected in sorted(named.items()):
            if hashlib.sha256(_get(f"{base}/b/{digest}/{name}")).hexdigest() != expected:
                return False, say("doctor.guest.damaged", address=base, file=name)
        if _get(f"{base}/") != own.page:
            return False, say("doctor.guest.damaged", address=base, file="/")
    except (URLError, OSError, ValueError, KeyError, TypeError, AttributeError):
        return False, say("doctor.guest.away", address=base)
    return True, say("doctor.guest.same", address=base, digest=digest[:16])


def _get(address: str) -> bytes:
    """An answer, straight from that device: no proxy. Raises URLError, OSError, ValueError."""
    if not address.startswith(("http://", "https://")):
        raise ValueError(address)
    with build_opener(ProxyHandler({})).open(address, timeout=PATIENCE) as answer:
        data: bytes = answer.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(address)
    return data
