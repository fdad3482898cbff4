"""The easy bot (R34): attacks low, beats with the smallest card that beats, accuses nothing."""

from __future__ import annotations

from game.actions import PASS, TAKE, Action, Beat, Lead, Show, Throw, Transfer
from game.bots.bot import Stop, Turn
from game.bots.honest import honest_plays, no_accusation
from game.position import Phase, Setup


def weight(setup: Setup, card: int) -> int:
    """Order of cards by what they are worth: plain cards by rank, then trumps by rank."""
    return card % 13 + 13 * (card // 13 == setup.trump_suit)


class Easy:
    """No dice, no memory."""

    def decide(self, turn: Turn, stop: Stop) -> Action:
        silent = no_accusation(turn)
        if silent is not None:
            return silent
        plays = honest_plays(turn)
        setup = turn.position.setup

        def cost(action: Lead | Throw | Beat | Transfer | Show) -> tuple[int, int]:
            if isinstance(action, Lead):
                return len(action.cards), weight(setup, action.cards[0])
            return 0, weight(setup, action.card)

        if turn.position.phase is Phase.LEAD:
            return min((play for play in plays if isinstance(play, Lead)), key=cost)
        if turn.position.phase is Phase.DEFEND:
            for kind in (Beat, Transfer, Show):
                found = [play for play in plays if isinstance(play, kind)]
                if found:
                    return min(found, key=cost)
            return TAKE
        throws = [play for play in plays if isinstance(play, Throw)]
        if turn.position.next_place < setup.deck:
            throws = [play for play in throws if play.card // 13 != setup.trump_suit]
        return min(throws, key=cost, default=PASS)
