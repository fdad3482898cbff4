"""Conversations around a table before the first card."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledger.genesis import Digest, GameId, Genesis, Previous
from p2p.events import EntryArrived, LinkClosed, PeerUp
from p2p.guest import GuestLobby
from p2p.lobby import (
    GenesisAgreed,
    LobbyError,
    RefusedByTable,
    TableShown,
    terms_digest,
    terms_of,
)
from p2p.messages import (
    RosterLine,
)
from p2p.reasons import Refusal, Why
from p2p.session import Door
from tests.ledger.table import Table, identity_of, seat_record
from tests.ledger.toy import RULES_ID
from tests.p2p.people import CODE, Person, Room, guest, host, sit, start, terms


def test_three_people_agree_on_a_genesis() -> None:
    room, anna = Room(), host(3)
    boris, ciro = guest(1), guest(2)
    sit(room, anna, boris)
    sit(room, anna, ciro)
    assert [line.ready for line in anna.host.table.roster] == [True, True, True]
    for person in (boris, ciro):
        person.events()
    anna.host.start()
    room_events = anna.events(GenesisAgreed)
    assert room_events == []
    room.settle()
    agreed = [person.events(GenesisAgreed) for person in (anna, boris, ciro)]
    expected = Genesis(RULES_ID, (6, 0), 0, tuple(seat_record(seat) for seat in range(3)))
    assert agreed == [[GenesisAgreed(expected, seat)] for seat in range(3)]
    assert anna.host.table.game == expected.game_id
    assert boris.guest.table == anna.host.table


def test_every_change_is_shown_to_everybody() -> None:
    room, anna = Room(), host(3)
    boris, ciro = guest(1), guest(2)
    room.join(boris, anna)
    room.join(ciro, anna)
    boris.events(), ciro.events()
    ciro.guest.ask_seat(seat_record(2))
    room.carry(ciro)
    (shown,) = boris.events(TableShown)
    assert shown.table.roster[-1] == RosterLine(
        identity_of(2).public, "Ciro", ready=False, bot=False, watching=False
    )
    anna.host.set_terms(terms(4))
    room.carry(anna)
    (shown,) = boris.events(TableShown)
    assert shown.table.seats == 4


def test_the_hosts_own_identity_is_no_guest() -> None:
    room, anna = Room(), host(2)
    copy = Person(0, GuestLobby(identity_of(0).public, RULES_ID), name="copy")
    room.join(copy, anna)
    assert [e.why for e in copy.events(LinkClosed)] == [Why.MYSELF]


def test_attack_22_unknown_rules_are_refused_before_anything_is_asked() -> None:
    room, anna = Room(), host(2)
    boris = guest(1, rules=b"x" * 32)
    room.join(boris, anna)
    assert boris.events(RefusedByTable, TableShown) == [RefusedByTable(Refusal.OTHER_RULES)]
    with pytest.raises(LobbyError, match="no-table"):
        boris.guest.ask_seat(seat_record(1))


def test_the_code_is_the_door() -> None:
    room, anna = Room(), host(2)
    boris = guest(1, door=Door(b"w" * 32))
    ciro = guest(2, door=Door())
    for person in (boris, ciro):
        room.join(person, anna)
    assert [e.why for e in boris.events(LinkClosed)] == [Why.CODE_WRONG]
    assert [e.why for e in ciro.events(LinkClosed)] == [Why.CODE_NEEDED]
    assert anna.events(PeerUp) == []
    assert CODE != b"w" * 32


def test_a_watcher_gets_the_genesis_of_a_game_that_runs() -> None:
    room, anna, boris, eve = Room(), host(2, may_watch=True), guest(1), guest(5)
    sit(room, anna, boris)
    start(room, anna)
    room.join(eve, anna)
    eve.guest.ask_watch("Eve")
    room.carry(eve)
    genesis = anna.host.genesis
    assert genesis is not None
    assert eve.events(GenesisAgreed) == [GenesisAgreed(genesis, None)]
    assert anna.host.table.roster[-1].watching


def test_a_watcher_that_lost_its_link_goes_on_watching_when_it_is_back() -> None:
    room, anna, boris, eve = Room(), host(2, may_watch=True), guest(1), guest(5)
    sit(room, anna, boris)
    start(room, anna)
    genesis = anna.host.genesis
    assert genesis is not None
    table = Table.of(2)
    assert table.genesis == genesis
    near, _ = room.join(eve, anna)
    eve.guest.ask_watch("Eve")
    room.carry(eve)
    log = table.fresh()
    anna.node.attach(table.log, room.now)
    eve.node.attach(log, room.now)
    for played in (2, 3):
        table.play(played)
        room.wait(5.0, anna, eve)
        for event in eve.events(EntryArrived):
            log.receive(event.record)
        assert log.export() == table.log.export()
        room.net.cut(near, room.now)
        assert anna.host.watchers == ()
        near, _ = room.join(eve, anna)
        assert anna.host.watchers == (identity_of(5).public,)


def test_terms_digest_binds_everything() -> None:
    shown = terms_of(host(2).host.table)
    previous = Previous(GameId(b"g" * 32), Digest(b"d" * 32), None, (0, 0), (0, 0))
    digests = {
        terms_digest(1, shown),
        terms_digest(2, shown),
        terms_digest(1, replace(shown, rules=b"x" * 32)),
        terms_digest(1, replace(shown, options=(6, 1))),
        terms_digest(1, replace(shown, suite=1)),
        terms_digest(1, replace(shown, seats=3)),
        terms_digest(1, replace(shown, previous=previous)),
    }
    assert len(digests) == 7
