"""A bot may do to its question whatever it likes: what is weighed is not what it holds. Looking at a player runs its
code already, and what goes wrong there is its own fault."""

import asyncio
import copy
import pickle
import random
from collections.abc import Callable
from typing import Any
from unittest.mock import ANY

import msgspec
import pytest

from jantaku.table.daifugo import rules as daifugo
from jantaku.table.daifugo.game import DaifugoGame, deals_from
from jantaku.table.daifugo.plays import PASS as DAIFUGO_PASS
from jantaku.table.daifugo.plays import Put
from jantaku.table.ground.choice import Choice
from jantaku.table.ground.errors import PlayersNotReady
from jantaku.table.ground.port import Action, Answer, Player, PlayerWrapper, Port, Question, Verdict, port_of
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.actions import DISCARDS, KYUUSHU, RIICHI_DISCARDS, TSUMO, Call, Kan
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.law.legal import AfterDraw
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import full_set, mask_of
from tests.judge.players import Log, Writer
from tests.judge.test_starting import Elsewhere
from tests.kit.pace import MODES, SOON
from tests.kit.toy import ToyGame


class _Injects:
    """Adds an action to its question, makes it the default as well, and answers it."""

    def __init__(self, injected: Action) -> None:
        self._injected = injected

    def hear(self, event: Any) -> None:
        pass

    def answer(self, question: Question) -> Action:
        choice: Any = question.choice
        for name, value in (("_options", (*question.options, self._injected)), ("_default", self._injected)):
            setattr(choice, name, value)
        question._id = 0
        return self._injected


class _Listens:
    def hear(self, event: Any) -> None:
        pass

    def answer(self, question: Question) -> Action:
        return question.default


def _play(game: Any, injected: Any, mode: str) -> Log:
    log = Log()
    clock = None if mode == "inline" else Clock(turn=10, reaction=10)
    players: list[Player] = [_Injects(injected), *(_Listens() for _ in range(game.seats - 1))]
    Judge(game, players, mode=mode, clock=clock, watches=[log]).run()
    return log


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("injected", [KYUUSHU, TSUMO, RIICHI_DISCARDS[33], DISCARDS[0]])
def test_an_option_that_a_bot_adds_is_illegal_in_riichi(injected: Any, mode: str) -> None:
    rules = ruleset.with_settings(ruleset.resolve(ruleset.DEFAULT).rules, {"game.length": "one"})
    game = RiichiGame(rules, walls_from("7", 0, rules), ("a", "b", "c", "d"))
    verdicts = {answer.verdict for answer in _play(game, injected, mode).of(0)}
    assert Verdict.ILLEGAL in verdicts and verdicts <= {Verdict.ILLEGAL, Verdict.OK}


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES)
def test_cards_that_a_bot_adds_are_illegal_in_daifugo(mode: str) -> None:
    rules = daifugo.FILES.resolve(daifugo.DEFAULT).rules
    seats = rules.game.seats
    game = DaifugoGame(rules, deals_from("7", 0, seats), tuple("abcdefgh"[:seats]))
    answers = _play(game, Put((0, 1, 2, 3, 4, 5)), mode).of(0)
    assert {answer.verdict for answer in answers} == {Verdict.ILLEGAL}
    assert not any(Put((0, 1, 2, 3, 4, 5)) == answer.action for answer in answers)


@pytest.mark.parametrize("mode", MODES)
def test_an_option_that_a_bot_adds_is_illegal_in_any_game(mode: str) -> None:
    answers = _play(ToyGame(turns=5), "claim", mode).of(0)
    assert answers[0].verdict is Verdict.ILLEGAL and answers[0].action == "keep"


PON = Meld(MeldKind.PON, (1, 1), 1, 1)
HELD = mask_of((0, 31, 32, 33))
SHARED: list[Callable[[], Choice]] = [
    lambda: Choice((Call(PON), DISCARDS[1]), DISCARDS[1]),
    lambda: Choice((Put((3,)), Put((4,)), DAIFUGO_PASS), Put((3,)), always=True),
    lambda: AfterDraw(HELD, 0, (Kan(PON), KYUUSHU), HELD, (3, *[0] * 30, 3, 3, 1)),
]


@pytest.mark.parametrize("make", SHARED)
def test_a_twin_is_equal_and_shares_nothing_that_can_be_changed(make: Callable[[], Choice]) -> None:
    choice = make()
    twin = choice.twin()
    assert twin == choice == make() and type(twin) is type(choice)
    for option in (*twin.options, twin.default):
        for name in ("cards", "meld"):
            if hasattr(option, name) and option != DAIFUGO_PASS:
                if name == "meld":
                    msgspec.structs.force_setattr(option.meld, "own", ())  # type: ignore[attr-defined]
                msgspec.structs.force_setattr(option, name, None)  # type: ignore[arg-type]
    for name in ("_options", "_default", "_counts", "_held", "_drawn", "_special", "_riichi"):
        for value in ((), None, 0):
            try:
                setattr(twin, name, value)
                break
            except (AttributeError, TypeError):  # another type, once compiled; or there is no such thing
                continue
    assert choice == make()


def test_answers_and_questions_are_values() -> None:
    answer = Answer(1, 5, DISCARDS[3], Verdict.LATE, 0.5, 0.4, "too late")
    again = pickle.loads(pickle.dumps(answer))
    assert again == copy.deepcopy(answer) == answer == ANY and hash(again) == hash(answer)
    assert answer != answer.turned(Verdict.OK, DISCARDS[3]) and "too late" in repr(answer)
    question = Question(5, 1, Choice((1, 2), 1))
    assert question == copy.copy(question) == ANY and question != question.with_time(3.0)
    with pytest.raises(AttributeError):
        question.id = 6  # type: ignore[misc]


def test_a_discard_is_found_exactly_if_it_is_listed() -> None:
    chance = random.Random(4)
    found = 0
    for _ in range(300):
        tiles = chance.sample(full_set(1, 1, 1), 14)
        hand = Tehai()
        for tile in tiles[:-1]:
            hand.add(tile)
        hand.draw(tiles[-1])
        parts = (hand.choices(), tiles[-1], (), hand.one, tuple(hand.counts))
        listed = AfterDraw(*parts).options
        for discard in DISCARDS:
            assert (AfterDraw(*parts).find(discard) is discard) == any(discard is option for option in listed)
            found += discard in listed
    assert found > 2000


class _Bot:
    def hear(self, event: Any) -> None:
        pass

    def answer(self, question: Question) -> Action:
        return question.default


class _SaysMaybe(_Bot):
    listens = "maybe"


class _RaisesOnListens(_Bot):
    @property
    def listens(self) -> bool:
        raise asyncio.CancelledError("not now")


class _RaisesOnAll(_Bot):
    def __getattr__(self, name: str) -> Any:
        raise KeyError(name)


CASES = [
    (_SaysMaybe, "its listens is 'maybe'; allowed are True and False"),
    (_RaisesOnListens, "CancelledError: not now (while it was inspected)"),
    (_RaisesOnAll, "KeyError: 'listens' (while it was inspected)"),
]


class _Deaf(_Bot):
    listens = False


def test_a_player_that_says_nothing_about_itself_listens_and_is_here() -> None:
    assert port_of(_Bot()) == Port(listens=True, remote=None)


def test_a_wrapped_player_listens_and_is_remote_as_it_is_without_the_wrapper() -> None:
    elsewhere = Elsewhere()
    assert port_of(PlayerWrapper(PlayerWrapper(_Deaf()))) == Port(listens=False)
    assert port_of(PlayerWrapper(elsewhere)).remote is elsewhere


def _judge(bot: type[_Bot], mode: str, log: Log, must_start: bool = False) -> Judge:
    players: list[Player] = [Writer(), bot(), Writer(), Writer()]
    return Judge(ToyGame(turns=8), players, mode=mode, watches=[log], must_start=must_start)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("bot", "reason"), CASES)
def test_who_cannot_be_looked_at_has_not_started(bot: type[_Bot], reason: str, mode: str) -> None:
    log = Log()
    judge = _judge(bot, mode, log)
    judge.start()
    judge.join(SOON)
    assert {(answer.verdict, answer.reason) for answer in log.of(1)} == {(Verdict.START_FAILED, reason)}
    assert {answer.verdict for answer in log.every if answer.seat != 1} == {Verdict.OK}
    judge = _judge(bot, mode, Log(), must_start=True)
    judge.start()
    with pytest.raises(PlayersNotReady) as missing:
        judge.join(SOON)
    assert missing.value.missing == ((1, reason),)


@pytest.mark.parametrize("fault", [asyncio.CancelledError("x"), KeyboardInterrupt(), SystemExit(3), GeneratorExit()])
@pytest.mark.parametrize("mode", MODES)
def test_whatever_a_bot_raises_is_its_own_in_a_judge_that_has_a_thread(fault: BaseException, mode: str) -> None:
    def does(question: Question) -> Action:
        raise fault

    log = Log()
    judge = Judge(ToyGame(turns=4), [Writer(does), Writer(), Writer(), Writer()], mode=mode, watches=[log])
    judge.start()
    judge.join(SOON)
    assert {answer.verdict for answer in log.of(0)} == {Verdict.GONE}
    assert {answer.verdict for answer in log.every if answer.seat != 0} == {Verdict.OK}
