"""A table of honest peers with cheats among them, everything between them through nodes and sealed links.

Honest seats are the product's own `cli.peer.Peer`. A cheat has its own node and links, follows the game by
the product's log, holds its real secrets and signs whatever its script wants with its real game key. Every
pair of seats has a link of its own unless a test says otherwise. What must be true of every honest seat after
an attack stands here once: `halted`, `dropped`, `goes_on`.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, ClassVar

from game import kinds, payloads, rules
from game.actions import RESIGN, Action
from game.mental_poker import deck as real_suite
from game.mental_poker.backend import Point
from game.mental_poker.deck import Context
from game.mental_poker.keys import key_point
from game.options import RULES_ID
from game.seat import OwnSeat
from game.state import CourseState, Stage
from ledger.engine import Kind, Payload, Seat
from ledger.entry import RECORD_HEAD, VERSION, Body, Entry, _head, read_record, sign_entry, signed_bytes
from ledger.identity import PublicKey, SigningKey, derive, game_key
from ledger.level import Status
from ledger.log import Log
from ledger.outcome import Dropped, Outcome
from p2p.events import EntryArrived, LinkClosed
from p2p.guest import GuestLobby
from p2p.host import HostLobby
from p2p.loopback import Loopback, LoopbackEnd
from p2p.message_codec import encode_message
from p2p.messages import Entries, Message
from p2p.node import NO_BLAME, Node
from p2p.pump import Pump
from p2p.reasons import Why
from p2p.session import Door
from tests.attacks.proven import assert_proven
from tests.attacks.recorded import COURSE, Recorded
from tests.desk import Lobby, MemoryGames, Room, Seated
from tests.memory_store import MemoryStore
from tests.tables import identity_of


class Cheat:
    """A seat that plays by its script."""

    def __init__(self, hall: Hall, seat: int) -> None:
        game = hall.game
        self.hall = hall
        self.seat = Seat(seat)
        self.seed = game.seed(seat)
        self.key = game_key(self.seed)
        self.x = real_suite.secret_from(derive(self.seed, "deck", game.genesis.game_id, 64))
        self.proof_key = derive(self.seed, "proof", game.genesis.game_id, 64)
        self.own = OwnSeat(hall.course, game.genesis.game_id, self.seat, self.seed)
        self.log: Log[CourseState] = Log(hall.course, game.genesis)
        for record in game.before(hall.first):
            self.log.receive(record)
        self.node = Node(
            identity=identity_of(seat),
            door=Door(open=True),
            random=random.Random(f"cheat {seat}").randbytes,
            lobby=hall.new_lobby(seat),
        )
        self.pump = Pump(self.node)
        self.node.attach(self.log, hall.now)
        self.closed: list[Why] = []
        self.heard: list[Message] = []
        self.peer = self  # a room hands events to `seated.peer.take`
        self._listen()

    # what it knows

    @property
    def state(self) -> CourseState:
        return self.log.state

    @property
    def deck_key(self) -> Point:
        return key_point(real_suite.public_key(self.x))

    def context(self, *, height: int | None = None, seat: int | None = None, game: bytes = b"") -> Context:
        """Of a proof made now, or of another height, seat or game."""
        state = self.state
        return Context(
            game or state.setup.game_id,
            state.height if height is None else height,
            self.seat if seat is None else seat,
        )

    def owed(self) -> tuple[Kind, Payload]:
        """What an honest peer would sign now; of what it may do, rather something with a hidden card."""
        said = self.own.owed(self.state)
        if said is not None:
            return said
        legal = [action for action in self.own.legal(self.state) if action != RESIGN]
        ways = [self.own.write(self.state, action) for action in legal]
        return next((way for way in ways if way[1] and way[1][-1] is not None), ways[0])

    # what it does

    def body(self, kind: Kind, payload: Payload, **changes: Any) -> Body:
        """A body for a height begun (default: the newest), fields changed at will."""
        level = self.log.level(changes.get("height", self.log.height))
        body = Body(
            VERSION, self.log.game_id, level.height, self.seat, level.prev, level.state, kind, payload
        )
        return replace(body, **changes)

    def sign_bytes(self, data: bytes) -> bytes:
        """A record over any bytes in the place of a body."""
        return RECORD_HEAD + _head(len(data)) + data + b"\x58\x40" + self.key.sign(signed_bytes(data))

    def sign(self, kind: Kind, payload: Payload, *, key: SigningKey | None = None, **changes: Any) -> bytes:
        return sign_entry(key or self.key, self.body(kind, payload, **changes))

    def say(self, kind: Kind, payload: Payload, *, to: Iterable[int] | None = None, **changes: Any) -> bytes:
        """Sign and send; the record."""
        record = self.sign(kind, payload, **changes)
        self.send(record, to=to)
        return record

    def send(self, *records: bytes, to: Iterable[int] | None = None, game: bytes = b"") -> None:
        """Bring records to these seats, or to all it has a link to, and let everybody hear everything."""
        seats = range(len(self.hall.seated)) if to is None else to
        for seat in seats:
            if seat != self.seat:
                for record in records:
                    message = Entries(game or self.log.game_id, (record,), more=False)
                    self.node._send(identity_of(seat).public, message)
        self.hall.settle()

    def keep(self, record: bytes) -> None:
        """Go on from this record of its own."""
        self.log.receive(record)

    def go_on(self) -> None:
        """Say the honest thing now."""
        self.keep(self.say(*self.owed()))

    def silent(self) -> None:
        """Pass on nothing any more: an honest node would show each peer what the other holds."""
        self.node.detach(self.log.game_id)

    def take(self, event: object) -> None:
        if isinstance(event, EntryArrived):
            self.log.receive(event.record)
        elif isinstance(event, LinkClosed):
            self.closed.append(event.why)

    def _listen(self) -> None:
        """Keep everything that arrives, whether the node looks at it or not."""
        inside = self.node._message

        def listen(link: Any, talk: Any, message: Message, now: float) -> None:
            self.heard.append(message)
            inside(link, talk, message, now)

        self.node._message = listen  # type: ignore[method-assign]


class Hall(Room):
    """The table of a recorded game at a height: all earlier ones are in every log, this one has begun.

    `linked=False`: nobody is linked yet; `join` links two seats.
    """

    of_this_test: ClassVar[list[Hall]] = []
    """All that a test has set up: how each must end is asserted after it, whatever the test looks at."""

    def __init__(
        self, game: Recorded, height: int, *, cheats: tuple[int, ...] = (1,), linked: bool = True
    ) -> None:
        Hall.of_this_test.append(self)
        self.game = game
        self.first = height
        self.options = game.options
        self.label = game.label
        self.course = COURSE
        self.now = 0.0
        self.starts = 0
        self.loopback = Loopback()
        self.ends: dict[tuple[int, int], LoopbackEnd] = {}
        self.outcomes: dict[int, list[Outcome]] = {}
        self.cheats: dict[int, Cheat] = {}
        self.honest: dict[int, Seated] = {}
        self.seated: list[Any] = []
        for seat in range(game.options.seats):
            if seat in cheats:
                self.cheats[seat] = Cheat(self, seat)
                self.seated.append(self.cheats[seat])
            else:
                self.honest[seat] = self._honest(seat)
                self.seated.append(self.honest[seat])
        if linked:
            for near in range(game.options.seats):
                for far in range(near):
                    self.join(near, far)
            self.settle()

    def _honest(self, seat: int) -> Seated:
        store = MemoryStore(self.game.genesis, self.game.seed(seat))
        for record in self.game.before(self.first):
            if read_record(record).seat == seat:
                store.append(record)
            else:
                store.append_received(record)
        seated = Seated(self, seat, self.new_lobby(seat), MemoryGames())
        seated.peer.resume(store)
        game = seated.peer.game
        assert game is not None
        seen = self.outcomes[seat] = []
        judge = game.receive

        def receive(record: bytes) -> Outcome:
            outcome = judge(record)
            seen.append(outcome)
            return outcome

        game.receive = receive  # type: ignore[method-assign]
        return seated

    def new_lobby(self, number: int) -> Lobby:
        own = identity_of(number).public
        if number:
            return GuestLobby(own, RULES_ID, playing=self.game.genesis.game_id)
        return HostLobby.resumed(own, self.game.genesis)

    def join(self, near: int, far: int) -> None:
        end, _ = self.loopback.join(self.seated[near].pump, self.seated[far].pump, self.now, is_host=far == 0)
        self.ends[near, far] = end

    def cut(self, near: int, far: int) -> None:
        self.loopback.cut(self.ends.pop((near, far)), self.now)
        self.settle()

    # what it is asked

    @property
    def cheat(self) -> Cheat:
        """The only one."""
        (cheat,) = self.cheats.values()
        return cheat

    def log(self, seat: int) -> Log[CourseState]:
        game = self.honest[seat].peer.game
        assert game is not None
        return game.log

    def secret(self, seat: int) -> int:
        """The deck secret of any seat, which no other seat knows: for tests to compare with."""
        return real_suite.secret_from(derive(self.game.seed(seat), "deck", self.game.genesis.game_id, 64))

    def card_at(self, place: int) -> int:
        """What really lies at a place of the final deck."""
        secrets = [self.secret(seat) for seat in range(self.options.seats)]
        return real_suite.open_deck(self.game.states[-1].the_deck, secrets)[place]

    def signed(self, seat: int) -> list[Entry]:
        """All that an honest seat has ever signed."""
        game = self.honest[seat].peer.game
        assert game is not None
        assert isinstance(game.store, MemoryStore)
        return [read_record(record) for record in game.store.own]

    def choices(self, seat: int) -> list[Action]:
        return [action for action in self.honest[seat].peer.view().legal if action != RESIGN]

    def act(self, seat: int, action: Action | None = None) -> None:
        """An honest seat decides: this, or the first thing it may do."""
        asyncio.run(self.honest[seat].peer.act(action or self.choices(seat)[0]))
        self.settle()

    def brought(self, seat: int, by: PublicKey) -> int:
        """How many forgeries an honest seat has charged to its link with this peer."""
        return sum(
            talk._false_signatures for talk in self.honest[seat].node._talks.values() if talk.identity == by
        )

    # what must be true

    def nobody_honest_is_named(self) -> None:
        for seat, seated in self.honest.items():
            log = self.log(seat)
            assert {fault.seat for fault in log.faults} <= set(self.cheats), (
                f"seat {seat} names an honest one"
            )
            assert log.stopped == ""
            assert seated.peer.trouble is None
            assert seated.peer.game is not None
            assert seated.peer.game.trouble == ""
        innocent = {seated.node.identity for seated in self.honest.values()}
        assert not any(innocent & seated.node._doorkeeper.bans.identities for seated in self.honest.values())

    def halted(self, code: str, *, rule: str = "", by: int | None = None, stands: bool = False) -> None:
        """Every honest seat holds the same case against the cheat, proven offline, and signs nothing more.

        `stands`: the result was signed by all before, so the fault is only a case (R32).
        """
        self.nobody_honest_is_named()
        cheat = next(iter(self.cheats)) if by is None else by
        before = {seat: len(self.signed(seat)) for seat in self.honest}
        cases = set()
        for seat in self.honest:
            log = self.log(seat)
            fault = log.fault
            assert fault is not None, f"seat {seat} has seen nothing: {self.outcomes[seat][-3:]}"
            assert (fault.seat, fault.code, fault.rule) == (cheat, code, rule)
            assert log.status is (Status.FINISHED if stands else Status.HALTED)
            assert log.dues == ()
            cases.add(fault.case_id(log.game_id))
            assert_proven(log, fault)
        assert len(cases) == 1
        self.pass_time(1)
        assert {seat: len(self.signed(seat)) for seat in self.honest} == before
        self.secrets_stay()

    def dropped(self, code: str, *, by: int | None = None, times: int = 1) -> None:
        """The last thing every honest seat heard was noise; the link paid for it and the game knows nothing.

        `times`: how often the link was charged since the table was set up.
        """
        self.nobody_honest_is_named()
        cheat = self.cheats[next(iter(self.cheats)) if by is None else by]
        for seat in self.honest:
            last = self.outcomes[seat][-1]
            assert isinstance(last, Dropped), last
            assert last.code == code
            assert self.log(seat).faults == ()
            assert self.log(seat).status is Status.OPEN
            charged = 0 if code in NO_BLAME else times
            assert self.brought(seat, cheat.node.identity) == charged
        self.secrets_stay()

    def goes_on(self) -> None:
        """The cheat says the honest thing and every honest seat takes it."""
        self.nobody_honest_is_named()
        before = {seat: self.log(seat).height for seat in self.honest}
        for cheat in self.cheats.values():
            if cheat.seat in cheat.log.waiting_for:
                cheat.go_on()
        for seat, height in before.items():
            assert self.log(seat).height > height
            assert self.log(seat).faults == ()
        self.secrets_stay()

    def waits_for(self, *seats: int) -> None:
        """Nobody is blamed and everybody sees for whom the newest height waits."""
        self.nobody_honest_is_named()
        for seat in self.honest:
            assert self.log(seat).faults == ()
            assert self.log(seat).waiting_for == seats
        self.secrets_stay()

    def secrets_stay(self) -> None:
        """Nothing of an honest seat's secrets is in what it signed or in what any cheat has heard."""
        heard = b"".join(encode_message(message) for cheat in self.cheats.values() for message in cheat.heard)
        for seat in self.honest:
            seed, x = self.game.seed(seat), self.secret(seat)
            said = heard + b"".join(
                entry.record for entry in self.signed(seat) if entry.kind != kinds.SECRETS
            )
            assert seed not in said
            assert derive(seed, "sign", b"", 32) not in said
            assert derive(seed, "proof", self.game.genesis.game_id, 64)[:32] not in said
            if self.log(seat).state.stage is not Stage.OVER:
                assert x.to_bytes(32, "little") not in said or self._published(seat)
            for place in self._closed(seat):
                token = bytes(x * self.log(seat).state.the_deck.ciphertexts[place].A)
                assert token not in said, f"seat {seat} gave away its token of place {place}"

    def _published(self, seat: int) -> bool:
        return any(entry.kind == kinds.SECRETS for entry in self.signed(seat))

    def _closed(self, seat: int) -> list[int]:
        """The places of this seat whose faces only it may know."""
        state = self.log(seat).state
        if state.deck is None or state.stage < Stage.ACK or state.shuffled < state.setup.seats:
            return []
        if state.position is None:
            return [place for place in state.setup.dealt(Seat(seat)) if place != state.setup.trump_place]
        opened = {
            place
            for entry in self.signed(seat)
            if entry.kind in range(kinds.LEAD, kinds.RESULT) or entry.kind == kinds.OPEN
            for place in _opened(entry)
        }
        return [
            place
            for place in rules.hand_places(state.position, Seat(seat))
            if rules.face(state.position, place) is None and place not in opened
        ]


def _opened(entry: Entry) -> list[int]:
    """The places an entry opens."""
    if entry.kind == kinds.OPEN:
        return [payloads.read_open(entry.payload).place]
    action, opening = payloads.read_action(entry.kind, entry.payload)
    return [] if opening is None else [place for place, _ in rules.cards_laid(action)]
