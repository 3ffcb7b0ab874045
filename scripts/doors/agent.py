"""A player in Kaggle's form, written from what is told there alone: it chooses among the legal actions."""

import os
import random
import time
from typing import Any

from hand import Ends, chosen, keep, pauses  # type: ignore[import-not-found]  # beside this file, whose folder it runs in

_seed = int(os.environ.get("JANTAKU_SEED") or 0)
_chance, _ends, _pauses = random.Random(_seed), Ends(_seed), pauses(_seed)


def agent(observation: Any, configuration: Any) -> int:
    """The number of a win or riichi, now and then of a call, else of any discard or of passing."""
    _ends.perhaps()
    _pauses.think()
    legal: list[Any] = observation.legalActions
    usual = [one for one in legal if one["type"] in ("dahai", "none")]
    began = time.perf_counter()
    number = legal.index(chosen(legal, _chance) or _chance.choice(usual or legal))
    keep(observation, {"submission": number}, time.perf_counter() - began)
    return number
