"""Attacks 16 to 24: transcripts, shuffles, nonces, generators."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pytest

from cli.game_peer import GamePeer
from game import kinds, payloads
from game.mental_poker import deck as real_suite
from game.mental_poker import shuffle_argument
from game.mental_poker.backend import L
from game.mental_poker.deck import Context, MaskedDeck
from game.mental_poker.elgamal import Ciphertext, encrypt_zero, weighted_sum
from game.mental_poker.errors import NotACard
from game.mental_poker.group import base, read_point, read_scalar
from game.mental_poker.keys import key_point
from game.mental_poker.shuffle_argument import ShuffleProof, ShuffleStatement, ShuffleWitness
from game.mental_poker.transcript import Transcript
from game.state import Stage
from ledger.engine import Height, Payload, Seat
from ledger.entry import read_record, sign_entry
from ledger.identity import derive
from ledger.log import Log
from ledger.outcome import Pending, UnknownBranch
from p2p.messages import Entries
from tests.attacks.hall import Cheat, Hall
from tests.attacks.recorded import COURSE, Recorded, recorded
from tests.game.mental_poker import weakened
from tests.memory_store import MemoryStore
from tests.tables import identity_of, seed_of

DENIAL = "attacks 6"
"""In this game seats 0 and 1 prove that they hold no lower trump."""
OPENED = ("suite", "game", "height", "seat", "purpose")

Out = list[Ciphertext]


def shuffling(**chosen: object) -> Hall:
    """Seat 0 has shuffled; the cheat in seat 1 is to."""
    game = recorded(**chosen)  # type: ignore[arg-type]
    return Hall(game, game.at(Stage.SHUFFLE) + 1)


# -- 16, 17, 18: what a proof is bound to


@contextmanager
def forgetting(label: str) -> Iterator[None]:
    """Whoever proves now leaves one field out of the transcript."""
    absorb = Transcript.absorb

    def instead(self: Transcript, name: str, data: bytes) -> None:
        if name != label:
            absorb(self, name, data)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Transcript, "absorb", instead)
        yield


ABSORBED = {
    Stage.SHUFFLE: ("X", "N", "in", "out", "A", "B", "Delta", "W", "V", "U", "E1", "E2"),
    Stage.DEAL: ("X", "n", "place", "S", "T1", "T2"),
    Stage.NO_LOWER: ("X", "n", "t", "place", "card", "V", "T1", "T2"),
    Stage.PLAY: ("X", "n", "place", "S", "T1", "T2"),
}


@pytest.mark.parametrize(
    ("stage", "label"), [(stage, label) for stage, own in ABSORBED.items() for label in (*OPENED, *own)]
)
def test_attack_16_a_proof_that_forgets_a_field(stage: Stage, label: str) -> None:
    game = recorded(DENIAL)
    height = game.turn(0, kinds.LEAD) if stage is Stage.PLAY else game.at(stage) + (stage is Stage.SHUFFLE)
    hall = Hall(game, height, cheats=(0 if stage is Stage.PLAY else 1,))
    honest = hall.cheat.owed()
    with forgetting(label):
        said = hall.cheat.owed()
    assert said != honest, "the field is absorbed"
    hall.cheat.say(*said)
    hall.halted("I_PROOF")


@pytest.mark.parametrize("label", [*OPENED, "X", "T"])
def test_attack_16_a_key_proof_that_forgets_a_field(label: str) -> None:
    hall = Hall(recorded(), 0)
    cheat = hall.cheat
    game, nonce = cheat.log.game_id, bytes(32)
    key = bytes(cheat.deck_key)
    with forgetting(label):
        proof = real_suite.prove_key(game, 1, cheat.x, key, cheat.proof_key)
    assert proof != real_suite.prove_key(game, 1, cheat.x, key, cheat.proof_key)
    cheat.keep(cheat.say(kinds.JOIN, (real_suite.join_commitment(game, 1, key, proof, nonce),)))
    cheat.say(kinds.OPEN_KEYS, (key, proof, nonce))
    hall.halted("I_PROOF")


Statement = Callable[[Cheat], tuple[Context, str, MaskedDeck, int]]

OTHER_TOKENS: dict[str, Statement] = {
    "another game": lambda c: (c.context(game=bytes(32)), "deal", c.state.the_deck, c.x),
    "an earlier height": lambda c: (c.context(height=c.state.height - 1), "deal", c.state.the_deck, c.x),
    "a later height": lambda c: (c.context(height=c.state.height + 1), "deal", c.state.the_deck, c.x),
    "another seat": lambda c: (c.context(seat=2), "deal", c.state.the_deck, c.x),
    "another purpose": lambda c: (c.context(), "open", c.state.the_deck, c.x),
    "another key": lambda c: (c.context(), "deal", c.state.the_deck, c.x + 1),
    "the deck before the last shuffle": lambda c: (c.context(), "deal", deck_before(c), c.x),
}


def deck_before(cheat: Cheat) -> MaskedDeck:
    game = cheat.hall.game
    return game.states[game.at(Stage.SHUFFLE) + 2].the_deck


@pytest.mark.parametrize("what", OTHER_TOKENS)
def test_attack_17_tokens_proven_for_something_else(what: str) -> None:
    game = recorded()
    hall = Hall(game, game.at(Stage.DEAL))
    cheat = hall.cheat
    context, purpose, deck, x = OTHER_TOKENS[what](cheat)
    places = hall.course.token_places(cheat.state, cheat.seat)
    tokens, proof = real_suite.make_tokens(context, purpose, x, bytes(base(x)), deck, places, cheat.proof_key)
    cheat.say(kinds.TOKENS, (places, tokens, proof))
    hall.halted("I_PROOF")


def other_shuffle(cheat: Cheat, what: str) -> Payload:
    state = cheat.state
    contexts = {
        "another game": cheat.context(game=bytes(32)),
        "another height": cheat.context(height=state.height - 1),
        "another seat": cheat.context(seat=0),
    }
    joint = bytes(base(5)) if what == "another key" else state.joint
    deck = real_suite.first_deck(tuple(state.setup.cards)) if what == "another deck" else state.the_deck
    out, proof = real_suite.shuffle(contexts.get(what, cheat.context()), joint, deck, cheat.proof_key)
    return (out.to_bytes(), proof)


@pytest.mark.parametrize(
    "what", ["another game", "another height", "another seat", "another key", "another deck"]
)
def test_attack_17_a_shuffle_proven_for_something_else(what: str) -> None:
    hall = shuffling()
    hall.cheat.say(kinds.SHUFFLE, other_shuffle(hall.cheat, what))
    hall.halted("I_PROOF")


def test_attack_17_shuffles_that_were_proven_before() -> None:
    """Of the seat before, and of one's own in another game."""
    other = recorded("another game")
    log = Log(COURSE, other.genesis)
    for record in other.before(other.at(Stage.ACK)):
        log.receive(record)
    game = recorded()
    for payload in (
        log.met(Height(other.at(Stage.SHUFFLE) + 1))[0].payload,
        shuffling().log(0).met(Height(game.at(Stage.SHUFFLE)))[0].payload,
    ):
        hall = shuffling()
        hall.cheat.say(kinds.SHUFFLE, payload)
        hall.halted("I_PROOF")


def test_attack_17_no_lower_of_another_height() -> None:
    game = recorded(DENIAL)
    hall = Hall(game, game.at(Stage.NO_LOWER))
    state = hall.cheat.state
    course, own = hall.course, hall.cheat.own
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(course, "context", lambda *_: hall.cheat.context(height=state.height - 1))
        said = own.owed(state)
    assert said is not None
    hall.cheat.say(*said)
    hall.halted("I_PROOF")


def test_attack_18_a_proof_with_generators_of_ones_own() -> None:
    """Nothing is negotiated: the generators are hashed from constants, so another set proves nothing."""
    hall = shuffling()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shuffle_argument, "generators", lambda count: [base(5 + i) for i in range(count)])
        said = hall.cheat.owed()
    hall.cheat.say(*said)
    hall.halted("I_PROOF")


# -- 19: two decks for two peers


def two_shuffles(cheat: Cheat) -> tuple[bytes, bytes]:
    """Two records of one height, each a proven shuffle."""
    state = cheat.state
    records = []
    for key in (cheat.proof_key, seed_of("another permutation")):
        out, proof = real_suite.shuffle(cheat.context(), state.joint, state.the_deck, key)
        records.append(cheat.sign(kinds.SHUFFLE, (out.to_bytes(), proof)))
    return records[0], records[1]


def test_attack_19_two_decks_for_two_peers_that_talk() -> None:
    hall = shuffling()
    one, two = two_shuffles(hall.cheat)
    for seat, record in ((0, one), (2, two)):
        message_to(hall, seat, record)
    hall.pass_time(6)
    hall.halted("F_FORK")
    for seat in hall.honest:
        assert kinds.TOKENS not in [entry.kind for entry in hall.signed(seat)]


def message_to(hall: Hall, seat: int, record: bytes) -> None:
    """Under way to one seat; nobody has heard anything yet."""
    cheat = hall.cheat
    cheat.node._send(identity_of(seat).public, Entries(cheat.log.game_id, (record,), more=False))


def test_attack_19_two_decks_for_two_peers_kept_apart() -> None:
    """Each confirms another deck. No token leaves before all have confirmed one, so none leaves at all; the
    first word between the two shows the fork."""
    hall = shuffling()
    hall.cut(2, 0)
    one, two = two_shuffles(hall.cheat)
    hall.cheat.silent()
    hall.cheat.send(one, to=[0])
    hall.cheat.send(two, to=[2])
    hall.pass_time(20)
    assert [hall.log(seat).height for seat in (0, 2)] == [4, 5]
    last = [entry for entry in hall.signed(2) if entry.kind == kinds.SHUFFLE]
    assert len(last) == 1, "seat 2 has shuffled the deck it was shown"
    hall.cheat.send(last[0].record, to=[0])
    assert isinstance(hall.outcomes[0][-1], UnknownBranch), "nobody is blamed for another history"
    for seat in hall.honest:
        assert kinds.TOKENS not in [entry.kind for entry in hall.signed(seat)]
        assert hall.log(seat).faults == ()
    hall.join(2, 0)
    hall.pass_time(10)
    hall.halted("F_FORK")


# -- 20, 22: decks that are no shuffles


def swap(out: Out, cheat: Cheat) -> Out:
    return [out[1], out[0], *out[2:]]


def duplicate(out: Out, cheat: Cheat) -> Out:
    """One card twice, another missing."""
    return [out[1] + encrypt_zero(key_point(cheat.state.joint), 77), *out[1:]]


def foreign(out: Out, cheat: Cheat) -> Out:
    return [Ciphertext(base(5), base(6)), *out[1:]]


def foreign_card(out: Out, cheat: Cheat) -> Out:
    """A two in a deck of nines and up."""
    two = real_suite.first_deck((0, 1)).ciphertexts[0]
    return [two + encrypt_zero(key_point(cheat.state.joint), 78), *out[1:]]


def offset(out: Out, cheat: Cheat) -> Out:
    return [Ciphertext(out[0].A, out[0].B + base(1)), *out[1:]]


def sum_preserving(out: Out, cheat: Cheat) -> Out:
    error = base(9)
    return [Ciphertext(out[0].A, out[0].B + error), Ciphertext(out[1].A, out[1].B - error), *out[2:]]


def doubled(out: Out, cheat: Cheat) -> Out:
    return [Ciphertext(2 * out[0].A, 2 * out[0].B), *out[1:]]


def proven_as(hall: Hall, change: Callable[[Out, Cheat], Out]) -> None:
    """The cheat proves, as well as the honest prover can, that its changed deck is a shuffle."""
    cheat = hall.cheat
    state = cheat.state
    X = key_point(state.joint)
    opened = Transcript.open(cheat.context(), "shuffle")
    statement, witness = shuffle_argument.remask(opened, X, state.the_deck, cheat.proof_key)
    out = MaskedDeck(change(list(statement.C_out.ciphertexts), cheat))
    say_shuffle(cheat, ShuffleStatement(X, state.the_deck, out), witness)


def say_shuffle(cheat: Cheat, statement: ShuffleStatement, witness: ShuffleWitness) -> None:
    transcript = Transcript.open(cheat.context(), "shuffle")
    proof = shuffle_argument.prove_shuffle(transcript, statement, witness, cheat.proof_key)
    cheat.keep(cheat.say(kinds.SHUFFLE, (statement.C_out.to_bytes(), proof.to_bytes())))


@pytest.mark.parametrize("change", [swap, duplicate, foreign, foreign_card, offset, sum_preserving, doubled])
def test_attack_20_a_deck_that_is_no_shuffle(change: Callable[[Out, Cheat], Out]) -> None:
    hall = shuffling()
    proven_as(hall, change)
    hall.halted("I_PROOF")


def test_attack_20_on_plain_python(pure_backend: None) -> None:
    hall = shuffling()
    proven_as(hall, sum_preserving)
    hall.halted("I_PROOF")


def test_attack_20_a_duplicate_with_a_witness_to_match() -> None:
    hall = shuffling()
    state = hall.cheat.state
    pi = (1, 1, *range(3, 25))
    rho = tuple(range(1000, 1024))
    X = key_point(state.joint)
    before = state.the_deck.ciphertexts
    out = MaskedDeck([before[p - 1] + encrypt_zero(X, r) for p, r in zip(pi, rho, strict=True)])
    say_shuffle(hall.cheat, ShuffleStatement(X, state.the_deck, out), ShuffleWitness(pi, rho))
    hall.halted("I_PROOF")


def test_attack_21_a_second_shuffle_after_the_others() -> None:
    game = recorded()
    hall = Hall(game, game.at(Stage.SHUFFLE), cheats=(0,))
    cheat = hall.cheat
    said = cheat.owed()
    cheat.keep(cheat.say(*said))
    assert hall.log(1).height == game.at(Stage.ACK), "the others have shuffled after it"
    cheat.say(*said)
    hall.halted("I_TURN")


def test_attack_21_a_shuffle_in_the_turn_of_another_seat() -> None:
    game = recorded()
    hall = Hall(game, game.at(Stage.SHUFFLE), cheats=(0, 1))
    state = hall.cheats[1].state
    hall.cheats[1].say(
        kinds.SHUFFLE, other_shuffle(hall.cheats[1], "as it stands"), state=hall.cheats[1].log.level(2).state
    )
    assert state.shuffled == 0
    hall.halted("I_TURN", by=1)


def test_attack_21_a_shuffle_before_its_turn_is_of_no_branch_and_with_the_next_a_fork() -> None:
    """Signed before the deck it must follow is known: alone it proves nothing."""
    game = recorded()
    hall = Hall(game, game.at(Stage.SHUFFLE), linked=False)
    hall.join(2, 1)
    hall.settle()
    cheat = hall.cheat
    body = replace(cheat.body(kinds.SHUFFLE, other_shuffle(cheat, "too early")), height=Height(3))
    assert cheat.log.height == 2
    cheat.send(sign_entry(cheat.key, body), to=[2])
    assert [type(outcome) for outcome in hall.outcomes[2]] == [Pending]
    hall.join(1, 0)
    hall.join(2, 0)
    hall.settle()
    assert [hall.log(seat).height for seat in hall.honest] == [3, 3]
    hall.waits_for(1)
    cheat.go_on()
    hall.pass_time(6)
    hall.halted("F_FORK")  # the two bodies of height 3 are enough


def test_attack_21_two_shuffles_for_one_turn() -> None:
    hall = shuffling()
    one, two = two_shuffles(hall.cheat)
    hall.cheat.send(one)
    hall.cheat.send(two)
    hall.halted("F_FORK")


def test_attack_22_a_shuffle_that_remasks_nothing() -> None:
    """r = 0: every card of the output is one of the input and could be followed."""
    hall = shuffling()
    state = hall.cheat.state
    order = list(range(1, 25))
    order[0], order[1] = order[1], order[0]
    out = MaskedDeck([state.the_deck.ciphertexts[p - 1] for p in order])
    statement = ShuffleStatement(key_point(state.joint), state.the_deck, out)
    say_shuffle(hall.cheat, statement, ShuffleWitness(tuple(order), (0,) * 24))
    hall.halted("I_PROOF")


def test_attack_22_two_cards_under_one_mask() -> None:
    """Proven and true, but the difference of two cards would be public."""
    hall = shuffling()
    state = hall.cheat.state
    X = key_point(state.joint)
    before = state.the_deck.ciphertexts
    out = [card + encrypt_zero(X, 50 + i) for i, card in enumerate(before)]
    out[1] = Ciphertext(out[0].A, out[0].B - before[0].B + before[1].B)
    pi = tuple(range(1, 25))
    say_shuffle(
        hall.cheat, ShuffleStatement(X, state.the_deck, MaskedDeck(out)), ShuffleWitness(pi, (50,) * 24)
    )
    hall.halted("I_PROOF")


def identity_shuffle(cheat: Cheat) -> None:
    """Every card stays where it is under a mask that all colluders know."""
    state = cheat.state
    X = key_point(state.joint)
    rho = tuple(range(2000, 2024))
    out = MaskedDeck(
        [card + encrypt_zero(X, r) for card, r in zip(state.the_deck.ciphertexts, rho, strict=True)]
    )
    say_shuffle(cheat, ShuffleStatement(X, state.the_deck, out), ShuffleWitness(tuple(range(1, 25)), rho))


def test_attack_22_all_but_one_do_not_shuffle_at_all() -> None:
    """Allowed, and useless: one honest seat between them hides everything."""
    game = recorded()
    hall = Hall(game, game.at(Stage.SHUFFLE), cheats=(0, 2))
    first, last = hall.cheats.values()
    identity_shuffle(first)
    identity_shuffle(last)
    while last.state.stage is not Stage.CLAIM:
        hall.goes_on()
    state = hall.log(1).state
    pooled = (first.x + last.x) % L
    for place in state.setup.dealt(Seat(1)):
        with pytest.raises(NotACard):
            real_suite.own_face(state.the_deck, place, (), pooled)
    faces = real_suite.open_deck(state.the_deck, [pooled + secret_of(game, 1)])
    assert sorted(faces) == sorted(state.setup.cards)
    assert list(faces) != sorted(faces), "the honest permutation is in force"
    hall.secrets_stay()


def secret_of(game: Recorded, seat: int) -> int:
    return real_suite.secret_from(derive(game.seed(seat), "deck", game.genesis.game_id, 64))


# -- 23, 24: nonces and trapdoors


def sigma_proofs(game: Recorded) -> Iterator[tuple[int, int, int, bytes]]:
    """(height, seat, kind, proof c | s with X = xG) of every key and token proof of a game."""
    log = Log(COURSE, game.genesis)
    for record in game.records:
        log.receive(record)
    for entry in log.entries():
        payload = entry.payload
        if entry.kind == kinds.OPEN_KEYS:
            yield entry.height, entry.seat, entry.kind, payloads.read_open_keys(payload).proof
        elif entry.kind == kinds.TOKENS:
            yield entry.height, entry.seat, entry.kind, payloads.read_tokens(payload).proof
        elif entry.kind == kinds.OPEN:
            opening = payloads.read_open(payload).opening
            assert opening is not None
            yield entry.height, entry.seat, entry.kind, opening.proof
        elif kinds.LEAD <= entry.kind <= kinds.RESIGN:
            _, opening = payloads.read_action(entry.kind, payload)
            if opening is not None:
                yield entry.height, entry.seat, entry.kind, opening.proof


def test_attack_23_no_nonce_is_ever_used_twice() -> None:
    """T1 = sG − cX = kG: two proofs with one k would give x away, and T1 would be seen twice."""
    seen: dict[bytes, object] = {}
    for label in ("attacks", "attacks 6", "another game"):
        game = recorded(label)
        keys = game.states[-1].keys
        for *where, proof in sigma_proofs(game):
            c, s = read_scalar(proof[:32]), read_scalar(proof[32:])
            commitment = bytes(base(s) - c * read_point(keys[where[1]]))
            assert commitment not in seen, (label, where, seen[commitment])
            seen[commitment] = (label, where)
    assert len(seen) > 60


@pytest.mark.parametrize("stage", [Stage.JOIN, Stage.KEYS, Stage.SHUFFLE, Stage.DEAL, Stage.NO_LOWER])
def test_attack_23_a_peer_that_lost_its_last_entry_signs_the_same_bytes(stage: Stage) -> None:
    """Signed but never stored: signed again after the crash, it is the same entry, not a second one."""
    game = recorded(DENIAL)
    height = game.at(stage) + (stage is Stage.SHUFFLE)
    signed = []
    for _ in range(2):
        store = MemoryStore(game.genesis, game.seed(1))
        store.append_received(*game.before(height))
        peer = GamePeer(store, COURSE)
        signed.append(peer.advance()[0])
    assert signed[0] == signed[1]
    assert read_record(signed[0]).height == height


def test_attack_24_a_trapdoor_in_the_generators() -> None:
    """Who knows the logarithms of h_i opens a commitment to anything and proves any deck: with hashed
    generators nobody does, and the very same forgery is refused."""
    hall = shuffling()
    state = hall.cheat.state
    X = key_point(state.joint)
    C = state.the_deck
    c = C.ciphertexts
    rho = [3000 + i for i in range(24)]
    mixed = [c[0] + c[1], *c[1:]]
    out = MaskedDeck([card + encrypt_zero(X, r) for card, r in zip(mixed, rho, strict=True)])
    k = [4000 + i for i in range(24)]
    statement = ShuffleStatement(X, C, out)
    proof = forged_with_trapdoor(hall.cheat.context(), statement, rho, k)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shuffle_argument, "generators", lambda n: [base(k_i) for k_i in k[:n]])
        shuffle_argument.verify_shuffle(Transcript.open(hall.cheat.context(), "shuffle"), statement, proof)
    hall.cheat.say(kinds.SHUFFLE, (out.to_bytes(), proof.to_bytes()))
    hall.halted("I_PROOF")


def forged_with_trapdoor(
    context: Context, statement: ShuffleStatement, rho: Sequence[int], k: Sequence[int]
) -> ShuffleProof:
    """For C' = (C_1 + C_2, C_2, …) and h_i = k_i G: answers first, commitments to fit."""
    N = len(statement.C)
    alpha, beta, delta, omega, nu, mu, tb = range(11, 18)
    be = [500 + i for i in range(N)]
    t = weakened.opened(context, statement.X, statement.C)
    t.absorb("out", statement.C_out.to_bytes())
    t.absorb_point("A", base(alpha))
    x = t.scalar("x")
    t.absorb_point("B", base(beta))
    y, z = t.scalar("y"), t.scalar("z")
    E = weighted_sum(be, statement.C_out.ciphertexts) + encrypt_zero(statement.X, tb)
    e = weakened.challenge(t, base(delta), base(omega), base(nu), base(mu), E)
    b = [x, (x * x - x) % L, *(pow(x, i, L) for i in range(3, N + 1))]
    a_ = tuple(range(5, 5 + N))
    b_inner = tuple(range(90, 88 + N))
    b_ = (a_[0], *b_inner, e * weakened.target(N, x, y, z) % L)
    c_ = tuple((e * b_i + be_i) % L for b_i, be_i in zip(b, be, strict=True))

    def dot(values: Sequence[int]) -> int:
        return sum(value * k_i for value, k_i in zip(values, k, strict=False))

    return ShuffleProof(
        base(alpha), base(beta), base(delta), e,
        r_=(omega + e * (y * alpha + beta - z * sum(k)) - dot(a_)) % L,
        s_=(nu + e * delta - dot([e * b_[i + 1] - b_[i] * a_[i + 1] for i in range(N - 1)])) % L,
        u_=(mu + e * beta - dot(c_)) % L,
        t_=(tb - e * sum(r * b_i for r, b_i in zip(rho, b, strict=True))) % L,
        a_=a_, b_=b_inner, c_=c_,
    )  # fmt: skip
