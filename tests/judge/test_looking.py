"""Looking at a player runs its code already: whatever goes wrong there is its own fault."""

import asyncio
from typing import Any

import pytest

from jantaku.table.ground.errors import PlayersNotReady
from jantaku.table.ground.port import Action, Player, PlayerWrapper, Port, Question, Verdict, port_of
from jantaku.table.judge.judge import Judge
from tests.judge.players import Log, Writer
from tests.judge.test_starting import Elsewhere
from tests.kit.modes import MODES
from tests.kit.pace import SOON
from tests.kit.toy import ToyGame


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
