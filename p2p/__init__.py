"""Links, sessions and sync between peers.

Protocol objects are sans-IO: bytes in, bytes out, events to collect. Only `lan` and `discovery` own sockets.
"""
