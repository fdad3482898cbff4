"""What the files of a page are, by their ending: for the own person's page and for guests alike."""

from typing import Final

TYPES: Final = {
    ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css",
    ".svg": "image/svg+xml", ".json": "application/json", ".wasm": "application/wasm",
}  # fmt: skip
