"""In the guest: N emulated controllers on one air, as adapters hci0 … of the real Bluetooth stack.

    python3 -m tests.vm.controllers N [RATE]

Prints `ready` when the kernel has them. Reads lines from a FIFO `/tmp/radio`: `freeze NUMBER SECONDS`.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from bumble.transport import open_transport

from tests.radio.air import Air, RadioController

COMMANDS = Path("/tmp/radio")


async def main(count: int, rate: float | None) -> None:
    air = Air(rate=rate, interval=0.03 if rate else 0.0)
    controllers = []
    for number in range(count):
        transport = await open_transport("vhci")
        address = f"00:D0:0D:00:00:{number + 1:02X}"
        one = RadioController(f"hci{number}", air, transport.sink, address)
        transport.source.set_packet_sink(one)
        controllers.append(one)
        while not Path(f"/sys/class/bluetooth/hci{number}").exists():
            await asyncio.sleep(0.05)
    if not COMMANDS.exists():
        os.mkfifo(COMMANDS)
    pipe = os.open(COMMANDS, os.O_RDWR | os.O_NONBLOCK)
    asyncio.get_running_loop().add_reader(pipe, _commands, pipe, air, controllers)
    print("ready", flush=True)
    await asyncio.Event().wait()


def _commands(pipe: int, air: Air, controllers: list[RadioController]) -> None:
    for line in os.read(pipe, 4096).decode().splitlines():
        match line.split():
            case ["freeze", number, seconds]:
                air.freeze(controllers[int(number)], float(seconds))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else None))
