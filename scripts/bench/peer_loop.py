"""riichienv's own loop, as in its README: `python -m scripts.bench.peer_loop GAMES single|east|half [FOLDER]`.

Four players always discard the drawn tile. With a folder its log is on, and there is a file per game. Runs in an
environment of its own, with riichienv and without jantaku.
"""

import json
import sys
from pathlib import Path
from typing import Any

from riichienv import Action, ActionType, RiichiEnv  # type: ignore[import-not-found]

FAR = 1000
"""Distance of seeds: neighbouring seeds share walls."""


def tsumogiri(seen: Any) -> Any:
    """Discard the drawn tile, or pass."""
    drawn = seen.drawn_tile
    return Action(ActionType.PASS) if drawn is None else Action(ActionType.DISCARD, drawn)


def main(games: int, length: str, folder: Path | None) -> None:
    """Play that many games."""
    for number in range(games):
        env = RiichiEnv(game_mode=f"4p-red-{length}", seed=number * FAR, skip_mjai_logging=folder is None)
        seen = env.reset()
        while not env.done():
            seen = env.step({seat: tsumogiri(one) for seat, one in seen.items()})
        if folder is not None:
            lines = (json.dumps(event) + "\n" for event in env.mjai_log)
            (folder / f"game-{number:04}.jsonl").write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    games, length, *folder = sys.argv[1:]
    main(int(games), length, Path(*folder) if folder else None)
