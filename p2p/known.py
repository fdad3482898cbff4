"""Trust on first use: which identity we know under which name. Pure; the file is the caller's.

A name is what a person calls himself; the key is who he is. The book shouts when a known name comes with
another key, and tells when a known key comes with another name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from ledger.codec import decode, encode
from ledger.errors import Malformed
from ledger.identity import PublicKey
from p2p.errors import BadMessage
from p2p.messages import NAME_BYTES

MOST_KNOWN: Final = 1_000
_VERSION: Final = 1
_LIMIT: Final = MOST_KNOWN * 80
_ITEMS: Final = MOST_KNOWN * 3 + 3


class Verdict(StrEnum):
    """What the book says; values are message ids."""

    KNOWN = "known.same"
    NEW = "known.new"
    RENAMED = "known.renamed"
    """A known key under another name: tell it."""
    OTHER_KEY = "known.other-key"
    """A known name with a key never seen: shout."""


@dataclass(frozen=True)
class Book:
    """Identities and the names they were first met under, oldest first. An immutable value."""

    names: dict[PublicKey, str] = field(default_factory=dict)

    def judge(self, identity: PublicKey, name: str) -> Verdict:
        """Compare who has come with who is known."""
        known = self.names.get(identity)
        if known is not None:
            return Verdict.KNOWN if known == name else Verdict.RENAMED
        return Verdict.OTHER_KEY if name in self.names.values() else Verdict.NEW

    def with_one(self, identity: PublicKey, name: str) -> Book:
        """The book with this identity under this name; the oldest makes room."""
        names = {key: known for key, known in self.names.items() if key != identity}
        while len(names) >= MOST_KNOWN:
            del names[next(iter(names))]
        return Book({**names, identity: name})

    def without(self, identity: PublicKey) -> Book:
        """The book with this identity forgotten."""
        return Book({key: known for key, known in self.names.items() if key != identity})

    def to_bytes(self) -> bytes:
        """`[1, [[identity 32, name], …]]`, deterministic CBOR."""
        return encode((_VERSION, tuple((key, name.encode()) for key, name in self.names.items())))

    @classmethod
    def from_bytes(cls, data: bytes) -> Book:
        """Raises `BadMessage` for everything `to_bytes` does not write."""
        try:
            value = decode(data, limit=_LIMIT, items=_ITEMS)
        except Malformed as error:
            raise BadMessage(str(error)) from error
        if type(value) is not tuple or len(value) != 2 or value[0] != _VERSION or type(value[1]) is not tuple:
            raise BadMessage("not a book of identities")
        names: dict[PublicKey, str] = {}
        for line in value[1]:
            if type(line) is not tuple or len(line) != 2:
                raise BadMessage("not a line of the book")
            key, name = line
            if type(key) is not bytes or len(key) != 32 or type(name) is not bytes or len(name) > NAME_BYTES:
                raise BadMessage("not an identity and its name")
            try:
                names[PublicKey(key)] = name.decode()
            except UnicodeDecodeError as error:
                raise BadMessage("a name that is not UTF-8") from error
        if len(names) != len(value[1]) or len(names) > MOST_KNOWN:
            raise BadMessage("an identity twice, or too many")
        return cls(names)
