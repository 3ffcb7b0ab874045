"""What a user may see of a command that met something hostile."""

import os
import re
from pathlib import Path

from scripts.serving import Ran as Started
from tests.kit.command import Ran

OURS = re.compile(r"^Traceback \(most recent call last\)", re.MULTILINE)
"""A traceback of jantaku itself. A bot's traceback is part of a fault's report, and indented."""


def sound(ran: Ran | Started) -> None:
    """Success, a failed check, or bad input in one line for each mistake: no traceback, no defect, and nothing that a
    terminal obeys."""
    assert ran.code in (0, 1, 2), ran
    assert not OURS.search(f"{ran.err}\n{ran.out}") and "a defect of jantaku itself" not in ran.err, ran
    assert not [char for char in ran.out + ran.err if (char < " " and char not in "\n\r\t") or "\x7f" <= char <= "\x9f"]
    if ran.code == 2:
        lines = ran.err.strip().splitlines()
        assert lines and all(line.startswith("jantaku: ") for line in lines), ran


def nothing_beside(folder: Path, *names: str) -> None:
    """Nothing was written there but these, and what commands write where they are told to."""
    assert set(os.listdir(folder)) <= {*names, "out", "out.html", "out.mjson", "out.review.jsonl"}
