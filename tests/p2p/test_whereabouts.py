"""What the people of a table learn of one another: where they listen, whom to dial."""

from __future__ import annotations

from p2p.link import LinkId
from p2p.messages import (
    Address,
    Listening,
    PeerLine,
    Peers,
)
from p2p.output import Send
from tests.ledger.table import identity_of
from tests.p2p.people import Room, asking, guest, host, two
from tests.p2p.stranger import Stranger


def test_the_host_tells_where_the_others_listen_and_only_to_its_table() -> None:
    room, anna = Room(), host(3)
    boris = Stranger(anna.node, identity_of(1))
    boris.say(asking(1), Listening((Address("10.0.0.1:4717"),)))
    boris.take_heard()
    ciro = Stranger(anna.node, identity_of(2))
    ciro.say(asking(2))
    told = [m for m in ciro.take_heard(Peers) if isinstance(m, Peers)]
    assert told[-1].peers == (PeerLine(identity_of(1).public, (Address("10.0.0.1:4717"),)),)
    ciro.say(Listening((Address("10.0.0.2:4717"),)))
    boris.carry()
    room.settle()
    assert anna.node.addresses(identity_of(2).public) == ("10.0.0.2:4717",)


def test_the_address_a_link_comes_from_is_worth_a_try() -> None:
    anna = host(2)
    link = LinkId(5)
    boris = guest(1)
    anna.node.link_up(link, initiator=False, mtu=1024, now=0.0, remote="fe80::7")
    boris.node.link_up(link, initiator=True, mtu=1024, now=0.0, is_host=True)
    boris.node.set_addresses((Address("0.0.0.0:4720"),))
    moved = True
    while moved:
        moved = False
        for sender, receiver in ((anna, boris), (boris, anna)):
            for output in sender.node.take_output(0.0):
                assert isinstance(output, Send)
                receiver.node.datagram(link, output.datagram, 0.0)
                moved = True
    assert anna.node.addresses(identity_of(1).public) == ("0.0.0.0:4720", "[fe80::7]:4720")


def test_whom_to_dial_and_who_dials_first() -> None:
    room = Room()
    low, high = two(room)
    for person, other in ((low, high), (high, low)):
        person.node.learn(other.key.public, (Address("10.0.0.9:1"),))
    assert [w.identity for w in low.node.wanted(0.0)] == [high.key.public]
    assert low.node.wanted(0.0)[0].addresses == ("10.0.0.9:1",)
    assert high.node.wanted(0.0) == ()
    assert [w.identity for w in high.node.wanted(5.0)] == [low.key.public]
    room.join(low, high, is_host=False)
    assert low.node.wanted(5.5) == ()
    assert high.node.wanted(5.5) == ()
    assert [w.identity for w in low.node.wanted(6.5)] == [high.key.public], "nothing heard for too long"
