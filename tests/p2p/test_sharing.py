"""What of a game goes to whom: hints, names instead of copies, rivals."""

from __future__ import annotations

from ledger.engine import Height, Kind
from ledger.entry import read_record
from ledger.heads import Heads
from ledger.outcome import Forked
from p2p.events import EntryArrived, NoticeArrived
from p2p.messages import (
    Entries,
    EntryName,
    Have,
    Linked,
    Notice,
    Want,
)
from tests.ledger.table import Table as Game
from tests.ledger.table import identity_of
from tests.p2p.people import Person, host
from tests.p2p.stranger import Stranger


def test_notices_are_hints_that_the_host_carries_once() -> None:
    game = Game.of(3)
    anna = host(3)
    anna.node.attach(game.log, 0.0)
    boris, ciro = Stranger(anna.node, identity_of(1)), Stranger(anna.node, identity_of(2))
    anna.events()
    ciro.take_heard()
    said = Notice(game.log.game_id, 1, 7, (2,), relayed=False)
    boris.say(said)
    ciro.carry()
    relayed = Notice(game.log.game_id, 1, 7, (2,), relayed=True)
    assert anna.events(NoticeArrived) == [NoticeArrived(game.log.game_id, 1, 7, (2,), relayed=False)]
    assert ciro.take_heard(Notice) == [relayed]
    assert boris.take_heard(Notice) == []
    anna.node.notice(game.log.game_id, 3)
    boris.carry()
    heard = boris.take_heard(Notice)
    assert heard == [Notice(game.log.game_id, 0, 3, (), relayed=False)]
    for lie in (
        Notice(game.log.game_id, 2, 7, (), relayed=False),
        Notice(game.log.game_id, 0, 7, (), relayed=True),
    ):
        boris.say(lie)
    assert anna.events(NoticeArrived) == []
    boris.say(relayed)
    assert anna.events(NoticeArrived) == [NoticeArrived(game.log.game_id, 1, 7, (2,), relayed=True)]


def test_who_has_a_link_to_the_author_gets_nothing_passed_on() -> None:
    game = Game.of(4)
    log = game.fresh()
    person = Person(0, None)
    person.node.attach(log, 0.0)
    author, near, far = (Stranger(person.node, identity_of(seat)) for seat in (1, 2, 3))
    near.say(Linked((identity_of(1).public, identity_of(0).public)))
    told = [m for m in far.take_heard(Linked) if isinstance(m, Linked)]
    assert set(told[-1].peers) == {identity_of(1).public, identity_of(2).public}
    for one in (author, near):
        one.take_heard()
    record = game.record(1)
    author.say(Entries(log.game_id, (record,), more=False))
    for event in person.events(EntryArrived):
        person.node.judged(event.link, event.game, log.receive(event.record), 0.0)
    author.carry()
    name = EntryName(0, 1, 0, log.met(Height(0))[0].id[:8])
    assert far.take_heard(Entries, Have) == [Entries(log.game_id, (record,), more=False)]
    assert near.take_heard(Entries, Have) == [Have(log.game_id[:4], (name,))]
    assert author.take_heard(Entries, Have) == []
    own = game.record(0)
    log.receive(own)
    person.node.push(log.game_id, [own])
    author.carry()
    for one in (author, near, far):
        assert one.take_heard(Entries) == [Entries(log.game_id, (own,), more=False)]


def test_a_record_the_author_has_kept_from_somebody_is_asked_for_by_heads() -> None:
    game = Game.of(3)
    log = game.fresh()
    person = Person(0, None)
    person.node.attach(log, 0.0)
    peer = Stranger(person.node, identity_of(2))
    peer.wait(0.5)
    peer.take_heard()
    record = game.record(1)
    entry = read_record(record)
    peer.say(Have(log.game_id[:4], (EntryName(0, 1, 0, entry.id[:8]),)))
    assert peer.take_heard(Heads, Want) == []
    peer.wait(1.0)
    assert peer.take_heard(Heads, Want) == [log.heads()]
    log.receive(record)
    peer.wait(6.0)
    peer.take_heard()
    peer.say(Have(log.game_id[:4], (EntryName(0, 1, 0, entry.id[:8]),)))
    peer.wait(1.0)
    assert peer.take_heard(Heads, Want) == []


def test_a_rival_is_asked_for_at_once_and_given() -> None:
    """One seat, two bodies for one due of a round that is not complete: equal heads, and still a fork."""
    game = Game.of(3)
    one, two = game.fresh(), game.fresh()
    first, second = game.record(1), game.record(1, Kind(0), (b"another",))
    one.receive(first)
    two.receive(second)
    assert one.heads() == two.heads()
    person = Person(0, None)
    person.node.attach(one, 0.0)
    peer = Stranger(person.node, identity_of(2))
    peer.take_heard()
    (rival,) = two.met(Height(0))
    name = EntryName(0, 1, 0, rival.id[:8])
    peer.say(Have(one.game_id[:4], (name,)))
    assert peer.take_heard(Heads, Want) == [Want(one.game_id[:4], (name,))]
    peer.say(Entries(one.game_id, (second,), more=False))
    (event,) = person.events(EntryArrived)
    outcome = one.receive(event.record)
    assert isinstance(outcome, Forked)
    person.node.judged(event.link, event.game, outcome, 0.0)
    for wanted in one.met(Height(0))[0], rival:
        peer.say(Want(one.game_id[:4], (EntryName(0, 1, 0, wanted.id[:8]),)))
        assert peer.take_heard(Entries) == [Entries(one.game_id, (wanted.record,), more=False)]
    for nothing in (EntryName(7, 1, 0, rival.id[:8]), EntryName(0, 1, 0, b"8 bytes.")):
        peer.say(Want(one.game_id[:4], (nothing,)))
        peer.say(Want(b"none", (name,)))
        assert peer.take_heard(Entries) == []
