"""Exact blame for every question: one bad answer costs that seat the default and nobody else anything."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.players.broken.cheat import Cheat
from jantaku.table.ground.errors import BadInput, PlayerGone, PlayerNotReady, PlayerSilent, PlayerUnreadable
from jantaku.table.ground.port import Action, Answer, Player, Question, Verdict
from jantaku.table.judge.judge import MOST_CHOMBOS, Judge
from jantaku.table.judge.result import Ending
from jantaku.table.play.outcome import reports_of
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.actions import CHOMBO, RON
from jantaku.table.riichi.events import ChomboDraw
from jantaku.table.riichi.game import RiichiGame, walls_from
from tests.judge.players import Log, Writer, always, dice, play, table_threads
from tests.kit.cases import cases
from tests.kit.pace import MODES
from tests.kit.toy import ToyGame


class _EqualToAll(str):
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return True


class _Unprintable(str):
    def __repr__(self) -> str:
        raise RuntimeError("no picture")


class _Incomparable(str):
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        raise ZeroDivisionError("do not compare me")


class _SilentError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


def _raises(fault: BaseException) -> Callable[[Question], Any]:
    def does(question: Question) -> Any:
        raise fault

    return does


def _only(answer: Any) -> Callable[[Question], Any]:
    return lambda question: answer


async def _awaited(question: Question) -> Any:
    return question.default


CASES = [
    pytest.param(_only("show"), Verdict.OK, "", id="an option"),
    pytest.param(
        _only("claim"), Verdict.ILLEGAL, "'claim' is not among the options ('keep', 'offer', 'show')", id="no"
    ),
    pytest.param(_only("tsumo"), Verdict.MALFORMED, "'tsumo' is not an action of this game", id="no such action"),
    pytest.param(_only(None), Verdict.MALFORMED, "None is not an action of this game", id="nothing"),
    pytest.param(_awaited, Verdict.MALFORMED, "answer is async, and nothing awaits it: write def answer", id="async"),
    pytest.param(_only(["show"]), Verdict.MALFORMED, "['show'] is not an action of this game", id="unhashable"),
    pytest.param(
        _only(_Unprintable("x")),
        Verdict.MALFORMED,
        "<_Unprintable that cannot be printed> is not an action of this game",
        id="unprintable",
    ),
    pytest.param(
        _only(_Incomparable("show")),
        Verdict.MALFORMED,
        "an answer that cannot be compared: ZeroDivisionError: do not compare me",
        id="incomparable",
    ),
    pytest.param(_raises(KeyError("dora")), Verdict.GONE, "KeyError: 'dora'", id="raises"),
    pytest.param(
        _raises(_SilentError()), Verdict.GONE, "_SilentError: <_SilentError that cannot be printed>", id="mute"
    ),
    pytest.param(_raises(SystemExit(3)), Verdict.GONE, "SystemExit: 3", id="exits"),
    pytest.param(_raises(PlayerGone("pipe closed")), Verdict.GONE, "pipe closed", id="gone"),
    pytest.param(_raises(PlayerNotReady("no join")), Verdict.START_FAILED, "no join", id="not ready"),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("does", "verdict", "reason"), CASES)
def test_the_turn_seat_gets_its_verdict_and_the_table_goes_on(
    mode: str, does: Callable[[Question], Any], verdict: Verdict, reason: str
) -> None:
    game = ToyGame(turns=5)
    result, log = play(game, [Writer(does), Writer(), Writer(), Writer()], mode=mode)
    assert result.ending is Ending.OVER and result.turns == 5
    first = log.of(0)[0]
    assert (first.verdict, first.reason, first.question) == (verdict, reason, 4)
    assert first.action == ("show" if verdict is Verdict.OK else "keep")
    for seat in (1, 2, 3):
        assert {answer.verdict for answer in log.of(seat)} == {Verdict.OK}
    assert table_threads() == []


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("does", "verdict", "reason"), CASES[3:])
def test_a_reactor_gets_the_same_verdict_and_passes(
    mode: str, does: Callable[[Question], Any], verdict: Verdict, reason: str
) -> None:
    game = ToyGame(turns=1)
    result, log = play(game, [always("show"), always("claim"), Writer(does), always("claim")], mode=mode)
    assert game.ruled == [(None, "claim", "pass", "claim")]
    wanted = [(0, Verdict.OK, ""), (1, Verdict.OK, ""), (2, verdict, reason), (3, Verdict.OK, "")]
    assert [(answer.seat, answer.verdict, answer.reason) for answer in log.every] == wanted
    assert result.seats[2].verdicts == {verdict: 1}


@pytest.mark.parametrize("mode", MODES)
def test_an_object_that_equals_everything_never_gets_into_the_game(mode: str) -> None:
    game = ToyGame(turns=1)  # the toy refuses anything but a plain str
    result, _ = play(game, [Writer(_only(_EqualToAll("?"))), Writer(), Writer(), Writer()], mode=mode)
    assert result.seats[0].verdicts == {Verdict.OK: 1} and ("act", 0, "keep") in game.events


@pytest.mark.parametrize("mode", MODES)
def test_a_seat_that_raised_is_asked_again_next_time(mode: str) -> None:
    faults = iter([True, False])

    def does(question: Question) -> Any:
        if next(faults):
            raise KeyError("once")
        return question.default

    player = Writer(does)
    result, log = play(ToyGame(turns=5), [player, Writer(), Writer(), Writer()], mode=mode)
    assert [answer.verdict for answer in log.of(0)] == [Verdict.GONE, Verdict.OK]
    assert result.seats[0].state == "idle"


@pytest.mark.parametrize("mode", MODES)
def test_a_player_that_has_gone_is_never_entered_again(mode: str) -> None:
    player = Writer(_raises(PlayerGone("exit code 1")))
    result, log = play(ToyGame(turns=9), [player, Writer(), Writer(), Writer()], mode=mode)
    assert len(player.asked) == 1 and player.diary[-1] == ("asked", 4)
    assert [answer.reason for answer in log.of(0)] == ["exit code 1"] * 3
    assert result.seats[0].state == "gone" and result.seats[0].verdicts == {Verdict.GONE: 3}


@pytest.mark.parametrize("mode", MODES)
def test_a_fault_while_hearing_costs_the_next_question_only(mode: str) -> None:
    class Picky(Writer):
        def hear(self, event: Any) -> None:
            super().hear(event)
            if event == ("act", 2, "keep") and self.heard.count(event) == 1:
                raise RuntimeError("cannot hear this")

    game, player = ToyGame(turns=13), Picky()
    _, log = play(game, [Writer(), player, Writer(), Writer()], mode=mode)
    assert [answer.verdict for answer in log.of(1)] == [Verdict.OK, Verdict.GONE, Verdict.OK]
    assert log.of(1)[1].reason == "RuntimeError: cannot hear this (while hearing an event)"
    assert player.heard == [game.masked(n, 1) for n in range(len(game.events))]


@pytest.mark.parametrize("mode", MODES)
def test_a_player_that_goes_while_hearing_hears_no_more(mode: str) -> None:
    class Leaver(Writer):
        def hear(self, event: Any) -> None:
            super().hear(event)
            if event == ("act", 2, "keep"):
                raise PlayerGone("closed")

    player = Leaver()
    _, log = play(ToyGame(turns=9), [Writer(), player, Writer(), Writer()], mode=mode)
    assert player.heard[-1] == ("act", 2, "keep")
    assert [answer.reason for answer in log.of(1)] == ["", "closed"]


@pytest.mark.parametrize("mode", MODES)
def test_on_fault_forfeit_plays_defaults_for_the_rest(mode: str) -> None:
    player = Writer(_only("claim"))
    result, log = play(ToyGame(turns=9), [player, Writer(), Writer(), Writer()], mode=mode, on_fault="forfeit")
    assert len(player.asked) == 1 and result.ending is Ending.OVER
    assert [answer.verdict for answer in log.of(0)] == [Verdict.ILLEGAL, Verdict.GONE, Verdict.GONE]
    assert log.of(0)[1].reason.startswith("forfeited, illegal at question 4: 'claim' is not among")


@pytest.mark.parametrize("mode", MODES)
def test_on_fault_void_stops_the_game_before_it_is_ruled_on(mode: str) -> None:
    game = ToyGame(turns=9)
    players = [Writer(), Writer(_only("claim")), Writer(), Writer()]
    result, log = play(game, players, mode=mode, on_fault="void")
    assert result.ending is Ending.VOID and result.turns == 2 and len(game.ruled) == 1
    assert result.reason.startswith("seat 1, illegal at question 9")
    assert log.every[-1].verdict is Verdict.ILLEGAL and table_threads() == []


def test_a_long_reason_is_cut() -> None:
    _, log = play(ToyGame(turns=1), [Writer(_only("x\n" * 5000)), Writer(), Writer(), Writer()], mode="inline")
    assert len(log.every[0].reason) < 250 and "\n" not in log.every[0].reason


@pytest.mark.parametrize("mode", MODES)
def test_a_reason_that_no_file_can_hold_is_written_as_well_as_it_can_be(mode: str) -> None:
    """Half a character, as `"\\ud800"` is, cannot be encoded: no record could say why its seat is blamed."""
    players = [Writer(_raises(ValueError("a \ud800 b"))), Writer(), Writer(), Writer()]
    _, log = play(ToyGame(turns=1), players, mode=mode)
    assert (log.every[0].verdict, log.every[0].reason) == (Verdict.GONE, "ValueError: a ? b")


@pytest.mark.parametrize("mode", MODES)
def test_a_thread_that_recurses_without_end_is_the_players_fault(mode: str) -> None:
    def does(question: Question) -> Any:
        return does(question)

    before = sys.getrecursionlimit()
    _, log = play(ToyGame(turns=1), [Writer(does), Writer(), Writer(), Writer()], mode=mode)
    assert log.every[0].verdict is Verdict.GONE and log.every[0].reason.startswith("RecursionError")
    assert sys.getrecursionlimit() == before


@pytest.mark.parametrize("settings", [{"mode": "inline"}, {"mode": "resident", "prompt": (0,)}])
def test_the_judges_thread_lets_ctrl_c_through_and_blames_nobody(settings: dict[str, Any]) -> None:
    """In the judge's thread a KeyboardInterrupt is the person's at the keyboard, not the player's."""
    players = [Writer(_raises(KeyboardInterrupt())), *(dice(seat) for seat in range(3))]
    with pytest.raises(KeyboardInterrupt):
        play(ToyGame(turns=1), players, **settings)
    assert table_threads() == []


@pytest.mark.parametrize("mode", MODES)
def test_the_report_counts_every_question_once(mode: str) -> None:
    players = [dice(0), Writer(_only("claim")), Writer(_raises(KeyError(1))), dice(3)]
    result, log = play(ToyGame(turns=30), players, mode=mode)
    for report in result.seats:
        mine: list[Answer] = log.of(report.seat)
        assert sum(report.verdicts.values()) == len(mine)
        assert report.total == pytest.approx(sum(answer.used for answer in mine))
        assert report.longest == max(answer.used for answer in mine)


class Once(Tsumogiri):
    """Answers its first question with this, or raises it; discards what it draws after that."""

    def __init__(self, given: object) -> None:
        self.given: object = given

    def answer(self, question: Question) -> Action:
        given, self.given = self.given, None
        if isinstance(given, Exception):
            raise given
        return super().answer(question) if given is None else given


def game_of(rules: str = "tenhou", **settings: str) -> RiichiGame:
    law = ruleset.with_settings(ruleset.preset(rules), {"game.length": "tonpu"} | settings)
    return RiichiGame(law, walls_from("9", 0, law), ("a", "b", "c", "d"))


def played(game: RiichiGame, first: Player, mode: str = "inline") -> tuple[list[ChomboDraw], Log]:
    log = Log()
    Judge(game, [first, *(Tsumogiri() for _ in range(3))], mode=mode, on_fault="chombo", watches=[log]).run()
    return [event for event in game.events if isinstance(event, ChomboDraw)], log


@cases(
    "given, verdict",
    (RON, Verdict.ILLEGAL),
    (CHOMBO, Verdict.MALFORMED),
    ("?", Verdict.MALFORMED),
    (PlayerUnreadable("?"), Verdict.MALFORMED),
)
def test_what_cannot_be_used_is_a_chombo(given: object, verdict: str) -> None:
    chombos, log = played(game_of(), Once(given))
    assert [draw.offender for draw in chombos] == [0]
    assert (log.of(0)[0].verdict, log.of(0)[0].action) == (verdict, CHOMBO)


@cases(
    "given, verdict", (PlayerSilent("late"), "silent"), (PlayerGone("left"), "gone"), (RuntimeError("a bug"), "gone")
)
def test_time_disconnects_and_crashes_are_none(given: object, verdict: str) -> None:
    chombos, log = played(game_of(), Once(given))
    assert not chombos and log.of(0)[0].verdict == verdict


def test_the_report_of_a_fault_says_so() -> None:
    judge = Judge(game_of(), [Once(RON), *(Tsumogiri() for _ in range(3))], mode="inline", on_fault="chombo")
    (report,) = reports_of(judge.run(), range(4), "abcd", 0, ["東1局"] * 40, "")
    assert report.cause.endswith("was not offered; that is a chombo")


def test_it_is_the_same_in_every_mode() -> None:
    games = [game_of() for _ in MODES]
    for game, mode in zip(games, MODES, strict=True):
        assert played(game, Cheat(), mode)[0]
    assert games[0].events == games[1].events == games[2].events


def test_a_seat_can_end_only_so_many_kyoku() -> None:
    """Nobody falls below zero in M.League, and the same kyoku is dealt again: without a limit it would never end."""
    game = game_of("mleague")
    chombos, log = played(game, Cheat())
    assert len(chombos) == MOST_CHOMBOS and game.over
    assert [answer.action is CHOMBO for answer in log.of(0)[MOST_CHOMBOS - 1 : MOST_CHOMBOS + 1]] == [True, False]
    assert game.events[-1].tenths[0] == sum(-other for other in game.events[-1].tenths[1:]) - 200 * MOST_CHOMBOS


def test_a_game_without_chombo_refuses_it() -> None:
    with pytest.raises(BadInput, match=r"on_fault: this game knows no chombo; allowed are default, forfeit, void$"):
        play(ToyGame(), [Writer() for _ in range(4)], on_fault="chombo")
