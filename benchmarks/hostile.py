"""What a frame of 8 KiB costs that is made to cost: microseconds and KiB until it is refused, shape by shape.

    python -m benchmarks.hostile [--json]

The promise is 1,000 µs and 1,024 KiB. Medians of CPU time; the worst of them stand last.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
import tracemalloc

from p2p.errors import BadMessage
from p2p.message_codec import decode_message
from tests.hostile_frames import HOSTILE


def refuse(data: bytes) -> None:
    """Raises AssertionError for a frame that is not refused."""
    try:
        decode_message(data)
    except BadMessage:
        return
    raise AssertionError("accepted")


def microseconds(data: bytes) -> float:
    """Median of 101 refusals."""
    took = []
    for _ in range(101):
        began = time.process_time_ns()
        refuse(data)
        took.append(time.process_time_ns() - began)
    return statistics.median(took) / 1000


def kibibytes(data: bytes) -> float:
    """The most that Python held at once, over what it held before."""
    tracemalloc.start()
    try:
        refuse(data)
        return tracemalloc.get_traced_memory()[1] / 1024
    finally:
        tracemalloc.stop()


def main() -> None:
    found = {
        name: (round(microseconds(data), 1), round(kibibytes(data), 1)) for name, data in HOSTILE.items()
    }
    if "--json" in sys.argv[1:]:
        print(json.dumps({name: {"us": us, "kib": kib} for name, (us, kib) in found.items()}))
        return
    for name, (us, kib) in sorted(found.items(), key=lambda line: line[1]):
        print(f"{name:>32} {us:8.1f} µs {kib:8.1f} KiB")


if __name__ == "__main__":
    main()
