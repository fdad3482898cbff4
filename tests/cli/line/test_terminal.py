"""The shell around the conversation: lines from any descriptor, every end of input, a table that moves."""

from __future__ import annotations

import asyncio
import os

import pytest

from cli.line.conversation import Conversation
from cli.line.terminal import CHUNK, LONGEST_LINE, Keyboard, Stopped, Typed, sit
from game import events as happened
from game import story
from game.errors import IllegalMove
from game.look import look
from ledger.errors import StoreError
from tests.cli.line.talk import first_legal, voice_at
from tests.tables import Table, options_of


@pytest.fixture
def pipe():
    """The end to type into and a keyboard's descriptor; both closed at the end."""
    reading, writing = os.pipe()
    open_ends = {writing}

    def hang_up():
        if open_ends:
            os.close(open_ends.pop())

    yield reading, writing, hang_up
    hang_up()
    os.close(reading)


async def read_all(reading):
    keyboard = Keyboard(reading)
    items = []
    while not items or not isinstance(items[-1], Stopped):
        async with asyncio.timeout(5):
            items.append(await keyboard.next())
    return items


@pytest.mark.parametrize(
    ("typed", "lines"),
    [
        (b"", []),
        (b"1\n", ["1"]),
        (b"1\r\ntake\r\n", ["1", "take"]),
        (b"7S", ["7S"]),
        (b"\n\n", ["", ""]),
        ("6♠\nДама\n".encode(), ["6♠", "Дама"]),
        (b"\xff\xfe\n", ["��"]),
        (b"\x00\n", ["\x00"]),
        (b"x" * 5000 + b"\n1\n", ["x" * LONGEST_LINE, "1"]),
    ],
)
async def test_lines_of_any_input(pipe, typed, lines):
    reading, writing, hang_up = pipe
    os.write(writing, typed)
    hang_up()
    assert await read_all(reading) == [*map(Typed, lines), Stopped()]


async def test_a_letter_in_two_halves(pipe):
    reading, writing, hang_up = pipe
    keyboard = Keyboard(reading)
    for piece in ("Д".encode()[:1], "Д".encode()[1:] + b"\n"):
        os.write(writing, piece)
        await asyncio.sleep(0.05)
    hang_up()
    assert await keyboard.next() == Typed("Д")


async def test_input_without_end_waits_until_it_is_read(pipe):
    reading, writing, hang_up = pipe
    os.set_blocking(writing, False)
    keyboard = Keyboard(reading)

    async def poured() -> int:
        """Bytes the pipe takes until nobody has read of it for a while."""
        total = idle = 0
        while idle < 20:
            try:
                total += os.write(writing, b"1\n" * 2048)
                idle = 0
            except BlockingIOError:
                idle += 1
                await asyncio.sleep(0.005)
        return total

    assert await poured() <= 65_536 + 2 * CHUNK, "what the pipe holds, and one chunk"
    turns = 0

    async def turn() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(turn())
    for _ in range(3 * 2048):
        assert await keyboard.next() == Typed("1")
    assert turns >= 3 * 2048, "the rest of the program went on"
    beside.cancel()
    assert await poured() <= 4 * CHUNK
    keyboard._stop()
    assert [await keyboard.next() for _ in range(3)] == [Stopped()] * 3, (
        "a signal does not wait behind the lines"
    )
    hang_up()


async def test_a_file_as_input(tmp_path):
    (tmp_path / "typed").write_text("1\n2")
    descriptor = os.open(tmp_path / "typed", os.O_RDONLY)
    try:
        assert await read_all(descriptor) == [Typed("1"), Typed("2"), Stopped()]
    finally:
        os.close(descriptor)


class LocalTable:
    """A real game on an open deck, the other seats played at once; what `sit` needs of a peer."""

    def __init__(self, *, refuse=0, fail_after=None):
        self.table = Table(options_of(seats=3))
        self.changed = asyncio.Event()
        self.happened = []
        self.refuse, self.fail_after = refuse, fail_after

    def view(self):
        waiting = tuple(due.seat for due in self.table.course.expect(self.table.state))
        return look(self.table.state, waiting, self.table.own[0])

    def advance(self, mine=None):
        """Step until the person must decide; events collect in `happened`."""
        while self.table.course.expect(self.table.state) and (mine is not None or not self.view().legal):
            action, mine = mine, None

            def choose(state, own, legal, mine=action):
                return mine if own.seat == 0 else first_legal(state, own, legal)

            step = self.table.step(choose)
            self.happened.append(
                (self.view(), story.tell(self.table.course, step.before, step.dues, step.met, step.after))
            )
        self.changed.set()

    async def updates(self, since=None):
        self.advance()
        told = 0
        while True:
            while told < len(self.happened):
                yield self.happened[told]
                told += 1
                if told == self.fail_after:
                    raise StoreError("disk full")
            if not self.table.course.expect(self.table.state):
                return
            self.changed.clear()
            await self.changed.wait()

    async def act(self, action):
        if self.refuse:
            self.refuse -= 1
            raise IllegalMove("R9", "illegal.not-unbeaten", attack=5)
        self.advance(action)


async def at_table(table, pipe, typed, **more):
    """What is shown while these lines are typed, and whether another game is wanted."""
    reading, writing, hang_up = pipe
    shown = []
    talk = Conversation(voice_at(table.table, 0), offer_again=True)
    keyboard = Keyboard(reading)
    task = asyncio.create_task(sit(table, talk, keyboard, tell=shown.extend, since=0, **more))
    for line in typed.splitlines(keepends=True):
        await asyncio.sleep(0.1)
        os.write(writing, line)
    await asyncio.sleep(0.2)
    hang_up()
    async with asyncio.timeout(10):
        return shown, await task


async def test_the_end_of_input_saves_the_game(pipe):
    shown, again = await at_table(LocalTable(), pipe, b"")
    assert again is False
    assert "Your hand (6): 6S 9S 7H QH AH AC" in shown
    assert shown[-1] == "The game is saved. Type durak to go on with it."


async def test_a_typed_line_is_signed_and_told(pipe):
    table = LocalTable()
    shown, _ = await at_table(table, pipe, b"9S\n")
    assert "You beat 7S with 9S." in shown
    assert shown.index("Player 2 leads 7S; you defend.") < shown.index("You beat 7S with 9S.")


async def test_a_refusal_is_said_and_asked_again(pipe):
    shown, _ = await at_table(LocalTable(refuse=1), pipe, b"9S\n9S\n")
    assert "Why: 7S does not lie unbeaten (R9)" in shown
    assert "You beat 7S with 9S." in shown


async def test_trouble_of_the_own_device_ends_it(pipe):
    with pytest.raises(StoreError):
        await at_table(LocalTable(fail_after=3), pipe, b"")


async def test_notices_stand_between_the_events(pipe):
    async def notices():
        yield "The link to Player 2 is lost."
        await asyncio.Event().wait()

    shown, _ = await at_table(LocalTable(), pipe, b"", notices=notices())
    assert "The link to Player 2 is lost." in shown


async def test_a_pass_nobody_thought_about_takes_its_time(pipe):
    paused = []

    def pause():
        paused.append(1)
        return 0.0

    table = LocalTable()
    await at_table(table, pipe, b"1\n1\n1\n1\n1\n1\n", pause=pause)
    told = [event for _, events in table.happened for event in events]
    assert len(paused) == told.count(happened.Passed(0))
    assert paused
