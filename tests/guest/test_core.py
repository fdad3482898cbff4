"""The same core on the interpreter and the libsodium of a guest's browser, here in node: the same bytes."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from pathlib import Path

import pytest

from cli.guests.bundle import BadBundle, build, load
from tests import recorded

pytestmark = pytest.mark.guest
ROOT = Path(__file__).parents[2]
NODE = shutil.which("node") or ""


def inside(bundle_folder: Path, module: str) -> str:
    """What `module` prints there."""
    if not NODE:
        pytest.skip("no node")
    runner = str(ROOT / "tests" / "guest" / "run.mjs")
    done = subprocess.run(
        [NODE, runner, str(bundle_folder), str(ROOT), module], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_group_signatures_and_channel_agree_with_the_vectors(bundle_folder: Path) -> None:
    assert inside(bundle_folder, "tests.guest.vectors") == "same\n"


def test_a_whole_game_there_is_the_same_bytes_as_here(
    bundle_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded.main()
    assert inside(bundle_folder, "tests.recorded") == capsys.readouterr().out


def test_the_bundle_is_small_and_knows_every_byte_of_its_own(bundle_folder: Path, tmp_path: Path) -> None:
    bundle = load(bundle_folder)
    assert bundle.size <= 7_000_000
    assert set(bundle.files) - {"manifest.json"} == set(bundle.packed)
    changed = tmp_path / "changed"
    shutil.copytree(bundle_folder, changed)
    (changed / "durak.zip").write_bytes(b"!" + (changed / "durak.zip").read_bytes()[1:])
    with pytest.raises(BadBundle, match="damaged"):
        load(changed)


def test_two_builds_are_one(bundle_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    from cli.guests.bundle import fetch

    fetched = Path(os.environ.get("GUEST_FETCHED") or tmp_path / "fetched")
    fetch(fetched)
    again = build(tmp_path / "again", fetched)
    assert again.digest == load(bundle_folder).digest
    assert again.digest == hashlib.sha256((tmp_path / "again" / "manifest.json").read_bytes()).hexdigest()
