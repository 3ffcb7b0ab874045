"""Boards of bots on the base class are brought up to date by the table: they show what who hears every event sees, and
no more."""

from collections.abc import Callable, Iterator
from copy import copy
from random import Random
from types import FunctionType, GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any, TypeVar

import pytest

from jantaku.players.base import Happening, RiichiPlayer
from jantaku.players.bots.dice import Dice
from jantaku.table.ground.port import Action, Player, PlayerWrapper, Question, port_of
from jantaku.table.judge.judge import Judge
from jantaku.table.riichi.events import Draw, KyokuStart, MeldCall
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.pieces.board import Board, River
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.ruleset import preset
from tests.players.driving import new_game

MODES = ("inline", "resident")
Bot = TypeVar("Bot", bound=Dice)


class Looking(Dice):
    """Does anything, and notes what it sees before every third answer, so that much has happened since."""

    listens = True

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__(seed=seed)
        self.seen: list[object] = []

    def answer(self, question: Question) -> Action:
        if question.id % 3 == 0:
            board = self.board
            self.seen.append((str(board), all_of(board), self.visible, self.threats))
        return super().answer(question)


class Hearing(Looking):
    def hear(self, event: Happening) -> None:
        super().hear(event)


class Digging(Dice):
    """Looks at all that it can reach from itself and its question."""

    listens = True

    def answer(self, question: Question) -> Action:
        if question.id % 20 == 0:
            self.dig(question)
            assert self.hand.known
            self.dig(question)
        return super().answer(question)

    def dig(self, question: Question) -> None:
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


def all_of(thing: Any) -> Any:
    """All that a board, a hand or a river has, as plain values."""
    if isinstance(thing, Board | Tehai | River):
        return {name: all_of(getattr(thing, name)) for name in fields(type(thing)) if hasattr(thing, name)}
    return [all_of(one) for one in thing] if isinstance(thing, list) else copy(thing)


def fields(kind: type) -> list[str]:
    """The names of what things of a class of ours have without a dict: of one with slots, or one that is compiled."""
    return [
        name
        for base in kind.__mro__
        if base.__module__.startswith(("table.", "players."))
        for name, held in vars(base).items()
        if isinstance(held, MemberDescriptorType | GetSetDescriptorType) and name not in ("__dict__", "__weakref__")
    ]


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
        found += [getattr(thing, name) for name in fields(type(thing)) if hasattr(thing, name)]
        found += getattr(thing, "__dict__", {}).values()
        found += [getattr(thing, name) for name in getattr(thing, "__struct_fields__", ())]
        if isinstance(thing, list | tuple | set):
            found += thing
        elif isinstance(thing, dict):
            found += [*thing, *thing.values()]


def played(kind: type[Bot], mode: str) -> list[Bot]:
    bots = [kind(seed=seat) for seat in range(4)]
    result = Judge(new_game("brief"), [*bots], mode=mode).run()
    assert all(verdict.good for seat in result.seats for verdict in seat.verdicts), result
    return bots


@pytest.mark.parametrize("mode", MODES)
def test_a_board_that_the_table_shows_is_what_who_hears_sees(mode: str) -> None:
    assert [bot.shown_board is None for bot in (Looking(), Hearing())] == [False, True]
    shown, heard = played(Looking, mode), played(Hearing, mode)
    assert [bot.seen for bot in shown] == [bot.seen for bot in heard] and all(bot.seen for bot in shown)


@pytest.mark.parametrize("rules", ["tenhou", "tenhou-3p", "mahjongsoul"])
@pytest.mark.parametrize("seed", range(3))
def test_at_every_moment_a_board_is_shown_as_events_make_it(rules: str, seed: int) -> None:
    game, random = new_game(f"shown {seed}", preset(rules)), Random(seed)
    seats = range(game.seats)
    shown, heard = [Board() for _ in seats], [Board() for _ in seats]
    at = [0] * game.seats

    def look() -> None:
        for seat in seats:
            if random.random() < 0.1:
                end = len(game.events)
                game.show(shown[seat], at[seat], end, seat)
                for index in range(at[seat], end):
                    heard[seat].apply(game.masked(index, seat))
                at[seat] = end
                assert all_of(shown[seat]) == all_of(heard[seat])

    for _ in moments(game, random):
        look()
    look()
    assert game.over


def test_a_seat_that_is_late_sees_no_more_than_what_it_was_asked_about() -> None:
    game, random = new_game("late"), Random(5)
    for _ in moments(game, random):
        pass
    shown, heard, at = Board(), Board(), 0
    for end in sorted(random.sample(range(1, len(game.events)), 60)):
        game.show(shown, at, end, 2)
        for index in range(at, end):
            heard.apply(game.masked(index, 2))
        at = end
        assert all_of(shown) == all_of(heard)


class Scores(list[int]):
    """Of a board: while they are copied the game goes on."""

    def __init__(self, scores: list[int], goes_on: Callable[[], None]) -> None:
        super().__init__(scores)
        self.goes_on = goes_on

    def __setitem__(self, place: Any, scores: Any) -> None:
        super().__setitem__(place, scores)
        self.goes_on()


def test_a_board_that_changes_while_it_is_copied_is_made_anew_from_its_deal() -> None:
    game, random = new_game("torn"), Random(3)
    for number, _ in enumerate(moments(game, random)):
        if number > 400 and any(isinstance(event, MeldCall) for event in game.events[-3:]):
            break
    end, heard, shown = len(game.events), Board(), Board()
    for index in range(end):
        heard.apply(game.masked(index, 1))
    game.show(shown, 0, end - 4, 1)
    ahead = shown.scores = Scores(shown.scores, lambda: game.events.append(game.events[-1]))
    game.show(shown, end - 4, end, 1)
    assert len(game.events) == end + 1 and shown.scores is not ahead and all_of(shown) == all_of(heard)


class Spoiling(Looking):
    def answer(self, question: Question) -> Action:
        action = super().answer(question)
        if question.id > 100:
            self.board.rivers.clear()
        return action


@pytest.mark.parametrize("mode", MODES)
def test_a_bot_that_breaks_its_board_is_blamed_alone(mode: str) -> None:
    result = Judge(new_game("spoilt"), [Dice(), Dice(seed=1), Spoiling(seed=2), Dice(seed=3)], mode=mode).run()
    assert [all(verdict.good for verdict in seat.verdicts) for seat in result.seats] == [True, True, False, True]
    assert "its board was changed" in result.seats[2].first[0].answer.reason


def moments(game: RiichiGame, random: Random) -> Iterator[None]:
    """Play a game by chance; between any two of its steps."""
    while turn := game.turn():
        yield
        action = random.choice(turn.choice.options)
        game.act(action)
        yield
        reactions = {seat: game.reaction(seat, action) for seat in game.reacting()}
        chosen = {seat: random.choice(one.options) for seat, one in reactions.items() if one is not None}
        game.rule([chosen.get(seat) for seat in range(game.seats)])


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
    assert [port_of(player).board is None for player in players] == [True, True, True, False]
    game = new_game("brief")
    Judge(game, players, mode="inline").run()
    assert front.heard == len(game.events) == len(heard)
