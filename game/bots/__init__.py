"""Opponents that see what their seat may know and ask the rules for what is legal (R33, R34).

    player = bot("hard", secrets.randbits)             one of LEVELS; the dice are the caller's
    memory = remember(memory, before, met)              after each height of play; START before the first
    action = player.decide(Turn(position, seat, hand, legal, memory), stop)

`stop` is asked again and again while a bot thinks; once it says True the bot answers with the best it has.
"""

from game.bots.bot import Bot, Dice, Stop, Turn, never
from game.bots.levels import LEVELS, Level, bot
from game.bots.memory import START, Memory, remember

__all__ = ["LEVELS", "START", "Bot", "Dice", "Level", "Memory", "Stop", "Turn", "bot", "never", "remember"]
