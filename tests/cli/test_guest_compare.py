"""`durak doctor --guest-bundle`: what is said of a host's page, with a bundle of one's own and without."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from cli.app import App
from cli.exits import Exit
from cli.guests.bundle import Bundle, command, load, write
from cli.guests.compare import PORT, compared
from cli.main import main

Serve = Callable[[Bundle], str]
FILES = {"guest.js": b"1", "index.html": b"<script src=/b/@BUNDLE@/guest.js></script>"}


@pytest.fixture(name="serve")
def _serve() -> Iterator[Serve]:
    """serve(bundle) gives the address of a host that answers with just that."""
    running: list[ThreadingHTTPServer] = []

    def serve(bundle: Bundle) -> str:
        answers = {"/": bundle.page, "/bundle": bundle.files["manifest.json"]}
        answers |= {f"/b/{bundle.digest}/{name}": data for name, data in bundle.files.items()}

        class Host(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                found = answers.get(self.path)
                self.send_response(404 if found is None else 200)
                self.end_headers()
                self.wfile.write(found or b"")

            def log_message(self, *_: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Host)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        running.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield serve
    for server in running:
        server.shutdown()
        server.server_close()


class OtherPage(Bundle):
    """A host that opens another page than the one it lists."""

    @property
    def page(self) -> bytes:
        return b"<script src=//elsewhere></script>"


def app_at(home: Path) -> App:
    return App.plain({"DURAK_HOME": str(home)})


def other_version(folder: Path) -> Bundle:
    """A bundle that says it was made from something else."""
    write(folder, FILES)
    manifest = folder / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"sources": 64 * "0"}))
    return load(folder)


def test_the_same_bundle_here_and_there(tmp_path: Path, serve: Serve) -> None:
    bundle = write(tmp_path / "own", FILES)
    address = serve(bundle)
    for typed in (address, address.removeprefix("http://"), f"{address}/#ABCD-EFGH-JKMN+0123456789abcdef"):
        [(good, line)] = compared(app_at(tmp_path), typed, str(tmp_path / "own"))
        assert good
        assert line == f"{address} gives its guests what this device would: {bundle.digest[:16]}"


@pytest.mark.parametrize("same", [True, False])
def test_without_a_bundle_of_its_own_it_says_what_it_sees_and_what_it_lacks(
    tmp_path: Path,
    serve: Serve,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    same: bool,
) -> None:
    theirs = write(tmp_path / "theirs", FILES) if same else other_version(tmp_path / "theirs")
    monkeypatch.setenv("DURAK_HOME", str(tmp_path / "here"))
    code = main(["--lang", "en", "doctor", "--guest-bundle", serve(theirs)])
    said, complaints = capsys.readouterr()
    *_, seen, lacks = said.splitlines()
    assert code == Exit.IO, "what was asked could not be done"
    assert complaints == ""
    assert theirs.digest[:16] in seen
    assert ("the program you have" in seen) == same
    assert ("another version of the program than yours" in seen) != same
    assert lacks.endswith(f"Make it once, with internet: {command()}")
    assert "give to guests" not in said, "who asks this hosts nobody"


def test_a_bundle_of_its_own_that_is_of_no_use_is_told_beside_what_is_seen(
    tmp_path: Path, serve: Serve
) -> None:
    address = serve(write(tmp_path / "theirs", FILES))
    other_version(tmp_path / "own")
    (good, seen), (bad, lacks) = compared(app_at(tmp_path), address, str(tmp_path / "own"))
    assert good
    assert not bad
    assert "the program you have" in seen
    assert "by another version of this program. Make it again: " in lacks


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("file", ["guest.js", "/"])
def test_a_host_that_serves_other_bytes_than_its_list_says(
    tmp_path: Path, serve: Serve, file: str, *, own: bool
) -> None:
    bundle = write(tmp_path / "own", FILES)
    kind = OtherPage if file == "/" else Bundle
    address = serve(kind(bundle.digest, bundle.files | {file: b"2"}, {}, ""))
    [(good, line)] = compared(app_at(tmp_path), address, str(tmp_path / ("own" if own else "none")))
    assert not good
    assert line == f"{address} serves {file} with other bytes than it says."


@pytest.mark.parametrize("typed", ["127.0.0.1:1", "http://", "http://here:port", "ftp://127.0.0.1"])
def test_nobody_there_is_told_with_what_to_look_at(tmp_path: Path, typed: str) -> None:
    [(good, line)] = compared(app_at(tmp_path), typed, "")
    assert not good
    assert line.startswith(typed if "://" in typed else f"http://{typed}")
    assert "Is it the address the host shows" in line


def test_an_address_without_a_port_is_asked_at_the_usual_one(tmp_path: Path) -> None:
    [(_, line)] = compared(app_at(tmp_path), "127.0.0.1", "")
    assert line.startswith(f"http://127.0.0.1:{PORT} ")
