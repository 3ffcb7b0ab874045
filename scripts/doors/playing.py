"""The doors that are tried with whole hanchan: a door, and the programs that come through it."""

import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import NamedTuple

from scripts.doors import pipes, rooms
from scripts.doors.tally import Tally

SLOW = (0.02, 2.0)
"""A slow program thinks at this share of its decisions, for about this many seconds."""
PROGRESS = 30.0
"""Seconds between two progress lines."""
Played = Callable[[Path, Sequence[int], tuple[float, float]], str]


class Door(NamedTuple):
    """A row. `theirs`: verdicts that a package's bot is known to earn, by the beginning of its name at the table."""

    name: str
    who: str
    play: Played
    theirs: tuple[str, ...] = ()
    may_be_slow: bool = True


def _room(*guests: rooms.Guest) -> Played:
    return lambda folder, numbers, pauses: rooms.play(folder, guests, numbers, pauses)


def _pipe(*specs: pipes.Spec) -> Played:
    def play(folder: Path, numbers: Sequence[int], pauses: tuple[float, float]) -> str:
        env = {"JANTAKU_DOORS_THINK": f"{pauses[0]} {pauses[1]}"} if pauses[0] else {}
        return pipes.play(folder, specs, numbers, env)

    return play


ARENA = rooms.joined("ws://127.0.0.1:{ws}/ws/ranked?name={name}")
MJSONP = rooms.joined("mjsonp://127.0.0.1:{mjsonp}/{room}")
BOTH = (pipes.rulebase, pipes.rulebase, pipes.riichibot, pipes.riichibot)
DOORS = (
    Door("room", "majiang-core (npm)", _room(*[rooms.majiang_core] * 4)),
    Door("netplay", "our second client", _room(*[rooms.socketio] * 4)),
    Door("majiang-bot", "npm majiang-bot", _room(*[rooms.majiang_bot] * 4), may_be_slow=False),
    Door("mjsonp", "our second client", _room(*[rooms.mjsonp] * 4)),
    Door("mjsonp-join", "jantaku join, and that", _room(MJSONP, MJSONP, rooms.mjsonp, rooms.mjsonp)),
    Door("riichilab", "our second client", _room(*[rooms.riichilab] * 4)),
    Door("riichilab-join", "jantaku join, and that", _room(ARENA, ARENA, rooms.riichilab, rooms.riichilab)),
    Door("mcp", "a client of PyPI mcp, by texts", _room(*[rooms.mcp] * 4)),
    Door("mjai", "our second program", _pipe(*[pipes.lines("mjai")] * 4)),
    Door("mjai-actions", "our second program", _pipe(*[pipes.lines("mjai-actions")] * 4)),
    Door("mjai-lines", "our second program", _pipe(*[pipes.lines("mjai-lines")] * 4)),
    Door("mjai-lines-actions", "our second program", _pipe(*[pipes.lines("mjai-lines-actions")] * 4)),
    Door("akagi", "a folder of Akagi's form", _pipe(*[pipes.akagi] * 4)),
    Door("submission", "a zip of mjai.app's form", _pipe(*[pipes.submission] * 4)),
    Door("mortal", "a folder of Mortal's form", _pipe(*[pipes.mortal] * 4)),
    Door("mjai-bots", "PyPI mjai, folder and zip", _pipe(*BOTH), ("illegal", "malformed", "gone", "silent"), False),
)


def play(
    door: Door, place: Path, *, numbers: range, tables: int, pauses: tuple[float, float] = (0.0, 0.0)
) -> tuple[str, bool]:
    """Play the hanchan of these numbers at one door, at `tables` tables at a time. Return the row, and whether all is
    as it should be."""
    began = time.monotonic()
    shares = [one for one in (numbers[start::tables] for start in range(tables)) if one]
    with ThreadPoolExecutor(len(shares)) as pool:
        each = [pool.submit(door.play, place / f"table-{n}", share, pauses) for n, share in enumerate(shares)]
        while wait(each, PROGRESS).not_done:
            print(f"{door.name}: {len(list(place.rglob('*.json')))} of {len(numbers)}", file=sys.stderr)
        said = "".join(one.result() for one in each)
    tally = Tally(place, said)
    blamed = [verdict for _, verdict in tally.faults if verdict not in door.theirs]
    good = not blamed and tally.verified == len(numbers) and (door.theirs or not tally.stale)
    seconds = time.monotonic() - began
    row = f"{tally.games:4} hanchan {tally.decisions:8} decisions {tally.verified:4} verify {seconds:7.0f} s  "
    return "\n".join([f"{row}faults: {tally.told()}", *tally.wrong]), bool(good)
