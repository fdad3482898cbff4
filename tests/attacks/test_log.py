"""Attacks 40 to 43: history, copies, cut files, colluders."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.game_peer import GamePeer
from game import kinds, payloads, rules
from game.mental_poker import deck as real_suite
from game.mental_poker.backend import L
from game.mental_poker.errors import NotACard
from game.state import Stage
from ledger.engine import Height, Seat
from ledger.entry import read_record, sign_entry
from ledger.genesis import Digest
from ledger.level import Status
from ledger.log import HEADER, Log
from ledger.outcome import Accepted, Duplicate, Pending, UnknownBranch
from ledger.verdict import Code
from ledger.verify import judge_file
from ledger.waiting import WINDOW
from tests.attacks.hall import Hall
from tests.attacks.recorded import COURSE, recorded
from tests.memory_store import MemoryStore

# -- 40: replay, order, gaps, forks


def test_attack_40_an_entry_of_another_game() -> None:
    """Own or of an honest seat: under this game's name it is noise, under its own nobody listens."""
    other = recorded("another game")
    hall = Hall(recorded(), 0)
    for times, record in enumerate(other.records[:3], 1):
        hall.cheat.send(record)
        hall.dropped("E_GAME", times=times)
    before = {seat: len(hall.outcomes[seat]) for seat in hall.honest}
    hall.cheat.send(*other.records[:3], game=other.genesis.game_id)
    assert {seat: len(hall.outcomes[seat]) for seat in hall.honest} == before
    hall.goes_on()


def test_attack_40_an_old_entry_again() -> None:
    game = recorded()
    hall = Hall(game, game.turn(1, kinds.LEAD))
    hall.cheat.send(*game.before(game.at(Stage.PLAY)))
    for seat in hall.honest:
        assert {type(outcome) for outcome in hall.outcomes[seat]} == {Duplicate}
    hall.goes_on()


def test_attack_40_entries_in_any_order() -> None:
    """Backwards: what is ahead waits in memory, and all of it counts once the gap is closed."""
    game = recorded()
    height = game.at(Stage.PLAY)
    hall = Hall(game, height, linked=False)
    coming = [
        record for record, at in zip(game.records, game.heights, strict=True) if height <= at < height + 5
    ]
    assert {read_record(record).seat for record in coming} > {1}
    hall.join(2, 1)
    hall.settle()
    hall.cheat.silent()
    for record in reversed(coming[1:]):
        hall.cheat.send(record, to=[2])
    assert {type(outcome) for outcome in hall.outcomes[2]} == {Pending}
    assert hall.log(2).height == height
    hall.cheat.send(coming[0], to=[2])
    assert isinstance(hall.outcomes[2][-1], Accepted)
    assert hall.log(2).height == height + 5
    hall.nobody_honest_is_named()


def test_attack_40_an_entry_far_ahead() -> None:
    hall = Hall(recorded(), 0)
    cheat = hall.cheat
    body = replace(cheat.body(*cheat.owed()), height=Height(WINDOW + 1), prev=Digest(bytes(32)))
    cheat.send(sign_entry(cheat.key, body))
    hall.dropped("E_FAR")
    hall.goes_on()


def test_attack_40_an_entry_on_a_history_of_ones_own() -> None:
    """Well signed and on nothing this table knows: alone it proves nothing."""
    hall = Hall(recorded(), recorded().turn(1, kinds.LEAD))
    cheat = hall.cheat
    cheat.say(*cheat.owed(), prev=Digest(b"\1" * 32))
    for seat in hall.honest:
        assert isinstance(hall.outcomes[seat][-1], UnknownBranch)
    hall.waits_for(1)


def test_attack_40_another_state_than_all_others_have() -> None:
    hall = Hall(recorded(), recorded().turn(1, kinds.LEAD))
    hall.cheat.say(*hall.cheat.owed(), state=bytes(16))
    hall.halted("I_STATE")


@pytest.mark.parametrize("stage", [Stage.JOIN, Stage.DEAL, Stage.PLAY])
def test_attack_40_two_heads_by_one_seat(stage: Stage) -> None:
    game = recorded()
    hall = Hall(game, game.turn(1, kinds.LEAD) if stage is Stage.PLAY else game.at(stage))
    cheat = hall.cheat
    kind, payload = cheat.owed()
    one = cheat.sign(kind, payload)
    two = cheat.sign(*((kinds.RESIGN, ()) if stage is Stage.PLAY else (kind, (*payload[:-1], bytes(64)))))
    cheat.send(one)
    cheat.send(two)
    hall.halted("F_FORK")


def test_attack_40_a_fork_found_long_after() -> None:
    """The other body for the first height of all, shown when the game is nearly over."""
    game = recorded()
    hall = Hall(game, game.at(Stage.RESULT))
    hall.cheat.say(kinds.JOIN, (bytes(32),), height=Height(0))
    hall.halted("F_FORK")


def test_attack_40_a_fork_shown_after_the_result_is_only_a_case() -> None:
    game = recorded()
    hall = Hall(game, game.at(Stage.SECRETS))
    hall.cheat.say(kinds.JOIN, (bytes(32),), height=Height(0))
    hall.halted("F_FORK", stands=True)


# -- 41: after a restart


@pytest.mark.parametrize("kind", [kinds.OPEN_KEYS, kinds.SHUFFLE, kinds.ACK, kinds.TOKENS, kinds.CLAIM])
def test_attack_41_history_edited_after_a_restart(kind: int) -> None:
    """What a backup that signs again would do, for every kind of entry: the fork is proven by two records."""
    game = recorded()
    hall = Hall(game, game.turn(1, kinds.LEAD))
    old = next(entry for entry in map(read_record, game.records) if entry.seat == 1 and entry.kind == kind)
    payload: tuple[object, ...] = (1,) if not old.payload else (*old.payload[:-1], None)
    hall.cheat.say(old.kind, payload, height=old.height)  # type: ignore[arg-type]
    hall.halted("F_FORK")


@pytest.mark.parametrize("stage", [Stage.KEYS, Stage.SHUFFLE, Stage.DEAL, Stage.PLAY])
def test_attack_41_an_honest_seat_comes_back_with_the_same_bytes(stage: Stage) -> None:
    """Whatever the cheat shows it meanwhile: what is stored is sent again, nothing is signed again."""
    game = recorded()
    hall = Hall(game, game.at(stage) + 1)
    before = [entry.record for entry in hall.signed(0)]
    store = hall.honest[0].peer.game.store  # type: ignore[union-attr]
    assert isinstance(store, MemoryStore)
    again = GamePeer(store, hall.course)
    assert again.advance() == ()
    assert store.own == before
    assert again.log.export() == hall.log(0).export()


# -- 42: cut files


def test_attack_42_a_log_cut_between_records_is_never_called_finished() -> None:
    game = recorded()
    over = game.at(Stage.RESULT)
    head = HEADER + game.genesis.to_bytes()
    for count in (*range(0, len(game.records), 13), len(game.records) - 7, len(game.records)):
        verdict = judge_file(head + b"".join(game.records[:count]), COURSE)
        height = 0 if not count else game.heights[count - 1]
        expected = (
            Code.VALID if height >= over or game.heights[count : count + 1] == (over,) else Code.UNFINISHED
        )
        assert verdict.code is expected, count
        assert verdict.log is not None
        finished = count == len(game.records)
        assert (verdict.log.waiting_for == ()) is finished, "what is missing is named"


def test_attack_42_a_log_cut_inside_a_record_is_malformed() -> None:
    game = recorded()
    whole = HEADER + game.genesis.to_bytes() + b"".join(game.before(game.at(Stage.SHUFFLE)))
    last = len(game.before(game.at(Stage.SHUFFLE))[-1])
    for missing in (1, 2, 63, 64, 65, 66, last // 2, last - 1):
        verdict = judge_file(whole[:-missing], COURSE)
        assert verdict.code is Code.MALFORMED, missing
        assert verdict.offset == len(whole) - last


def test_attack_42_a_log_without_one_entry_in_its_middle() -> None:
    game = recorded()
    for missing in (0, 4, len(game.records) // 2):
        records = (*game.records[:missing], *game.records[missing + 1 :])
        verdict = judge_file(HEADER + game.genesis.to_bytes() + b"".join(records), COURSE)
        assert verdict.code is Code.MALFORMED


# -- 43: colluders


def test_attack_43_all_but_one_can_not_open_a_card_of_the_last() -> None:
    """Both others pool their secrets and every token in the log, and try those of other places too."""
    game = recorded()
    hall = Hall(game, game.turn(1, kinds.LEAD), cheats=(0, 2))
    state = hall.log(1).state
    position = state.the_position
    pooled = (hall.cheats[0].x + hall.cheats[2].x) % L
    closed = [place for place in rules.hand_places(position, Seat(1)) if rules.face(position, place) is None]
    talon = [
        place
        for place in range(18, 23)
        if all(place not in rules.hand_places(position, Seat(s)) for s in range(3))
    ]
    assert len(closed) >= 4
    known = [row[1] for row in state.tokens if row[1] is not None]
    assert len(known) >= 12
    for place in (*closed, *talon):
        for token in (None, *known):
            with pytest.raises(NotACard):
                real_suite.own_face(state.the_deck, place, () if token is None else (token,), pooled)
    assert {hall.card_at(place) for place in closed} <= set(state.setup.cards)
    hall.secrets_stay()


def test_attack_43_tokens_of_the_victim_signed_again_by_a_colluder() -> None:
    """To have them counted as one's own would open places: the list is another, the proof too."""
    game = recorded()
    hall = Hall(game, game.at(Stage.DEAL), cheats=(0, 2))
    stolen = next(entry for entry in hall.signed(1) if entry.kind == kinds.TOKENS)
    hall.cheats[0].say(kinds.TOKENS, stolen.payload)
    hall.halted("I_RULE", rule="R2", by=0)

    hall = Hall(game, game.at(Stage.DEAL), cheats=(0, 2))
    own = payloads.read_tokens(hall.cheats[0].owed()[1])
    theirs = payloads.read_tokens(stolen.payload)
    common = [place for place in own.places if place in theirs.places]
    tokens = bytearray(own.tokens)
    for place in common:
        mine, their = 32 * own.places.index(place), 32 * theirs.places.index(place)
        tokens[mine : mine + 32] = theirs.tokens[their : their + 32]
    hall.cheats[0].say(kinds.TOKENS, (own.places, bytes(tokens), theirs.proof))
    hall.halted("I_PROOF", by=0)


def test_the_recorded_game_is_whole() -> None:
    """What all of this starts from is an honest game from JOIN to the open hands."""
    game = recorded()
    log = Log(COURSE, game.genesis)
    for record in game.records:
        assert isinstance(log.receive(record), Accepted)
    assert log.status is Status.FINISHED
    assert log.state.stage is Stage.OVER
