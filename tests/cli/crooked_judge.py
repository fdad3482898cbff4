"""A judge of `durak audit` that dies over some files, each in a way of its own; run as a module."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from cli.auditing import judged, serve


def dying(path: str) -> dict[str, object]:
    match Path(path).stem:
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "raises":
            raise RecursionError
        case "leaves":
            os._exit(0)
        case "eats":
            hoard = []
            while True:
                hoard.append(bytearray(1 << 26))
        case "babbles":
            print("this is no answer", flush=True)
        case "hangs":
            time.sleep(600)
    return judged(path)


if __name__ == "__main__":
    serve(dying)
