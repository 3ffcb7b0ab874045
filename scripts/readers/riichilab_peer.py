"""Reads RiichiLab's requests with PyPI `riichienv`, one per line. Runs in an environment of its own, without jantaku.

Prints {"agree": requests, "different": {what: requests}}.
"""

import json
import sys
from collections import Counter
from typing import Any

from riichienv import Observation, RiichiEnv  # type: ignore[import-not-found]

MASK = 82
"""Length of the mask for four players."""
STATE = ("scores", "riichi_declared", "honba", "riichi_sticks", "round_wind", "oya", "kyoku_index")


class Followers:
    """riichienv's own engine for every seat, which follows the events of its observations."""

    def __init__(self) -> None:
        self._engines: dict[int, Any] = {}

    def follow(self, seen: Any) -> Any:
        """Return the engine's observation after the events of this one; None if there is nothing to decide."""
        found = None
        for text in seen.new_events():
            event = json.loads(text)
            if event["type"] == "start_game":
                self._engines[seen.player_id] = RiichiEnv(game_mode="4p-red-half")
            found = self._engines[seen.player_id].observe_event(event, seen.player_id)
        return found


def difference(request: dict[str, Any], followers: Followers) -> str:
    """Return what is wrong with a request, empty if nothing is."""
    seen = Observation.deserialize_from_base64(request["observation"])
    listed, possible = texts(seen), [text(one) for one in request["possible_actions"]]
    if sorted(listed) != sorted(possible):
        return "the observation lists other actions than possible_actions"
    for one in possible:
        found = seen.select_action_from_mjai(one)
        if found is None or text(json.loads(found.to_mjai())) != one:
            return f"{json.loads(one)['type']} is not found by its text"
    if len(seen.mask()) != MASK or not seen.encode():
        return "it cannot be encoded"
    own = followers.follow(seen)
    if own is None:
        return "riichienv's engine sees nothing to decide"
    if unlike := set(map(meaning, texts(own))) ^ set(map(meaning, possible)):
        return f"riichienv's engine differs in {', '.join(sorted(unlike))}"
    return state(seen, own)


def state(seen: Any, own: Any) -> str:
    """Return how the engine's view of the table differs. Events do not tell copies of a tile apart."""
    for name in STATE:
        if getattr(seen, name) != getattr(own, name):
            return f"{name}: {getattr(seen, name)}, riichienv's engine has {getattr(own, name)}"
    for name in ("hands", "discards"):
        if [kinds(tiles) for tiles in getattr(seen, name)] != [kinds(tiles) for tiles in getattr(own, name)]:
            return f"{name} are others"
    return "" if kinds(seen.dora_indicators) == kinds(own.dora_indicators) else "dora_indicators are others"


def kinds(tiles: list[int]) -> list[int]:
    """Return the kinds of tiles, sorted: copies and their order in a hand do not matter."""
    return sorted(tile // 4 for tile in tiles)


def meaning(line: str) -> str:
    """Return an action with its tiles sorted: only their copies differ, which events do not tell apart."""
    told = json.loads(line)
    if told["type"] == "ankan":
        del told["pai"]
    return text(told | ({"consumed": sorted(told["consumed"])} if "consumed" in told else {}))


def texts(seen: Any) -> list[str]:
    """Return the legal actions as mjai."""
    return [text(json.loads(action.to_mjai())) for action in seen.legal_actions()]


def text(line: dict[str, Any]) -> str:
    """Return an mjai object in canonical form."""
    return json.dumps(line, sort_keys=True)


def main() -> None:
    """Read requests to the end."""
    agree, different, followers = 0, Counter[str](), Followers()
    for line in sys.stdin:
        found = difference(json.loads(line), followers)
        agree += not found
        different.update([found] if found else [])
    print(json.dumps({"agree": agree, "different": different}))


if __name__ == "__main__":
    main()
