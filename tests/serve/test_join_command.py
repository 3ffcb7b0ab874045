"""`jantaku join` for people: it finds a room, waits, tells what goes on, and says in a line what it cannot do."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.errors import BadInput, PlayerGone
from jantaku.table.serve import finding
from jantaku.table.serve.commentary import TOLD, Commentary
from jantaku.table.serve.finding import Patience, Where, free_room, may_come, where
from jantaku.table.serve.joining import Guarded
from scripts.environments import PYTHON
from tests.daifugo.rooms.guests import SHORT, house_of
from tests.kit.cases import cases, kept_cases
from tests.kit.command import Jantaku
from tests.kit.pace import SOON
from tests.serve.serving import Client, Drawer, Served, plan_of

BOT = """
class Bot:
    def __init__(self):
        self.asked = 0

    def hear(self, event):
        pass

    def answer(self, question):
        self.asked += 1
        if self.asked == 2:
            raise ValueError("oops")
        return "nonsense" if self.asked == 3 else question.default
"""
PROGRAM = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"type": "none"}), flush=True)
"""


@cases(
    "text, found",
    ("table.example", Where("ws://table.example:8766")),
    ("10.0.0.7:80", Where("ws://10.0.0.7:80")),
    ("10.0.0.7/club", Where("ws://10.0.0.7:8766", "club")),
    ("[fd00::1]:9/club", Where("ws://[fd00::1]:9", "club")),
    ("http://a:1/", Where("ws://a:1")),
    ("https://a/watch/club", Where("wss://a", "club")),
    ("https://a/lobby", Where("wss://a")),
    ("wss://a:1", Where("wss://a:1")),
    ("ws://a:1/play/x?y=1", Where("ws://a:1", whole="ws://a:1/play/x?y=1")),
)
def test_an_address_is_understood_as_people_write_it(text: str, found: Where) -> None:
    assert where(text) == found


def test_a_room_is_found_where_the_fewest_players_are_missing(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, "ws:bob,ws,ws,tsumogiri"), rooms=("one", "two")) as served:
        base = served.at("")
        sitting = Client(served.at("/play/two?name=a"))
        room = served.house.get("two")
        while room is not None and not room.notice.seats[1].name:
            pass
        assert list(free_room(base, "c", has_token=False)) == [("two", ""), ("one", "")]
        sitting.close()
    with Served(plan_of(tmp_path / "own", "ws:bob,tsumogiri,tsumogiri,tsumogiri"), token="t") as served:
        assert list(free_room(served.at(""), "c", has_token=False)) == [("room-1", "")], "who joins opens it"
        room = served.house._room_for("room-1", "t", "")
        assert [one for one, _ in free_room(served.at(""), "bob", has_token=True)] == ["room-1", "room-2"]
        assert [one for one, _ in free_room(served.at(""), "bob", has_token=False)] == ["room-2"], "it is locked"
        assert [one for one, _ in free_room(served.at(""), "c", has_token=True)] == ["room-2"], "the seat is bob's"


def test_a_game_is_told_kyoku_by_kyoku_with_the_bots_faults_and_the_result(tmp_path: Path, jantaku: Jantaku) -> None:
    (tmp_path / "mine.py").write_text(BOT)
    plan = plan_of(tmp_path / "out", "ws,tsumogiri,tsumogiri,tsumogiri", length="tonpu")
    with Served(plan, rooms=("club",), titles={"club": "\x1b[2JThursday"}) as served:
        at = served.at("").removeprefix("ws://")
        ran = jantaku("join", at, "--name", "alice", "--bot", f"{tmp_path / 'mine.py'}:Bot")
        outcome = served.outcome()
    lines = ran.out.splitlines()
    assert ran.code == 0 and ran.err == ""
    assert lines[0] == f"room club (\\u001b[2JThursday) of ws://{at}: alice asks for a seat"
    assert lines[1].startswith("the game begins: ") and "alice (you)" in lines[1]
    assert "  fault: gone: ValueError: oops (mine.py line 12); a default was played" in lines
    assert any(line.startswith("  fault: illegal: 'nonsense' is not allowed; allowed are ") for line in lines)
    assert sum("局" in line and "; you have " in line for line in lines) >= outcome.kyoku
    place = outcome.names.index("alice")
    assert f"you are number {outcome.ranks[place]} of 4: " in lines[-3]
    assert f"you {outcome.scores[place]} ({outcome.points[place]:+.1f})" in lines[-3]
    assert lines[-2].startswith("faults: gone 1, illegal 1; ") and lines[-1] == "game 1 of 1 is over"
    assert outcome.faults[place] == {}, "the table saw none of it"


def test_a_program_plays_in_its_own_dialect_and_is_told_of_its_faults(tmp_path: Path, jantaku: Jantaku) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    bot = f"exec:{PYTHON} {program}?dialect=mjai-lines"
    with Served(plan_of(tmp_path / "out", "ws,tsumogiri,tsumogiri,tsumogiri"), rooms=("club",)) as served:
        ran = jantaku("join", served.at("/play/club"), "--bot", bot, "--dialect", "mjai", "--wait", "0")
        outcome = served.outcome()
    assert ran.code == 0 and "program.py (you)" in ran.out
    assert "program.py asks for a seat\nthe game begins: " in ran.out
    assert "program.py" in outcome.names and "game 1 of 1 is over" in ran.out


def test_a_server_not_up_yet_is_waited_for(tmp_path: Path, jantaku: Jantaku, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes while the first try fails; there the room is opened by who joins."""
    monkeypatch.setattr(finding, "_PAUSE", 0.001)
    with socket.create_server(("127.0.0.1", 0)) as reserved:
        port = reserved.getsockname()[1]
    plan, asked = plan_of(tmp_path, "ws,tsumogiri,tsumogiri,tsumogiri"), finding._listing
    houses: list[Served] = []

    def listing(base: str) -> object:
        try:
            return asked(base)
        except PlayerGone:
            houses.append(Served(plan, port=port).__enter__())
            raise

    monkeypatch.setattr(finding, "_listing", listing)
    ran = jantaku("join", f"127.0.0.1:{port}", "--wait", "20")
    (house,) = houses
    house.__exit__()
    assert ran.code == 0 and "waiting, 20 s at the most: " in ran.out
    assert "room room-1 of " in ran.out and ran.out.endswith("game 1 of 1 is over\n")


def test_what_cannot_come_is_not_waited_for_and_patience_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "_PAUSE", 0.001)
    said: list[str] = []
    patience = Patience(0.05, said.append)
    while patience.again("no seat"):
        pass
    assert said[0] == "waiting, 0 s at the most: no seat" and len(said) < 30
    for cause, comes in ((ConnectionRefusedError(), True), (TimeoutError(), True), (None, False)):
        gone = PlayerGone("x")
        gone.__cause__ = cause
        assert may_come(gone) is comes


@kept_cases("words, said")
def test_what_cannot_be_is_one_line(words: list[str], said: str, full: str, jantaku: Jantaku) -> None:
    ran = jantaku("join", *(word.replace("HOST", full) for word in words))
    (line,) = [
        line for line in ran.err.splitlines() if " refused " not in line
    ]  # which the server says, in this process
    assert ran.code == 2 and said.replace("HOST", full) in line


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server whose only room is playing."""
    plan = plan_of(tmp_path_factory.mktemp("full"), "ws,tsumogiri,tsumogiri,tsumogiri", pace=3600.0)
    with Served(plan, rooms=("club",)) as served:
        player = Drawer(served.at("/play/club?name=a"))
        room = served.house.get("club")
        while room is None or not room.is_playing:
            pass
        yield served.at("").removeprefix("ws://")
    player.join()


def test_a_server_of_daifugo_is_one_line(jantaku: Jantaku) -> None:
    with house_of(SHORT) as house:
        ran = jantaku("join", house.url("").removeprefix("ws://"), "--wait", "0")
    assert ran.code == 2 and "serves 大富豪" in ran.err and ran.err.count("\n") == 1


def test_ctrl_c_ends_the_wait_with_its_code() -> None:
    words = [sys.executable, "-u", "-m", "jantaku", "join", "127.0.0.1:1"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and "waiting, 60 s" in process.stdout.readline()
        os.kill(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=SOON)
    assert process.returncode == 130 and "Traceback" not in err


def test_what_a_table_says_of_faults_is_told_a_few_times_and_counted() -> None:
    said: list[str] = []
    commentary = Commentary(said.append)
    for _ in range(TOLD + 2):
        commentary.line(b'{"zimo":{},"defaults":[{"verdict":"silent","reason":"no answer in time"}]}')
    for nonsense in (b'"defaults"', b'{"defaults":[1,{}]', b'[{"defaults":3}]', b"\xff"):
        commentary.line(nonsense)
    assert commentary.faults == {"silent": TOLD + 2}
    assert said.count("  fault: silent: no answer in time; a default was played") == TOLD


def test_a_bot_that_raises_while_it_hears_is_told_and_plays_on() -> None:
    class Deaf(Tsumogiri):
        def hear(self, event: object) -> None:
            raise RuntimeError("deaf")

    told: list[tuple[str, str]] = []
    Guarded(Deaf(), lambda *fault: told.append(fault)).hear(object())
    ((verdict, reason),) = told
    assert verdict == "gone"
    assert re.fullmatch(r"RuntimeError: deaf \(test_join_command\.py line \d+\), when it heard object", reason)
    with pytest.raises(BadInput, match="is not an address"):
        where("")


EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
NODE = ("node", "--no-warnings", "--experimental-websocket")


@cases(
    "command, dialect",
    pytest.param([sys.executable, "room_client.py"], "mjai", id="python"),
    pytest.param([*NODE, "room_client.mjs"], "majiang", id="node", marks=pytest.mark.peer),
)
def test_the_first_client_plays_a_game(command: list[str], dialect: str, tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, "ws,shanten,shanten,shanten", length="tonpu")) as served:
        address = served.at(f"/play/club?name=first&dialect={dialect}")
        ran = subprocess.run([*command, address], cwd=EXAMPLES, capture_output=True, text=True, timeout=SOON)
        outcome = served.outcome()
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("points: [")
    assert "first" in outcome.names and outcome.faults == ({}, {}, {}, {})
