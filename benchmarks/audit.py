"""What `durak audit` costs: 1,000 files, copies of the golden games, by one process and by several.

    python -m benchmarks.audit [--files 1000] [--jobs 2] [--json]

Prints files a second for each number of processes, the gain per process over one, and the largest worker's
memory. On a machine that does other things at the same time the gain says little.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import tempfile
import time
from pathlib import Path

from cli.auditing import audit

GOLDEN = Path(__file__).parents[1] / "tests" / "golden"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    originals = sorted(GOLDEN.glob("*.durak"))[:50]
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number in range(arguments.files):
            paths.append(Path(folder) / f"{number:04}.durak")
            shutil.copy(originals[number % len(originals)], paths[-1])
        took = {}
        for jobs in sorted({1, arguments.jobs}):
            began = time.perf_counter()
            audited = audit(paths, jobs, lambda one: None)
            took[jobs] = time.perf_counter() - began
            assert len(audited) == len(paths)
            assert all(one.verdict != "internal" for one in audited)
    worker = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    found = {
        "files": arguments.files,
        "per_second": {str(jobs): round(arguments.files / seconds, 1) for jobs, seconds in took.items()},
        "gain_per_process": round(took[1] / took[arguments.jobs] / arguments.jobs, 2),
        "worker_mebibytes": worker,
    }
    if arguments.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
