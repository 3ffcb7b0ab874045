"""The base of all bots: the board of one seat, and what a bot reads from it."""

import itertools
import textwrap
from collections.abc import Callable
from inspect import isdatadescriptor
from random import Random
from typing import Any

import pytest

import jantaku
from jantaku.players import base
from jantaku.players.base import RiichiPlayer
from jantaku.players.bots.caller import Caller
from jantaku.players.bots.dice import Dice
from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.players.seeded import Seeded
from jantaku.table.daifugo.players import DaifugoPlayer
from jantaku.table.ground.port import Action, Choice, Question
from jantaku.table.riichi import actions
from jantaku.table.riichi.events import HanchanEnd
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.tiles import EAST, KIND, KINDS, TILE, mask_of
from tests.players.driving import new_game, play, question_for, tiles


class ListeningCaller(Caller):
    """Calls all it can, so that rivers and melds are full, and hears."""

    listens = True


class ListeningDice(Dice):
    listens = True


def four(seed: int) -> list[RiichiPlayer]:
    caller, dice = ListeningCaller, ListeningDice
    return [caller(seed=seed), dice(seed=seed), caller(seed=seed + 1), dice(seed=seed)]


def example() -> str:
    lines = textwrap.dedent(base.__doc__ or "").splitlines()
    first = next(number for number, line in enumerate(lines) if line.lstrip().startswith("class "))
    block = itertools.takewhile(lambda line: not line or line.startswith(" "), lines[first:])
    return textwrap.dedent("\n".join(block))


def test_the_bot_in_the_docstring_is_ten_lines_and_plays() -> None:
    source = example()
    assert len([line for line in source.splitlines() if line]) <= 10
    names: dict[str, Any] = {name: getattr(jantaku, name) for name in jantaku.__all__} | {"__name__": "example"}
    exec(source, names)
    game = play(new_game("example"), [names["Follower"](), Tsumogiri(), Tsumogiri(), Dice(seed=1)])
    assert isinstance(game.events[-1], HanchanEnd)


@pytest.mark.parametrize("seed", range(3))
def test_a_seats_board_has_everything_public_and_nothing_hidden(seed: int) -> None:
    """A seat knows its own tiles and what lies open, points included (S-100)."""
    bots = four(seed)
    asked = 0

    def look(game: RiichiGame, player: int, question: Question) -> None:
        nonlocal asked
        asked += 1
        full, own = game.kyoku.board, bots[player].board
        seat = bots[player].seat
        assert public(own) == public(full)
        assert own.hands[seat].tiles == full.hands[seat].tiles
        assert own.hands[seat].drawn == full.hands[seat].drawn
        for other in range(4):
            hidden = own.hands[other]
            assert hidden.known == (other == seat)
            if other != seat:
                assert (hidden.drawn, hidden.one, sum(hidden.counts), hidden.tiles) == (None, 0, 0, [])

    play(new_game(f"board {seed}"), bots, look)
    assert asked > 500


def public(board: Board) -> dict[str, Any]:
    plain = {name for name, member in vars(Board).items() if isdatadescriptor(member)}
    plain -= {"hands", "rivers", "last_tile"}
    return {name: getattr(board, name) for name in plain} | {
        "melds": [(hand.melds, hand.size) for hand in board.hands],
        "rivers": [
            (river.tiles, river.tsumogiri, river.called_by, river.sideways, river.kinds) for river in board.rivers
        ],
    }


@pytest.mark.parametrize("seed", range(3))
def test_what_a_seat_sees_and_what_it_does_not_see_are_all_tiles(seed: int) -> None:
    """S-01: four of each kind; a called tile is counted once although river and meld both show it."""
    bots = four(seed)

    def look(game: RiichiGame, player: int, question: Question) -> None:
        bot, board = bots[player], game.kyoku.board
        unseen = [0] * KINDS
        for tile in game.kyoku.wall.standing():
            if tile is not None:
                unseen[KIND[tile]] += 1
        for indicator in board.indicators:
            unseen[KIND[indicator]] -= 1
        for other in range(4):
            if other != bot.seat:
                unseen = [a + b for a, b in zip(unseen, board.hands[other].counts, strict=True)]
        assert bot.visible == [4 - count for count in unseen]

    play(new_game(f"visible {seed}"), bots, look)


@pytest.mark.parametrize("seed", range(4))
def test_no_tile_that_is_called_safe_can_be_ronned(seed: int) -> None:
    """S-77, whatever was called in between: the engine's own furiten is the witness."""
    bots = four(seed)
    safe_waits = 0

    def look(game: RiichiGame, player: int, question: Question) -> None:
        nonlocal safe_waits
        bot, ready = bots[player], game.kyoku.ready
        if game.kyoku.seat != bot.seat:
            return  # the tile under question has not passed yet
        for other in range(4):
            if other != bot.seat:
                safe = bot.safe_against(other)
                safe_waits += bool(safe & ready.waits[other])
                assert not any(safe >> kind & 1 and ready.may_ron(other, kind) for kind in range(KINDS))

    for number in range(3):
        play(new_game(f"safe {seed} {number}"), bots, look)
    assert safe_waits, "no wait was ever safe: this run shows nothing"


def test_what_passed_since_a_riichi_is_safe_and_what_passed_before_is_not() -> None:
    bot = Dice()
    question_for(bot, "m123456789 p1234", seat=3, passed="z1 z2* z3 z4 m1 m2 s9", drawn="s1")
    assert bot.threats == [1]
    assert bot.safe_against(1) == mask_of(tiles("z2 z3 z4 m1 m2 s9"))


def test_against_a_seat_without_riichi_only_its_river_and_this_go_round_are_safe() -> None:
    bot = Dice()
    question_for(bot, "m123456789 p1234", seat=3, passed="z1 z2 z3 z4 m1 m2 s9", drawn="s1")
    assert bot.threats == []
    assert bot.safe_against(1) == mask_of(tiles("z2 m2 s9"))
    assert bot.safe_against(2) == mask_of(tiles("z3 s9"))


def test_dora_are_kinds_and_may_be_there_twice() -> None:
    bot = Dice()
    question_for(bot, "m123456789 p1234", drawn="s1", indicator="z4")
    assert bot.dora == [EAST]
    bot.board.open_indicator(TILE["z4"])
    assert bot.dora == [EAST, EAST]


def test_a_player_that_was_dealt_nothing_has_no_seat() -> None:
    with pytest.raises(LookupError, match="the player has not heard a deal yet"):
        _ = ListeningDice().seat
    with pytest.raises(LookupError, match=r"Tsumogiri\.listens is False"):
        _ = Tsumogiri().hand


def test_options_are_found_by_kind_in_the_order_of_the_question() -> None:
    options: tuple[Action, ...] = (actions.TSUMO, *actions.DISCARDS[3:1:-1])
    question = Question(1, 0, Choice(options, options[-1]))
    assert RiichiPlayer.find(question, actions.Ron) is None
    assert RiichiPlayer.find(question, actions.Ron, actions.Tsumo) == actions.TSUMO
    assert RiichiPlayer.find_all(question, actions.Discard) == [actions.DISCARDS[3], actions.DISCARDS[2]]


class Learned(RiichiPlayer):
    """Has an `__init__` of its own that does not call that of its base."""

    def __init__(self, checkpoint: str, seed: int = 0) -> None:
        self.checkpoint, self.random = checkpoint, Random(seed)
        self.seen: list[int] = []

    def answer(self, question: Question) -> Action:
        self.seen.append(sum(self.hand.counts))
        return self.random.choice(question.options)


class LearnedDaifugo(DaifugoPlayer):
    def __init__(self, checkpoint: str, seed: int = 0) -> None:
        self.checkpoint = checkpoint

    def answer(self, question: Question) -> Action:
        return question.default


def test_a_bot_need_not_call_the_constructor_of_its_base() -> None:
    learned = Learned("b.pt", seed=3)
    play(new_game("learned"), [learned, Tsumogiri(), Tsumogiri(), Dice(seed=1)])
    assert learned.seen and min(learned.seen) > 0
    assert LearnedDaifugo("b.pt").board is not LearnedDaifugo("b.pt").board
    one = LearnedDaifugo("b.pt")
    assert one.board is one.board and Dice(seed=7).seed == 7


@pytest.mark.parametrize("kind", [Learned, LearnedDaifugo])
def test_a_bot_that_reads_its_seed_is_told_what_it_left_out(kind: Callable[[str], Seeded]) -> None:
    bot = kind("b.pt")
    with pytest.raises(AttributeError) as caught:
        print(bot.seed)
    assert str(caught.value) == f"{type(bot).__name__}.__init__ does not call super().__init__(seed=seed)"
