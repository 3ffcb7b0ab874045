"""A bot that thinks too long, and the test that shows how it is cut off."""

import time

from jantaku import RiichiPlayer


class Ponderer(RiichiPlayer):
    def answer(self, question):
        time.sleep(2)
        return question.default


def test_a_slow_player_is_cut_off(jantaku_table):
    played = jantaku_table(Ponderer(), "shanten", "caller", "dice", limit=0.1, length="one")
    played.assert_cut_off(after=0.1)  # silent or late, 自摸切り was played, and nobody else was affected
