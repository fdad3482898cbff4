#!/usr/bin/env python3
"""Draw `capture.txt`, a piece of a real game in line mode, as `terminal.svg` for the README."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

HERE = Path(__file__).parent
LINE, CHARACTER, MARGIN = 20, 8.43, 20
RED = re.compile(r"((?:10|[2-9JQKA])[♥♦])")


def main() -> None:
    """Write the picture."""
    lines = (HERE / "capture.txt").read_text(encoding="utf-8").splitlines()
    width = round(max(map(len, lines)) * CHARACTER + 2 * MARGIN)
    height = len(lines) * LINE + 2 * MARGIN + 20
    rows = [
        f'<text x="{MARGIN}" y="{MARGIN + 34 + LINE * number}" xml:space="preserve">{drawn(line)}</text>'
        for number, line in enumerate(lines)
    ]
    dots = "".join(
        f'<circle cx="{MARGIN + 18 * number}" cy="20" r="6" fill="{color}"/>'
        for number, color in enumerate(("#ff5f57", "#febc2e", "#28c840"))
    )
    picture = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img" '
        'aria-label="A game in the terminal: shuffling, the deal, a bout, and numbered choices">\n'
        f'<rect width="100%" height="100%" rx="10" fill="#14261d"/>\n{dots}\n'
        '<g font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="14" '
        'fill="#e8efe9">\n' + "\n".join(rows) + "\n</g>\n</svg>\n"
    )
    (HERE / "terminal.svg").write_text(picture, encoding="utf-8")


def drawn(line: str) -> str:
    """One line: red suits red, what the person typed bold."""
    text = RED.sub(r'<tspan fill="#ff8a80">\1</tspan>', escape(line))
    typed = line.startswith("$") or RED.fullmatch(line)
    return f'<tspan font-weight="bold">{text}</tspan>' if typed else text


if __name__ == "__main__":
    main()
