"""What is played on the simulated disk: how it begins, how a person goes on after an interruption, and what must be
there in the end."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.simulation.disk.faults import How, Step
from tests.simulation.disk.runs import Ran, Words

SHORT: Final = ("--threads", "inline", "--length", "one", "--quiet")
NOT_PROMISED: Final = frozenset({How.LOST, How.SHORN, How.BLANK})
FIELD: Final = "dice,caller,tsumogiri,dice?name=fourth"


@dataclass
class Loss:
    """What an interruption has cost: hanchan or lines that are `lost` or `doubled`, and files that are not as they are
    without it."""

    lost: int = 0
    doubled: int = 0
    other: list[str] = field(default_factory=list)


class Case:
    """Something that is played. `hows`: the faults that it is promised to outlive; `apart`: what is hidden of it is on
    another file system."""

    resumes = True
    """Whether it goes on after an interruption."""

    def __init__(self, name: str, *, apart: bool = False, hows: frozenset[How] = frozenset(How)) -> None:
        self.name, self.apart, self.hows = name, apart, hows

    def begin(self) -> list[Words]:
        raise NotImplementedError

    def go_on(self, root: Path) -> list[Words]:
        """What a person gives after an interruption, all of it."""
        raise NotImplementedError

    def loss(self, now: dict[str, bytes], whole: dict[str, bytes], seen: "Seen") -> Loss:
        raise NotImplementedError


@dataclass
class Seen:
    """What is known of an interruption: the run that ended so, and the steps that were done by then."""

    ran: Ran
    done: Sequence[Step]


def files_in(root: Path) -> dict[str, bytes]:
    """All files and links by their paths; folders end with a slash."""
    return dict(_files(root, root))


def _files(root: Path, folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.iterdir()):
        name = str(path.relative_to(root))
        if path.is_symlink():
            yield name, b"-> "
        elif path.is_dir():
            yield f"{name}/", b""
            yield from _files(root, path)
        else:
            yield name, path.read_bytes()


def differing(now: dict[str, bytes], whole: dict[str, bytes]) -> list[str]:
    """What is missing, too much, or other."""
    missing = [f"{name} is missing" for name in whole.keys() - now.keys()]
    more = [f"{name} is left" for name in now.keys() - whole.keys()]
    other = [f"{name} is other" for name in whole.keys() & now.keys() if whole[name] != now[name]]
    return sorted(missing + more + other)


class Pool(Case):
    """A match or a tournament, which `--resume` goes on with."""

    def __init__(self, kind: str, *words: str, name: str = "", apart: bool = False) -> None:
        super().__init__(name or kind, apart=apart)
        self._kind, self._words = kind, words

    def begin(self) -> list[Words]:
        return [(self._kind, *self._words, *SHORT, "--seed", "9", "--workers", "0", "--out", "out")]

    def go_on(self, root: Path) -> list[Words]:
        """See `Case`. Without a plan it has not begun."""
        if not (root / "out" / f"{self._kind}.json").exists():
            return self.begin()
        return [(self._kind, "--resume", "out", "--workers", "0", "--quiet")]

    def loss(self, now: dict[str, bytes], whole: dict[str, bytes], seen: Seen) -> Loss:
        there, wanted = (
            Counter(json.loads(line)["game"] for line in files.get("out/journal.jsonl", b"").splitlines()[1:])
            for files in (now, whole)
        )
        return Loss((wanted - there).total(), (there - wanted).total(), differing(now, whole))


class PlayCase(Case):
    """Games with a journal. They do not go on after an interruption; the next game puts journals where they belong."""

    resumes = False

    def begin(self) -> list[Words]:
        return [self._games("2", "7", "out")]

    def go_on(self, root: Path) -> list[Words]:
        return [self._games("1", "8", "next")]

    def _games(self, number: str, seed: str, out: str) -> Words:
        return ("play", "--players", FIELD, *SHORT, "--games", number, "--seed", seed, "--json", "--out", out)

    def loss(self, now: dict[str, bytes], whole: dict[str, bytes], seen: Seen) -> Loss:
        """See `Case`: every whole line that was written is there, and the games that were told to be over to their
        last byte."""
        loss = Loss()
        order = list(dict.fromkeys(step.path for step in seen.done if step.path.startswith("state/jantaku/games/")))
        hidden = [path for path in order if path.endswith(".jsonl")]
        over = [name for line in seen.ran.out.splitlines() for name in json.loads(line)["records"]]
        for number in range(2):
            name = f"out/game-{number:04d}.jsonl"
            wanted, there = whole[name], now.get(name, b"")
            if number < len(hidden):
                written = sum(step.size for step in seen.done if (step.what, step.path) == ("write", hidden[number]))
                wanted = wanted[:written]
            elif name not in over:
                wanted = b""
            dealt = wanted[: wanted.rfind(b"\n") + 1]
            lines = there[: there.rfind(b"\n") + 1]
            if b'"sealed":true' in lines[:2000] or dealt.count(b"\n") < 2:
                loss.lost += max(dealt.count(b"\n") - 1, 0)  # a header alone is no game
                continue
            if not whole[name].startswith(lines):
                loss.doubled += 1
            loss.lost += max(dealt.count(b"\n") - lines.count(b"\n"), 0)
        rest = {name: text for name, text in now.items() if not name.startswith("out/") or name in over}
        kept = {name: text for name, text in whole.items() if not name.startswith("out/") or name in over}
        loss.other = differing(rest, kept)
        return loss


CASES: Final = {
    case.name: case
    for case in (
        PlayCase("play", hows=frozenset(How) - NOT_PROMISED),
        PlayCase("play apart", apart=True, hows=frozenset(How) - NOT_PROMISED),
        Pool("match", "--players", "dice,caller", "--format", "1v3", "--sets", "2"),
        Pool("match", "--players", "dice,caller", "--format", "1v3", "--sets", "2", name="match apart", apart=True),
        Pool("tournament", "--players", FIELD, "--format", "swiss", "--rounds", "2"),
    )
}
