"""What happened, one line per event, in the order the core tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from game import events as happened

if TYPE_CHECKING:
    from cli.line.voice import Voice
    from game.events import Event
    from game.rules import Result


def tell(event: Event, voice: Voice) -> tuple[str, ...]:
    """The lines for one event, almost always one. Events nobody needs to read give none."""
    return tuple(_lines(event, voice))


def _lines(event: Event, voice: Voice) -> list[str]:
    texts, cards = voice.texts, voice.cards
    match event:
        case happened.Joined():
            return [texts.say("event.joined")]
        case happened.KeysOpened():
            return [texts.say("event.keys-opened")]
        case happened.DealVoid():
            return [texts.say("event.deal-void")]
        case happened.Shuffled(seat, done, total):
            return [voice.tell("event.shuffled", seat, done=done, total=total)]
        case happened.Dealt(trump, talon):
            shown = {"suit": cards.suit_name(trump // 13), "card": cards.card(trump)}
            return [
                texts.count("event.dealt", talon, **shown) if talon else texts.say("event.dealt.all", **shown)
            ]
        case happened.Claimed(seat, rank):
            if rank is None:
                return [voice.tell("event.claimed.nothing", seat)]
            return [voice.tell("event.claimed", seat, rank=cards.rank(rank))]
        case happened.TrumpOpened(seat, card):
            return [voice.tell("event.trump-opened", seat, card=cards.card(card))]
        case happened.LeaderFixed(seat, why):
            return [voice.tell("event.leader", seat, why=texts.say(f"leader.{why}"))]
        case happened.Led(seat, defender, laid):
            return [
                voice.tell(
                    "event.led", seat, cards=cards.cards(laid), defends=voice.tell("role.defends", defender)
                )
            ]
        case happened.Beaten(seat, attack, card):
            return [voice.tell("event.beat", seat, attack=cards.card(attack), card=cards.card(card))]
        case happened.Transferred(seat, card, defender):
            return [
                voice.tell(
                    "event.transferred",
                    seat,
                    card=cards.card(card),
                    defends=voice.tell("role.defends", defender),
                )
            ]
        case happened.Shown(seat, card, defender):
            return [
                voice.tell(
                    "event.shown", seat, card=cards.card(card), defends=voice.tell("role.defends", defender)
                )
            ]
        case happened.Thrown(seat, card, taking):
            message = "event.thrown.taking" if taking else "event.thrown"
            return [voice.tell(message, seat, card=cards.card(card))]
        case happened.TakeDeclared(seat):
            return [voice.tell("event.take-declared", seat)]
        case happened.Passed(seat):
            return [voice.tell("event.passed", seat)]
        case happened.Accused(seat, accused, _, card, upheld):
            message = "event.accused.upheld" if upheld else "event.accused.false"
            return [voice.tell(message, seat, accused=voice.someone(accused), card=cards.card(card))]
        case happened.RolledBack(_):
            return [texts.say("event.rolled-back")]
        case happened.BoutBeaten(defender, laid):
            return [voice.tell("event.bout-beaten", defender, cards=cards.cards(laid))]
        case happened.BoutTaken(defender, laid):
            return [voice.tell_count("event.bout-taken", defender, len(laid), cards=cards.cards(laid))]
        case happened.Drew(seat, count, talon):
            return [voice.tell_count("event.drew", seat, count, talon=talon)]
        case happened.WentOut(seat, order):
            return [voice.tell("event.went-out", seat, order=order)]
        case happened.Resigned(seat):
            return [voice.tell("event.resigned", seat)]
        case happened.GameOver(result):
            return tell_result(result, voice)
        case happened.ResultSigned():
            return [texts.say("event.result-signed")]
        case happened.HandsOpened(_):
            return [texts.say("event.hands-opened")]
        case happened.Aborted(waiting_for, durak):
            message = "event.aborted.durak" if durak else "event.aborted.void"
            return [texts.say(message, names=voice.people(waiting_for))]
        case _:
            assert_never(event)


def tell_result(result: Result, voice: Voice) -> list[str]:
    """The end: the durak or the draw, who went out in which order, pogony."""
    texts = voice.texts
    lines = [texts.say("event.over")]
    if result.outcome == DRAW:
        lines.append(texts.say("result.draw"))
    elif len(result.duraks) == 1:
        lines.append(voice.tell("result.durak", result.duraks[0]))
    else:
        lines.append(texts.say("result.duraks", names=voice.people(result.duraks)))
    if result.order_out:
        places = (
            texts.say("result.place", number=number, name=voice.someone(seat))
            for number, seat in enumerate(result.order_out, start=1)
        )
        lines.append(texts.say("result.order", places=texts.say("list.comma").join(places)))
    if result.pogony:
        cards = voice.cards.cards(result.pogony)
        lines.append(voice.tell("result.pogony", result.duraks[0], cards=cards))
    return lines


DRAW = 1
"""RESULT outcome of a draw (DESIGN §3)."""
