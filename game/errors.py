"""The game's error tree.

GameError
 ├ BadCard        text that names no card
 ├ OptionError    table options that do not go together; carries the nearest legal choice
 └ IllegalMove    an action the rules do not allow here. Nobody's fault until somebody has signed it

`reason` is always a message id, `params` what the message is about (card ids, seats, ranks as ints).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from game.options import Options


class GameError(Exception):
    """Root of everything the game raises on purpose."""


class BadCard(GameError):
    """`text` names no card (R1)."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.reason = "card.unreadable"
        self.params: dict[str, object] = {"text": text}


class OptionError(GameError):
    """Options no table may have. `nearest` is a legal choice that changes as little as possible."""

    def __init__(self, reason: str, nearest: Options, **params: object) -> None:
        super().__init__(f"{reason} {params}" if params else reason)
        self.reason = reason
        self.nearest = nearest
        self.params = params


class IllegalMove(GameError):
    """`rule` is the number in docs/rules.md ("R9"); `reason` a message id, one of `game.legality.REASONS`."""

    def __init__(self, rule: str, reason: str, **params: int) -> None:
        super().__init__(f"{rule} {reason} {params}" if params else f"{rule} {reason}")
        self.rule = rule
        self.reason = reason
        self.params = params
