"""What cost a player most: only what is sure, in worlds of its own, and only what the player did itself."""

from typing import Any

import msgspec
import pytest

from jantaku.table.arena.forks import costly as module
from jantaku.table.arena.forks.costly import MOST, Costly, costly
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.seating.roster import enlist
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.decisions import decisions
from tests.kit.records import PLAYERS


@pytest.fixture(autouse=True)
def fewer_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST", 6)
    monkeypatch.setattr(module, "AGAIN", 100)


def seat_of(record: Record, bot: str) -> int:
    return next(seat for seat, name in enumerate(record.names) if name.partition("-")[0] == bot)


def found(record: Record, bot: str, looked: list[tuple[int, int]] | None = None) -> list[Costly]:
    told = [] if looked is None else looked
    return costly(record, seat_of(record, bot), enlist(["shanten"])[0], lambda *one: told.append(one))


def test_random_play_has_costly_decisions_that_are_sure_and_the_most_costly_comes_first(record: Record) -> None:
    looked = list[tuple[int, int]]()
    told = found(record, "dice", looked)
    assert 0 < len(told) <= MOST
    assert [one.worth for one in told] == sorted((one.worth for one in told), reverse=True)
    assert all(one.worth > one.margin > 0 for one in told)
    assert looked == sorted(looked) and looked[-1] == (len(record.log), len(record.log))
    seen = {(one.kyoku, one.event, one.player): one for one in decisions(record)}
    for one in told:
        decision = seen[one.kyoku, one.event, seat_of(record, "dice")]
        assert (one.hand, one.played) == (decision.view.hand, decision.answer)
        assert one.choice in decision.options and one.choice != one.played
        assert (one.wind, one.number) == (decision.view.round_wind, decision.view.kyoku)


def test_a_bot_finds_nothing_in_its_own_play(record: Record) -> None:
    assert "shanten" in PLAYERS and found(record, "shanten") == []


def test_what_the_table_played_is_no_decision_of_the_player(record: Record) -> None:
    def away(turn: dict[str, Any]) -> dict[str, Any]:
        return {**turn, "answers": [{**one, "verdict": "silent"} for one in turn["answers"]]}

    late = msgspec.structs.replace(record, answers={key: away(turn) for key, turn in record.answers.items()})
    assert found(late, "dice") == []


def test_a_record_without_rules_is_refused(record: Record) -> None:
    with pytest.raises(BadInput, match="does not say by which rules"):
        found(msgspec.structs.replace(record, rules=None), "dice")
