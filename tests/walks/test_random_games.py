"""Random games under random rules: every law after every event, and every law can be seen to be broken; also where a
player is too slow (S-38)."""

import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.port import Action, Choice, Question, Turn, Verdict
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock
from jantaku.table.riichi import actions, events, game, ruleset
from jantaku.table.riichi.actions import RON
from jantaku.table.riichi.flow import kyoku
from jantaku.table.riichi.line import read_line
from jantaku.table.riichi.pieces.tiles import KINDS, TILE
from jantaku.table.riichi.pieces.wall import Wall
from tests.kit.pace import SOON, THREADED, UNIT
from tests.kit.position import table
from tests.walks import fuzz, seats
from tests.walks.laws import Remembered, Violation
from tests.walks.play import FuzzedGame, play, rules_of


@pytest.mark.long
def test_no_law_is_broken_in_random_games() -> None:
    """Tiles and points are conserved, options are exact, nothing hidden is seen, records drive the same game."""
    games = []

    @settings(derandomize=True, max_examples=8, database=None)
    @given(st.integers(1, 10**6), st.sampled_from((4, 3)))
    def one(number: int, players: int) -> None:
        games.append(play(f"test {number}", players=players, tries=0.005, verified=1.0))

    one()
    total = sum(games, FuzzedGame())
    assert total.verified == len(games)
    # Were they all over at once, this would show nothing.
    assert total.kyoku >= 25 and total.wins and total.draws and total.questions > 1000 and total.refused


def test_rules_are_drawn_from_all_that_is_allowed() -> None:
    """Every key with few values takes each of them in some game."""
    drawn = [rules_of(f"rules {number}") for number in range(200)]
    assert {rules.ron.max_winners for rules in drawn} == {1, 2, 3}
    assert {rules.game.extension for rules in drawn} == {"none", "sudden-death", "renchan-first", "four-kyoku"}
    assert {rules.tiles.red_p for rules in drawn} == {0, 1, 2, 3, 4}
    assert {len(rules.abort.renchan) for rules in drawn} == {0, 1, 2, 3, 4, 5}
    assert rules_of("x") == rules_of("x")


def broken(**how: float) -> str:
    """The words of the violation that one of ten games comes to."""
    for number in range(10):
        try:
            play(f"broken {number}", players=4, **{"tries": 0, "cheats": 0, **how})
        except Violation as violation:
            return str(violation)
    pytest.fail("no law was broken")


def test_a_tile_from_nowhere_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def walls_from(*words: Any) -> game.Walls:
        dealt = game.walls_from(*words)

        def forged(at: Any) -> Wall:
            first, *rest = dealt(at).tiles
            return Wall.from_tiles([(first + 1) % KINDS, *rest])

        return forged

    monkeypatch.setattr("tests.walks.play.walls_from", walls_from)
    words = broken()
    assert "136 tiles are conserved" in words
    assert "seed 'broken 0'" in words and "rules: tenhou with" in words


def test_points_from_nowhere_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kyoku, "noten_payments", lambda shown, penalty: (100, 0, 0, 0))
    assert "points and sticks are conserved" in broken()


def test_a_hidden_tile_that_is_told_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    masked = Remembered.masked

    def leaks(played: Remembered, index: int, seat: int) -> Any:
        return played.events[index] if index == 2 else masked(played, index, seat)

    monkeypatch.setattr(Remembered, "masked", leaks)
    assert "no hidden tile is held" in broken()


def test_an_option_that_is_not_there_for_the_seat_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = Remembered.turn

    def generous(played: Remembered) -> Turn | None:
        found = turn(played)
        return found and Turn(found.seat, Choice((RON, *found.choice.options), found.choice.default))

    monkeypatch.setattr(Remembered, "turn", generous)
    assert "a seat's own view comes to the same options" in broken()


def test_a_seat_that_could_react_and_is_not_asked_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Remembered, "reacting", lambda played: [])
    assert "whoever may do something is asked" in broken()


def test_an_offered_option_that_the_game_cannot_play_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = Remembered.rule

    def refuses(played: Remembered, responses: Any) -> None:
        assert RON not in responses, "a ron is offered but not ruled on"
        rule(played, responses)

    monkeypatch.setattr(Remembered, "rule", refuses)
    assert "a ron is offered but not ruled on" in broken(tries=0.2)


@pytest.mark.long
def test_the_command_counts_and_tells(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 0 without a violation, 1 with one, 2 for a number that means nothing."""
    assert fuzz.main(["--game", "3", "--seed", "test"]) == 0
    assert capsys.readouterr().out.strip().endswith(" 0 violations")
    monkeypatch.setattr(kyoku, "noten_payments", lambda shown, penalty: (100, 0, 0, 0))
    assert fuzz.main(["--kyoku", "30", "--seed", "broken"]) == 1
    assert "points and sticks are conserved" in capsys.readouterr().out
    assert fuzz.main(["--kyoku", "0"]) == 2


def test_a_line_with_other_options_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "read_line", lambda line: read_line(line.replace("tenhou", "showa")))
    monkeypatch.setattr("tests.walks.play.rules_of", lambda seed, players: ruleset.preset("tenhou"))
    assert "a line comes back, with the same options" in broken()


LIMIT = Clock(turn=UNIT, reaction=UNIT, margin=UNIT)


class Gated(Tsumogiri):
    """Blocks in the questions that `when` picks, until its gate opens; then answers as `does` says."""

    def __init__(self, when: Callable[[Question], bool], does: Callable[[Question], Action]) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.asked: list[Question] = []
        self._when, self._does = when, does

    def answer(self, question: Question) -> Action:
        self.asked.append(question)
        if self._when(question):
            assert self.gate.wait(SOON)
        return self._does(question)


def takes(*wanted: type) -> Callable[[Question], Action]:
    return lambda question: next((each for each in question.options if isinstance(each, wanted)), question.default)


@pytest.mark.parametrize("mode", THREADED)
@pytest.mark.simulated
def test_a_winner_over_its_time_has_passed_and_is_furiten(mode: str) -> None:
    """S-38 and S-77: 南 could win on 東's z7, says nothing in time, and may not win on 西's z7 in the same go-round."""
    t = table(["m123456p4689s19z7", "m234s234p234567z7", "m123456p4689s19z7"], draws="s5 s5 s6 s6", dora="m9")
    game = t.game
    slow = Gated(lambda question: actions.RON in question.options, takes(actions.Ron))
    dragons = [Gated(lambda _: False, _lets_the_dragon_go) for _ in range(2)]
    watch = _StopAfter(4)
    judge = Judge(game, [dragons[0], slow, dragons[1], Tsumogiri()], mode=mode, clock=LIMIT, watches=[watch])
    watch.judge = judge
    result = judge.run()
    slow.gate.set()
    thrown = [event.seat for event in game.events if isinstance(event, events.TileDiscard) and event.tile == TILE["z7"]]
    assert thrown == [0, 2], "both have discarded 南's winning tile"
    assert not any(isinstance(event, events.Win) for event in game.events)
    assert sum(actions.RON in question.options for question in slow.asked) == 1
    assert result.seats[1].verdicts.get(Verdict.SILENT, 0) >= 1
    assert Verdict.SILENT not in result.seats[0].verdicts


def _lets_the_dragon_go(question: Question) -> Action:
    """Discards z7 from the hand where that is offered."""
    wanted = actions.Discard(TILE["z7"])
    return wanted if wanted in question.options else question.default


class _StopAfter:
    def __init__(self, discards: int) -> None:
        self.judge: Judge | None = None
        self._left = discards

    def events(self, new: Sequence[Any]) -> None:
        self._left -= sum(isinstance(event, events.TileDiscard) for event in new)
        if self.judge and self._left <= 0:
            self.judge.stop()

    def answers(self, turn: int, answers: Sequence[Any]) -> None: ...
