"""Every broken player × every way to seat it × every moment: what the table says of it, and what that cost the others.

    python -m scripts.faults [--only WORD] [--brief]

One row a case: the verdict that is expected and the one that came, whether only that seat is blamed, how long it took
against limit + bank + margin + 0.25 s, whether everything that happened is what happens with a player that
plays the defaults, and whether anything is left running. Exit code 1 if any of it is not as it should be.
"""

import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table

from players.adapters import guardian
from players.adapters.program import programs_left
from players.bots.shanten import Shanten
from players.bots.tsumogiri import Tsumogiri
from table import log
from table.judge.judge import Judge
from table.match.roster import enlist
from table.port import Answer, Player, Remote
from table.riichi import ruleset
from table.riichi.events import KyokuStart
from table.riichi.game import RiichiGame, walls_from
from tests.bots_broken import inside
from tests.bots_broken.pace import CLOCK, LIMIT

TOLERANCE = 0.25
"""Seconds over the deadline that an idle machine may take."""
KYOKU = 2
"""A case is played until so many kyoku have ended."""
SEED = "23"
"""Walls on which seat 0 has every moment in the first kyoku."""
MARK = "JANTAKU_FAULTS"
MOMENTS = ("turn", "reaction", "between", "start")

_ENDS = ("gone", "gone", "gone", "start_failed")
_SILENT = ("silent", "silent", "silent", "start_failed")
_FINE = ("ok",) * 4
_UNREADABLE = ("malformed", "malformed", "ok", "start_failed")
PROGRAMS: dict[str, Sequence[str]] = {
    "none": _FINE,
    "exits": _ENDS,
    "killed": _ENDS,
    "leaves_a_child_at_the_pipe": _ENDS,
    "closes_its_input": ("silent", "silent", "gone", "start_failed"),  # it shows when it is written to again
    "closes_its_output": _ENDS,
    "thinks": _FINE,
    "thinks_too_long": ("silent", "silent", "silent", "ok"),
    "is_silent": ("silent", "silent", "ok", "start_failed"),
    "hangs": _SILENT,
    "stops_in_the_middle_of_a_line": ("silent", "silent", "ok", "start_failed"),
    "chatters_on_stderr": _FINE,
    "repeats_old_numbers": ("silent",) * 4,
    "answers_twice": _FINE,
    "answers_before_it_is_asked": _FINE,
    "answers_with_blank_lines": _FINE,
    "writes_a_long_line": _UNREADABLE,
    "writes_nul": _UNREADABLE,
    "writes_no_utf8": _UNREADABLE,
    "writes_deep_json": _UNREADABLE,
    "writes_words": _UNREADABLE,
    "writes_a_list": _UNREADABLE,
    "writes_a_wrong_type": ("malformed", "malformed", "ok", "ok"),
    "writes_a_tile_that_is_none": ("malformed", "malformed", "ok", "ok"),
    "writes_two_actions": _UNREADABLE,
    "cheats": ("illegal", "illegal", "ok", "ok"),
}
"""By vice of `tests.bots_broken`, the first bad verdict at each of the moments, ok if there is none."""
CLASSES: dict[str, Sequence[str]] = {
    "Raises": ("gone",) * 4,
    "Quits": ("gone",) * 4,
    "Thinks": _FINE,
    "ThinksTooLong": ("silent",) * 4,
    "Hangs": ("silent",) * 4,
    "AnswersNothing": ("malformed", "malformed"),
    "AnswersNonsense": ("malformed", "malformed"),
    "Cheats": ("illegal", "illegal"),
    "Vanishes": ("gone",) * 4,
}
"""By class of `tests.bots_broken.inside`, the same."""


class Case(msgspec.Struct, frozen=True):
    """One broken player, how it is seated, when it does it, and what should come of it."""

    transport: str
    vice: str
    moment: str
    expected: str

    def seat(self) -> Player:
        """The player."""
        if self.transport == "in-process":
            player: Player = getattr(inside, self.vice)(self.moment)
            return player
        if self.transport == "exec":
            spec = f"exec:{sys.executable} -m tests.bots_broken {self.vice} {self.moment}"
        else:
            os.environ["JANTAKU_AT"] = self.moment
            spec = f"tests.bots_broken.inside:{self.vice}?isolate=process"
        return enlist([spec])[0].make(0)


def cases() -> Iterator[Case]:
    """All of them. What would end the table itself is not tried in its own process."""
    for transport, vices in (("in-process", CLASSES), ("isolated", CLASSES), ("exec", PROGRAMS)):
        for vice, verdicts in vices.items():
            if (transport, vice) != ("in-process", "Vanishes"):
                for moment, expected in zip(MOMENTS, verdicts, strict=False):
                    yield Case(transport, vice, moment, expected)


class Report(msgspec.Struct):
    """What came of a case."""

    verdict: str
    blamed: tuple[int, ...]
    longest: float
    alike: bool
    left: int
    stale: int

    def wrong(self, case: Case) -> list[str]:
        """What is not as it should be."""
        found = {
            "verdict": self.verdict != case.expected,
            "blame": bool(set(self.blamed) - {0}),
            "time": self.longest > LIMIT + CLOCK.margin + TOLERANCE,
            "others": not self.alike,
            "left running": self.left > 0,
        }
        return [word for word, is_so in found.items() if is_so]


class _Few:
    """A watch that keeps all answers and stops the judge after a few kyoku."""

    def __init__(self) -> None:
        self.judge: Judge | None = None
        self.answers_told: list[Answer] = []
        self.kyoku = 0

    def events(self, new: Sequence[Any]) -> None:
        """See `Watch.events`."""
        self.kyoku += sum(isinstance(event, KyokuStart) for event in new)
        if self.kyoku > KYOKU and self.judge is not None:
            self.judge.stop()

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """See `Watch.answers`."""
        self.answers_told.extend(answers)


def play(player: Player) -> tuple[list[Any], list[Answer], int]:
    """A few kyoku of `player` with three bots: events, answers, stale replies of seat 0."""
    rules, watch = ruleset.resolve("majiang").rules, _Few()
    game = RiichiGame(rules, walls_from(SEED, 0, rules), ("broken", "b", "c", "d"), 1)
    judge = Judge(game, [player, *(Shanten() for _ in range(3))], clock=CLOCK, watches=[watch])
    watch.judge = judge
    try:
        result = judge.run()
    finally:
        if isinstance(player, Remote):
            player.close()
    return game.events, watch.answers_told, result.seats[0].stale


def run(case: Case, clean: list[Any]) -> Report:
    """Play a case and look at what is left of it."""
    inside.released.clear()
    events, answers, stale = play(case.seat())
    inside.released.set()
    bad = [answer for answer in answers if not answer.verdict.good]
    return Report(
        verdict=next((str(answer.verdict) for answer in bad if answer.seat == 0), "ok"),
        blamed=tuple(sorted({answer.seat for answer in bad})),
        longest=max(answer.used for answer in answers),
        alike=events == clean,
        left=_left_running(),
        stale=stale,
    )


def _left_running() -> int:
    """Programs and threads of a table that are still there after a moment."""
    until = time.monotonic() + 3
    while time.monotonic() < until:
        threads = [thread for thread in threading.enumerate() if thread.name.startswith(("T1-", "jantaku "))]
        left = programs_left() + len(threads)
        if not left:
            guardian.dismiss()  # it stays as long as there is somebody to guard
            left = _children()
        if not left:
            return 0
        for thread in threads:
            thread.join(0.05)
    return left


def _children() -> int:
    """Processes that a broken program has left anywhere on this machine, where that can be seen."""
    mark, found = f"{MARK}={os.getpid()}".encode(), 0
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            found += mark in entry.read_bytes().split(b"\0") and entry.parent.name != str(os.getpid())
        except OSError:  # it has ended just now
            continue
    return found


@click.command()
@click.option("--only", default="", help="Cases with this word in transport, vice or moment.")
@click.option("--brief", is_flag=True, help="Only cases that went wrong.")
def main(only: str, brief: bool) -> None:
    """Print the table of faults."""
    console = Console(width=140)
    log.configure("error")  # that a player is stuck is what is looked for
    os.environ[MARK] = str(os.getpid())  # whatever is started from here on can be told by it
    clean, _, _ = play(Tsumogiri())
    table = Table("seated", "vice", "moment", "expected", "verdict", "blamed", "stale", "longest", "others", "left", "")
    failed = count = 0
    for case in cases():
        if only not in f"{case.transport} {case.vice} {case.moment}":
            continue
        report = run(case, clean)
        wrong = report.wrong(case)
        count, failed = count + 1, failed + bool(wrong)
        if wrong or not brief:
            blamed = ", ".join(map(str, report.blamed)) or "nobody"
            others = "unaffected" if report.alike else "affected"
            row = (report.verdict, blamed, str(report.stale), f"{report.longest:.2f} s", others, str(report.left))
            table.add_row(
                case.transport, case.vice, case.moment, case.expected, *row, ", ".join(wrong) or "as it should"
            )
    console.print(table)
    console.print(f"{count} cases, {failed} not as they should be; limit {LIMIT} s, margin {CLOCK.margin} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
