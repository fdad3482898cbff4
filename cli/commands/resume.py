"""Bare `durak`: offer to go on with an unfinished game, else say what there is; `durak games resume ID`."""

from __future__ import annotations

import secrets
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from cli.asking import agreed
from cli.commands.games import Kept, kept_games, line_of
from cli.evening import Face, spend
from cli.exits import CommandError, Exit
from cli.faces import face_of, wants_page
from cli.finding import announced
from cli.guests.hosting import guest_bundle, invited_guests
from cli.house_bots import bot_level, house_bots
from cli.line.face import LineFace, ToldBotFace
from cli.line.invitation import guest_lines, invitation_lines
from cli.line.terminal import Keyboard
from cli.mishaps import run_loop
from cli.tables import Part, resumed
from game.bots import bot
from ledger.store import GameStore

if TYPE_CHECKING:
    import argparse

    from cli.app import App
    from cli.page.feed import Mode
    from cli.tables import AtTable
    from game.bots import Level


def run(app: App, arguments: argparse.Namespace) -> Exit:
    """Offer the game changed last, if one is unfinished."""
    unfinished = [
        kept for kept in kept_games(app.home) if kept.ours and Part.of(kept.folder) and kept.unfinished
    ]
    if not unfinished:
        app.tell("resume.nothing")
        return Exit.OK
    app.show([line_of(app, unfinished[0])])
    _free(unfinished[0])
    if agreed(app, "resume.sure"):
        return resume(app, unfinished[0])
    app.tell("resume.later")
    return Exit.OK


def _free(kept: Kept) -> None:
    """Raise CommandError if another process plays this game, or its folder cannot be written. Raises as
    `GameStore.open` does."""
    store = GameStore.open(kept.folder)
    locked = store.read_only == "store.locked"
    refusal = store.refusal
    store.close()
    if refusal:
        raise CommandError(Exit.IO, "error.disk", name=kept.folder, why=refusal)
    if locked:
        raise CommandError(Exit.IO, "resume.elsewhere")


def resume(app: App, kept: Kept, *, page: bool | None = None) -> Exit:
    """Go on with a game of this device; `page`: --page or --text, None for neither. Raises CommandError if
    it is not known how."""
    part = Part.of(kept.folder)
    if not kept.ours and kept.unfinished:
        raise CommandError(Exit.IO, "resume.watched")
    if part is None:
        raise CommandError(Exit.IO, "resume.unknown", game=kept.short)
    _free(kept)
    told = part.role != "play" and bool(part.level)
    shown = not told and wants_page(said=page, by_itself=part.role == "play")
    return run_loop(app, _resume(app, kept, part, page=shown))


async def _resume(app: App, kept: Kept, part: Part, *, page: bool) -> Exit:
    mode: Mode = "practice" if part.role == "play" else "friends"
    async with AsyncExitStack() as stack:
        face = await stack.enter_async_context(face_of(app, mode, page=page, line=lambda: _face(app, part)))
        at = await stack.enter_async_context(
            resumed(app, kept.folder, part, bot=part.role != "play" and bool(part.level))
        )
        if kept.unfinished:
            app.tell("resume.going-on")
        else:
            app.tell("resume.over", stands=app.texts.say(kept.stands))
        if part.role == "host":
            await stack.enter_async_context(announced(app, at, quiet=False))
            app.show(invitation_lines(app, at))
            app.show(guest_lines(app, await _guests(app, at, stack, quiet=page)))
        if part.role in {"host", "play"}:
            await stack.enter_async_context(house_bots(app, at, bot_level(part.bot_level), again=True))
        return await spend(at, face)


async def _guests(app: App, at: AtTable, stack: AsyncExitStack, *, quiet: bool) -> tuple[str, ...]:
    """The page for guests where there was one, at its old address. Without it the others still play."""
    part = at.part
    if not part.guest_port:
        return ()
    try:
        bundle = guest_bundle(app, part.guest_folder)
        page = invited_guests(app, at, bundle, folder=part.guest_folder, port=part.guest_port, quiet=quiet)
        return await stack.enter_async_context(page)
    except CommandError as error:
        app.tell(error.message, **error.parameters)
        return ()


def _face(app: App, part: Part) -> Face:
    keyboard = Keyboard()
    if part.level and part.role != "play":
        level: Level = part.level  # type: ignore[assignment]
        return ToldBotFace(app, keyboard, bot(level, secrets.randbits))
    return LineFace(app, keyboard, ask_all=False, alone=part.role == "play")
