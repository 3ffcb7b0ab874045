"""Attacks by stalls of the table's process and by bots that block it: no other player is blamed, and every wait
ends."""

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from scripts.attacks.kit.attack import Attack, Failed, attack
from scripts.attacks.kit.command import jantaku, start
from scripts.environments import PYTHON

BOTS = "scripts.attacks.hostile.keepers"
INNOCENT = f"{BOTS}:Innocent"
PROGRAM = f"exec:{PYTHON} -m jantaku.players.adapters.client --bot {shlex.quote(INNOCENT)}"
MODES = ("per-turn", "resident")
WHERE = {"here": INNOCENT, "isolated": f"{INNOCENT}?isolate=process", "exec": PROGRAM}
PLAY = ("play", "--length", "one", "--seed", "7", "--out", "out", "--quiet")
GOOD = ("ok", "ok_margin")
KEEPS = "import re\nre.match(r'(a+)+$', 'a' * 40 + 'b')"
IMPORTED = (KEEPS, "mine:Bot", "a bot has kept the interpreter's lock for 6")
NAMED = ("", f"{BOTS}:Backtracks", "the bot on seat [0-3] has kept the interpreter's lock for 6")
"""The text of a bot's file (empty: none), the player, and the message that names it."""
OVER = 5.0
"""Seconds in which a terminated command must end."""
BUSY = 8
"""Processes that compute beside the table."""


def attacks() -> Iterator[Attack]:
    for mode in MODES:
        for keeper in ("Computes", "Switches"):
            yield attack(f"{mode}: one bot {keeper.lower()} and keeps the lock", beside, mode, keeper)
        for where in WHERE:
            for seconds in (2, 11):
                named = f"{mode}, players {where}: stopped for {seconds} s"
                yield attack(named, stopped, mode, where, seconds).but(seconds=90, alone=True)
            yield attack(f"{mode}, players {where}: {BUSY} busy processes", busy, mode, where).but(
                seconds=90, alone=True
            )
        yield attack(f"{mode}: a bot keeps the lock for ever", cut_off, "--threads", mode, "--limit", "0.3")
    yield attack("inline: a bot keeps the lock for ever", never_back, NAMED).but(seconds=120.0)
    yield attack("a module keeps the lock for ever while it is imported", never_back, IMPORTED).but(seconds=120.0)
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        for bot in ("Backtracks", "BornBacktracking"):
            for command in ("play", "match", "here", "exam"):
                named = f"{command} with {bot} gets {number.name}"
                yield attack(named, ended, command, bot, number, code).but(seconds=60, alone=True)
    for command in ("play", "match", "here", "exam"):
        yield attack(f"{command} with a bot that calls os._exit(0)", exits, command)
    for mode in (*MODES, "inline"):
        for bot in ("InjectsKyuushu", "InjectsTsumo", "InjectsRon"):
            yield attack(f"{mode}: {bot} changes its question", injects, mode, bot, "riichi")
        yield attack(f"{mode}: InjectsPut changes its question", injects, mode, "InjectsPut", "daifugo")


def beside(folder: Path, mode: str, keeper: str) -> None:
    """Only the bot that holds the lock is blamed."""
    players = f"{BOTS}:{keeper},{INNOCENT},{INNOCENT},{INNOCENT}"
    jantaku(*PLAY, "--players", players, "--threads", mode, "--limit", "0.3", cwd=folder).fine()
    bad = _bad(folder)
    if {name for name, _ in bad} != {keeper}:
        raise Failed(f"blamed: {bad}")


def stopped(folder: Path, mode: str, where: str, seconds: float) -> str:
    """Stop and continue the table by SIGSTOP and SIGCONT, at a limit far below the pause."""
    process = _start(folder, mode, where)
    with process:
        table = _until_it_plays(process.pid, folder)
        os.kill(table, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(table, signal.SIGCONT)
        _, err = process.communicate(timeout=80)
    return _nobody_is_blamed(folder, process.returncode, err)


def busy(folder: Path, mode: str, where: str) -> str:
    """Keep the machine busy with other processes."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY)]
    try:
        with _start(folder, mode, where) as process:
            _, err = process.communicate(timeout=80)
    finally:
        for other in others:
            other.kill()
            other.wait()
    return _nobody_is_blamed(folder, process.returncode, err)


def _start(folder: Path, mode: str, where: str) -> "subprocess.Popen[bytes]":
    return start(*PLAY, "--players", ",".join([WHERE[where]] * 4), "--threads", mode, "--limit", "0.5", cwd=folder)


def _nobody_is_blamed(folder: Path, code: int, err: bytes) -> str:
    bad = _bad(folder) if code == 0 else []
    if code or bad:
        raise Failed(f"exit code {code}, blamed: {bad}; {err.decode()[-500:]}")
    return f"{sum(1 for _ in _answers(folder))} questions"


def _until_it_plays(pid: int, folder: Path) -> int:
    """Return the process that plays, once its journal has begun."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with contextlib.suppress(OSError, IndexError):
            if list((folder / "out").glob("game-*")):
                time.sleep(0.5)
                return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])
        time.sleep(0.02)
    raise Failed("it never began to play")


def _answers(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield (player, verdict) for every question."""
    lines = [json.loads(line) for line in (folder / "out" / "game-0000.jsonl").read_bytes().splitlines()]
    names = lines[0]["player"]
    for line in lines:
        for answer in line.get("answers", ()):
            yield names[answer["seat"]], answer["verdict"]


def _bad(folder: Path) -> list[tuple[str, str]]:
    return [(name, verdict) for name, verdict in _answers(folder) if verdict not in GOOD]


def _words(command: str, bot: str) -> tuple[str, ...]:
    player = f"{BOTS}:{bot}"
    four = ("--players", f"{player},dice,dice,dice")
    workers = ("--workers", "0" if command == "here" else "1")
    return {
        "play": ("play", *four, "--out", "out"),
        "exam": ("exam", player),
        "match": ("match", *four, *workers, "--sets", "1", "--out", "out"),
        "here": ("match", *four, *workers, "--sets", "1", "--out", "out"),
    }[command]


def ended(folder: Path, command: str, bot: str, number: int, code: int) -> str:
    """Send a signal to the command alone, while nothing in its process can run."""
    with start(*_words(command, bot), cwd=folder) as process:
        time.sleep(3)
        began = time.monotonic()
        process.send_signal(number)
        _, err = process.communicate(timeout=40)
    taken = time.monotonic() - began
    if process.returncode != code or taken > OVER or b"Traceback" in err:
        raise Failed(f"exit code {process.returncode} after {taken:.1f} s: {err.decode()[-500:]}")
    return f"{taken:.1f} s"


def cut_off(folder: Path, *words: str) -> None:
    """One line says what happened."""
    ran = jantaku(*PLAY, "--players", f"{BOTS}:Backtracks,dice,dice,dice", *words, cwd=folder, seconds=28).refused()
    if "interpreter's lock" not in ran.err:
        raise ran.failed("the reason is missing")


def never_back(folder: Path, told: tuple[str, str, str]) -> None:
    """Without a clock, no wait takes longer than a minute."""
    source, player, said = told
    (folder / "mine.py").write_text(source)
    words = ("--length", "one", "--threads", "inline", "--out", "out")
    ran = jantaku("play", *words, "--players", f"{player},dice,dice,dice", cwd=folder, seconds=110).refused()
    if not re.search(said, ran.err):
        raise ran.failed("it is not said who has kept the lock")


def exits(folder: Path, command: str) -> None:
    """The command never ends with exit code 0 and no message."""
    ran = jantaku(*_words(command, "Exits"), cwd=folder).clean()
    void = command == "match" and ran.code == 0 and "without a result" in ran.out + ran.err
    if not void and not (ran.code == 2 and "os._exit" in ran.err) and "no hanchan has a result" not in ran.out:
        raise ran.failed("it is not said")


def injects(folder: Path, mode: str, bot: str, game: str) -> None:
    """The answer is illegal, and has no other effect."""
    rest = ("daifugo-weakest", "daifugo-weakest") if game == "daifugo" else ("dice", "dice", "dice")
    words = ("--game", game) if game == "daifugo" else ("--length", "one")
    players = ",".join([f"{BOTS}:{bot}", *rest])
    jantaku("play", *words, "--out", "out", "--players", players, "--threads", mode, cwd=folder).fine()
    (journal,) = (folder / "out").glob("*.jsonl")
    text = journal.read_text()
    if '"verdict":"illegal"' not in text:
        raise Failed("it was never found out")
