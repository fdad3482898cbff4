"""Which backend a program runs on: the system's libsodium, that of the extra `fast`, or plain Python."""

from __future__ import annotations

import ctypes.util
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.engine import brought_along, choose_backend
from game.mental_poker import group, sodium
from game.mental_poker.pure import PURE


@pytest.fixture(autouse=True)
def backend_put_back() -> Iterator[None]:
    before = group.use_backend(PURE)
    yield
    group.use_backend(before)


@pytest.fixture
def no_library_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sodium, "_NAMES", ("libsodium.so.none",))
    monkeypatch.setattr(ctypes.util, "find_library", lambda name: None)


def the_library() -> Path | None:
    """The file of the libsodium this process has loaded."""
    maps = Path("/proc/self/maps")
    if sodium.find() is None or not maps.exists():
        return None
    return next(
        (Path(line.split()[-1]) for line in maps.read_text().splitlines() if "libsodium" in line), None
    )


def installed(folder: Path, library: Path) -> Path:
    """What pip leaves of a wheel of pyzmq: its record, and the library under a name of its own."""
    carried = folder / "pyzmq.libs" / "libsodium-0123abcd.so.26.4.0"
    record = folder / "pyzmq-27.3.0.dist-info" / "RECORD"
    for path in (carried, record):
        path.parent.mkdir()
    shutil.copy(library, carried)
    record.write_text(f"zmq/__init__.py,,\n{carried.relative_to(folder).as_posix()},,\n")
    (record.parent / "METADATA").write_text("Metadata-Version: 2.1\nName: pyzmq\nVersion: 27.3.0\n")
    return carried


def test_the_extra_fast_serves_where_the_system_has_no_libsodium(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    library = the_library()
    if library is None:
        pytest.skip("no libsodium with ristretto255 on this machine to copy")
    carried = installed(tmp_path, library)
    request.getfixturevalue("no_library_of_the_system")
    assert sodium.find() is None
    monkeypatch.syspath_prepend(tmp_path)
    assert brought_along() == (str(carried),)
    assert choose_backend({}) == "sodium"
    assert bytes(group.base(5)) == bytes(PURE.base(5))


@pytest.mark.usefixtures("no_library_of_the_system")
def test_a_library_that_can_not_be_loaded_is_passed_over(tmp_path: Path) -> None:
    broken = tmp_path / "libsodium.so"
    broken.write_bytes(b"no library")
    assert sodium.find(str(broken), str(tmp_path / "not there.so")) is None


def test_without_the_extra_nothing_is_brought_along(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.path", [])
    assert brought_along() == ()


def test_plain_python_where_it_is_asked_for() -> None:
    assert choose_backend({"DURAK_BACKEND": "pure"}) == "pure"
