"""Pictures of positions: what they leave open; and a seat that has nothing but its own events comes to the same
options as the table."""

import random
from typing import Any

import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Choice
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.actions import PASS, Noten, Tenpai
from jantaku.table.riichi.flow.view import View
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.pieces.seats import WINDS
from jantaku.table.riichi.pieces.tiles import NAMES, full_set
from jantaku.table.riichi.position import begin, rules_of, stack, standing_at, tiles
from jantaku.table.riichi.rules import Rules
from tests.kit.cases import kept_cases

TENHOU = rules_of("tenhou")


def names(held: tuple[int, ...]) -> list[str]:
    return [NAMES[tile] for tile in held]


def test_a_picture_is_dealt_and_drawn_as_it_says() -> None:
    """S-26, S-55: hands, draws, the last tile, rinshan tiles and indicators where they belong."""
    wall = stack(TENHOU, ["m123", "", "z77"], draws="z6 p5", last="s1", rinshan="z1 z2", dora="m9 m8", ura="p9")
    assert names(wall.hands[0])[:3] == ["m1", "m2", "m3"]
    assert names(wall.hands[2])[:2] == ["z7", "z7"]
    assert [len(hand) for hand in wall.hands] == [13] * 4
    assert names((wall.draw(0), wall.draw(1))) == ["z6", "p5"]
    assert names((wall.draw_rinshan(), wall.draw_rinshan())) == ["z1", "z2"]
    assert names((wall.indicator(0), wall.indicator(1), wall.ura(0))) == ["m9", "m8", "p9"]
    assert NAMES[[wall.draw(0) for _ in range(68)][-1]] == "s1"


def test_tiles_are_read_with_the_suit_first_or_last_but_not_both_in_one_text() -> None:
    assert tiles("123m 0p7s 1z") == tiles("m123 p0 s7z1") == [0, 1, 2, 35, 24, 27]
    assert stack(TENHOU, ["123m", "0p"]).hands == stack(TENHOU, ["m123", "p0"]).hands
    for mixed in ("m1 23p", "1m m2", "12", "x1"):
        with pytest.raises(
            BadInput, match=f"“{mixed}” is not tiles: they are written m123p0s7z1 or 123m0p7s1z, one of"
        ):
            tiles(mixed)
    with pytest.raises(BadInput, match="“z8” is not a tile"):
        tiles("8z")


def test_equal_pictures_make_equal_walls_of_all_tiles() -> None:
    one, again = (stack(TENHOU, ["m1"], draws="z6") for _ in range(2))
    assert one.tiles == again.tiles
    assert sorted(one.tiles) == sorted(full_set(1, 1, 1))


def test_a_game_begins_where_it_is_told_with_seats_as_player_ids() -> None:
    """S-20, S-96."""
    at = standing_at(TENHOU, number=6, honba=2, sticks=1, scores=(10000, 20000, 30000, 39000))
    game = begin(TENHOU, stack(TENHOU), at, ("a", "b", "c", "d"))
    start = game.events[1]
    assert (start.dealer, start.round_wind, start.kyoku, start.honba, start.sticks) == (0, 1, 2, 2, 1)
    assert start.scores == (10000, 20000, 30000, 39000)
    assert game.events[0].names == ("a", "b", "c", "d")


@kept_cases(
    "hands, picture, message",
    ([], {"draws": "m1" * 36, "last": "m1" * 36}, "draws and last has 72 tiles; allowed are 70"),
    ([""] * 5, {}, f"5 hands; allowed are the 4 of {WINDS}"),
)
def test_a_picture_that_cannot_be_is_bad_input(hands: list[str], picture: dict[str, str], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        stack(TENHOU, hands, **picture)


def test_spaces_in_tiles_are_as_you_like() -> None:
    assert tiles(" m12 m3  p0\nz1 ") == tiles("m123p0z1")


PRESETS = ("tenhou", "mahjongsoul", "mleague", "majiang", "showa")


class Watcher:
    """Feeds one seat's events to its view and remembers what the last one led to."""

    def __init__(self, game: RiichiGame, player: int) -> None:
        self.game, self.player = game, player
        self.view = View(game.rules)
        self.heard = 0
        self.choice: Choice | None = None

    def catch_up(self) -> None:
        while self.heard < len(self.game.events):
            self.choice = self.view.hear(self.game.masked(self.heard, self.player))
            self.heard += 1


def play(rules: Rules, seed: int) -> int:
    """One game of random legal actions, eager for melds; every choice of the table against that of the views."""
    chance = random.Random(seed)
    game = RiichiGame(rules, walls_from(str(seed), 0, rules), ("a", "b", "c", "d"), seed % 4)
    watchers = [Watcher(game, player) for player in range(4)]
    compared = 0

    def pick(choice: Choice) -> Any:
        return chance.choice(choice.options) if chance.random() < 0.6 else choice.options[0]

    while (turn := game.turn()) is not None:
        for watcher in watchers:
            watcher.catch_up()
        declares = turn.choice.options[0] in (Tenpai(), Noten())
        mover = watchers[turn.seat]
        if not declares:
            assert mover.choice == turn.choice
        elif turn.choice.asks:
            assert mover.view.declaration() == turn.choice
        action = pick(turn.choice)
        game.act(action)
        responses: list[Any] = [None] * 4
        for player in {0, 1, 2, 3} - {turn.seat}:
            choice = game.reaction(player, action)
            if not declares:
                watchers[player].catch_up()
                assert watchers[player].choice == choice, (watchers[player].view.seat, game.events[-3:])
            elif choice is not None:
                assert watchers[player].view.declaration() == choice
            if choice is not None:
                compared += choice.asks
                responses[player] = pick(choice) if chance.random() < 0.7 else PASS
                if responses[player] not in choice.options:
                    responses[player] = choice.default
        compared += turn.choice.asks
        game.rule(responses)
    return compared


@pytest.mark.parametrize("preset", PRESETS)
def test_a_view_offers_what_the_table_offers(preset: str) -> None:
    """Options and their order, for the turn seat (S-28, S-30) and for the others (S-44, S-77)."""
    rules = ruleset.resolve(preset).rules
    assert sum(play(rules, seed) for seed in range(4)) > 500


def test_a_view_offers_what_the_table_offers_where_tenpai_must_be_declared() -> None:
    rules = ruleset.with_settings(ruleset.resolve("majiang").rules, {"draw.declare_tenpai": "true"})
    assert sum(play(rules, seed) for seed in range(6)) > 500
