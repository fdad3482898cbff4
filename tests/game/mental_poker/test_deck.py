"""Dealing and playing with three seats: tokens, faces, no lower trump, open decks (DEALING §5, §6)."""

from __future__ import annotations

import pytest

from game.mental_poker import deck as verbs
from game.mental_poker.backend import Backend, L
from game.mental_poker.errors import BadEncoding, CardIsHeld, NotACard, ProofFailed
from game.mental_poker.group import base, read_point
from game.mental_poker.hash_to_group import card_point
from tests.game.mental_poker.scenes import Scene, scene

CARDS = (0, 3, 12, 13, 25, 26, 38, 51)


def made(table: Scene, seat: int, places: tuple[int, ...], purpose: str = "deal") -> tuple[bytes, bytes]:
    secret = table.secrets[seat]
    context = table.context(9, seat)
    return verbs.make_tokens(
        context, purpose, secret.x, table.keys[seat], table.final, places, secret.proof_key
    )


def check(table: Scene, seat: int, places: tuple[int, ...], tokens: bytes, proof: bytes) -> None:
    verbs.verify_tokens(table.context(9, seat), "deal", table.keys[seat], table.final, places, tokens, proof)


def test_everybody_opens_everything_alike(backend: Backend) -> None:
    table = scene(3, CARDS)
    faces = verbs.open_deck(table.final, [secret.x for secret in table.secrets])
    assert tuple(sorted(faces)) == CARDS
    for place in (0, 5):
        assert verbs.face(table.final, place, table.tokens_for(place)) == faces[place]
        for seat, secret in enumerate(table.secrets):
            others = table.tokens_for(place, without=seat)
            assert verbs.own_face(table.final, place, others, secret.x) == faces[place]


def test_a_missing_or_strange_token_opens_nothing(backend: Backend) -> None:
    table = scene(3, CARDS)
    tokens = table.tokens_for(2)
    with pytest.raises(NotACard):
        verbs.face(table.final, 2, tokens[:2])
    with pytest.raises(NotACard):
        verbs.face(table.final, 3, tokens)
    with pytest.raises(NotACard):
        verbs.own_face(table.final, 2, tokens[:2], 5)
    with pytest.raises(BadEncoding):
        verbs.face(table.final, 2, [*tokens[:2], bytes(32)])
    with pytest.raises(NotACard):
        verbs.open_deck(table.final, [secret.x for secret in table.secrets[:2]])


@pytest.mark.parametrize("places", [(4,), (0, 7), (1, 2, 3, 5, 6)])
def test_tokens(backend: Backend, places: tuple[int, ...]) -> None:
    table = scene(3, CARDS)
    tokens, proof = made(table, 1, places)
    assert (len(tokens), len(proof)) == (32 * len(places), 64)
    check(table, 1, places, tokens, proof)
    assert made(table, 1, places) == (tokens, proof)


def test_attack_17_tokens_are_bound_to_everything(backend: Backend) -> None:
    table = scene(3, CARDS)
    other = scene(3, CARDS, 1)
    places = (1, 4)
    tokens, proof = made(table, 1, places)
    X = table.keys[1]
    context = table.context(9, 1)
    for attempt in (
        (context._replace(height=10), "deal", X, table.final, places),
        (context._replace(seat=0), "deal", X, table.final, places),
        (context._replace(game=bytes(32)), "deal", X, table.final, places),
        (context, "open", X, table.final, places),
        (context, "deal", table.keys[0], table.final, places),
        (context, "deal", X, table.decks[-2], places),
        (context, "deal", X, other.final, places),
        (context, "deal", X, table.final, (1, 5)),
        (context, "deal", X, table.final, (0, 4)),
    ):
        with pytest.raises(ProofFailed, match="c"):
            verbs.verify_tokens(*attempt, tokens, proof)


def test_attack_25_and_34_wrong_token(backend: Backend) -> None:
    table = scene(3, CARDS)
    tokens, proof = made(table, 1, (1, 4))
    bent = bytes(read_point(tokens[:32]) + base(1)) + tokens[32:]
    with pytest.raises(ProofFailed):
        check(table, 1, (1, 4), bent, proof)


def test_attack_26_token_that_forces_a_card(backend: Backend) -> None:
    """S = B − the others' tokens − M_wanted opens to the card one wants: only the proof stands in the way."""
    table = scene(3, CARDS)
    place = 4
    faces = verbs.open_deck(table.final, [secret.x for secret in table.secrets])
    wanted = max(set(faces) - {faces[place]})
    rest = table.final.ciphertexts[place].B
    for token in table.tokens_for(place, without=1):
        rest = rest - read_point(token)
    forced = bytes(rest - card_point(wanted))
    assert verbs.face(table.final, place, [*table.tokens_for(place, without=1), forced]) == wanted
    _, proof = made(table, 1, (place,))
    with pytest.raises(ProofFailed):
        check(table, 1, (place,), forced, proof)


def test_attack_27_swapped_tokens(backend: Backend) -> None:
    table = scene(3, CARDS)
    tokens, proof = made(table, 1, (1, 4, 6))
    with pytest.raises(ProofFailed):
        check(table, 1, (1, 4, 6), tokens[32:64] + tokens[:32] + tokens[64:], proof)


def test_attack_28_opposite_errors(backend: Backend) -> None:
    table = scene(3, CARDS)
    tokens, proof = made(table, 1, (1, 4))
    bent = bytes(read_point(tokens[:32]) + base(3)) + bytes(read_point(tokens[32:]) - base(3))
    with pytest.raises(ProofFailed):
        check(table, 1, (1, 4), bent, proof)


@pytest.mark.parametrize("places", [(), (4, 1), (1, 1), (-1, 2), (2, 8), (1, 4, 4)])
def test_places_are_ascending_and_in_the_deck(backend: Backend, places: tuple[int, ...]) -> None:
    table = scene(2, (0, 1, 2, 3, 4, 5, 6, 7))
    with pytest.raises(BadEncoding, match="places"):
        made(table, 0, places)
    with pytest.raises(BadEncoding, match="places"):
        check(table, 0, places, bytes(32 * len(places)), bytes(64))


def test_attack_13_sizes_of_tokens_and_proofs(backend: Backend) -> None:
    table = scene(2, (0, 1, 2))
    tokens, proof = made(table, 0, (0, 1))
    for bad_tokens, bad_proof in (
        (tokens[:-1], proof),
        (tokens[:32], proof),
        (tokens + tokens[:32], proof),
        (b"", proof),
        (bytes(32) + tokens[32:], proof),
        (tokens, proof[:-1]),
        (tokens, proof + b"\0"),
        (tokens, b""),
    ):
        with pytest.raises(BadEncoding):
            check(table, 0, (0, 1), bad_tokens, bad_proof)
    for start in (0, 32):
        alias = int.from_bytes(proof[start : start + 32], "little") + L
        with pytest.raises(BadEncoding):
            check(
                table, 0, (0, 1), tokens, proof[:start] + alias.to_bytes(32, "little") + proof[start + 32 :]
            )


def test_unknown_purpose_is_our_own_mistake(backend: Backend) -> None:
    table = scene(2, (0, 1, 2))
    with pytest.raises(ValueError, match="shuffle"):
        made(table, 0, (0,), purpose="shuffle")


# -- no lower trump --------------------------------------------------------------------------------


class Claim:
    """Seat 0 holds places 0, 2 and 5 and denies `cards`."""

    places = (0, 2, 5)

    def __init__(self, table: Scene) -> None:
        self.table = table
        self.others = [table.tokens_for(place, without=0) for place in self.places]
        faces = verbs.open_deck(table.final, [secret.x for secret in table.secrets])
        self.held = tuple(faces[place] for place in self.places)
        self.denied = tuple(sorted(set(CARDS) - set(self.held)))[:2]

    def prove(self, cards: tuple[int, ...]) -> bytes:
        secret = self.table.secrets[0]
        context, X = self.table.context(12, 0), self.table.keys[0]
        return verbs.prove_no_lower(
            context, secret.x, X, self.table.final, self.places, self.others, cards, secret.proof_key
        )

    def verify(self, cards: tuple[int, ...], proof: bytes, places: tuple[int, ...] = places) -> None:
        verbs.verify_no_lower(
            self.table.context(12, 0), self.table.keys[0], self.table.final, places, self.others, cards, proof
        )


def test_no_lower(backend: Backend) -> None:
    claim = Claim(scene(3, CARDS))
    proof = claim.prove(claim.denied)
    assert len(proof) == 32 + 96 * 3 * 2
    claim.verify(claim.denied, proof)
    assert claim.prove(claim.denied) == proof


def test_attack_36_a_held_card_cannot_be_denied(backend: Backend) -> None:
    claim = Claim(scene(3, CARDS))
    cards = tuple(sorted((claim.held[1], claim.denied[0])))
    with pytest.raises(CardIsHeld) as caught:
        claim.prove(cards)
    assert (caught.value.place, caught.value.card) == (2, claim.held[1])
    with pytest.raises(ProofFailed):
        claim.verify(cards, claim.prove(claim.denied))


def test_attack_37_other_list_places_or_order(backend: Backend) -> None:
    claim = Claim(scene(3, CARDS))
    proof = claim.prove(claim.denied)
    other = tuple(sorted(set(CARDS) - set(claim.held)))[2:4]
    with pytest.raises(ProofFailed):
        claim.verify(other, proof)
    with pytest.raises(BadEncoding):
        claim.verify(claim.denied[:1], proof)
    with pytest.raises(BadEncoding):
        claim.verify(claim.denied[::-1], proof)
    with pytest.raises(ProofFailed):
        claim.verify(claim.denied, proof, (0, 2, 6))
    with pytest.raises(BadEncoding, match="tokens"):
        claim.verify(claim.denied, proof, (0, 2))
    with pytest.raises(BadEncoding, match="cards"):
        claim.verify((), proof[:32])


@pytest.mark.parametrize("field", range(1 + 3 * 3 * 2))
def test_no_lower_every_field_counts(backend: Backend, field: int) -> None:
    claim = Claim(scene(2, CARDS))
    proof = bytearray(claim.prove(claim.denied))
    proof[32 * field] ^= 2
    with pytest.raises((ProofFailed, BadEncoding)):
        claim.verify(claim.denied, bytes(proof))


def test_attack_37_identity_and_sizes(backend: Backend) -> None:
    claim = Claim(scene(2, CARDS))
    proof = claim.prove(claim.denied)
    with pytest.raises(BadEncoding, match="V"):
        claim.verify(claim.denied, proof[:32] + bytes(32) + proof[64:])
    for bad in (proof[:-1], proof + b"\0", proof[:-96], proof + proof[-96:], b""):
        with pytest.raises(BadEncoding):
            claim.verify(claim.denied, bad)


def test_attack_11_scalars_of_no_lower_are_canonical(backend: Backend) -> None:
    """c, zr and zg with L added: the same numbers in every equation."""
    claim = Claim(scene(2, CARDS))
    proof = claim.prove(claim.denied)
    for at in (0, 64, 96, len(proof) - 64, len(proof) - 32):
        alias = int.from_bytes(proof[at : at + 32], "little") + L
        with pytest.raises(BadEncoding):
            claim.verify(claim.denied, proof[:at] + alias.to_bytes(32, "little") + proof[at + 32 :])


def test_blinds_are_fresh_for_every_pair(backend: Backend) -> None:
    claim = Claim(scene(2, CARDS))
    proof = claim.prove(claim.denied)
    blinded = {proof[32 + 96 * pair : 64 + 96 * pair] for pair in range(6)}
    assert len(blinded) == 6


def test_attack_43_without_one_secret_the_others_see_nothing(backend: Backend) -> None:
    """All but one seat pool their secrets and every token that is public: the victim's places stay closed."""
    table = scene(3, CARDS)
    pooled = sum(secret.x for secret in table.secrets[1:])
    for place in range(len(CARDS)):
        with pytest.raises(NotACard):
            verbs.own_face(table.final, place, (), pooled)
        with pytest.raises(NotACard):
            verbs.face(table.final, place, table.tokens_for(place, without=0))


def test_attack_45_sizes_are_judged_before_any_curve_work(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Garbage of the wrong length costs a comparison, not ten thousand square roots."""
    table = scene(2, (0, 1, 2))
    claim_places = (0, 1)
    others = [table.tokens_for(place, without=0) for place in claim_places]
    decoded: list[bytes] = []
    monkeypatch.setattr(type(backend), "decode", lambda self, data: decoded.append(data) or backend.identity)
    context, deck = table.context(9, 0), table.final
    garbage = b"\x07" * 64 * 52
    attempts = (
        lambda: verbs.verify_shuffle(context, table.joint, deck, garbage, bytes(480)),
        lambda: verbs.verify_shuffle(context, table.joint, deck, deck.to_bytes(), garbage),
        lambda: verbs.verify_tokens(context, "deal", table.keys[0], deck, (0, 1), garbage, bytes(64)),
        lambda: verbs.verify_tokens(context, "deal", table.keys[0], deck, (0, 1), bytes(64), garbage),
        lambda: verbs.verify_no_lower(context, table.keys[0], deck, claim_places, others, (40, 41), garbage),
    )
    for attempt in attempts:
        with pytest.raises(BadEncoding):
            attempt()
    assert decoded == []
