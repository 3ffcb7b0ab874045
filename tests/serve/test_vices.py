"""What a client of a room does wrong in its own turn costs nobody else anything. What each vice is blamed for is in
`tests/hostile/test_broken.py`."""

import json
import threading
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jantaku.table.play.outcome import Outcome
from jantaku.table.records.journal.read import load
from jantaku.table.records.replay.verify import verify
from tests.serve.secrets import untimed
from tests.serve.serving import BRIEF, CLOCK, WATCHED, Drawer, Hook, Item, Served, plan_of, play_out

SHORT = msgspec.structs.replace(CLOCK, turn=BRIEF)
TURN = 3
"""The own turn, from 1, in which the vice shows."""


def in_turn(does: Any) -> Hook:
    """Do something once, in the third own turn; `does` says whether the message is replied to no more."""
    turns = []

    def hook(client: Drawer, message: Item, number: int) -> bool:
        if not client.draws(message):
            return False
        turns.append(number)
        return bool(does(client, message)) if len(turns) == TURN else False

    return hook


def say(frame: str | bytes) -> Hook:
    return in_turn(lambda client, message: client.connection.send(frame) or True)


def hang_up() -> Hook:
    return in_turn(lambda client, message: client.close() or True)


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> tuple[Outcome, list[Drawer]]:
    """The game that the others shall believe to be in: everybody discards what it draws, as the defaults do."""
    with Served(plan_of(tmp_path_factory.mktemp("clean"))) as served:
        return play_out(served, [None] * 4)


def test_who_is_silent_gets_the_default_no_late_answer(clean: tuple[Outcome, list[Drawer]], tmp_path: Path) -> None:
    """It answers as soon as it hears that the default was played for it."""
    late: list[Item] = []

    def hook(client: Drawer, message: Item, number: int) -> bool:
        if late and late[0] is not message:
            client.send({"dapai": "z7*", "seq": late.pop()["seq"]})
        return False

    def keep(client: Drawer, message: Item) -> bool:
        late.append(message)
        return True

    silent = in_turn(keep)
    both: Hook = lambda client, message, number: hook(client, message, number) or silent(client, message, number)  # noqa: E731
    with Served(plan_of(tmp_path, clock=SHORT)) as served:
        outcome, drawers = play_out(served, [both, None, None, None])
    assert outcome.faults[0] == {"silent": 1, "stale": 1}
    _did_not_notice(drawers[1:], outcome, clean)
    (answer,) = _bad_answers(outcome)
    assert answer["used"] >= BRIEF


def test_who_never_answers_the_greeting_plays_defaults_and_holds_nobody_up_again(tmp_path: Path) -> None:
    clock = msgspec.structs.replace(CLOCK, start=BRIEF)
    with Served(plan_of(tmp_path, clock=clock)) as served:
        outcome, drawers = play_out(served, [lambda client, message, number: True, None, None, None])
        code, reason = drawers[0].farewell
    assert set(outcome.faults[0]) == {"start_failed"} and outcome.faults[1:] == ({}, {}, {})
    assert code == 1008 and "given up" in reason


def test_a_room_full_of_vices_does_not_stop_the_next_room(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path), limits=WATCHED) as served:
        bad, _ = play_out(served, [say(b"?"), hang_up(), say("{" * 9000), say("x" * 20_000)], room="bad")
        good, _ = play_out(served, [None] * 4, room="good")
        assert [set(one) - {"stale"} for one in bad.faults] == [{"gone"}, {"gone"}, {"malformed"}, {"gone"}]
        assert good.faults == ({}, {}, {}, {})
        assert not [one for one in threading.enumerate() if one.name.startswith(("T1-", "room-"))]


def _did_not_notice(others: list[Drawer], outcome: Outcome, clean: tuple[Outcome, list[Drawer]]) -> None:
    """The record is sound, and these heard what they hear in a game without any fault."""
    for drawer in others:
        (same,) = [one for one in clean[1] if one.player == drawer.player]
        assert outcome.faults[clean[1].index(same)] == {}
        assert untimed(drawer.frames) == untimed(same.frames)
    assert outcome.scores == clean[0].scores
    record = load(Path(outcome.records[0]))
    assert record.rules is not None and verify(record, record.rules).difference is None


def _bad_answers(outcome: Outcome) -> list[Item]:
    lines = [json.loads(line) for line in Path(outcome.records[0]).read_text("utf-8").splitlines()]
    answers = [answer for line in lines for answer in line.get("answers", ())]
    return [answer for answer in answers if answer["verdict"] not in ("ok", "ok_margin")]
