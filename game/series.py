"""From one game of a table to the next: who leads, and the tally (R5, R31)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from game import rules
from ledger.genesis import Previous

if TYPE_CHECKING:
    from game.state import CourseState
    from ledger.genesis import Digest, Genesis
    from ledger.identity import PublicKey


def previous_of(
    genesis: Genesis,
    last: CourseState,
    digest: Digest,
    *,
    people: tuple[PublicKey, ...],
    halted: bool = False,
) -> Previous:
    """What the next game's genesis says about this one (DESIGN §2).

    `last` is the state when the game ended, `digest` that of the height that ended play, `people` the
    identity keys of the next game by seat. With other people or seats, after a draw, a void or a `halted`
    game the lowest trump decides who leads (R4); the tally follows the same people in the same seats only.
    """
    seats = len(people)
    same = people == tuple(record.identity_key for record in genesis.seats)
    position = last.position
    if not same:
        return Previous(genesis.game_id, digest, None, (0,) * seats, (0,) * seats)
    before = genesis.previous
    wins = before.wins if before is not None else (0,) * seats
    losses = before.losses if before is not None else (0,) * seats
    if position is None or halted:
        return Previous(genesis.game_id, digest, None, wins, losses)
    won, lost = rules.series_points(position)
    return Previous(
        genesis.game_id,
        digest,
        rules.next_leader(position),
        tuple(old + new for old, new in zip(wins, won, strict=True)),
        tuple(old + new for old, new in zip(losses, lost, strict=True)),
    )
