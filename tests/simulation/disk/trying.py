"""Every step of a case in turn: a fault there, then the product's own way on, then the comparison."""

import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.simulation.disk.cases import Case, Seen, files_in
from tests.simulation.disk.faults import Fault, How, Step, strikes
from tests.simulation.disk.runs import Machine, Ran

BAD: Final = 2
"""Exit code of a command that was refused something."""
MEMORY: Final = Path("/dev/shm")


@dataclass
class Row:
    case: str
    how: str
    steps: int = 0
    """All that an uninterrupted run has."""
    tried: int = 0
    lost: int = 0
    doubled: int = 0
    found: list[str] = field(default_factory=list)
    """What was not as it should be, with its step."""


class Trial:
    """A case whose uninterrupted run is known. With `resumed` a fault strikes the run that goes on after a kill in the
    middle."""

    def __init__(self, case: Case, place: Path, *, resumed: bool = False) -> None:
        self.case, self._machine = case, Machine(place, apart=case.apart)
        self._template: Path | None = None
        self._commands = case.begin()
        first = self._told(self._machine.run(self._commands))
        self._told(self._machine.run(case.go_on(self._machine.root), stubborn=True))
        self.whole = files_in(self._machine.root)
        if resumed:
            self._template, first = self._interrupted(place / "template", first)
        self.steps = first.steps

    def _interrupted(self, template: Path, first: Ran) -> tuple[Path, Ran]:
        machine = self._machine
        machine.clear()
        machine.run(self._commands, Fault(How.KILL, len(first.steps) * 3 // 5))
        machine.root.rename(template)
        machine.clear(template)
        self._commands = self.case.go_on(machine.root)
        return template, machine.run(self._commands, stubborn=True)

    def at(self, fault: Fault, row: Row) -> None:
        machine, step = self._machine, self.steps[fault.step - 1]
        machine.clear(self._template)
        ran = machine.run(self._commands, fault, stubborn=self._template is not None)
        row.tried += 1

        def wrong(what: str) -> None:
            row.found.append(f"step {fault.step} ({step}): {what}")

        if [*map(_shape, ran.steps[: fault.step])] != [*map(_shape, self.steps[: fault.step])]:
            wrong("the steps before it were not those of the uninterrupted run")
        if complaint := _ill_told(fault.how, ran):
            wrong(complaint)
        done = ran.steps[: fault.step - 1]
        on = machine.run(self.case.go_on(machine.root), stubborn=True)
        if on.code:
            wrong(f"it does not go on: {on.err.strip()}")
        loss = self.case.loss(files_in(machine.root), self.whole, Seen(ran, done))
        row.lost += loss.lost
        row.doubled += loss.doubled
        if loss.lost or loss.doubled or loss.other:
            wrong(f"{loss.lost} lost, {loss.doubled} doubled; {', '.join(loss.other[:6])}")

    @staticmethod
    def _told(ran: Ran) -> Ran:
        if ran.code:
            raise RuntimeError(f"an uninterrupted run has failed with {ran.code}: {ran.err}")
        return ran


def _shape(step: Step) -> tuple[str, str]:
    """Without the random part of a temporary file's name."""
    return step.what, re.sub(r"/tmp\w{8}$", "/tmp", step.path)


def _ill_told(how: How, ran: Ran) -> str:
    """What is wrong with what a person is told of a fault that does not end the process."""
    if how.ends or ran.code == 0:
        return ""
    lines = ran.err.splitlines()
    if ran.code != BAD or len(lines) != 1 or not lines[0].startswith("jantaku: "):
        return f"told with exit code {ran.code}: {ran.err.strip()}"
    return ""


def _wanted(steps: Sequence[Step], how: How, at: str) -> Iterator[int]:
    for number, step in enumerate(steps, 1):
        if strikes(how, step) and (at == str(number) if at.isdecimal() else at in str(step)):
            yield number


def tried(case: Case, hows: Sequence[How], *, stride: int = 1, at: str = "", resumed: bool = False) -> list[Row]:
    """Try those of the faults that a case is promised to outlive at every step that has `at` in its text or as its
    number, or at one in `stride` of them."""
    rows: list[Row] = []
    if resumed and not case.resumes:
        return rows
    with tempfile.TemporaryDirectory(prefix="jantaku-disk-", dir=MEMORY if MEMORY.is_dir() else None) as place:
        trial = Trial(case, Path(place), resumed=resumed)
        for how in hows:
            if how in case.hows:
                rows.append(row := Row(f"{case.name}, resumed" if resumed else case.name, how, len(trial.steps)))
                for number in [*_wanted(trial.steps, how, at)][::stride]:
                    trial.at(Fault(how, number), row)
    return rows
