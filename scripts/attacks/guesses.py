"""Attacks by a bot that looks for the walls and the operator's token wherever a program of the same user can look.

In the sandbox it must learn nothing. Without it, the row tells what docs/trust.md does not promise to hide; anything
else that the bot learns is a hole. There it must learn something: a bot that finds nothing would prove nothing about
the sandbox.
"""

import os
import re
import secrets
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.attacks.hostile import guesser
from scripts.attacks.kit import left
from scripts.attacks.kit.attack import Attack, Failed, Skipped, attack
from scripts.attacks.kit.command import ROOT, jantaku
from scripts.environments import PYTHON

GUESSER = f"{guesser.__file__}:Guesser"
CLIENT = f"exec:{PYTHON} -m jantaku.players.adapters.client --bot {shlex.quote(GUESSER)} --dialect majiang"
BOUND = "".join(f"&bind={ROOT / package}" for package in ("table", "players", "scripts/attacks/hostile"))
SEATS = {
    "a program": f"{CLIENT}?name=guesser&env.PYTHONPATH={ROOT}{BOUND}",
    "an isolated bot": f"{GUESSER}?name=guesser&isolate=process",
    "a bot in the table's process": f"{GUESSER}?name=guesser",
}
COMMANDS = {
    "play": ("play", "--limit", "60"),
    "match": ("match", "--sets", "1", "--seatings", "one", "--workers", "1", "--limit", "60"),
}
OPEN = ("the table's environment", "the table's private files", "the table's open files", "the table's memory")
"""What a program of the same user can read, as docs/trust.md says."""
OWN = ("its own environment",)
"""What a bot in the table's process shares with it."""
_KNOWS = re.compile(r"^KNOWS ([\w' ]+): (\w+)", re.MULTILINE)


def attacks() -> Iterator[Attack]:
    for command in COMMANDS:
        for seat in SEATS:
            for where in ("without the sandbox", "in the sandbox"):
                quick = (command, seat, where) == ("play", "an isolated bot", "in the sandbox")
                told = f"{seat} in {command} looks for walls and tokens, {where}"
                yield attack(told, guesses, command, seat, where).but(seconds=300.0, quick=quick)


def guesses(folder: Path, command: str, seat: str, where: str) -> str:
    """Seat the bot, and compare what it has learned with the record of the game."""
    if sys.platform != "linux" or (where == "in the sandbox" and shutil.which("bwrap") is None):
        raise Skipped("this needs /proc and bubblewrap")
    token = secrets.token_hex(16)
    env = {
        "JANTAKU_OPERATOR_TOKEN": token,
        "JANTAKU_INHERIT": f"{left.MARK},GUESS_TOKEN,GUESS_OUT,GUESS_STATE",
        "GUESS_TOKEN": token[::-1],
        "GUESS_OUT": str(folder / "out"),
        "GUESS_STATE": os.environ["XDG_STATE_HOME"],
    }
    words = [*COMMANDS[command], "--length", "one", "--rules", "majiang", "--out", "out"]
    words += ["--sandbox"] if where == "in the sandbox" else []
    ran = jantaku(*words, "--players", f"{SEATS[seat]},dice,dice,dice", cwd=folder, env=env, seconds=280).fine()
    records = [path.read_text("utf-8") for path in (folder / "out").rglob("*.json*")]
    said = [ran.err, *(path.read_text(errors="replace") for path in folder.rglob("*.stderr.txt"))]
    known: dict[str, set[str]] = {}
    for place, what in _KNOWS.findall("\n".join(said)):
        if what != guesser.TOKEN and not any(what in record for record in records):
            raise Failed(f"it takes something for a wall that is none: {place}: {what}")
        known.setdefault(place, set()).add("the token" if what == guesser.TOKEN else "the wall")
    return _judged(known, seat, where, "\n".join(said))


def _judged(known: dict[str, set[str]], seat: str, where: str, said: str) -> str:
    if guesser.SEARCHED not in said:
        raise Failed(f"it has not looked everywhere, which proves nothing: {said[-500:]}")
    told = "; ".join(f"{' and '.join(sorted(what))} from {place}" for place, what in known.items())
    allowed = (*OPEN, *OWN) if seat == "a bot in the table's process" else OPEN
    if where == "in the sandbox":
        if known:
            raise Failed(f"it knows {told}")
        return "it has learned nothing"
    if holes := sorted(set(known) - set(allowed)):
        raise Failed(f"it knows {told}; nothing may be told by {', '.join(holes)}")
    if not known:
        raise Failed(f"it has learned nothing, so that it proves nothing of the sandbox: {said[-500:]}")
    return f"as docs/trust.md says it knows {told}"
