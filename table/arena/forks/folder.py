"""The folder of a comparison, beside its baseline.

    compare.json    the plan
    forks.jsonl     one `ForkedGame` per forked hanchan of the baseline: the source of all results

Lines come as hanchan are done, and are put in order at the end. A kill loses the hanchan in progress; an incomplete
last line is ignored.
"""

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from jantaku.table.arena.forks.fork import ForkedGame
from jantaku.table.ground.disk import append, await_disk, replace_whole, telling
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.files import bytes_of
from jantaku.table.play.seating.spec import Terms
from jantaku.table.records.journal.lines import LARGEST

PLAN, FORKS = "compare.json", "forks.jsonl"


class ForkPlan(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that decides the lines of a comparison: the baseline and the candidate."""

    jantaku_compare: int = 1
    version: str
    baseline: str
    """Digest of the baseline's plan."""
    candidate: Terms
    name: str
    fingerprint: str


class ForkStore:
    """An open folder of a comparison; one process at a time."""

    def __init__(self, folder: Path, plan: ForkPlan) -> None:
        """Start a comparison, or continue the same one. BadInput if the folder holds something else."""
        self.folder, self.plan = folder, plan
        path = folder / FORKS
        with telling(folder):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if os.path.lexists(folder / PLAN):
                refuse_other(folder, plan)
            else:
                if os.path.lexists(path):
                    raise BadInput(f"{folder} holds {FORKS} without {PLAN}; give a new or empty folder")
                replace_whole(folder / PLAN, msgspec.json.format(msgspec.json.encode(plan), indent=1) + b"\n")
            path.touch()
            self.games, whole = read_forks(path)
            os.truncate(path, whole)
            self._file = path.open("ab", buffering=0)

    def keep(self, game: ForkedGame) -> None:
        """Store one hanchan. Once this returns, it survives a kill and a power cut."""
        with telling(self.folder):
            append(self._file, msgspec.json.encode(game) + b"\n")
            os.fsync(self._file.fileno())
        self.games[game.game] = game

    def finish(self, games: Sequence[int], results: dict[str, bytes]) -> None:
        """Put the lines of these hanchan in order, and write further files by name."""
        self._file.close()
        with telling(self.folder):
            lines = [msgspec.json.encode(self.games[game]) + b"\n" for game in games]
            replace_whole(self.folder / FORKS, b"".join(lines))
            for name, content in results.items():
                (self.folder / name).parent.mkdir(exist_ok=True)
                replace_whole(self.folder / name, content)
            await_disk(self.folder)

    def close(self) -> None:
        """Close the file. May be called again."""
        self._file.close()


def read_forks(path: Path) -> tuple[dict[int, ForkedGame], int]:
    """Read the lines of an earlier run, by hanchan; return as well how many bytes are whole lines."""
    games, whole = dict[int, ForkedGame](), 0
    for number, line in enumerate(bytes_of(path, LARGEST).splitlines(keepends=True), 1):
        if not line.endswith(b"\n"):
            break
        try:
            game = msgspec.json.decode(line, type=ForkedGame)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadInput(f"{path} line {number}: broken: {error}; nothing was changed") from None
        games[game.game] = game
        whole += len(line)
    return games, whole


def fork_plan_in(folder: Path) -> ForkPlan:
    path = folder / PLAN
    try:
        return msgspec.json.decode(bytes_of(path, LARGEST), type=ForkPlan)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: is not the plan of a comparison: {error}") from None


def refuse_other(folder: Path, plan: ForkPlan) -> None:
    """Raise BadInput if the folder holds another comparison."""
    old = fork_plan_in(folder)
    if old == plan:
        return
    if old.fingerprint != plan.fingerprint and msgspec.structs.replace(old, fingerprint=plan.fingerprint) == plan:
        raise BadInput(f"{folder}: the code of {plan.name} has changed since; compare it with another --out")
    told = "; ".join(
        f"{key}: {_shown(getattr(old, key))} there, {_shown(getattr(plan, key))} here"
        for key in ForkPlan.__struct_fields__
        if getattr(old, key) != getattr(plan, key)
    )
    raise BadInput(f"{folder} holds another comparison: {told}; give another --out")


def _shown(value: object) -> str:
    return value.described if isinstance(value, Terms) else str(value)
