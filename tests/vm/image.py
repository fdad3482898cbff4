"""Builds the guest's disk once: `python -m tests.vm.image`; later runs find it in the user's cache.

Needs root, and the Debian packages qemu-system-x86 and mmdebstrap; takes a minute or two. The mirror is
the one this machine's apt uses. The guest holds Debian's kernel, BlueZ, D-Bus and Python, and the
project's dependencies from PyPI as wheels for that Python; the project itself is mounted when a test runs.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import platformdirs

SUITE = "trixie"
PYTHON = "3.13"
"""The one of this Debian."""
PACKAGES = (
    "linux-image-amd64",
    "bluez",
    "dbus",
    "python3",
    "kmod",
    "iproute2",
    "procps",
)
WHEELS = (
    "bleak==3.1.0",
    "bumble==0.0.236",
    "cbor2>=6.1.1",
    "cryptography>=45",
    "babel>=2.16",
    "platformdirs>=4",
    "dbus-fast>=5",
)
DISK_MEGABYTES = 1000
INIT = """#!/bin/sh
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev 2>/dev/null
mount -t tmpfs tmp /tmp; mount -t tmpfs run /run; mkdir -p /dev/pts /run/dbus /var/lib/bluetooth
ip link set lo up; modprobe hci_vhci
dbus-uuidgen --ensure; dbus-daemon --system --fork --nopidfile
/usr/libexec/bluetooth/bluetoothd -n -E '--noplugin=*' >/tmp/bluetoothd.log 2>&1 &
mkdir -p /repository /exchange
mount -t 9p -o trans=virtio,version=9p2000.L,ro repository /repository
mount -t 9p -o trans=virtio,version=9p2000.L exchange /exchange
mkdir /tmp/here; cd /repository; cp -r cli game ledger p2p tests pyproject.toml /tmp/here
find /tmp/here -name __pycache__ -prune -exec rm -r {} +
export PYTHONPATH=/opt/py:/tmp/here HOME=/tmp PATH=/usr/sbin:/usr/bin:/sbin:/bin
cd /tmp
sh /exchange/run.sh >/exchange/out.txt 2>&1
echo $? >/exchange/code.txt
cp /tmp/bluetoothd.log /exchange/ 2>/dev/null
sync; echo o >/proc/sysrq-trigger; sleep 5
"""
MAIN_CONF = "[General]\nControllerMode=le\nExperimental=true\n[GATT]\nCache=no\n"


def image_folder() -> Path:
    """Where this version of the image is, or will be."""
    text = "\n".join(("2", SUITE, PYTHON, *PACKAGES, *WHEELS, INIT, MAIN_CONF))
    version = hashlib.sha256(text.encode()).hexdigest()[:12]
    return Path(platformdirs.user_cache_dir("durak-tests")) / f"bluez-{version}"


def ready() -> bool:
    return all((image_folder() / name).exists() for name in ("disk.img", "vmlinuz", "initrd"))


def missing() -> str:
    """What this machine lacks for the virtual machine; "" if nothing."""
    if not shutil.which("qemu-system-x86_64"):
        return "needs qemu-system-x86_64 (Debian: qemu-system-x86)"
    if ready():
        return ""
    if not shutil.which("mmdebstrap"):
        return "needs mmdebstrap to build the image once"
    return "" if os.geteuid() == 0 else "needs root to build the image once"


def build() -> Path:
    """The folder with disk.img, vmlinuz and initrd, built if absent."""
    folder = image_folder()
    if ready():
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as text:
        work = Path(text)
        root = work / "root"
        source = f"deb [signed-by={_keyring()}] {_mirror()} {SUITE} main"
        (work / "sources.list").write_text(source + "\n")
        _run("mmdebstrap", "--mode=root", "--variant=minbase", f"--include={','.join(PACKAGES)}", SUITE,
             str(root), str(work / "sources.list"))  # fmt: skip
        _run(sys.executable, "-m", "pip", "install", "-q", "--target", str(root / "opt/py"),
        "--only-binary=:all:",
             "--python-version", PYTHON, "--platform", "manylinux_2_28_x86_64", "--platform",
             "manylinux_2_17_x86_64", "--platform", "manylinux2014_x86_64", *WHEELS)  # fmt: skip
        _run("chroot", str(root), "python3", "-m", "compileall", "-q", "/opt/py")
        (root / "init-bluetooth").write_text(INIT)
        (root / "init-bluetooth").chmod(0o755)
        (root / "etc/bluetooth").mkdir(exist_ok=True)
        (root / "etc/bluetooth/main.conf").write_text(MAIN_CONF)
        shutil.copy(next((root / "boot").glob("vmlinuz-*")), folder / "vmlinuz")
        shutil.copy(next((root / "boot").glob("initrd.img-*")), folder / "initrd")
        disk = work / "disk.img"
        _run(
            "mkfs.ext4", "-q", "-d", str(root), "-E", "root_owner=0:0", "-F", str(disk), f"{DISK_MEGABYTES}M"
        )
        disk.rename(folder / "disk.img")
    return folder


def _mirror() -> str:
    """The Debian mirror of this machine's own apt."""
    texts = [
        path.read_text(errors="replace")
        for pattern in ("sources.list", "sources.list.d/*.list", "sources.list.d/*.sources")
        for path in sorted(Path("/etc/apt").glob(pattern))
    ]
    for text in texts:
        for word in re.findall(r"\b(?:https?|file|copy):[^\s\]]+", text):
            if re.search(r"/debian/?$", word):
                return str(word)
    raise SystemExit("no Debian mirror among the apt sources of this machine")


def _keyring() -> str:
    for name in ("debian-archive-keyring.gpg", "debian-archive-keyring.pgp"):
        path = Path("/usr/share/keyrings") / name
        if path.exists():
            return str(path)
    raise SystemExit("needs the package debian-archive-keyring")


def _run(*words: str) -> None:
    print("+", *words[:3], "…", flush=True)
    subprocess.run(words, check=True)


if __name__ == "__main__":
    print(build())
