"""Python for a guest's browser, compiled beforehand: of the standard library what a peer needs, and ours.

Bytecode is made by the interpreter that will run it, started once in node. The zips are stored, not
compressed: they travel compressed as a whole, and a browser unpacks that faster than Python would.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import tarfile
import tempfile
import zipfile
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

STDLIB: Final = "python_stdlib.zip"
ENCODINGS: Final = frozenset(
    {"__init__", "aliases", "ascii", "cp437", "idna", "latin_1", "punycode", "utf_8"}
)
"""The ones Python itself asks for."""
LEFT_OUT: Final = frozenset({
    "_aix_support", "_android_support", "_apple_support", "_osx_support", "_pydatetime", "_pyio",
    "_pyrepl", "_strptime", "_sysconfigdata__emscripten_wasm32-emscripten", "antigravity", "argparse",
    "bdb", "cProfile", "calendar", "cmd", "colorsys", "compileall", "configparser", "crypt", "csv",
    "ctypes", "curses", "dbm", "difflib", "doctest", "email", "ensurepip", "filecmp", "fileinput",
    "fractions", "ftplib", "getpass", "gettext", "graphlib", "html", "http", "idlelib", "imaplib",
    "lib2to3", "mailbox", "mimetypes", "modulefinder", "multiprocessing", "netrc", "nturl2path",
    "optparse", "pdb", "pickletools", "plistlib", "poplib", "profile", "pstats", "pty", "py_compile",
    "pyclbr", "pydoc", "pydoc_data", "quopri", "rlcompleter", "sched", "shelve", "smtplib",
    "socketserver", "sqlite3", "statistics", "symtable", "sysconfig", "tabnanny", "test", "this",
    "timeit", "tkinter", "tomllib", "trace", "tty", "turtle", "turtledemo", "unittest", "urllib",
    "uuid", "venv", "wave", "webbrowser", "wsgiref", "xml", "xmlrpc", "zipapp",
})  # fmt: skip
"""Modules no peer imports; `tests/guest` plays whole games without them."""
DATE: Final = (2026, 1, 1, 0, 0, 0)
DESCRIBED: Final = "pyodide,_pyodide"
"""Pyodide copies docstrings from one of its modules to another as it starts."""


class CannotCompile(Exception):
    """Node is missing or failed."""


def slim(stdlib: bytes) -> bytes:
    """The standard library as a zip, without what no peer imports."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(stdlib)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            top, _, rest = name.partition("/")
            if top.removesuffix(".py") in LEFT_OUT:
                continue
            if top == "encodings" and rest.removesuffix(".py") not in ENCODINGS:
                continue
            new.writestr(zipfile.ZipInfo(name, DATE), old.read(name))
    return buffer.getvalue()


def compiled(archive: Path, zips: Sequence[bytes]) -> tuple[bytes, ...]:
    """Each zip with bytecode for sources. `archive`: Pyodide as npm packs it. Raises `CannotCompile`."""
    script = resources.files("cli.guests") / "static" / "compile.mjs"
    with tempfile.TemporaryDirectory() as temporary, resources.as_file(script) as program:
        folder = Path(temporary)
        with tarfile.open(archive) as packed:
            for member in packed.getmembers():
                if member.isfile():
                    data = packed.extractfile(member)
                    assert data is not None
                    (folder / Path(member.name).name).write_bytes(data.read())
        files = [(folder / f"in{number}.zip", folder / f"out{number}.zip") for number in range(len(zips))]
        for (given, _), sources in zip(files, zips, strict=True):
            given.write_bytes(sources)
        arguments = [str(folder), DESCRIBED, *(str(file) for pair in files for file in pair)]
        try:
            subprocess.run(
                [shutil.which("node") or "node", str(program), *arguments],
                check=True,
                stdout=subprocess.DEVNULL,
            )
        except (OSError, subprocess.CalledProcessError) as error:
            raise CannotCompile(str(error)) from error
        return tuple(out.read_bytes() for _, out in files)
