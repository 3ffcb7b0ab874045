"""Merges what several seats heard of one game: what is hidden from one seat, another one sees."""

from collections.abc import Sequence
from typing import Any

import msgspec

_OWN = frozenset(
    {"id", "seq", "timer", "defaults", "jantaku", "possible_actions", "cannot_dahai", "can_act", "observation"}
)
"""Keys with different values for each seat."""
_UNTOLD = frozenset({"request_action", "action_ack", "hello", "error"})
_HIDDEN = ("", "?", None)


class Parted(Exception):
    """The seats heard different games; the message says where."""


def merged(views: Sequence[Any], path: str = "") -> Any:
    """Merge one value as each seat heard it. Parted if the values contradict each other."""
    seen = [view for view in views if view not in _HIDDEN]
    if all(view == views[0] for view in views):
        return views[0]
    if all(isinstance(view, dict) for view in views):
        keys = dict.fromkeys(key for view in views for key in view if key not in _OWN)
        return {key: merged([view.get(key) for view in views], f"{path}.{key}") for key in keys}
    if all(isinstance(view, list) for view in views) and len({len(view) for view in views}) == 1:
        parts = zip(*views, strict=True)
        return [merged(part, f"{path}[{number}]") for number, part in enumerate(parts)]
    if seen and all(view == seen[0] for view in seen):
        return seen[0]
    raise Parted(f"{path or 'a message'} is {' and '.join(_short(view) for view in views)}")


def mjai_game(streams: Sequence[Sequence[str]]) -> bytes:
    """Merge the mjai messages of all seats into the log of their game. Parted if they contradict each other."""
    views = [[one for line in stream for one in _messages(line)] for stream in streams]
    if len({len(view) for view in views}) != 1:
        raise Parted(f"the seats heard {', '.join(str(len(view)) for view in views)} messages")
    return b"".join(
        msgspec.json.encode(merged(list(one), str(one[0].get("type")))) + b"\n" for one in zip(*views, strict=True)
    )


def majiang_game(streams: Sequence[Sequence[str]]) -> bytes:
    """Merge the 牌譜 that the seats got at the end. Parted if a seat got none, or they contradict each other."""
    ends = [end for stream in streams for end in [_end(stream)] if end is not None]
    if len(ends) != len(streams):
        raise Parted("not every seat was given the 牌譜")
    return bytes(msgspec.json.encode(merged(ends, "jieju"))) + b"\n"


def _end(stream: Sequence[str]) -> Any:
    return next((told["jieju"] for line in reversed(stream) if "jieju" in (told := msgspec.json.decode(line))), None)


def _messages(line: str) -> list[dict[str, Any]]:
    value = msgspec.json.decode(line)
    found = value if isinstance(value, list) else [value]
    return [one for one in found if isinstance(one, dict) and one.get("type") not in _UNTOLD]


def _short(view: Any) -> str:
    return msgspec.json.encode(view).decode()[:60]
