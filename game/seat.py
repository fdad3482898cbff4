"""Our own seat: its secrets, what it owes without asking anybody, and the entries its decisions become.

Everything but a human decision is derived (DEALING §1): running this again gives the same bytes, so a crash
between signing and sending never makes a second body.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from game import claims, kinds, payloads, rules
from game.cards import Card, Place
from game.course import Course
from game.mental_poker.errors import CardIsHeld
from game.state import CourseState, Stage
from ledger.identity import derive

if TYPE_CHECKING:
    from game.actions import Action
    from ledger.engine import Due, Kind, Payload, Seat


class OwnSeat:
    """One seat with its secrets. `seed` is the game seed, 32 bytes, never published."""

    def __init__(self, course: Course, game_id: bytes, seat: Seat, seed: bytes) -> None:
        self.course = course
        self.seat = seat
        suite = course.suite
        self._x = suite.secret_from(derive(seed, "deck", game_id, 64))
        self._proof_key = derive(seed, "proof", game_id, 64)
        self._nonce = derive(seed, "beacon", game_id, 32)
        self._game_id = game_id
        self._public = suite.public_key(self._x)
        self._faces: dict[Place, Card] = {}

    def __repr__(self) -> str:
        return f"OwnSeat({self.seat}, secrets hidden)"

    def due(self, state: CourseState) -> Due | None:
        """What this seat is due at the state's height, met or not."""
        return next((due for due in self.course.expect(state) if due.seat == self.seat), None)

    def owed(self, state: CourseState) -> tuple[Kind, Payload] | None:
        """The entry this seat owes that needs no decision; None if not due or if a person must decide."""
        if self.due(state) is None:
            return None
        suite, seat = self.course.suite, self.seat
        match state.stage:
            case Stage.JOIN:
                proof = self._key_proof()
                commitment = suite.join_commitment(self._game_id, seat, self._public, proof, self._nonce)
                return kinds.JOIN, (commitment,)
            case Stage.KEYS:
                return kinds.OPEN_KEYS, (self._public, self._key_proof(), self._nonce)
            case Stage.SHUFFLE:
                context = self.course.context(state, seat)
                deck, proof = suite.shuffle(context, state.joint, state.the_deck, self._proof_key)
                return kinds.SHUFFLE, (deck.to_bytes(), proof)
            case Stage.ACK:
                return kinds.ACK, ()
            case Stage.DEAL | Stage.REFILL:
                return kinds.TOKENS, self._tokens(state)
            case Stage.CLAIM:
                return kinds.CLAIM, (self._claim(state),)
            case Stage.OPEN:
                place, card = claims.to_open(state.the_position, state.claimed, self.hand(state))
                return kinds.OPEN, (place, card, self._opened(self._opening(state, (place,))))
            case Stage.NO_LOWER:
                proof_bytes = self._no_lower(state)
                return None if proof_bytes is None else (kinds.NO_LOWER, (proof_bytes,))
            case Stage.RESULT:
                result = state.result
                assert result is not None
                return kinds.RESULT, payloads.write_result(result)
            case Stage.SECRETS:
                return kinds.SECRETS, (self._x.to_bytes(32, "little"),)
            case _:
                return None

    def hand(self, state: CourseState) -> dict[Place, Card]:
        """The faces of our own places: as far as the tokens for them are in the log, ascending by place."""
        position = state.position
        if position is None:
            return {}
        return {
            place: self._face(state, place)
            for place in rules.hand_places(position, self.seat)
            if self._readable(state, place)
        }

    def legal(self, state: CourseState) -> tuple[Action, ...]:
        """Every decision we may take at this height, `()` when none is asked of us."""
        if state.stage is not Stage.PLAY or self.due(state) is None:
            return ()
        return rules.legal_actions(state.the_position, self.seat, self.hand(state))

    def write(self, state: CourseState, action: Action) -> tuple[Kind, Payload]:
        """The entry a decision becomes, with the opening of its hidden cards."""
        places = tuple(place for place, _ in rules.cards_laid(action))
        return payloads.write_action(action, self._opening(state, places))

    # The parts --------------------------------------------------------------------------------------------

    def _key_proof(self) -> bytes:
        return self.course.suite.prove_key(self._game_id, self.seat, self._x, self._public, self._proof_key)

    def _tokens(self, state: CourseState) -> Payload:
        places = self.course.token_places(state, self.seat)
        tokens, proof = self._make_tokens(state, "deal", places)
        return (places, tokens, proof)

    def _make_tokens(
        self, state: CourseState, purpose: str, places: tuple[Place, ...]
    ) -> tuple[bytes, bytes]:
        return self.course.suite.make_tokens(
            self.course.context(state, self.seat),
            purpose,
            self._x,
            self._public,
            state.the_deck,
            places,
            self._proof_key,
        )

    def _opening(self, state: CourseState, places: tuple[Place, ...]) -> payloads.Opening | None:
        hidden = tuple(sorted(place for place in places if rules.face(state.the_position, place) is None))
        return payloads.Opening(*self._make_tokens(state, "open", hidden)) if hidden else None

    @staticmethod
    def _opened(opening: payloads.Opening | None) -> Payload | None:
        return None if opening is None else (opening.tokens, opening.proof)

    def _claim(self, state: CourseState) -> int | None:
        return claims.claim_for(state.the_position, state.claimed, self.seat, self.hand(state))

    def _no_lower(self, state: CourseState) -> bytes | None:
        """The proof, or None where we do hold a lower trump: a false claim only leaves the game waiting."""
        listed = claims.no_lower(state.the_position, state.claimed, self.seat)
        assert listed is not None
        places, cards = listed
        try:
            return self.course.suite.prove_no_lower(
                self.course.context(state, self.seat),
                self._x,
                self._public,
                state.the_deck,
                places,
                tuple(state.other_tokens(place, self.seat) for place in places),
                cards,
                self._proof_key,
            )
        except CardIsHeld:
            return None

    def _readable(self, state: CourseState, place: Place) -> bool:
        if rules.face(state.the_position, place) is not None:
            return True
        return all(token for seat, token in enumerate(state.tokens[place]) if seat != self.seat)

    def _face(self, state: CourseState, place: Place) -> Card:
        known = rules.face(state.the_position, place)
        if known is not None:
            return known
        if place not in self._faces:
            others = state.other_tokens(place, self.seat)
            self._faces[place] = Card(self.course.suite.own_face(state.the_deck, place, others, self._x))
        return self._faces[place]
