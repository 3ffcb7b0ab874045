"""The table as an environment of PettingZoo (AEC): one agent after another, with the observations of any encoder.

env = RiichiEnv(encoder="mortal-3")
env.reset(seed=1)
for agent in env.agent_iter():
    obs, reward, terminated, truncated, info = env.last()
    env.step(None if terminated else policy(obs["observation"], obs["action_mask"]))
"""

from collections.abc import Sequence
from typing import Any, Final, cast

import msgspec
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Choice
from jantaku.table.learn.batch import BatchTable, Reward, RowQuestion, plan_of
from jantaku.table.records.view.riichi import table_svg
from jantaku.table.riichi.pieces.seats import by_seat, player_of
from jantaku.table.riichi.rules import Rules

RENDERS: Final = ("ansi", "svg")
_NOTHING: Final = Choice((), None)
Seen = dict[str, Any]


class RiichiEnv(AECEnv[str, Seen, int]):
    """A game of riichi whose agents `player_0`, … are the learners among `players`, see `Batch`.

    Claims on one discard are asked one after another, and none is told before all are in: no agent can use the order.
    An observation is a dict of `observation` and `action_mask`. A number that the mask does not allow raises BadInput,
    with player, number and mask; PettingZoo's `TerminateIllegalWrapper` makes it the end of the game instead. With
    `illegal`, as of `Batch`, the default is played for it, and that reward paid: who samples without the mask needs it.
    """

    def __init__(
        self,
        rules: Rules | str = "tenhou",
        *,
        encoder: str = "jantaku-1",
        players: Sequence[str] = (),
        reward: Reward | str = "points",
        illegal: float | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # PettingZoo's
        if render_mode not in (None, *RENDERS):
            raise BadInput(f"render_mode = “{render_mode}”; allowed are {', '.join(RENDERS)}")
        self.render_mode = render_mode
        self.metadata = {"name": "jantaku_riichi_v1", "render_modes": list(RENDERS), "is_parallelizable": False}
        self._plan = plan_of(rules, "0", encoder, players, reward)
        self._kind, self._illegal = self._plan.encoder, illegal
        self._number = {f"player_{number}": number for number, bot in enumerate(self._plan.bots) if bot is None}
        self.possible_agents = list(self._number)
        low, high = (0, 1) if np.issubdtype(self._kind.dtype, np.floating) else (-(2**31), 2**31 - 1)
        seen = spaces.Dict(
            {
                "observation": spaces.Box(low, high, self._kind.shape, self._kind.dtype),
                "action_mask": spaces.Box(0, 1, (self._kind.numbers,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        numbers: Any = spaces.Discrete(self._kind.numbers)
        self.action_spaces = dict.fromkeys(self.possible_agents, numbers)
        self._table: BatchTable | None = None

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the first game of a seed; without one, the next game of the last seed."""
        if seed is None and self._table is not None:
            self._table.deal(self._table.number + 1)
        else:
            self._table = BatchTable(msgspec.structs.replace(self._plan, seed=str(seed or 0)), 0, 0)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._said: list[Action | int] = []
        self._go_on(self._table)

    def observe(self, agent: str) -> Seen:
        """What an agent sees now. Its mask is empty while it is not asked."""
        obs, mask = self._kind.buffers()
        table, player = self._begun(), self._number[agent]
        asked = [row for row in table.rows[len(self._said) :] if table.order[row.place] == player and row.choice]
        row = asked[0] if asked and agent == self.agent_selection else RowQuestion(table.order.index(player), _NOTHING)
        table.write(row, obs, mask)
        return {"observation": obs, "action_mask": mask.astype(np.int8)}

    def step(self, action: int | None) -> None:
        """Answer for the agent that is asked; None where its game is over."""
        table, agent = self._begun(), self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(cast(int, action))  # which has to be None
            return
        if action is None or isinstance(action, float):
            raise BadInput(f"{agent}: the action is {action}; allowed is a number from 0 to {self._kind.numbers - 1}")
        row = table.rows[len(self._said)]
        said = table.meant(row, int(action), pays=self._illegal is not None)
        if said is None:
            assert row.choice is not None, "the game goes on"
            table.gained[self._number[agent]] += self._illegal or 0.0
            said = row.choice.default
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._said.append(said)
        if len(self._said) == len(table.rows):
            self._said, told = [], self._said
            table.take(told)
            self._go_on(table)
        else:
            self._select(table)
        self._accumulate_rewards()

    def _go_on(self, table: BatchTable) -> None:
        """Pay what was gained, and ask the next agent."""
        for agent in self.agents:
            self.rewards[agent] = float(table.gained[self._number[agent]])
        table.gained = [0.0] * len(table.gained)
        if table.game.over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self._select(table)

    def _select(self, table: BatchTable) -> None:
        self.agent_selection = f"player_{table.order[table.rows[len(self._said)].place]}"

    def _begun(self) -> BatchTable:
        if self._table is None:
            raise BadInput("the environment has not begun; call reset() first")
        return self._table

    def render(self) -> Any:
        """The table with all hands: text or a picture, as `render_mode` says; None without it."""
        game = self._begun().game
        if self.render_mode == "svg":
            dealer = player_of(game.kyoku.board.kyoku, game.first_dealer, game.seats)
            return table_svg(game.kyoku.board, by_seat(game.words.players, dealer), 0)
        return str(game.kyoku.board) if self.render_mode else None

    def close(self) -> None:
        """Let go of the game."""
        self._table = None
