"""A test that uses the judge itself: a slow bot is cut off, the others are not affected."""

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.players.broken.slow import Slow
from jantaku.table.ground.port import Verdict
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.ruleset import preset, with_settings


def test_a_slow_bot_is_cut_off() -> None:
    rules = with_settings(preset("tenhou"), {"game.length": "one"})
    game = RiichiGame(rules, walls_from("7", 0, rules), ("slow", "b", "c", "d"))
    players = [Slow(seconds=3), Tsumogiri(), Tsumogiri(), Tsumogiri()]
    clocks = [Clock(turn=0.2, reaction=0.2), *[Clock(turn=60, reaction=60)] * 3]
    result = Judge(game, players, clock=clocks).run()
    assert result.seats[0].verdicts.keys() <= {Verdict.SILENT, Verdict.LATE, Verdict.NOT_ASKED}
    assert result.seats[1].verdicts.keys() <= {Verdict.OK, Verdict.OK_MARGIN}
