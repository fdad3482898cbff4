"""Playing honestly (R33), whatever the table allows, and telling on those who do not."""

from __future__ import annotations

from game.actions import NO_CHALLENGE, Accuse, Action, Challenge, Resign
from game.bots.bot import Turn
from game.position import Phase, laid_at
from game.rules import is_upheld, legal_actions


def honest_plays(turn: Turn) -> list[Action]:
    """The legal card plays, takes and passes that are true to the ranks and suits. Never empty in a turn.

    They are what the rules would leave a marked seat (R26), so no rule is said again here.
    """
    position = turn.position
    if not position.setup.cheating:
        return [action for action in turn.legal if not isinstance(action, Resign)]
    bound = position._replace(marked=position.marked | 1 << turn.seat)
    return [
        action
        for action in legal_actions(bound, turn.seat, turn.hand)
        if not isinstance(action, Accuse | Resign) and action in turn.legal
    ]


def accusation(turn: Turn) -> Action | None:
    """A legal accusation of a false play on the table, the earliest first; None if there is nothing to tell.

    A partner's play in defence is passed over in silence: accusing it would only hurt the own team (R34).
    """
    position = turn.position
    team = position.setup.team
    for action in turn.legal:
        if not isinstance(action, Accuse | Challenge) or action.height is None:
            continue
        laid = laid_at(position, action.height)
        if laid is None or not is_upheld(position, action.height):
            continue
        if laid.on >= 0 and team[laid.seat] == team[turn.seat]:
            continue
        return action
    return None


def no_accusation(turn: Turn) -> Action | None:
    """The empty answer in a challenge round; None elsewhere."""
    return NO_CHALLENGE if turn.position.phase is Phase.CHALLENGE else None
