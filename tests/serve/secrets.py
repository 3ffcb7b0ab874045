"""What a client or a watcher may not be told: the tiles of others before everybody sees them."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

PUBLIC = {"dapai", "fulou", "gang", "penuki", "kaigang", "lizhi", "hule", "pingju"}
MJAI_PUBLIC = {
    *("dahai", "reach", "reach_accepted", "chi", "pon", "daiminkan", "ankan", "kakan", "nukidora", "kita", "dora"),
    *("hora", "ryukyoku", "end_kyoku", "end_game", "hello"),
}
BESIDE = {"timer", "defaults"}
HEAD = {"title", "player", "qijia"}
PERSON_HEAD = {"player", "qijia", "you"}
PERSON_HEARS = {"choice", "defaulted", "refused", "resting", "meanwhile", "past", "over"}
CHOICE = {"question", "options", "default", "timer", "verdict", "reason", "game", "ticket", "reviewers"}
"""Fields of what the page of a person is told beside what happens; options are of its own tiles."""
DEALT = 13
_MAJIANG = re.compile(r"(?:[mpsz][0-9]+)+")
_MJAI = re.compile(r"[1-9][mps]|5[mps]r|[ESWNPFC]")
_HONORS = "ESWNPFC"


class Spectator:
    """Reads all that one seat (None: a watcher) is told in any dialect, and finds what it should not know."""

    def __init__(self, player: int | None) -> None:
        self._player = player
        self._first_dealer = 0
        self._seat = -1

    def hidden(self, frames: Iterable[str]) -> list[Any]:
        return [message for frame in frames for message in _messages(json.loads(frame)) if not self._is_clean(message)]

    def _is_clean(self, message: dict[str, Any]) -> bool:
        known = {"limit", "bank", "left", "margin"}, {"seq", "verdict", "reason"}
        timer = message.get("timer", ())
        timed = (
            all(isinstance(one, int | float) for one in timer) if isinstance(timer, list) else set(timer) <= known[0]
        )
        if not (timed and all(set(one) <= known[1] for one in _defaults(message))):
            return False
        message = {key: value for key, value in message.items() if key not in BESIDE}
        if "type" in message and "data" not in message:
            return self._is_clean_mjai(message)
        if message.keys() - {"walls", "game"} == HEAD:
            self._first_dealer = message["qijia"]
            return True
        if message.keys() & {"you", *PERSON_HEARS}:
            return self._is_clean_for_a_person(message)
        if message.keys() & {"answers", "wall"}:  # who could call something holds it
            return False
        if "type" in message:
            message = {message["type"]: message["data"]}
        ((kind, data),) = [(key, value) for key, value in message.items() if key != "seq"]
        match kind:
            case "kaiju":
                self._first_dealer = data["qijia"]
                return self._is_clean_log(data) and "shoupai" not in json.dumps({**data, "log": ()})
            case "qipai":
                return self._is_clean_deal(data)
            case "zimo" | "gangzimo":
                return bool(data["l"] == self._seat or not data["p"])
            case "jieju":
                return self._is_clean_log(data)
        return kind in PUBLIC

    def _is_clean_for_a_person(self, message: dict[str, Any]) -> bool:
        """What the page of a person is told beside what happens."""
        if message.keys() == PERSON_HEAD:
            self._first_dealer, self._player = message["qijia"], message["you"]
            return True
        (told,) = message.values()
        if "past" in message:
            return all(self._is_clean(item) for item in told)
        return not isinstance(told, dict) or told.keys() <= CHOICE

    def _is_clean_log(self, told: dict[str, Any]) -> bool:
        """What was told before, which who comes back is told once more, and the whole game at its end."""
        return all(self._is_clean(item) for kyoku in told.get("log", ()) for item in kyoku)

    def _is_clean_deal(self, deal: dict[str, Any]) -> bool:
        if self._player is not None:
            self._seat = (self._player - self._first_dealer - deal["jushu"]) % len(deal["shoupai"])
        return all(not hand for seat, hand in enumerate(deal["shoupai"]) if seat != self._seat)

    def _is_clean_mjai(self, message: dict[str, Any]) -> bool:
        offered = [*message.get("possible_actions", ()), *message.get("legalActions", ())]
        if any(one.get("actor", self._seat) != self._seat for one in offered):
            return False
        match message["type"]:
            case "start_game":
                self._seat = message.get("id", self._seat)
                return set(message.get("jantaku", ())) <= {"rules", "seed"}
            case "start_kyoku":
                others = [hand for player, hand in enumerate(message["tehais"]) if player != self._seat]
                return others == [["?"] * DEALT] * (len(message["tehais"]) - 1)
            case "tsumo":
                return bool(message["actor"] == self._seat or message["pai"] == "?")
        return bool(message["type"] in MJAI_PUBLIC)


def untimed(frames: Iterable[str]) -> list[Any]:
    """What was told of the game, without what was said of time and faults: these depend on clock and connection."""
    return [{key: value for key, value in json.loads(frame).items() if key not in BESIDE} for frame in frames]


def tiles_of(hand: Any) -> Counter[str]:
    """The tiles of a text or list that is a hand in Majiang's or mjai's notation. Empty for anything else."""
    if isinstance(hand, str) and _MAJIANG.fullmatch(hand.partition(",")[0]):
        return Counter(suit + digit for suit, digits in re.findall(r"([mpsz])([0-9]+)", hand) for digit in digits)
    if not isinstance(hand, list) or not hand:
        return Counter()
    if all(isinstance(tile, str) and _MJAI.fullmatch(tile) for tile in hand):
        return Counter(_of_mjai(tile) for tile in hand)
    return Counter()


def hands_in(told: Any) -> Iterator[Counter[str]]:
    """Every whole hand in anything that was told, whatever the notation, and however it is packed."""
    if isinstance(told, str) and told[:1] in ("{", "["):
        yield from hands_in(json.loads(told))
    for one in told.values() if isinstance(told, dict) else told if isinstance(told, list) else ():
        yield from hands_in(one)
    if (tiles := tiles_of(told)).total() >= DEALT:
        yield tiles


def _of_mjai(tile: str) -> str:
    return f"z{_HONORS.index(tile) + 1}" if tile in _HONORS else f"{tile[1]}{0 if tile.endswith('r') else tile[0]}"


def _defaults(message: dict[str, Any]) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = message.get("defaults", [])
    return told


def _messages(told: Any) -> list[dict[str, Any]]:
    return told if isinstance(told, list) else [told]
