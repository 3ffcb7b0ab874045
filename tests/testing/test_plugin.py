"""The plugin in a pytest run of its own, as in the project of a bot's author."""

import pytest

pytest_plugins = ["pytester"]

BOT = """
    from jantaku.players.base import RiichiPlayer

    class MyBot(RiichiPlayer):
        def answer(self, question):
            return question.default
"""


@pytest.fixture(autouse=True)
def bot(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(mybot=BOT)


def test_the_five_lines_of_a_bots_author(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        from mybot import MyBot
        from jantaku.table.testing import slow

        def test_my_bot_is_cut_off_after_a_fifth_of_a_second(jantaku_table):
            jantaku_table(slow(MyBot(), seconds=50), limit=0.2).assert_cut_off(after=0.2)
        """
    )
    pytester.runpytest().assert_outcomes(passed=1)


def test_who_still_waits_is_let_go_when_the_test_is_over(pytester: pytest.Pytester) -> None:
    """Also where the judge is the test's own, without the fixture, and where the test fails."""
    pytester.makepyfile(
        """
        import threading
        from mybot import MyBot
        from jantaku.table.ground.port import Choice, Question
        from jantaku.table.testing import stuck

        threads = []

        def test_that_leaves_a_thread_behind():
            player = stuck(MyBot())
            thread = threading.Thread(target=player.answer, args=(Question(1, 0, Choice((1, 2), 1)),), daemon=True)
            thread.start()
            threads.append(thread)
            assert not thread.is_alive()

        def test_that_comes_after_it():
            threads[0].join(10)
            assert not threads[0].is_alive()
        """
    )
    pytester.runpytest().assert_outcomes(passed=1, failed=1)


def test_threads_of_a_table_are_home_when_the_next_test_begins(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import threading
        from mybot import MyBot
        from jantaku.table.testing import stuck

        def test_that_leaves_a_thread_behind(jantaku_table):
            assert jantaku_table(stuck(MyBot()), limit=0.05).result.left_behind == ("T1-s0-t1",)

        def test_that_comes_after_it():
            assert not [thread.name for thread in threading.enumerate() if thread.name.startswith("T1")]
        """
    )
    pytester.runpytest().assert_outcomes(passed=2)


def test_a_failed_assertion_shows_the_test_and_not_our_code(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        from mybot import MyBot

        def test_of_mine(jantaku_table):
            jantaku_table(MyBot(), limit=30).assert_verdicts("gone")
        """
    )
    ran = pytester.runpytest()
    ran.assert_outcomes(failed=1)
    ran.stdout.fnmatch_lines(["*seat 0 (MyBot) has a verdict that is not gone in * questions:"])
    ran.stdout.no_fnmatch_line("*__tracebackhide__*")


def test_a_run_without_bots_does_not_import_the_game(pytester: pytest.Pytester) -> None:
    """The plugin is loaded by every test run of the environment."""
    pytester.makepyfile(
        """
        import sys

        def test_of_something_else():
            assert "jantaku.table.testing.plugin" in sys.modules
            game = ("jantaku.table.riichi", "jantaku.table.judge", "structlog")
            assert not [name for name in sys.modules if name.startswith(game)]
        """
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_the_fixture_says_what_it_is_for(pytester: pytest.Pytester) -> None:
    ran = pytester.runpytest("--fixtures")
    ran.stdout.fnmatch_lines(["jantaku_table*", "*Seats bots and plays*"])
