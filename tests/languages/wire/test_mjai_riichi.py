"""A riichi in mjai is two steps: `reach`, which is echoed, then its discard."""

from typing import Any

import pytest

from jantaku.table.ground.errors import PlayerUnreadable
from jantaku.table.languages.wire.dialect import Heard
from jantaku.table.languages.wire.mjai import Mjai, MjaiLines
from jantaku.table.riichi import events
from tests.languages.wire.driving import ask, question, tell
from tests.languages.wire.test_mjai import RIICHI, began, flushed, messages


@pytest.mark.parametrize("kind", [Mjai, MjaiLines])
def test_reach_is_echoed_and_then_its_discard_is_asked_for(kind: Any) -> None:
    dialect = began(kind())
    tell(dialect, events.Draw(1, 1))
    due = dialect.due
    talk = dialect.ask(question(*RIICHI))
    next(talk)
    echo = talk.send(Heard(b'{"type":"reach","actor":1}', dialect.due))
    reach = {"type": "reach", "actor": 1}
    assert messages(echo) == ([[reach]] if kind is Mjai else [reach]) and dialect.due == due + 2
    with pytest.raises(StopIteration) as answer:
        talk.send(Heard(b'{"type":"dahai","actor":1,"pai":"1m","tsumogiri":false}', dialect.due))
    assert answer.value.value == RIICHI[0]
    (*_, last) = flushed(dialect, events.TileDiscard(1, 0, riichi=True), events.Riichi(1), events.Draw(2, None))
    kinds = [line["type"] for line in last] if kind is Mjai else ["dahai", "reach_accepted", "tsumo"]
    assert kinds == ["dahai", "reach_accepted", "tsumo"], "the echo is not repeated"


def test_another_seats_riichi_is_told_as_a_whole() -> None:
    dialect = began(Mjai())
    (batch,) = flushed(dialect, events.Draw(0, None), events.TileDiscard(0, 3, riichi=True))
    assert [line["type"] for line in batch][2:] == ["reach", "dahai"]


def test_after_a_riichi_that_came_to_nothing_the_kyoku_is_told_again_without_it() -> None:
    """The discard did not come in time, or the record goes on without it: its player must not believe in a riichi. A
    later one is echoed again."""
    dialect = began(Mjai())
    tell(dialect, events.Draw(0, None), events.TileDiscard(0, 3, riichi=True), events.Riichi(0), events.Draw(1, 1))
    talk = dialect.ask(question(*RIICHI))
    ((*_, before),) = [messages(next(talk))]
    talk.send(Heard(b'{"type":"reach","actor":1}', dialect.due))
    talk.close()
    due = dialect.due
    (batch,) = flushed(
        dialect, events.TileDiscard(1, 1, tsumogiri=True), events.Draw(1, 2), events.TileDiscard(1, 0, riichi=True)
    )
    assert batch[: len(before)] == before, "the same words as when it happened"
    assert [line["type"] for line in batch[len(before) :]] == ["dahai", "tsumo", "reach", "dahai"]
    assert dialect.due == due + 1, "it is replied to once"


def test_line_by_line_what_is_told_again_asks_for_nothing() -> None:
    dialect = began(MjaiLines())
    tell(dialect, events.Draw(1, 1))
    talk = dialect.ask(question(*RIICHI))
    next(talk)
    talk.send(Heard(b'{"type":"reach","actor":1}', dialect.due))
    talk.close()
    lines = flushed(dialect, events.TileDiscard(1, 1, tsumogiri=True), events.Draw(2, None), events.TileDiscard(2, 5))
    assert [line["type"] for line in lines] == ["start_kyoku", "tsumo", "dahai", "tsumo", "dahai"]
    assert [line.get("can_act") for line in lines] == [False] * 4 + [None]


def test_after_reach_comes_nothing_but_a_discard() -> None:
    dialect = began(Mjai())
    tell(dialect, events.Draw(1, 1))
    with pytest.raises(PlayerUnreadable, match="after reach comes dahai"):
        ask(dialect, question(*RIICHI), b'{"type":"reach","actor":1}', b'{"type":"none","actor":1}')
