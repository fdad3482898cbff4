"""What a guest's browser is given, as a folder: `python -m cli.guests.bundle` makes it.

Inside: the Python interpreter for browsers (Pyodide, MPL-2.0), cbor2 (MIT) and libsodium (ISC), each fetched
with `npm` and `pip` and pinned by hash; our own packages; the table page. Python is compiled beforehand
(`compiled`). `manifest.json` names every file with its SHA-256, and the digest of the bundle is that of the
manifest: two devices with the same program make the same digest. It also names the sources it was made from,
so that a host does not go on giving its guests an old program.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import os
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.app import App
from cli.exits import Exit
from cli.guests.compiled import DATE, STDLIB, CannotCompile, compiled, slim
from cli.guests.page_files import MARK, index, page_files

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER: Final = "guest-bundle"
"""Where a host looks for it, in its data folder."""
MODULE: Final = "cli.guests.bundle"
PINNED: Final = {
    "pyodide-314.0.7.tgz": "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0",
    "libsodium-sumo-0.8.4.tgz": "c51e7573c7b048acd07ec7b8677640208e9c00e0ab11416d3895bf6e299e5f7e",
    "cbor2-6.3.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl": (
        "15c2e17287bd09cb30e1c534d32d6c9ef29b9eded18ebe4e6be9634cbe306834"
    ),
}
NPM: Final = ("pack", "--loglevel=error", "pyodide@314.0.7", "libsodium-sumo@0.8.4")
PIP: Final = (
    "-q", "download", "--no-deps", "--only-binary=:all:", "--platform", "pyemscripten_2026_0_wasm32",
    "--python-version", "314", "--implementation", "cp", "--abi", "cp314", "cbor2==6.3.0",
)  # fmt: skip
PYODIDE: Final = "pyodide-314.0.7.tgz"
TAKEN: Final = {
    PYODIDE: ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"),
    "libsodium-sumo-0.8.4.tgz": ("dist/modules-sumo-esm/libsodium-sumo.mjs",),
}
OURS: Final = (
    "game", "ledger", "p2p", "cli/__init__.py", "cli/absence.py", "cli/ahead.py", "cli/chronicle.py",
    "cli/encore.py", "cli/game_peer.py", "cli/keeping.py", "cli/peer.py", "cli/presence.py",
    "cli/seat_request.py", "cli/sitting.py", "cli/succession.py", "cli/thinking.py", "cli/wishes.py",
    "cli/page", "cli/guests/__init__.py", "cli/guests/inside", "cli/texts/names.py",
)  # fmt: skip
NOT_OURS: Final = (
    "p2p/ble", "p2p/lan.py", "p2p/tcp.py", "p2p/redial.py", "p2p/discovery.py", "cli/page/bundle.py",
    "cli/page/face.py", "cli/page/guard.py", "cli/page/media.py", "cli/page/replay.py", "cli/page/server.py",
    "cli/page/texts.py",
)  # fmt: skip
COUNTED: Final = ("pyodide.asm.wasm", STDLIB, "cbor2.whl", "durak.zip")
"""What the page shows the progress of."""


class BadBundle(Exception):
    """No bundle, or not the bundle its manifest says. `reason` is a message id."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle in memory: every file as it is, and the same compressed.

    `digest` and `sources`: 64 hexadecimal digits, of the manifest and of what of ours it was made from.
    """

    digest: str
    files: dict[str, bytes]
    packed: dict[str, bytes]
    sources: str

    @property
    def size(self) -> int:
        """Bytes on the wire of a first visit."""
        return sum(map(len, self.packed.values()))

    @property
    def page(self) -> bytes:
        """The page itself, which names everything else by the digest."""
        return self.files["index.html"].replace(MARK.encode(), self.digest.encode())


def load(folder: Path) -> Bundle:
    """Read and check a bundle. Raises `BadBundle`."""
    try:
        manifest = (folder / "manifest.json").read_bytes()
        listed = json.loads(manifest)
        named: dict[str, str] = listed["files"]
        sources = str(listed.get("sources", ""))
        files = {name: (folder / name).read_bytes() for name in named}
        packed = {name: (folder / f"{name}.gz").read_bytes() for name in named}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadBundle("guests.no-bundle", str(error)) from error
    for name, digest in named.items():
        data = files[name]
        if _sha256(data) != digest or gzip.decompress(packed[name]) != data:
            raise BadBundle("guests.bundle-damaged", name)
    return Bundle(_sha256(manifest), files | {"manifest.json": manifest}, packed, sources)


def fetch(folder: Path) -> None:
    """Bring what is pinned into `folder`, as far as it is not there whole. Raises `BadBundle`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in PINNED:
        if not _whole(folder / name):
            (folder / name).unlink(missing_ok=True)  # what an interrupted download left
    if any(not (folder / name).exists() for name in TAKEN):
        _run(folder, shutil.which("npm") or "npm", *NPM)
    if any(not (folder / name).exists() for name in PINNED):
        _run(folder, sys.executable, "-m", "pip", *PIP)
    for name in PINNED:
        if not _whole(folder / name):
            raise BadBundle("guests.cannot-fetch", name)


def _whole(file: Path) -> bool:
    try:
        return _sha256(file.read_bytes()) == PINNED[file.name]
    except OSError:
        return False


def _run(folder: Path, *words: str) -> None:
    try:
        subprocess.run(words, check=True, cwd=folder, stdout=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError) as error:
        raise BadBundle("guests.cannot-fetch", str(error)) from error


def build(out: Path, fetched: Path) -> Bundle:
    """Write the bundle of this program to `out` from what `fetch` brought. Raises `BadBundle`."""
    try:
        files = dict(sorted(_files(fetched)))
        files["index.html"] = index(sum(len(files[name]) for name in COUNTED))
    except CannotCompile as error:
        raise BadBundle("guests.cannot-compile", str(error)) from error
    except ValueError as error:
        raise BadBundle("guests.bundle-damaged", str(error)) from error
    return write(out, files)


def write(out: Path, files: dict[str, bytes]) -> Bundle:
    """Write files, each compressed beside it, and their manifest."""
    named = {name: _sha256(data) for name, data in sorted(files.items())}
    out.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (out / name).write_bytes(data)
        (out / f"{name}.gz").write_bytes(gzip.compress(data, 9, mtime=0))
    manifest = json.dumps({"format": 1, "sources": sources(), "files": named}, indent=1)
    (out / "manifest.json").write_text(manifest, encoding="utf-8")
    return load(out)


def sources() -> str:
    """What a bundle made now would be made from: 64 hexadecimal digits. Other pinned files count as well."""
    parts = [*PINNED.values(), _sha256(packages()), _sha256(index(0))]
    return _sha256("".join([*parts, *(f"{name} {_sha256(data)}" for name, data in page_files())]).encode())


def command(folder: str = "") -> str:
    """What makes the bundle, as this device types it: by the interpreter that runs this program."""
    found = next(
        (name for name in ("python", "python3") if shutil.which(name) == sys.executable), sys.executable
    )
    return shlex.join([found, "-m", MODULE, *filter(None, [folder])])


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _files(fetched: Path) -> Iterator[tuple[str, bytes]]:
    for archive, names in TAKEN.items():
        for name, data in zip(names, _taken(fetched / archive, *names), strict=True):
            yield Path(name).name, data
    lock, stdlib = _taken(fetched / PYODIDE, "pyodide-lock.json", STDLIB)
    yield "pyodide-lock.json", _without_packages(lock)
    yield "cbor2.whl", next(fetched.glob("cbor2-*.whl")).read_bytes()
    library, ours = compiled(fetched / PYODIDE, (slim(stdlib), packages()))
    yield STDLIB, library
    yield "durak.zip", ours
    yield from page_files()


def _without_packages(lock: bytes) -> bytes:
    """Pyodide's own list without the packages that nobody here can fetch."""
    return json.dumps({"info": json.loads(lock)["info"], "packages": {}}).encode()


def _taken(archive: Path, *names: str) -> Iterator[bytes]:
    """Files of a package as npm packs it."""
    with tarfile.open(archive) as packed:
        for name in names:
            member = packed.extractfile(f"package/{name}")
            assert member is not None
            yield member.read()


def packages() -> bytes:
    """Our packages as a zip whose bytes depend on their contents alone."""
    root = Path(__file__).parents[2]
    found: list[Path] = []
    for name in OURS:
        path = root / name
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    buffer = io.BytesIO()
    slim = b"from cli.texts.names import HarmlessName, harmless\n"
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as packed:
        for path in sorted(found):
            inside = path.relative_to(root).as_posix()
            if not inside.startswith(NOT_OURS):
                packed.writestr(zipfile.ZipInfo(inside, DATE), path.read_bytes())
        packed.writestr(zipfile.ZipInfo("cli/texts/__init__.py", DATE), slim)  # the catalogues are JSON there
    return buffer.getvalue()


def main() -> int:
    """`python -m cli.guests.bundle [OUT] [--from FOLDER]`."""
    app = App.of(os.environ)
    say = app.texts.say
    options = argparse.ArgumentParser(prog=f"python -m {MODULE}", description=say("guests.make"))
    options.add_argument("out", nargs="?", type=Path, default=app.home.folder / FOLDER)
    options.add_argument("--from", dest="fetched", type=Path, help=say("guests.make-from"))
    chosen = options.parse_args()
    try:
        with tempfile.TemporaryDirectory() as temporary:
            fetched = chosen.fetched or Path(temporary)
            fetch(fetched)
            bundle = build(chosen.out, fetched)
    except BadBundle as error:
        again = shlex.join([sys.executable, "-m", MODULE, *sys.argv[1:]])
        print(error.detail, say(error.reason, command=again), sep="\n", file=sys.stderr)
        return Exit.IO
    except OSError as error:
        print(error, say("guests.cannot-write"), sep="\n", file=sys.stderr)
        return Exit.IO
    app.show([str(chosen.out), bundle.digest, f"{bundle.size} bytes"])
    return Exit.OK


if __name__ == "__main__":
    sys.exit(main())
