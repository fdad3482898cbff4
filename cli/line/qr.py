"""An invitation as a QR code in the terminal, for phones to scan; nothing where the package is missing."""

from __future__ import annotations

import importlib.util
import io


def qr_lines(text: str) -> list[str]:
    """The lines of the code, half blocks, light on dark; [] without the package `segno`."""
    if importlib.util.find_spec("segno") is None:
        return []
    import segno

    drawn = io.StringIO()
    segno.make(text, micro=False).terminal(out=drawn, compact=True)
    return drawn.getvalue().rstrip("\n").split("\n")
