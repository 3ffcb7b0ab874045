"""`python -m jantaku` is the command `jantaku`."""

import sys
from typing import NoReturn

from jantaku.table.judge.heartbeat import Heartbeat
from jantaku.table.play import supervisor


def run() -> NoReturn:
    """The command, in a process that this one watches."""
    supervisor.supervised(_run)


def _run() -> NoReturn:
    """The command, imported late because that takes a moment: Ctrl-C in that moment shows no traceback either."""
    try:
        from jantaku.table.cli.main import INTERRUPTED, main
        from jantaku.table.judge.stalls import STALLS

        STALLS.heartbeat = None if supervisor.memory is None else Heartbeat(supervisor.memory)
    except KeyboardInterrupt:
        sys.exit(130)
    try:
        main()
    except KeyboardInterrupt:  # before the handler was installed, or while the exit was reported
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    run()
