"""`on_fault = "chombo"`: an answer that cannot be used ends the kyoku; for any other fault the default is played."""

import pytest

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.players.broken.cheat import Cheat
from jantaku.table.ground.errors import BadInput, PlayerGone, PlayerSilent, PlayerUnreadable
from jantaku.table.ground.port import Action, Player, Question, Verdict
from jantaku.table.judge.judge import MOST_CHOMBOS, Judge
from jantaku.table.play.outcome import reports_of
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.actions import CHOMBO, RON
from jantaku.table.riichi.events import ChomboDraw
from jantaku.table.riichi.game import RiichiGame, walls_from
from tests.judge.players import Log, Writer, play
from tests.kit.modes import MODES
from tests.kit.toy import ToyGame


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


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        (RON, Verdict.ILLEGAL),
        (CHOMBO, Verdict.MALFORMED),
        ("?", Verdict.MALFORMED),
        (PlayerUnreadable("?"), Verdict.MALFORMED),
    ],
)
def test_what_cannot_be_used_is_a_chombo(given: object, verdict: str) -> None:
    chombos, log = played(game_of(), Once(given))
    assert [draw.offender for draw in chombos] == [0]
    assert (log.of(0)[0].verdict, log.of(0)[0].action) == (verdict, CHOMBO)


@pytest.mark.parametrize(
    ("given", "verdict"),
    [(PlayerSilent("late"), "silent"), (PlayerGone("left"), "gone"), (RuntimeError("a bug"), "gone")],
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
