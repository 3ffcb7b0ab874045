"""For tests of your own bot: a fixture that seats it, wrappers that make it fail, and positions to ask it about.

    from jantaku.table.testing import slow

    def test_my_bot_is_cut_off_after_a_fifth_of_a_second(jantaku_table):
        played = jantaku_table(slow(MyBot(), seconds=5), limit=0.2)
        played.assert_cut_off(after=0.2)

    def test_my_bot_takes_the_win(jantaku_table):
        asked = jantaku_table.ask(MyBot(), seat="東", hands=["m123456789p11s78"], draws="s9")
        assert asked.word == "tsumo", asked

Every test has the fixture `jantaku_table` (`jantaku.table.testing.tables.Tables`) where jantaku is installed. The
wrappers also work without it, with a judge of your own; a thread that still waits in one is released at the end of the
test.
"""

from jantaku.table.testing.hampered import crashing as crashing
from jantaku.table.testing.hampered import slow as slow
from jantaku.table.testing.hampered import stuck as stuck
