"""The table as a few short lines: trump and talon, one line a seat, the cards that lie, the own hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.engine import Seat

if TYPE_CHECKING:
    from cli.line.voice import Voice
    from game.cards import Card
    from game.view import Pair, View

BEFORE_CARDS = frozenset({"join", "keys", "shuffle", "ack", "deal"})
"""Stages in which nobody has seen a card yet."""


def table_lines(view: View, voice: Voice) -> list[str]:
    """Everything a person needs before deciding, readable from top to bottom."""
    if view.stage in BEFORE_CARDS:
        return [waiting_line(view, voice)]
    lines = [_trump_line(view, voice)]
    lines += [_seat_line(view, voice, Seat(seat)) for seat in range(len(view.names))]
    if view.table:
        pairs = "  ".join(pair_text(pair, voice) for pair in view.table)
        lines.append(voice.texts.say("table.lying", pairs=pairs))
    if view.me is not None:
        lines.append(hand_line(view, voice))
    return lines


def hand_line(view: View, voice: Voice) -> str:
    """The own hand, suit by suit, trumps last behind a bar."""
    plain = [held.card for held in view.hand if not _is_trump(held.card, view)]
    trumps = [held.card for held in view.hand if _is_trump(held.card, view)]
    hand = voice.cards.cards(sorted(plain)) if plain or not trumps else ""
    if trumps:
        hand = f"{hand} | {voice.cards.cards(sorted(trumps))}".strip()
    return voice.texts.count("table.hand", len(view.hand), cards=hand)


def pair_text(pair: Pair, voice: Voice) -> str:
    """One attack card and what beat it: "7S/9S", or "7S/-" while it is unbeaten."""
    beat = "-" if pair.beat is None else voice.cards.card(pair.beat)
    return f"{voice.cards.card(pair.attack)}/{beat}"


def waiting_line(view: View, voice: Voice) -> str:
    """Whom the game waits for, and for what."""
    stage = voice.texts.say(f"stage.{view.stage}")
    if not view.waiting_for:
        return stage
    return voice.texts.say("table.waiting", stage=stage, names=voice.people(view.waiting_for))


def _trump_line(view: View, voice: Voice) -> str:
    texts, cards = voice.texts, voice.cards
    if view.trump is None:
        return texts.say(f"stage.{view.stage}")
    shown = {"suit": cards.suit_name(view.trump // 13), "card": cards.card(view.trump)}
    discarded = texts.count("table.discard", len(view.discard))
    if view.talon:
        return texts.count("table.trump", view.talon, discarded=discarded, **shown)
    return texts.say("table.trump.no-talon", discarded=discarded, **shown)


def _seat_line(view: View, voice: Voice, seat: Seat) -> str:
    texts = voice.texts
    name = voice.name(seat) + (f" ({texts.say('seat.you')})" if seat == view.me else "")
    roles = _roles(view, voice, seat)
    line = "  " + texts.count("table.seat", view.counts[seat], name=name)
    if roles:
        line += f"  [{texts.say('list.comma').join(roles)}]"  # in brackets, which no name has: ours alone
    return line


def _roles(view: View, voice: Voice, seat: Seat) -> list[str]:
    """What is special about a seat now, the most important first."""
    texts = voice.texts
    roles: list[str] = []
    if seat in view.out:
        return [texts.say("role.out", number=view.out.index(seat) + 1)]
    if view.stage == "play":
        if seat == view.defender:
            roles.append(texts.say("role.takes" if view.taking else "role.defender"))
        elif seat == (view.leader if view.head is None else view.head):
            roles.append(texts.say("role.attacker"))
        if seat == view.word:
            roles.append(texts.say("role.word"))
        if seat in view.passed:
            roles.append(texts.say("role.passed"))
    if seat in view.marked:
        roles.append(texts.say("role.marked"))
    known = view.known[seat] if seat < len(view.known) else ()
    if known and seat != view.me:
        roles.append(texts.say("role.known", cards=voice.cards.cards(sorted(known))))
    return roles


def _is_trump(card: Card, view: View) -> bool:
    return view.trump is not None and card // 13 == view.trump // 13
