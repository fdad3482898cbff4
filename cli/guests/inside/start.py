"""Where the guest's worker enters Python: put the JavaScript backends in place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyodide.ffi import to_js

from cli.guests.inside.sodium import JsChannel, JsGroup, JsSignatures
from game.mental_poker.group import use_backend
from ledger.identity import use_signatures
from p2p.primitives import use_channel

if TYPE_CHECKING:
    from cli.guests.inside.sodium import Call


def sodium_call(function: Any) -> Call:
    """The JavaScript function of `static/sodium.js` as Python calls it."""

    def call(name: str, data: bytes) -> bytes | None:
        answer = function(name, to_js(data))
        return None if answer is None else bytes(answer.to_bytes())

    return call


def use_sodium(function: Any) -> Call:
    """Use libsodium for everything from now on."""
    call = sodium_call(function)
    use_backend(JsGroup(call))
    use_signatures(JsSignatures(call))
    use_channel(JsChannel(call))
    return call
