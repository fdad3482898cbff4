"""What people hand to the commands for disputes by mistake, and what they are told: one line, and a code."""

from __future__ import annotations

import os

import pytest

from cli.exits import Exit
from ledger.evidence import case_of
from tests.disputes import dispute

pytestmark = pytest.mark.usefixtures("fast")

READERS = (("verify",), ("explain",), ("replay", "--all"), ("rules",))
PAIRS = (("diff",), ("merge", "-o", "out.durak"))


@pytest.fixture
def good(tmp_path):
    path = tmp_path / "good.durak"
    path.write_bytes(dispute("finished").log.export())
    return path


@pytest.fixture
def bad(tmp_path):
    """Names to hand over, and the code each must come to."""
    whole = dispute("finished").log.export()
    (tmp_path / "empty.durak").write_bytes(b"")
    (tmp_path / "text.durak").write_text("hello")
    (tmp_path / "half.durak").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "flipped.durak").write_bytes(whole[:9000] + bytes([whole[9000] ^ 1]) + whole[9001:])
    (tmp_path / "newer.durak").write_bytes(whole[:11] + b"\x02" + whole[12:])
    (tmp_path / "folder.durak").mkdir()
    (tmp_path / "itself.durak").symlink_to("itself.durak")
    (tmp_path / "nowhere.durak").symlink_to("nothing")
    return {
        "empty.durak": Exit.MALFORMED,
        "text.durak": Exit.MALFORMED,
        "half.durak": Exit.MALFORMED,
        "flipped.durak": Exit.MALFORMED,
        "newer.durak": Exit.UNSUPPORTED,
        "folder.durak": Exit.IO,
        "itself.durak": Exit.IO,
        "nowhere.durak": Exit.IO,
        "none.durak": Exit.IO,
        "": Exit.IO,
    }


@pytest.mark.parametrize("command", READERS)
def test_a_file_that_is_none_of_ours(run, bad, command):
    if command == ("rules",):
        del bad[""]  # without a file it tells the rules of a preset
    for name, code in bad.items():
        given, out, err = run(*command, name)
        assert given == code, name
        if command == ("verify",) and code != Exit.IO:
            assert out.startswith(("Malformed: ", "Unsupported: "))
        else:
            assert (out, len(err.splitlines())) == ("", 1), name


@pytest.mark.parametrize("command", PAIRS)
def test_one_of_two_that_is_none_of_ours(run, bad, good, tmp_path, command):
    first, *rest = command
    for name, code in bad.items():
        for pair in ((good, name), (name, good)):
            given, out, err = run(first, *pair, *rest)
            assert (given, out, len(err.splitlines())) == (code, "", 1), name
    assert not (tmp_path / "out.durak").exists()


def test_why_a_file_is_malformed_is_said_in_words_and_where(run, bad):
    said = {name: run("verify", name)[1].splitlines()[1] for name, code in bad.items() if code == 20}
    assert said["empty.durak"] == "At byte 0: the file ends in the middle of an entry (E_CUT)."
    assert said["text.durak"] == "At byte 0: these bytes are no entry (E_CBOR)."
    assert "the file ends in the middle of an entry" in said["half.durak"]
    assert "a signature that does not hold: the entry was changed" in said["flipped.durak"]
    assert "Ask for the file again" in run("explain", "half.durak")[2]


def test_names_that_are_no_text(run, good):
    os.rename(good, os.fsencode(good.parent) + b"/n\xff\xfe.durak")
    name = "n\udcff\udcfe.durak"
    for command in READERS:
        assert run(*command, name)[0] == Exit.OK
    assert run("diff", name, name)[0] == Exit.OK


def test_standard_input_is_a_file_like_any_other(run, good):
    data = good.read_bytes()
    for command in READERS:
        assert run(*command, "-", typed=data) == run(*command, good)
        assert run(*command, "-", typed=data[:-9])[0] == Exit.MALFORMED
    assert run("diff", "-", good, typed=data)[0] == Exit.OK
    assert run("merge", good, "-", "-o", "out.durak", typed=data)[0] == Exit.OK
    for twice in (("diff", "-", "-"), ("merge", "-", "-", "-o", "x"), ("verify", "-", "--previous", "-")):
        code, out, err = run(*twice, typed=data)
        assert (code, out, len(err.splitlines())) == (Exit.USAGE, "", 1)


@pytest.mark.parametrize("height", ["-1", "120", "4096", "99999999999999999999999999", "1e3", "x", ""])
def test_heights_that_are_none(run, good, height):
    code, out, err = run("explain", good, "--height", height)
    assert (code, out) == (Exit.USAGE, "")
    assert err


def test_two_games_have_nothing_to_do_with_each_other(run, good, tmp_path):
    other = tmp_path / "other.durak"
    other.write_bytes(dispute("late fork").log.export())
    for command in PAIRS:
        first, *rest = command
        assert run(first, good, other, *rest) == (
            Exit.INSUFFICIENT, "", "These are logs of two different games.\n",
        )  # fmt: skip
    assert not (tmp_path / "out.durak").exists()


def test_a_case_where_a_log_is_needed(run, good, tmp_path):
    """The case of a forbidden entry holds the game up to it; that of a fork holds none."""
    for name in ("fork", "forbidden move"):
        log = dispute(name).log
        (tmp_path / "x.durakcase").write_bytes(case_of(log, log.fault))
        known = name != "fork"
        assert run("diff", good, "x.durakcase")[0] == (Exit.PROVEN if known else Exit.INSUFFICIENT)
        assert run("replay", "--all", "x.durakcase")[0] == (Exit.OK if known else Exit.INSUFFICIENT)
        assert run("merge", good, "x.durakcase", "-o", f"{name}.durak")[0] == (
            Exit.PROVEN if known else Exit.INSUFFICIENT
        )
    fork = dispute("fork").log
    (tmp_path / "x.durakcase").write_bytes(case_of(fork, fork.fault))
    assert run("explain", "x.durakcase", "--height", "3")[0] == Exit.INSUFFICIENT
    assert run("explain", "x.durakcase", "--height", str(fork.fault.height))[0] == Exit.OK


def test_merging_never_writes_over_or_through_anything(run, good, tmp_path):
    (tmp_path / "there.durak").write_bytes(b"precious")
    (tmp_path / "link.durak").symlink_to("elsewhere.durak")
    (tmp_path / "folder").mkdir()
    for target in ("there.durak", "link.durak", "folder", good):
        code, out, err = run("merge", good, good, "-o", target)
        assert (code, out) == (Exit.IO, "")
        assert "exists already; nothing was written" in err
    assert run("merge", good, good, "-o", tmp_path / "no" / "x.durak")[0] == Exit.IO
    assert (tmp_path / "there.durak").read_bytes() == b"precious"
    assert not (tmp_path / "elsewhere.durak").exists()
    assert run("merge", good, good, "-o", "out.durak")[0] == Exit.OK
    assert (tmp_path / "out.durak").read_bytes() == good.read_bytes()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_disk_leaves_no_half_file(run, good, tmp_path, monkeypatch):
    """The new file is a link to the device that is always full: opened, never written."""
    from pathlib import Path

    really = Path.open

    def opened(path, mode="r", *rest, **more):
        if mode == "xb":
            really(path, mode).close()
            return really(Path("/dev/full"), "wb", *rest, **more)
        return really(path, mode, *rest, **more)

    monkeypatch.setattr(Path, "open", opened)
    code, out, err = run("merge", good, good, "-o", "out.durak")
    assert (code, out, len(err.splitlines())) == (Exit.IO, "", 1)
    assert not (tmp_path / "out.durak").exists()
