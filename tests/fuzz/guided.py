"""Coverage-guided fuzzing: `python -m tests.fuzz.guided [TARGET …] [--seconds 30] [--corpus FOLDER]`.

Needs atheris (`pip install -e .[fuzz]`). Each target runs in a process of its own for its share of the time,
guided by the branches of our decoders; mutations know CBOR (`tests.fuzz.mutation`). Whatever a decoder raises
beyond its promise, 64 MB of one allocation or 10 s for one input ends the run with code 77 or 1, and leaves
the bytes in `crash-…`.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

NAMES = (
    "codec", "record", "body", "payload", "genesis", "file", "case", "recovery", "message", "book", "stream",
    "session", "ble-frame",
)  # fmt: skip
"""Of `tests.fuzz.targets`, which is only imported instrumented."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", choices=[*NAMES, []])
    parser.add_argument("--seconds", type=int, default=30, help="for all targets together")
    parser.add_argument("--corpus", type=Path, help="where found inputs are kept; default: nowhere")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        _fuzz(arguments.one, arguments.seconds, arguments.corpus)
        return 0
    chosen = arguments.targets or NAMES
    share = max(2, arguments.seconds // len(chosen))
    with tempfile.TemporaryDirectory() as nowhere:
        corpus = arguments.corpus or Path(nowhere)
        failed = [name for name in chosen if not _run(name, share, corpus / name)]
    print("promises broken: " + ", ".join(failed) if failed else f"{len(chosen)} decoders kept their promise")
    return 1 if failed else 0


def _run(name: str, seconds: int, corpus: Path) -> bool:
    corpus.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "tests.fuzz.guided", "--one", name]
    done = subprocess.run(
        [*command, "--seconds", str(seconds), "--corpus", str(corpus)],
        capture_output=True,
        text=True,
        timeout=60 + 3 * seconds,
        check=False,
    )
    runs = next((line for line in reversed(done.stderr.splitlines()) if line.startswith("Done ")), "")
    if done.returncode or not runs:
        print(f"{name}: {done.stdout[-2000:]}{done.stderr[-4000:]}")
        return False
    print(f"{name}: {runs}", flush=True)
    return True


def _fuzz(name: str, seconds: int, corpus: Path) -> None:
    import atheris

    with atheris.instrument_imports(include=["ledger", "p2p", "game"], enable_loader_override=False):
        from tests.fuzz.mutation import mutate
        from tests.fuzz.targets import TARGETS

    target = TARGETS[name]
    seeds = target.seeds()
    for number, data in enumerate(seeds):
        (corpus / f"seed-{number}").write_bytes(data)

    def mutator(data: bytes, most: int, seed: int) -> bytes:
        dice = random.Random(seed)
        if dice.randrange(3) == 0:
            mutated: bytes = atheris.Mutate(data, most)
            return mutated
        return mutate(data, dice.randrange, spare=seeds[dice.randrange(len(seeds))])[:most]

    limits = [f"-max_total_time={seconds}", "-timeout=10", "-max_len=70000", "-rss_limit_mb=1024"]
    atheris.Setup(
        [sys.argv[0], str(corpus), *limits, "-malloc_limit_mb=64"], target.run, custom_mutator=mutator
    )
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
