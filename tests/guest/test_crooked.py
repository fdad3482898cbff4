"""A guest's worker that was changed to cheat is caught as any peer: halted, and proven against its seat."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from ledger.folder import CASE
from tests.guest.browsing import INSIDE, PATIENCE, PHONE, cards_of, open_guest, play_on, sit
from tests.guest.crooked import FACE, FORK, give_program
from tests.guest.hosted import ROOT, Hosted, hosted

pytestmark = [pytest.mark.guest, pytest.mark.browser]


async def durak(*words: str) -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "cli.main", *words, stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    said, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, said.decode()


async def case_of(host: Hosted) -> Path:
    async with asyncio.timeout(PATIENCE):
        while not (found := list(host.home.glob(f"games/*/{CASE}"))):
            await asyncio.sleep(0.1)
    return found[0]


@pytest.mark.parametrize(("program", "offence"), [(FACE, "I_PROOF"), (FORK, "F_FORK")], ids=["face", "fork"])
async def test_a_changed_worker_is_caught_and_proven(
    browser: Any, bundle_folder: Path, tmp_path: Path, program: str, offence: str
) -> None:
    async with hosted(tmp_path / "host", bundle_folder, "--seats", "3") as host:
        address = await host.address()
        cheat = await browser.new_context(**PHONE)
        await give_program(cheat, bundle_folder, program)
        cheater = await open_guest(cheat, address)
        await sit(cheater, "Boris")
        honest = await open_guest(await browser.new_context(**PHONE), address)
        await sit(honest, "Dora")
        await cards_of(cheater)
        await cheater.evaluate(INSIDE)
        await cheater.evaluate("() => void guest.play()")
        await play_on(honest, until="#fault:not([hidden])")
        assert "Boris" in await honest.locator("#fault").inner_text()
        assert (await host.until("done"))["status"] == "halted"
        code, said = await durak("verify", "--json", str(await case_of(host)))
        assert code == 10, said
        verdict = json.loads(said)
        names = (await host.until("game"))["names"]
        assert (names[verdict["accused"]], verdict["offence"]["code"]) == ("Boris", offence)
        assert honest.errors == []
