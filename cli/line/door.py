"""Who asks the host to be let in: told once, one after the other, before a game and during one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.line.lobby import newcomer_name
from p2p.codes import fingerprint
from p2p.known import Verdict
from p2p.lobby import LobbyError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.app import App
    from cli.tables import AtTable


class Door:
    """The door of one table, with one person who answers."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._told: set[bytes] = set()

    def news(self, at: AtTable) -> Iterator[str]:
        """Who comes next, with what there is to be warned of; nothing if that was said."""
        if not at.peer.asking:
            return
        guest, texts = at.peer.asking[0], self._app.texts
        if guest.identity in self._told:
            return
        self._told.add(guest.identity)
        name = newcomer_name(guest.name, at.peer.table, texts)
        yield texts.say("lobby.asks-watch" if guest.watching else "lobby.asks-seat", name=name)
        if at.home.book().judge(guest.identity, guest.name) is Verdict.OTHER_KEY:
            yield texts.say("known.other-key", name=name, mark=fingerprint(guest.identity)[:4])

    def again(self, at: AtTable) -> None:
        """What was typed is no answer: let `news` put the question once more."""
        if at.peer.asking:
            self._told.discard(at.peer.asking[0].identity)

    def answer(self, at: AtTable, *, admit: bool) -> None:
        """The person's word on who was told last."""
        guest = at.peer.asking[0]
        self._told.discard(guest.identity)
        try:
            at.peer.answer(guest, admit=admit)
        except LobbyError as error:  # gone meanwhile
            self._app.tell(error.reason, **error.params)
