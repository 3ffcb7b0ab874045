"""Sums up the records of the games at a door: whether they verify, how many decisions they have, and whose faults."""

import re
from collections import Counter, defaultdict
from pathlib import Path

from jantaku.table.records.journal.read import load
from jantaku.table.records.replay.verify import verify


class Tally:
    """The records of a folder, read one after another."""

    def __init__(self, folder: Path, said: str = "") -> None:
        self.games = self.verified = self.decisions = 0
        self.faults: Counter[tuple[str, str]] = Counter()
        """By player and verdict."""
        self.returns: Counter[str] = Counter()
        """By player: how often a good answer followed bad ones."""
        self.wrong: list[str] = []
        self.used: dict[str, list[float]] = defaultdict(list)
        """By player: seconds of each decision, as the judge measured them."""
        self.stale = sum(map(int, re.findall(r'\bstale"?:? (\d+)', said)))
        """Replies that answered nothing, as the command counted them."""
        for path in sorted(folder.rglob("*.jsonl")):
            self._read(path)

    def _read(self, path: Path) -> None:
        self.games += 1
        record = load(path)
        done = verify(record, record.rules) if record.rules is not None else None
        if done is None or done.difference is not None or record.final is None:
            self.wrong.append(f"{path.name}: {done.difference if done else 'no rules'}, {record.final}")
        else:
            self.verified += 1
        away = set[str]()
        for answer in (answer for line in record.lines for answer in line.get("answers", ())):
            name, verdict = record.names[answer["seat"]], answer["verdict"]
            self.decisions += 1
            self.used[name].append(answer.get("used", 0.0))
            if not verdict.startswith("ok"):
                self.faults[name, verdict] += 1
                away.add(name)
            elif name in away:
                self.returns[name] += 1
                away.discard(name)

    def told(self) -> str:
        """Write the faults in words."""
        words = [f"{name} {verdict} {count}" for (name, verdict), count in sorted(self.faults.items())]
        words += [f"stale {self.stale}"] if self.stale else []
        return ", ".join(words) or "none"
