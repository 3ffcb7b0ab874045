"""Our own messages: their words are written out, so that a class may be renamed and the bytes stay."""

import msgspec
import pytest

from table.riichi import actions, events
from table.riichi.pieces.melds import ankan, chi
from table.wire.native import _ACTIONS, _EVENTS, Native


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (events.TileDiscard(1, 8, tsumogiri=True), ["Discard", {"seat": 1, "tile": 8, "tsumogiri": True}]),
        (events.MeldCall(1, chi(0, 1, 2)), ["Call", {"seat": 1}]),
        (events.OwnKan(1, ankan(0, 0, 0, 0)), ["Kan", {"seat": 1}]),
    ],
)
def test_the_words_of_events_are_those_of_the_first_version(event: events.Event, line: list[object]) -> None:
    word, fields = msgspec.json.decode(Native().tell(event))["event"]
    assert word == line[0]
    assert fields.items() >= line[1].items()  # type: ignore[attr-defined]


def test_every_event_and_action_has_a_word() -> None:
    assert set(_EVENTS.values()) == set(events.Event.__subclasses__())
    assert set(_ACTIONS.values()) == set(actions.RiichiAction.__args__)
