"""Real multicast DNS between devices: tables are found by code, told apart, and reached without multicast."""

from __future__ import annotations

import re
import time

import pytest

from cli.exits import Exit
from tests.namespaces.rooms import Room, exports_are_one_and_valid

pytestmark = pytest.mark.namespaces

BLOCKED = """table inet air {
 chain in {
  type filter hook input priority 0
  udp dport 5353 drop
 }
 chain out {
  type filter hook output priority 0
  udp dport 5353 drop
 }
}
"""


def test_several_tables_equal_names_and_one_person_twice_are_told_apart(room: Room) -> None:
    anna, other, guest = (room.device() for _ in range(3))
    tables = [anna.hosts("--name", "Anna"), anna.hosts("--name", "Anna"), other.hosts("--name", "Anna")]
    said = [table.said("listening") for table in tables]
    codes = [str(each["code"]) for each in said]
    listed = guest.durak("tables").stdout.splitlines()
    for where, port in ((anna, said[0]["port"]), (anna, said[1]["port"]), (other, said[2]["port"])):
        assert sum(f"{where.address}:{port}" in line for line in listed) == 1, listed
    for number in (1, 2):
        peer = guest.joins(codes[number], words=("--name", "Boris"))
        assert peer.said("game")["id"] == tables[number].said("game")["id"]
        peer.said("done")
        peer.leave()
    assert tables[0].read_all() == []


def test_a_search_whose_first_questions_are_lost_is_begun_anew(room: Room) -> None:
    """Multicast DNS asks at once, after 1 s and after 3; the fourth time would be at 7 (RFC 6762, 5.2)."""
    anna, boris = room.device(), room.device()
    table = anna.hosts()
    code = str(table.said("listening")["code"])
    time.sleep(4)  # the table has been announced: from now on only who asks is told
    boris.filter(BLOCKED)
    peer = boris.joins(code)
    time.sleep(5)
    boris.filter("")
    assert peer.said("game")["id"] == table.said("game")["id"]


def test_a_table_over_ipv6_link_local_alone(room: Room) -> None:
    anna, boris = room.device(ipv4=False), room.device(ipv4=False)
    here = anna.link_local()
    boris.link_local()
    table = anna.hosts()
    said = table.said("listening")
    peer = boris.joins(str(said["code"]))
    assert peer.said("done")["status"] == table.said("done")["status"] == "finished"
    exports_are_one_and_valid([anna, boris], room.folder)
    assert re.search(rf"\[{here}%\w+\]:{said['port']}", boris.durak("tables").stdout)


def test_a_link_local_address_is_told_where_there_is_no_other_and_needs_no_scope(room: Room) -> None:
    anna, boris = room.device(ipv4=False), room.device(ipv4=False)
    here = anna.link_local()
    boris.link_local()
    for device in (anna, boris):
        device.filter(BLOCKED)
    table = anna.start("host", "--text", "--name", "Anna", "--port", "4717")
    words = table.shows(f"durak join '[{here}]:4717'").split()
    boris.joins(words[-2].strip("'"), words[-1], words=("--name", "Boris"))
    table.shows("Boris  [ready")


def test_where_multicast_is_blocked_it_is_said_and_an_address_will_do(room: Room) -> None:
    anna, boris = room.device(), room.device()
    for device in (anna, boris):
        device.filter(BLOCKED)
    table = anna.start("host", "--text", "--name", "Anna", "--port", "4717", "--watch")
    code = table.shows("durak join ").split()[-1]
    table.shows("This network does not carry searches for tables. The others need an address")
    lost = boris.durak("join", code, "--name", "Boris", "--text")
    assert lost.returncode == Exit.IO
    assert "Ask the host for the address" in lost.stderr
    assert "No table was found" in boris.durak("tables").stdout
    peer = boris.joins(anna.address, code, words=("--name", "Boris"))
    table.shows("Boris  [ready")
    peer.leave()
    stranger = room.device()
    refused = stranger.durak("join", anna.address, "--name", "Eve", "--text")
    assert (refused.returncode, refused.stdout.count("Anna")) == (Exit.IO, 0)
    assert "code" in refused.stderr
    wrong = stranger.durak("join", anna.address, "0000-0000-0000", "--name", "Eve", "--text")
    assert (wrong.returncode, wrong.stdout.count("Anna")) == (Exit.IO, 0)
    assert stranger.durak("watch", anna.address, "--name", "Eve", "--text").returncode == Exit.IO
