"""What is known of the links of a table, from what the node reports of them."""

from __future__ import annotations

from cli.presence import Presence
from p2p.events import LinkClosed, PeerDown
from p2p.link import LinkId
from p2p.reasons import Why
from tests.tables import identity_of

BORIS, CIRO = identity_of(1).public, identity_of(2).public


def test_who_is_gone_is_missing_since_then_until_he_is_back() -> None:
    presence = Presence()
    assert presence.missing(BORIS, 5.0) is None, "never here"
    presence.came(BORIS)
    assert presence.missing(BORIS, 5.0) is None
    presence.went(PeerDown(BORIS, Why.GONE), 6.0)
    assert presence.here == set()
    assert presence.missing(BORIS, 10.0) == 4.0
    presence.came(BORIS)
    assert presence.missing(BORIS, 11.0) is None
    assert presence.lost_at == {}


def test_who_gets_up_says_so_and_who_is_cut_off_does_not() -> None:
    presence = Presence()
    presence.went(PeerDown(BORIS, Why.BYE), 1.0)
    presence.went(PeerDown(CIRO, Why.SILENT), 1.0)
    assert presence.said_bye == {BORIS}
    presence.came(BORIS)
    assert presence.said_bye == set()


def test_what_another_guest_says_of_a_link_is_not_the_tables_word() -> None:
    """Guests dial one another, perhaps before the one dialled has heard who sits there: no reason to go."""
    presence = Presence()
    presence.link_closed(LinkClosed(LinkId(99), Why.STRANGER, CIRO), 1.0)
    assert presence.closed is None
    presence.link_closed(LinkClosed(LinkId(98), Why.STRANGER, is_host=True), 1.0)
    assert presence.closed is Why.STRANGER


def test_a_twin_is_there_from_the_first_refusal_until_the_table_is_seen() -> None:
    presence = Presence()
    for moment in (3.0, 4.0):
        presence.link_closed(LinkClosed(LinkId(1), Why.SAME_IDENTITY, is_host=True), moment)
    assert presence.twin_since == 3.0
    presence.table_seen()
    assert presence.twin_since is None
