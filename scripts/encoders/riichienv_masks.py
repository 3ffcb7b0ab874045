"""The masks of PyPI `riichienv`'s engine, for `scripts.encoders.masks`: `python riichienv_masks.py`.

Runs in an environment of its own, without jantaku. Each line of the input is one seat's kyoku: {"player": 0-3,
"players": 3 or 4, "story": [an mjai line, or null, which asks]}. The reply is a line with the numbers allowed at each
question.
"""

import json
import sys
from typing import Any


def replies(asked: dict[str, Any]) -> list[list[int]]:
    """Return the numbers that are allowed at each question."""
    from riichienv import RiichiEnv  # type: ignore[import-not-found]

    engine = RiichiEnv(game_mode=f"{asked['players']}p-red-half")
    found, seen = [], None
    for told in asked["story"]:
        if told is not None:
            seen = engine.observe_event(json.loads(told), asked["player"])
        else:
            found.append([] if seen is None else [number for number, bit in enumerate(seen.mask()) if bit])
    return found


if __name__ == "__main__":
    for line in sys.stdin:
        try:
            print(json.dumps(replies(json.loads(line))), flush=True)
        except BaseException as problem:  # its panics are no Exception
            print(json.dumps({"error": str(problem)}), flush=True)
