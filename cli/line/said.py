"""What one entry says, named as one would name the act at the table: "lead 10H", "take the cards". Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game import kinds, payloads
from game.actions import Accuse, Beat, Challenge, Lead, Pass, Resign, Show, Take, Throw, Transfer
from ledger import engine
from ledger.abort import seats_named
from ledger.errors import Forbidden

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cli.line.voice import Voice
    from game.actions import Action
    from ledger.engine import Kind, Payload, Seat

DRAW = 1
"""RESULT outcome of a draw (DESIGN §3)."""


def said(kind: Kind, payload: Payload, voice: Voice) -> str:
    """The act in words. Never raises: what has not the form of its kind is said to be unreadable."""
    try:
        return _said(kind, payload, voice)
    except Forbidden:
        return voice.texts.say("said.unreadable")


def acts(asked: Iterable[Kind], voice: Voice) -> str:
    """What somebody may do: "beat, transfer or take"."""
    names = [voice.texts.say(f"act.{kind}") for kind in asked]
    *most, last = names
    if not most:
        return last
    return voice.texts.say("act.or", most=voice.texts.say("list.comma").join(most), last=last)


def _said(kind: Kind, payload: Payload, voice: Voice) -> str:
    texts = voice.texts
    message = f"said.{kind}"
    match kind:
        case kinds.CLAIM:
            rank = payloads.read_claim(payload)
            if rank is None:
                return texts.say("said.5.nothing")
            return texts.say(message, rank=voice.cards.rank(rank))
        case kinds.OPEN:
            return texts.say(message, card=voice.cards.card(payloads.read_open(payload).card))
        case kinds.RESULT:
            return texts.say(message, result=_result(payloads.read_result(payload), voice))
        case engine.ABORT:
            return texts.say(message, names=_people(seats_named(payload), voice))
        case _ if kind in range(kinds.LEAD, kinds.RESIGN + 1):
            return _decided(payloads.read_action(kind, payload)[0], voice)
        case _ if texts.knows(message):
            return texts.say(message)
        case _:
            return texts.say("said.unreadable")


def _decided(action: Action, voice: Voice) -> str:
    texts, cards = voice.texts, voice.cards
    message = f"said.{payloads.kind_of(type(action))}"
    match action:
        case Lead(_, laid):
            return texts.say(message, cards=cards.cards(laid))
        case Beat(attack, _, card):
            return texts.say(message, attack=cards.card(attack), card=cards.card(card))
        case Transfer(_, card) | Show(_, card) | Throw(_, card):
            return texts.say(message, card=cards.card(card))
        case Accuse(height):
            return texts.say(message, height=height)
        case Challenge(None):
            return texts.say(message)
        case Challenge(height):
            return texts.say("said.15", height=height)
        case Take() | Pass() | Resign():
            return texts.say(message)


def _result(signed: payloads.SignedResult, voice: Voice) -> str:
    texts = voice.texts
    if signed.outcome == DRAW:
        parts = [texts.say("said.draw")]
    else:
        parts = [texts.say("said.durak", names=_people(signed.duraks, voice))]
    if signed.order_out:
        names = texts.say("list.comma").join(_name(seat, voice) for seat in signed.order_out)
        parts.append(texts.say("said.order", names=names))
    if signed.pogony:
        parts.append(texts.say("said.pogony", cards=voice.cards.cards(signed.pogony)))
    return texts.say("list.comma").join(parts)


def _people(seats: Iterable[Seat], voice: Voice) -> str:
    return voice.texts.listed(_name(seat, voice) for seat in seats)


def _name(seat: Seat, voice: Voice) -> str:
    """A seat somebody named, though there may be no such seat."""
    if seat < len(voice.names):
        return voice.name(seat)
    return voice.texts.say("seat.unnamed", number=seat + 1)
