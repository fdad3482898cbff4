"""Conversations around a table before the first card."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ledger.genesis import Digest, GameId, Genesis, Previous
from ledger.identity import PublicKey
from p2p.events import EntryArrived, LinkClosed, PeerDown, PeerUp
from p2p.guest import GuestLobby
from p2p.host import HostLobby
from p2p.lobby import (
    GenesisAgreed,
    GenesisRefused,
    GuestAsks,
    LobbyError,
    LobbyEvent,
    RefusedByTable,
    TableShown,
    Terms,
    terms_digest,
    terms_of,
)
from p2p.messages import (
    GUEST_PAGE,
    OWN_APP,
    Address,
    Agree,
    AskSeat,
    Cancel,
    Message,
    OfferGenesis,
    Ready,
    Refused,
    RosterLine,
    Runs,
    Start,
)
from p2p.reasons import Refusal, Why
from p2p.session import Door
from tests.ledger.table import Table, identity_of, seat_record
from tests.ledger.toy import RULES_ID
from tests.p2p.people import CODE, Person, Room, guest, host, terms


def sit(room: Room, table: Person, person: Person, game: str = "") -> None:
    """Join, ask for a seat, be ready."""
    room.join(person, table)
    person.guest.ask_seat(seat_record(person.number, game))
    person.events()
    room.settle()
    person.guest.set_ready(ready=True)
    person.events()
    room.settle()


def start(room: Room, table: Person) -> None:
    table.host.start()
    table.events()
    room.settle()


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
    ciro.events()
    room.settle()
    (shown,) = boris.events(TableShown)
    assert shown.table.roster[-1] == RosterLine(
        identity_of(2).public, "Ciro", ready=False, bot=False, watching=False
    )
    anna.host.set_terms(terms(4))
    anna.events()
    room.settle()
    (shown,) = boris.events(TableShown)
    assert shown.table.seats == 4


def test_a_full_table_refuses_with_a_reason() -> None:
    room, anna = Room(), host(2)
    boris, ciro = guest(1), guest(2)
    sit(room, anna, boris)
    room.join(ciro, anna)
    ciro.guest.ask_seat(seat_record(2))
    ciro.events()
    room.settle()
    assert ciro.events(RefusedByTable) == [RefusedByTable(Refusal.FULL)]


def test_who_is_away_makes_room_and_who_is_here_does_not() -> None:
    room, anna = Room(), host(2)
    boris, ciro = guest(1), guest(2)
    near, _ = room.join(boris, anna)
    boris.guest.ask_seat(seat_record(1))
    boris.events()
    room.settle()
    room.net.cut(near, room.now)
    room.join(ciro, anna)
    ciro.guest.ask_seat(seat_record(2))
    ciro.events()
    room.settle()
    assert [line.name for line in anna.host.table.roster] == ["Olya", "Ciro"]
    room.join(boris, anna)
    assert boris.events(RefusedByTable) == [RefusedByTable(Refusal.FULL)]


def test_a_guest_that_lost_its_link_has_its_seat_when_it_comes_back() -> None:
    room, anna, boris = Room(), host(2), guest(1)
    near, _ = room.join(boris, anna)
    boris.guest.ask_seat(seat_record(1))
    boris.events()
    room.settle()
    boris.guest.set_ready(ready=True)
    boris.events()
    room.net.cut(near, room.now)
    assert [e.why for e in anna.events(PeerDown)] == [Why.GONE]
    assert not anna.host.table.roster[1].ready
    with pytest.raises(LobbyError, match="not-ready"):
        anna.host.start()
    room.join(boris, anna)
    assert [line.name for line in anna.host.table.roster] == ["Olya", "Борис"]
    assert anna.host.table.roster[1].ready  # the word was given for these terms and is repeated


def test_the_hosts_own_identity_is_no_guest() -> None:
    room, anna = Room(), host(2)
    copy = Person(0, GuestLobby(identity_of(0).public, RULES_ID), name="copy")
    room.join(copy, anna)
    assert [e.why for e in copy.events(LinkClosed)] == [Why.MYSELF]


def test_the_same_identity_from_another_device_is_refused() -> None:
    room, anna = Room(), host(3)
    boris, copy = guest(1), guest(1, name="copy")
    sit(room, anna, boris)
    room.join(copy, anna)
    assert [e.why for e in copy.events(LinkClosed)] == [Why.SAME_IDENTITY]
    assert identity_of(1).public in anna.node.peers()
    lobby = HostLobby(identity_of(0).public, terms(3))
    lobby.seat_own(seat_record(0))
    lobby.seat_own(seat_record(1), bot=True)
    lobby.opened(identity_of(1).public)
    lobby.take_messages()
    lobby.message(identity_of(1).public, AskSeat(1, seat_record(1, "again")))
    assert [m.message for m in lobby.take_messages()] == [Refused(Refusal.SAME_IDENTITY)]


@pytest.mark.parametrize(
    "record",
    [
        seat_record(2),
        seat_record(1, nonce=b"x" * 32),
        seat_record(1, game_key=seat_record(2).game_key),
        seat_record(1, certificate=seat_record(2).certificate),
    ],
    ids=["another's", "another nonce", "another key", "another certificate"],
)
def test_records_that_do_not_stand_are_refused(record) -> None:  # type: ignore[no-untyped-def]
    lobby = HostLobby(identity_of(0).public, terms(3))
    lobby.opened(identity_of(1).public)
    lobby.take_messages()
    lobby.message(identity_of(1).public, AskSeat(1, record))
    assert [m.message for m in lobby.take_messages()] == [Refused(Refusal.BAD_RECORD)]


def test_a_key_that_binds_nobody_is_no_game_key() -> None:
    lobby = HostLobby(identity_of(0).public, terms(3))
    lobby.opened(identity_of(1).public)
    lobby.take_messages()
    record = seat_record(1, game_key=PublicKey(b"\x01" + bytes(31)))
    lobby.message(identity_of(1).public, AskSeat(1, record))
    assert [m.message for m in lobby.take_messages()] == [Refused(Refusal.BAD_RECORD)]


def test_attack_22_unknown_rules_are_refused_before_anything_is_asked() -> None:
    room, anna = Room(), host(2)
    boris = guest(1, rules=b"x" * 32)
    room.join(boris, anna)
    assert boris.events(RefusedByTable, TableShown) == [RefusedByTable(Refusal.OTHER_RULES)]
    with pytest.raises(LobbyError, match="no-table"):
        boris.guest.ask_seat(seat_record(1))


def test_watching_only_where_the_table_allows_it() -> None:
    for allowed in (False, True):
        room, anna, eve = Room(), host(2, may_watch=allowed), guest(5)
        room.join(eve, anna)
        eve.guest.ask_watch("Eve")
        eve.events()
        room.settle()
        refused = eve.events(RefusedByTable)
        assert refused == ([] if allowed else [RefusedByTable(Refusal.NO_WATCHING)])
        assert anna.host.watchers == ((identity_of(5).public,) if allowed else ())


def test_a_watcher_gets_the_genesis_of_a_game_that_runs() -> None:
    room, anna, boris, eve = Room(), host(2, may_watch=True), guest(1), guest(5)
    sit(room, anna, boris)
    start(room, anna)
    room.join(eve, anna)
    eve.guest.ask_watch("Eve")
    eve.events()
    room.settle()
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
    eve.events()
    room.settle()
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


def test_a_seat_after_the_start_is_refused() -> None:
    room, anna, boris, ciro = Room(), host(2), guest(1), guest(2)
    sit(room, anna, boris)
    start(room, anna)
    room.join(ciro, anna)
    ciro.guest.ask_seat(seat_record(2))
    ciro.events()
    room.settle()
    assert ciro.events(RefusedByTable) == [RefusedByTable(Refusal.STARTED)]


def test_an_open_table_asks_its_host_about_each_guest() -> None:
    door = Door(None, open=True)
    room, anna = Room(), host(3, door=door, ask_person=True)
    boris, ciro = guest(1, door=Door()), guest(2, door=Door())
    for person in (boris, ciro):
        room.join(person, anna)
        person.guest.ask_seat(seat_record(person.number))
        person.events()
        room.settle()
    assert anna.events(GuestAsks) == [
        GuestAsks(identity_of(1).public, "Борис", watching=False),
        GuestAsks(identity_of(2).public, "Ciro", watching=False),
    ]
    assert len(anna.host.table.roster) == 1
    anna.host.admit(identity_of(1).public)
    anna.host.decline(identity_of(2).public)
    anna.events()
    room.settle()
    assert [line.name for line in anna.host.table.roster] == ["Olya", "Борис"]
    assert ciro.events(RefusedByTable) == [RefusedByTable(Refusal.DECLINED)]
    with pytest.raises(LobbyError, match="nobody-asked"):
        anna.host.admit(identity_of(2).public)


def test_an_open_table_tells_who_is_there_only_to_whom_the_host_has_let_in() -> None:
    room, anna = Room(), host(3, door=Door(None, open=True), ask_person=True)
    boris, ciro = guest(1, door=Door(open=True)), guest(2, door=Door())
    boris.node.set_addresses([Address("10.0.0.7:4717")])
    for person in (boris, ciro):
        room.join(person, anna)
    boris.guest.ask_seat(seat_record(1))
    boris.events()
    room.settle()
    anna.host.admit(identity_of(1).public)
    anna.events()
    room.settle()
    assert boris.guest.table is not None
    assert [line.name for line in boris.guest.table.roster] == ["Olya", "Борис"]
    assert ciro.guest.table is not None
    assert ciro.guest.table.roster == ()
    assert ciro.guest.table.seats == 3
    assert ciro.node.addresses(identity_of(1).public) == ()
    assert not ciro.node.reaches(identity_of(1).public, room.now)
    assert boris.node.reaches(identity_of(0).public, room.now)
    ciro.guest.ask_seat(seat_record(2))
    ciro.events()
    room.settle()
    anna.host.admit(identity_of(2).public)
    anna.events()
    room.settle()
    assert [line.name for line in ciro.guest.table.roster] == ["Olya", "Борис", "Ciro"]
    assert ciro.node.addresses(identity_of(1).public) == ("10.0.0.7:4717",)
    assert ciro.node.reaches(identity_of(1).public, room.now)


def test_bots_of_the_host_are_let_in_and_told_to_all() -> None:
    room, anna = Room(), host(3, door=Door(None, open=True), ask_person=True)
    olya, boris = guest(1, door=Door()), guest(2, door=Door())
    anna.host.expect_bots([identity_of(1).public])
    sit(room, anna, olya)
    sit(room, anna, boris)
    anna.host.admit(identity_of(2).public)
    anna.events()
    room.settle()
    assert boris.guest.table is not None
    assert [(line.bot, line.ready) for line in boris.guest.table.roster] == [
        (False, True), (True, True), (False, False),
    ]  # fmt: skip


def test_start_waits_for_people_and_their_word() -> None:
    room, anna, boris = Room(), host(2), guest(1)
    with pytest.raises(LobbyError, match="seats-free"):
        anna.host.start()
    room.join(boris, anna)
    boris.guest.ask_seat(seat_record(1))
    boris.events()
    room.settle()
    with pytest.raises(LobbyError, match="not-ready"):
        anna.host.start()
    boris.guest.set_ready(ready=True)
    boris.events()
    room.settle()
    anna.host.start()
    with pytest.raises(LobbyError, match="started"):
        anna.host.start()


def test_a_word_given_for_other_terms_does_not_count() -> None:
    room, anna, boris = Room(), host(2), guest(1)
    sit(room, anna, boris)
    anna.host.set_terms(terms(2, turns=7))
    assert [line.ready for line in anna.host.table.roster] == [True, False]
    old = terms_digest(1, terms(2))
    anna.host.message(identity_of(1).public, Ready(old, ready=True))
    assert not anna.host.table.roster[1].ready


def test_a_guest_who_leaves_during_the_offer_cancels_it_and_spends_all_records() -> None:
    room, anna, boris, ciro = Room(), host(3), guest(1), guest(2)
    sit(room, anna, boris)
    sit(room, anna, ciro)
    for person in (anna, boris, ciro):
        person.events()
    anna.host.start()
    ciro.guest.leave()
    ciro.events()
    room.settle()
    assert anna.events(GenesisRefused) == [GenesisRefused(Refusal.GUEST_LEFT, identity_of(2).public)]
    assert boris.events(GenesisRefused) == [GenesisRefused(Refusal.GUEST_LEFT)]
    assert anna.host.table.round == 2
    with pytest.raises(LobbyError, match="spent"):
        boris.guest.ask_seat(seat_record(1))
    boris.guest.ask_seat(seat_record(1, "second"))
    boris.events()
    room.settle()
    assert [line.name for line in anna.host.table.roster] == ["Olya", "Борис"]


def test_rematch_with_the_game_before_and_new_records() -> None:
    room, anna, boris = Room(), host(2), guest(1)
    sit(room, anna, boris)
    start(room, anna)
    first = anna.host.genesis
    assert first is not None
    boris.guest.attached(first.game_id)
    previous = Previous(first.game_id, Digest(b"d" * 32), None, (0, 0), (0, 0))
    anna.host.next_round(replace(terms(2), previous=previous))
    anna.host.seat_own(seat_record(0, "second"))
    anna.events()
    room.settle()
    boris.events()
    assert boris.guest.table is not None
    assert boris.guest.table.previous == previous
    with pytest.raises(LobbyError, match="spent"):
        boris.guest.ask_seat(seat_record(1))
    boris.guest.ask_seat(seat_record(1, "second"))
    boris.guest.set_ready(ready=True)
    boris.events()
    room.settle()
    start(room, anna)
    (agreed,) = boris.events(GenesisAgreed)
    assert agreed.genesis.previous == previous
    assert agreed.genesis.game_id != first.game_id
    assert agreed.seat == 1


def test_who_leaves_while_the_game_runs_has_no_seat_in_the_next_one() -> None:
    room, anna, boris, ciro = Room(), host(3), guest(1), guest(2)
    sit(room, anna, boris)
    sit(room, anna, ciro)
    start(room, anna)
    boris.guest.leave()
    boris.events()
    room.settle()
    assert len(anna.host.table.roster) == 3
    genesis = anna.host.genesis
    assert genesis is not None
    anna.host.next_round(terms(3))
    assert [line.identity for line in anna.host.table.roster] == [
        identity_of(0).public, identity_of(2).public,
    ]  # fmt: skip
    sit(room, anna, boris, "again")
    assert boris.events(RefusedByTable) == [], "and may come again"


def test_the_start_reaches_a_guest_that_was_away_when_it_was_given() -> None:
    room, anna, boris = Room(), host(2), guest(1)
    near, _ = room.join(boris, anna)
    boris.guest.ask_seat(seat_record(1))
    boris.events()
    room.settle()
    boris.guest.set_ready(ready=True)
    boris.events()
    room.settle()
    anna.host.start()
    anna.events()
    while anna.host.genesis is None:
        room.net._step(room.now)
    room.net.cut(near, room.now)
    assert boris.events(GenesisAgreed) == []
    room.join(boris, anna)
    assert boris.events(GenesisAgreed) == [GenesisAgreed(anna.host.genesis, 1)]


def test_the_offer_survives_a_lost_link() -> None:
    room, anna, boris = Room(), host(2), guest(1)
    near, _ = room.join(boris, anna)
    boris.guest.ask_seat(seat_record(1))
    boris.events()
    room.settle()
    boris.guest.set_ready(ready=True)
    boris.events()
    room.settle()
    anna.host.start()
    anna.events()
    room.net.cut(near, room.now)
    room.join(boris, anna)
    assert anna.host.genesis is not None
    assert boris.events(GenesisAgreed) == [GenesisAgreed(anna.host.genesis, 1)]


def test_a_host_restarted_in_a_game_knows_its_guests() -> None:
    room, anna, boris = Room(), host(2), guest(1)
    sit(room, anna, boris)
    start(room, anna)
    genesis = anna.host.genesis
    assert genesis is not None
    again = Person(0, HostLobby.resumed(identity_of(0).public, genesis), name="again")
    boris_again = Person(
        1, GuestLobby(identity_of(1).public, RULES_ID, playing=genesis.game_id), name="again"
    )
    room.join(boris_again, again)
    assert [e.identity for e in boris_again.events(PeerUp)] == [identity_of(0).public]
    assert boris_again.guest.table is not None
    assert boris_again.guest.table.game == genesis.game_id


def test_a_guest_without_its_seed_does_not_take_its_seat_back() -> None:
    room, anna, boris = Room(), host(2), guest(1)
    sit(room, anna, boris)
    start(room, anna)
    lost = guest(1, name="reinstalled")
    room.wait(7.0, lost)
    room.join(lost, anna)
    assert lost.events(GenesisAgreed, GenesisRefused) == [GenesisRefused(Refusal.BAD_RECORD)]


def talk(lobby: GuestLobby, *messages: Message) -> list[LobbyEvent]:
    """What these messages of the host make a guest report."""
    lobby.take_events()
    for message in messages:
        lobby.message(identity_of(0).public, message)
    return list(lobby.take_events())


def seated_guest() -> tuple[GuestLobby, HostLobby]:
    """A guest that has a seat and is ready, and an honest host's lobby in the same state."""
    table = HostLobby(identity_of(0).public, terms(2))
    table.seat_own(seat_record(0))
    table.opened(identity_of(1).public)
    lobby = GuestLobby(identity_of(1).public, RULES_ID)
    lobby.opened(identity_of(0).public, is_host=True)
    talk(lobby, table.table)
    lobby.ask_seat(seat_record(1))
    table.message(identity_of(1).public, AskSeat(1, seat_record(1)))
    talk(lobby, table.table)
    lobby.set_ready(ready=True)
    lobby.take_messages()
    return lobby, table


GOOD = Genesis(RULES_ID, (6, 0), 0, (seat_record(0), seat_record(1)))
PREVIOUS = Previous(GameId(b"g" * 32), Digest(b"d" * 32), None, (0, 0), (0, 0))


@pytest.mark.parametrize(
    "genesis",
    [
        replace(GOOD, options=(7, 0)).to_bytes(),
        replace(GOOD, rules_id=b"x" * 32).to_bytes(),
        replace(GOOD, suite=1).to_bytes(),
        replace(GOOD, previous=PREVIOUS).to_bytes(),
        replace(GOOD, seats=GOOD.seats[::-1]).to_bytes(),
        replace(GOOD, seats=(seat_record(0), seat_record(2))).to_bytes(),
        replace(GOOD, seats=(*GOOD.seats, seat_record(2))).to_bytes(),
        replace(GOOD, seats=(seat_record(2), seat_record(1))).to_bytes(),
        replace(GOOD, seats=(seat_record(0), seat_record(1, "older"))).to_bytes(),
        GOOD.to_bytes()[:-1],
        b"\x80",
    ],
    ids=[
        "other options",
        "other rules",
        "other suite",
        "a game before",
        "other order",
        "without me",
        "one more",
        "somebody else",
        "attack 20: my old nonce",
        "cut",
        "empty",
    ],
)
def test_a_guest_agrees_only_to_what_was_shown(genesis: bytes) -> None:
    lobby, _ = seated_guest()
    events = talk(lobby, OfferGenesis(1, genesis))
    assert events == [GenesisRefused(Refusal.NOT_WHAT_WAS_SHOWN)]
    assert [m.message for m in lobby.take_messages()] == [Cancel(1, Refusal.NOT_WHAT_WAS_SHOWN)]


def test_a_guest_agrees_to_one_genesis_a_round() -> None:
    lobby, _ = seated_guest()
    assert talk(lobby, OfferGenesis(1, GOOD.to_bytes())) == []
    assert [m.message for m in lobby.take_messages()] == [Agree(GOOD.game_id)]
    assert talk(lobby, Start(GameId(b"x" * 32))) == []
    assert talk(lobby, OfferGenesis(1, replace(GOOD, options=(6, 0), suite=0).to_bytes())) == []
    assert talk(lobby, Start(GOOD.game_id)) == [GenesisAgreed(GOOD, 1)]
    assert talk(lobby, Start(GOOD.game_id)) == []


def test_a_guest_that_is_not_ready_does_not_agree() -> None:
    lobby, _ = seated_guest()
    lobby.set_ready(ready=False)
    lobby.take_messages()
    assert talk(lobby, OfferGenesis(1, GOOD.to_bytes())) == [GenesisRefused(Refusal.NOT_WHAT_WAS_SHOWN)]


def test_a_guest_listens_to_its_host_alone() -> None:
    lobby, table = seated_guest()
    lobby.message(identity_of(2).public, OfferGenesis(1, GOOD.to_bytes()))
    lobby.message(identity_of(2).public, replace(table.table, seats=6))
    assert lobby.take_events() == ()
    assert lobby.table is not None
    assert lobby.table.seats == 2


def test_attack_21_two_geneses_for_two_guests_never_become_one_game() -> None:
    """Different options for different guests mean different game ids, hence no common log."""
    first, _ = seated_guest()
    second, table = seated_guest()
    table.set_terms(terms(2, turns=9))
    talk(second, table.table)
    second.set_ready(ready=True)
    one, two = GOOD, replace(GOOD, options=(9, 0))
    talk(first, OfferGenesis(1, one.to_bytes()))
    talk(second, OfferGenesis(1, two.to_bytes()))
    (agreed_one,) = talk(first, Start(one.game_id))
    (agreed_two,) = talk(second, Start(two.game_id))
    assert isinstance(agreed_one, GenesisAgreed)
    assert isinstance(agreed_two, GenesisAgreed)
    assert agreed_one.genesis.game_id != agreed_two.genesis.game_id


def test_seats_can_be_moved_and_people_removed() -> None:
    room, anna, boris, ciro = Room(), host(3), guest(1), guest(2)
    sit(room, anna, boris)
    sit(room, anna, ciro)
    anna.host.move(identity_of(2).public, 0)
    assert [line.name for line in anna.host.table.roster] == ["Ciro", "Olya", "Борис"]
    anna.host.remove(identity_of(1).public)
    anna.events()
    room.settle()
    assert boris.events(RefusedByTable) == [RefusedByTable(Refusal.REMOVED)]
    with pytest.raises(LobbyError, match="nobody-there"):
        anna.host.remove(identity_of(1).public)
    with pytest.raises(LobbyError, match="too-many-seated"):
        anna.host.set_terms(Terms(RULES_ID, (6, 0), 0, 1))


def test_terms_digest_binds_everything() -> None:
    shown = terms_of(host(2).host.table)
    digests = {
        terms_digest(1, shown),
        terms_digest(2, shown),
        terms_digest(1, replace(shown, rules=b"x" * 32)),
        terms_digest(1, replace(shown, options=(6, 1))),
        terms_digest(1, replace(shown, suite=1)),
        terms_digest(1, replace(shown, seats=3)),
        terms_digest(1, replace(shown, previous=PREVIOUS)),
    }
    assert len(digests) == 7


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


def programs(lobby: HostLobby) -> list[int]:
    return [line.program for line in lobby.table.roster]


def test_where_a_guest_has_his_program_from_is_said_after_every_link_and_shown_to_all() -> None:
    room, anna, boris, ciro = Room(), host(3), guest(1), guest(2)
    ciro.node.lobby = GuestLobby(ciro.key.public, RULES_ID, program=GUEST_PAGE)
    sit(room, anna, boris)
    sit(room, anna, ciro)
    assert programs(anna.host) == [OWN_APP, OWN_APP, GUEST_PAGE]
    assert boris.guest.table == anna.host.table
    start(room, anna)
    assert programs(anna.host) == [OWN_APP, OWN_APP, GUEST_PAGE]


def test_a_host_that_was_restarted_learns_again_what_its_guests_run() -> None:
    genesis = Genesis(RULES_ID, (6, 0), 0, tuple(seat_record(seat) for seat in range(2)))
    lobby = HostLobby.resumed(identity_of(0).public, genesis)
    assert programs(lobby) == [OWN_APP, OWN_APP]
    back = GuestLobby(identity_of(1).public, RULES_ID, playing=genesis.game_id, program=GUEST_PAGE)
    back.opened(identity_of(0).public, is_host=True)
    lobby.opened(identity_of(1).public)
    for each in back.take_messages():
        lobby.message(identity_of(1).public, each.message)
    assert programs(lobby) == [OWN_APP, GUEST_PAGE]
    lobby.lost(identity_of(1).public)
    assert programs(lobby) == [OWN_APP, GUEST_PAGE], "a seat keeps its mark while its person is away"


def test_strangers_do_not_fill_the_host_with_what_they_run() -> None:
    lobby = HostLobby(identity_of(0).public, terms(2))
    shown = lobby.table
    for number in range(1, 40):
        stranger = identity_of(number).public
        lobby.message(stranger, Runs(GUEST_PAGE))
        lobby.opened(stranger)
        lobby.message(stranger, Runs(GUEST_PAGE))
        lobby.lost(stranger)
    assert lobby.table == shown
    assert not lobby._programs


def test_a_guest_that_was_restarted_asks_for_the_same_seat_and_takes_up_the_game_begun_with_it() -> None:
    room, anna, boris = Room(), host(2), guest(1)
    near, _ = room.join(boris, anna)
    asked = AskSeat(1, seat_record(1))
    boris.guest.ask_seat(asked.record)
    boris.events()
    room.settle()
    for begun in (False, True):
        if begun:
            boris.guest.set_ready(ready=True)
            boris.events()
            room.settle()
            start(room, anna)
            assert anna.host.genesis is not None
        room.net.cut(near, room.now)
        room.settle()
        boris = guest(1)
        near, _ = room.join(boris, anna)
        assert boris.guest.ask_again(asked)
        boris.events()
        room.settle()
        assert [line.name for line in anna.host.table.roster] == ["Olya", "Борис"]
    (agreed,) = boris.events(GenesisAgreed)
    assert agreed == GenesisAgreed(anna.host.genesis, 1)


def test_what_was_kept_for_another_round_is_not_asked_for() -> None:
    room, anna, boris = Room(), host(2), guest(1)
    room.join(boris, anna)
    assert not boris.guest.ask_again(AskSeat(7, seat_record(1)))
    boris.events()
    room.settle()
    assert [line.name for line in anna.host.table.roster] == ["Olya"]
    boris.guest.ask_seat(seat_record(1, "new"))
    boris.events()
    room.settle()
    assert [line.name for line in anna.host.table.roster] == ["Olya", "Борис"]
