"""A guest's browser is given every module of ours that its peer imports: a missing one shows there alone."""

from __future__ import annotations

import ast
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

from cli.guests.bundle import packages

ROOT = Path(__file__).parents[2]
OURS = ("cli", "game", "ledger", "p2p")


def is_module(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").exists()


def imported(tree: ast.AST) -> Iterator[str]:
    """Modules that are imported when this code runs; not what only type checkers see."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                continue
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom(module=str(module)):
                yield module
                inside = (f"{module}.{alias.name}" for alias in node.names)
                yield from (name for name in inside if is_module(name))
            case _:
                yield from imported(node)


def test_every_module_a_guest_imports_is_in_his_package() -> None:
    with zipfile.ZipFile(io.BytesIO(packages())) as packed:
        sources = {
            name.removesuffix(".py").removesuffix("/__init__").replace("/", "."): packed.read(name)
            for name in packed.namelist()
        }
    assert "cli.guests.inside.start" in sources
    missing = {
        (here, name)
        for here, source in sources.items()
        for name in imported(ast.parse(source))
        if name.split(".")[0] in OURS and name not in sources
    }
    assert missing == set()
