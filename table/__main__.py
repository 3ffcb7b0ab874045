"""`python -m table` is the command `jantaku`."""

import sys
from typing import NoReturn

from table import supervisor
from table.judge.vitals import Vitals


def run() -> NoReturn:
    """The command, in a process that this one watches."""
    supervisor.supervised(_run)


def _run() -> NoReturn:
    """The command, which takes a moment to load: who presses Ctrl-C in that moment sees no traceback either."""
    try:
        from table.cli.main import INTERRUPTED, main
        from table.judge.pulse import PULSE

        PULSE.vitals = None if supervisor.memory is None else Vitals(supervisor.memory)
    except KeyboardInterrupt:
        sys.exit(130)
    try:
        main()
    except KeyboardInterrupt:  # before it was heeded, or while the end was told
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    run()
