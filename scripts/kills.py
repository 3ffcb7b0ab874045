"""Kills everything that plays with SIGKILL at random moments: nothing that was promised is lost.

Matches and tournaments go on each time and are compared with undisturbed ones; of `play` and both servers with a client
that plays, the records are looked at.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from jantaku.players.adapters.websocket import Visit
from jantaku.players.adapters.websocket import play as play_there
from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.cli.options import RuleOptions
from jantaku.table.daifugo import neof5
from jantaku.table.daifugo import rules as daifugo
from jantaku.table.daifugo.client import BotClient
from jantaku.table.daifugo.journals.record import GAME
from jantaku.table.daifugo.players import DaifugoWeakest
from jantaku.table.ground.errors import BadInput, PlayerGone
from jantaku.table.play.entry import game_of_record
from jantaku.table.records.journal.killed import no_seeds
from jantaku.table.records.journal.lines import from_json, game_in
from jantaku.table.records.journal.sealed import growing
from scripts.environments import PYTHON
from scripts.serving import MARK, Serving, command_of, end_all, waited_for


class Lost(Exception):
    """Something that was promised is missing. The text says what."""


def whole_up_to_the_last_line(journal: Path) -> bool:
    """Return whether there is a whole line; Lost if one of them cannot be read."""
    *lines, _half = journal.read_bytes().split(b"\n")
    for number, line in enumerate(lines, 1):
        try:
            from_json(line)
        except ValueError as error:
            raise Lost(f"{journal.name} line {number} of {len(lines)} cannot be read: {error}") from None
    return bool(lines)


def verifies(journal: Path, complete: bool) -> None:
    """Raise Lost unless it verifies as far as it goes; to the end of its game if that was reported as over."""
    try:
        done = game_of_record(journal).compared(journal, RuleOptions(rules=None), no_seeds)
    except BadInput as error:
        raise Lost(f"{journal.name} cannot be verified: {error}") from error
    if done.difference is not None:
        raise Lost(f"{journal.name} does not verify: {done.difference}")
    if complete and not done.complete:
        raise Lost(f"{journal.name} was told to be over and is not complete")


def look(folder: Path, over: Iterable[str]) -> int:
    """Raise Lost if any journal of the folder is damaged; `over` are the files of games reported as over. Return the
    number of journals."""
    told = set(over)
    if missing := [name for name in told if not (folder / name).is_file()]:
        raise Lost(f"told to be kept and not there: {', '.join(missing)}")
    journals = sorted(folder.rglob("*.jsonl"))
    for journal in journals:
        if not whole_up_to_the_last_line(journal):
            continue
        if has_begun(journal):
            verifies(journal, complete=journal.name in {Path(name).name for name in told})
    return len(journals)


def has_begun(journal: Path) -> bool:
    """Return whether anything was dealt before the kill; before that there is nothing to verify."""
    content = growing(journal)
    return b'{"qipai"' in content.rpartition(b"\n")[0] or game_in(content) == GAME


# --- matches and tournaments

FILES = ("journal.jsonl", "games.sqlite", "results.json")
SEEDED = ("--seed", "9", "--length", "tonpu", "--threads", "inline")
BEGIN = {
    "match": ("--players", "dice,caller", "--format", "1v3", *SEEDED),
    "tournament": ("--players", "dice,caller,tsumogiri,dice,caller,tsumogiri,dice,caller,tsumogiri", *SEEDED),
}
"""Options by command: in a tournament of nine players one sits out each round."""
WORKERS = ("--workers", "2")


def kill(command: str, place: Path, kills: int, moments: Random, sets: int) -> str:
    whole, killed = place / "whole", place / "killed"
    amount = ["--sets", str(sets)] if command == "match" else ["--rounds", str(max(sets // 2, 1))]
    begin, plan = [command, *BEGIN[command], *amount], f"{command}.json"
    seconds = _timed([*begin, "--out", str(whole), *WORKERS])
    done = rounds = 0
    while done < kills or not (killed / "results.json").exists():
        if (killed / "results.json").exists():
            _compare(whole, killed, plan)
            shutil.rmtree(killed)
        words = [command, "--resume", str(killed)] if (killed / plan).exists() else [*begin, "--out", str(killed)]
        # Late enough that hanchan finish in between, or the match would never end.
        wait = moments.uniform(0.3, seconds * 0.6) if done < kills else None
        done += _run([*words, *WORKERS], wait)
        rounds += 1
    _compare(whole, killed, plan)
    games = len((killed / "journal.jsonl").read_bytes().splitlines()) - 1
    return f"{rounds} runs of {games} hanchan, identical to the undisturbed {command}: none lost, none twice"


def _command(words: list[str]) -> list[str]:
    return [sys.executable, "-m", "jantaku", *words, "--quiet"]


def _timed(words: list[str]) -> float:
    before = os.times().elapsed
    subprocess.run(_command(words), check=True)
    return os.times().elapsed - before


def _run(words: list[str], wait: float | None) -> bool:
    """Run it and kill it after `wait` seconds; return whether it was still running then."""
    process = subprocess.Popen(_command(words))
    try:
        if process.wait(wait) != 0:
            raise Lost(f"it failed by itself: exit code {process.returncode}")
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True
    return False


def _compare(whole: Path, killed: Path, plan: str) -> None:
    names = [plan, *FILES, *(f"records/{path.name}" for path in sorted((whole / "records").glob("*.json")))]
    different = [name for name in names if (whole / name).read_bytes() != (killed / name).read_bytes()]
    if different or len(list((killed / "records").iterdir())) != len(list((whole / "records").iterdir())):
        raise Lost(f"different after kills: {', '.join(different) or 'other records'}")


# --- commands that play games one after another

LONGEST = 1.5
"""Seconds of play before a kill."""
STARTING = 30.0
"""Seconds in which a command must begin its first journal."""
EARLY = 0.2
"""Share of the kills that do not wait for a journal."""
GOODBYE = 5.0
"""Seconds in which everything that a killed command started must end."""
MODES = ("inline", "resident", "per-turn")
PROGRAM = f"exec:{PYTHON} -m jantaku.players.adapters.client --bot tsumogiri"


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
                env={**os.environ, MARK: mark},
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
        served = Serving(*words, "--out", str(folder), cwd=place, env={MARK: mark})
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
    if found := waited_for(mark, GOODBYE):
        told = ", ".join(command_of(process) for process in found)
        end_all(mark)
        raise Lost(f"still running after the kill: {told}")
