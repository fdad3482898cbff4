"""Play one game from recorded inputs and print what came of it: the same bytes in every process.

`python -m tests.recorded` prints SHA-256 of the export and of all states, the status, and the story's length.
"""

from __future__ import annotations

import hashlib
import random

from cli.game_peer import GamePeer
from game.actions import RESIGN
from game.course import Course
from game.mental_poker import deck
from game.options import Options
from tests.memory_store import MemoryStore
from tests.tables import genesis_of, options_of, seed_of


def play(options: Options, label: str) -> list[GamePeer]:
    """A whole game with the real suite, seeds and decisions from `label` alone; one peer per seat."""
    genesis = genesis_of(options, suite=1, label=label)
    course = Course(deck)
    peers = [
        GamePeer(MemoryStore(genesis, seed_of(f"{label} {seat}")), course) for seat in range(options.seats)
    ]
    dice = random.Random(label)
    moved = True
    while moved:
        moved = False
        for peer in peers:
            records = list(peer.advance())
            legal = [action for action in peer.view().legal if action != RESIGN]
            if legal:
                records.append(peer.decide(dice.choice(legal)))
            for record in records:
                moved = True
                for other in peers:
                    other.receive(record)
    return peers


def main() -> None:
    peers = play(options_of(seats=3, deck=24), "recorded")
    course = peers[0].course
    states = hashlib.sha256()
    for step in peers[0].log.steps():
        states.update(course.public_bytes(step.after))
    exports = {hashlib.sha256(peer.log.export()).hexdigest() for peer in peers}
    events = sum(len(told) for _, told in peers[0].events_from(0))
    print(*sorted(exports), states.hexdigest(), peers[0].log.status.value, events)


if __name__ == "__main__":
    main()
