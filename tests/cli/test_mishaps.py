"""A mistake of the program that nobody waits for: one sentence, a file, and the game goes on."""

from __future__ import annotations

import asyncio

from cli.app import App
from cli.mishaps import FILE, MOST_KEPT, run_loop
from tests.cli.commands.running import guest, host


def fail(why: str) -> None:
    raise LookupError(why)


def app_at(folder):
    return App.plain({"DURAK_HOME": str(folder), "LC_ALL": "C"})


def test_it_is_told_once_and_kept_every_time(tmp_path, capsys):
    async def work():
        loop = asyncio.get_running_loop()
        loop.call_soon(fail, "the first")
        loop.call_soon(fail, "the second")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return "done"

    assert run_loop(app_at(tmp_path), work()) == "done"
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    assert str(tmp_path / FILE) in said.err
    assert "Traceback" not in said.err
    kept = (tmp_path / FILE).read_text()
    assert kept.index("LookupError: the first") < kept.index("LookupError: the second")


def test_what_is_kept_is_bounded(tmp_path):
    async def work():
        for number in range(100):
            asyncio.get_running_loop().call_soon(fail, "x" * 10_000 + str(number))
        await asyncio.sleep(0.01)

    run_loop(app_at(tmp_path), work())
    assert MOST_KEPT < (tmp_path / FILE).stat().st_size < MOST_KEPT + 30_000


def test_a_folder_that_cannot_be_written_is_no_second_mistake(tmp_path, capsys):
    (tmp_path / "file").touch()

    async def work():
        asyncio.get_running_loop().call_soon(fail, "the first")
        asyncio.get_running_loop().call_soon(fail, "the second")
        await asyncio.sleep(0.01)

    run_loop(app_at(tmp_path / "file" / "home"), work())
    said = capsys.readouterr().err
    assert "LookupError('the first')" in said
    assert "Traceback" not in said


def test_a_host_that_stumbles_over_a_datagram_loses_that_link_alone(tmp_path):
    with host(tmp_path / "a", "--seats", "2", program=("-m", "tests.cli.stumbling")) as a:
        port = a.said("listening")["port"]
        with guest(tmp_path / "b", port) as b:
            for peer in (a, b):
                peer.said("done")
        assert a.process.stdin is not None
        assert a.process.stderr is not None
        a.process.stdin.close()
        a.process.terminate()
        complaint = a.process.stderr.read()
    assert len(complaint.splitlines()) == 1
    assert "Traceback" not in complaint
    assert "stumbled on purpose" in (tmp_path / "a" / FILE).read_text()
