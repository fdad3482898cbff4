"""Real BlueZ without hardware: a Debian 13 guest under QEMU, controllers by bumble over /dev/vhci."""
