"""What `?` says: the situation, what may be typed, and the rules within reach of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game import actions

if TYPE_CHECKING:
    from cli.line.voice import Voice
    from game.view import View

DECIDING = frozenset({"play", "challenge"})
"""Stages whose turns are a person's; all others are met by the software."""


def situation(view: View) -> str:
    """Which question is asked: "lead", "defend", "throw", "add" (after "take") or "challenge"."""
    if view.stage == "challenge":
        return "challenge"
    kinds = {type(action) for action in view.legal}
    if actions.Lead in kinds:
        return "lead"
    if actions.Take in kinds or actions.Beat in kinds:
        return "defend"
    return "add" if view.taking else "throw"


def help_lines(view: View, voice: Voice, *, has_word: bool) -> list[str]:
    """Top to bottom: what now, what may be typed, the rules of this table that matter now."""
    texts = voice.texts
    lines: list[str] = []
    if has_word:
        lines.append(texts.say(f"help.{situation(view)}"))
        lines += [texts.say(message) for message in _rules_in_reach(view)]
        if view.capacity and situation(view) in {"throw", "add"}:
            lines.append(texts.count("help.capacity", view.capacity))
    elif view.stage in DECIDING:
        lines.append(texts.say("help.plans"))
    else:
        lines.append(texts.say(f"help.stage.{view.stage}"))
    lines.append(texts.say("help.commands"))
    if view.options.cheating:
        lines.append(texts.say("help.cheating"))
    return lines


def _rules_in_reach(view: View) -> list[str]:
    """Rules of this table a person may need in this situation; other options' rules stay out of the way."""
    options, now = view.options, situation(view)
    rules: list[str] = []
    if now == "lead":
        if options.lead == "several":
            rules.append("help.rule.several")
        if options.first_limit:
            rules.append("help.rule.first-limit")
    if now == "defend":
        rules.append("help.rule.take")
        if any(isinstance(action, actions.Transfer) for action in view.legal):
            rules.append("help.rule.transfer")
        if any(isinstance(action, actions.Show) for action in view.legal):
            rules.append("help.rule.show")
    if now == "throw":
        rules.append("help.rule.pass-binds")
    return rules
