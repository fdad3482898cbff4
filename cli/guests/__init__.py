"""Guests with nothing installed: the same peer in a browser, served by the host (docs/guests.md)."""
