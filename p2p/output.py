"""What a node asks of its transport."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from p2p.link import LinkId
from p2p.reasons import Why
from p2p.session import is_bulk


@dataclass(frozen=True, slots=True)
class Send:
    """One datagram for one link."""

    link: LinkId
    datagram: bytes

    @property
    def urgent(self) -> bool:
        """Whether it may pass what is not."""
        return not is_bulk(self.datagram)


@dataclass(frozen=True, slots=True)
class Close:
    """Close this link after what was sent before. The node has forgotten it already."""

    link: LinkId
    why: Why


Output: TypeAlias = Send | Close
