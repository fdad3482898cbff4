"""Which golden games there are: the options of each, how its seats play, what must happen in it.

Names sort by seats, then deck. Labels fix seeds and dice; some were searched for, until the thing they are
here for happened (`shows`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from game.options import PRESETS, Options
from tests.tables import options_of

Style: TypeAlias = Literal["lively", "brisk", "takes", "hoards"]


@dataclass(frozen=True)
class Golden:
    """One game. `label` gives seeds, nonces and dice; seats that do not decide are derived.

    `after` names the golden game that was played before this one at the same table. `resign` is (seat,
    which of its decisions); `leaves` (seats, from which height of play on they sign nothing): the others then
    abort where R30 lets them. `shows` lists event names (with a value where it counts) that must occur.
    """

    name: str
    options: Options
    label: str = ""
    style: Style = "brisk"
    after: str = ""
    resign: tuple[int, int] | None = None
    leaves: tuple[tuple[int, ...], int] | None = None
    spoilt: Literal["", "equal-keys", "fork", "bad-proof"] = ""
    shows: tuple[str, ...] = ()

    @property
    def the_label(self) -> str:
        return self.label or f"golden {self.name}"


def _club(**chosen: object) -> Options:
    return options_of(first_limit=0, next_first="lowest-trump", series=True, **chosen)


GOLDEN: Final[tuple[Golden, ...]] = (
    # two seats
    Golden("2x24-throw-in", options_of(deck=24), style="lively"),
    Golden("2x36-local", PRESETS["local"]),
    Golden("2x52-throw-in", options_of(deck=52), style="lively"),
    Golden(
        "2x24-transfer",
        options_of(deck=24, variant="transfer"),
        label="golden 2x24-transfer 1",
        style="lively",
        shows=("Transferred",),
    ),
    Golden(
        "2x36-show",
        options_of(variant="transfer", show_transfer=True),
        label="golden 2x36-show 3",
        style="lively",
        shows=("Transferred", "Shown"),
    ),
    Golden("2x36-several-leads", options_of(lead="several"), style="lively", shows=("Led several",)),
    Golden(
        "2x36-no-giving",
        options_of(throw_after_take=False, first_limit=0),
        style="lively",
        shows=("TakeDeclared",),
    ),
    Golden("2x24-draw", options_of(deck=24), label="golden 2x24-draw 2", shows=("draw",)),
    Golden(
        "2x24-pogony", options_of(deck=24), label="golden 2x24-pogony 8", style="hoards", shows=("pogony",)
    ),
    Golden("2x24-lot", options_of(deck=24), label="golden 2x24-lot 11", shows=("LeaderFixed lot",)),
    Golden("2x24-upheld", options_of(deck=24, cheating=True), style="lively", shows=("Accused upheld",)),
    Golden(
        "2x24-false",
        options_of(deck=24, cheating=True),
        label="golden 2x24-false 3",
        style="lively",
        shows=("Accused false",),
    ),
    Golden("2x24-resign-lead", options_of(deck=24), resign=(0, 3), shows=("Resigned",)),
    Golden("2x24-resign-beat", options_of(deck=24, open_after=False), resign=(1, 1), shows=("Resigned",)),
    Golden("2x36-left", PRESETS["local"], leaves=((1,), 30)),
    Golden("2x24-series-1", options_of(deck=24, next_first="winner", series=True)),
    Golden(
        "2x24-series-2",
        options_of(deck=24, next_first="winner", series=True),
        after="2x24-series-1",
        shows=("LeaderFixed previous",),
    ),
    Golden(
        "2x24-series-3",
        options_of(deck=24, next_first="winner", series=True),
        after="2x24-series-2",
        shows=("LeaderFixed previous",),
    ),
    Golden("2x36-browser", PRESETS["browser"]),
    # three seats
    Golden("3x24-throw-in", options_of(seats=3, deck=24), style="lively"),
    Golden("3x36-show", options_of(seats=3, variant="transfer", show_transfer=True), style="lively"),
    Golden("3x24-several-leads", options_of(seats=3, deck=24, lead="several"), style="lively"),
    Golden("3x36-neighbours", options_of(seats=3, throwers="neighbours")),
    Golden(
        "3x24-cheating",
        options_of(seats=3, deck=24, cheating=True),
        label="golden 3x24-cheating 2",
        style="lively",
        shows=("Accused upheld", "Accused false", "RolledBack"),
    ),
    Golden("3x24-repetition", options_of(seats=3, deck=24), style="takes", shows=("repetition",)),
    Golden("3x36-abort-void", options_of(seats=3), leaves=((1,), 12), shows=("Aborted void",)),
    Golden(
        "3x24-abort-durak",
        options_of(seats=3, deck=24, absent="durak"),
        leaves=((2,), 9),
        shows=("Aborted durak",),
    ),
    Golden("3x36-club-1", _club(seats=3)),
    Golden("3x36-club-2", _club(seats=3), after="3x36-club-1", shows=("LeaderFixed lowest-trump",)),
    Golden("3x24-closed", options_of(seats=3, deck=24, open_after=False)),
    Golden("3x52-transfer", options_of(seats=3, deck=52, variant="transfer"), style="lively"),
    # four seats
    Golden("4x24-no-talon", options_of(seats=4, deck=24), style="lively"),
    Golden("4x24-no-talon-transfer", options_of(seats=4, deck=24, variant="transfer"), style="lively"),
    Golden("4x36-neighbours", options_of(seats=4, throwers="neighbours", first_limit=0)),
    Golden("4x24-next-1", options_of(seats=4, deck=24)),
    Golden(
        "4x24-next-2",
        options_of(seats=4, deck=24),
        after="4x24-next-1",
        shows=("LeaderFixed previous",),
    ),
    Golden("4x36-2v2", options_of(seats=4, teams="2v2")),
    Golden("4x24-2v2-1", options_of(seats=4, deck=24, teams="2v2", series=True)),
    Golden(
        "4x24-2v2-2",
        options_of(seats=4, deck=24, teams="2v2", series=True),
        after="4x24-2v2-1",
        shows=("LeaderFixed previous",),
    ),
    Golden(
        "4x24-2v2-cheating",
        options_of(seats=4, deck=24, teams="2v2", cheating=True),
        style="lively",
        shows=("Accused upheld",),
    ),
    Golden("4x24-2v2-resign", options_of(seats=4, deck=24, teams="2v2"), resign=(2, 2), shows=("Resigned",)),
    Golden(
        "4x36-cheating-show",
        options_of(seats=4, variant="transfer", show_transfer=True, cheating=True),
        style="lively",
        shows=("Accused upheld", "Transferred"),
    ),
    # five seats
    Golden("5x36-transfer", options_of(seats=5, variant="transfer")),
    Golden("5x36-repetition", options_of(seats=5), style="takes", shows=("repetition",)),
    Golden("5x36-cheating", options_of(seats=5, cheating=True), style="lively", shows=("Accused upheld",)),
    Golden("5x52-no-giving", options_of(seats=5, deck=52, throw_after_take=False, first_limit=0)),
    # six seats
    Golden("6x36-no-talon", options_of(seats=6)),
    Golden("6x36-no-talon-show", options_of(seats=6, variant="transfer", show_transfer=True), style="lively"),
    Golden("6x36-3v3", options_of(seats=6, teams="3v3")),
    Golden("6x36-2v2v2", options_of(seats=6, teams="2v2v2")),
    Golden("6x52-throw-in", options_of(seats=6, deck=52)),
    Golden("6x52-abort-two", options_of(seats=6, deck=52), leaves=((1, 4), 1), shows=("Aborted void",)),
    # what is no good game
    Golden("void-equal-keys", options_of(seats=3, deck=24), spoilt="equal-keys", shows=("DealVoid",)),
    Golden("proven-fork", options_of(deck=24), spoilt="fork"),
    Golden("proven-bad-proof", options_of(deck=24), spoilt="bad-proof"),
)
