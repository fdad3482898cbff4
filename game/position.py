"""What is public about a game in play: a tuple of ints, hands as sets of deck places, never a hidden face.

Everything here follows from the log; two peers with the same log hold equal positions. A position is never
changed, only followed by another. `setup` is the same object throughout a game.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

from game.cards import Card, Place, members
from game.setup import Setup as Setup  # part of every position: readers find it here too
from ledger.engine import Seat, Value


class Phase(IntEnum):
    """What the game waits for."""

    OPENING = 0
    """Cards are dealt; who leads is not known yet (R4, R5)."""
    LEAD = 1
    """The leader has the word."""
    DEFEND = 2
    """A card lies unbeaten: the defender has the word (R8)."""
    THROW = 3
    """All is beaten: a thrower has the word (R10)."""
    GIVE = 4
    """The defender takes: a thrower has the word (R11)."""
    CHALLENGE = 5
    """The bout is about to close: a challenge round (R25)."""
    REFILL = 6
    """The bout is closed, cards are drawn; `settle` goes on when their tokens are there (R16)."""
    OVER = 7
    """Nothing more is played; `ending` says how it came."""


class Ending(IntEnum):
    """How a game ended."""

    NONE = 0
    PLAYED = 1
    """R18, R23: one seat or team, or nobody, holds cards."""
    REPEATED = 2
    """R19: the same bout for the third time, a draw."""
    TOO_LONG = 3
    """R19: height 4,000, a draw."""
    RESIGNED = 4
    """R28."""
    ABORTED = 5
    """R30 with `absent = durak`."""
    VOID = 6
    """R30 with `absent = void`: no result."""


class Result(NamedTuple):
    """R29: `outcome` 0 durak, 1 draw; `duraks` ascending; `order_out` first to last; `pogony` as laid."""

    outcome: int
    duraks: tuple[int, ...]
    order_out: tuple[int, ...]
    pogony: tuple[Card, ...]


DURAK: Final = 0
DRAW: Final = 1


HONEST: Final = 1
FALSE: Final = 2


class Laid(NamedTuple):
    """One card on the table. `on` is the attack card it beats, −1 for an attack card.

    `cheat` is 0 for a play nobody may accuse, else `HONEST` or `FALSE`, fixed by the table it was laid on
    (R24).
    """

    card: int
    place: int
    seat: int
    height: int
    on: int
    cheat: int


class Closed(NamedTuple):
    """The bout that closed last, for `settle` and for those who tell the story."""

    height: int
    taken: bool
    defender: int
    plays: tuple[Laid, ...]
    emptied: tuple[int, ...]
    """Seats whose hand was empty at the close, in the order the hands became empty (R17)."""
    drawn: tuple[int, ...]
    """Per seat, the set of places drawn (R16)."""


class Position(NamedTuple):
    """The whole public state of play. Sets are ints: of seats, places, cards, ranks. −1 is nobody.

    Fields stand in the order of how often they change: the first twelve with an action (`with_table`), five
    more when a bout closes, five when one begins, the rest hardly ever. Only game/ itself may count on the
    order.
    """

    phase: Phase
    word: int
    """The seat that has the word in LEAD, DEFEND, THROW and GIVE, else −1."""
    hands: tuple[int, ...]
    """Per seat, the set of places it holds."""
    faces: int
    """Public faces by place, six bits each: 0 unknown, else card + 1. Never a hidden one."""
    seen: int
    """The set of public cards."""
    plays: tuple[Laid, ...]
    """The cards of this bout, as laid."""
    attacks: int
    """Number of attack cards on the table."""
    unbeaten: int
    """Set of attack cards that lie unbeaten."""
    ranks: int
    """Set of ranks on the table."""
    passed: int
    """Set of seats whose pass binds; in GIVE, who has answered."""
    before: Position | None
    """With cheating: the position before the last play that still lies on the table (R26)."""
    taking: bool

    shown: bool
    """A trump was shown in this bout (R15)."""
    limit: int
    """5 or 6 attack cards (R7)."""
    next_place: int
    """Top of the talon; talon = deck − next_place cards."""
    discard: int
    """Set of cards in the discard."""
    closed: Closed | None

    leader: int
    """Who led this bout: draws first (R16)."""
    head: int
    """Head of the asking order (R10)."""
    defender: int
    order: tuple[int, ...]
    """The seats that may be asked to throw in, in asking order."""
    memory: tuple[tuple[int, tuple[int, ...]], ...]
    """(leader, hands) at bout starts since the last card was discarded or drawn: no earlier one can
    return (R19)."""
    setup: Setup

    seats_in: int
    """Set of seats that are in."""
    out: tuple[int, ...]
    """The order of going out."""
    marked: int
    """Set of marked seats (R26)."""
    ending: Ending
    duraks: tuple[int, ...]
    pogony: tuple[Card, ...]


TABLE: Final = 12
"""How many of the fields change with an action. `game.bout` builds `(…twelve…) + position[TABLE:]`, several
times faster than `_replace`."""
CLEARED: Final = 17
LED: Final = 22
"""The same for the fields up to `closed` and up to `memory`, set by `game.refill`."""


def face(position: Position, place: int) -> Card | None:
    """The public face of a place, None while it is hidden."""
    known = position.faces >> 6 * place & 63
    return Card(known - 1) if known else None


def publish(position: Position, place: int, card: int) -> Position:
    """The same position with one more public face."""
    return position._replace(faces=position.faces | card + 1 << 6 * place, seen=position.seen | 1 << card)


def hidden_places(position: Position, places: int) -> tuple[Place, ...]:
    """Those of a set of places whose face is not public, ascending."""
    faces = position.faces
    return tuple(Place(place) for place in members(places) if not faces >> 6 * place & 63)


def known_cards(position: Position, seat: int) -> tuple[Card, ...]:
    """The cards all know this seat to hold, ascending."""
    faces = position.faces
    found = (faces >> 6 * place & 63 for place in members(position.hands[seat]))
    return tuple(sorted(Card(face - 1) for face in found if face))


def talon(position: Position) -> int:
    """How many cards lie in the talon."""
    return position.setup.deck - position.next_place


def counts(position: Position) -> tuple[int, ...]:
    """Per seat, how many cards it holds."""
    return tuple(hand.bit_count() for hand in position.hands)


def still_in(position: Position) -> tuple[Seat, ...]:
    """The seats that are in (R17), ascending."""
    return tuple(Seat(seat) for seat in members(position.seats_in))


def hand_places(position: Position, seat: int) -> tuple[Place, ...]:
    """The places this seat holds, ascending."""
    return tuple(Place(place) for place in members(position.hands[seat]))


def refilling(position: Position) -> bool:
    """A bout has closed and cards were drawn; `settle` is due."""
    return position.phase is Phase.REFILL


def over(position: Position) -> bool:
    """Nothing more is played."""
    return position.phase is Phase.OVER


def drawn(position: Position) -> tuple[tuple[Seat, Place], ...]:
    """In REFILL: who drew which place, ascending by place. () otherwise."""
    if position.phase is not Phase.REFILL or position.closed is None:
        return ()
    pairs = ((seat, place) for seat, places in enumerate(position.closed.drawn) for place in members(places))
    return tuple((Seat(seat), Place(place)) for seat, place in sorted(pairs, key=lambda pair: pair[1]))


def capacity(position: Position) -> int:
    """R7: how many more attack cards may be laid on this table, whoever lays them."""
    if position.defender < 0:
        return 0
    room = position.hands[position.defender].bit_count() - position.unbeaten.bit_count()
    return max(0, min(position.limit - position.attacks, room))


def pairs(position: Position) -> tuple[tuple[Laid, Laid | None], ...]:
    """The table: each attack card as laid, and the card that beat it."""
    beats = {laid.on: laid for laid in position.plays if laid.on >= 0}
    return tuple((laid, beats.get(laid.card)) for laid in position.plays if laid.on < 0)


def laid_at(position: Position, height: int) -> Laid | None:
    """The card on the table that was laid at that height; of several led at once, the first."""
    for laid in position.plays:
        if laid.height == height:
            return laid
    return None


def public_items(position: Position) -> tuple[Value, ...]:
    """All that is public as nested tuples of ints, canonical: for hashing. Equal positions, equal values.

    `before` is left out: it follows from the plays on the table and the log.
    """
    closed = position.closed
    faces = position.faces
    return (
        int(position.phase),
        position.word,
        position.hands,
        position.next_place,
        tuple([(faces >> shift & 63) - 1 for shift in range(0, 6 * position.setup.deck, 6)]),
        position.leader,
        position.head,
        position.defender,
        position.order,
        tuple(tuple(laid) for laid in position.plays),
        position.passed,
        int(position.taking),
        int(position.shown),
        position.limit,
        position.discard,
        position.seats_in,
        position.out,
        position.marked,
        position.memory,
        (
            closed.height,
            int(closed.taken),
            closed.defender,
            tuple(tuple(laid) for laid in closed.plays),
            closed.emptied,
            closed.drawn,
        )
        if closed is not None
        else (),
        int(position.ending),
        position.duraks,
        position.pogony,
    )
