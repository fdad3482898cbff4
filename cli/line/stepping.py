"""The talk of `durak replay`: on by one step, back, to a bout, the whole table, by itself. Pure.

The set-up and the end are one step each; a bout goes play by play.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cli.line.replay import Moment, Told
    from cli.texts import Texts


class Stepping:
    """`left`: the person wants no more. `playing`: it goes on by itself, until somebody types or it ends."""

    def __init__(self, story: tuple[Moment, ...], texts: Texts, *, playing: bool = False) -> None:
        self._story = story
        self._texts = texts
        self._steps = [
            (number, play)
            for number, moment in enumerate(story)
            for play in range(self._plays(number, moment))
        ]
        self._at = 0
        self.left = False
        self.playing = playing and len(self._steps) > 1

    def current(self) -> tuple[str, ...]:
        """The step to look at; where a stretch begins or all ends, what may be typed too."""
        if self.playing or (self._steps[self._at][1] and not self._last):
            return self._shown()
        hint = "replay.hint.last" if self._last else "replay.hint"
        return (*self._shown(), self._texts.say(hint))

    def on(self) -> tuple[str, ...]:
        """The next step of what plays by itself; with the last one it stops."""
        self._at = min(self._at + 1, len(self._steps) - 1)
        self.playing = self.playing and not self._last
        return self.current()

    def typed(self, line: str) -> tuple[str, ...]:
        """What to show for a line. Anything stops what plays by itself; an empty line does no more."""
        spoken = " ".join(line.split()).casefold()
        played, self.playing = self.playing, False
        if self._texts.means("quit", spoken) or (not spoken and self._last):
            self.left = True
            return ()
        if not spoken and played:
            return (self._texts.say("replay.hint"),)
        if not spoken or self._texts.means("next", spoken):
            return self._go(self._at + 1)
        if self._texts.means("back", spoken):
            return self._go(self._at - 1)
        if spoken.isascii() and spoken.isdigit():
            return self._jump(spoken)
        if self._texts.means("all", spoken):
            self.left = True
            return self._rest()
        if self._texts.means("table", spoken):
            return self._told.table if self._told.table else (self._texts.say("replay.no-table"),)
        if self._texts.means("auto", spoken):
            self.playing = not self._last
            return self.on() if self.playing else self.current()
        return (self._texts.say("replay.not-understood"),)

    @property
    def _last(self) -> bool:
        return self._at == len(self._steps) - 1

    @property
    def _told(self) -> Told:
        """The newest thing shown."""
        number, play = self._steps[self._at]
        moment = self._story[number]
        return moment.told[-1 if self._whole(number) else play]

    def _whole(self, number: int) -> bool:
        """A stretch shown at once: all but the bouts."""
        return not self._story[number].table

    def _plays(self, number: int, moment: Moment) -> int:
        return 1 if self._whole(number) else max(1, len(moment.told))

    def _shown(self) -> tuple[str, ...]:
        number, play = self._steps[self._at]
        moment = self._story[number]
        if self._whole(number):
            return moment.lines
        told = moment.told[play]
        head = (moment.title, *moment.table) if play == 0 else ()
        return (*head, *told.lines, *told.lying)

    def _rest(self) -> tuple[str, ...]:
        number, play = self._steps[self._at]
        here = () if self._whole(number) else self._story[number].told[play + 1 :]
        lines = [line for told in here for line in told.lines]
        return (*lines, *(line for moment in self._story[number + 1 :] for line in moment.lines))

    def _jump(self, digits: str) -> tuple[str, ...]:
        wanted = int(digits) if len(digits) < 6 else len(self._story)
        places = [at for at, (number, play) in enumerate(self._steps) if (number, play) == (wanted, 0)]
        return self._go(places[0] if places else -1)

    def _go(self, step: int) -> tuple[str, ...]:
        if not 0 <= step < len(self._steps):
            bouts = sum(not self._whole(number) for number in range(len(self._story)))
            return (self._texts.count("replay.nowhere", bouts),)
        self._at = step
        return self.current()
