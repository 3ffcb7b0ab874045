"""No tile is in anything that a seat is told before that seat may see it."""

import base64
import json
from collections.abc import Iterator
from typing import Any

import pytest

from jantaku.players.bots.caller import Caller
from jantaku.players.bots.shanten import Shanten
from jantaku.table.judge.judge import Judge
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.languages.wire.native import Native
from jantaku.table.riichi.game import RiichiGame
from tests.languages.wire.driving import game_of

SPOKEN = {**{name: known.side for name, known in DIALECTS.items()}, "native": Native}
PUBLIC = {"dapai", "fulou", "gang", "kaigang", "hule", "pingju"}
PUBLIC |= {"dahai", "chi", "pon", "daiminkan", "ankan", "kakan", "dora", "reach", "reach_accepted", "hora", "ryukyoku"}
PUBLIC |= {"end_kyoku", "end_game", "start_game", "Discard", "Riichi", "Call", "Kan", "Dora", "Win", "Ryukyoku"}
PUBLIC |= {"Chombo", "HanchanStart", "HanchanEnd", "kaiju"}


@pytest.fixture(scope="module")
def game() -> RiichiGame:
    played = game_of("41")
    Judge(played, [Shanten(), Caller(seed=1), Shanten(), Caller(seed=2)], mode="inline").run()
    return played


def messages(line: bytes) -> Iterator[tuple[str, Any]]:
    """(kind, content) of everything in a line, whatever the dialect; the record in a `jieju` item by item."""
    told = json.loads(line)
    for one in told if isinstance(told, list) else [told]:
        if "event" in one:
            yield one["event"][0], one["event"][1]
            continue
        kind = one.get("type") or next(key for key in one if key != "seq")
        content = one if "type" in one and "data" not in one else one.get("data", one.get(kind))
        if kind == "jieju":
            for item in (item for kyoku in content.get("log", ()) for item in kyoku):
                yield next(iter(item.items()))
            continue
        yield kind, content


def hidden(kind: str, content: Any, seat: int, player: int) -> list[Any]:
    """What a message holds in places that are not for this seat: `seat` in the kyoku, `player` as mjai counts."""
    if kind in ("zimo", "gangzimo"):
        return [content["p"]] if content["l"] != seat else []
    if kind == "Draw":
        return [content["tile"]] if content["seat"] != seat else []
    if kind == "tsumo":
        return [content["pai"]] if content["actor"] != player else []
    if kind == "qipai":
        return [hand for owner, hand in enumerate(content["shoupai"]) if owner != seat]
    if kind == "KyokuStart":
        return [hand for owner, hand in enumerate(content["hands"]) if owner != seat]
    if kind == "request_action":
        return unseen(json.loads(base64.b64decode(content["observation"])), seat, player)
    if kind == "start_kyoku":
        return [tile for owner, hand in enumerate(content["tehais"]) if owner != player for tile in hand]
    assert kind in PUBLIC, f"{kind} is a message that this test does not know"
    return []


def unseen(observation: Any, seat: int, player: int) -> list[Any]:
    """The same of what a request tells once more."""
    assert observation["player_id"] == player
    events = [json.loads(text) for text in observation["events"]]
    told = [one for event in events for one in hidden(event["type"], event, seat, player)]
    return told + [tile for owner, hand in enumerate(observation["hands"]) if owner != player for tile in hand]


@pytest.mark.parametrize("name", list(SPOKEN))
@pytest.mark.parametrize("player", [0, 3])
def test_hands_and_draws_of_the_others_are_never_told(game: RiichiGame, name: str, player: int) -> None:
    dialect, looked_at = SPOKEN[name](), 0
    kyoku = dealer = -1
    for index in range(len(game.events)):
        # What waits in a batch belongs to the kyoku of its own deal, which comes first in the batch.
        for line in dialect.tell(game.masked(index, player)).splitlines():
            for kind, content in messages(line):
                if kind in ("qipai", "KyokuStart", "start_kyoku"):
                    kyoku = content.get("jushu", content.get("kyoku", 0) - (kind == "start_kyoku"))
                    dealer = (game.first_dealer + kyoku) % 4
                found = hidden(kind, content, (player - dealer) % 4, (player - game.first_dealer) % 4)
                assert set(map(str, found)) <= {"", "None", "?"}, (kind, content)
                looked_at += len(found)
    assert looked_at > 100
