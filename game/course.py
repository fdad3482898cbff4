"""A whole game as a fold over heights (DESIGN §3): the engine the ledger asks.

Here the rules of play and the dealing meet. `rules` knows no cryptography, the suite knows no rules; this
file only orders them: JOIN · OPEN_KEYS · n SHUFFLE · ACK · TOKENS · who leads (R4) · bouts · RESULT ·
SECRETS. A state is immutable and everything in it is public.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, assert_never

from game import claims, kinds, payloads, rules
from game.cards import Card, Place, deck_cards
from game.errors import IllegalMove, OptionError
from game.mental_poker.deck import Context
from game.mental_poker.errors import BadEncoding, Degenerate, ProofFailed
from game.options import RULES_ID
from game.options import decode as decode_options
from game.state import CourseState, Setup, Stage
from ledger import codec
from ledger.engine import Due, Height, Kind, Payload, Seat
from ledger.errors import BadGenesis, Forbidden, Unsupported

if TYPE_CHECKING:
    from game.actions import Action
    from game.mental_poker.deck import MaskedDeck
    from game.suite import Suite
    from ledger.genesis import Genesis


class Course:
    """The engine of one suite: `ledger.engine.Engine[CourseState]`."""

    def __init__(self, suite: Suite, *, number: int = 1) -> None:
        self.suite = suite
        self.number = number
        self._passed: tuple[CourseState, Due, Kind, Payload] | None = None
        """What passed last. An own entry is asked about when it is drafted and when it is received: its proof
        is verified once, before it is stored."""

    # The protocol the ledger asks -----------------------------------------------------------------------

    def start(self, genesis: Genesis) -> CourseState:
        """The state before height 0. Raises `Unsupported` or `BadGenesis`."""
        if genesis.rules_id != RULES_ID:
            raise Unsupported("rules")
        if genesis.suite != self.number:
            raise Unsupported("suite")
        try:
            options = decode_options(genesis.options)
        except OptionError as error:
            raise BadGenesis(error.reason, str(error)) from error
        if options.seats != len(genesis.seats):
            raise BadGenesis("genesis.seats", "as many seats as the options name")
        leader = None if genesis.previous is None else genesis.previous.leader
        if leader is not None and not 0 <= leader < options.seats:
            raise BadGenesis("genesis.leader", "the leader must have a seat")
        names = tuple(record.name for record in genesis.seats)
        return CourseState(Setup(genesis.game_id, options, names, leader, deck_cards(options.deck)))

    def expect(self, state: CourseState) -> tuple[Due, ...]:
        """The dues of the next height, ascending by seat."""
        match state.stage:
            case Stage.JOIN:
                return self._everybody(state, kinds.JOIN)
            case Stage.KEYS:
                return self._everybody(state, kinds.OPEN_KEYS)
            case Stage.SHUFFLE:
                return (Due(Seat(state.shuffled), (kinds.SHUFFLE,)),)
            case Stage.ACK:
                return self._everybody(state, kinds.ACK)
            case Stage.DEAL | Stage.REFILL:
                return tuple(
                    Due(seat, (kinds.TOKENS,))
                    for seat in self._seats(state)
                    if self.token_places(state, seat)
                )
            case Stage.CLAIM:
                return (Due(Seat(len(state.claimed)), (kinds.CLAIM,)),)
            case Stage.OPEN:
                claimant = claims.opener(state.the_position, state.claimed)
                assert claimant is not None
                return (Due(claimant, (kinds.OPEN,)),)
            case Stage.NO_LOWER:
                return tuple(
                    Due(seat, (kinds.NO_LOWER,))
                    for seat in self._seats(state)
                    if claims.no_lower(state.the_position, state.claimed, seat) is not None
                )
            case Stage.PLAY:
                return tuple(
                    Due(seat, payloads.kinds_of(actions)) for seat, actions in rules.dues(state.the_position)
                )
            case Stage.RESULT:
                return self._everybody(state, kinds.RESULT)
            case Stage.SECRETS:
                return self._everybody(state, kinds.SECRETS)
            case Stage.OVER | Stage.VOID | Stage.ABORTED:
                return ()
        assert_never(state.stage)

    def check(self, state: CourseState, due: Due, kind: Kind, payload: Payload) -> None:
        """Raise `Forbidden` (I_SHAPE, I_RULE, I_PROOF) unless the payload may meet the due."""
        if self._has_passed(state, due, kind, payload):
            return
        try:
            self._check(state, due.seat, kind, payload)
        except IllegalMove as error:
            raise Forbidden("I_RULE", rule=error.rule, reason=error.reason, **error.params) from error
        except (BadEncoding, ProofFailed, Degenerate) as error:
            raise Forbidden("I_PROOF", reason="forbidden.proof", detail=str(error)) from error
        self._passed = (state, due, kind, payload)

    def _has_passed(self, state: CourseState, due: Due, kind: Kind, payload: Payload) -> bool:
        """Payloads are compared as bytes, for `True == 1`."""
        if self._passed is None or self._passed[0] is not state or self._passed[1:3] != (due, kind):
            return False
        return codec.encode(self._passed[3]) == codec.encode(payload)

    def apply(self, state: CourseState, met: tuple[tuple[Kind, Payload], ...]) -> CourseState:
        """The state after a complete height whose payloads have all passed `check`."""
        after = self._apply(state, [payload for _, payload in met], met)
        return after._replace(height=Height(state.height + 1))

    def over(self, state: CourseState) -> bool:
        """Play is over and has a result; after an ABORT only where the table said `durak`."""
        if state.stage is Stage.ABORTED:
            return state.setup.options.absent == "durak"
        return state.stage in (Stage.RESULT, Stage.SECRETS, Stage.OVER)

    def playing(self, state: CourseState) -> bool:
        """From the first lead until play is over (R30)."""
        return state.led and state.stage in (Stage.PLAY, Stage.REFILL)

    def still_in(self, state: CourseState) -> tuple[Seat, ...]:
        """The seats that are in (R17)."""
        if state.position is None:
            return self._seats(state)
        return rules.still_in(state.position)

    def abort(self, state: CourseState, waiting_for: tuple[Seat, ...]) -> CourseState:
        """R30: the game ends without the seats waited for."""
        position = rules.abort(state.the_position, waiting_for)
        return state._replace(stage=Stage.ABORTED, position=position, waited_for=waiting_for)

    def public_bytes(self, state: CourseState) -> bytes:
        """The whole public state in deterministic CBOR; `docs/protocol.md` lists the items."""
        play = None if state.position is None else rules.public_items(state.position)
        return (
            codec.array_head(13)
            + codec.sequence(int(state.stage), state.height)
            + _dealt(state.commitments, state.keys, state.nonces, state.deck, state.shuffled, state.tokens)
            + codec.sequence(state.claimed, play, state.led, state.secrets, state.waited_for)
        )

    # What each kind must satisfy --------------------------------------------------------------------------

    def _check(self, state: CourseState, seat: Seat, kind: Kind, payload: Payload) -> None:
        setup = state.setup
        match state.stage:
            case Stage.JOIN:
                payloads.read_join(payload)
            case Stage.KEYS:
                opened = payloads.read_open_keys(payload)
                expected = self.suite.join_commitment(
                    setup.game_id, seat, opened.key, opened.proof, opened.nonce
                )
                if expected != state.commitments[seat]:
                    raise Forbidden("I_PROOF", reason="forbidden.commitment")
                self.suite.verify_key(setup.game_id, seat, opened.key, opened.proof)
            case Stage.SHUFFLE:
                shuffle = payloads.read_shuffle(payload, len(setup.cards))
                self.suite.verify_shuffle(
                    self.context(state, seat), state.joint, state.the_deck, shuffle.deck, shuffle.proof
                )
            case Stage.ACK:
                payloads.read_empty(payload)
            case Stage.DEAL | Stage.REFILL:
                self._check_tokens(state, seat, payloads.read_tokens(payload))
            case Stage.CLAIM:
                claims.check_claim(state.the_position, state.claimed, seat, payloads.read_claim(payload))
            case Stage.OPEN:
                shown = payloads.read_open(payload)
                hidden = self._openings(state, (shown.place,), shown.opening)
                claims.check_open(state.the_position, state.claimed, seat, shown.place, shown.card)
                self._check_opening(state, seat, hidden, shown.opening, {shown.place: shown.card})
            case Stage.NO_LOWER:
                self._check_no_lower(state, seat, payloads.read_no_lower(payload))
            case Stage.PLAY:
                action, opening = payloads.read_action(kind, payload)
                laid = dict(rules.cards_laid(action))
                hidden = self._openings(state, tuple(laid), opening)
                rules.check(state.the_position, seat, action)
                self._check_opening(state, seat, hidden, opening, laid)
            case Stage.RESULT:
                payloads.read_result(payload)
                result = state.result
                assert result is not None
                if payload != payloads.write_result(result):
                    raise Forbidden("I_RULE", rule="R29", reason="forbidden.result")
            case Stage.SECRETS:
                self.suite.check_secret(state.keys[seat], payloads.read_secret(payload))
            case Stage.OVER | Stage.VOID | Stage.ABORTED:
                raise Forbidden("I_TURN")
            case _:
                assert_never(state.stage)

    def _check_tokens(self, state: CourseState, seat: Seat, given: payloads.Tokens) -> None:
        owed = self.token_places(state, seat)
        if given.places != owed:
            rule = "R2" if state.stage is Stage.DEAL else "R16"
            raise Forbidden("I_RULE", rule=rule, reason="forbidden.tokens")
        self.suite.verify_tokens(
            self.context(state, seat),
            "deal",
            state.keys[seat],
            state.the_deck,
            given.places,
            given.tokens,
            given.proof,
        )

    def _openings(
        self, state: CourseState, places: tuple[Place, ...], opening: payloads.Opening | None
    ) -> tuple[Place, ...]:
        """The places among these that need an opening. Raises I_SHAPE when the opening is of another size."""
        for place in places:
            if place >= len(state.setup.cards):
                raise Forbidden("I_SHAPE", reason="forbidden.shape", detail="no such place")
        hidden = tuple(sorted(place for place in places if rules.face(state.the_position, place) is None))
        size = 0 if opening is None else len(opening.tokens) // payloads.POINT
        if size != len(hidden):
            raise Forbidden("I_SHAPE", reason="forbidden.opening", detail=f"{len(hidden)} tokens expected")
        return hidden

    def _check_opening(
        self,
        state: CourseState,
        seat: Seat,
        hidden: tuple[Place, ...],
        opening: payloads.Opening | None,
        laid: dict[Place, Card],
    ) -> None:
        if opening is None:
            return
        deck = state.the_deck
        self.suite.verify_tokens(
            self.context(state, seat), "open", state.keys[seat], deck, hidden, opening.tokens, opening.proof
        )
        for index, place in enumerate(hidden):
            own = opening.tokens[payloads.POINT * index : payloads.POINT * (index + 1)]
            if self.suite.face(deck, place, (*state.other_tokens(place, seat), own)) != laid[place]:
                raise Forbidden("I_PROOF", reason="forbidden.face", place=place)

    def _check_no_lower(self, state: CourseState, seat: Seat, proof: bytes) -> None:
        listed = claims.no_lower(state.the_position, state.claimed, seat)
        assert listed is not None
        places, cards = listed
        if len(proof) != 32 + 96 * len(places) * len(cards):
            raise Forbidden("I_SHAPE", reason="forbidden.shape", detail="32 + 96 n t bytes expected")
        self.suite.verify_no_lower(
            self.context(state, seat),
            state.keys[seat],
            state.the_deck,
            places,
            tuple(state.other_tokens(place, seat) for place in places),
            cards,
            proof,
        )

    # What each height does --------------------------------------------------------------------------------

    def _apply(
        self, state: CourseState, said: list[Payload], met: tuple[tuple[Kind, Payload], ...]
    ) -> CourseState:
        match state.stage:
            case Stage.JOIN:
                commitments = tuple(payloads.read_join(payload) for payload in said)
                return state._replace(stage=Stage.KEYS, commitments=commitments)
            case Stage.KEYS:
                return self._open_keys(state, [payloads.read_open_keys(payload) for payload in said])
            case Stage.SHUFFLE:
                return self._shuffle(state, payloads.read_shuffle(said[0], len(state.setup.cards)))
            case Stage.ACK:
                blank: tuple[bytes | None, ...] = (None,) * state.setup.seats
                return state._replace(stage=Stage.DEAL, tokens=(blank,) * len(state.setup.cards))
            case Stage.DEAL:
                return self._deal(self._add_tokens(state, said))
            case Stage.CLAIM:
                after = state._replace(claimed=(*state.claimed, payloads.read_claim(said[0])))
                return after if len(after.claimed) < after.setup.seats else self._claims_done(after)
            case Stage.OPEN:
                shown = payloads.read_open(said[0])
                position = rules.publish(state.the_position, shown.place, shown.card)
                return self._no_lower_or_play(state._replace(position=position))
            case Stage.NO_LOWER:
                return self._first_bout(state)
            case Stage.PLAY:
                seats = [seat for seat, _ in rules.dues(state.the_position)]
                actions = [payloads.read_action(kind, payload)[0] for kind, payload in met]
                position = rules.apply(
                    state.the_position, tuple(zip(seats, actions, strict=True)), state.height
                )
                return self._after_play(state._replace(position=position, led=True))
            case Stage.REFILL:
                after = self._add_tokens(state, said)
                position = rules.settle(after.the_position, after.height)
                return self._after_play(after._replace(position=position))
            case Stage.RESULT:
                last = Stage.SECRETS if state.setup.options.open_after else Stage.OVER
                return state._replace(stage=last)
            case Stage.SECRETS:
                secrets = tuple(payloads.read_secret(payload) for payload in said)
                scalars = [
                    self.suite.check_secret(key, secret)
                    for key, secret in zip(state.keys, secrets, strict=True)
                ]
                opened = tuple(Card(card) for card in self.suite.open_deck(state.the_deck, scalars))
                return state._replace(stage=Stage.OVER, secrets=secrets, opened=opened)
            case Stage.OVER | Stage.VOID | Stage.ABORTED:
                raise AssertionError("nothing is due")
        assert_never(state.stage)

    def _open_keys(self, state: CourseState, opened: list[payloads.KeyOpening]) -> CourseState:
        keys = tuple(opening.key for opening in opened)
        state = state._replace(keys=keys, nonces=tuple(opening.nonce for opening in opened))
        try:
            joint = self.suite.joint_key(keys)
        except Degenerate:
            return state._replace(stage=Stage.VOID)
        first = self.suite.first_deck(tuple(state.setup.cards))
        return state._replace(stage=Stage.SHUFFLE, joint=joint, deck=first)

    def _shuffle(self, state: CourseState, shuffle: payloads.Shuffle) -> CourseState:
        done = state.shuffled + 1
        deck = self.suite.masked_deck(shuffle.deck)
        last = done == state.setup.seats
        return state._replace(deck=deck, shuffled=done, stage=Stage.ACK if last else Stage.SHUFFLE)

    def _add_tokens(self, state: CourseState, said: list[Payload]) -> CourseState:
        table = [list(row) for row in state.tokens]
        for due, payload in zip(self.expect(state), said, strict=True):
            given = payloads.read_tokens(payload)
            for index, place in enumerate(given.places):
                table[place][due.seat] = given.tokens[payloads.POINT * index : payloads.POINT * (index + 1)]
        return state._replace(tokens=tuple(tuple(row) for row in table))

    def _deal(self, state: CourseState) -> CourseState:
        setup = state.setup
        row = state.tokens[setup.trump_place]
        tokens = tuple(token for token in row if token is not None)
        trump = Card(self.suite.face(state.the_deck, setup.trump_place, tokens))
        state = state._replace(position=rules.start(setup.options, trump))
        if setup.leader is None:
            return state._replace(stage=Stage.CLAIM)
        return self._lead(state, setup.leader)

    def _claims_done(self, state: CourseState) -> CourseState:
        if claims.opener(state.the_position, state.claimed) is not None:
            return state._replace(stage=Stage.OPEN)
        return self._no_lower_or_play(state)

    def _no_lower_or_play(self, state: CourseState) -> CourseState:
        after = state._replace(stage=Stage.NO_LOWER)
        return after if self.expect(after) else self._first_bout(after)

    def _first_bout(self, state: CourseState) -> CourseState:
        return self._lead(state, self.first_leader(state))

    def first_leader(self, state: CourseState) -> Seat:
        """R4: the best claimant, or the lot where nobody has a trump."""
        claimant = claims.best_claimant(state.claimed)
        if claimant is not None:
            return claimant
        setup = state.setup
        return Seat(self.suite.beacon_lot(setup.game_id, state.nonces, setup.seats))

    def _lead(self, state: CourseState, leader: Seat) -> CourseState:
        return state._replace(stage=Stage.PLAY, position=rules.open_first_bout(state.the_position, leader))

    def _after_play(self, state: CourseState) -> CourseState:
        """Insert the TOKENS round where somebody owes one; notice when play is over."""
        position = state.the_position
        while rules.refilling(position):
            waiting = state._replace(position=position, stage=Stage.REFILL)
            if self.expect(waiting):
                return waiting
            position = rules.settle(position, state.height)
        stage = Stage.RESULT if rules.over(position) else Stage.PLAY
        return state._replace(position=position, stage=stage)

    # Who owes what ----------------------------------------------------------------------------------------

    def token_places(self, state: CourseState, seat: Seat) -> tuple[Place, ...]:
        """The places a seat owes tokens for in a TOKENS round, ascending (R2, R3, R16)."""
        setup = state.setup
        if state.stage is Stage.DEAL:
            places = {place for other in self._seats(state) if other != seat for place in setup.dealt(other)}
            return tuple(Place(place) for place in sorted(places | {setup.trump_place}))
        position = state.the_position
        return tuple(
            sorted(
                place
                for drawer, place in rules.drawn(position)
                if drawer != seat and rules.face(position, place) is None
            )
        )

    def context(self, state: CourseState, seat: Seat) -> Context:
        return Context(state.setup.game_id, state.height, seat)

    def _seats(self, state: CourseState) -> tuple[Seat, ...]:
        return tuple(Seat(seat) for seat in range(state.setup.seats))

    def _everybody(self, state: CourseState, kind: Kind) -> tuple[Due, ...]:
        return tuple(Due(seat, (kind,)) for seat in self._seats(state))


def action_of(kind: Kind, payload: Payload) -> Action:
    """The decision an entry of kinds 8–17 carries."""
    return payloads.read_action(kind, payload)[0]


@lru_cache(maxsize=16)
def _dealt(
    commitments: tuple[bytes, ...],
    keys: tuple[bytes, ...],
    nonces: tuple[bytes, ...],
    deck: MaskedDeck | None,
    shuffled: int,
    tokens: tuple[tuple[bytes | None, ...], ...],
) -> bytes:
    """Of the public items those about the dealing: no move changes them, so they are encoded once."""
    digest = b"" if deck is None else hashlib.sha256(deck.to_bytes()).digest()
    return codec.sequence(commitments, keys, nonces, digest, shuffled, tokens)
