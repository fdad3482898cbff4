"""Trust on first use."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.identity import PublicKey
from p2p.errors import BadMessage
from p2p.known import MOST_KNOWN, Book, Verdict

OLYA, EVE = PublicKey(b"o" * 32), PublicKey(b"e" * 32)


def test_first_met_then_known_and_a_changed_key_is_shouted_about() -> None:
    book = Book()
    assert book.judge(OLYA, "Olya") is Verdict.NEW
    book = book.with_one(OLYA, "Olya")
    assert book.judge(OLYA, "Olya") is Verdict.KNOWN
    assert book.judge(OLYA, "Olga") is Verdict.RENAMED
    assert book.judge(EVE, "Olya") is Verdict.OTHER_KEY
    assert book.judge(EVE, "Eve") is Verdict.NEW
    assert book.without(OLYA).judge(OLYA, "Olya") is Verdict.NEW


def test_the_oldest_makes_room() -> None:
    book = Book()
    for number in range(MOST_KNOWN + 1):
        book = book.with_one(PublicKey(number.to_bytes(32, "big")), str(number))
    assert len(book.names) == MOST_KNOWN
    assert book.judge(PublicKey(bytes(32)), "0") is Verdict.NEW
    assert Book.from_bytes(book.to_bytes()) == book


@given(st.dictionaries(st.binary(min_size=32, max_size=32).map(PublicKey), st.text(max_size=8), max_size=5))
def test_bytes_read_back(names: dict[PublicKey, str]) -> None:
    try:
        data = Book(names).to_bytes()
    except UnicodeEncodeError:
        return
    assert Book.from_bytes(data) == Book(names)
    assert list(Book.from_bytes(data).names) == list(names)


@given(st.binary(max_size=60))
def test_garbage_gives_one_error(data: bytes) -> None:
    try:
        book = Book.from_bytes(data)
    except BadMessage:
        return
    assert book.to_bytes() == data


@pytest.mark.parametrize(
    "line", [b"\x82\x01\x81\x82\x58\x20" + b"k" * 32 + b"\x41\xff", b"\x82\x02\x80", b"\x81\x01"]
)
def test_what_is_no_book(line: bytes) -> None:
    with pytest.raises(BadMessage):
        Book.from_bytes(line)
