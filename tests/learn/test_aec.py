"""The environment of PettingZoo: its own tests, hidden claims, the end of a game, and errors that name their place."""

import re
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.ruleset import preset, with_settings
from tests.kit.cases import cases

aec = pytest.importorskip("jantaku.table.learn.aec")
check_env = pytest.importorskip("gymnasium.utils.env_checker").check_env
api_test = pytest.importorskip("pettingzoo.test").api_test
seed_test = pytest.importorskip("pettingzoo.test").seed_test

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
SHORT = with_settings(preset("tenhou"), {"game.length": "one"})
THREE = with_settings(preset("tenhou-3p"), {"game.length": "one"})


def by_dice(env: Any, seed: int, steps: int) -> list[tuple[Any, ...]]:
    """Play by dice, and tell what the agents saw and gained."""
    chance, told = np.random.default_rng(seed), []
    for agent in env.agent_iter(steps):
        seen, reward, over, _, _ = env.last()
        told.append((agent, int(seen["observation"].sum()), reward, over))
        allowed = np.flatnonzero(seen["action_mask"])
        env.step(None if over else int(chance.choice(allowed)))
    return told


def seen_by(env: Any, agent: str) -> list[int]:
    """What an agent sees, but for whether it is asked."""
    seen: list[int] = env.observe(agent)["observation"].tolist()
    return [*seen[:7], *seen[8:]]


@cases(
    "made",
    {"rules": SHORT},
    {"rules": THREE},
    {"rules": SHORT, "encoder": "mortal-3"},
    {"rules": SHORT, "players": ["learner", "shanten", "dice", "learner"]},
    ids=["four", "three", "mortal", "bots"],
)
def test_it_passes_the_tests_of_pettingzoo(made: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="Observation space for each agent probably should be")
        api_test(aec.RiichiEnv(**made), num_cycles=300)
        seed_test(lambda: aec.RiichiEnv(**made), num_cycles=100)


def test_rewards_of_a_game_add_up_and_every_agent_ends_once() -> None:
    env = aec.RiichiEnv(SHORT, reward="points")
    env.reset(seed=3)
    told = by_dice(env, 1, 10_000)
    assert sum(reward for *_, reward, over in told if over) == pytest.approx(0.0, abs=1e-3)
    assert sorted(agent for agent, *_, over in told if over) == env.possible_agents
    assert env.agents == []


def test_a_claim_is_not_seen_by_the_next_agent_that_may_claim_the_same_tile() -> None:
    several = 0
    for seed in range(40):
        env = aec.RiichiEnv(SHORT)
        env.reset(seed=seed)
        while env.agents and not all(env.terminations.values()):
            if len(env._table.rows) > 1 and not env._said:
                _, *others = [f"player_{env._table.order[row.place]}" for row in env._table.rows]
                before = [seen_by(env, agent) for agent in others]
                env.step(int(env.last()[0]["action_mask"].nonzero()[0][0]))
                several += 1
                assert not any(env.rewards.values())
                assert env.agent_selection == others[0]
                assert [seen_by(env, agent) for agent in others] == before
            else:
                env.step(int(env.last()[0]["action_mask"].nonzero()[0][0]))
    assert several > 0


def test_the_next_reset_without_a_seed_is_the_next_game() -> None:
    first, second = aec.RiichiEnv(SHORT), aec.RiichiEnv(SHORT)
    first.reset(seed=5)
    second.reset(seed=5)
    second.reset()
    assert by_dice(first, 1, 30) != by_dice(second, 1, 30)
    first.reset(seed=5)
    first.reset()
    second.reset(seed=5)
    second.reset()
    assert by_dice(first, 1, 30) == by_dice(second, 1, 30)


def test_what_is_not_allowed_is_told_and_the_game_goes_on_from_where_it_was() -> None:
    env = aec.RiichiEnv(SHORT)
    with pytest.raises(BadInput, match=r"the environment has not begun; call reset\(\) first"):
        env.step(3)
    env.reset(seed=1)
    seen = env.last()[0]["observation"].copy()
    with pytest.raises(BadInput, match=r"table 0, player \d: 148 \(tsumo\) is not allowed; the mask has \d+ \("):
        env.step(148)
    with pytest.raises(BadInput, match=r"player_\d: the action is None; allowed is a number from 0 to 353"):
        env.step(None)
    assert (env.last()[0]["observation"] == seen).all()
    with pytest.raises(BadInput, match="render_mode = “human”; allowed are ansi, svg"):
        aec.RiichiEnv(render_mode="human")


def test_it_is_drawn_as_text_and_as_a_picture() -> None:
    text, picture = aec.RiichiEnv(SHORT, render_mode="ansi"), aec.RiichiEnv(SHORT, render_mode="svg")
    for env in (text, picture):
        env.reset(seed=1)
    assert "東" in text.render() and picture.render().startswith("<svg")
    assert aec.RiichiEnv(SHORT).render_mode is None


def test_one_seat_beside_bots_is_an_environment_of_gymnasium(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    env = import_module("one_seat").OneSeat("caller", "dice", "tsumogiri", rules=SHORT)
    seen, _ = env.reset(seed=2)
    first, over, steps = seen, False, 0
    while not over:
        seen, _, over, _, _ = env.step(int(np.flatnonzero(seen["action_mask"])[0]))
        assert env.observation_space.contains(seen)
        steps += 1
    assert steps > 5
    again, _ = env.reset(seed=2)
    assert all((again[key] == first[key]).all() for key in first)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_one_seat_passes_the_checker_of_gymnasium_which_samples_unmasked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    one_seat = import_module("one_seat").OneSeat
    check_env(one_seat("caller", "dice", "tsumogiri", rules=SHORT, illegal=-5.0), skip_render_check=True)
    env = one_seat("caller", "dice", "tsumogiri", rules=SHORT, illegal=-1000.0)
    seen, _ = env.reset(seed=2)
    over, gained, wrong = False, 0.0, int(np.flatnonzero(seen["action_mask"] == 0)[0])
    while not over:
        _, reward, over, _, _ = env.step(wrong)
        gained += reward
    assert gained < -1000, "the default is played, and paid for"


def test_the_loop_of_the_page_plays_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    page = (EXAMPLES.parent / "environments.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(from jantaku.table.learn.aec import RiichiEnv\n\nenv.*?)```", page, re.DOTALL)
    exec(compile(code, "environments.md", "exec"), {})
    assert capsys.readouterr().out == "['player_0', 'player_1']\n"
