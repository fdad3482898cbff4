"""How one person is spoken to: language, cards, the names at the table and which of them is "you"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cli.known_bots import bot_seats, bots_at
from cli.texts.names import HarmlessName, harmless, told_apart
from game.cards import Card

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cli.app import App
    from cli.game_peer import GamePeer
    from cli.tables import AtTable
    from cli.texts.cards import CardStyle
    from cli.texts.catalogue import Texts
    from ledger.engine import Seat


@dataclass(frozen=True, slots=True)
class Voice:
    """`names`: one per seat, already harmless and told apart. `me`: the seat spoken to, None for a
    spectator."""

    texts: Texts
    cards: CardStyle
    names: tuple[HarmlessName, ...]
    me: Seat | None

    @classmethod
    def at_table(
        cls, cards: CardStyle, names: tuple[str, ...], me: Seat | None, bots: frozenset[Seat] = frozenset()
    ) -> Voice:
        """The voice for a table whose raw names come from its genesis; `bots`: the seats known to have
        one."""
        texts = cards.texts
        clean = (
            harmless(name, otherwise=texts.say("seat.unnamed", number=seat + 1), bot=seat in bots)
            for seat, name in enumerate(names)
        )
        return cls(texts, cards, told_apart(tuple(clean), ours=texts.say("seat.you")), me)

    def name(self, seat: int) -> str:
        """The name at a seat, whoever it is."""
        return self.names[seat]

    def someone(self, seat: int) -> str:
        """ "you" for the person spoken to, else the name."""
        return self.texts.say("seat.you") if seat == self.me else self.names[seat]

    def people(self, seats: Iterable[int]) -> str:
        """Several seats in one phrase."""
        return self.texts.listed(self.someone(seat) for seat in seats)

    def tell(self, message: str, seat: int, /, **parameters: object) -> str:
        """A sentence about `seat`: the `.me` form of the message when it is the person spoken to."""
        if seat == self.me:
            return self.texts.say(message + ".me", **parameters)
        return self.texts.say(message, name=self.names[seat], **parameters)

    def tell_count(self, message: str, seat: int, number: int, /, **parameters: object) -> str:
        """As `tell`, in the plural form `number` asks for."""
        if seat == self.me:
            return self.texts.count(message + ".me", number, **parameters)
        return self.texts.count(message, number, name=self.names[seat], **parameters)

    def reason(self, message: str, parameters: Mapping[str, object]) -> str:
        """The words for a `reason` of the core, whose parameters are cards, seats and ranks as ints."""
        said = {name: self._parameter(name, value) for name, value in parameters.items()}
        return self.texts.say(message, **said)

    def _parameter(self, name: str, value: object) -> object:
        if not isinstance(value, int):
            return value
        if name in CARD_PARAMETERS:
            return self.cards.card(Card(value))
        if name in SEAT_PARAMETERS and 0 <= value < len(self.names):
            return self.names[value]
        return self.cards.rank(value) if name == "rank" else value


CARD_PARAMETERS = frozenset({"attack", "card", "face"})
SEAT_PARAMETERS = frozenset({"seat", "defender"})
"""What a number in a reason's parameters stands for, by the parameter's name."""


def voice_for(app: App, at: AtTable, game: GamePeer) -> Voice:
    """How the person at this seat is spoken to."""
    bots = bot_seats(game.genesis, bots_at(at))
    return Voice.at_table(app.style, game.state.setup.names, game.seat, bots)
