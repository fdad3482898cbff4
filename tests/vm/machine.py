"""Boots the guest, runs one shell script in it and returns what it said. TCG alone: no KVM is needed."""

from __future__ import annotations

import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.vm.image import build

ROOT = Path(__file__).parents[2]
KERNEL = "console=ttyS0 root=/dev/vda rw rootfstype=ext4 init=/init-bluetooth mitigations=off panic=1"
PRELUDE = """set -e
nice -n -15 python3 -m tests.vm.controllers {adapters} {rate} >/exchange/controllers.txt 2>&1 &
for i in $(seq 300); do grep -q ready /exchange/controllers.txt && break; sleep 0.2; done
grep -q ready /exchange/controllers.txt
while sleep 1; do
  pgrep -x bluetoothd >/dev/null && continue
  date '+bluetoothd is gone at %T' >>/tmp/bluetoothd.log
  /usr/libexec/bluetooth/bluetoothd -n -E '--noplugin=*' >>/tmp/bluetoothd.log 2>&1 &
done &
"""
"""Controllers never wait for the processor, as if they were hardware: a command they answer after two seconds
leaves the kernel's adapter in pieces. Like systemd, it starts bluetoothd again whenever it is gone."""


@dataclass(frozen=True, slots=True)
class Outcome:
    code: int
    output: str
    console: str
    bluetoothd: str


def run(script: str, *, adapters: int, rate: int | None = None, seconds: float = 180.0) -> Outcome:
    """Run `script` as root in a fresh guest with so many adapters; its folder /exchange is kept nowhere."""
    folder = build()
    with tempfile.TemporaryDirectory() as text:
        exchange = Path(text)
        prelude = PRELUDE.format(adapters=adapters, rate=rate or "")
        (exchange / "run.sh").write_text(prelude + script)
        words = [
            "qemu-system-x86_64", "-M", "q35", "-accel", "tcg,thread=multi", "-cpu", "max", "-m", "1024",
            "-smp", "2", "-nodefaults", "-no-reboot", "-display", "none", "-serial", "stdio",
            "-kernel", str(folder / "vmlinuz"), "-initrd", str(folder / "initrd"), "-append", KERNEL,
            "-drive", f"file={folder / 'disk.img'},format=raw,if=virtio,cache=unsafe,snapshot=on",
            "-virtfs", f"local,path={ROOT},mount_tag=repository,security_model=none,readonly=on",
            "-virtfs", f"local,path={exchange},mount_tag=exchange,security_model=none",
            "-object", "rng-random,filename=/dev/urandom,id=r", "-device", "virtio-rng-pci,rng=r",
        ]  # fmt: skip
        try:
            done = subprocess.run(
                words, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, check=False
            )
            console = (done.stdout + done.stderr).decode(errors="replace")
        except subprocess.TimeoutExpired as error:
            console = f"no end after {seconds} s\n" + (error.stdout or b"").decode(errors="replace")

        def read(name: str, default: str = "") -> str:
            path = exchange / name
            return path.read_text(errors="replace") if path.exists() else default

        code = int(read("code.txt", "-1").strip() or -1)
        return Outcome(code, read("out.txt"), console, read("bluetoothd.log"))


if __name__ == "__main__":
    import sys

    outcome = run(sys.stdin.read(), adapters=int(sys.argv[1]))
    print(outcome.output, outcome.console[-2000:], outcome.bluetoothd[-2000:], sep="\n=====\n")
    print("code", outcome.code)
