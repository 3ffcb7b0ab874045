"""RiichiLab's protocol at one seat: what is asked, what each reply comes to, and what is acknowledged."""

import base64
import json
from typing import Any

import pytest

from jantaku.table.ground.errors import PlayerFault, PlayerSilent, PlayerUnreadable
from jantaku.table.ground.port import Action, Choice, DefaultPlayed, Question
from jantaku.table.languages.wire.dialect import Heard, converse
from jantaku.table.languages.wire.riichilab import RiichiLab, validation_result
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import PASS, RIICHI_DISCARDS, RON, TSUMO, TSUMOGIRI, Call, Discard
from jantaku.table.riichi.pieces.melds import chi, pon
from jantaku.table.riichi.pieces.tiles import RED_P, TILE
from tests.languages.wire.driving import MAJIANG, tell

Item = dict[str, Any]
DRAWN = TILE["p5"]
HAND = tuple(TILE[name] for name in ["m1", "m2", "m3", "p5", "p0", "p6", "s1", "s1", "s1", "z1", "z1", "z5", "z5"])
PON = Call(pon(TILE["s1"], 3, TILE["s1"], TILE["s1"]))
OWN_TURN = (TSUMOGIRI[DRAWN], Discard(RED_P), Discard(DRAWN), Discard(TILE["m1"]), RIICHI_DISCARDS[TILE["p6"]])


def test_what_a_reply_says_besides_is_kept() -> None:
    seat = Seat()
    seat.draw({"type": "dahai", "actor": 0, "pai": "5p", "tsumogiri": True, "meta": {"q": [1]}})
    assert (seat.acks, seat.side.meta) == (["accepted"], {"q": [1]})


class Seat:
    """The table's side of one seat, and what its player says line after line."""

    def __init__(self) -> None:
        self.side = RiichiLab()
        self.sent: list[Item] = []
        self._asked = 0
        deal = events.KyokuStart(0, 0, 0, 0, 0, (25000,) * 4, 0, (HAND, None, None, None))
        self.hear(events.HanchanStart(("a", "b", "c", "d"), 0, MAJIANG, 0), deal)

    def hear(self, *happened: events.Event) -> None:
        """Events."""
        self._keep(tell(self.side, *happened))

    def ask(self, *options: Action, replies: list[Any], allowed: float = 18.0, waited: float = 0.5) -> Any:
        """A question, and lines about it: objects, to which the open id is added unless they have one, or bytes. Its
        answer, or the fault."""
        self._asked += 1
        put = Question(self._asked, 0, Choice(options, options[0]), allowed, bank=15.0)
        lines = iter(replies)

        def receive() -> Heard:
            try:
                line = next(lines)
            except StopIteration:
                raise PlayerSilent("no answer in time") from None
            if isinstance(line, dict):
                line = json.dumps({"request_id": self.open, **line}).encode()
            return Heard(line, self.side.due, waited)

        try:
            return converse(self.side.ask(put), self._keep, receive)
        except PlayerFault as fault:
            self._keep(self.side.default_played(DefaultPlayed(self._asked, "silent", str(fault))))
            return type(fault)

    def draw(self, *replies: Any, **time: float) -> Any:
        """The own draw of a plain 5p, and once more the question about it."""
        if not self.requests:
            self.hear(events.Draw(0, DRAWN))
        return self.ask(*OWN_TURN, replies=list(replies), **time)

    @property
    def requests(self) -> list[Item]:
        return [one for one in self.sent if one["type"] == "request_action"]

    @property
    def acks(self) -> list[str]:
        return [one["status"] for one in self.sent if one["type"] == "action_ack"]

    @property
    def ack(self) -> Item:
        return [one for one in self.sent if one["type"] == "action_ack"][-1]

    @property
    def open(self) -> int:
        number: int = self.requests[-1]["request_id"]
        return number

    def seen(self) -> Item:
        """The last observation."""
        found: Item = json.loads(base64.b64decode(self.requests[-1]["observation"]))
        return found

    def _keep(self, data: bytes) -> None:
        self.sent += [json.loads(line) for line in data.splitlines()]


def dahai(pai: str, **more: Any) -> Item:
    return {"type": "dahai", "pai": pai, **more}


# --- requests


def test_a_request_lists_every_tile_and_what_there_is_beside_discards() -> None:
    seat = Seat()
    seat.draw()
    kinds = [(one["type"], one.get("pai")) for one in seat.requests[0]["possible_actions"]]
    assert kinds == [("dahai", "1m"), ("dahai", "5pr"), ("dahai", "5p"), ("dahai", "5p"), ("reach", None)]
    assert seat.requests[0]["time"] == {"grace_ms": 3000, "bank_ms": 15000, "deadline_ms": 18000}


def test_an_observation_tells_what_the_seat_sees_by_numbers_of_tiles() -> None:
    seat = Seat()
    seat.draw()
    seen = seat.seen()
    assert seen["hands"][0] == [0, 4, 8, 52, 53, 56, 72, 73, 74, 108, 109, 124, 125, 54]
    assert (seen["drawn_tile"], seen["dora_indicators"], seen["player_id"]) == (54, [1], 0)
    told = [json.loads(text)["type"] for text in seen["events"]]
    assert told == ["start_game", "start_kyoku", "tsumo"]
    legal = [(one["action_type"], one["tile"]) for one in seen["_legal_actions"]]
    assert legal == [("Discard", 0), ("Discard", 52), ("Discard", 53), ("Discard", 54), ("Riichi", None)]


def test_calls_are_listed_once_for_every_way_to_make_them() -> None:
    seat = Seat()
    seat.hear(events.Draw(3, None), events.TileDiscard(3, TILE["s1"]))
    seat.ask(PASS, PON, replies=[{"type": "none"}])
    assert [one["type"] for one in seat.requests[0]["possible_actions"]] == ["pon", "pon", "pon", "none"]
    assert seat.seen()["_legal_actions"][0]["consume_tiles"] == [72, 73]
    assert seat.seen()["last_discard"] == 75


def test_a_meld_keeps_its_source_and_the_called_tile() -> None:
    seat = Seat()
    call = Call(chi(TILE["p4"], RED_P, TILE["p6"]))
    seat.hear(events.Draw(3, None), events.TileDiscard(3, TILE["p4"]))
    assert seat.ask(PASS, call, replies=[{"type": "chi", "pai": "4p", "consumed": ["6p", "5pr"]}]) == call
    seat.hear(events.MeldCall(0, call.meld))
    seat.ask(Discard(TILE["m1"]), Discard(DRAWN), replies=[dahai("5p")])
    (meld,) = seat.seen()["melds"][0]
    assert meld == {"meld_type": "Chi", "tiles": [48, 52, 56], "opened": True, "from_who": 3, "called_tile": 48}
    assert seat.seen()["drawn_tile"] is None


def test_the_discard_that_a_riichi_forces_is_asked_for_and_nobody_waits() -> None:
    seat = Seat()
    seat.hear(events.Draw(0, DRAWN), events.TileDiscard(0, TILE["p6"], riichi=True), events.Draw(0, TILE["z7"]))
    assert [one["type"] for one in seat.requests[0]["possible_actions"]] == ["dahai"]
    reply = json.dumps({**dahai("C", tsumogiri=True), "request_id": seat.open}).encode()
    for status in ("accepted", "stale"):
        said = seat.side.interjected(Heard(reply, seat.side.due))
        assert said is not None
        assert json.loads(said)["status"] == status


def test_numbers_of_requests_grow_and_differ_between_seats() -> None:
    one, other = Seat(), Seat()
    for seat in (one, other, one, other):
        seat.ask(*OWN_TURN, replies=[dahai("1m")])
    one.ask(*OWN_TURN, replies=[dahai("1m")])
    assert [put["request_id"] for put in one.requests] == [3, 5, 7]


# --- replies that are used


@pytest.mark.parametrize(
    ("reply", "meant"),
    [
        (dahai("5p", tsumogiri=True), TSUMOGIRI[DRAWN]),
        (dahai("5p"), Discard(DRAWN)),
        (dahai("5pr", tsumogiri=True), Discard(RED_P)),
        (dahai("1m", actor=3, target=2, x=[1]), Discard(TILE["m1"])),
        ({"type": "dahai"}, Discard(TILE["m1"])),
    ],
)
def test_a_reply_means_the_first_candidate_that_fits(reply: Item, meant: Action) -> None:
    seat = Seat()
    assert seat.draw(reply) == meant
    assert seat.acks == ["accepted"]


def test_a_riichi_takes_two_requests_and_the_time_of_both() -> None:
    seat = Seat()
    assert seat.draw({"type": "reach"}, dahai("6p"), waited=4.0) == RIICHI_DISCARDS[TILE["p6"]]
    first, second = seat.requests
    assert [one["pai"] for one in second["possible_actions"]] == ["6p"]
    assert second["request_id"] > first["request_id"]
    assert second["time"] == {"grace_ms": 0, "bank_ms": 14000, "deadline_ms": 14000}
    assert [one["type"] for one in seat.sent[-4:]] == ["action_ack", "reach", "request_action", "action_ack"]
    assert seat.seen()["events"] == ['{"actor":0,"type":"reach"}']


def test_what_is_used_beyond_the_grace_is_of_the_bank() -> None:
    seat = Seat()
    seat.draw(dahai("1m"), waited=4.5)
    assert (seat.ack["elapsed_ms"], seat.ack["bank_consumed_ms"], seat.ack["bank_ms"]) == (4500, 1500, 13500)


# --- replies that are not


@pytest.mark.parametrize(
    ("reply", "status", "answer"),
    [
        ({"type": "hora"}, "rejected", TSUMO),
        (dahai("9p"), "rejected", Discard(TILE["p9"])),
        ({"type": "pon", "pai": "1s", "target": 3, "consumed": ["1s", "1s"]}, "rejected", PON),
        ({"type": "chi", "pai": "what", "consumed": {}}, "rejected", PlayerUnreadable),
        ({"type": "none"}, "rejected", PASS),
        ({"type": "fly"}, "unparseable", PlayerUnreadable),
        ({"type": ["dahai"]}, "unparseable", PlayerUnreadable),
        ({}, "unparseable", PlayerUnreadable),
        (b"dahai 1m", "unparseable", PlayerUnreadable),
        (b"[]", "unparseable", PlayerUnreadable),
        (b"", "unparseable", PlayerUnreadable),
        ({"type": "none", "request_id": 999}, "unparseable", PlayerUnreadable),
        ({"type": "none", "request_id": "3"}, "unparseable", PlayerUnreadable),
        ({"type": "none", "request_id": True}, "unparseable", PlayerUnreadable),
    ],
)
def test_what_cannot_be_used_is_said_and_blamed(reply: Any, status: str, answer: Any) -> None:
    seat = Seat()
    assert seat.draw(reply, dahai("1m")) == answer
    assert seat.acks == [status]
    assert seat.ack["request_id"] == seat.open
    assert json.loads(validation_result(seat.side))["passed"] is False


def test_a_rejected_reply_is_told_what_was_legal() -> None:
    seat = Seat()
    seat.draw({"type": "hora"})
    assert seat.ack["attempted"] == {"type": "hora"}
    assert seat.ack["legal_types"] == ["dahai", "reach"]


def test_a_discard_after_reach_that_is_not_tenpai_is_rejected() -> None:
    seat = Seat()
    assert seat.draw({"type": "reach"}, dahai("1m")) is PlayerUnreadable
    assert seat.acks == ["accepted", "rejected"]


def test_silence_is_acknowledged_with_the_default() -> None:
    seat = Seat()
    assert seat.draw() is PlayerSilent
    assert (seat.acks, seat.ack["bank_ms"]) == (["defaulted"], 0)
    assert seat.ack["action"] == {"type": "dahai", "pai": "5p", "tsumogiri": True}
    assert json.loads(validation_result(seat.side))["passed"] is True


def test_a_late_reply_is_stale_and_never_answers_the_next_request() -> None:
    seat = Seat()
    seat.draw()
    late = {**dahai("1m"), "request_id": seat.open}
    assert seat.draw(late, dahai("5pr")) == Discard(RED_P)
    assert seat.acks == ["defaulted", "stale", "accepted"]


def test_a_reply_without_a_number_is_bound_by_its_order() -> None:
    seat = Seat()
    bare = json.dumps(dahai("1m")).encode()
    assert seat.draw(bare) == Discard(TILE["m1"])
    assert seat.draw() is PlayerSilent
    assert seat.draw(bare, bare) == Discard(TILE["m1"])  # the first one is the debt of the request before
    assert seat.acks == ["accepted", "defaulted", "stale", "accepted"]


def test_a_reply_that_comes_twice_counts_once() -> None:
    seat = Seat()
    seat.hear(events.Draw(3, None), events.TileDiscard(3, TILE["s1"]))
    assert seat.ask(PASS, RON, replies=[{"type": "none"}]) == PASS
    twice = json.dumps({"type": "none", "request_id": seat.open}).encode()
    said = seat.side.interjected(Heard(twice, seat.side.due))
    assert said is not None
    assert json.loads(said)["status"] == "stale"
    assert seat.draw({"type": "none", "request_id": seat.open}, dahai("1m")) == Discard(TILE["m1"])


def test_a_line_while_nothing_is_open_blames_nobody() -> None:
    seat = Seat()
    for line in (b"what", b'{"type":"none","request_id":5}'):
        said = seat.side.interjected(Heard(line, seat.side.due))
        assert said is not None
        assert json.loads(said)["status"] == "unparseable"
    assert seat.draw(dahai("1m")) == Discard(TILE["m1"])
    assert seat.side.stale == 2
