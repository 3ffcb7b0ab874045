"""`jantaku play --human` and `--watch`: the pages' addresses, a game to its end, and what cannot be asked for."""

import contextlib
import json
import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from jantaku.table.daifugo.journals.record import load, verify
from jantaku.table.daifugo.rooms.server import series_with
from jantaku.table.ground.errors import BadInput
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import Clock
from jantaku.table.play.entry import GAMES, Wishes
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.riichi import Keeping
from jantaku.table.play.runner import Plan
from jantaku.table.play.seating.roster import enlist
from jantaku.table.records.journal import digest
from jantaku.table.riichi.ruleset import preset, with_settings
from jantaku.table.serve import person
from tests.cli.test_play_command import FAST
from tests.daifugo.walk import rules
from tests.kit.cases import cases
from tests.kit.command import Jantaku
from tests.kit.pace import SOON
from tests.serve.serving import Client

PLAN = Plan(tuple(enlist(["tsumogiri"] * 3)), 2, "4", Mode.PER_TURN, Clock(turn=5, reaction=5), OnFault.DEFAULT)
DAIFUGO = rules("A", series__rounds="2")
NORTH = {"penuki": "z4"}
ONE = with_settings(preset("tenhou"), {"game.length": "one"})


def sit(address: str, seconds: tuple[float, ...] = (60.0, 30.0)) -> int:
    """Play defaults, and set norths aside, as the page does that is opened at that address; how many norths. There
    are so many `seconds` for an answer."""
    found = re.fullmatch(r"http://(.+)/sit/(\w+)#name=(.+)", address)
    assert found is not None
    guest = Client(f"ws://{found[1]}/play/{found[2]}?name={found[3]}&dialect=person&key=k")
    norths = 0
    while "jieju" not in (message := guest.get()):
        if (choice := message.get("choice")) is not None:
            assert choice["timer"]["limit"] in seconds
            aside = NORTH in choice["options"]
            norths += aside
            guest.send({"question": choice["question"], "reply": NORTH if aside else choice["default"]})
    assert guest.farewell[0] == 1000
    return norths


@pytest.mark.long
def test_a_person_plays_as_many_games_as_are_wanted_and_the_browser_is_shown_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: queue.SimpleQueue[str] = queue.SimpleQueue()
    monkeypatch.setattr("webbrowser.open", shown.put)
    monkeypatch.setattr(person, "has_screen", lambda: True)
    ended: queue.SimpleQueue[list[Outcome]] = queue.SimpleQueue()
    outcomes = person.outcomes_with(
        "Hanako", PLAN, ONE, Keeping(tmp_path / "out", "test"), Wishes(pace=0.0, limit=70.0)
    )
    threading.Thread(target=lambda: ended.put(list(outcomes)), daemon=True).start()
    address = shown.get(timeout=SOON)
    sit(address, (70.0,))
    sit(address, (70.0,))
    games = ended.get(timeout=SOON)
    assert [game.faults for game in games] == [({}, {}, {}, {})] * 2
    journal = (tmp_path / "out" / "game-0001.jsonl").read_text("utf-8")
    assert sorted(json.loads(journal.partition("\n")[0])["player"])[0] == "Hanako"


@pytest.mark.long
def test_a_person_plays_where_three_play_and_sets_norths_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-76."""
    shown: queue.SimpleQueue[str] = queue.SimpleQueue()
    monkeypatch.setattr("webbrowser.open", shown.put)
    monkeypatch.setattr(person, "has_screen", lambda: True)
    rules_of_three = with_settings(preset("tenhou-3p"), {"game.length": "one"})
    plan = msgspec.structs.replace(PLAN, entrants=PLAN.entrants[:2], games=1)
    ended: queue.SimpleQueue[list[Outcome]] = queue.SimpleQueue()
    outcomes = person.outcomes_with(
        "花子", plan, rules_of_three, Keeping(tmp_path / "out", "test"), Wishes(games=1, pace=0.0)
    )
    threading.Thread(target=lambda: ended.put(list(outcomes)), daemon=True).start()
    norths = sit(shown.get(timeout=SOON))
    (game,) = ended.get(timeout=SOON)
    assert (game.faults, set(game.names)) == (({}, {}, {}), {"花子", "tsumogiri-1", "tsumogiri-2"})
    assert norths and (tmp_path / "out" / "game-0000.jsonl").read_text("utf-8").count('{"penuki":{"l"') == norths


def lead(address: str) -> None:
    """Play 大富豪 as the page does that is opened at that address, always the first that is possible."""
    found = re.fullmatch(r"http://(.+)/sit/(A/\w+)#name=(.+)", address)
    assert found is not None
    guest = Client(f"ws://{found[1]}/play/{found[2]}?name={found[3]}&dialect=person&key=k")
    for _ in range(DAIFUGO.series.rounds):
        while (message := guest.get())["Kind"] != "Finish":
            if message["Kind"] == "Choice":
                assert message["Allowed"] >= 70.0
                guest.send({"Kind": "Put", "Cards": message["Plays"][0], "Question": message["Question"]})
    guest.close()


def test_a_person_plays_a_series_of_daifugo_with_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: queue.SimpleQueue[str] = queue.SimpleQueue()
    monkeypatch.setattr("webbrowser.open", shown.put)
    monkeypatch.setattr(person, "has_screen", lambda: True)
    monkeypatch.setattr(person, "_LOADING", 0.0)
    bots = tuple(enlist(["daifugo-greedy", "daifugo-weakest"], game="daifugo"))
    plan = Plan(bots, 1, "4", Mode.PER_TURN, Clock(turn=5, reaction=5), OnFault.DEFAULT)
    ended: queue.SimpleQueue[list[Outcome]] = queue.SimpleQueue()
    outcomes = series_with("花子", plan, DAIFUGO, Keeping(tmp_path / "out", "test"), Wishes(pace=0.0, limit=70.0))
    threading.Thread(target=lambda: ended.put(list(outcomes)), daemon=True).start()
    lead(shown.get(timeout=SOON))
    (series,) = ended.get(timeout=SOON)
    assert series.names == ("花子", "daifugo-greedy", "daifugo-weakest") and series.faults[0] == {}
    record = load(Path(series.records[0]))
    assert verify(record, record.rules).complete


@cases(
    "words, why",
    ("--players shanten", "--players: 1 given; with --human it names the 3 bots beside you"),
    ("--threads inline", "--threads inline cannot wait for a person; use per-turn or resident"),
    ("--game daifugo --players dice,dice,dice,dice,dice,dice", "it names the 1 to 5 bots beside you"),
    ("--game daifugo --length tonpu", "--length is for riichi"),
    ("--watch", "--human cannot be given with --from, --position, --watch, --watch-port and --strict"),
)
def test_what_does_not_go_with_a_person_is_said_before_there_is_a_folder(
    words: str, why: str, jantaku: Jantaku, tmp_path: Path
) -> None:
    result = jantaku("play", "--out", str(tmp_path / "out"), *words.split(), "--human")
    assert result.code == 2 and why in result.err
    assert not (tmp_path / "out").exists()


def test_a_name_that_cannot_be_is_refused(jantaku: Jantaku, tmp_path: Path) -> None:
    result = jantaku("play", "--out", str(tmp_path / "out"), "--human", "x" * 40)
    assert result.code == 2 and "is not a name; allowed are 1 to 32 characters" in result.err


@pytest.mark.parametrize("game", ["riichi", "daifugo"])
def test_the_time_of_a_person_is_given_on_the_command_line(
    game: str, tmp_path: Path, jantaku: Jantaku, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = []

    def begin(_name: str, _plan: Plan, _rules: object, _keeping: Keeping, wishes: Wishes) -> None:
        given.append(wishes.limit)
        raise BadInput("it is not played here")

    monkeypatch.setattr(GAMES[game], "with_person", begin)
    words = ["--players", "daifugo-greedy"] if game == "daifugo" else []
    words += ["--game", game, "--out", str(tmp_path / "out"), "--human", "--person-limit", "7"]
    assert jantaku("play", *words).err == "jantaku: it is not played here\n"
    assert given == [7.0]


def test_the_time_of_a_person_is_refused_where_nobody_sits_down(jantaku: Jantaku) -> None:
    refused = jantaku("play", "--person-limit", "7")
    assert refused.code == 2
    assert refused.err.startswith("jantaku: --person-limit is the time of the person at --human")


@contextlib.contextmanager
def playing(folder: Path, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A table that plays slowly enough to be met, and the address of its page."""
    command = [sys.executable, "-m", "jantaku", "play", *FAST, "--watch", "--out", str(folder), *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.fullmatch(r"watch at (http://127\.0\.0\.1:\d+/watch#token=\S+)\n", process.stdout.readline())
            assert found is not None
            yield process, found[1]
        finally:
            process.kill()


def for_programs(address: str) -> str:
    """The same for a WebSocket: what is behind “#” stays in a browser, and a program says it otherwise."""
    return address.replace("http:", "ws:").replace("#", "?")


def test_the_address_is_printed_and_the_page_is_gone_with_the_last_game(jantaku: Jantaku, tmp_path: Path) -> None:
    ran = jantaku("play", *FAST, "--seed", "3", "--watch", "--out", str(tmp_path / "out"))
    first, game, *_ = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert game.startswith("game 0: ")
    address = first.removeprefix("watch at ")
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(address, timeout=SOON)


def test_a_series_of_daifugo_is_watched_as_well(jantaku: Jantaku, tmp_path: Path) -> None:
    ran = jantaku("play", "--game", "daifugo", "--threads", "inline", "--watch", "--out", str(tmp_path / "out"))
    assert (ran.code, ran.err) == (0, "")
    assert re.match(r"watch at http://127\.0\.0\.1:\d+/watch#token=\S+\ngame 0: ", ran.out)


def test_json_keeps_stdout_for_programs(jantaku: Jantaku, tmp_path: Path) -> None:
    ran = jantaku("play", *FAST, "--json", "--watch", "--out", str(tmp_path))
    assert ran.out.startswith('{"game":') and ran.err.startswith("watch at http")


@pytest.mark.long
def test_who_looks_on_at_a_running_table_hears_it_to_its_end(tmp_path: Path) -> None:
    with playing(tmp_path, "--seed", "3", "--pace", "0.01") as (process, address):
        with urllib.request.urlopen(address, timeout=SOON) as page:
            assert b'"live":"?"' in page.read()
        client = Client(for_programs(address))
        code, reason = client.farewell
        process.communicate(timeout=SOON)
    assert (code, reason) == (1001, "all games are over")
    told = ",".join(client.frames)
    journal = (tmp_path / "game-0000.jsonl").read_text("utf-8").splitlines()
    events = [line for line in journal[1:] if not line.startswith(digest.BEGINNING.decode())]
    assert events and all(line in told for line in events)


@pytest.mark.long
@pytest.mark.parametrize("path", ["/watch", "/watch?token=", "/watch?token=guess", "/play/r", "/"])
def test_without_the_secret_nobody_sees_anything(tmp_path: Path, path: str) -> None:
    with playing(tmp_path, "--pace", "0.01") as (_, address):
        root = address.partition("/watch")[0].replace("http:", "ws:")
        stranger = Client(root + path)
        assert stranger.farewell[0] == 1008
        assert stranger.frames == []


@pytest.mark.long
def test_the_page_of_another_site_may_not_connect(tmp_path: Path) -> None:
    with playing(tmp_path, "--pace", "0.01") as (_, address), pytest.raises(InvalidHandshake):
        Client(for_programs(address), Origin="https://example.org")


def answers(address: str) -> bool:
    try:
        Client(for_programs(address)).get()
    except (ConnectionClosed, InvalidHandshake, OSError):
        return False
    return True


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_the_page_ends_with_the_table_however_that_ends(tmp_path: Path, number: signal.Signals) -> None:
    with playing(tmp_path, "--pace", "0.05") as (process, address):
        client = Client(for_programs(address))
        client.get()
        os.kill(process.pid, number)
        over = threading.Thread(target=client.rest, daemon=True)
        over.start()
        over.join(SOON + 4)
        assert not over.is_alive()
        process.wait(SOON + 4)
        while answers(address):  # the kernel ends the table after the process that watches over it
            pass


def test_a_port_in_use_is_one_line_and_exit_code_2(jantaku: Jantaku, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ran = jantaku("play", *FAST, "--watch-port", str(port), "--out", str(tmp_path))
    assert ran.code == 2
    assert ran.err == f"jantaku: --watch-port: 127.0.0.1:{port} cannot be used: Address already in use\n"
