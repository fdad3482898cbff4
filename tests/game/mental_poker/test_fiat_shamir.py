"""Attack 16, weak Fiat–Shamir: no field can be forgotten, for none is listed here by hand alone.

Three nets. What a verifier absorbs is recorded while it runs, compared with the norm's list, and every single
item is then changed, dropped or moved: the proof must die each time. The prover must absorb the very same.
And every field of every statement (and of the context), taken from the dataclass itself, must reach the hash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import Any

import pytest

from game.mental_poker import claims, shuffle_argument, sigma
from game.mental_poker import deck as verbs
from game.mental_poker.backend import Backend, L
from game.mental_poker.deck import Context
from game.mental_poker.errors import ProofFailed
from game.mental_poker.group import base
from game.mental_poker.keys import key_point
from game.mental_poker.transcript import Transcript
from tests.game.mental_poker.scenes import seed_bytes, seed_int

KEY = seed_bytes("proof", 0)
CONTEXT = Context(seed_bytes("game", 0), 0, 2)
x = seed_int("x", 0) % L
OPENED = ["suite", "game", "height", "seat", "purpose"]


@dataclass(frozen=True)
class Argument:
    """One kind of proof: how to make and check it, and what DEALING says is absorbed, in order."""

    purpose: str
    statement: Any
    prove: Callable[[Transcript, Any], Any]
    verify: Callable[[Transcript, Any, Any], None]
    absorbed: list[str]
    mutants: dict[str, Any]
    """For every field of the statement, another value."""

    def proof(self) -> Any:
        return self.prove(Transcript.open(CONTEXT, self.purpose), self.statement)

    def check(self, proof: Any) -> None:
        self.verify(Transcript.open(CONTEXT, self.purpose), self.statement, proof)


def key_argument() -> Argument:
    return Argument(
        "key",
        sigma.KeyStatement(base(x)),
        lambda t, s: sigma.prove_key(t, s, x, KEY),
        sigma.verify_key,
        [*OPENED, "X", "T"],
        {"X": base(3)},
    )


def token_argument() -> Argument:
    A = (base(11), base(12))
    return Argument(
        "deal",
        sigma.TokenStatement(base(x), (3, 8), A, tuple(x * a for a in A)),
        lambda t, s: sigma.prove_tokens(t, s, x, KEY),
        sigma.verify_tokens,
        [*OPENED, "X", "n", "place", "place", "S", "S", "T1", "T2"],
        {"X": base(3), "places": (3, 9), "A": (base(11), base(3)), "S": (base(3), x * A[1])},
    )


def shuffle_argument_() -> Argument:
    X = key_point(verbs.public_key(x))
    before, _ = verbs.shuffle(CONTEXT, bytes(X), verbs.first_deck((4, 5, 6)), KEY)
    other, _ = verbs.shuffle(CONTEXT, bytes(X), verbs.first_deck((4, 5, 7)), KEY)
    statement, witness = shuffle_argument.remask(Transcript.open(CONTEXT, "shuffle"), X, before, KEY)
    return Argument(
        "shuffle",
        statement,
        lambda t, s: shuffle_argument.prove_shuffle(t, s, witness, KEY),
        shuffle_argument.verify_shuffle,
        [*OPENED, "X", "N", "in", "out", "A", "B", "Delta", "W", "V", "U", "E1", "E2"],
        {"X": base(3), "C": other, "C_out": other},
    )


def no_lower_argument() -> Argument:
    A = (base(11), base(12))
    Q = (base(13), base(14))
    return Argument(
        "no-lower",
        claims.NoLowerStatement(base(x), (0, 4), A, Q, (6, 7)),
        lambda t, s: claims.prove_no_lower(t, s, x, KEY),
        claims.verify_no_lower,
        [*OPENED, "X", "n", "t", "place", "place", "card", "card", "V", "V", "V", "V", *["T1", "T2"] * 4],
        {"X": base(3), "places": (0, 5), "A": (A[0], base(3)), "Q": (base(3), Q[1]), "cards": (6, 8)},
    )


ARGUMENTS = [key_argument, token_argument, shuffle_argument_, no_lower_argument]


@contextmanager
def tampered(
    monkeypatch: pytest.MonkeyPatch, tamper: Callable[[int, str, bytes], list[tuple[str, bytes]]]
) -> Iterator[None]:
    """Every absorb goes through `tamper(number, label, data)`, which says what is really absorbed."""
    absorb = Transcript.absorb
    count = -1

    def instead(self: Transcript, label: str, data: bytes) -> None:
        nonlocal count
        count += 1
        for changed_label, changed in tamper(count, label, data):
            absorb(self, changed_label, changed)

    with monkeypatch.context() as patch:
        patch.setattr(Transcript, "absorb", instead)
        yield


def recorded(monkeypatch: pytest.MonkeyPatch, run: Callable[[], object]) -> list[tuple[str, bytes]]:
    seen: list[tuple[str, bytes]] = []

    def note(_: int, label: str, data: bytes) -> list[tuple[str, bytes]]:
        seen.append((label, data))
        return [(label, data)]

    with tampered(monkeypatch, note):
        run()
    return seen


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_prover_and_verifier_absorb_what_the_norm_says(
    backend: Backend, argument: Callable[[], Argument], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = argument()
    proof = made.proof()
    by_prover = recorded(monkeypatch, made.proof)
    by_verifier = recorded(monkeypatch, lambda: made.check(proof))
    assert [label for label, _ in by_verifier] == made.absorbed
    assert by_prover == by_verifier


@pytest.mark.parametrize("argument", ARGUMENTS)
@pytest.mark.parametrize("how", ["bit", "dropped", "twice", "label", "longer"])
def test_attack_16_every_absorbed_field_counts(
    argument: Callable[[], Argument], how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = argument()
    proof = made.proof()
    changes: dict[str, Callable[[str, bytes], list[tuple[str, bytes]]]] = {
        "bit": lambda label, data: [(label, data[:-1] + bytes([data[-1] ^ 1]))],
        "dropped": lambda label, data: [],
        "twice": lambda label, data: [(label, data)] * 2,
        "label": lambda label, data: [(label + "_", data)],
        "longer": lambda label, data: [(label, data + b"\0")],
    }
    total = len(recorded(monkeypatch, lambda: made.check(proof)))
    assert total >= len(OPENED) + 2
    for target in range(total):

        def tamper(number: int, label: str, data: bytes, target: int = target) -> list[tuple[str, bytes]]:
            return changes[how](label, data) if number == target else [(label, data)]

        with tampered(monkeypatch, tamper), pytest.raises(ProofFailed):
            made.check(proof)


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_attack_16_every_bit_of_every_short_field_is_hashed(
    argument: Callable[[], Argument], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first byte too: 'game' could be cut, 'height' could be one byte."""
    made = argument()
    proof = made.proof()
    for target, (_, data) in enumerate(recorded(monkeypatch, lambda: made.check(proof))):
        for position in {0, len(data) // 2, len(data) - 1}:

            def tamper(
                number: int, label: str, data: bytes, target: int = target, position: int = position
            ) -> list[tuple[str, bytes]]:
                if number == target:
                    data = data[:position] + bytes([data[position] ^ 0x80]) + data[position + 1 :]
                return [(label, data)]

            with tampered(monkeypatch, tamper), pytest.raises(ProofFailed):
                made.check(proof)


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_attack_16_every_field_of_the_statement_reaches_the_hash(
    argument: Callable[[], Argument], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = argument()
    names = {each.name for each in fields(made.statement)}
    assert set(made.mutants) == names, "a new field of the statement: say how to change it"
    own = [label for label in made.absorbed if label not in OPENED]
    proof = made.proof()
    honest = recorded(monkeypatch, lambda: made.check(proof))
    for name in sorted(names):
        other = replace(made, statement=replace(made.statement, **{name: made.mutants[name]}))

        def fails(other: Argument = other) -> None:
            with pytest.raises(ProofFailed):
                other.check(proof)

        changed = recorded(monkeypatch, fails)
        before_commitments = len(OPENED) + next(
            index for index, label in enumerate(own) if label in {"T", "T1", "A", "V"}
        )
        assert changed[:before_commitments] != honest[:before_commitments], f"{name} is not absorbed in time"


@pytest.mark.parametrize("argument", ARGUMENTS)
@pytest.mark.parametrize("name", Context._fields)
def test_attack_17_every_field_of_the_context_counts(argument: Callable[[], Argument], name: str) -> None:
    made = argument()
    proof = made.proof()
    others = {"game": bytes(32), "height": 1, "seat": 3}
    assert set(others) == set(Context._fields)
    other = CONTEXT._replace(**{name: others[name]})
    with pytest.raises(ProofFailed):
        made.verify(Transcript.open(other, made.purpose), made.statement, proof)


@pytest.mark.parametrize("argument", ARGUMENTS)
@pytest.mark.parametrize("purpose", ["key", "shuffle", "deal", "open", "no-lower"])
def test_attack_17_purposes_are_apart(argument: Callable[[], Argument], purpose: str) -> None:
    made = argument()
    proof = made.proof()
    if purpose == made.purpose:
        made.check(proof)
        return
    with pytest.raises(ProofFailed):
        made.verify(Transcript.open(CONTEXT, purpose), made.statement, proof)


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_attack_23_nonces_depend_on_all_that_is_absorbed_before_them(
    argument: Callable[[], Argument], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another context or statement, other nonces: none of one proof ever meets one of another."""
    made = argument()
    drawn: list[int] = []
    secret = shuffle_argument.Transcript.secrets

    def noting(self: Transcript, key: bytes) -> Any:
        secrets = secret(self, key)
        nonce = type(secrets).nonce

        class Noting:
            def nonce(self, label: str, index: int = 0) -> int:
                drawn.append(nonce(secrets, label, index))
                return drawn[-1]

            def nonces(self, label: str, indices: range) -> list[int]:
                return [self.nonce(label, index) for index in indices]

        return Noting()

    monkeypatch.setattr(Transcript, "secrets", noting)
    for name, value in (("game", bytes(32)), ("height", 1), ("seat", 3), ("seat", 2)):
        made.prove(Transcript.open(CONTEXT._replace(**{name: value}), made.purpose), made.statement)
    assert len(drawn) >= 4
    assert len(set(drawn)) == len(drawn)
