"""`durak`, with a mistake in it: the first datagram that arrives raises; run as a module."""

from __future__ import annotations

import sys
from typing import Any

from cli import main
from p2p.node import Node

received = Node.datagram


def stumble(*arguments: Any, **named: Any) -> Any:
    Node.datagram = received  # type: ignore[method-assign]
    raise LookupError("stumbled on purpose")


Node.datagram = stumble  # type: ignore[method-assign]

sys.exit(main.main(sys.argv[1:]))
