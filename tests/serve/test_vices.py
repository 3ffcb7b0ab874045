"""What a client over WebSocket may do wrong in its own turn: verdict and blame, and that nobody else notices."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

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


def say(*frames: str | bytes) -> Hook:
    def does(client: Drawer, message: Item) -> bool:
        for frame in frames:
            client.connection.send(frame)
        return True

    return in_turn(does)


def say_after(*frames: Item) -> Hook:
    def does(client: Drawer, message: Item) -> bool:
        client.send(client.reply_to(message))
        for frame in frames:
            client.send({**frame, "seq": message["seq"]} if frame.get("seq") is None else frame)
        return True

    return in_turn(does)


def numbered(reply: Item) -> Hook:
    return in_turn(lambda client, message: client.send({**reply, "seq": message["seq"]}) or True)


def in_reactions(frame: str) -> Hook:
    """Reply that to every discard of others, whether it is asked about it or not."""

    def hook(client: Drawer, message: Item, number: int) -> bool:
        if "dapai" not in message or message["dapai"]["l"] == client.seat:
            return False
        client.connection.send(frame)
        return True

    return hook


def hang_up() -> Hook:
    return in_turn(lambda client, message: client.close() or True)


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> tuple[Outcome, list[Drawer]]:
    """The game that the others shall believe to be in: everybody discards what it draws, as the defaults do."""
    with Served(plan_of(tmp_path_factory.mktemp("clean"))) as served:
        return play_out(served, [None] * 4)


class Vice(NamedTuple):
    """What somebody does, what it is blamed for, and what is said of that."""

    does: Callable[[], Hook]
    verdicts: set[str]
    reason: str = ""


VICES = {
    "not-json": Vice(lambda: say("zimo"), {"malformed"}, "is not JSON"),
    "no-object": Vice(lambda: say('["dapai"]'), {"malformed"}, "is not a JSON object"),
    "deep": Vice(lambda: say("[" * 8000), {"malformed"}, "is not JSON"),
    "two-keys": Vice(lambda: numbered({"dapai": "m1", "gang": "m1111"}), {"malformed"}, "at once"),
    "no-tile": Vice(lambda: numbered({"dapai": "x9"}), {"malformed"}, "is not a discard"),
    "a-number": Vice(lambda: numbered({"dapai": 7}), {"malformed"}, "not a str"),
    "not-in-hand": Vice(lambda: numbered({"dapai": "z7*"}), {"illegal"}, '"z7*"'),
    "no-kan": Vice(lambda: numbered({"gang": "z7777"}), {"illegal"}, "is not among the options"),
    "two-replies": Vice(lambda: say_after({"dapai": "z7_"}), {"stale"}),
    "old-number": Vice(lambda: say_after({"dapai": "m1_", "seq": 1}), {"stale"}),
    "future-number": Vice(lambda: say_after({"dapai": "m1_", "seq": 900}), {"stale"}),
    "in-reactions": Vice(lambda: in_reactions("?"), {"malformed"}, "is not JSON"),
    "binary": Vice(lambda: say(b'{"dapai": "m1"}'), {"gone"}, "text frames only"),
    "oversized": Vice(lambda: say("x" * 20_000), {"gone"}, "1009"),
    "20-MB": Vice(lambda: say("x" * 20_000_000), {"gone"}, "1009"),
    "closes": Vice(hang_up, {"gone"}, "its connection has ended"),
    # Its first message discards the drawn tile, as in majiang-core.
    "flood": Vice(lambda: say(*["{}"] * 3000), {"gone"}, "more than 20 messages a second"),
}
TOGETHER = [
    ("not-json", "no-kan", "two-replies"),
    ("no-object", "not-in-hand", "old-number"),
    ("in-reactions", "two-keys", "future-number"),
    ("no-tile", "binary", "closes"),
    ("deep", "oversized", "a-number"),
    ("flood", "20-MB", "closes"),
]


def test_every_vice_is_tried() -> None:
    assert {name for names in TOGETHER for name in names} == set(VICES)


@pytest.mark.long
@pytest.mark.parametrize("names", TOGETHER, ids=[" ".join(names) for names in TOGETHER])
def test_every_fault_is_charged_to_its_seat_and_nobody_else_notices(
    names: tuple[str, ...], clean: tuple[Outcome, list[Drawer]], tmp_path: Path
) -> None:
    """Three at once: whoever is blamed for another's fault shows."""
    vices = [VICES[name] for name in names]
    with Served(plan_of(tmp_path)) as served:
        outcome, drawers = play_out(served, [*(vice.does() for vice in vices), None])
    bad = _bad_answers(outcome)
    for player, vice in enumerate(vices):
        faults = outcome.faults[player]
        assert set(faults) - {"stale"} == vice.verdicts - {"stale"}, (names[player], faults)
        assert ("stale" in faults) >= ("stale" in vice.verdicts)
        if vice.verdicts.isdisjoint({"gone", "stale"}) and names[player] != "in-reactions":
            assert sum(faults.values()) == 1
        reasons = [answer["reason"] for answer in bad if answer["seat"] == drawers[player].player]
        assert not vice.reason or any(vice.reason in reason for reason in reasons), (names[player], reasons[:3])
    _did_not_notice(drawers[3:], outcome, clean)


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
        assert all(bad.faults) and good.faults == ({}, {}, {}, {})
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
