"""The decisions of a player that cost most, found by a bot that reviews them and by playouts.

A difference is played out in a few worlds first. Of many differences the largest is partly luck: those that seem to
cost most are played out again, in other worlds, and only these count.
"""

from collections.abc import Callable
from operator import attrgetter

import msgspec

from jantaku.table.arena.forks.review import PLAYS_ON, Considered, reviewed
from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.majiang.rule import Item
from jantaku.table.play.playouts import ERROR, Playouts
from jantaku.table.play.seating.roster import Entrant
from jantaku.table.records.journal.read import Record
from jantaku.table.riichi.line import read_line
from jantaku.table.riichi.option_numbers import number_of
from jantaku.table.riichi.world import NoWorld

MOST = 3
"""Decisions that are told."""
LOOKED_AT = 6
"""Decisions that are played out again."""
FIRST, AGAIN = 48, 800
"""Worlds in which both ways are played out, at first and again."""


class Costly(msgspec.Struct, frozen=True):
    """A decision that cost points for sure, with its place (`kyoku` counts from 1, `event` as in `ReviewedDecision`)
    and the names of its kyoku (`wind` and `number` count from 0). What was `played` is worth `worth` ± `margin` final
    points less than the bot's `choice`."""

    kyoku: int
    event: int
    wind: int
    number: int
    honba: int
    hand: str
    played: Item
    choice: Item
    worth: float
    margin: float


def costly(record: Record, player: int, by: Entrant, looked: Callable[[int, int], object]) -> list[Costly]:
    """Find what cost the player most, the most costly first: at most `MOST`, whose intervals together miss the truth
    with the chance `ERROR`. What the table played for the player is left out. `looked` is called after each decision,
    with its kyoku and how many there are. BadInput as in `reviewed`."""
    if record.rules is None:
        raise BadInput(f"{record.path}: it does not say by which rules it was played")
    found = list[Considered]()
    for one in reviewed(record, record.rules, {player: by}, worlds=FIRST):
        looked(one.line.kyoku, len(record.log))
        if one.seen.verdict in (None, "ok") and (one.line.worth or 0.0) > 0:
            found.append(one)
    found.sort(key=lambda one: -(one.line.worth or 0.0))
    again = list[Costly]()
    for one in found[:LOOKED_AT]:
        looked(len(record.log), len(record.log))
        if (told := _again(one)) is not None:
            again.append(told)
    return sorted(again, key=attrgetter("worth"), reverse=True)[:MOST]


def _again(one: Considered) -> Costly | None:
    """Play a difference out in other worlds; None unless it costs points for sure."""
    line, seen = one.line, one.seen
    assert line.played is not None and line.choice is not None, "it differs"
    position = read_line(seen.line)
    by_number = {number_of(option): option for option in position.choice.options}
    played, choice = by_number[seen.number], by_number[number_of(one.answer.action)]
    try:
        playouts = Playouts(position, PLAYS_ON, "again", options=[choice, played])
        playouts.play(AGAIN, decide=False)
    except NoWorld:
        return None
    worth, margin = playouts.behind(played, choice, ERROR / LOOKED_AT)
    if margin is None or worth <= margin:
        return None
    place = line.kyoku, line.event, seen.view.round_wind, seen.view.kyoku, seen.view.honba
    return Costly(*place, line.hand, line.played, line.choice, worth, margin)
