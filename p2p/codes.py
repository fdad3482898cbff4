"""Join codes and invitations: what one person tells another to get to a table.

A code is 60 random bits as 12 characters of Crockford's base32. It opens the door (`code_key` is the
pre-shared key of Noise XXpsk3) and so proves host and guest to each other; who only listens can't try codes
at home.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, NewType

from ledger.identity import PublicKey, derive, tagged
from p2p.address import Endpoint, parse_address
from p2p.errors import BadAddress, BadCode
from p2p.messages import MOST_ADDRESSES, Address

JoinCode = NewType("JoinCode", str)
"""12 characters of `ALPHABET`, without separators."""

Fingerprint = NewType("Fingerprint", str)
"""16 hexadecimal digits that stand for an identity where its 32 bytes are too long."""

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base32: no I, L, O, U."""
CODE_LENGTH: Final = 12
SCHEME: Final = "durak:"
TAG_BYTES: Final = 2
"""By the tag somebody who has the code finds the table. It is short on purpose: it tells 16 of the code's 60
bits, so that a code found by trying at home fits it by chance 2^44 times and has to be tried at the door."""
_MISREAD: Final = str.maketrans("OIL", "011")
_SEPARATORS: Final = str.maketrans("", "", "- \t\u2010\u2011\u2012\u2013\u00a0")
_PRINT_TAG: Final = b"durak-print-1"
_TABLE_TAG: Final = b"durak-table-1"


@dataclass(frozen=True, slots=True)
class Invitation:
    """All a guest needs: `durak:CODE@ADDRESS,ADDRESS#FINGERPRINT`. Without a code the table is open."""

    code: JoinCode | None
    addresses: tuple[Address, ...]
    fingerprint: Fingerprint | None

    @property
    def text(self) -> str:
        """For a QR code or a message."""
        code = "" if self.code is None else show_code(self.code)
        mark = "" if self.fingerprint is None else f"#{self.fingerprint}"
        return f"{SCHEME}{code}@{','.join(self.addresses)}{mark}"


def make_code(random: Callable[[int], bytes]) -> JoinCode:
    """A new code from 8 random bytes."""
    number = int.from_bytes(random(8), "big") >> 4
    return JoinCode("".join(ALPHABET[number >> 5 * place & 31] for place in reversed(range(CODE_LENGTH))))


def show_code(code: JoinCode) -> str:
    """As people read it out: three groups of four."""
    return "-".join(code[start : start + 4] for start in range(0, CODE_LENGTH, 4))


def read_code(text: str) -> JoinCode:
    """The code somebody typed: case, spaces and hyphens do not matter, O is 0, I and L are 1.

    Raises `BadCode`: "code.character" with `character` and `place` (from 1), or "code.length" with `length`.
    """
    typed = text.translate(_SEPARATORS)
    upper = typed.upper() if typed.isascii() else typed
    code = upper.translate(_MISREAD)
    for place, character in enumerate(code):
        if character not in ALPHABET:
            raise BadCode("code.character", character=typed[place], place=place + 1)
    if len(code) != CODE_LENGTH:
        raise BadCode("code.length", length=len(code))
    return JoinCode(code)


def code_key(code: JoinCode) -> bytes:
    """The 32-byte key that opens the door."""
    return derive(code.encode(), "durak-code-1", b"", 32)


def table_tag(key: bytes, host: Fingerprint) -> bytes:
    """`TAG_BYTES` of H(tag, fingerprint ‖ key): the host's fingerprint is the salt."""
    return tagged(_TABLE_TAG, host.encode() + key)[:TAG_BYTES]


def fingerprint(identity: PublicKey) -> Fingerprint:
    """The first 16 digits of H(tag, identity)."""
    return Fingerprint(tagged(_PRINT_TAG, identity).hex()[:16])


def is_expected(identity: PublicKey, expect: PublicKey | Fingerprint | None) -> bool:
    """Whether this is who was meant; everybody is, if nobody was."""
    if isinstance(expect, str):
        return fingerprint(identity) == expect
    return expect is None or identity == expect


def invite(code: JoinCode | None, addresses: Iterable[Address], identity: PublicKey) -> Invitation:
    return Invitation(code, tuple(addresses)[:MOST_ADDRESSES], fingerprint(identity))


def read_invitation(text: str) -> Invitation:
    """What somebody pasted: an invitation, `CODE@ADDRESS`, an address. Raises `BadCode`, `BadAddress`."""
    rest = text.strip()
    if rest[: len(SCHEME)].lower() == SCHEME:
        rest = rest[len(SCHEME) :]
    rest, _, mark = rest.partition("#")
    before, at, after = rest.rpartition("@")
    code = read_code(before) if before else None
    endpoints: list[Endpoint] = []
    for part in (after if at else rest).split(","):
        if part:
            endpoints.append(parse_address(part))
    if not endpoints:
        raise BadAddress(address=text)
    mark = mark.strip().lower()
    if mark and (len(mark) != 16 or any(digit not in "0123456789abcdef" for digit in mark)):
        raise BadCode("code.fingerprint", fingerprint=mark)
    return Invitation(
        code,
        tuple(endpoint.address for endpoint in endpoints)[:MOST_ADDRESSES],
        Fingerprint(mark) if mark else None,
    )
