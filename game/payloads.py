"""The payload of each kind: its shape, and nothing of its truth (DESIGN §3).

Every function that reads a payload raises `Forbidden("I_SHAPE")` for any other form. Numbers are checked
against the bounds that hold in every game; whether a place or card exists in *this* deck is a rule.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from game import kinds
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
)
from game.cards import Card, Place
from ledger.engine import Height, Kind, Payload, Seat, Value
from ledger.errors import Forbidden

if TYPE_CHECKING:
    from game.rules import Result

POINT = 32
SCALAR = 32
SCHNORR = 2 * SCALAR
"""A challenge and an answer: the proof of keys and of tokens."""
CARDS = 52
MAX_HEIGHT = 4096


class Opening(NamedTuple):
    """Tokens for those of the cards whose faces are not public, by ascending place, and their one proof."""

    tokens: bytes
    proof: bytes


class KeyOpening(NamedTuple):
    """OPEN_KEYS: a seat's deck key X (32 B), the proof of it (64 B), its beacon nonce (32 B)."""

    key: bytes
    proof: bytes
    nonce: bytes


class Shuffle(NamedTuple):
    """SHUFFLE: the output deck (64·N B) and the proof (32·(3N+6) B)."""

    deck: bytes
    proof: bytes


class Tokens(NamedTuple):
    """TOKENS: ascending places, a token of 32 B for each, one proof of 64 B."""

    places: tuple[Place, ...]
    tokens: bytes
    proof: bytes


class TrumpOpening(NamedTuple):
    """OPEN: the best claimant shows his trump."""

    place: Place
    card: Card
    opening: Opening | None


class SignedResult(NamedTuple):
    """RESULT: outcome 0 durak or 1 draw; duraks ascending; seats by order of going out; pogony as laid."""

    outcome: int
    duraks: tuple[Seat, ...]
    order_out: tuple[Seat, ...]
    pogony: tuple[Card, ...]


Played: TypeAlias = "tuple[Action, Opening | None]"


def _shape(detail: str) -> Forbidden:
    return Forbidden("I_SHAPE", reason="forbidden.shape", detail=detail)


def _items(payload: Payload, count: int) -> Payload:
    if len(payload) != count:
        raise _shape(f"{len(payload)} items, {count} expected")
    return payload


def _bytes(value: Value, length: int, name: str) -> bytes:
    if type(value) is not bytes or len(value) != length:
        raise _shape(f"{name}: {length} bytes expected")
    return value


def _below(value: Value, bound: int, name: str) -> int:
    if type(value) is not int or not 0 <= value < bound:
        raise _shape(f"{name}: a number below {bound} expected")
    return value


def _numbers(value: Value, bound: int, most: int, name: str) -> tuple[int, ...]:
    if type(value) is not tuple or len(value) > most:
        raise _shape(f"{name}: an array of at most {most} expected")
    return tuple(_below(item, bound, name) for item in value)


def _place(value: Value) -> Place:
    return Place(_below(value, CARDS, "place"))


def _card(value: Value) -> Card:
    return Card(_below(value, CARDS, "card"))


def _opening(value: Value, most: int) -> Opening | None:
    if value is None:
        return None
    if type(value) is not tuple or len(value) != 2:
        raise _shape("opening: [tokens, proof] or null expected")
    tokens, proof = value
    if type(tokens) is not bytes or len(tokens) % POINT or not POINT <= len(tokens) <= POINT * most:
        raise _shape(f"tokens: 1 to {most} points expected")
    return Opening(tokens, _bytes(proof, SCHNORR, "proof"))


def read_join(payload: Payload) -> bytes:
    """The commitment, 32 bytes."""
    return _bytes(_items(payload, 1)[0], 32, "commitment")


def read_open_keys(payload: Payload) -> KeyOpening:
    key, proof, nonce = _items(payload, 3)
    return KeyOpening(_bytes(key, POINT, "key"), _bytes(proof, SCHNORR, "proof"), _bytes(nonce, 32, "nonce"))


def read_shuffle(payload: Payload, cards: int) -> Shuffle:
    deck, proof = _items(payload, 2)
    return Shuffle(_bytes(deck, 2 * POINT * cards, "deck"), _bytes(proof, SCALAR * (3 * cards + 6), "proof"))


def read_empty(payload: Payload) -> None:
    """ACK, TAKE, PASS and RESIGN say nothing more."""
    _items(payload, 0)


def read_tokens(payload: Payload) -> Tokens:
    places, tokens, proof = _items(payload, 3)
    numbers = _numbers(places, CARDS, CARDS, "places")
    if not numbers or any(a >= b for a, b in pairwise(numbers)):
        raise _shape("places: ascending, each once, at least one")
    return Tokens(
        tuple(Place(number) for number in numbers),
        _bytes(tokens, POINT * len(numbers), "tokens"),
        _bytes(proof, SCHNORR, "proof"),
    )


def read_claim(payload: Payload) -> int | None:
    """The claimed rank, 0 (two) … 12 (ace), or None."""
    rank = _items(payload, 1)[0]
    return None if rank is None else _below(rank, 13, "rank")


def read_open(payload: Payload) -> TrumpOpening:
    place, card, opening = _items(payload, 3)
    return TrumpOpening(_place(place), _card(card), _opening(opening, 1))


def read_no_lower(payload: Payload) -> bytes:
    """The proof: its length depends on the statement, which the verifier knows."""
    proof = _items(payload, 1)[0]
    if type(proof) is not bytes or len(proof) % SCALAR or not proof:
        raise _shape("proof: whole scalars expected")
    return proof


def read_result(payload: Payload) -> SignedResult:
    outcome, duraks, order_out, pogony = _items(payload, 4)
    return SignedResult(
        _below(outcome, 2, "outcome"),
        tuple(Seat(seat) for seat in _numbers(duraks, 6, 6, "duraks")),
        tuple(Seat(seat) for seat in _numbers(order_out, 6, 6, "order out")),
        tuple(Card(card) for card in _numbers(pogony, CARDS, 2, "pogony")),
    )


def read_secret(payload: Payload) -> bytes:
    """The deck secret x, 32 bytes little-endian."""
    return _bytes(_items(payload, 1)[0], SCALAR, "secret")


def read_action(kind: Kind, payload: Payload) -> Played:
    """What a seat decided (kinds 8–17), with the opening of its cards where it carries one."""
    match kind:
        case kinds.LEAD:
            places, cards, opening = _items(payload, 3)
            where = tuple(Place(item) for item in _numbers(places, CARDS, 6, "places"))
            which = tuple(Card(item) for item in _numbers(cards, CARDS, 6, "cards"))
            if not where or len(where) != len(which):
                raise _shape("as many places as cards, at least one")
            return Lead(where, which), _opening(opening, 6)
        case kinds.BEAT:
            attack, place, card, opening = _items(payload, 4)
            return Beat(_card(attack), _place(place), _card(card)), _opening(opening, 1)
        case kinds.TRANSFER:
            place, card, opening = _items(payload, 3)
            return Transfer(_place(place), _card(card)), _opening(opening, 1)
        case kinds.SHOW:
            place, card, opening = _items(payload, 3)
            return Show(_place(place), _card(card)), _opening(opening, 1)
        case kinds.THROW:
            place, card, opening = _items(payload, 3)
            return Throw(_place(place), _card(card)), _opening(opening, 1)
        case kinds.TAKE:
            read_empty(payload)
            return Take(), None
        case kinds.PASS:
            read_empty(payload)
            return Pass(), None
        case kinds.RESIGN:
            read_empty(payload)
            return Resign(), None
        case kinds.ACCUSE:
            return Accuse(Height(_below(_items(payload, 1)[0], MAX_HEIGHT, "height"))), None
        case kinds.CHALLENGE:
            target = _items(payload, 1)[0]
            return Challenge(None if target is None else Height(_below(target, MAX_HEIGHT, "height"))), None
        case _:
            raise _shape(f"kind {kind} is no decision")


def write_action(action: Action, opening: Opening | None) -> tuple[Kind, Payload]:
    """The inverse of `read_action`."""
    opened: Value = None if opening is None else (opening.tokens, opening.proof)
    match action:
        case Lead(places, cards):
            return kinds.LEAD, (tuple(places), tuple(cards), opened)
        case Beat(attack, place, card):
            return kinds.BEAT, (attack, place, card, opened)
        case Transfer(place, card):
            return kinds.TRANSFER, (place, card, opened)
        case Show(place, card):
            return kinds.SHOW, (place, card, opened)
        case Throw(place, card):
            return kinds.THROW, (place, card, opened)
        case Take():
            return kinds.TAKE, ()
        case Pass():
            return kinds.PASS, ()
        case Resign():
            return kinds.RESIGN, ()
        case Accuse(height):
            return kinds.ACCUSE, (height,)
        case Challenge(target):
            return kinds.CHALLENGE, (target,)


def write_result(result: Result) -> Payload:
    """The one payload every seat must sign (R29)."""
    return (
        result.outcome,
        tuple(result.duraks),
        tuple(result.order_out),
        tuple(result.pogony),
    )


def kind_of(action: type) -> Kind:
    """The kind that carries decisions of this class."""
    return _KINDS[action]


@lru_cache(maxsize=64)
def kinds_of(actions: tuple[type[Action], ...]) -> tuple[Kind, ...]:
    """The kinds that carry decisions of these classes, ascending."""
    return tuple(sorted(_KINDS[action] for action in actions))


_KINDS: dict[type, Kind] = {
    Lead: kinds.LEAD,
    Beat: kinds.BEAT,
    Transfer: kinds.TRANSFER,
    Show: kinds.SHOW,
    Throw: kinds.THROW,
    Take: kinds.TAKE,
    Pass: kinds.PASS,
    Resign: kinds.RESIGN,
    Accuse: kinds.ACCUSE,
    Challenge: kinds.CHALLENGE,
}
