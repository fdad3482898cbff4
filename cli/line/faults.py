"""An offence told to people who know the game and no cryptography: who signed what, against which rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.line.said import said
from game import kinds
from ledger.fault import FORK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.line.voice import Voice
    from ledger.fault import Fault
    from ledger.genesis import Genesis

CARDS = (kinds.OPEN, kinds.LEAD, kinds.BEAT, kinds.TRANSFER, kinds.SHOW, kinds.THROW)
"""Kinds whose proof is about a card that is laid."""


def fault_line(fault: Fault, voice: Voice) -> str:
    """What was signed against the rules, by whose device, at which height."""
    name = voice.name(fault.seat)
    if fault.is_fork:
        return voice.texts.say("fault.fork", name=name, height=fault.height)
    why = voice.reason(fault.reason, dict(fault.params)) if voice.texts.knows(fault.reason) else fault.code
    rule = fault.rule or fault.code
    return voice.texts.say("fault.forbidden", name=name, height=fault.height, why=why, rule=rule)


def fault_note(fault: Fault, voice: Voice, genesis: Genesis, *, stands: bool | None) -> Iterator[str]:
    """The whole of it, as a referee would note it down. `stands`: whether the result was signed by all before
    (R32); None where a case does not show that."""
    texts = voice.texts
    yield fault_line(fault, voice)
    words = [said(entry.kind, entry.payload, voice) for entry in fault.entries]
    if fault.is_fork:
        yield texts.say("fault.one", what=words[0])
        yield texts.say("fault.other", what=words[1])
    else:
        yield texts.say("fault.what", what=words[0])
    yield _rule(fault, voice)
    key = genesis.seats[fault.seat].game_key.hex()[:16]
    yield texts.say("fault.key", key=key, name=voice.name(fault.seat))
    yield consequence(voice, stands=stands)


def consequence(voice: Voice, *, stands: bool | None) -> str:
    """What an offence means for the game (R32)."""
    if stands is None:
        return voice.texts.say("fault.unless")
    return voice.texts.say("fault.stands" if stands else "fault.halted")


def _rule(fault: Fault, voice: Voice) -> str:
    """The rule that was broken, in words."""
    texts = voice.texts
    if texts.knows(f"rule.{fault.rule}"):
        return texts.say("rule.named", rule=fault.rule, words=texts.say(f"rule.{fault.rule}"))
    return texts.say("rule.unnamed", words=texts.say(_unnumbered(fault)))


def _unnumbered(fault: Fault) -> str:
    """The message for what has no number in the rules of play: it is how signing works."""
    kind = fault.entries[0].kind
    match fault.code:
        case code if code == FORK:
            return "rule.fork"
        case "I_TURN":
            return "rule.turn"
        case "I_STATE":
            return "rule.state"
        case "I_PROOF" if kind in CARDS:
            return "rule.proof.card"
        case "I_PROOF" if kind in (
            kinds.OPEN_KEYS,
            kinds.SHUFFLE,
            kinds.TOKENS,
            kinds.NO_LOWER,
            kinds.SECRETS,
        ):
            return f"rule.proof.{kind}"
        case _:
            return "rule.shape"
