"""The data folder: private, whole after a crash, and plain about damage."""

from __future__ import annotations

import os
import stat

import pytest

from cli.exits import CommandError, Exit
from cli.home import Home, Settings
from cli.seat_request import SeatRequest
from p2p.messages import AskSeat
from tests.ledger.table import seat_record
from tests.tables import identity_of, seed_of


def test_the_environment_names_the_folder(tmp_path):
    assert Home.of({"DURAK_HOME": str(tmp_path / "x")}).folder == tmp_path / "x"
    assert Home.of({}).folder.name == "durak"


def test_nothing_is_made_before_it_is_needed(tmp_path):
    home = Home(tmp_path / "data")
    assert home.settings() == Settings()
    assert home.book().names == {}
    assert not home.folder.exists()


def test_settings_come_back_and_unknown_ones_are_left_alone(tmp_path):
    home = Home(tmp_path / "data")
    home.save(Settings(name="Ольга", language="en", cards="letters"))
    assert home.settings() == Settings(name="Ольга", language="en", cards="letters")
    (home.folder / "settings.json").write_text('{"name": "A", "of-a-later-version": "x"}')
    assert home.settings() == Settings(name="A")


def test_the_identity_is_made_once_and_read_by_its_owner_alone(tmp_path):
    home = Home(tmp_path / "data")
    identity = home.identity()
    assert home.identity().public == identity.public
    assert (home.folder / "identity").stat().st_size == 32
    if os.name == "posix":
        assert stat.S_IMODE((home.folder / "identity").stat().st_mode) == 0o600
        assert stat.S_IMODE(home.folder.stat().st_mode) == 0o700
    assert Home(tmp_path / "other").identity().public != identity.public
    assert sorted(path.name for path in home.folder.iterdir()) == ["identity"]


@pytest.mark.parametrize("damage", [b"", b"short", bytes(33)])
def test_a_damaged_identity_is_said_and_not_replaced(tmp_path, damage):
    home = Home(tmp_path)
    (tmp_path / "identity").write_bytes(damage)
    with pytest.raises(CommandError) as refused:
        home.identity()
    assert (refused.value.code, refused.value.message) == (Exit.IO, "home.identity-damaged")
    assert (tmp_path / "identity").read_bytes() == damage


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"name": 3}', b"\xff\xfe"])
def test_damaged_settings_are_said(tmp_path, damage):
    (tmp_path / "settings.json").write_bytes(damage)
    with pytest.raises(CommandError) as refused:
        Home(tmp_path).settings()
    assert (refused.value.code, refused.value.message) == (Exit.IO, "home.settings-damaged")


def test_known_identities_are_remembered(tmp_path):
    home = Home(tmp_path)
    home.remember(b"\1" * 32, "Anna")
    home.remember(b"\2" * 32, "Boris")
    home.remember(b"\1" * 32, "Anna K.")
    assert home.book().names == {b"\2" * 32: "Boris", b"\1" * 32: "Anna K."}
    (tmp_path / "known").write_bytes(b"x")
    with pytest.raises(CommandError) as refused:
        home.book()
    assert (refused.value.code, refused.value.message) == (Exit.IO, "home.known-damaged")


def test_a_request_for_a_seat_is_kept_whole_and_for_the_owner_alone(tmp_path):
    home = Home(tmp_path / "new")
    assert home.request() is None
    request = SeatRequest(identity_of(0).public, seed_of("request"), AskSeat(3, seat_record(1)))
    home.keep_request(request)
    assert home.request() == request
    path = tmp_path / "new" / "request"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert request.seed.hex() not in repr(request)
    assert repr(request.seed) not in repr(request)
    whole = path.read_bytes()
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        assert home.request() is None
    home.forget_request()
    home.forget_request()
    assert home.request() is None
