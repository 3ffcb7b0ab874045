"""riichienv (Rust, driven from Python) under our policies: `python -m scripts.bench.peer_riichienv POLICY WARM-UP`.

`loop GAMES single|east|half [FOLDER]` plays its own loop, as in its README: four players always discard the drawn tile.
With a folder its log is on, and there is a file per game.

With the further word `board` every bot first reads what its observation shows of the table; with `three` there are
three players. Runs in an environment of its own, with riichienv and without jantaku. Each hanchan has an environment
object of its own; neighbouring seeds share walls, so seeds are a thousand apart.
"""

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from riichienv import Action, ActionType, RiichiEnv, calculate_shanten  # type: ignore[import-not-found]

from scripts.bench.bursts import BurstCount, Play, serve

FAR = 1000
"""Distance of seeds: more than the kyoku of a game."""
Choose = Callable[[Any], Any]
"""Returns the action for an observation."""


def tsumogiri(seen: Any) -> Any:
    """T: discard the drawn tile, or pass. The legal actions are not read."""
    drawn = seen.drawn_tile
    return PASS if drawn is None else Action(ActionType.DISCARD, drawn)


def winner(seen: Any) -> Any:
    """W: as ours, the drawn tile first and then the others in order; tiles of a kind are tried once."""
    legal = seen.legal_actions()
    discards = []
    for action in legal:
        kind = action.action_type
        if kind in WINS:
            return action
        if kind == ActionType.DISCARD:
            discards.append(action)
    if not discards:
        return PASS
    if len(discards) == 1:
        return discards[0]
    hand = seen.hand
    least, tried = calculate_shanten(hand), set()
    drawn = discards.pop()
    for action in (drawn, *discards):
        tile = action.tile
        if tile >> 2 not in tried:
            tried.add(tile >> 2)
            if calculate_shanten([other for other in hand if other != tile]) == least:
                return action
    return drawn


def dice(seed: int) -> Choose:
    """R: any legal action."""
    roll = random.Random(seed).random

    def choose(seen: Any) -> Any:
        legal = seen.legal_actions()
        return legal[int(roll() * len(legal))]

    return choose


def looking(choose: Choose) -> Choose:
    """Return the same choice after a look at the table."""

    def chosen(seen: Any) -> Any:
        for name in SHOWN:
            getattr(seen, name)
        return choose(seen)

    return chosen


SHOWN = ("hand", "discards", "melds", "dora_indicators", "scores", "riichi_declared")
PASS = Action(ActionType.PASS)
WINS = (ActionType.TSUMO, ActionType.RON, ActionType.RIICHI)


def play_of(policy: str, board: bool, three: bool = False) -> Play:
    """Return the play of a policy."""
    mode = "3p-red-half" if three else "4p-red-half"
    fixed: dict[str, Choose] = {"T": tsumogiri, "W": winner}

    def play(number: int) -> BurstCount:
        env = RiichiEnv(game_mode=mode, skip_mjai_logging=True, seed=number * FAR)
        choose = fixed.get(policy) or dice(number)
        choose = looking(choose) if board else choose
        asked = 0
        seen = env.reset()
        while not env.done():
            asked += len(seen)
            seen = env.step({seat: choose(one) for seat, one in seen.items()})
        return BurstCount(hanchan=1, questions=asked)

    return play


def loop(games: int, length: str, folder: Path | None = None) -> None:
    for number in range(games):
        env = RiichiEnv(game_mode=f"4p-red-{length}", seed=number * FAR, skip_mjai_logging=folder is None)
        seen = env.reset()
        while not env.done():
            seen = env.step({seat: tsumogiri(one) for seat, one in seen.items()})
        if folder is not None:
            lines = (json.dumps(event) + "\n" for event in env.mjai_log)
            (folder / f"game-{number:04}.jsonl").write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    policy, number, *more = sys.argv[1:]
    if policy == "loop":
        loop(int(number), more[0], Path(*more[1:]) if more[1:] else None)
    else:
        serve(play_of(policy, "board" in more, "three" in more), int(number))
