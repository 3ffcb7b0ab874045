"""`jantaku serve` in a process of its own, with every door open, and a tally of the records that it leaves."""

import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from jantaku.table.records.journal.read import load
from jantaku.table.records.replay.verify import verify

LIMIT = 60.0
"""Seconds for an answer: long enough for any program that answers, even on a busy machine."""
PATIENCE = 120.0
_ADDRESSES = {
    "ws": re.compile(r"serving ws://[^ /]*:([0-9]+)/"),
    "mjsonp": re.compile(r"mjsonp://[^ ]*:([0-9]+)/"),
    "netplay": re.compile(r"net play at http://[^ ]*:([0-9]+)/"),
}

_OVER = re.compile(r"^room [^ ]+: game ", re.MULTILINE)
ROOM = "club"


class Server:
    """A server with a room for these players; it ends after `games` games, or with the block. Its folder has its output
    in `said` and the records in `records`. `more` are further words of the command."""

    def __init__(
        self,
        folder: Path,
        *,
        games: int | None,
        players: str = "ws,ws,ws,ws",
        seed: int = 7,
        more: Sequence[str] = (),
    ) -> None:
        self.folder, self._ends = folder, games is not None
        folder.mkdir(parents=True, exist_ok=True)
        words = ["serve", "--port", "0", "--mjsonp", "0", "--netplay", "0", "--players", players, "--limit", str(LIMIT)]
        words += ["--room", ROOM, "--seed", str(seed), "--out", str(folder / "records"), *more]
        words += [] if games is None else ["--games", str(games)]
        with (folder / "said").open("wb") as said:
            command = [sys.executable, "-m", "jantaku", *words]
            self._process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)

    def __enter__(self) -> "Server":
        until = time.monotonic() + PATIENCE
        while not all(one.search(self.said) for one in _ADDRESSES.values()):
            if self._process.poll() is not None or time.monotonic() > until:
                self._process.kill()
                raise SystemExit(f"the server has not started: {self.said}")
            time.sleep(0.05)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        """Wait until all its games are over, if it has a number of games; else end it."""
        try:
            self._process.wait(PATIENCE if kind is None and self._ends else 0)
        except subprocess.TimeoutExpired:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(PATIENCE)

    @property
    def said(self) -> str:
        """Its output so far."""
        return (self.folder / "said").read_text("utf-8", errors="replace")

    def port(self, door: str) -> int:
        """Return the port of `ws`, `mjsonp` or `netplay`."""
        found = _ADDRESSES[door].search(self.said)
        assert found is not None
        return int(found[1])

    @property
    def over(self) -> int:
        """The number of finished games."""
        return len(_OVER.findall(self.said))

    def wait_for(self, games: int) -> None:
        """Wait until that many games are over."""
        until = time.monotonic() + PATIENCE
        while self.over < games:
            if self._process.poll() is not None or time.monotonic() > until:
                raise SystemExit(f"game {games} is not over: {self.said[-2000:]}")
            time.sleep(0.02)


class Tally:
    """The records of a folder: whether they verify, how many decisions they have, and whose faults."""

    def __init__(self, folder: Path, said: str = "") -> None:
        self.games = self.verified = self.decisions = 0
        self.faults: Counter[tuple[str, str]] = Counter()
        """By player and verdict."""
        self.returns: Counter[str] = Counter()
        """By player: how often a good answer followed bad ones."""
        self.wrong: list[str] = []
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
