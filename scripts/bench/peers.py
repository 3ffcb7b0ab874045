"""Installs other engines into an environment of their own, kept in the user's cache."""

import os
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

from jantaku.table.ground.errors import BadInput

PACKAGES = ("riichienv==0.4.11", "mjai==0.2.1", "numpy<2", "setuptools<70")
"""The engines, and what mjai takes for granted."""
PEERS = {"riichienv": "scripts.bench.peer_riichienv", "mjai": "scripts.bench.peer_mjai"}
"""The driver of each engine."""
BOARD, THREE = "board", "three"
"""Our row, and the suffix of the engines' row of the same kind: bots that look at the board; three players."""
RIVALS: dict[str, tuple[str, ...]] = {
    "inline": tuple(PEERS),
    THREE: (f"riichienv-{THREE}",),
    BOARD: tuple(f"{peer}-{BOARD}" for peer in PEERS),
}
"""The engines' rows beside each of ours."""


def environment(say: Callable[[str], None]) -> Path:
    """Return the Python of the engines' environment. BadInput if they cannot be installed."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    place = home / "jantaku" / f"bench-{sys.implementation.cache_tag}"
    python, ready = place / "bin" / "python", place / "ready"
    wanted = "\n".join(PACKAGES)
    if ready.is_file() and ready.read_text("utf-8") == wanted and python.exists():
        return python
    say(f"installing {' and '.join(PACKAGES[:2])} into {place} (once) ...")
    venv.create(place, clear=True, with_pip=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES]
    done = subprocess.run(pip, check=False, capture_output=True, text=True)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or ["pip gave no reason"]
        raise BadInput(f"{PACKAGES} cannot be installed: {errors[0]}")
    ready.write_text(wanted, "utf-8")
    return python


def theirs(python: Path, row: str, policy: str, warm_up: int) -> list[str]:
    peer, _, kind = row.partition("-")
    return [str(python), "-m", PEERS[peer], policy, str(warm_up), *[kind] * bool(kind)]
