"""What dealing without a dealer can say no with. None of these blames anybody: that is the course's job.

MentalPokerError
 ├ BadEncoding     bytes that are no canonical point, scalar or deck of the right length
 ├ ProofFailed     a final comparison failed; `equation` names it
 ├ Degenerate      keys that repeat or cancel, a derived value that must not be zero
 ├ NotACard        the tokens of all seats open a place to a point that is no card of this pack
 └ CardIsHeld      the prover holds the very card he wants to deny (DEALING §6)
"""

from __future__ import annotations


class MentalPokerError(Exception):
    """Root of everything this package raises on purpose."""


class BadEncoding(MentalPokerError):
    """Not a canonical encoding (DEALING §2); `what` names the field."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class ProofFailed(MentalPokerError):
    """A statement is not proven; `equation` names the comparison that failed."""

    def __init__(self, equation: str) -> None:
        super().__init__(equation)
        self.equation = equation


class Degenerate(MentalPokerError):
    """A value the protocol can't go on with although nobody need have cheated; `what` names it."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class NotACard(MentalPokerError):
    """A place opened to a point that is none of the 52 cards. After verified proofs: an internal stop."""

    def __init__(self, place: int) -> None:
        super().__init__(f"place {place}")
        self.place = place


class CardIsHeld(MentalPokerError):
    """The place holds the card that was to be denied: there is no proof of a false statement."""

    def __init__(self, place: int, card: int) -> None:
        super().__init__(f"place {place} holds card {card}")
        self.place = place
        self.card = card
