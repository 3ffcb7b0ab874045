"""Attacks by signals at every moment of every command: it ends within five seconds with the right exit code, and
nothing is left."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from scripts.attacks.kit.attack import Attack, Failed, attack
from scripts.attacks.kit.command import jantaku, start
from scripts.environments import PYTHON

SECONDS = 5.0
"""Seconds in which everything must end."""
MIDDLE = 1.5
"""Seconds after which a command is at work."""
CODES = {signal.SIGINT: {130}, signal.SIGTERM: {143}, signal.SIGHUP: {129, -1, 143}, signal.SIGQUIT: {-3, 131}}
LONG = ("--games", "100000", "--quiet", "--out", "out")
STUCK = "jantaku.players.broken.once:Hangs"
LATE = "scripts.attacks.kit.careless:BornLate"
PROGRAM = f"exec:{PYTHON} -m jantaku.players.broken.programs hangs turn"
MATCH = ("--sets", "10000", "--quiet", "--out", "out")


def _playing(player: str, *words: str) -> tuple[str, ...]:
    return ("play", "--players", f"{player},dice,dice,dice", "--limit", "60", *words, *LONG)


COMMANDS: dict[str, tuple[str, ...]] = {
    "play": ("play", "--players", "shanten,shanten,caller,dice", *LONG),
    "play inline": ("play", "--players", "shanten,shanten,caller,dice", "--threads", "inline", *LONG),
    "play resident": ("play", "--players", "shanten,shanten,caller,dice", "--threads", "resident", *LONG),
    "play with a stuck bot": _playing(STUCK),
    "play with a stuck resident": _playing(STUCK, "--threads", "resident"),
    "play with a stuck isolated bot": _playing(f"{STUCK}?isolate=process"),
    "play with a stuck program": _playing(PROGRAM),
    "play with a program that is not ready": _playing("exec:sleep 1000"),
    "play with a bot that is not made": _playing(LATE),
    "play that waits for a client": _playing("ws:a?clock.start=60&listen=127.0.0.1:0"),
    "play --watch": _playing("dice", "--watch", "--pace", "0.1"),
    "play --pace": _playing("dice", "--pace", "30"),
    "match": ("match", "--players", "dice,dice,shanten,caller", *MATCH),
    "match of one process": ("match", "--players", "dice,dice,shanten,caller", "--workers", "0", *MATCH),
    "match with a stuck bot": ("match", "--players", f"{STUCK},dice,dice,dice", "--limit", "60", *MATCH),
    "match whose bot is not made": ("match", "--players", f"{LATE},dice,dice,dice", *MATCH),
    "exam": ("exam", "shanten"),
    "exam of a stuck bot": ("exam", STUCK, "--limit", "60"),
    "serve": ("serve", "--port", "0", "--out", "out"),
    "serve with a room": ("serve", "--port", "0", "--out", "out", "--room", "club", "--players", "ws,dice,dice,dice"),
    "daifugo": ("daifugo", "--port", "0"),
}


SEVERAL = ("play", "play with a stuck program", "match", "match with a stuck bot", "serve with a room")
"""Commands that also get several signals."""


def attacks() -> Iterator[Attack]:
    for command in COMMANDS:
        for number in (signal.SIGINT, signal.SIGTERM):
            yield attack(f"{command} gets {number.name} in the middle", ended, command, [number], MIDDLE)
        yield attack(f"{command} is killed and leaves nothing", killed, command)
    for command in SEVERAL:
        yield attack(f"{command} gets SIGINT while it starts", ended, command, [signal.SIGINT], 0.35)
        yield attack(f"{command} gets SIGINT three times", ended, command, [signal.SIGINT] * 3, MIDDLE)
        yield attack(f"{command} gets SIGTERM and SIGINT", ended, command, [signal.SIGTERM, signal.SIGINT], MIDDLE)
    for wait in (0.02, 0.1, 0.2):
        yield attack(f"play gets SIGTERM {wait} s after its start", ended, "play", [signal.SIGTERM], wait)
    for command in ("play", "match", "serve"):
        yield attack(f"the terminal of {command} is closed", ended, command, [signal.SIGHUP], MIDDLE)
        yield attack(f"nobody reads the output of {command} any more", unread, command)


def ended(folder: Path, command: str, numbers: list[signal.Signals], wait: float) -> str:
    """The command ends in time with the exit code of the first or the last signal, and its journal can be read."""
    process = start(*COMMANDS[command], cwd=folder)
    time.sleep(wait)
    if process.poll() is not None:
        out, err = process.communicate()
        raise Failed(f"over before the signal: {process.returncode} {(out + err).decode(errors='replace')[-500:]!r}")
    began = time.monotonic()
    for number in numbers:
        process.send_signal(number)
        time.sleep(0.05)
    try:
        out, err = process.communicate(timeout=SECONDS)
    except Exception:
        process.kill()
        raise Failed(f"not over {SECONDS:g} s after {numbers[0].name}: {command}") from None
    text = (out + err).decode(errors="replace")
    allowed = {code for number in numbers for code in CODES[number] | {-number}}
    if process.returncode not in allowed or ("Traceback" in text and wait > 0.5):
        raise Failed(f"exit code {process.returncode} after {numbers[0].name}: {text[-600:]!r}")
    _records_are_read(folder)
    return f"{time.monotonic() - began:.1f} s"


def killed(folder: Path, command: str) -> None:
    """Child processes of a killed command end by themselves; the runner of attacks checks that none is left."""
    process = start(*COMMANDS[command], cwd=folder)
    time.sleep(MIDDLE)
    process.kill()
    process.communicate(timeout=SECONDS)
    _records_are_read(folder)


def _records_are_read(folder: Path) -> None:
    for journal in sorted(folder.glob("out/**/game-*.jsonl"))[-2:]:
        if b"\n" in journal.read_bytes():
            ran = jantaku("verify", journal, cwd=folder).sound()
            if ran.code == 1:
                raise ran.failed("what was kept does not verify")


def unread(folder: Path, command: str) -> None:
    """With a closed output, as by `| head -1`, the command goes on or ends without a traceback, and reacts to
    signals."""
    words = [word for word in COMMANDS[command] if word != "--quiet"]
    process = start(*words, cwd=folder)
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    time.sleep(MIDDLE)
    process.send_signal(signal.SIGINT)
    try:
        process.wait(SECONDS)
    except Exception:
        process.kill()
        raise Failed("not over after Ctrl-C") from None
    text = os.read(process.stderr.fileno(), 1 << 16).decode(errors="replace")
    if "Traceback" in text or "defect of" in text or process.returncode not in (0, 1, 2, 130, -2, -13):
        raise Failed(f"exit code {process.returncode}: {text[-600:]!r}")
