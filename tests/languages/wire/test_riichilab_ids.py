"""RiichiLab's `request_id` from both ends: what becomes of a reply whose number skips, is old, or is another request's,
of requests that nobody waits for, and of a server whose numbers are odd."""

import json
from typing import Any

import pytest

from jantaku.table.ground.errors import PlayerSilent, PlayerUnreadable
from jantaku.table.languages.wire.dialect import Heard
from jantaku.table.languages.wire.riichilab import validation_result
from jantaku.table.languages.wire.riichilab_physical import RiichiLabReader
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import PASS, RON, Discard
from jantaku.table.riichi.pieces.tiles import TILE
from jantaku.table.riichi.ruleset import preset
from tests.languages.wire.test_riichilab import Item, Seat, dahai
from tests.languages.wire.test_riichilab_acks import answers

M1 = Discard(TILE["m1"])
FIRST, GAP, OPEN, NEXT = range(4)
"""The number of a first request, one behind it that is another seat's, that of the second request, and the next."""
Ack = tuple[int, str]
NUMBERED: dict[str, tuple[list[Any], list[Ack], Any]] = {
    "skips": ([NEXT, OPEN], [(OPEN, "unparseable")], PlayerUnreadable),
    "is far ahead": ([10**9, OPEN], [(OPEN, "unparseable")], PlayerUnreadable),
    "is another seat's": ([GAP, OPEN], [(OPEN, "unparseable")], PlayerUnreadable),
    "never was": ([-3, OPEN], [(OPEN, "unparseable")], PlayerUnreadable),
    "is a text": (["5", OPEN], [(OPEN, "unparseable")], PlayerUnreadable),
    "is a fraction": ([5.5, OPEN], [(OPEN, "unparseable")], PlayerUnreadable),
    "is a list": ([[5], OPEN], [(OPEN, "unparseable")], PlayerUnreadable),
    "is old": ([FIRST, OPEN], [(FIRST, "stale"), (OPEN, "accepted")], M1),
    "is old, twice": ([FIRST, FIRST, OPEN], [(FIRST, "stale"), (FIRST, "stale"), (OPEN, "accepted")], M1),
    "is old, and no other comes": ([FIRST], [(FIRST, "stale"), (OPEN, "defaulted")], PlayerSilent),
    "is null": ([None], [(OPEN, "accepted")], M1),
}
"""By row the numbers of the replies to a seat's second request, the acks, and the answer or the fault: PlayerUnreadable
is blamed as malformed, PlayerSilent as silent."""
Said = tuple[int | None, Item]
DISCARD, OTHER, PASSES = dahai("C", tsumogiri=True), dahai("1m"), {"type": "none"}
TOLD, TAKEN = (FIRST, "accepted"), (OPEN, "accepted")
FORCED: dict[str, tuple[list[Said], list[Said], list[Said], list[Ack]]] = {
    "in time": ([(FIRST, DISCARD)], [(OPEN, PASSES)], [], [TOLD, TAKEN]),
    "never": ([], [(OPEN, PASSES)], [], [TAKEN]),
    "late": ([], [(FIRST, DISCARD), (OPEN, PASSES)], [], [TOLD, TAKEN]),
    "when the next is answered": ([], [(OPEN, PASSES)], [(FIRST, DISCARD)], [TAKEN, TOLD]),
    "twice": ([(FIRST, DISCARD), (FIRST, DISCARD)], [(OPEN, PASSES)], [], [TOLD, (FIRST, "stale"), TAKEN]),
    "with what is not possible": ([(FIRST, OTHER)], [(OPEN, PASSES)], [], [(FIRST, "rejected"), TAKEN]),
    "late with what is not possible": ([], [(FIRST, OTHER), (OPEN, PASSES)], [], [(FIRST, "rejected"), TAKEN]),
    "with what is no reply": ([(FIRST, {})], [(OPEN, PASSES)], [], [(FIRST, "unparseable"), TAKEN]),
    "with another seat's number": ([(GAP, DISCARD)], [(OPEN, PASSES)], [], [(GAP, "unparseable"), TAKEN]),
    "by order": ([], [(None, DISCARD), (None, PASSES)], [], [TOLD, TAKEN]),
}
"""By row how the discard that a riichi forces, for which nobody waits, is replied to: before a claim is asked for, then
and afterwards; and the acks. The answer to the claim is a pass in all of them."""


def numbered(said: list[Said], first: int) -> list[Item]:
    """Replies with their numbers: requests of one seat are two apart here."""
    return [{**reply, "request_id": _meant(number, first)} for number, reply in said]


def _meant(number: Any, first: int) -> Any:
    return first + number if type(number) is int and 0 <= number <= NEXT else number


def acks(seat: Seat) -> list[Ack]:
    return [(one["request_id"], one["status"]) for one in seat.sent if one["type"] == "action_ack"]


@pytest.mark.parametrize("row", NUMBERED)
def test_a_reply_whose_number(row: str) -> None:
    numbers, acknowledged, answer = NUMBERED[row]
    seat = Seat()
    seat.draw(dahai("1m"))
    first = seat.open
    assert seat.draw(*numbered([(number, dahai("1m")) for number in numbers], first)) == answer
    assert seat.open == first + OPEN
    assert acks(seat)[1:] == [(first + number, status) for number, status in acknowledged]
    assert json.loads(validation_result(seat.side))["passed"] is (answer is not PlayerUnreadable)
    assert seat.draw(dahai("1m")) == M1, "the game goes on"


@pytest.mark.parametrize("row", FORCED)
def test_the_discard_that_a_riichi_forces_is_answered(row: str) -> None:
    before, then, after, acknowledged = FORCED[row]
    seat = Seat()
    seat.hear(events.Draw(0, TILE["p5"]), events.TileDiscard(0, TILE["p6"], riichi=True), events.Draw(0, TILE["z7"]))
    first = seat.open
    interject(seat, numbered(before, first))
    seat.hear(events.TileDiscard(0, TILE["z7"], tsumogiri=True))
    seat.hear(events.Draw(1, None), events.TileDiscard(1, TILE["m1"]))
    assert seat.ask(PASS, RON, replies=numbered(then, first)) == PASS
    interject(seat, numbered(after, first))
    assert acks(seat) == [(first + number, status) for number, status in acknowledged]
    refused = {"rejected", "unparseable"} & {status for number, status in acknowledged if number == FIRST}
    assert json.loads(validation_result(seat.side))["passed"] is not bool(refused)


def interject(seat: Seat, replies: list[Item]) -> None:
    """Lines while nothing is open."""
    for reply in replies:
        told = seat.side.interjected(Heard(json.dumps(reply).encode(), seat.side.due))
        assert told is not None
        seat.sent.append(json.loads(told))


SERVED: dict[str, tuple[list[Any], list[int], int]] = {
    "grow by one": ([1, 2, 3], [1, 2, 3], 0),
    "skip, as those of other seats lie between": ([4, 7, 400], [4, 7, 400], 0),
    "come twice": ([4, 4, 7], [4, 7], 1),
    "go back": ([7, 4, 8], [7, 8], 1),
    "are texts": (["4", "7", 9], [9], 2),
    "are missing": ([None, 4], [4], 1),
    "are no whole numbers": ([True, 4.5, 5], [5], 2),
    "are those of a game that is over": ([7, 9, "start_game", 1, 3], [7, 9, 1, 3], 0),
}
"""By row the numbers of the requests of a server, those that a player of ours answers, and how many it leaves out."""


@pytest.mark.parametrize("row", SERVED)
def test_a_player_of_ours_goes_on_at_a_server_whose_numbers(row: str) -> None:
    numbers, answered, left_out = SERVED[row]
    seat = Seat()
    seat.draw(dahai("1m"))
    (request,) = seat.requests
    begins = [one for one in seat.sent if one["type"] not in ("request_action", "action_ack")]
    told: list[Item] = [*begins]
    for number in numbers:
        told += begins if number == "start_game" else [{**request, "request_id": number}]
    reader = RiichiLabReader(preset("tenhou"))
    said = answers(reader, told)
    assert [one["request_id"] for one in said] == answered
    assert all((one["type"], one["pai"]) == ("dahai", "5p") for one in said)
    assert len(reader.troubles) == left_out


def test_a_player_of_ours_answers_the_discard_that_a_riichi_forces_whether_its_server_waits_or_not() -> None:
    seat = Seat()
    seat.hear(events.Draw(0, TILE["p5"]), events.TileDiscard(0, TILE["p6"], riichi=True))
    for other in (1, 2, 3):
        seat.hear(events.Draw(other, None), events.TileDiscard(other, TILE[f"z{other}"]))
    seat.hear(events.Draw(0, TILE["z7"]), events.TileDiscard(0, TILE["z7"], tsumogiri=True))
    seat.hear(events.Draw(1, None), events.TileDiscard(1, TILE["m1"]))
    seat.ask(PASS, RON, replies=[{"type": "none"}])
    (forced, _) = seat.requests
    waits = [*seat.sent]
    waits.insert(waits.index(forced) + 1, {"type": "action_ack", "request_id": forced["request_id"], "status": "late"})
    for told in (seat.sent, waits):
        reader = RiichiLabReader(preset("tenhou"))
        first, second = answers(reader, told)
        assert {**first, "actor": 0} == {**DISCARD, "actor": 0, "request_id": forced["request_id"]}
        assert second["type"] in ("none", "hora") and second["request_id"] == seat.open
        assert reader.troubles == []
