"""An own entry is proven, checked once, and only then stored; what others sign is checked once, too."""

from __future__ import annotations

import pytest

from cli.game_peer import GamePeer
from game import kinds
from game.course import Course
from game.mental_poker import deck as real_suite
from game.mental_poker import group
from game.mental_poker.elgamal import MaskedDeck
from game.state import Stage
from ledger.engine import Due, Kind, Payload, Seat
from ledger.entry import read_record
from ledger.errors import Forbidden
from tests.memory_store import MemoryStore
from tests.tables import genesis_of, options_of, seed_of

VERIFIERS = {
    kinds.OPEN_KEYS: "verify_key",
    kinds.SHUFFLE: "verify_shuffle",
    kinds.TOKENS: "verify_tokens",
    kinds.OPEN: "verify_tokens",
    kinds.NO_LOWER: "verify_no_lower",
}


class Counting(MemoryStore):
    """Notes how often proofs had been verified when an own entry came to be stored."""

    calls: dict[str, int]
    noted: list[tuple[int, int]]

    def append(self, record: bytes) -> bytes:
        kind = read_record(record).kind
        if kind in VERIFIERS:
            self.noted.append((kind, self.calls[VERIFIERS[kind]]))
            self.calls[VERIFIERS[kind]] = 0
        return super().append(record)


def counted(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    calls = dict.fromkeys(VERIFIERS.values(), 0)

    def wrap(name: str) -> None:
        verify = getattr(real_suite, name)

        def counting(*arguments: object) -> object:
            calls[name] += 1
            return verify(*arguments)

        monkeypatch.setattr(real_suite, name, counting)

    for name in calls:
        wrap(name)
    return calls


def test_every_own_proof_is_verified_once_and_before_it_is_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(monkeypatch)
    genesis = genesis_of(options_of(seats=3), suite=1, label="checked once")
    stores = [Counting(genesis, seed_of(f"checked once {seat}")) for seat in range(3)]
    peers = []
    for store in stores:
        store.calls, store.noted = calls, []
        peers.append(GamePeer(store, Course(real_suite)))
    while peers[0].state.stage is not Stage.PLAY:
        for author, peer in enumerate(peers):
            calls.update(dict.fromkeys(calls, 0))
            records = peer.advance()
            assert sum(calls.values()) == 0, "and not once more afterwards"
            for record in records:
                for other in peers:
                    if other is not peers[author]:
                        other.receive(record)
    for store in stores:
        assert len(store.noted) >= 3
        assert all(verified == 1 for _, verified in store.noted)


class Strict(Course):
    """Counts what is really looked at."""

    looked = 0

    def _check(self, state: object, seat: Seat, kind: Kind, payload: Payload) -> None:
        self.looked += 1
        super()._check(state, seat, kind, payload)  # type: ignore[arg-type]


def test_only_the_very_same_question_is_answered_from_memory() -> None:
    course = Strict(real_suite)
    genesis = genesis_of(options_of(), suite=1)
    state, again = course.start(genesis), course.start(genesis)
    good, other = (bytes(32),), (bytes(31) + b"\1",)
    due = Due(Seat(0), (kinds.JOIN,))
    course.check(state, due, kinds.JOIN, good)
    course.check(state, due, kinds.JOIN, good)
    assert course.looked == 1
    for question in (
        (state, due, kinds.JOIN, other),
        (state, Due(Seat(1), (kinds.JOIN,)), kinds.JOIN, other),
        (again, Due(Seat(1), (kinds.JOIN,)), kinds.JOIN, other),
    ):
        before = course.looked
        course.check(*question)
        assert course.looked == before + 1
    for _ in range(2):
        before = course.looked
        with pytest.raises(Forbidden, match="I_SHAPE"):
            course.check(state, due, kinds.JOIN, ())
        assert course.looked == before + 1, "a refusal is never remembered"


def test_a_deck_is_decoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    backend = group.backend()
    X = real_suite.public_key(7)
    deck, _ = real_suite.shuffle(
        real_suite.Context(bytes(32), 2, 0), X, real_suite.first_deck((1, 2, 3)), b"k" * 32
    )
    wire = deck.to_bytes()
    decoded: list[bytes] = []
    decode = backend.decode
    monkeypatch.setattr(type(backend), "decode", lambda self, data: decoded.append(data) or decode(data))
    one, two = MaskedDeck.from_bytes(wire), MaskedDeck.from_bytes(bytearray(wire))
    assert one is two
    assert one == deck
    assert len(decoded) == 6
