"""Play a golden game: suite 1, every byte from its label. One log takes every seat's entries.

Dice are SHA-256 of a counter, so that no Python version plays another game.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping
from typing import Any, Protocol, cast

from game import kinds
from game.actions import Accuse, Action, Beat, Challenge, Lead, Pass, Resign, Show, Take, Throw, Transfer
from game.cards import Card, deck_cards
from game.course import Course
from game.mental_poker import deck
from game.seat import OwnSeat
from game.series import previous_of
from game.state import CourseState, Stage
from ledger.engine import Kind, Payload, Seat
from ledger.entry import Body, sign_entry
from ledger.genesis import Previous
from ledger.identity import game_key
from ledger.log import Log
from ledger.outcome import Accepted, Forbade, Forked
from tests.golden.tables import Golden, Style
from tests.tables import genesis_of, seed_of

GoldenLog = Log[CourseState]


class Dice:
    """SHA-256 over the label and a counter."""

    def __init__(self, label: str) -> None:
        self._label = label.encode()
        self._thrown = 0

    def below(self, bound: int) -> int:
        self._thrown += 1
        thrown = hashlib.sha256(self._label + self._thrown.to_bytes(8, "big")).digest()
        return int.from_bytes(thrown[:8], "big") % bound


class _Chance(Protocol):
    def below(self, bound: int, /) -> int: ...


def decide(style: Style, legal: tuple[Action, ...], trump: Card, lowest: int, dice: _Chance) -> Action:
    """What a seat does. "lively": anything but resign. "brisk": lead and beat low, throw in what is no trump,
    now and then anything. "takes": take whenever one may, else as "brisk". "hoards": lead and beat high, take
    the deck's `lowest` rank rather than beat it."""
    trump_suit = trump // 13
    sign = -1 if style == "hoards" else 1
    gift = any(isinstance(action, Beat) and action.attack % 13 == lowest for action in legal)
    actions = [action for action in legal if not isinstance(action, Resign)]
    if style == "lively" or (style == "brisk" and dice.below(8) == 0):
        return actions[dice.below(len(actions))]

    def price(action: Action) -> tuple[int, int]:
        match action:
            case Take():
                return (-1 if style == "takes" or (style == "hoards" and gift) else 3, 0)
            case Beat(_, _, card) | Transfer(_, card) | Show(_, card):
                return (1, sign * _cost(card, trump_suit))
            case Lead(_, cards):
                return (0, sign * _cost(cards[0], trump_suit))
            case Throw(_, card):
                return (4 if style == "takes" or card // 13 == trump_suit else 0, _cost(card, trump_suit))
            case Pass() | Accuse() | Challenge() | Resign():
                return (2, 0)

    return min(actions, key=price)


def _cost(card: Card, trump_suit: int) -> int:
    return card % 13 + (13 if card // 13 == trump_suit else 0)


class _Game:
    def __init__(self, golden: Golden, before: GoldenLog | None) -> None:
        self.golden = golden
        self.label = golden.the_label
        self.options = golden.options
        self.dice = Dice(self.label)
        self.lowest = deck_cards(self.options.deck)[0] % 13
        self.course = Course(deck)
        genesis = genesis_of(self.options, suite=1, label=self.label, previous=self._previous(before))
        self.log: GoldenLog = Log(self.course, genesis)
        seats = [Seat(seat) for seat in range(self.options.seats)]
        self.keys = [game_key(seed_of(f"{self.label} {seat}")) for seat in seats]
        self.own = [OwnSeat(self.course, genesis.game_id, seat, self._deck_seed(seat)) for seat in seats]
        self.decided = [0] * self.options.seats
        self.played = 0

    def _deck_seed(self, seat: Seat) -> bytes:
        """Where keys are to be equal, everybody has the deck secret of seat 0."""
        return seed_of(f"{self.label} {0 if self.golden.spoilt == 'equal-keys' else seat}")

    def _previous(self, before: GoldenLog | None) -> Previous | None:
        if before is None:
            return None
        assert before.ended is not None
        people = tuple(record.identity_key for record in before.genesis.seats)
        return previous_of(before.genesis, before.state, before.ended.digest, people=people)

    def play(self) -> GoldenLog:
        while self.log.dues:
            if self.log.state.stage in (Stage.PLAY, Stage.REFILL):
                self.played += 1
            if self.golden.spoilt == "fork" and self.played == 3:
                self._fork()
                break
            missing = self._missing()
            for due in self.log.dues:
                if due.seat in missing:
                    continue
                kind, payload = self._said(due.seat)
                if self.golden.spoilt == "bad-proof" and kind == kinds.TOKENS and self.played:
                    self._give_spoiled(due.seat, payload)
                    return self.log
                self._give(due.seat, kind, payload)
            if missing:
                self._abort()
                break
        return self.log

    def _missing(self) -> frozenset[Seat]:
        """The seats that sign nothing at this height, if everybody who has left is due here."""
        if self.golden.leaves is None:
            return frozenset()
        seats, since = self.golden.leaves
        gone = frozenset(Seat(seat) for seat in seats)
        return gone if self.played >= since and gone <= set(self.log.waiting_for) else frozenset()

    def _said(self, seat: Seat) -> tuple[Kind, Payload]:
        own, state = self.own[seat], self.log.state
        owed = own.owed(state)
        if owed is not None:
            return owed
        legal = own.legal(state)
        self.decided[seat] += 1
        resigns = self.golden.resign == (seat, self.decided[seat])
        action = (
            next(action for action in legal if isinstance(action, Resign))
            if resigns
            else decide(self.golden.style, legal, state.the_position.setup.trump, self.lowest, self.dice)
        )
        return own.write(state, action)

    def _give(self, seat: Seat, kind: Kind, payload: Payload) -> None:
        outcome = self.log.receive(sign_entry(self.keys[seat], self.log.draft(seat, kind, payload)))
        assert isinstance(outcome, Accepted), outcome

    def _abort(self) -> None:
        """Everybody else who is in signs; with two seats in nobody may, and the log ends waiting."""
        still_in = self.course.still_in(self.log.state)
        outside = [seat for seat in still_in if seat not in self.log.waiting_for]
        if len(outside) < 2:
            return
        bodies = [self.log.draft_abort(seat) for seat in outside]
        for seat, body in zip(outside, bodies, strict=True):
            assert isinstance(self.log.receive(sign_entry(self.keys[seat], body)), Accepted)

    def _fork(self) -> None:
        """The seat with the word signs two bodies for its due."""
        (due,) = self.log.dues
        legal = self.own[due.seat].legal(self.log.state)
        state = self.log.state
        bodies = [
            self.log.draft(due.seat, *self.own[due.seat].write(state, action))
            for action in (legal[0], legal[-1])
        ]
        assert bodies[0] != bodies[1]
        outcomes = [self.log.receive(sign_entry(self.keys[due.seat], body)) for body in bodies]
        assert isinstance(outcomes[-1], Forked)

    def _give_spoiled(self, seat: Seat, payload: Payload) -> None:
        """Tokens with one byte of their proof changed, signed all the same."""
        body: Body = self.log.draft(seat, kinds.TOKENS, payload)
        places, tokens, proof = cast("tuple[Any, bytes, bytes]", payload)
        changed = (places, tokens, proof[:-32] + bytes([proof[-32] ^ 1]) + proof[-31:])
        body = dataclasses.replace(body, payload=changed)
        assert isinstance(self.log.receive(sign_entry(self.keys[seat], body)), Forbade)


def play(golden: Golden, played: Mapping[str, GoldenLog]) -> GoldenLog:
    """The game; `played` must hold the one before it at its table."""
    return _Game(golden, played[golden.after] if golden.after else None).play()
