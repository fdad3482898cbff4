"""Guests that mean harm: the bundle's own files, but for one that is changed in that guest's browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cli.guests.bundle import load, write

LAST = 'return python.pyimport("cli.guests.inside.start").start;'
FACE = """
from dataclasses import replace
from cli.peer import Peer
from game.actions import Lead
from ledger.entry import sign_entry
honest = Peer.act

async def act(self, action):
    game = self.game
    hidden = [each for each in game.view().hand if not each.public]
    if not isinstance(action, Lead) or len(hidden) < 2:
        return await honest(self, action)
    one, other = hidden[:2]
    kind, payload = game._own.write(game.state, Lead((one.place,), (one.card,)))
    lie = (payload[0], (other.card,), payload[2])
    body = replace(game.log.draft(game.seat, kind, payload), payload=lie)
    record = sign_entry(game._key, body)
    self.node.push(game.genesis.game_id, (record,))
    self.flush()

Peer.act = act
"""
"""Leads a card and says it is another of its hand: all the rules allow, but the opening does not show it."""
FORK = """
from cli.peer import Peer
from game import kinds
from ledger.entry import sign_entry
honest = Peer.act

async def act(self, action):
    game = self.game
    written = {game._own.write(game.state, each) for each in game.view().legal}
    leads = [each for each in written if each[0] == kinds.LEAD]
    if len(leads) < 2:
        return await honest(self, action)
    records = tuple(sign_entry(game._key, game.log.draft(game.seat, *each)) for each in leads[:2])
    self.node.push(game.genesis.game_id, records)
    self.flush()

Peer.act = act
"""
"""Signs two leads for one due."""


def text_of(true: Path, name: str, *changes: tuple[str, str]) -> str:
    """File `name` of the bundle at `true` with each old text replaced by a new one."""
    body = load(true).files[name].decode()
    for old, new in changes:
        assert body.count(old) == 1
        body = body.replace(old, new)
    return body


def changed(true: Path, out: Path, name: str, *changes: tuple[str, str]) -> Path:
    """A bundle at `out` like the one at `true` but for one file, with a manifest to match."""
    files = {each: data for each, data in load(true).files.items() if each != "manifest.json"}
    write(out, files | {name: text_of(true, name, *changes).encode()})
    return out


async def give_program(context: Any, true: Path, program: str) -> None:
    """Workers of `context` run `program` in Python before they start."""
    body = text_of(true, "interpreter.js", (LAST, f"python.runPython(`{program}`);\n  {LAST}"))

    async def answer(route: Any) -> None:
        await route.fulfill(body=body, content_type="text/javascript", headers={"Cache-Control": "no-store"})

    await context.route("**/interpreter.js", answer)
