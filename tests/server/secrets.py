"""What a client or a watcher may not be told: the tiles of others before everybody sees them."""

import json
from collections.abc import Iterable
from typing import Any

PUBLIC = {"dapai", "fulou", "gang", "kaigang", "lizhi", "hule", "pingju"}
MJAI_PUBLIC = {
    *("start_game", "dahai", "reach", "reach_accepted", "chi", "pon", "daiminkan", "ankan", "kakan", "dora"),
    *("hora", "ryukyoku", "end_kyoku", "end_game"),
}
BESIDE = {"timer", "defaults"}
HEAD = {"title", "player", "qijia"}


class Onlooker:
    """Reads all that one seat (None: a watcher) is told in any dialect, and finds what it should not know."""

    def __init__(self, player: int | None) -> None:
        self._player = player
        self._first_dealer = 0
        self._seat = -1

    def hidden(self, frames: Iterable[str]) -> list[Any]:
        """The messages that tell of a hidden tile, or that are of no known kind."""
        return [message for frame in frames for message in _messages(json.loads(frame)) if not self._is_clean(message)]

    def _is_clean(self, message: dict[str, Any]) -> bool:
        known = {"limit", "bank", "left", "margin"}, {"seq", "verdict", "reason"}
        if not (set(message.get("timer", ())) <= known[0] and all(set(one) <= known[1] for one in _defaults(message))):
            return False
        message = {key: value for key, value in message.items() if key not in BESIDE}
        if "type" in message and "data" not in message:
            return self._is_clean_mjai(message)
        if message.keys() - {"walls", "game"} == HEAD:
            self._first_dealer = message["qijia"]
            return True
        if message.keys() & {"answers", "wall"}:  # who could call something holds it
            return False
        if "type" in message:
            message = {message["type"]: message["data"]}
        ((kind, data),) = [(key, value) for key, value in message.items() if key != "seq"]
        match kind:
            case "kaiju":
                self._first_dealer = data["qijia"]
                return "log" not in data and "shoupai" not in json.dumps(data)
            case "qipai":
                return self._is_clean_deal(data)
            case "zimo" | "gangzimo":
                return bool(data["l"] == self._seat or not data["p"])
            case "jieju":
                return all(self._is_clean(item) for kyoku in data.get("log", ()) for item in kyoku)
        return kind in PUBLIC

    def _is_clean_deal(self, deal: dict[str, Any]) -> bool:
        if self._player is not None:
            self._seat = (self._player - self._first_dealer - deal["jushu"]) % 4
        return all(not hand for seat, hand in enumerate(deal["shoupai"]) if seat != self._seat)

    def _is_clean_mjai(self, message: dict[str, Any]) -> bool:
        if message["type"] == "start_game":
            self._seat = message["id"]
        if message["type"] == "start_kyoku":
            others = [hand for player, hand in enumerate(message["tehais"]) if player != self._seat]
            return others == [["?"] * 13] * 3
        if message["type"] == "tsumo":
            return bool(message["actor"] == self._seat or message["pai"] == "?")
        return bool(message["type"] in MJAI_PUBLIC)


def untimed(frames: Iterable[str]) -> list[Any]:
    """What was told of the game, without what was said of time and faults: these depend on clock and connection."""
    return [{key: value for key, value in json.loads(frame).items() if key not in BESIDE} for frame in frames]


def _defaults(message: dict[str, Any]) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = message.get("defaults", [])
    return told


def _messages(told: Any) -> list[dict[str, Any]]:
    return told if isinstance(told, list) else [told]
