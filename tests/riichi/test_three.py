"""Three players: what is different, rule by rule. The numbers are those of the requirements (T-01 to T-84)."""

import msgspec
import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.flow.hanchan import opening
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.pieces.melds import pon
from jantaku.table.riichi.pieces.notation import parse_tile
from jantaku.table.riichi.pieces.schools import SeatWall
from jantaku.table.riichi.pieces.tiles import NAMES as NAMES_OF_TILES
from jantaku.table.riichi.pieces.tiles import NORTH, dora_of, full_set
from jantaku.table.riichi.pieces.wall import Shuffle, Wall, shuffle
from jantaku.table.riichi.points.payments import nagashi_payments, noten_payments, settle
from jantaku.table.riichi.points.yaku import HandValue
from jantaku.table.riichi.position import begin, stack
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import FILES, preset
from tests.kit.cases import cases

RULES = preset("tenhou-3p")
NAMES = ("A", "B", "C")
MANGAN = HandValue((("立直", 5),), fu=30, han=5)
FAR = "m19p147s258z12355"
"""Thirteen tiles that want nothing from anybody."""


def game_with(*hands: str, draws: str = "", rinshan: str = "", last: str = "", rules: Rules = RULES) -> RiichiGame:
    return begin(rules, stack(rules, hands, draws=draws, rinshan=rinshan, last=last, hidden="z4"))


def options(game: RiichiGame) -> tuple[Action, ...]:
    turn = game.turn()
    assert turn is not None
    return turn.choice.options


def play(game: RiichiGame, action: Action, **said: Action) -> None:
    """The turn seat does it; `said` is what players A to C answer, who else is asked passes."""
    assert action in options(game)
    game.act(action)
    answers = [said.get(name) for name in NAMES]
    for player in game.reacting():
        choice = game.reaction(player, action)
        if answers[player] is None and choice is not None:
            answers[player] = actions.PASS
        assert answers[player] is None or (choice is not None and answers[player] in choice.options)
    game.rule(answers)


def drawn(game: RiichiGame) -> events.Draw:
    last = game.events[-1]
    assert isinstance(last, events.Draw)
    return last


def test_there_are_108_tiles_without_2m_to_8m_and_with_two_red_fives() -> None:
    tiles = full_set(0, 1, 1, 3)
    assert len(tiles) == 108 and not any(0 < tile < 8 for tile in tiles)
    assert sum(tile >= 34 for tile in tiles) == 2


def test_every_tile_of_the_wall_is_in_one_place_and_two_stacks_of_indicators_end_the_live_wall() -> None:
    wall = Wall.of(Shuffle(tuple(range(108)), (3, 4)))
    dealt = {tile for hand in wall.hands for tile in hand}
    assert sorted(wall.tiles) == list(range(108))
    assert wall.standing() == [None if tile in dealt else tile for tile in range(108)]
    live = wall.tiles[39:94]
    assert len(live) == 55
    assert [wall.indicator(3), wall.ura(3), wall.indicator(4), wall.ura(4)] == [live[53], live[54], live[51], live[52]]


def test_queues_of_the_seats_leave_the_tiles_that_may_become_indicators_to_the_end() -> None:
    tiles = full_set(0, 1, 1, 3)
    wall = SeatWall.of(shuffle(tiles, "7", 0, 0, 0, 0))
    unseen = wall.unseen(1)
    for _ in range(51):
        wall.draw(0)
    assert [place for place in wall.unseen(1) if 39 <= place < 94] == [90, 91, 92, 93]
    assert len(unseen) == 55 + 8 + 2 + 3


def test_1m_makes_9m_dora() -> None:
    assert [dora_of(parse_tile(text), 3) for text in ("m1", "m9")] == [parse_tile("m9"), parse_tile("m1")]


def test_a_north_is_set_aside_and_a_rinshan_tile_drawn_without_an_indicator() -> None:
    game = game_with("m19p147s258z12344", draws="z5", rinshan="m1")
    play(game, actions.SET_ASIDE)
    assert isinstance(game.events[-2], events.NorthAside) and drawn(game) == events.Draw(0, parse_tile("m1"), True)
    board = game.kyoku.board
    assert (board.hands[0].aside, board.live, len(board.indicators), board.first_round) == (1, 53, 1, False)
    play(game, actions.SET_ASIDE)
    assert actions.SET_ASIDE not in options(game)


def test_no_north_is_set_aside_after_a_pon_or_with_the_last_tile() -> None:
    game = game_with(FAR, "p11m9p258s147z1246", draws="z6")
    play(game, actions.Discard(parse_tile("p1")), B=actions.Call(pon(parse_tile("p1"), 3, *[parse_tile("p1")] * 2)))
    assert actions.SET_ASIDE not in options(game)
    assert last_turn_of(game_with(FAR, last="z4")) == ("z4", False)


def test_a_north_is_set_aside_while_one_tile_is_left() -> None:
    assert last_turn_of(game_with(FAR, last="z4z7"), left=1) == ("z4", True)


def last_turn_of(game: RiichiGame, left: int = 0) -> tuple[str, bool]:
    """Play on, everybody discarding what was just drawn, until so many tiles are left: what is drawn then, and whether
    a north may be set aside."""
    while game.kyoku.board.live > left:
        play(game, game.turn().choice.default)  # type: ignore[union-attr]
    tile = drawn(game).tile
    assert tile is not None
    return NAMES_OF_TILES[tile], actions.SET_ASIDE in options(game)


def test_in_riichi_only_the_north_just_drawn_may_be_set_aside() -> None:
    game = game_with("p123456789s22z44", FAR, FAR.replace("z55", "z66"), draws="z1 z7 z7 z4")
    play(game, next(one for one in options(game) if one == actions.Discard(parse_tile("z1"), True, True)))
    play(game, options(game)[-1])
    play(game, options(game)[-1])
    assert game.kyoku.board.hands[0].drawn == NORTH and actions.SET_ASIDE in options(game)


def test_a_north_may_be_won_on_without_chankan_and_who_lets_it_go_is_furiten() -> None:
    hands = ("m19p147s258z12344", "p123456789s22z44", FAR)
    game = game_with(*hands, draws="z5")
    play(game, actions.SET_ASIDE, B=actions.RON)
    win = next(event for event in game.events if isinstance(event, events.Win))
    assert (win.tile, win.source) == (NORTH, 0) and "槍槓" not in dict(win.value.yaku)
    game = game_with(*hands, draws="z5")
    play(game, actions.SET_ASIDE)
    assert game.kyoku.ready.missed[1]


def test_norths_may_stay_what_they_are() -> None:
    sanma = msgspec.structs.replace(RULES.sanma, north="guest")
    game = game_with("m19p147s258z12344", draws="z4", rules=msgspec.structs.replace(RULES, sanma=sanma))
    assert actions.SET_ASIDE not in options(game)


def test_nobody_may_call_chi() -> None:
    game = game_with(FAR, "p23m19s147z12346", FAR.replace("z55", "z66"), draws="z7")
    game.act(actions.Discard(parse_tile("p1")))
    assert game.reacting() == []


@cases(
    "tsumo_loss, winner, expected",
    ("lost", 0, (8000, -4000, -4000)),
    ("lost", 1, (-4000, 6000, -2000)),
    ("split", 0, (12000, -6000, -6000)),
    ("split", 2, (-5000, -3000, 8000)),
)
def test_the_missing_share_of_a_tsumo_is_lost_or_split(tsumo_loss: str, winner: int, expected: tuple[int, ...]) -> None:
    rules = msgspec.structs.replace(RULES, sanma=msgspec.structs.replace(RULES.sanma, tsumo_loss=tsumo_loss))
    assert settle(MANGAN, winner, None, rules).hand == expected
    assert sum(settle(MANGAN, winner, None, rules, honba=1).total) == 0
    assert settle(MANGAN, 1, 2, rules, honba=1).total == (0, 8200, -8200)


def test_noten_pays_2000_in_all_and_nagashi_a_mangan_of_two_payers() -> None:
    assert noten_payments([True, False, False], 2000) == (2000, -1000, -1000)
    assert noten_payments([True, False, True], 2000) == (1000, -2000, 1000)
    assert nagashi_payments([1], RULES) == (-4000, 6000, -2000)


def test_a_hanchan_has_rounds_of_three_kyoku_and_105000_points() -> None:
    game = RiichiGame(RULES, walls_from("3", 0, RULES), NAMES)
    assert (opening(RULES).last, sum(opening(RULES).scores)) == (5, 105_000)
    seen = []
    while (turn := game.turn()) is not None:
        seen.append((game.standing.round_wind, game.standing.kyoku))
        play(game, turn.choice.default if actions.TSUMO not in turn.choice.options else actions.TSUMO)
        assert sum(game.standing.scores) + 1000 * game.standing.sticks == 105_000
    assert {kyoku for _, kyoku in seen} == {0, 1, 2} and {wind for wind, _ in seen} >= {0, 1}
    end = game.events[-1]
    assert isinstance(end, events.HanchanEnd) and sorted(end.ranks) == [1, 2, 3] and sum(end.tenths) == 0


@cases(
    "settings, said",
    ({"game.players": "3"}, "game.uma has 4 values; game.players = 3 needs as many"),
    ({"game.uma": "20,0,-20"}, "game.uma has 3 values; game.players = 4 needs as many"),
    ({"draw.noten_penalty": "2000"}, "draw.noten_penalty = 2000: 4 players share it in steps of 600"),
)
def test_rules_for_three_are_not_mixed_with_rules_for_four(settings: dict[str, str], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        FILES.with_settings(preset("tenhou"), settings)


def test_three_have_no_red_5m() -> None:
    with pytest.raises(BadInput, match=r"tiles\.red_m = 1: with three players there is no 5m"):
        FILES.with_settings(RULES, {"tiles.red_m": "1"})
