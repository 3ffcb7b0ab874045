"""Bots on the base class are told events in brief: they know the same as who hears them, and no more."""

from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import pytest

from players.base import Happening, RiichiPlayer
from players.bots.dice import Dice
from table.judge.judge import Judge
from table.port import Action, Player, PlayerWrapper, Question, port_of
from table.riichi.events import Draw, KyokuStart
from table.riichi.pieces import steps
from table.riichi.pieces.tehai import Tehai
from tests.players.driving import new_game

MODES = ("inline", "resident")


class Looking(Dice):
    """Does anything, and notes what it sees before every third answer, so that it is often told much at once."""

    listens = True

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__(seed=seed)
        self.seen: list[object] = []

    def answer(self, question: Question) -> Action:
        if question.id % 3 == 0:
            board = self.board
            self.seen.append(
                (str(board), board.live, board.last_tile, board.open_counts[:], self.visible, self.threats)
            )
        return super().answer(question)


class Hearing(Looking):
    """Hears in its own way."""

    def hear(self, event: Happening) -> None:
        super().hear(event)


class Digging(Looking):
    """Looks at all that it can reach from itself and its question."""

    def answer(self, question: Question) -> Action:
        if question.id % 3 == 0:
            self.dig(question)
            assert self.hand.known
            self.dig(question)
        return super().answer(question)

    def dig(self, question: Question) -> None:
        """Nothing but the own hand may be found."""
        reachable = [*reached(self, question)]
        deals = [thing for thing in reachable if isinstance(thing, KyokuStart)]
        assert all(len([hand for hand in deal.hands if hand is not None]) == 1 for deal in deals)
        if deals:  # among the rest are draws from another seat
            return
        seat = self.seat
        for thing in reachable:
            if isinstance(thing, Tehai):
                assert not thing.known or thing is self.hand
            elif isinstance(thing, Draw):
                assert thing.seat == seat or thing.tile is None
            elif isinstance(thing, tuple) and len(thing) == len(A_DRAW) and thing[0] == A_DRAW[0]:
                assert thing[1] == seat or thing[2] is None


A_DRAW = steps.step_of(Draw(0, None))


def reached(*roots: object) -> Iterator[object]:
    """Everything that is reached over attributes and members, but for modules, classes and functions."""
    found, seen, kept = [*roots], set[int](), list[object]()  # kept: or another thing might get the same id
    while found:
        thing = found.pop()
        if id(thing) in seen or isinstance(thing, type | ModuleType | FunctionType):
            continue
        seen.add(id(thing))
        kept.append(thing)
        yield thing
        found.append(getattr(thing, "__self__", None))
        slots = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
        found += [getattr(thing, name) for name in slots if hasattr(thing, name)]
        found += getattr(thing, "__dict__", {}).values()
        found += [getattr(thing, name) for name in getattr(thing, "__struct_fields__", ())]
        if isinstance(thing, list | tuple | set):
            found += thing
        elif isinstance(thing, dict):
            found += [*thing, *thing.values()]


def played(kind: type[Looking], mode: str) -> list[Looking]:
    bots = [kind(seed=seat) for seat in range(4)]
    result = Judge(new_game("brief"), [*bots], mode=mode).run()
    assert all(verdict.good for seat in result.seats for verdict in seat.verdicts), result
    return bots


@pytest.mark.parametrize("mode", MODES)
def test_who_is_told_in_brief_sees_what_who_hears_sees(mode: str) -> None:
    assert [bot.told_in_brief is None for bot in (Looking(), Hearing())] == [False, True]
    told, heard = played(Looking, mode), played(Hearing, mode)
    assert [bot.seen for bot in told] == [bot.seen for bot in heard] and all(bot.seen for bot in told)


@pytest.mark.parametrize("mode", MODES)
def test_a_bot_that_digs_finds_nothing_of_what_others_hold(mode: str) -> None:
    played(Digging, mode)


class Delegating:
    """A wrapper that has whatever the bot has, and hears itself."""

    def __init__(self, bot: RiichiPlayer) -> None:
        self.bot = bot
        self.heard = 0

    def hear(self, event: Any) -> None:
        self.heard += 1
        self.bot.hear(event)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.bot, name)


def test_who_stands_before_a_bot_hears_all_of_its_events() -> None:
    replaced, heard = Looking(), list[Happening]()
    vars(replaced)["hear"] = heard.append
    front: Any = Delegating(Looking())
    players: list[Player] = [front, replaced, PlayerWrapper(Looking()), Looking()]
    assert [port_of(player).told is None for player in players] == [True, True, True, False]
    game = new_game("brief")
    Judge(game, players, mode="inline").run()
    assert front.heard == len(game.events) == len(heard)
