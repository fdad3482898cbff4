"""`bootstrap.py` itself: readable by old Pythons, plain about wrong use, and quick once it has set up."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def bootstrap(tmp_path):
    """A fresh copy of the module, whose project is an empty folder."""
    spec = importlib.util.spec_from_file_location("bootstrap_under_test", ROOT / "bootstrap.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.ROOT, module.VENV = tmp_path, tmp_path / ".venv"
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    module.VENV.mkdir()
    return module


def test_an_old_python_can_read_it_and_is_told_what_is_needed(bootstrap, monkeypatch, capsys):
    ast.parse((ROOT / "bootstrap.py").read_text(encoding="utf-8"), feature_version=(3, 7))
    monkeypatch.setattr(bootstrap.sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(bootstrap.sys, "version", "3.9.2 (default)")
    assert bootstrap.main(["play"]) == 30
    assert capsys.readouterr().err == "This needs Python 3.11 or newer; this one is 3.9.2.\n"


def test_only_the_standard_library():
    tree = ast.parse((ROOT / "bootstrap.py").read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= sys.stdlib_module_names


@pytest.mark.parametrize(("words", "code"), [([], 64), (["frob"], 64), (["--help"], 0)])
def test_wrong_use_says_what_there_is(words, code, tmp_path):
    done = subprocess.run(
        [sys.executable, str(ROOT / "bootstrap.py"), *words], cwd=tmp_path, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == code
    assert "bootstrap.py play" in done.stderr


def test_what_is_stamped_is_not_installed_again(bootstrap, monkeypatch):
    installed = []
    monkeypatch.setattr(bootstrap, "same_python", lambda: True)
    monkeypatch.setattr(bootstrap, "install", installed.append)
    (bootstrap.VENV / "bin").mkdir()
    (bootstrap.VENV / "bin" / "python").touch()
    bootstrap.set_up(bootstrap.PLAYING)
    bootstrap.set_up(bootstrap.PLAYING)
    assert installed == [bootstrap.PLAYING[0]]
    bootstrap.set_up(bootstrap.DEVELOPING)
    bootstrap.set_up(bootstrap.PLAYING)
    assert installed == [bootstrap.PLAYING[0], bootstrap.DEVELOPING[0]], "development serves playing too"
    (bootstrap.ROOT / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    bootstrap.set_up(bootstrap.PLAYING)
    assert installed[2:] == [bootstrap.PLAYING[0]]


def test_optional_parts_that_do_not_install_are_left_out(bootstrap, monkeypatch, capsys):
    def install(extras):
        if extras:
            raise bootstrap.SetupError("no wheel for this machine")

    monkeypatch.setattr(bootstrap, "same_python", lambda: True)
    monkeypatch.setattr(bootstrap, "install", install)
    (bootstrap.VENV / "bin").mkdir()
    (bootstrap.VENV / "bin" / "python").touch()
    bootstrap.set_up(bootstrap.PLAYING)
    assert "going on without them" in capsys.readouterr().err
    with pytest.raises(bootstrap.SetupError):
        bootstrap.set_up(bootstrap.DEVELOPING)
    assert bootstrap.stamped(bootstrap.PLAYING) is False


@pytest.mark.parametrize("beside", [True, False])
def test_the_processes_of_the_tests_do_not_each_compile_everything(bootstrap, monkeypatch, beside):
    for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"):
        monkeypatch.setenv(name, "")  # so that the test leaves them as they were
        monkeypatch.delenv(name)
    if not beside:
        monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    bootstrap.keep_bytecode()
    assert "PYTHONDONTWRITEBYTECODE" not in bootstrap.os.environ
    kept = bootstrap.os.environ.get("PYTHONPYCACHEPREFIX")
    assert kept == (None if beside else str(bootstrap.VENV / "bytecode"))
