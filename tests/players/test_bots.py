"""Every bot plays legally under every preset, and alike for equal seeds."""

import random
from collections import Counter

import pytest

from jantaku.players.base import RiichiPlayer
from jantaku.players.bots.allround import Allround
from jantaku.players.bots.caller import Caller
from jantaku.players.bots.dice import Dice
from jantaku.players.bots.shanten import Shanten
from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.port import Question
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import PASS, SET_ASIDE, Call, Discard
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.ruleset import PRESETS, preset
from tests.kit.cases import cases
from tests.players.driving import new_game, play, question_for

BOTS: list[type[RiichiPlayer]] = [Tsumogiri, Dice, Caller, Shanten, Allround]
OTHERS: list[type[RiichiPlayer]] = [Tsumogiri, Dice, Tsumogiri, Caller]


def seated(*bots: type[RiichiPlayer], seed: int = 0) -> list[RiichiPlayer]:
    return [bot(seed=seed * 4 + place) for place, bot in enumerate(bots)]


def seen(game: RiichiGame) -> Counter[str]:
    return Counter(type(event).__name__ for event in game.events)


@pytest.mark.long
@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("seed", [1, 2])
def test_our_bots_play_a_legal_game_under_every_preset(rules: str, seed: int) -> None:
    """`play` refuses every answer that is not an option."""
    for turned in range(2):
        bots = (BOTS[turned * 2 :] + BOTS[: turned * 2])[: preset(rules).game.players]
        game = play(new_game(f"{rules} {seed} {turned}", preset(rules)), seated(*bots, seed=seed))
        assert isinstance(game.events[-1], events.HanchanEnd)


@pytest.mark.parametrize("bot", [Caller, Shanten, Allround])
def test_a_bot_sets_norths_aside_where_three_play(bot: type[RiichiPlayer]) -> None:
    def look(game: RiichiGame, seat: int, question: Question) -> None:
        offered.append(SET_ASIDE in question.options)

    offered: list[bool] = []
    game = play(new_game("norths", preset("tenhou-3p")), seated(bot, bot, bot), look)
    assert seen(game)["NorthAside"] == sum(offered) > 3


@pytest.mark.parametrize("bot", BOTS)
def test_four_of_a_kind_play_the_same_game_twice(bot: type[RiichiPlayer]) -> None:
    games = [play(new_game("twice"), seated(bot, bot, bot, bot, seed=3)).events for _ in range(2)]
    assert games[0] == games[1]


def test_dice_depend_on_their_own_seed_and_on_nothing_else() -> None:
    def game(seed: int) -> list[events.Event]:
        random.seed()  # whatever others do with the shared generator
        return play(new_game("dice"), seated(Dice, Dice, Dice, Dice, seed=seed)).events

    assert game(1) == game(1)
    assert game(1) != game(2)


def test_dice_pick_every_option_about_as_often() -> None:
    bot = Dice(seed=1)
    question = question_for(bot, "m123456 p1345 z123", drawn="s9")
    picked = Counter(bot.answer(question) for _ in range(200 * len(question.options)))
    assert set(picked) == set(question.options)
    assert all(140 < count < 260 for count in picked.values())


def test_tsumogiri_only_ever_discards_what_it_drew() -> None:
    game = play(new_game("tsumogiri"), seated(Tsumogiri, Tsumogiri, Tsumogiri, Tsumogiri))
    assert set(seen(game)) <= {"HanchanStart", "KyokuStart", "Draw", "TileDiscard", "Ryukyoku", "HanchanEnd"}
    assert all(event.tsumogiri for event in game.events if isinstance(event, events.TileDiscard))


def test_caller_calls_and_wins_much_more_than_dice() -> None:
    def total(bot: type[RiichiPlayer]) -> Counter[str]:
        games = (play(new_game(f"caller {seed}"), seated(bot, bot, bot, bot, seed=seed)) for seed in range(4))
        return sum((seen(game) for game in games), Counter())

    caller, dice = total(Caller), total(Dice)
    assert caller["MeldCall"] > 1.4 * dice["MeldCall"]
    assert caller["OwnKan"] > dice["OwnKan"]
    assert caller["Win"] > dice["Win"]


@cases(
    "hand, expected", ("m3334568 p123 z567", "DAIMINKAN"), ("m3345689 p123 z567", "PON"), ("m1245689 p123 z567", "CHI")
)
def test_caller_prefers_a_kan_to_a_pon_to_a_chi(hand: str, expected: str) -> None:
    """The discard is 3m from 上家: the options hold everything that is legal (S-44)."""
    bot = Caller()
    answer = bot.answer(question_for(bot, hand, seat=1, passed="m3"))
    assert isinstance(answer, Call)
    assert answer.meld.kind.name == expected


def test_shanten_takes_points_from_those_who_do_not_try() -> None:
    won = 0
    for seed, other in enumerate(OTHERS):
        bots = [other, other, other]
        bots.insert(seed, Shanten)
        end = play(new_game(f"points {seed}"), seated(*bots, seed=seed)).events[-1]
        assert isinstance(end, events.HanchanEnd)
        won += end.scores[seed] - 25000
    assert won > 20000


@pytest.mark.parametrize("bot", [Tsumogiri, Shanten, Allround])
def test_what_is_no_win_and_no_use_is_let_go(bot: type[RiichiPlayer]) -> None:
    player = bot()
    question = question_for(player, "m123 m5678 p1199 s11", seat=1, passed="m4")
    assert player.answer(question) == PASS


@pytest.mark.parametrize("bot", BOTS)
def test_a_seat_in_riichi_is_left_with_what_the_rules_leave_it(bot: type[RiichiPlayer]) -> None:
    """S-76: a draw that does not win, with an ankan on offer."""
    player = bot(seed=2)
    question = question_for(player, "m123 p111 s789 z1122", passed="s5* m9 m9 m9", drawn="p1")
    assert len(question.options) == 2
    answer = player.answer(question)
    assert answer in question.options
    assert isinstance(answer, Discard) == (bot is Tsumogiri or (bot is Dice and answer == question.default))
