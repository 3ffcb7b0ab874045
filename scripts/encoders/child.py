"""What mlibriichi makes of a seat's kyoku, for `scripts.encoders`.

Runs in an environment of its own, with mjai 0.2.1 and numpy below 2, and without jantaku. Each line of the input is one
seat's kyoku; the reply is a line with what was found at each question.
"""

import base64
import hashlib
import json
import sys
from typing import Any

VERSIONS = (1, 2, 3)


def digest(obs: bytes, mask: bytes) -> str:
    """Return the digest of an observation."""
    return hashlib.sha1(obs + mask).hexdigest()[:16]


def observed(asked: dict[str, Any]) -> Any:
    """Return the digests of each question by version, from PyPI `mjai`'s compiled mlibriichi, for {"player": 0-3,
    "story": [an mjai line, or [at_kan_select], which asks]}; with {"raw": question} its bytes, as base64."""
    from mjai.mlibriichi.state import PlayerState  # type: ignore[import-not-found]

    state = PlayerState(asked["player"])
    found: list[list[str]] = []
    for told in asked["story"]:
        if isinstance(told, str):
            state.update(told)
            continue
        whole = [state.encode_obs(version, told[0]) for version in VERSIONS]
        parts = [(obs.tobytes(), mask.tobytes()) for obs, mask in whole]
        if asked.get("raw") == len(found):
            return [[base64.b64encode(part).decode() for part in pair] for pair in parts]
        found.append([digest(*pair) for pair in parts])
    return found


if __name__ == "__main__":
    for line in sys.stdin:
        try:
            print(json.dumps(observed(json.loads(line))), flush=True)
        except BaseException as problem:  # their panics are no Exception
            print(json.dumps({"error": str(problem)}), flush=True)
