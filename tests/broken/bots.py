"""Broken Python players: good except for one vice, at the moment that the environment names (`JANTAKU_AT`).

Each vice has a class here: `tests.broken.bots:ThinksTooLong`. Four of them are vices of programs as well.
"""

import os
import sys
import time
from typing import Any

from jantaku.table.riichi.actions import DISCARDS, Kan
from jantaku.table.riichi.pieces.melds import ankan
from tests.broken.catalogue import FINE, GONE, ILLEGAL, SHORT, Due, DueAction, beside, vice


@vice(bot=GONE)
def raises(due: DueAction) -> Any:
    """Raises an exception."""
    raise ValueError("I cannot go on")


@vice(bot=GONE)
def quits(due: DueAction) -> Any:
    """Calls sys.exit."""
    sys.exit("goodbye")


@beside(bot=FINE, talker=FINE)
def thinks(due: Due) -> None:
    """Pauses, but answers in time."""
    time.sleep(SHORT)


@beside(bot=("silent",) * 4, talker=("silent", "silent", "silent", "ok"))
def thinks_too_long(due: Due) -> None:
    """Answers too late."""
    time.sleep(due.too_long)


@beside(bot=("silent",) * 4)
def hangs(due: DueAction) -> None:
    """Does not return unless it is released."""
    due.let_go.wait()


@vice(bot=("malformed", "malformed"))
def answers_nothing(due: DueAction) -> Any:
    """Answers None."""
    return None


@vice(bot=("malformed", "malformed"))
def answers_nonsense(due: DueAction) -> Any:
    """Answers with an object that is not an action of any game."""
    return ("m1", 5)


@vice(bot=("illegal", "illegal"), talker=ILLEGAL)
def cheats(due: Due) -> Any:
    """Answers with an illegal action: a kan of tiles that no seat can hold."""
    return due.with_action(Kan(ankan(0, 0, 0, 0)))


@vice(bot=("illegal", "illegal"), talker=ILLEGAL)
def discards_what_others_hold(due: Due) -> Any:
    """Answers with an action that would be legal for another seat."""
    return due.with_action(next(discard for discard in DISCARDS if discard not in due.options))


@vice(bot=GONE)
def vanishes(due: DueAction) -> Any:
    """Ends its process; for a player in its own process: elsewhere it would end the table."""
    os._exit(7)
