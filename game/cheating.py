"""Accusations, challenges and what they undo (R24–R27)."""

from __future__ import annotations

from game.actions import Accuse, Challenge
from game.position import FALSE, Laid, Position, laid_at
from game.refill import clear_table


def is_upheld(position: Position, height: int) -> bool:
    """R26: whether the play on the table laid at `height` was false. The log says so to all, when somebody
    accuses."""
    laid = laid_at(position, height)
    return laid is not None and laid.cheat == FALSE


def accuse(position: Position, action: Accuse) -> Position:
    """R25, R26: by the seat that has the word."""
    laid = laid_at(position, action.height)
    if laid is None:
        raise ValueError("no such play on the table")
    if laid.cheat == FALSE:
        return _undo(position, laid, position.marked | 1 << laid.seat)
    return position._replace(marked=position.marked | 1 << position.word)


def challenge(position: Position, answers: tuple[tuple[int, Challenge], ...], height: int) -> Position:
    """R25, R26: all answers of a challenge round are judged on the same table; if none is upheld, the bout
    closes."""
    marked = position.marked
    earliest: Laid | None = None
    for seat, answer in answers:
        if answer.height is None:
            continue
        laid = laid_at(position, answer.height)
        if laid is None:
            raise ValueError("no such play on the table")
        if laid.cheat == FALSE:
            marked |= 1 << laid.seat
            if earliest is None or laid.height < earliest.height:
                earliest = laid
        else:
            marked |= 1 << seat
    if earliest is None:
        return clear_table(position._replace(marked=marked), height)
    return _undo(position, earliest, marked)


def _undo(position: Position, laid: Laid, marked: int) -> Position:
    """The position just before `laid`; marks and public faces stay."""
    back: Position | None = position
    for _ in range(len(position.plays) - position.plays.index(laid)):
        back = back.before if back is not None else None
    if back is None:
        raise ValueError("no position to return to")
    return back._replace(marked=marked, faces=position.faces, seen=position.seen)
