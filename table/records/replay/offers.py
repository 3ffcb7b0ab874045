"""Options of players: a record drives the engine, and every question with more than one option is noted.

This is the cheap part of `decisions.py`, which adds each player's view: for pages that show the whole table anyway.
"""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Choice
from jantaku.table.languages.majiang.rule import Item, reply
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.drive import Difference, Drive, show
from jantaku.table.records.replay.verify import game_of
from jantaku.table.riichi.actions import CHOMBO
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.option_numbers import number_of
from jantaku.table.riichi.rules import Rules

T = TypeVar("T")


class Offer(msgspec.Struct, frozen=True):
    """One question. `kyoku` and `turn` count from 1; options and answer are Majiang replies, where `{}` is a pass."""

    kyoku: int
    turn: int
    player: int
    choice: Choice
    options: tuple[Item, ...]
    answer: Item
    """The player's reply, inferred from the items that follow: without a visible action it is a pass."""
    numbers: tuple[int, ...]
    """The options as numbers, in the same order; see `jantaku.table.riichi.option_numbers`."""
    key: tuple[int, int]
    """The key of the turn in `Record.answers`."""


def answered(record: Record, offer: Offer) -> tuple[Item, Any]:
    """Return the player's reply to a question, and what the record tells of it: None where it is inferred. Raises
    BadInput if the record has a reply that is none of the options."""
    answers = record.answers.get(offer.key, {}).get("answers", ())
    told = next((one for one in answers if one["seat"] == offer.player), None)
    reply: Item = told["reply"] if told else offer.answer
    if reply not in offer.options:
        place = f"{record.path} kyoku {offer.kyoku} turn {offer.turn}"
        raise BadInput(f"the answer {show(reply)} of player {offer.player} is not one of its options", place)
    return reply, told


def offers(record: Record, rules: Rules | None = None) -> Iterator[Offer]:
    """Return the same questions as `decisions`, without the players' views."""
    return noted(record, rules, lambda game: lambda offer: offer)


def noted(
    record: Record,
    rules: Rules | None,
    noting: Callable[[RiichiGame], Callable[[Offer], T]],
    parted: Callable[[Difference], object] | None = None,
) -> Iterator[T]:
    """Yield a note for every question of a record, up to the first difference from the engine, which is passed to
    `parted`. `noting` is called with the game and returns the callback that makes a note of a question, called when the
    question is put, before its answer is played. Raises BadInput if neither the record nor the caller gives the
    rules."""
    rules = rules or record.rules
    if rules is None:
        raise BadInput(f"{record.path}: it does not say by which rules it was played, so options cannot be known")
    game = game_of(record, rules, "decisions")
    note = noting(game)
    found: list[T] = []
    kyoku = turn = before = 0

    def asked(player: int, choice: Choice, action: Action) -> None:
        if len(choice.options) > 1 and action is not CHOMBO:  # after a chombo the player has chosen no option
            options = tuple([reply(option) for option in choice.options])
            numbers = tuple([number_of(option) for option in choice.options])
            found.append(note(Offer(kyoku, turn, player, choice, options, reply(action), numbers, (kyoku, before))))

    drive = Drive(game, record.log, asked=asked)
    for step in drive.steps():
        yield from found
        found.clear()
        (kyoku, turn), before = step, drive.seen
    yield from found
    if drive.difference is not None and parted is not None:
        parted(drive.difference)
