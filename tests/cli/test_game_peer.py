"""Whole games between peers that hand each other records: any order, restarts, the same bytes everywhere."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from cli.game_peer import GamePeer, NotOurTurn
from game import events as told
from game.actions import RESIGN, Action, Lead
from game.course import Course
from game.mental_poker import deck as real_suite
from game.options import Options
from game.state import Stage
from ledger.engine import Height
from ledger.entry import sign_entry
from ledger.errors import Forbidden
from ledger.identity import game_key
from ledger.level import Status
from ledger.outcome import Duplicate
from ledger.store import GameStore
from ledger.verdict import Code
from ledger.verify import judge_file
from tests.memory_store import MemoryStore
from tests.open_deck import NUMBER, OpenDeckSuite
from tests.tables import genesis_of, options_of, seed_of


def peers_of(options: Options, course: Course, label: str = "game") -> list[GamePeer]:
    genesis = genesis_of(options, suite=course.number, label=label)
    return [
        GamePeer(MemoryStore(genesis, seed_of(f"{label} {seat}")), course) for seat in range(options.seats)
    ]


def open_course() -> Course:
    return Course(OpenDeckSuite(), number=NUMBER)


def pick(peer: GamePeer, dice: random.Random) -> Action | None:
    legal = [action for action in peer.view().legal if action != RESIGN]
    return dice.choice(legal) if legal else None


def play(peers: list[GamePeer], dice: random.Random, *, restart: float = 0.0) -> None:
    """Deliver everything to everybody in random order until nothing is due; now and then restart a peer."""
    mail: list[tuple[int, bytes]] = []

    def send(author: int, records: tuple[bytes, ...]) -> None:
        mail.extend((seat, record) for record in records for seat in range(len(peers)) if seat != author)

    for _ in range(100_000):
        for seat, peer in enumerate(peers):
            send(seat, peer.advance())
            action = pick(peer, dice)
            if action is not None:
                send(seat, (peer.decide(action),))
        if not mail:
            mail.extend(missing(peers))
        if not mail:
            return
        if dice.random() < restart:
            seat = dice.randrange(len(peers))
            peers[seat] = GamePeer(peers[seat].store, peers[seat].course)
        seat, record = mail.pop(dice.randrange(len(mail)))
        peers[seat].receive(record)
    raise AssertionError("the game does not end")


def missing(peers: list[GamePeer]) -> list[tuple[int, bytes]]:
    """What each peer lacks and another has: what waited in memory is lost in a restart."""
    return [
        (seat, record)
        for seat, peer in enumerate(peers)
        for other in peers
        for record in other.log.missing_for(peer.log.heads())
    ]


@pytest.mark.parametrize(("deck", "seats"), [(36, 2), (36, 4), (24, 4), (52, 6)])
def test_all_peers_export_the_same_bytes(deck: int, seats: int) -> None:
    peers = peers_of(options_of(deck=deck, seats=seats), open_course())
    play(peers, random.Random(seats))
    assert {peer.log.status for peer in peers} == {Status.FINISHED}
    assert len({peer.log.export() for peer in peers}) == 1


def test_with_the_real_suite_too() -> None:
    peers = peers_of(options_of(seats=3), Course(real_suite))
    play(peers, random.Random(8))
    assert {peer.state.stage for peer in peers} == {Stage.OVER}
    assert len({peer.log.export() for peer in peers}) == 1


def test_restarts_never_sign_a_second_body_for_one_due() -> None:
    for run in range(5):
        peers = peers_of(options_of(seats=3), open_course(), label=f"restarts {run}")
        play(peers, random.Random(run), restart=0.02)
        assert len({peer.log.export() for peer in peers}) == 1
        for peer in peers:
            store = peer.store
            assert isinstance(store, MemoryStore)
            assert len(set(store.own)) == len(store.own)
            assert peer.log.faults == ()


def test_the_seed_is_forgotten_when_the_game_needs_it_no_more() -> None:
    peers = peers_of(options_of(), open_course())
    play(peers, random.Random(1))
    assert [peer.store.may_sign for peer in peers] == [False, False]
    again = GamePeer(peers[0].store, peers[0].course)
    assert again.log.export() == peers[0].log.export()
    assert again.seat is None


def test_everybody_hears_the_same_story() -> None:
    peers = peers_of(options_of(seats=3), open_course())
    play(peers, random.Random(2))
    stories = [peer.events_from(0) for peer in peers]
    assert stories[0] == stories[1] == stories[2]
    flat = [event for _, events in stories[0] for event in events]
    assert isinstance(flat[0], told.Joined)
    assert isinstance(flat[-1], told.HandsOpened)
    assert sum(isinstance(event, told.GameOver) for event in flat) == 1
    assert peers[0].events_from(peers[0].told) == ()


def test_a_view_shows_no_card_of_another_seat() -> None:
    peers = peers_of(options_of(seats=3), open_course())
    dice = random.Random(3)
    while not any(peer.view().legal for peer in peers):
        for peer in peers:
            for record in peer.advance():
                for other in peers:
                    other.receive(record)
    hands = [{held.card for held in peer.view().hand} for peer in peers]
    assert all(len(hand) == 6 for hand in hands)
    for mine, peer in enumerate(peers):
        view = peer.view()
        for seat, hand in enumerate(hands):
            if seat != mine:
                hidden = hand - set(view.known[seat])
                assert hidden
                assert not hidden & set(view.known[seat])
    assert dice.random() < 1


def test_a_decision_out_of_turn_signs_nothing() -> None:
    peers = peers_of(options_of(), open_course())
    with pytest.raises(Forbidden):
        peers[0].decide(Lead((), ()))
    peers[0].advance()
    with pytest.raises(NotOurTurn):
        peers[0].decide(Lead((), ()))
    assert len(peers[0].log.entries()) == 1


def test_an_illegal_decision_signs_nothing_and_can_be_taken_again() -> None:
    peers = peers_of(options_of(), open_course())
    dice = random.Random(4)
    while not any(peer.view().legal for peer in peers):
        for peer in peers:
            for record in peer.advance():
                for other in peers:
                    other.receive(record)
    leader = next(peer for peer in peers if peer.view().legal)
    before = leader.log.export()
    other = next(peer for peer in peers if peer is not leader)
    foreign = other.view().hand[0]
    with pytest.raises(Forbidden):
        leader.decide(Lead((foreign.place,), (foreign.card,)))
    assert leader.log.export() == before
    action = pick(leader, dice)
    assert action is not None
    record = leader.decide(action)
    assert isinstance(leader.receive(record), Duplicate)


def test_who_sees_an_offence_writes_down_the_case(tmp_path: Path) -> None:
    course = open_course()
    genesis = genesis_of(options_of(), suite=course.number)
    honest = GamePeer(GameStore.create(tmp_path / "game", genesis, seed_of("game 0")), course)
    cheat = GamePeer(MemoryStore(genesis, seed_of("game 1")), course)
    for record in cheat.advance():
        honest.receive(record)
    body = cheat.log.met(Height(0))[0].body
    honest.receive(sign_entry(game_key(seed_of("game 1")), replace(body, payload=(bytes(32),))))
    case = (tmp_path / "game" / "offence.durakcase").read_bytes()
    verdict = judge_file(case, course)
    assert verdict.code is Code.PROVEN
    assert verdict.fault is not None
    assert (verdict.fault.code, verdict.fault.seat) == ("F_FORK", 1)
