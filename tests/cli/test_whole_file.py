"""A file that is replaced is the old one or the new one; a write that fails leaves nothing behind."""

from __future__ import annotations

import os
import stat

import pytest

from cli import whole_file
from cli.whole_file import replace_whole


def test_the_new_one_takes_the_place_of_the_old_one(tmp_path):
    target = tmp_path / "kept"
    replace_whole(target, b"old")
    replace_whole(target, b"new")
    assert target.read_bytes() == b"new"
    assert os.name == "nt" or stat.S_IMODE(target.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


@pytest.mark.parametrize("step", ["open", "fsync", "replace"])
def test_whatever_step_fails_the_old_one_stays_alone(tmp_path, monkeypatch, step):
    target = tmp_path / "kept"
    replace_whole(target, b"old")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(whole_file.os, step, full)
    with pytest.raises(OSError, match="No space left"):
        replace_whole(target, b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("kept", b"old")]
