"""A picture of the interpreter's memory, with every module loaded: the second visit starts from it.

A picture holds neither JavaScript objects nor compiled libraries. So `load` borrows libsodium and a stand-in
for cbor2 while modules make their constants; `complete` puts the real ones in, after the start from a picture
as after the one without. No key, card or name is there yet when a picture is taken.
"""

from __future__ import annotations

import gc
import importlib
import random
import sys
from types import ModuleType
from typing import Any, Final

from cli.guests.inside import few_items

MODULES: Final = (
    "cli.guests.inside.driver", "cli.guests.inside.page", "game.mental_poker.deck", "game.seat",
    "ledger.codec", "ledger.evidence", "ledger.log",
)  # fmt: skip


def load(sodium: Any) -> None:
    """Import everything; what is made from points is made with libsodium."""
    stand_in = ModuleType("cbor2")
    vars(stand_in).update(dumps=few_items.dumps)
    sys.modules["cbor2"] = stand_in
    start = importlib.import_module("cli.guests.inside.start")
    start.SODIUM.function = sodium
    start.use_sodium(start.SODIUM)
    for name in MODULES:
        importlib.import_module(name)
    importlib.import_module("game.mental_poker.deck").warm_up()
    start.SODIUM.function = None
    gc.collect()


def complete(sodium: Any) -> None:
    """Put in what a picture cannot hold; then a game may begin."""
    importlib.import_module("cli.guests.inside.start").SODIUM.function = sodium
    sys.modules.pop("cbor2", None)
    vars(importlib.import_module("ledger.codec")).update(cbor2=importlib.import_module("cbor2"))
    random.seed()
