"""The rules of docs/rules.md behind one door. Pure functions on `Position`; they know no cryptography.

A game, as its driver sees it:

    position = start(options, trump)                      dealt; phase OPENING, nobody leads yet
    position = open_first_bout(position, leader)          after R4 (game.claims) or R5
    while not over(position):
        if refilling(position):                           a bout closed; `position.closed` tells how it went
            owed(position)                                who owes tokens for which drawn places; () = nobody
            position = settle(position, height)           the height of the close, or of its TOKENS round
        else:
            dues(position)                                ((seat, kinds), …); kinds are action classes
            check(position, seat, action)                 raises IllegalMove(rule, reason, **params)
            position = apply(position, ((seat, action), …), height)
    result(position)                                      Result, or None for a void game

- `height` is the log height of what is applied: accusations name it (R25) and 4,000 ends play (R19).
- `met` has one action per due, in due order; only a challenge round has more than one.
- `apply` may leave phase REFILL: call `settle` once the tokens are there. It never settles by itself.
- `legal_actions(position, seat, hand)`, hand {place: card}, is exactly what `check` accepts for true faces.
- `abort(position, waiting_for)` from outside (R30). `next_leader`, `series_points` for the table (R5, R31).
- Tokens at the deal: `owed_at_deal(options)`. Claims for the lowest trump: module `game.claims`.
- Fully known games, for bots and tests: module `game.open_table`.
"""

from __future__ import annotations

from typing import assert_never

from game import bout, cheating, ending
from game.actions import (
    Accuse,
    Action,
    Beat,
    Challenge,
    Lead,
    Pass,
    Resign,
    Show,
    Take,
    Throw,
    Transfer,
    cards_laid,
)
from game.bout import is_true_beat, is_true_throw
from game.cards import Card
from game.cheating import is_upheld
from game.ending import abort, next_leader, result, series_points, the_durak
from game.legality import accusable, check, dues, refusal
from game.moves import legal_actions, moves
from game.options import Options
from game.position import (
    Closed,
    Ending,
    Laid,
    Phase,
    Position,
    Result,
    capacity,
    counts,
    drawn,
    face,
    hand_places,
    known_cards,
    over,
    pairs,
    public_items,
    publish,
    refilling,
    still_in,
    talon,
)
from game.refill import LAST_HEIGHT, draw_if_too_long, next_bout, owed, owed_at_deal, settle
from game.setup import setup_of

__all__ = [
    "Closed",
    "Ending",
    "Laid",
    "Phase",
    "Position",
    "Result",
    "abort",
    "accusable",
    "apply",
    "capacity",
    "cards_laid",
    "check",
    "counts",
    "drawn",
    "dues",
    "face",
    "hand_places",
    "is_true_beat",
    "is_true_throw",
    "is_upheld",
    "known_cards",
    "legal_actions",
    "moves",
    "next_leader",
    "open_first_bout",
    "over",
    "owed",
    "owed_at_deal",
    "pairs",
    "play",
    "public_items",
    "publish",
    "refilling",
    "refusal",
    "result",
    "series_points",
    "settle",
    "start",
    "still_in",
    "talon",
    "the_durak",
]


def start(options: Options, trump: Card) -> Position:
    """R2, R3: six cards each, the last place of the deck open: the trump."""
    setup = setup_of(options, trump)
    return Position(
        phase=Phase.OPENING,
        word=-1,
        hands=tuple(0b111111 << 6 * seat for seat in range(setup.seats)),
        faces=trump + 1 << 6 * (setup.deck - 1),
        seen=1 << trump,
        plays=(),
        attacks=0,
        unbeaten=0,
        ranks=0,
        passed=0,
        taking=False,
        before=None,
        shown=False,
        head=-1,
        defender=-1,
        order=(),
        leader=-1,
        limit=options.first_limit or 6,
        next_place=6 * setup.seats,
        discard=0,
        seats_in=(1 << setup.seats) - 1,
        out=(),
        marked=0,
        memory=(),
        closed=None,
        ending=Ending.NONE,
        duraks=(),
        pogony=(),
        setup=setup,
    )


def open_first_bout(position: Position, leader: int) -> Position:
    """The first leader is known (R4, R5) and has the word."""
    return next_bout(position, leader, ())


def apply(position: Position, met: tuple[tuple[int, Action], ...], height: int) -> Position:
    """The position after a height: `met` holds the checked action of every due, in due order."""
    if position.phase is Phase.CHALLENGE:
        answers = tuple((seat, action) for seat, action in met if isinstance(action, Challenge))
        return draw_if_too_long(cheating.challenge(position, answers, height), height)
    ((_, action),) = met
    return play(position, action, height)


def play(position: Position, action: Action, height: int) -> Position:
    """The position after a checked action of the seat that has the word."""
    match action:
        case Lead():
            after = bout.lead(position, action, height)
        case Pass():
            after = bout.pass_(position, height)
        case Beat():
            after = bout.beat(position, action, height)
        case Take():
            after = bout.take(position, height)
        case Throw():
            after = bout.throw(position, action, height)
        case Transfer():
            after = bout.transfer(position, action, height)
        case Show():
            after = bout.show(position, action)
        case Accuse():
            after = cheating.accuse(position, action)
        case Resign():
            after = ending.resign(position, position.word)
        case Challenge():
            raise ValueError("a challenge is answered in a round")
        case _:
            assert_never(action)
    return after if height + 1 < LAST_HEIGHT else draw_if_too_long(after, height)
