"""The TCP port for programs of the original mjai: whole games, the handshake, and what a program may do wrong there."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.judge.timing import Clock
from jantaku.table.play.outcome import Outcome
from jantaku.table.records.journal.read import load
from jantaku.table.records.journal.writer import journal_of
from jantaku.table.records.replay.verify import verify
from jantaku.table.serve.net.line_door import LineDoor
from jantaku.table.serve.riichi.mjsonp import Handshake
from tests.kit.cases import kept_cases
from tests.kit.pace import SOON
from tests.serve.originals import Program
from tests.serve.serving import BRIEF, Served, plan_of

Item = dict[str, Any]


@pytest.fixture
def door() -> LineDoor:
    return LineDoor("127.0.0.1", 0, Handshake())


def played(door: LineDoor, *programs: Program) -> None:
    threads = [threading.Thread(target=one.play, daemon=True) for one in programs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SOON)
        assert not thread.is_alive()


@contextmanager
def visit(door: LineDoor, line: bytes) -> Iterator[list[Any]]:
    """What the server says to a first line, to its end or to its silence."""
    with socket.create_connection(("127.0.0.1", door.port), 30) as sock:
        sock.sendall(line)
        came = sock.makefile("rb")
        assert json.loads(came.readline())["type"] == "hello"
        yield [json.loads(line) for line in came]


@kept_cases(
    "line, why", (f'{{"type":"join","name":"{"a" * 20_000}","room":"default"}}\n', "a line of more than 16384 bytes")
)
def test_who_is_not_let_in_is_told_why(door: LineDoor, tmp_path: Path, line: str, why: str) -> None:
    with (
        Served(plan_of(tmp_path), doors=[door], rooms=("default",), token="secret"),
        visit(door, line.encode()) as (error,),
    ):
        assert error["type"] == "error" and error["message"].startswith(why), error


def test_who_comes_to_a_full_room_is_told_so(door: LineDoor, tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, "ws,tsumogiri,tsumogiri,tsumogiri"), doors=[door]):
        first = Program(door.port, "a")
        assert next(first.heard())["type"] == "start_game"
        with visit(door, b'{"type":"join","name":"a","room":"default"}\n') as (error,):
            assert error["message"].startswith("room default is playing")
        first.close()


def test_a_port_that_is_taken_is_named(door: LineDoor, tmp_path: Path) -> None:
    with (
        Served(plan_of(tmp_path), doors=[door]),
        pytest.raises(BadInput, match=f"127.0.0.1:{door.port} cannot be used"),
    ):
        LineDoor("127.0.0.1", door.port, Handshake())


def test_four_programs_of_one_name_play_a_game(door: LineDoor, tmp_path: Path) -> None:
    """Written from the protocol alone, they share no code with the server; what comes out of lock step they lose."""
    with Served(plan_of(tmp_path, "ws,ws,ws,ws"), doors=[door]) as served:
        programs = [Program(door.port, "manue") for _ in range(4)]
        played(door, *programs)
        outcome = served.outcome()
    assert sorted(outcome.names) == ["manue", "manue-2", "manue-3", "manue-4"] and not any(outcome.faults)
    assert {"dahai", "none"} <= set(programs[0].played)
    assert sorted(programs[0].scores) == sorted(outcome.scores)
    record = load(journal_of(tmp_path, 0))
    assert record.rules is not None and verify(record, record.rules).difference is None


class Vicious(Program):
    """Says something else than it should, once, at its third draw; nothing more where that is None."""

    _unread = b""

    def __init__(self, port: int, instead: bytes | None) -> None:
        super().__init__(port, "v")
        self._instead, self._drawn = instead, 0

    def heard(self) -> Iterator[Item]:
        """Every line: where it has fallen silent nobody waits for it, and several may come in one read."""
        while True:
            while b"\n" not in self._unread:
                if not (piece := self._socket.recv(65536)):
                    return
                self._unread += piece
            line, _, self._unread = self._unread.partition(b"\n")
            yield json.loads(line)

    def play(self) -> list[str]:
        came = []
        for event in self.heard():
            came.append(event["type"])
            if event["type"] in ("error", "end_game"):
                self.last = event
                break
            reply = self.reply(event)
            drew = event["type"] == "tsumo" and event["actor"] == self._me
            self._drawn += drew
            if self._drawn < 3:
                self.say(reply)
            elif drew and self._drawn == 3:
                self._socket.sendall(self._instead or b"")
            elif self._instead is not None:
                self.say(reply)
        self.close()
        return came


WRONG = [
    ("no JSON", b"?\n", {"malformed": 1}),
    ("an empty line", b"\n", {"malformed": 1}),
    ("no UTF-8", b'{"type":"\xff"}\n', {"malformed": 1}),
    ("another seat", b'{"type":"dahai","actor":9,"pai":"1m","tsumogiri":true}\n', {"malformed": 1}),
    ("nothing in its own turn", b'{"type":"none"}\n', {"illegal": 1}),
    ("a win that is none", b'{"type":"hora"}\n', {"illegal": 1}),
    ("a riichi that is not offered", b'{"type":"reach"}\n', {"illegal": 1}),
]


@pytest.mark.parametrize(("said", "faults"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_a_wrong_answer_is_its_own_fault_and_the_game_goes_on(
    door: LineDoor, tmp_path: Path, said: bytes, faults: dict[str, int]
) -> None:
    program, outcome = with_a_vice(door, tmp_path, said)
    assert outcome.faults == (faults, {}, {}, {})
    assert program.last["type"] == "end_game"


def test_a_second_answer_answers_nothing_and_none_after_it_is_taken_for_another(door: LineDoor, tmp_path: Path) -> None:
    _, outcome = with_a_vice(door, tmp_path, b'{"type":"none"}\n{"type":"none"}\n{"type":"none"}\n')
    assert outcome.faults == ({"illegal": 1}, {}, {}, {})


class Talker(Program):
    def reply(self, event: Item) -> Item:
        return {**super().reply(event), "meta": {"saw": event["type"]}}


def test_what_a_program_says_besides_is_in_the_record_and_changes_nothing(door: LineDoor, tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, "ws,tsumogiri,tsumogiri,tsumogiri"), doors=[door]) as served:
        played(door, Talker(door.port, "t"))
        served.outcome()
    record = load(journal_of(tmp_path, 0))
    assert record.rules is not None and verify(record, record.rules).difference is None
    answers = [answer for turn in record.answers.values() for answer in turn["answers"]]
    assert {"saw": "tsumo"} in [answer.get("meta") for answer in answers if answer.get("meta")]


@pytest.mark.long
def test_who_falls_silent_costs_its_own_time_and_is_told_the_rest_at_the_end(door: LineDoor, tmp_path: Path) -> None:
    _, outcome = with_a_vice(door, tmp_path, None, clock=Clock(turn=BRIEF, reaction=BRIEF, start=SOON))
    assert set(outcome.faults[0]) == {"silent", "not_asked"} and outcome.faults[1:] == ({}, {}, {})
    assert outcome.ending == "over"


def test_who_says_too_much_is_sent_away_and_its_seat_plays_on(door: LineDoor, tmp_path: Path) -> None:
    program, outcome = with_a_vice(door, tmp_path, b"x" * 20_000 + b"\n")
    assert program.last == {"type": "error", "message": "a line of more than 16384 bytes"}
    assert set(outcome.faults[0]) == {"gone"} and outcome.faults[1:] == ({}, {}, {})


def test_who_comes_back_is_told_the_kyoku_so_far_and_plays_on(door: LineDoor, tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, "ws,ws:b,tsumogiri,tsumogiri"), doors=[door]) as served:
        gone, other = Program(door.port, "a"), Program(door.port, "b")
        playing = threading.Thread(target=other.play, daemon=True)
        playing.start()
        for event in gone.heard():
            gone.say(gone.reply(event))
            if event["type"] == "dahai" and event["actor"] == 1:
                break
        gone.close()
        assert {"none", "dahai"} <= set(back_at(door))
        playing.join(SOON)
        outcome = served.outcome()
    faults = dict(zip(outcome.names, outcome.faults, strict=True))
    assert set(faults["a"]) <= {"gone"} and not faults["b"]


@pytest.mark.parametrize("name", ["a", "tsumogiri"])
def test_who_comes_back_with_its_key_need_not_wait_until_its_old_connection_is_missed(
    door: LineDoor, tmp_path: Path, name: str
) -> None:
    with Served(plan_of(tmp_path, "ws,tsumogiri,tsumogiri,tsumogiri"), doors=[door]) as served:
        old = Program(door.port, name, key="k")
        began = next(old.heard())
        again = Program(door.port, name, key="k")
        assert next(again.heard()) == began
        again.say(again.reply(began))
        again.play()
        outcome = served.outcome()
        old.close()
    assert began["names"][began["id"]] in outcome.names


def back_at(door: LineDoor) -> list[str]:
    """What a program replies that comes again, as soon as the server has noticed that it had left."""
    for _ in range(1000):
        program = Program(door.port, "a")
        first = next(program.heard())
        if first["type"] == "start_game":
            program.say(program.reply(first))
            return program.play()
        assert first["message"].startswith("room default is playing"), first
        program.close()
    raise AssertionError("it was not let in again")


def with_a_vice(door: LineDoor, folder: Path, said: bytes | None, **plan: Any) -> tuple[Vicious, Outcome]:
    """A program with a vice, and how its game with three others ended; the record is sound."""
    with Served(plan_of(folder, "ws,tsumogiri,tsumogiri,tsumogiri", **plan), doors=[door]) as served:
        program = Vicious(door.port, said)
        played(door, program)
        outcome = served.outcome()
    record = load(journal_of(folder, 0))
    assert record.rules is not None and verify(record, record.rules).difference is None
    return program, outcome
