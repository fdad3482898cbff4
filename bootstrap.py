#!/usr/bin/env python3
"""Set the project up in its own `.venv` beside this file, then play, test or run any `durak` command.

    python3 bootstrap.py play [ARGS …]     play against bots
    python3 bootstrap.py durak [ARGS …]    any durak command
    python3 bootstrap.py test [ARGS …]     the test suite, in parallel; ARGS go to pytest
    python3 bootstrap.py setup             everything for development, nothing run

Standard library only, and written so that an old Python can still read it and say what it misses. A stamp in
`.venv` holds the hash of what was installed; as long as it matches, nothing is installed again.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PLAYING = ("[web,lan,ble]", "[web,lan]", "")
DEVELOPING = ("[dev,web,lan]",)
USAGE, INTERRUPTED, SETUP_FAILED = 64, 130, 30


class SetupError(Exception):
    """Setting up went wrong; the text says what to do next."""


def wanted_stamp(extras):
    """Return the text that names this interpreter, this folder, these extras and this pyproject."""
    project = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    return "\n".join([sys.version, str(ROOT), project, *extras])


def stamped(extras):
    """Return whether `.venv` already holds `extras`; what serves development serves playing too."""
    try:
        found = (VENV / "stamp").read_text(encoding="utf-8")
    except OSError:
        return False
    return found in {wanted_stamp(extras), wanted_stamp(DEVELOPING)}


def program(name):
    """Return the path of a program inside `.venv`."""
    windows = os.name == "nt"
    return str(VENV / ("Scripts" if windows else "bin") / (name + ".exe" if windows else name))


def run_quietly(command, advice):
    """Run `command`; show its output only when it fails, with what to do next."""
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        raise SetupError(done.stdout.decode(errors="replace").strip() + "\n\n" + advice)


def set_up(extras):
    """Make `.venv` hold the project with `extras`. Raises SetupError."""
    if stamped(extras):
        return
    print("Setting up in .venv (once; needs the network or a pip cache) …", file=sys.stderr, flush=True)
    if not Path(program("python")).exists() or not same_python():
        shutil.rmtree(VENV, ignore_errors=True)
        run_quietly(
            [sys.executable, "-m", "venv", str(VENV)],
            "Python cannot make virtual environments here. On Debian or Ubuntu: apt install python3-venv",
        )
    (VENV / "stamp").unlink(missing_ok=True)
    for fallback in extras:
        try:
            install(fallback)
        except SetupError:
            if fallback == extras[-1]:
                raise
            print("Some optional parts do not install here; going on without them.", file=sys.stderr)
        else:
            break
    (VENV / "stamp").write_text(wanted_stamp(extras), encoding="utf-8")


def install(extras):
    """Install the project itself, editable, with these extras. Raises SetupError."""
    pip = [program("python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run_quietly(
        [*pip, "--editable", f"{ROOT}{extras}"],
        "pip could not install what pyproject.toml lists. Check the network and run this again.",
    )


def same_python():
    """Return whether `.venv` runs, and runs this very Python version."""
    try:
        answer = (
            subprocess.run(
                [program("python"), "-c", "import sys; print(sys.version)"],
                stdout=subprocess.PIPE,
                check=True,
            )
            .stdout.decode()
            .strip()
        )
    except (OSError, subprocess.CalledProcessError):
        return False
    return answer == sys.version


def cores():
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def keep_bytecode():
    """Who wants no bytecode beside the sources has it in `.venv`: the tests start hundreds of processes, and
    each would compile all it imports again."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
        os.environ.setdefault("PYTHONPYCACHEPREFIX", str(VENV / "bytecode"))


def hand_over(command, folder=None):
    """Become `command`, or run it and return its exit code where a process cannot be replaced."""
    if os.name == "nt":
        return subprocess.call(command, cwd=folder)
    if folder is not None:
        os.chdir(folder)
    sys.stdout.flush()
    os.execv(command[0], command)
    return 0


def main(arguments):
    """Return the exit code."""
    if sys.version_info < (3, 11):
        print("This needs Python 3.11 or newer; this one is " + sys.version.split()[0] + ".", file=sys.stderr)
        return SETUP_FAILED
    command, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if command not in {"play", "durak", "test", "setup"}:
        print(__doc__.strip(), file=sys.stderr)
        return 0 if command in {"-h", "--help"} else USAGE
    try:
        set_up(PLAYING if command in {"play", "durak"} else DEVELOPING)
    except SetupError as error:
        print(error, file=sys.stderr)
        return SETUP_FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    if command == "play":
        return hand_over([program("durak"), "play", *rest])
    if command == "durak":
        return hand_over([program("durak"), *rest])
    if command == "test":
        keep_bytecode()
        told = any(word.startswith("-n") for word in rest)
        parallel = [] if told else ["-n", str(cores() + 1), "--dist", "worksteal"]
        return hand_over([program("python"), "-m", "pytest", *parallel, *rest], str(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
