"""Linux: BlueZ over D-Bus. The central role is bleak's, the peripheral role is ours."""

from p2p.ble.bluez.peripheral import open_radio

__all__ = ["open_radio"]
