"""Each broken player has its vice, always, and no other."""

import threading
import time

import pytest

from jantaku.players.base import RiichiPlayer
from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.players.broken.cheat import Cheat
from jantaku.players.broken.crash import Crash
from jantaku.players.broken.forgetful import Forgetful
from jantaku.players.broken.quitter import Quitter
from jantaku.players.broken.silly import NONSENSE, Silly
from jantaku.players.broken.slow import Slow
from jantaku.players.broken.stuck import Stuck, let_all_go
from jantaku.table.ground.port import Action, Question
from jantaku.table.riichi.actions import DISCARDS, PASS, RON, TSUMOGIRI, RiichiAction
from tests.broken import bots
from tests.broken.catalogue import VICES, ViceMoment
from tests.kit.cases import cases
from tests.kit.pace import SOON
from tests.players.driving import new_game, play, question_for


def own_turn(drawn: str = "s9") -> Question:
    return question_for(Tsumogiri(), "m123456 p1345 z123", drawn=drawn)


def reaction() -> Question:
    return question_for(Tsumogiri(), "m123456 p1345 z122", seat=1, passed="z2")


def test_slow_sleeps_before_every_answer_and_then_plays_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    assert Slow().answer(own_turn()) == own_turn().default
    player = Slow(seconds=0.25)
    assert [player.answer(reaction()), player.answer(reaction())] == [PASS, PASS]
    assert slept == [2.0, 0.25, 0.25]


def asked_in_a_thread(player: Stuck) -> tuple[threading.Thread, list[Action]]:
    answers: list[Action] = []
    question = own_turn()
    thread = threading.Thread(target=lambda: answers.append(player.answer(question)), daemon=True)
    thread.start()
    assert player.inside.wait(SOON)
    return thread, answers


def test_stuck_does_not_answer_until_it_is_let_go() -> None:
    player = Stuck()
    thread, answers = asked_in_a_thread(player)
    assert thread.is_alive()
    assert answers == []
    player.let_go()
    thread.join(SOON)
    assert answers == [own_turn().default]
    assert player.answer(reaction()) == PASS


def test_all_stuck_players_can_be_let_go_at_once() -> None:
    started = [asked_in_a_thread(Stuck()) for _ in range(2)]
    let_all_go()
    for thread, answers in started:
        thread.join(SOON)
        assert answers == [own_turn().default]


def test_a_stuck_player_that_is_let_go_leaves_the_others_stuck() -> None:
    kept, freed = Stuck(), Stuck()
    thread, answers = asked_in_a_thread(kept)
    freed.let_go()
    assert answers == []
    kept.let_go()
    thread.join(SOON)
    assert len(answers) == 1


def test_crash_raises_in_every_question() -> None:
    player = Crash()
    for question in (own_turn(), reaction()):
        with pytest.raises(RuntimeError, match="crash in question 1"):
            player.answer(question)


def test_quitter_tries_to_end_the_program() -> None:
    with pytest.raises(SystemExit, match="quit in question 1"):
        Quitter().answer(own_turn())


def test_cheat_answers_with_an_action_that_is_not_an_option() -> None:
    """In its turn a tile that it does not hold, else a ron that it does not have."""
    player, turn = Cheat(), own_turn()
    answer = player.answer(turn)
    assert isinstance(answer, RiichiAction)
    assert answer == DISCARDS[6]
    assert answer not in turn.options
    assert player.answer(reaction()) == RON
    assert RON not in reaction().options


def test_cheat_cheats_even_where_it_might_win() -> None:
    question = question_for(Tsumogiri(), "m234 p234 s23488 p67", seat=1, passed="p8")
    assert RON in question.options
    answer = Cheat().answer(question)
    assert isinstance(answer, RiichiAction)
    assert answer not in question.options


def test_silly_answers_with_nothing_that_is_an_action() -> None:
    player, question = Silly(), own_turn()
    answers = [player.answer(question) for _ in range(2 * len(NONSENSE))]
    assert answers == [*NONSENSE, *NONSENSE]
    assert answers[0] is None
    assert not any(isinstance(answer, RiichiAction) for answer in answers)


def test_forgetful_is_one_question_behind() -> None:
    player, first, second = Forgetful(), own_turn("s9"), own_turn("s8")
    assert player.answer(first) == first.default
    assert player.answer(second) == first.default == TSUMOGIRI[26]
    assert first.default not in second.options
    assert player.answer(reaction()) == second.default


@pytest.mark.parametrize("broken", [Slow, Stuck])
def test_apart_from_the_time_it_takes_a_broken_player_is_a_tsumogiri(
    broken: type[RiichiPlayer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    players = [broken() for _ in range(4)]
    let_all_go()
    game = play(new_game("broken"), players)
    assert game.events == play(new_game("broken"), [Tsumogiri() for _ in range(4)]).events


def test_each_vice_of_a_bot_has_a_class_beside_its_function() -> None:
    assert {one.name: getattr(bots, one.kind).vice for one in VICES["bot"].values()} == VICES["bot"]


@cases("moment, shows", ("turn", [1]), ("reaction", [2]), ("every-2", [2, 4]), ("start", []))
def test_a_moment_comes_once_unless_it_is_every_so_many_decisions(moment: str, shows: list[int]) -> None:
    when = ViceMoment(moment)
    asked = enumerate([own_turn(), reaction(), own_turn(), reaction()], 1)
    assert [number for number, question in asked if when.is_now([], question.choice)] == shows
