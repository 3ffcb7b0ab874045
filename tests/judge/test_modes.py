"""The same turn run in three ways (S-40 to S-43): what comes out does not depend on the way."""

import threading
import time
from typing import Any

import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Choice, Question, Turn, Verdict
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.result import Ending
from jantaku.table.judge.timing import Clock
from tests.judge.players import Writer, always, dice, play
from tests.kit.cases import cases
from tests.kit.pace import MODES, SOON, THREADED
from tests.kit.toy import MOVES, ToyGame


def _moves(turn: int) -> tuple[str, ...]:
    return MOVES if turn % 3 else ("show",)


def _untimed(log: Any) -> list[tuple[Any, ...]]:
    return [(turn, a.seat, a.question, a.action, a.verdict, a.reason) for turn, told in log.told for a in told]


def test_all_three_modes_give_the_same_events_answers_and_diaries() -> None:
    seen = []
    for mode in MODES:
        game, players = ToyGame(turns=40, moves=_moves), [dice(seat) for seat in range(4)]
        result, log = play(game, players, mode=mode)
        assert result.ending is Ending.OVER and result.turns == 40
        # Which events a seat has heard when it is asked is part of this; only the batches may differ.
        seen.append((game.events, log.seen, _untimed(log), [player.diary for player in players]))
    assert seen[0] == seen[1] == seen[2]
    assert seen[0][0] == seen[0][1]
    assert {answer[3] for answer in seen[0][2]} == {"keep", "offer", "show", "pass", "claim", "shout"}


@pytest.mark.parametrize("mode", MODES)
def test_a_reactor_hears_the_action_before_it_is_asked_about_it(mode: str) -> None:
    game, players = ToyGame(turns=1), [always("show"), always("claim"), always("pass"), always("shout")]
    play(game, players, mode=mode)
    assert game.ruled == [(None, "claim", "pass", "shout")]
    for seat in (1, 2, 3):
        diary = players[seat].diary
        assert diary.index(("asked", 4 + seat)) == diary.index(("hear", ("act", 0, "show"))) + 1
    assert players[0].diary.index(("asked", 4)) == 2  # after the start and its own draw, before its action


@pytest.mark.parametrize("mode", THREADED)
def test_everybody_hears_of_a_new_round_before_anybody_is_asked_in_it(mode: str) -> None:
    heard: dict[int, list[int]] = {}

    def asked(question: Question) -> Any:
        heard.setdefault(question.id // 4, [len(game.events) - len(player.heard) for player in players])
        return question.default

    game = ToyGame(turns=6, moves=lambda turn: ("keep", "offer"))
    players = [Writer(asked) for _ in range(4)]
    play(game, players, mode=mode)
    assert heard[5] == [0, 0, 0, 0], "a round has four turns"
    assert heard[6] != [0, 0, 0, 0], "within a round who is not asked hears later"


@pytest.mark.parametrize("mode", MODES)
def test_a_choice_with_one_option_is_not_asked(mode: str) -> None:
    game, players = ToyGame(turns=4, moves=lambda turn: ("keep",)), [Writer() for _ in range(4)]
    result, log = play(game, players, mode=mode)
    assert result.turns == 4 and log.told == []
    assert [player.asked for player in players] == [[], [], [], []]
    assert game.ruled[0] == (None, "pass", None, None)


@pytest.mark.parametrize("mode", MODES)
def test_a_choice_that_always_asks_is_put_even_with_one_option(mode: str) -> None:
    class Formal(ToyGame):
        def turn(self) -> Turn | None:
            turn = super().turn()
            return turn and Turn(turn.seat, Choice(turn.choice.options, turn.choice.default, always=True))

    players = [Writer() for _ in range(4)]
    _, log = play(Formal(turns=4, moves=lambda turn: ("keep",)), players, mode=mode)
    assert [answer.seat for answer in log.every] == [0, 1, 2, 3]


@pytest.mark.parametrize("mode", MODES)
def test_a_player_that_does_not_listen_is_not_told(mode: str) -> None:
    deaf = always("show")
    deaf.listens = False  # type: ignore[attr-defined]
    play(ToyGame(turns=5), [deaf, always("pass"), Writer(), Writer()], mode=mode)
    assert deaf.heard == [] and deaf.asked


def test_threads_are_named_by_table_seat_and_turn() -> None:
    """S-40: four threads per turn; resident seats keep one; inline has none but the caller's."""
    names: dict[str, list[set[str]]] = {}
    for mode in MODES:
        players = [always("show") for _ in range(4)]
        play(ToyGame(turns=2), players, mode=mode, table=7)
        names[mode] = [player.threads for player in players]
    assert names["per-turn"] == [{f"T7-s{seat}-t1", f"T7-s{seat}-t2"} for seat in range(4)]
    assert names["resident"] == [{f"T7-s{seat}"} for seat in range(4)]
    assert names["inline"] == [{threading.current_thread().name}] * 4


def test_a_prompt_player_of_a_resident_table_is_asked_by_the_judges_thread() -> None:
    """Others have threads of their own beside it, and per-turn starts four threads whoever sits there."""
    names: dict[str, list[set[str]]] = {}
    for mode in THREADED:
        players = [always("show") for _ in range(4)]
        play(ToyGame(turns=2), players, mode=mode, table=7, prompt=(0, 2))
        names[mode] = [player.threads for player in players]
    here = {threading.current_thread().name}
    assert names["resident"] == [here, {"T7-s1"}, here, {"T7-s3"}]
    assert names["per-turn"] == [{f"T7-s{seat}-t1", f"T7-s{seat}-t2"} for seat in range(4)]


def test_a_table_of_prompt_players_gives_the_same_game_without_a_thread() -> None:
    seen = []
    for prompt in ((), (1, 3), range(4)):
        game, players = ToyGame(turns=40, moves=_moves), [dice(seat) for seat in range(4)]
        _, log = play(game, players, mode="resident", prompt=prompt, clock=Clock(turn=SOON, reaction=SOON))
        seen.append((game.events, _untimed(log), [player.heard for player in players]))
    assert seen[0] == seen[1] == seen[2]


def test_a_prompt_player_that_is_late_after_all_is_judged_by_its_time() -> None:
    """Nobody can cut it off: the game goes on once it has answered, with the default."""

    def slowly(_: Question) -> str:
        time.sleep(0.05)
        return "show"

    clock = Clock(turn=0.001, reaction=SOON, margin=0.0)
    players = [Writer(slowly), *(dice(seat) for seat in range(3))]
    _, log = play(ToyGame(turns=1), players, mode="resident", prompt=(0,), clock=clock)
    (answer,) = log.of(0)
    assert (answer.verdict, answer.action) == (Verdict.LATE, "keep") and "0.0" in answer.reason


def test_four_threads_are_started_in_every_turn_even_if_only_to_hear() -> None:
    class Where(Writer):
        def hear(self, event: Any) -> None:
            self.threads.add(threading.current_thread().name)

    players = [Where() for _ in range(4)]
    play(ToyGame(turns=3, moves=lambda turn: ("keep",)), players, mode="per-turn")
    for seat, player in enumerate(players):
        assert player.threads == {f"T1-s{seat}-{turn}" for turn in ("t1", "t2", "t3", "end")}


@pytest.mark.parametrize("mode", THREADED)
@pytest.mark.parametrize("order", [(1, 2, 3), (3, 2, 1), (2, 3, 1)])
def test_the_order_in_which_answers_arrive_changes_nothing(mode: str, order: tuple[int, ...]) -> None:
    """S-43: each reactor may only answer after the one before it in `order` has answered."""
    gates = {seat: threading.Event() for seat in order}
    after = dict(zip(order[1:], order, strict=False))

    def reactor(seat: int, wish: str) -> Writer:
        def does(question: Question) -> str:
            if seat in after:
                assert gates[after[seat]].wait(SOON)
            gates[seat].set()
            return wish

        return Writer(does)

    game = ToyGame(turns=1)
    players = [always("show"), reactor(1, "pass"), reactor(2, "claim"), reactor(3, "claim")]
    result, log = play(game, players, mode=mode)
    assert game.ruled == [(None, "pass", "claim", "claim")]
    assert [answer.seat for answer in log.every] == [0, 1, 2, 3]
    assert all(report.verdicts == {Verdict.OK: 1} for report in result.seats)


def test_watches_are_told_in_the_judges_thread_answers_before_what_they_led_to() -> None:
    told: list[str] = []

    class Order:
        def events(self, new: Any) -> None:
            told.extend(str(event[0]) for event in new)

        def answers(self, turn: int, answers: Any) -> None:
            told.append(f"answers {turn}")

    judge = Judge(ToyGame(turns=1), [Writer() for _ in range(4)], watches=[Order()])
    judge.run()
    assert told == ["start", "draw", "answers 1", "act", "ruling", "end"]


@cases(
    "settings, message",
    ({"mode": "parallel"}, "'parallel'.*per-turn, resident, inline"),
    ({"on_fault": "shoot"}, "'shoot'.*forfeit"),
)
def test_an_unknown_word_is_refused_with_the_allowed_ones(settings: dict[str, str], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Judge(ToyGame(), [Writer() for _ in range(4)], **settings)  # type: ignore[arg-type]


def test_five_players_or_one_player_twice_are_refused() -> None:
    with pytest.raises(BadInput, match="5 given for the 4 seats"):
        Judge(ToyGame(), [Writer() for _ in range(5)])
    twice = Writer()
    with pytest.raises(BadInput, match="seats 0 and 2 share one object"):
        Judge(ToyGame(), [twice, Writer(), twice, Writer()])
