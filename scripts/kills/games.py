"""Kills commands that play games one after another: `play`, and both servers with a client that plays."""

import contextlib
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from jantaku.players.adapters.websocket import Visit
from jantaku.players.adapters.websocket import play as play_there
from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.daifugo import neof5
from jantaku.table.daifugo import rules as daifugo
from jantaku.table.daifugo.client import BotClient
from jantaku.table.daifugo.players import DaifugoWeakest
from jantaku.table.ground.errors import PlayerGone
from scripts.attacks.kit import left
from scripts.attacks.kit.serving import Serving
from scripts.kills.lost import Lost, look

LONGEST = 1.5
"""Seconds of play before a kill."""
STARTING = 30.0
"""Seconds in which a command must begin its first journal."""
EARLY = 0.2
"""Share of the kills that do not wait for a journal."""
GOODBYE = 5.0
"""Seconds in which everything that a killed command started must end."""
MODES = ("inline", "resident", "per-turn")
PROGRAM = f"exec:{sys.executable} -m jantaku.players.adapters.client --bot tsumogiri"


def kill_play(place: Path, kills: int, random: Random) -> str:
    """Kill `jantaku play`, in every mode, sometimes with a program at the table."""
    journals = over = 0
    for number in range(kills):
        folder, mode = place / f"{number}", random.choice(MODES)
        player = PROGRAM if mode != "inline" and random.random() < 0.3 else "shanten"
        words = ["--players", f"{player},caller,dice,tsumogiri", "--threads", mode, "--length", "tonpu", "--json"]
        mark = f"kills-{number}-{place.name}"
        with (place / "out.txt").open("wb") as out:
            process = subprocess.Popen(
                [sys.executable, "-m", "jantaku", "play", *words, "--games", "100000", "--out", str(folder)],
                stdout=out,
                env={**os.environ, left.MARK: mark},
            )
            _moment(folder, random)
            process.kill()
            process.wait()
        _nothing_is_left(mark)
        *lines, _half = (place / "out.txt").read_text("utf-8").split("\n")
        kept = [Path(path).name for line in lines for path in json.loads(line)["records"]]
        journals += look(folder, kept) if folder.is_dir() else 0
        over += len(lines)
    return f"{over} games told to be over, {journals} journals: none lost, all whole and verified"


def kill_serve(place: Path, kills: int, random: Random) -> str:
    """Kill `jantaku serve` with a client that plays one game after another."""
    words = ["serve", "--room", "club", "--players", "ws:a,shanten,caller,dice", "--length", "tonpu"]

    def play(address: str) -> None:
        visit = Visit(f"{address}/play/club", "a", key="k" * 22)
        with contextlib.suppress(PlayerGone):
            while True:
                play_there(visit, Tsumogiri)

    return _kill_server(place, kills, random, words, play, r"; (\S+)$")


def kill_daifugo(place: Path, kills: int, random: Random) -> str:
    """Kill `jantaku daifugo` with a client that begins a series and plays it."""
    rules = daifugo.FILES.preset(daifugo.DEFAULT)

    def play(address: str) -> None:
        url = f"{address}/play/A/room?name=a"
        with contextlib.suppress(OSError, EOFError, WebSocketException):
            while True:
                _begin(url, BotClient(url, DaifugoWeakest(), rules))

    return _kill_server(place, kills, random, ["daifugo", "--set", "series.rounds=5"], play, r"$^")


def _begin(url: str, bot: BotClient) -> None:
    """Begin a series with computer players and play it until the server is gone."""
    with connect(url, compression=None) as connection:
        connection.send('{"Kind":"Start"}')
        for text in connection:
            message = neof5.parse_message(text)
            if isinstance(message, neof5.Snapshot) and message.kind == neof5.Kind.PROCESS_TURN:
                cards = bot.choose(neof5.board_of(message), message.your_num)
                connection.send(neof5.put(cards).decode())


def _kill_server(
    place: Path, kills: int, random: Random, words: list[str], play: Callable[[str], None], told: str
) -> str:
    journals = over = 0
    for number in range(kills):
        folder, mark = place / f"{number}", f"kills-{number}-{place.name}"
        served = Serving(*words, "--out", str(folder), cwd=place, env={left.MARK: mark})
        client = threading.Thread(target=play, args=(f"ws://{served.host}:{served.port}",), daemon=True)
        client.start()
        _moment(folder, random)
        served.process.kill()
        served.process.wait()
        client.join(4 * GOODBYE)
        if client.is_alive():
            raise Lost("the client has not noticed the end of the server")
        _nothing_is_left(mark)
        kept = [Path(path).name for line in served.so_far().out.splitlines() for path in re.findall(told, line)]
        journals += look(folder, kept) if folder.is_dir() else 0
        over += len(kept)
    return f"{over} games told to be over, {journals} journals: none lost, all whole and verified"


def _moment(folder: Path, random: Random) -> None:
    """Wait for the moment of a kill: usually somewhere in the first games."""
    if random.random() >= EARLY:
        until = time.monotonic() + STARTING
        while not list(folder.rglob("*.jsonl")) and time.monotonic() < until:
            time.sleep(0.01)
    time.sleep(random.uniform(0, LONGEST))


def _nothing_is_left(mark: str) -> None:
    if found := left.waited_for(mark, GOODBYE):
        told = ", ".join(left.command_of(process) for process in found)
        left.end(mark)
        raise Lost(f"still running after the kill: {told}")
