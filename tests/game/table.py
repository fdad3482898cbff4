"""Tables with known hands, played in words: `table.do(1, "beat 7C 9C")`. Every action passes the real
rules."""

from __future__ import annotations

from dataclasses import replace

from game import open_table
from game.actions import (
    NO_CHALLENGE,
    PASS,
    RESIGN,
    TAKE,
    Accuse,
    Action,
    Beat,
    Challenge,
    Lead,
    Show,
    Throw,
    Transfer,
)
from game.cards import Card, Place, bit_set, card_text, deck_cards, members, parse_card
from game.errors import IllegalMove
from game.open_table import OpenGame, hand_of, of_position
from game.options import Options
from game.position import Phase, Position, Result
from game.rules import check, dues, legal_actions, open_first_bout, refusal, result, start


def cards(text: str) -> tuple[Card, ...]:
    """`"6S TD"` as cards."""
    return tuple(parse_card(word) for word in text.split())


def texts(bits: int) -> str:
    """A set of cards as text, ascending."""
    return " ".join(card_text(card) for card in members(bits))


def endgame(
    options: Options, hands: list[str], *, talon: str = "", trump: str = "", leader: int = 0, known: str = ""
) -> OpenGame:
    """A game whose hands and talon (top first) are these; all other cards lie in the discard.

    The trump is the talon's last card; without a talon name it. `known` cards are public.
    """
    options = replace(options, seats=len(hands))
    deck = deck_cards(options.deck)
    trump_card = parse_card(trump) if trump else cards(talon)[-1]
    dealt = [card for hand in hands for card in cards(hand)]
    left = [card for card in deck if card not in dealt and card not in cards(talon)]
    order = [*dealt, *left, *cards(talon)]
    order.remove(trump_card)
    order.append(trump_card)
    assert sorted(order) == list(deck)
    place_of = {card: place for place, card in enumerate(order)}
    position = start(options, trump_card)
    faces = position.faces
    for card in cards(known):
        faces |= card + 1 << 6 * place_of[card]
    seats_in = bit_set(tuple(seat for seat, hand in enumerate(hands) if hand))
    position = position._replace(
        hands=tuple(bit_set(tuple(place_of[card] for card in cards(hand))) for hand in hands),
        next_place=options.deck - len(cards(talon)),
        faces=faces,
        seen=position.seen | bit_set(tuple(left)) | bit_set(cards(known)),
        discard=bit_set(tuple(left)),
        seats_in=seats_in,
        out=tuple(seat for seat, hand in enumerate(hands) if not hand),
    )
    return of_position(open_first_bout(position, leader), order)


class Table:
    """A game in words. Heights count from `height`; a closed bout is settled at once."""

    def __init__(self, game: OpenGame, height: int = 20) -> None:
        self.game = game
        self.height = height

    @property
    def position(self) -> Position:
        return self.game.position

    @property
    def word(self) -> int:
        return self.position.word

    @property
    def phase(self) -> Phase:
        return self.position.phase

    @property
    def result(self) -> Result | None:
        return result(self.position)

    def hand(self, seat: int) -> str:
        """The cards of a seat, ascending."""
        return texts(self.game.cards[seat])

    def read(self, words: str) -> Action:
        """An action in words; places are looked up. Cards nobody holds get place 63."""
        verb, *rest = words.split()
        faces = [parse_card(word) for word in rest] if verb not in ("accuse", "challenge") else []
        places = [
            Place(self.game.place_of[card]) if self.game.place_of[card] >= 0 else Place(63) for card in faces
        ]
        match verb:
            case "lead":
                return Lead(tuple(places), tuple(faces))
            case "beat":
                return Beat(faces[0], places[1], faces[1])
            case "throw":
                return Throw(places[0], faces[0])
            case "transfer":
                return Transfer(places[0], faces[0])
            case "show":
                return Show(places[0], faces[0])
            case "accuse":
                return Accuse(int(rest[0]))
            case "challenge":
                return Challenge(int(rest[0])) if rest else NO_CHALLENGE
            case "take":
                return TAKE
            case "pass":
                return PASS
            case "resign":
                return RESIGN
        raise ValueError(words)

    def do(self, seat: int, words: str) -> int:
        """The seat that is asked does this, legally. Returns the height it was laid at."""
        action = self.read(words)
        asked = tuple(due for due, _ in dues(self.position))
        assert asked == (seat,), f"seat {seat} is not the one asked: {asked}"
        check(self.position, seat, action)
        assert action in legal_actions(self.position, seat, hand_of(self.game, seat))
        at = self.height
        self.game = open_table.play_round(self.game, ((seat, action),), at)
        self.height += 1
        return at

    def challenge(self, **answers: str) -> None:
        """A challenge round: `challenge(s0="12", s2="")`, exactly the seats that are asked."""
        met = tuple(
            (int(name[1:]), self.read(f"challenge {height}")) for name, height in sorted(answers.items())
        )
        assert tuple(seat for seat, _ in met) == tuple(seat for seat, _ in dues(self.position))
        for seat, action in met:
            check(self.position, seat, action)
        self.game = open_table.play_round(self.game, met, self.height)
        self.height += 1

    def refuses(self, seat: int, words: str) -> tuple[str, str]:
        """The rule and the reason why the seat may not do this; it must not be offered either."""
        action = self.read(words)
        assert action not in legal_actions(self.position, seat, hand_of(self.game, seat))
        fault = refusal(self.position, seat, action)
        assert isinstance(fault, IllegalMove), f"seat {seat} may {words}"
        return fault.rule, fault.reason

    def play_all(self, *moves: tuple[int, str]) -> None:
        """Several turns."""
        for seat, words in moves:
            self.do(seat, words)
