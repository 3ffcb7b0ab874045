"""Agents in Kaggle's form: which callable of a file plays, what it is told, and what its answers mean."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jantaku.players.folders.kaggle import KaggleAgent, Structure, agent_in
from jantaku.table.errors import BadInput
from jantaku.table.match.plan.fingerprint import fingerprint
from jantaku.table.play.roster import enlist
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import PASS, RON, TSUMO, Discard
from tests.kit.command import Jantaku
from tests.players.driving import no_program_is_left
from tests.wire.driving import MAJIANG, question

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "kaggle_agent.py"
START = events.HanchanStart(("a", "b", "c", "d"), 1, MAJIANG, 2)
DEAL = events.KyokuStart(1, 0, 0, 0, 0, (25000,) * 4, 17, (None, tuple(range(13)), None, None))
TURN = (Discard(0, riichi=True), Discard(13, tsumogiri=True, riichi=True), Discard(0), Discard(13, tsumogiri=True))


@pytest.fixture(autouse=True)
def _nothing_is_left() -> Iterator[None]:
    """After every test all programs have ended."""
    yield
    no_program_is_left()


def agent(tmp_path: Path, text: str) -> KaggleAgent:
    """An agent that has heard the deal and its own draw."""
    (tmp_path / "agent.py").write_text(text)
    made = KaggleAgent(str(tmp_path / "agent.py"), seed=7)
    for event in (START, DEAL, events.Draw(1, 13)):
        made.hear(event)
    return made


def answering(tmp_path: Path, reply: str) -> KaggleAgent:
    return agent(tmp_path, f"import numpy\ndef agent(observation, configuration):\n    return {reply}\n")


def test_what_an_mjai_answer_says_besides_is_its_remark(tmp_path: Path) -> None:
    made = answering(tmp_path, "{'type': 'dahai', 'pai': '1m', 'tsumogiri': False, 'meta': {'q': 1}}")
    assert made.answer(question(*TURN)) == Discard(0)
    assert made.remark() == {"q": 1}


def test_the_last_callable_of_a_file_plays(tmp_path: Path) -> None:
    file = tmp_path / "agent.py"
    file.write_text("import beside\ndef other():\n    pass\ndef agent(obs):\n    return beside.NUMBER\nLAST = 3\n")
    (tmp_path / "beside.py").write_text("NUMBER = 5\n")
    assert agent_in(str(file)).__name__ == "agent"
    file.write_text("assert __name__ == 'builtins' and '__file__' not in globals()\nfrom json import dumps\n")
    assert agent_in(str(file)) is json.dumps
    file.write_text("NUMBER = 3\n")
    with pytest.raises(BadInput, match="no agent"):
        agent_in(str(file))


@pytest.mark.parametrize("takes", ["", "observation", "observation, configuration", "*words", "a, b=None, c=None"])
def test_an_agent_is_given_as_many_arguments_as_it_takes(tmp_path: Path, takes: str) -> None:
    made = agent(tmp_path, f"def agent({takes}):\n    return 2\n")
    assert made.answer(question(*TURN)) == TURN[2]


def test_what_an_agent_is_told(tmp_path: Path) -> None:
    made = agent(tmp_path, "TOLD = []\ndef agent(*told):\n    TOLD.append(told)\n    return 2\n")
    made.answer(question(*TURN))
    made.hear(events.TileDiscard(1, 0))
    made.hear(events.TileDiscard(2, 9))
    made.answer(question(RON, PASS))
    told: list[tuple[Structure, Structure]] = made._agent.__globals__["TOLD"]
    (first, configuration), (second, _) = told
    assert [event["type"] for event in first.events] == ["start_game", "start_kyoku", "tsumo"]
    assert [event["type"] for event in second["events"]] == ["dahai", "dahai"]
    assert (first.step, second.step, first.playerId, configuration.seed) == (0, 1, 1, 7)
    assert first.legalActions is first.possible_actions and first.remainingOverageTime == 0
    assert first.legalActions[0] == {"type": "reach", "actor": 1, "pai": "1m", "tsumogiri": False}
    assert second.legalActions[-1] == {"type": "none", "actor": 1}
    assert configuration.actTimeout is None and configuration["__raw_path__"].endswith("agent.py")
    with pytest.raises(AttributeError):
        assert first.nothing


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        ("1", TURN[1]),
        ("numpy.int64(1)", TURN[1]),
        ("{'submission': 1, 'thoughts': 'none'}", TURN[1]),
        ("{'type': 'dahai', 'pai': '1m'}", TURN[2]),
        ("{'type': 'reach', 'pai': '1m'}", TURN[0]),
        ("observation.legalActions[3]", TURN[3]),
        ("{'type': 'dahai', 'pai': '1m'} if observation.step else {'type': 'reach'}", TURN[0]),
        ("1 if observation.step else {'type': 'reach'}", TURN[1]),
        ("{'type': 'hora'}", TSUMO),
    ],
)
def test_what_an_answer_means(tmp_path: Path, reply: str, action: Any) -> None:
    assert answering(tmp_path, reply).answer(question(*TURN)) == action


@pytest.mark.parametrize("reply", ["4", "-1", "None", "True", "'dahai'", "{'type': 'fly'}", "object", "{1, 2}", "2.0"])
def test_what_is_no_answer_is_handed_back_for_the_judge(tmp_path: Path, reply: str) -> None:
    given: Any = answering(tmp_path, reply).answer(question(*TURN))
    assert given == eval(reply)


def test_what_an_agent_raises_is_its_own(tmp_path: Path) -> None:
    made = agent(tmp_path, "def agent(obs):\n    raise TypeError('mine')\n")
    with pytest.raises(TypeError, match="mine"):
        made.answer(question(*TURN))
    made = agent(tmp_path, "LOOP = {}\nLOOP['type'] = LOOP\ndef agent(obs):\n    return LOOP\n")
    given: Any = made.answer(question(*TURN))
    assert given["type"] is given


def test_a_file_sits_at_the_table_in_a_process_of_its_own(jantaku: Jantaku, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def agent(obs):\n    return 99\n")
    players = f"kaggle:{EXAMPLE},kaggle:{EXAMPLE}?name=second,kaggle:{wrong},shanten"
    out = ("--length", "one", "--seed", "7", "--json", "--out", str(tmp_path / "out"))
    ran = jantaku("play", "--players", players, *out)
    outcome = json.loads(ran.out)
    assert sorted(outcome["names"]) == ["kaggle_agent", "second", "shanten", "wrong"]
    faults = dict(zip(outcome["names"], outcome["faults"], strict=True))
    assert set(faults.pop("wrong")) == {"malformed"} and not any(faults.values())


def test_a_file_that_is_none_or_has_no_agent_is_one_line(jantaku: Jantaku, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="player none: there is no file"):
        enlist([f"kaggle:{tmp_path / 'none.py'}"])
    (empty := tmp_path / "empty.py").touch()
    ran = jantaku("play", "--players", f"kaggle:{empty},shanten,shanten,shanten", "--out", str(tmp_path / "out"))
    assert ran.code == 2 and "no agent: the last callable" in ran.err and "Traceback" not in ran.err
    assert fingerprint(f"kaggle:{EXAMPLE}") != fingerprint(f"kaggle:{empty}")
