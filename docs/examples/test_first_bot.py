"""Tests of the first bot, with the fixture that comes with jantaku."""

from first_bot import Follower

from jantaku.table.testing import slow


def test_my_bot_is_cut_off_after_a_fifth_of_a_second(jantaku_table):
    played = jantaku_table(slow(Follower(), seconds=5), limit=0.2)
    played.assert_cut_off(after=0.2)


def test_my_bot_is_legal_and_in_time_against_shanten(jantaku_table):
    jantaku_table(Follower(), "shanten", "shanten", "caller", length="tonpu").assert_sound()


def test_my_bot_takes_the_last_tile(jantaku_table):
    asked = jantaku_table.ask(Follower(), seat="南", hands=["", "m123456789p11s78"], last="s9", script="南.*17")
    assert asked.word == "tsumo", asked
