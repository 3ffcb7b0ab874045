"""Three in mjai: every event comes back, every option can be replied with, what is forbidden a fault."""

from typing import Any

import pytest

from jantaku.players.bots.shanten import Shanten
from jantaku.table.ground.port import Question, Verdict
from jantaku.table.judge.judge import Judge
from jantaku.table.languages.wire.dialects import dialects_of
from jantaku.table.languages.wire.mjai import MjaiLines
from jantaku.table.riichi import actions, events, ruleset
from jantaku.table.riichi.pieces.melds import chi
from tests.languages.wire.driving import ask, game_of, question
from tests.languages.wire.test_both_ways import Listed, Spy, played, read_back

RULES = ruleset.resolve("tenhou-3p").rules


@pytest.mark.parametrize("name", dialects_of(3))
def test_a_seat_reads_back_all_that_it_was_told(name: str) -> None:
    kinds = set().union(*(read_back(name, played(RULES, player), player) for player in range(3)))
    assert {events.NorthAside, events.MeldCall, events.Win, events.Ryukyoku, events.Riichi} <= kinds


@pytest.mark.parametrize("name", ["mjai", "mjai-lines"])
def test_every_option_can_be_replied_with(name: str) -> None:
    spies = [Spy(name, seed) for seed in range(3)]
    played(RULES, 29, *spies)
    said = set().union(*(spy.said for spy in spies))
    assert {actions.SetAside, actions.Discard, actions.Call, actions.Pass, actions.Tsumo} <= said


def test_a_north_that_may_be_set_aside_is_listed_and_there_is_no_chi() -> None:
    players = [Listed() for _ in range(3)]
    played(RULES, 29, *players)
    listed = set().union(*(player.listed for player in players))
    assert "nukidora" in listed and "chi" not in listed


@pytest.mark.parametrize("kind", ["nukidora", "kita"])
def test_both_words_for_a_north_are_understood(kind: str) -> None:
    dialect, game = MjaiLines(), game_of("1", RULES)
    for index in range(len(game.events)):
        dialect.tell(game.masked(index, 0))
    put = question(actions.SET_ASIDE, actions.Discard(1))
    _, action = ask(dialect, put, b'{"type":"%s","actor":%d,"pai":"N"}' % (kind.encode(), dialect.me))
    assert action == actions.SET_ASIDE


@pytest.mark.parametrize("said", [actions.SET_ASIDE, actions.Call(chi(1, 2, 3)), actions.Discard(1)])
def test_what_is_not_allowed_is_the_fault_of_the_seat(said: Any) -> None:
    """A north that is not there, chi, and the second of characters."""

    class Forger(Shanten):
        forged = False

        def answer(self, asked: Question) -> Any:
            if not self.forged and said not in asked.options:
                self.forged = True
                return said
            return super().answer(asked)

    seats = Forger(), Shanten(), Shanten()
    result = Judge(game_of("1", RULES), seats, mode="inline").run()
    faults = [{verdict: n for verdict, n in seat.verdicts.items() if verdict != Verdict.OK} for seat in result.seats]
    assert faults == [{Verdict.ILLEGAL: 1}, {}, {}]
