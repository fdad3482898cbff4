"""The ledger's error tree.

LedgerError
 ├ Malformed          bytes that are no entry, genesis or file of ours: anybody could have made them (E_*)
 ├ BadGenesis         a genesis no game may start from
 ├ Unsupported        another version or rule set: never called invalid
 ├ Forbidden          signed but not allowed (I_*): evidence once a signature stands under it
 └ StoreError         the disk said no; signing ends in this process
    └ NotKept         to a new game: it does not exist here, and nothing of it was signed
"""

from __future__ import annotations


class LedgerError(Exception):
    """Root of everything the ledger raises on purpose."""


class Malformed(LedgerError):
    """`code` is one of E_CBOR, E_SIZE, E_GAME, E_SEAT, E_SIG, E_FAR …; `detail` is for logs, not people."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(f"{code}: {detail}" if detail else code)
        self.code = code
        self.detail = detail


class BadGenesis(LedgerError):
    """A genesis that no game may start from; `reason` is a message id."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail


class Unsupported(LedgerError):
    """Made by another version of the rules, the format or the suite."""


class Forbidden(LedgerError):
    """An entry the rules of the log or of the game do not allow.

    `code` is I_TURN, I_STATE, I_SHAPE, I_RULE or I_PROOF; `rule` the rule number for I_RULE ("R9");
    `reason` a message id with `params` for people.
    """

    def __init__(self, code: str, *, rule: str = "", reason: str = "", **params: object) -> None:
        super().__init__(" ".join(part for part in (code, rule, reason) if part))
        self.code = code
        self.rule = rule
        self.reason = reason
        self.params = params


class StoreError(LedgerError):
    """Writing, syncing or reading back failed. Nothing more may be signed in this process."""


class NotKept(StoreError):
    """A new game could not be put on the disk: it does not exist here, and nothing of it was signed."""
