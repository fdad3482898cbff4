"""The host's listener for guests: its own files, one socket, nothing of the owner's."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from pathlib import Path

import pytest

from cli.guests.bundle import command, load
from p2p.codes import make_code
from tests.guest.hosted import ROOT, hosted

aiohttp = pytest.importorskip("aiohttp")
pytestmark = pytest.mark.guest
OWNERS = ("/static/main.js", "/texts", "/enter", "/entered", "/socket", "/log.durak", "/film", "/replay")


async def doctor(home: Path, folder: Path, address: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cli.main", "--lang", "en", "doctor", "--guest-bundle", address,
        "--guest-folder", str(folder), stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "DURAK_HOME": str(home), "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    said, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, said.decode()


async def test_files_are_packed_named_by_their_contents_and_nothing_else_is_there(
    bundle_folder: Path, tmp_path: Path
) -> None:
    bundle = load(bundle_folder)
    async with hosted(tmp_path, bundle_folder, "--seats", "2") as host, aiohttp.ClientSession() as session:
        base = (await host.until("guests"))["addresses"][0].split("/#")[0]
        async with session.get(f"{base}/") as answer:
            page = await answer.text()
            assert f"/b/{bundle.digest}/guest.js" in page
            assert "'unsafe-eval'" not in answer.headers["Content-Security-Policy"]
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        async with session.get(f"{base}/b/{bundle.digest}/pyodide.asm.wasm") as answer:
            assert answer.headers["Content-Encoding"] == "gzip"
            assert "immutable" in answer.headers["Cache-Control"]
            assert answer.content_type == "application/wasm"
            assert await answer.read() == bundle.files["pyodide.asm.wasm"]
        for path in (*OWNERS, "/b/0/guest.js", f"/b/{bundle.digest}/..%2fmanifest.json", "/link/x"):
            async with session.get(base + path) as answer:
                assert answer.status == 404, path
        async with session.get(f"{base}/link", headers={"Origin": "http://elsewhere"}) as answer:
            assert answer.status == 403
        code = host.said[0]["code"]
        assert code
        assert code not in page
        assert len(code) == len(make_code(os.urandom))


async def test_garbage_on_the_socket_costs_that_socket_alone(bundle_folder: Path, tmp_path: Path) -> None:
    async with hosted(tmp_path, bundle_folder, "--seats", "2") as host, aiohttp.ClientSession() as session:
        base = (await host.until("guests"))["addresses"][0].split("/#")[0]
        for data in (b"\0\0", b"\xff\xff" + bytes(40), bytes(300), b"\0\5hello", os.urandom(2000)):
            async with session.ws_connect(f"{base}/link", headers={"Origin": base}) as socket:
                await socket.send_bytes(data)
                async with asyncio.timeout(15):
                    async for _ in socket:
                        pass
        async with session.ws_connect(f"{base}/link", headers={"Origin": base}) as socket:
            await socket.send_str("text")
            assert (await socket.receive(15)).type is not aiohttp.WSMsgType.BINARY
        async with session.get(f"{base}/") as answer:
            assert answer.status == 200


async def test_the_doctor_tells_the_same_bundle_from_another(bundle_folder: Path, tmp_path: Path) -> None:
    async with hosted(tmp_path / "host", bundle_folder, "--seats", "2") as host:
        address = (await host.until("guests"))["addresses"][0]
        code, said = await doctor(tmp_path / "here", bundle_folder, address)
        assert code == 0, said
        assert load(bundle_folder).digest[:16] in said
        other = tmp_path / "other"
        other.mkdir()
        for file in bundle_folder.iterdir():
            (other / file.name).write_bytes(file.read_bytes())
        (other / "manifest.json").write_bytes(b" " + (bundle_folder / "manifest.json").read_bytes())
        code, said = await doctor(tmp_path / "here", other, address)
        assert code == 30
        assert "something else" in said
    code, said = await doctor(tmp_path / "here", bundle_folder, address)
    assert code == 30
    assert "does not answer" in said


async def refused(home: Path, *words: str) -> tuple[int | None, str]:
    """How a host that cannot begin ends, and what it says."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cli.main", "--lang", "en", "host", "--guests", "--bot", "easy", *words,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        env={**os.environ, "DURAK_HOME": str(home), "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    said, _ = await process.communicate()
    return process.returncode, said.decode()


async def test_without_a_bundle_one_command_is_named(tmp_path: Path) -> None:
    code, said = await refused(tmp_path)
    assert code == 64
    assert command() in said


async def test_a_port_in_use_is_told_with_the_option_that_changes_it(
    bundle_folder: Path, tmp_path: Path
) -> None:
    with socket.create_server(("0.0.0.0", 0)) as busy:
        port = busy.getsockname()[1]
        words = ("--guest-folder", str(bundle_folder), "--port", "0", "--guest-port", str(port))
        code, said = await refused(tmp_path, *words)
    assert code == 30
    assert f"Port {port} for the page of guests" in said
    assert "--guest-port" in said


async def test_no_address_is_shown_that_browsers_do_not_take(bundle_folder: Path, tmp_path: Path) -> None:
    async with hosted(tmp_path, bundle_folder, "--seats", "2") as host:
        addresses = (await host.until("guests"))["addresses"]
        assert addresses
        assert not [each for each in addresses if "[fe80:" in each or "%" in each]
