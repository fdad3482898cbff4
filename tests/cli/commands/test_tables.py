"""The list of tables nearby: known people by name, equal names and other versions told apart."""

from __future__ import annotations

from cli.app import App
from cli.commands.tables import ble_lines, table_lines
from ledger.identity import SigningKey
from p2p.ble.nearby import TableAround
from p2p.codes import fingerprint
from p2p.discovery import FoundTable
from p2p.messages import Address
from p2p.session import VERSION

KEYS = [SigningKey.from_seed32(bytes([number]) * 32).public for number in range(4)]
MARKS = [fingerprint(key) for key in KEYS]


def table(number: int, *, version: int = VERSION, port: int = 4717) -> FoundTable:
    return FoundTable(MARKS[number], (f"10.0.0.{number}:{port}",), version, b"" if number else b"tt")


def test_known_people_are_named_and_people_of_one_name_told_apart(tmp_path):
    app = App.plain({"DURAK_HOME": str(tmp_path), "LC_ALL": "C"})
    for key, name in zip(KEYS, ("Anna", "Anna", "Boris\x1b[31m"), strict=False):
        app.home.remember(key, name)
    told = list(table_lines(app, [table(0), table(1), table(2), table(3)]))
    assert told == [
        f"  1  Anna ({MARKS[0][:4]})  [with a join code]  at 10.0.0.0:4717",
        f"  2  Anna ({MARKS[1][:4]})  [open]  at 10.0.0.1:4717",
        "  3  Boris31m  [open]  at 10.0.0.2:4717",
        f"  4  table {MARKS[3][:4]}  [open]  at 10.0.0.3:4717",
    ]


def test_one_person_with_two_tables_is_one_person(tmp_path):
    app = App.plain({"DURAK_HOME": str(tmp_path), "LC_ALL": "C"})
    app.home.remember(KEYS[0], "Anna")
    told = list(table_lines(app, [table(0), table(0, port=4718)]))
    assert [line.partition("  [")[0] for line in told] == ["  1  Anna", "  2  Anna"]


def test_a_table_of_another_version_says_so(tmp_path):
    app = App.plain({"DURAK_HOME": str(tmp_path), "LC_ALL": "C"})
    (told,) = table_lines(app, [table(3, version=VERSION + 1)])
    assert told == f"  1  table {MARKS[3][:4]}  [by another version of this program]  at 10.0.0.3:4717"


def around(number: int, *, private: bool = False, full: bool = False) -> TableAround:
    return TableAround(Address(f"ble:{bytes([number] * 8).hex()}"), private, full, -60, b"mk")


def test_tables_over_bluetooth_are_told_by_the_mark_their_host_sees(tmp_path):
    app = App.plain({"DURAK_HOME": str(tmp_path), "LC_ALL": "C"})
    assert list(ble_lines(app, [around(1), around(2, private=True, full=True)], first=3)) == [
        "  3  table 0101, open, over Bluetooth (-60 dBm)",
        "  4  table 0202, with a join code, takes no more devices now, over Bluetooth (-60 dBm)",
    ]
    assert list(ble_lines(app, [around(1), around(2, private=True)], commands=True)) == [
        "  1  table 0101, open, over Bluetooth (-60 dBm): durak join --ble ble:0101010101010101",
        "  2  table 0202, with a join code, over Bluetooth (-60 dBm): "
        "durak join --ble ble:0202020202020202 CODE",
    ]
