"""Chombo at RiichiLab's endpoints, from both ends: what our server tells and what a bot of ours hears there."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from jantaku.players.adapters.websocket import Visit, play
from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.judge.judge import OnFault
from jantaku.table.records.journal.read import load
from jantaku.table.records.replay.verify import verify
from jantaku.table.riichi.events import ChomboDraw
from jantaku.table.riichi.ruleset import preset, with_settings
from jantaku.table.serve.riichi.room import RiichiRoomPlan
from scripts.pace import SOON
from tests.kit.careless import RIICHILAB
from tests.serve.serving import Item, Served, plan_of
from tests.serve.test_arena import ALONE, HASTY, Bot, first

ILLEGAL = {"type": "hora"}


def plan(folder: Path, players: str = ALONE, length: str = "one", **changes: Any) -> RiichiRoomPlan:
    rules = with_settings(preset("tenhou"), {**RIICHILAB, "game.length": length})
    return plan_of(folder, players, rules=rules, on_fault=OnFault.CHOMBO, **changes)


def owed(player: int, oya: int) -> list[int]:
    """What a chombo of `player` pays, by player."""
    if player == oya:
        return [-12000 if other == player else 4000 for other in range(4)]
    return [-8000 if other == player else 4000 if other == oya else 2000 for other in range(4)]


def test_every_row_of_the_payments_is_told_by_our_server_and_heard_by_a_bot_of_ours(tmp_path: Path) -> None:
    """The offender is dealer once and child three times: once under each dealer it claims a win that is none."""
    heard: list[Any] = []
    oya: list[int] = []

    class Ours(Tsumogiri):
        listens = True

        def hear(self, event: Any) -> None:
            heard.append(event)

    def odd(request: Item, number: int) -> list[Item] | None:
        dealer = next(told["oya"] for told in reversed(bot.came) if told["type"] == "start_kyoku")
        possible = {one["type"] for one in request["possible_actions"]}
        if dealer in oya or "hora" in possible:
            return None
        oya.append(dealer)
        return [{**ILLEGAL, "request_id": request["request_id"]}]

    with Served(plan(tmp_path, "ws,ws,tsumogiri,tsumogiri", "tonpu")) as served:
        at = served.at("/ws/ranked")
        ours = threading.Thread(target=play, args=(Visit(at, "ours", "riichilab", "tenhou"), Ours))
        ours.start()
        bot = Bot(f"{at}?name=x", odd)
        bot.play()
        ours.join()
        outcome = served.outcome()
    assert sorted(oya) == [0, 1, 2, 3]
    player = bot.came[0]["id"]
    ends = [n for n, told in enumerate(bot.came) if str(told.get("reason")).startswith("Error")]
    for n, dealer in zip(ends, oya, strict=True):
        ack, end, done, following = bot.came[n - 1], *bot.came[n : n + 3]
        assert (ack["status"], ack["attempted"]) == ("rejected", ILLEGAL)
        reason = f"Error: Illegal Action by Player {player}"
        assert end == {"type": "ryukyoku", "reason": reason, "deltas": owed(player, dealer)}
        assert done == {"type": "end_kyoku"}
        before = next(told for told in reversed(bot.came[:n]) if told["type"] == "start_kyoku")
        same = ("kyoku", "oya", "bakaze", "kyotaku")
        assert [following[key] for key in same] == [before[key] for key in same]
        assert following["honba"] == before["honba"] + 1
        moved = [now - then for now, then in zip(following["scores"], before["scores"], strict=True)]
        assert moved == owed(player, dealer)
    chombos = [event for event in heard if isinstance(event, ChomboDraw)]
    assert [(end.offender, end.deltas[end.offender]) for end in chombos] == [
        ((player - dealer) % 4, min(owed(player, dealer))) for dealer in oya
    ]
    assert outcome.faults[outcome.names.index("x")] == {"illegal": 4, "chombo": 4}
    record = load(Path(outcome.records[0]))
    assert record.rules is not None and verify(record, record.rules).difference is None


@pytest.mark.parametrize("said", [ILLEGAL, {"type": "fly"}, {"type": "none", "request_id": 9999}], ids=json.dumps)
def test_what_riichi_dev_calls_a_violation_ends_the_kyoku(said: Item, tmp_path: Path) -> None:
    with Served(plan(tmp_path)) as served:
        reply = [{"request_id": 0, **said}] if "request_id" in said else None
        odd = first(said) if reply is None else lambda request, number: reply if number == 1 else None
        bot = Bot(served.at("/ws/ranked?name=x"), odd).play()
        counted = served.outcome().faults
    assert len(bot.of("ryukyoku")) == 1 and "chombo" in str(counted)


def test_who_is_late_or_leaves_has_made_no_chombo(tmp_path: Path) -> None:
    with Served(plan(tmp_path, clock=HASTY)) as served:
        bot = Bot(served.at("/ws/ranked?name=x"), lambda request, number: [] if number == 1 else None).play()
        assert bot.acks[0] == "defaulted" and "chombo" not in str(served.outcome().faults)
        lost = Bot(served.at("/ws/ranked"))
        while lost.get(SOON)["type"] != "request_action":
            pass
        lost.connection.socket.close()
        assert "chombo" not in str(served.outcome().faults)
