"""The import contracts of pyproject.toml: they hold, and each of them bites when it is broken on purpose."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("cli", "game", "ledger", "p2p")
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]

BREACHES = [
    ("layers", "ledger/codec.py", "import game.cards"),
    ("layers", "game/view.py", "import p2p.messages"),
    ("layers", "p2p/messages.py", "import game.cards"),
    ("layers", "p2p/messages.py", "import cli.home"),
    ("mental-poker-alone", "game/mental_poker/transcript.py", "import game.cards"),
    ("mental-poker-alone", "game/mental_poker/deck.py", "import ledger.codec"),
    ("rules-without-cryptography", "game/rules.py", "from game.mental_poker import deck"),
    ("rules-without-cryptography", "game/bots/__init__.py", "from game.mental_poker import deck"),
    ("pure-core", "game/rules.py", "import random"),
    ("pure-core", "game/course.py", "import time"),
    ("pure-core", "ledger/log.py", "from datetime import datetime"),
    ("pure-core", "ledger/entry.py", "import os"),
    ("pure-core", "game/bots/__init__.py", "import threading"),
    ("store-for-faces", "ledger/log.py", "import ledger.store"),
    ("pure-protocols", "p2p/node.py", "import asyncio"),
    ("pure-protocols", "p2p/noise.py", "import secrets"),
    ("transports-for-faces", "p2p/sync.py", "import p2p.lan"),
    ("one-home-for-signatures", "ledger/entry.py", "import cryptography"),
    ("one-home-for-signatures", "cli/home.py", "from cryptography.hazmat.primitives import hashes"),
    ("one-home-for-cbor", "p2p/messages.py", "import cbor2"),
    ("page-without-server", "cli/page/table.py", "import asyncio"),
    ("page-without-server", "cli/page/encode.py", "import aiohttp"),
    ("store-for-faces", "game/course.py", "import ledger.store"),
    ("store-for-faces", "ledger/log.py", "import ledger.disk"),
]


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The packages and the contracts in a folder of their own."""
    folder = tmp_path_factory.mktemp("copy")
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__", "static")
        )
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def broken(folder):
    """The ids of the contracts that are broken in `folder`."""
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports_command as run; run()",
            "--no-cache",
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in {0, 1}, done.stdout + done.stderr
    said = " ".join(done.stdout.split())
    verdicts = {
        contract["id"]: re.search(re.escape(contract["name"]) + r" (KEPT|BROKEN)", said)
        for contract in CONTRACTS
    }
    assert all(verdicts.values()), said
    return {name for name, verdict in verdicts.items() if verdict and verdict[1] == "BROKEN"}


def test_all_contracts_hold(copy):
    assert broken(copy) == set()


@pytest.mark.parametrize(
    ("contract", "file", "line"), BREACHES, ids=lambda value: str(value).replace("/", ".")
)
def test_a_breach_is_noticed(copy, contract, file, line):
    path = copy / file
    before = path.read_text(encoding="utf-8")
    head, tail = (
        before.split("from __future__ import annotations\n", 1) if "__future__" in before else ("", before)
    )
    path.write_text(head + "from __future__ import annotations\n" + line + "\n" + tail, encoding="utf-8")
    try:
        assert contract in broken(copy)
    finally:
        path.write_text(before, encoding="utf-8")


def test_every_contract_is_broken_once():
    assert {contract for contract, _, _ in BREACHES} == {contract["id"] for contract in CONTRACTS}


def test_mental_poker_is_kept_from_every_module_of_the_game():
    listed = next(contract for contract in CONTRACTS if contract["id"] == "mental-poker-alone")
    modules = {f"game.{path.stem}" for path in (ROOT / "game").glob("*.py") if path.stem != "__init__"}
    folders = {f"game.{path.parent.name}" for path in (ROOT / "game").glob("*/__init__.py")}
    assert set(listed["forbidden_modules"]) == {
        "cli",
        "ledger",
        "p2p",
        *modules,
        *(folders - {"game.mental_poker"}),
    }
