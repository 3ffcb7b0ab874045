"""A broken program, `VICE MOMENT [DIALECT]`: reads messages, writes the default, and misbehaves at one moment.

The environment variable JANTAKU_TOO_LONG says how many seconds are too long for a decision.
"""

import contextlib
import os
import sys

from tests.broken.catalogue import TOO_LONG, VICES, ViceMoment
from tests.broken.mind import Waiting


def send(data: bytes) -> None:
    """Write all of `data`, until the table stops reading."""
    with contextlib.suppress(BrokenPipeError):
        while data:
            data = data[os.write(1, data) :]


def main(vice: str, moment: str, dialect: str = "majiang") -> None:
    """Play until the table hangs up."""
    broken = Waiting(VICES["program"][vice], ViceMoment(moment), dialect, send, float(os.environ[TOO_LONG]))
    for line in sys.stdin.buffer:
        send(broken.take(line))


if __name__ == "__main__":
    main(*sys.argv[1:])
