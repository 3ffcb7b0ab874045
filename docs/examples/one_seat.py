"""One seat beside three bots, as an environment of Gymnasium; needs the extra `learn`."""

from typing import Any

import gymnasium

from jantaku.table.learn.aec import RiichiEnv


class OneSeat(gymnasium.Env[Any, int]):
    """A learner's game from its own view: an observation is a dict of `observation` and `action_mask`."""

    def __init__(self, *bots: str, **more: Any) -> None:
        self.table = RiichiEnv(players=["learner", *bots], **more)
        self.observation_space = self.table.observation_space("player_0")
        self.action_space = self.table.action_space("player_0")

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.table.reset(seed)
        return self.table.observe("player_0"), {}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        self.table.step(action)
        obs, reward, terminated, truncated, info = self.table.last()
        return obs, reward, terminated, truncated, dict(info)


if __name__ == "__main__":
    env = OneSeat("caller", "dice", "tsumogiri")
    obs, info = env.reset(seed=1)
    over, gained = False, 0.0
    while not over:
        obs, reward, over, *_ = env.step(int(obs["action_mask"].argmax()))
        gained += reward
    print(f"{gained:+.1f} points")
