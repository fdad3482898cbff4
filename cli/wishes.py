"""What the person of a peer wants of its table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Wishes:
    """Faces change these between games."""

    seat: bool = True
    """Whether to ask for a seat as soon as a game is prepared."""
    watches: bool = False
    """Whether we only look on."""
    deals_ahead: bool = False
    """Whether to shuffle the next game as soon as one is over (`cli.ahead`)."""
