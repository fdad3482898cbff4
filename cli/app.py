"""What every command needs: data folder, language, a way to write cards and a way to say things."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cli.home import Home, Settings
from cli.texts import CardStyle, Texts, choose_language, harmless, load
from cli.texts.cards import can_show_signs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cli.texts import HarmlessName


@dataclass(frozen=True, slots=True)
class App:
    """One run of the program. `settings` as saved when it started."""

    home: Home
    settings: Settings
    texts: Texts
    style: CardStyle

    @classmethod
    def of(cls, environment: Mapping[str, str], *, language: str = "") -> App:
        """The program for this environment. Raises CommandError if the settings are damaged."""
        home = Home.of(environment)
        settings = home.settings()
        texts = load(choose_language(language or settings.language, environment))
        terminal = environment.get("TERM", "windows" if os.name == "nt" else None)
        signs = settings.cards == "signs" or (
            settings.cards != "letters"
            and sys.stdout.isatty()
            and can_show_signs(sys.stdout.encoding, terminal)
        )
        return cls(home, settings, texts, CardStyle(texts, signs))

    @classmethod
    def plain(cls, environment: Mapping[str, str]) -> App:
        """The program before it knows anybody's settings, to say why it cannot read them."""
        texts = load(choose_language("", environment))
        return cls(Home.of(environment), Settings(), texts, CardStyle(texts, signs=False))

    def tell(self, message: str, /, **parameters: object) -> None:
        """Print one sentence."""
        self.show([self.texts.say(message, **parameters)])

    def show(self, lines: Iterable[str]) -> None:
        """Print lines at once, so that whoever reads a pipe sees them."""
        for line in lines:
            print(line)
        sys.stdout.flush()

    def leaves(self, typed: str) -> bool:
        """Whether this is a word that leaves, as at every prompt; not its letter, which may be a name."""
        words = ("quit", *self.texts.say("word.quit").split())
        return typed.strip().casefold() in {word for word in words if len(word) > 1}

    def named(self, name: str, *, bot: bool = False) -> HarmlessName:
        """A name from anywhere, fit to be shown; `bot`: it is known to be one's."""
        return harmless(name, otherwise=self.texts.say("seat.nameless"), bot=bot)
