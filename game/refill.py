"""From the close of a bout to the next lead: R12, R13, R16–R20 and R23, in the order R12 fixes.

`close` ends a bout (asking for challenges first, R25), moves its cards and draws; the places drawn then wait,
in phase REFILL, for the tokens `owed` names; `settle` goes on: who is out, is it over, R19, next lead.
"""

from __future__ import annotations

from typing import Final

from game.cards import LOWEST_RANK, Card, Place, bit_set, members
from game.legality import challengers
from game.options import Options
from game.position import CLEARED, LED, Closed, Ending, Laid, Phase, Position, hidden_places
from game.seating import drawing_order, line_up, next_seat, teams_of
from ledger.engine import Seat

_REFILL: Final = Phase.REFILL
_LEAD: Final = Phase.LEAD
_new = tuple.__new__
_NOTHING: Final = tuple((0,) * seats for seats in range(7))

LAST_HEIGHT: Final = 4000
"""R19: play that reaches this height is a draw."""


def close(position: Position, height: int) -> Position:
    """Nobody has the word any more: a challenge round if anybody could accuse, else the bout is over."""
    if position.setup.cheating and challengers(position):
        return position._replace(phase=Phase.CHALLENGE, word=-1)
    return clear_table(position, height)


def clear_table(position: Position, height: int) -> Position:
    """R12, R16: the cards move, hands are filled. Phase REFILL."""
    plays = position.plays
    defender = position.defender
    discard = position.discard
    hands = list(position.hands)
    emptied = () if all(hands) else _emptied(position)
    if position.taking:
        limit = position.limit
        for laid in plays:
            hands[defender] |= 1 << laid.place
    else:
        limit = 6
        for laid in plays:
            discard |= 1 << laid.card
    top = position.next_place
    drawn = _NOTHING[len(hands)]
    if top < position.setup.deck:
        drawn, top = _draw(position, hands)
    closed = _new(Closed, (height, position.taking, defender, plays, emptied, drawn))
    table = (_REFILL, -1, tuple(hands), position.faces, position.seen, (), 0, 0, 0, 0, None, False)
    bout = (False, limit, top, discard, closed)
    return _new(Position, table + bout + position[CLEARED:])


def _emptied(position: Position) -> tuple[int, ...]:
    """Seats that are in and hold nothing, by the height of the play that emptied the hand."""
    last = {laid.seat: laid.height for laid in position.plays}
    empty = [seat for seat in members(position.seats_in) if not position.hands[seat]]
    return tuple(sorted(empty, key=lambda seat: last[seat]))


def _draw(position: Position, hands: list[int]) -> tuple[tuple[int, ...], int]:
    """R16: fill `hands` from the talon. The places drawn, per seat, and the new top of the talon."""
    top = position.next_place
    left = position.setup.deck - top
    drawn = [0] * len(hands)
    for seat in drawing_order(len(hands), position.leader, position.defender):
        number = 6 - hands[seat].bit_count()
        if number > 0 and position.seats_in >> seat & 1:
            if number > left:
                number = left
            left -= number
            drawn[seat] = places = (1 << number) - 1 << top
            hands[seat] |= places
            top += number
    return tuple(drawn), top


def owed(position: Position) -> tuple[tuple[Seat, tuple[Place, ...]], ...]:
    """R16: per seat that owes tokens for the cards just drawn, ascending, the places, ascending. () outside
    REFILL."""
    closed = position.closed
    if position.phase is not Phase.REFILL or closed is None:
        return ()
    everything = bit_set(tuple(place for drawn in closed.drawn for place in hidden_places(position, drawn)))
    debts = ((seat, everything & ~closed.drawn[seat]) for seat in members(position.seats_in))
    return tuple(
        (Seat(seat), tuple(Place(place) for place in members(places))) for seat, places in debts if places
    )


def owed_at_deal(options: Options) -> tuple[tuple[Seat, tuple[Place, ...]], ...]:
    """R2, R3: per seat, the places it owes tokens for when the cards are dealt, ascending: every other hand,
    and the trump place, which every seat answers, also the one that holds it."""
    trump = options.deck - 1
    return tuple(
        (
            Seat(seat),
            tuple(
                Place(place)
                for place in (*range(6 * options.seats), *([trump] if trump >= 6 * options.seats else []))
                if place // 6 != seat or place == trump
            ),
        )
        for seat in range(options.seats)
    )


def settle(position: Position, height: int) -> Position:
    """After the refill at `height` (or the tokens for it): who is out, is it over, R19, the next lead."""
    closed = position.closed
    if position.phase is not _REFILL or closed is None:
        raise ValueError("nothing to settle")
    setup = position.setup
    taken = closed.taken
    if closed.emptied:
        hands = position.hands
        leaving = tuple(seat for seat in closed.emptied if not hands[seat])
        seats_in = position.seats_in & ~bit_set(leaving)
        position = position._replace(seats_in=seats_in, out=position.out + leaving)
        if teams_of(seats_in, setup.team) <= 1:
            return _finish(position, closed)
    leader = closed.defender
    if taken or not position.seats_in >> leader & 1:
        leader = next_seat(leader, position.seats_in, setup.seats)
    memory = position.memory if taken and not any(closed.drawn) else ()
    after = next_bout(position, leader, memory)
    return after if height + 1 < LAST_HEIGHT else draw_if_too_long(after, height)


def next_bout(position: Position, leader: int, memory: tuple[tuple[int, tuple[int, ...]], ...]) -> Position:
    """The leader has the word, unless the same bout begins for the third time (R19)."""
    setup = position.setup
    key = (leader, position.hands)
    if memory and memory.count(key) >= 2:
        return finish(position, Ending.REPEATED, ())
    defender, order = line_up(setup.team, position.seats_in, leader, neighbours=setup.neighbours)
    word = (_LEAD, leader)
    bout = (leader, leader, defender, order, (*memory, key))
    return _new(Position, word + position[2:CLEARED] + bout + position[LED:])


def finish(
    position: Position, ending: Ending, duraks: tuple[int, ...], pogony: tuple[Card, ...] = ()
) -> Position:
    """Nothing more is played. The table stays as it is."""
    return position._replace(
        phase=Phase.OVER, word=-1, before=None, ending=ending, duraks=duraks, pogony=pogony
    )


def draw_if_too_long(position: Position, height: int) -> Position:
    """R19: when the next height is 4,000 and something would be due there, play is a draw."""
    if height + 1 < LAST_HEIGHT or position.phase is Phase.OVER:
        return position
    if position.phase is Phase.REFILL and not owed(position):
        return position
    return finish(position, Ending.TOO_LONG, ())


def _finish(position: Position, closed: Closed) -> Position:
    """R18, R20, R23: the seat or the whole team that still holds cards is the durak; nobody: a draw."""
    setup = position.setup
    holders = tuple(members(position.seats_in))
    if not holders:
        return finish(position, Ending.PLAYED, ())
    duraks = tuple(seat for seat in range(setup.seats) if setup.team[seat] == setup.team[holders[0]])
    pogony = _pogony(position, closed.plays) if closed.taken else ()
    return finish(position, Ending.PLAYED, duraks, pogony)


def _pogony(position: Position, plays: tuple[Laid, ...]) -> tuple[Card, ...]:
    """R20: the first two of the unbeaten cards, if all of them are of the lowest rank and none is a trump."""
    setup = position.setup
    beaten = {laid.on for laid in plays}
    unbeaten = [laid.card for laid in plays if laid.on < 0 and laid.card not in beaten]
    lowest = LOWEST_RANK[setup.deck]
    if any(card % 13 != lowest or card // 13 == setup.trump_suit for card in unbeaten):
        return ()
    return tuple(Card(card) for card in unbeaten[:2])
