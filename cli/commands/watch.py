"""`durak watch`: look on at somebody's table where it allows that; no hand is seen, nothing is signed."""

from __future__ import annotations

from cli.commands.join import run

__all__ = ["run"]
