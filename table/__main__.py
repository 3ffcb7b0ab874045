"""`python -m table` is the command `jantaku`."""

import sys
from typing import NoReturn

from table.installation import leave_working_folder


def run() -> NoReturn:
    """The command, which takes a moment to load: who presses Ctrl-C in that moment sees no traceback either."""
    leave_working_folder()
    try:
        from table.cli.main import INTERRUPTED, main
    except KeyboardInterrupt:
        sys.exit(130)
    try:
        main()
    except KeyboardInterrupt:  # before it was heeded, or while the end was told
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    run()
