"""A turn as it is told at the level debug: the same in every run, compiled or not (S-40 to S-43)."""

import threading
from typing import Any

import pytest
import structlog
from structlog.testing import capture_logs

from jantaku.table.ground.log import logger
from jantaku.table.ground.port import Action, Choice
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.story import Story
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.turn.discard import DiscardEvent
from tests.judge.players import Writer, always, join_table_threads
from tests.judge.test_late import Gated
from tests.kit.pace import MODES, SOON, THREADED, UNIT
from tests.kit.toy import ToyGame

OWN = ["keep", "offer", "show"]
REACTIONS = ["pass", "claim", "shout"]
Lines = list[dict[str, Any]]
ENDS: dict[str, Lines] = {
    "per-turn": [{"event": "sheet sealed", "lines": 4, "written": 4}],
    "resident": [{"event": "sheet sealed", "lines": 4, "written": 2}],
    "inline": [],
}
BEGINS: dict[str, Lines] = {
    "per-turn": [
        {"event": "event made", "seat": 0, "options": OWN},
        {
            "event": "threads under way",
            "threads": ["T1-s1-t1", "T1-s2-t1", "T1-s3-t1", "T1-s0-t1"],
            "waiting": ["T1-s1-t1", "T1-s2-t1", "T1-s3-t1"],
        },
    ],
    "resident": [
        {"event": "turn begins", "seat": 0, "options": OWN},
        {"event": "threads under way", "threads": ["T1-s0"], "waiting": []},
    ],
    "inline": [{"event": "turn begins", "seat": 0, "options": OWN}],
}
TURN: Lines = [
    {"event": "settled", "by": "seat", "seat": 0, "action": "offer"},
    {"event": "may react", "seat": 1, "options": REACTIONS},
    {"event": "response", "seat": 0, "by": "seat", "action": "offer", "verdict": "ok"},
    {"event": "response", "seat": 1, "by": "seat", "action": "claim", "verdict": "ok"},
    {"event": "response", "seat": 2, "by": "OTHERS", "action": None, "verdict": "no reaction"},
    {"event": "response", "seat": 3, "by": "OTHERS", "action": None, "verdict": "no reaction"},
]
RULING = [{"event": "ruling", "ruling": "the end", "why": "1 claims"}]
WRITTEN = {"per-turn": [0, 1, 2, 3], "resident": [0, 1], "inline": [0, 1]}
"""The seats that say how long it took them."""


def _told(game: ToyGame, players: list[Writer], **settings: Any) -> Lines:
    structlog.reset_defaults()
    with capture_logs() as lines:
        Judge(game, players, **settings).run()
    return [dict(line) for line in lines if line.pop("log_level") == "debug"]


@pytest.mark.parametrize("mode", MODES)
def test_a_turn_is_told_from_its_event_to_the_ruling(mode: str) -> None:
    lines = _told(ToyGame(turns=1), [always("offer"), always("claim"), Writer(), Writer()], mode=mode)
    written = [line["seat"] for line in lines if line["event"] == "response" and line["ms"] is not None]
    assert written == WRITTEN[mode]
    for line in lines:
        line.pop("ms", None)
    assert all((line.pop("table"), line.pop("lap"), line.pop("turn")) == (1, 1, 1) for line in lines)
    assert all(line.pop("player") == f"toy-{line['seat']}" for line in lines if "seat" in line)
    others = "seat" if mode == "per-turn" else "judge"  # only there has every seat a thread that can write
    turn = [line | {"by": others} if line.get("by") == "OTHERS" else line for line in TURN]
    assert lines == [*BEGINS[mode], *turn, *ENDS[mode], *RULING]


def test_four_threads_are_started_and_three_wait_before_that_of_the_turn_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """S-40 to S-42. The turn seat's player answers when all three wait."""
    started: list[str] = []
    waits: list[tuple[str, bool]] = []
    three = threading.Semaphore(0)
    start, wait = threading.Thread.start, DiscardEvent.wait

    def starting(thread: threading.Thread) -> None:
        started.append(thread.name)
        start(thread)

    def waiting(event: DiscardEvent, timeout: float | None = None) -> bool:
        waits.append((threading.current_thread().name, event.is_set()))
        three.release()
        return wait(event, timeout)

    monkeypatch.setattr(threading.Thread, "start", starting)
    monkeypatch.setattr(DiscardEvent, "wait", waiting)
    first = Writer(lambda question: "show" if all(three.acquire(timeout=SOON) for _ in range(3)) else "keep")
    game = ToyGame(turns=1)
    Judge(game, [first, Writer(), Writer(), Writer()], mode="per-turn").run()
    assert [name for name in started if name.endswith("-t1")] == ["T1-s1-t1", "T1-s2-t1", "T1-s3-t1", "T1-s0-t1"]
    assert sorted(waits) == [("T1-s1-t1", False), ("T1-s2-t1", False), ("T1-s3-t1", False)]
    assert game.ruled == [(None, "pass", "pass", "pass")]


class Renamed(ToyGame):
    """Remembers the action with which each seat was tested."""

    def __init__(self) -> None:
        super().__init__(turns=1)
        self.tested: list[tuple[int, Action]] = []

    def reaction(self, seat: int, action: Action) -> Choice | None:
        if threading.current_thread().name == f"T1-s{seat}-t1":
            self.tested.append((seat, action))
        return super().reaction(seat, action)


def test_the_waiting_seats_test_the_action_that_they_read_from_the_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """S-42. An event that tells another action is believed: what the game was told has no part in it."""
    monkeypatch.setattr(DiscardEvent, "action", property(lambda event: event.is_set() and "show"))
    game = Renamed()
    Judge(game, [always("keep"), Writer(), Writer(), Writer()], mode="per-turn").run()
    assert sorted(game.tested) == [(1, "show"), (2, "show"), (3, "show")]
    assert game.ruled == [(None, "pass", "pass", "pass")]


@pytest.mark.simulated
@pytest.mark.parametrize("mode", THREADED)
def test_a_time_out_is_on_the_sheet_and_the_judge_settles(mode: str) -> None:
    stuck = Gated(4, "show")
    clock = Clock(turn=UNIT, reaction=UNIT, margin=UNIT)
    lines = _told(ToyGame(turns=1), [stuck, Writer(), Writer(), Writer()], mode=mode, clock=clock)
    stuck.gate.set()
    join_table_threads()
    (settled,) = (line for line in lines if line["event"] == "settled")
    assert (settled["by"], settled["action"]) == ("judge", "keep")
    responses = [(line["action"], line["verdict"], line["by"]) for line in lines if line["event"] == "response"]
    others = "seat" if mode == "per-turn" else "judge"
    none = (None, "no reaction", others)
    assert responses == [("keep", "silent", "judge"), ("pass", "one option", others), none, none]


@pytest.mark.simulated
def test_a_seat_that_has_not_come_home_is_not_among_the_threads_that_wait() -> None:
    stuck, clock = Gated(5, "claim"), Clock(turn=UNIT, reaction=UNIT, margin=UNIT)
    lines = _told(ToyGame(turns=3), [always("show"), stuck, Writer(), Writer()], clock=clock)
    stuck.gate.set()
    join_table_threads()
    *_, second, third = (line for line in lines if line["event"] == "threads under way")
    assert second["threads"] == second["waiting"] == ["T1-s2-t2", "T1-s3-t2", "T1-s0-t2"], "the turn seat is stuck"
    assert third["threads"] == ["T1-s3-t3", "T1-s0-t3", "T1-s2-t3"] and third["waiting"] == ["T1-s3-t3", "T1-s0-t3"]


def test_nothing_is_told_where_nobody_listens(capsys: pytest.CaptureFixture[str]) -> None:
    structlog.reset_defaults()
    assert Story.of(ToyGame(), logger(table=1)) is None
    Judge(ToyGame(turns=1), [Writer() for _ in range(4)]).run()
    assert capsys.readouterr() == ("", "")
