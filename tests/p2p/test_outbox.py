"""What waits for a link: moves before bulk, bounded, and only the newest of what is replaced."""

from __future__ import annotations

from ledger.engine import Height
from ledger.genesis import Digest, GameId
from ledger.heads import Heads
from p2p.message_codec import decode_message
from p2p.messages import Address, Alive, Entries, Leave, Listening, Message
from p2p.outbox import IN_ORDER, MOST_BYTES, MOST_OTHERS, SMALL, UNDER_WAY, Outbox

GAME, OTHER = GameId(b"g" * 32), GameId(b"o" * 32)


def heads(game: GameId, height: int) -> Heads:
    return Heads(game, Height(height), Digest(b"p" * 32), 0, (), None, ())


def entries(fill: int, size: int = 10, game: GameId = GAME) -> Entries:
    return Entries(game, (bytes([fill]) * size,), more=False)


def drained(outbox: Outbox) -> list[Message]:
    messages = []
    while (data := outbox.take() or outbox.take_bulk()) is not None:
        messages.append(decode_message(data))
    assert not outbox
    return messages


def test_entries_wait_behind_everything_else_and_keep_their_order() -> None:
    outbox = Outbox()
    for message in (entries(1), entries(2), Leave(), heads(GAME, 1)):
        outbox.put(message)
    assert outbox
    assert drained(outbox) == [Leave(), heads(GAME, 1), entries(1), entries(2)]
    assert outbox.waiting_bytes == 0


def test_only_the_newest_heads_of_each_game_and_one_of_each_replaced_kind() -> None:
    outbox = Outbox()
    for height in range(100):
        outbox.put(heads(GAME, height))
        outbox.put(heads(OTHER, height))
        outbox.put(Alive())
        outbox.put(Listening((Address(f"a:{height + 1}"),)))
    assert drained(outbox) == [heads(GAME, 99), heads(OTHER, 99), Alive(), Listening((Address("a:100"),))]


def test_entries_are_bounded_and_the_rest_is_dropped() -> None:
    outbox = Outbox()
    for number in range(100):
        outbox.put(entries(number, 16_000))
        assert outbox.waiting_bytes <= MOST_BYTES
    kept = drained(outbox)
    assert kept == [entries(number, 16_000) for number in range(len(kept))]
    assert not outbox.full


def test_what_can_not_be_rebuilt_makes_a_full_queue() -> None:
    outbox = Outbox()
    for _ in range(MOST_OTHERS):
        outbox.put(Leave())
    assert not outbox.full
    outbox.put(Leave())
    assert outbox.full


def test_a_record_that_waits_or_has_just_left_is_not_sent_again() -> None:
    outbox = Outbox()
    outbox.put(entries(1))
    outbox.put(Entries(GAME, (bytes([1]) * 10, bytes([2]) * 10), more=True))
    assert [
        decode_message(data) for _ in range(2) if (data := outbox.take(100.0) or outbox.take_bulk(100.0))
    ] == [
        entries(1),
        Entries(GAME, (bytes([2]) * 10,), more=True),
    ]
    outbox.tick(100.0 + UNDER_WAY - 0.1)
    outbox.put(entries(2))
    assert not outbox
    outbox.tick(100.0 + UNDER_WAY)
    outbox.put(entries(2))
    assert drained(outbox) == [entries(2)]


def test_a_move_passes_the_bulk_of_another_game_but_never_that_of_its_own() -> None:
    outbox = Outbox()
    shuffle, answer = entries(1, 5_000, OTHER), entries(2, 5_000)
    outbox.put(shuffle)
    outbox.put(entries(3))
    assert decode_message(outbox.take(0.0) or b"") == entries(3)
    assert outbox.take(0.0) is None
    outbox.put(answer)
    outbox.put(entries(4))
    assert outbox.take(0.0) is None
    assert [decode_message(outbox.take_bulk(0.0) or b"") for _ in range(3)] == [shuffle, answer, entries(4)]


def test_a_move_stays_behind_its_games_bulk_until_that_has_had_time_to_arrive() -> None:
    outbox = Outbox()
    outbox.put(entries(1, 5_000))
    outbox.take_bulk(10.0)
    for now in (10.1, 13.0):
        outbox.tick(now, leaving=True)
        outbox.put(entries(int(now)))
        assert outbox.take(now) is None
    while outbox.take_bulk(13.0):
        pass
    outbox.tick(13.0 + IN_ORDER / 2)
    outbox.put(entries(2))
    assert outbox.take() is None
    assert decode_message(outbox.take_bulk(13.5) or b"") == entries(2)
    outbox.tick(13.5 + IN_ORDER)
    outbox.put(entries(3))
    assert decode_message(outbox.take(14.5) or b"") == entries(3)


def test_what_is_not_small_is_bulk() -> None:
    outbox = Outbox()
    outbox.put(entries(1, SMALL))
    assert outbox.take() is None
    outbox = Outbox()
    outbox.put(entries(1, SMALL - 50))
    assert outbox.take_bulk() is None
