"""Words of the command line that no person would type, and names that are markup, paths or commands to a terminal."""

from collections.abc import Iterator
from pathlib import Path

from scripts.attacks.kit.attack import Attack
from scripts.attacks.kit.command import jantaku

PLAY = ("play", "--length", "one", "--threads", "inline", "--out", "out")


def attacks() -> Iterator[Attack]:
    """See the package."""
    yield Attack("there is no such command", no_such_command, seconds=10, quick=True)


def no_such_command(folder: Path) -> None:
    """A word that is none."""
    jantaku("\x1b[2Jplay", cwd=folder).refused()
