"""Every row of RiichiLab's table of acks from both ends: what our server acknowledges, and that a player of ours goes
on after it, at our server and at others."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

from jantaku.players.adapters.client import Mind
from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.languages.wire.dialect import Heard
from jantaku.table.languages.wire.riichilab import validation_result
from jantaku.table.languages.wire.riichilab_physical import RiichiLabReader
from jantaku.table.riichi import events
from jantaku.table.riichi.pieces.tiles import TILE
from jantaku.table.riichi.ruleset import preset
from tests.languages.wire.test_riichilab import Item, Seat, dahai

ROWS: dict[str, tuple[list[Any], list[str], set[str]]] = {
    "accepted": ([dahai("1m")], ["accepted"], set()),
    "accepted after reach": ([{"type": "reach"}, dahai("6p")], ["accepted", "accepted"], set()),
    "rejected": ([{"type": "hora"}], ["rejected"], {"reason", "attempted", "legal_types"}),
    "unparseable: no JSON": ([b"dahai"], ["unparseable"], {"reason"}),
    "unparseable: no object": ([b"[]"], ["unparseable"], {"reason"}),
    "unparseable: no type": ([{}], ["unparseable"], {"reason"}),
    "unparseable: a type that there is not": ([{"type": "fly"}], ["unparseable"], {"reason"}),
    "unparseable: a number to come": ([dahai("1m", request_id=999)], ["unparseable"], {"reason"}),
    "stale": ([dahai("1m", request_id=1), dahai("1m")], ["stale", "accepted"], set()),
    "defaulted": ([], ["defaulted"], {"action"}),
}
"""By row of the table: what is said to the second request, the acks, and their fields beside those of every ack."""
ALWAYS = {"type", "request_id", "status", "elapsed_ms", "bank_consumed_ms", "bank_ms"}
DEFAULTED = {"action": {"pai": "7s", "tsumogiri": True, "type": "dahai"}, "bank_consumed_ms": 15000, "bank_ms": 0}
STRANGE: dict[str, list[Item]] = {
    "accepted": [{"status": "accepted", "elapsed_ms": 527, "bank_ms": 15000, "bank_consumed_ms": 0}],
    "rejected": [{"status": "rejected", "attempted": {"type": "hora"}, "legal_types": ["dahai"], "reason": "..."}],
    "unparseable": [{"status": "unparseable", "reason": "...", "message": "..."}],
    "stale": [{"status": "stale", "elapsed_ms": 18350}],
    "defaulted, then stale for the same request": [{"status": "defaulted", **DEFAULTED}, {"status": "stale"}],
    "said twice": [{"status": "accepted"}, {"status": "accepted"}],
    "a status that there is not": [{"status": "pondered"}],
    "nothing in it": [{}],
    "a status that is no text": [{"status": 7, "elapsed_ms": "late", "action": []}],
    "a request that there never was": [{"status": "accepted", "request_id": 999}],
}
"""Acks as the service and its documents have them, and as nobody does."""


def second_request(replies: list[Any]) -> Seat:
    """A seat whose first request was answered, and these were the replies to its second."""
    seat = Seat()
    seat.draw(dahai("1m"))
    first = seat.open
    said = [
        {**one, "request_id": first} if isinstance(one, dict) and one.get("request_id") == 1 else one for one in replies
    ]
    seat.draw(*said)
    return seat


def answers(reader: RiichiLabReader, told: Iterable[Item]) -> list[Item]:
    """What a player of ours says to all that."""
    mind, choice, said = Mind(Tsumogiri()), None, []
    for item in told:
        heard = reader.read(json.dumps(item).encode())
        choice = choice if heard.again else None
        for event in heard.events:
            choice = mind.hear(event)
        if heard.wants_reply:
            said.append(json.loads(reader.write(mind.decide(choice), heard.number)))
    return said


@pytest.mark.parametrize("row", ROWS)
def test_our_server_acknowledges_every_row_with_its_fields(row: str) -> None:
    replies, statuses, fields = ROWS[row]
    seat = second_request(replies)
    assert seat.acks == ["accepted", *statuses]
    assert seat.ack.keys() == ALWAYS | fields
    assert json.loads(validation_result(seat.side))["passed"] is not bool({"rejected", "unparseable"} & set(statuses))


@pytest.mark.parametrize("row", ROWS)
def test_a_player_of_ours_goes_on_after_every_ack_of_our_server(row: str) -> None:
    seat = second_request(ROWS[row][0])
    seat.draw(dahai("1m"))
    reader = RiichiLabReader(preset("tenhou"))
    said = answers(reader, seat.sent)
    assert [one["request_id"] for one in said] == [one["request_id"] for one in seat.requests]
    assert reader.troubles == []


@pytest.mark.parametrize("row", STRANGE)
def test_a_player_of_ours_goes_on_after_any_ack(row: str) -> None:
    seat = Seat()
    seat.draw(dahai("1m"))
    seat.draw(dahai("1m"))
    acks = [{"type": "action_ack", "request_id": seat.requests[0]["request_id"], **one} for one in STRANGE[row]]
    events_before, last = seat.sent[:-2], [one for one in seat.sent if one["type"] == "request_action"][-1]
    reader = RiichiLabReader(preset("tenhou"))
    said = answers(reader, [*(one for one in events_before if one["type"] != "action_ack"), *acks, last])
    assert [one["request_id"] for one in said] == [one["request_id"] for one in seat.requests]
    assert all(one["type"] == "dahai" and one["tsumogiri"] for one in said)
    assert reader.troubles == []


def test_a_player_of_ours_follows_a_default_and_a_chombo() -> None:
    """As the service plays them: the discard of the default, then the next kyoku by the same dealer."""
    seat = Seat()
    seat.draw()
    default = {"type": "dahai", "actor": 0, "pai": "5p", "tsumogiri": True}
    chombo = {"type": "ryukyoku", "reason": "Error: Illegal Action by Player 0", "deltas": [-12000, 4000, 4000, 4000]}
    (deal,) = (one for one in seat.sent if one["type"] == "start_kyoku")
    again = {**deal, "honba": 1, "scores": [13000, 29000, 29000, 29000]}
    more: list[Item] = [default, chombo, {"type": "end_kyoku"}, again, {"type": "tsumo", "actor": 0, "pai": "5p"}]
    request = {**seat.requests[0], "request_id": 99}
    reader = RiichiLabReader(preset("tenhou"))
    said = answers(reader, [*seat.sent, *more, request])
    assert [one["request_id"] for one in said] == [seat.requests[0]["request_id"], 99]
    assert reader.troubles == []


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (dahai("C", tsumogiri=True), "accepted"),
        (dahai("C"), "accepted"),
        (dahai("1m"), "rejected"),
        ({"type": "hora"}, "rejected"),
        ({"type": "fly"}, "unparseable"),
        ({}, "unparseable"),
    ],
)
def test_the_reply_to_the_discard_that_a_riichi_forces_is_looked_at(reply: Item, status: str) -> None:
    seat = Seat()
    seat.hear(events.Draw(0, TILE["p5"]), events.TileDiscard(0, TILE["p6"], riichi=True), events.Draw(0, TILE["z7"]))
    said = seat.side.interjected(Heard(json.dumps({**reply, "request_id": seat.open}).encode(), seat.side.due))
    assert said is not None
    assert json.loads(said)["status"] == status
    assert json.loads(validation_result(seat.side))["passed"] is (status == "accepted")
