"""Games of suite 1 in which somebody did what is forbidden, one of each kind: what people bring to a referee.

Olya, Max and Zoë sit at seats 0, 1 and 2. Every game is signed with the real keys of its seats.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from cli.engine import course as product_course
from game import kinds, rules
from game.actions import RESIGN, Beat, Lead
from game.options import Options
from game.position import pairs
from game.seat import OwnSeat
from game.state import CourseState, Stage
from ledger.abort import abort_payload
from ledger.engine import Kind, Payload, Seat
from ledger.entry import VERSION, Body, sign_entry
from ledger.identity import game_key
from ledger.log import Log
from tests.tables import chooser, genesis_of, seed_of

NAMES = ("Olya", "Max", "Zoë")
LABEL = "dispute"


class Sitting:
    """A game in the making: `play` goes on honestly, `say` signs whatever it is told."""

    def __init__(self, *, dice: int = 1, **chosen: object) -> None:
        self.options = Options(**{"seats": 3, "deck": 24, **chosen})  # type: ignore[arg-type]
        genesis = genesis_of(self.options, suite=1, label=LABEL)
        named = tuple(replace(seat, name=name) for seat, name in zip(genesis.seats, NAMES, strict=False))
        self.genesis = replace(genesis, seats=named)
        self.log: Log[CourseState] = Log(product_course(), self.genesis)
        self._seeds = [seed_of(f"{LABEL} {seat}") for seat in range(self.options.seats)]
        self.own = [
            OwnSeat(product_course(), self.genesis.game_id, Seat(seat), seed)
            for seat, seed in enumerate(self._seeds)
        ]
        self._decide = chooser(dice)

    @property
    def state(self) -> CourseState:
        return self.log.state

    def play(self, until: Callable[[Log[CourseState]], bool]) -> Sitting:
        """Go on honestly until `until` holds, looked at before every height, or to the end."""
        while self.log.dues and not until(self.log):
            self.one_height()
        return self

    def one_height(self) -> None:
        for due in self.log.dues:
            own = self.own[due.seat]
            said = own.owed(self.state)
            if said is None:
                legal = own.legal(self.state)
                fair = tuple(action for action in legal if action != RESIGN)
                said = own.write(self.state, self._decide(self.state, own, fair))
            assert self.log.receive(self.sign(due.seat, *said)).kept

    def sign(self, seat: int, kind: Kind, payload: Payload, **changes: object) -> bytes:
        """A record for a height begun (default: the newest), fields of its body changed at will."""
        level = self.log.level(changes.get("height", self.log.height))  # type: ignore[arg-type]
        body = Body(
            VERSION, self.log.game_id, level.height, Seat(seat), level.prev, level.state, kind, payload
        )
        return sign_entry(game_key(self._seeds[seat]), replace(body, **changes))  # type: ignore[arg-type]

    def say(self, seat: int, kind: Kind, payload: Payload, **changes: object) -> Sitting:
        self.log.receive(self.sign(seat, kind, payload, **changes))
        return self

    @property
    def asked(self) -> Seat:
        """Who has the word."""
        return self.log.waiting_for[0]


def leading(log: Log[CourseState]) -> bool:
    """Somebody is to lead."""
    return log.state.stage is Stage.PLAY and kinds.LEAD in log.dues[0].kinds


def beating(log: Log[CourseState]) -> bool:
    """Somebody is to beat a card."""
    return log.state.stage is Stage.PLAY and kinds.BEAT in log.dues[0].kinds


def at(stage: Stage) -> Callable[[Log[CourseState]], bool]:
    """The table is at this stage."""
    return lambda log: log.state.stage is stage


def finished() -> Sitting:
    """Nobody did anything wrong."""
    return Sitting().play(lambda log: False)


def unfinished() -> Sitting:
    """The file ends in the middle of a bout."""
    return Sitting().play(beating)


def fork() -> Sitting:
    """Who is to lead leads, and resigns instead."""
    sitting = Sitting().play(leading)
    seat = sitting.asked
    second = sitting.sign(seat, kinds.RESIGN, ())
    sitting.one_height()
    sitting.log.receive(second)
    return sitting


def late_fork() -> Sitting:
    """The same, shown fifty heights later."""
    sitting = Sitting(deck=36).play(leading)
    seat, height = sitting.asked, sitting.log.height
    second = sitting.sign(seat, kinds.RESIGN, ())
    sitting.play(lambda log: log.height >= height + 50)
    sitting.log.receive(second)
    return sitting


def forbidden_move() -> Sitting:
    """The defender beats with a card that does not."""
    sitting = Sitting().play(beating)
    for _ in range(200):
        seat, state = sitting.asked, sitting.state
        attack = next(laid.card for laid, beaten in pairs(state.the_position) if beaten is None)
        for place, card in sitting.own[seat].hand(state).items():
            action = Beat(attack, place, card)
            if action not in sitting.own[seat].legal(state):
                return sitting.say(seat, *sitting.own[seat].write(state, action))
        sitting.one_height()
        sitting.play(beating)
    raise AssertionError("every card always beats")


def wrong_state() -> Sitting:
    """Somebody's device has another table than all others."""
    sitting = Sitting().play(beating)
    return sitting.say(sitting.asked, kinds.TAKE, (), state=bytes(16))


def wrong_turn() -> Sitting:
    """Somebody takes who was not asked."""
    sitting = Sitting().play(beating)
    return sitting.say((sitting.asked + 1) % 3, kinds.TAKE, ())


def wrong_shape() -> Sitting:
    """A pass with something in it."""
    sitting = Sitting().play(beating)
    return sitting.say(sitting.asked, kinds.TAKE, (1,))


def bad_shuffle() -> Sitting:
    """A shuffle whose proof does not hold."""
    sitting = Sitting().play(at(Stage.SHUFFLE))
    deck, proof = sitting.own[0].owed(sitting.state)[1]  # type: ignore[index]
    assert isinstance(proof, bytes)
    return sitting.say(0, kinds.SHUFFLE, (deck, proof[:-1] + bytes([proof[-1] ^ 1])))


def bad_card() -> Sitting:
    """A card laid that does not lie at its place: two of the own hand, one under the name of the other."""
    sitting = Sitting().play(leading)
    seat, state = sitting.asked, sitting.state
    mine = sitting.own[seat].hand(state)
    hidden = [place for place in mine if rules.face(state.the_position, place) is None]
    lead = Lead((hidden[0],), (mine[hidden[1]],))
    return sitting.say(seat, *sitting.own[seat].write(state, lead))


def false_result() -> Sitting:
    """Somebody signs that another is the durak."""
    sitting = Sitting().play(at(Stage.RESULT))
    outcome, duraks, order, pogony = sitting.own[0].owed(sitting.state)[1]  # type: ignore[index]
    other = (1,) if duraks != (1,) else (2,)
    return sitting.say(0, kinds.RESULT, (outcome, other, order, pogony))


def play_after_resign() -> Sitting:
    """Who has resigned leads all the same."""
    sitting = Sitting().play(leading)
    seat, state = sitting.asked, sitting.state
    action = next(action for action in sitting.own[seat].legal(state) if isinstance(action, Lead))
    lead = sitting.own[seat].write(state, action)
    sitting.say(seat, kinds.RESIGN, ())
    return sitting.say(seat, *lead)


def early_abort() -> Sitting:
    """Somebody ends a game without a seat nobody waits for."""
    sitting = Sitting().play(beating)
    seat = sitting.asked
    return sitting.say((seat + 1) % 3, *abort_payload(((seat + 2) % 3,)))  # type: ignore[arg-type]


def aborted(absent: str = "void") -> Sitting:
    """The others end the game without who stays away."""
    sitting = Sitting(absent=absent).play(beating)
    away = sitting.asked
    for seat in range(3):
        if seat != away:
            sitting.say(seat, *abort_payload((away,)))  # type: ignore[arg-type]
    return sitting


def resigned() -> Sitting:
    """An honest end by RESIGN."""
    sitting = Sitting().play(beating)
    return sitting.say(sitting.asked, kinds.RESIGN, ()).play(lambda log: False)


def fork_after_result() -> Sitting:
    """A second body of long ago, shown when all have signed the result: only a case."""
    sitting = Sitting().play(beating)
    second = sitting.sign(sitting.asked, kinds.RESIGN, ())
    sitting.play(lambda log: False)
    sitting.log.receive(second)
    return sitting


OFFENCES: dict[str, tuple[Callable[[], Sitting], str]] = {
    "fork": (fork, "F_FORK"),
    "late fork": (late_fork, "F_FORK"),
    "fork after result": (fork_after_result, "F_FORK"),
    "forbidden move": (forbidden_move, "I_RULE"),
    "wrong state": (wrong_state, "I_STATE"),
    "wrong turn": (wrong_turn, "I_TURN"),
    "wrong shape": (wrong_shape, "I_SHAPE"),
    "bad shuffle": (bad_shuffle, "I_PROOF"),
    "bad card": (bad_card, "I_PROOF"),
    "false result": (false_result, "I_RULE"),
    "play after resign": (play_after_resign, "I_TURN"),
    "early abort": (early_abort, "I_RULE"),
}
"""Every offence that can be proven, and the code it is proven by."""

HONEST: dict[str, Callable[[], Sitting]] = {
    "finished": finished,
    "unfinished": unfinished,
    "aborted": aborted,
    "aborted durak": lambda: aborted("durak"),
    "resigned": resigned,
}


@cache
def dispute(name: str) -> Sitting:
    """One of `OFFENCES` or `HONEST`. The same in every test; not to be changed."""
    return OFFENCES[name][0]() if name in OFFENCES else HONEST[name]()
