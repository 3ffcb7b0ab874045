"""The observations of PyPI `mjai`'s compiled mlibriichi, for `scripts.encoders`: `python mlibriichi.py`.

Runs in an environment of its own, with mjai 0.2.1 and numpy below 2, and without jantaku. Each line of the input is one
seat's kyoku: {"player": 0-3, "story": [an mjai line, or [at_kan_select], which asks]}. The reply is a line with the
digests of each question by version; with {"raw": question} it is that question's bytes, as base64.
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


def replies(asked: dict[str, Any]) -> Any:
    """Return the digests of one seat's kyoku, or one question's bytes."""
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
            print(json.dumps(replies(json.loads(line))), flush=True)
        except BaseException as problem:  # its panics are no Exception
            print(json.dumps({"error": str(problem)}), flush=True)
