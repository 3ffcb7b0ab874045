"""Tests of the bot: `pytest test_mybot.py`. Hands are written as they print: `m123p055s77z1`; 0 is a red five."""

from jantaku.players.first.bot import MyBot


def test_a_game_is_played_legally_and_in_time(jantaku_table):
    jantaku_table(MyBot(), "shanten", "caller", "dice").assert_sound()


def test_a_win_is_taken(jantaku_table):
    asked = jantaku_table.ask(MyBot(), hands=["m123456789p11s78"], draws="s9")
    assert asked.word == "tsumo", asked


def test_riichi_is_declared_with_the_tile_that_is_not_needed(jantaku_table):
    asked = jantaku_table.ask(MyBot(), hands=["m123456789p11s78"], draws="z1")
    assert asked.word == "z1_*", asked
