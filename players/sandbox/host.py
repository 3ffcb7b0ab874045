"""Whether this machine can confine programs, found out once and said in one line that tells what to install."""

import os
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from shutil import which

from jantaku.players.sandbox import calls
from jantaku.table.errors import BadInput

_NAMESPACES = (
    "--unshare-user --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try --die-with-parent "
    "--hostname sandbox"
)
NAMESPACES = _NAMESPACES.split()
"""The program has a machine of its own: no other process, no network but its own, no way to privileges."""
WITH_NETWORK = [word for word in NAMESPACES if word != "--unshare-net"]
INSIDE = "1000"
"""The program's user and group as it sees them itself."""
OUTSIDE = 65534
"""The user and group (nobody's) that the kernel knows a program of root's by."""
SAME_USER = f"--disable-userns --uid {INSIDE} --gid {INSIDE}".split()
OTHER_USER = ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]


@cache
def bubblewrap() -> str:
    """Where it is. BadInput where a program cannot be confined here for want of something that can be installed."""
    if sys.platform != "linux":
        raise BadInput("the sandbox works on Linux only; leave sandbox and --sandbox away, or run jantaku there")
    calls.program()
    return _found("bwrap", "bubblewrap")


@cache
def drops_root() -> bool:
    """Whether the program has to become somebody else first: the kernel exempts root from limits of processes, and
    root's files are root's to read. Not so where this process is root only of a namespace without other users."""
    if sys.platform == "win32" or os.getuid() != 0:
        return False
    ranges = [list(map(int, line.split())) for line in Path("/proc/self/uid_map").read_text("ascii").splitlines()]
    return any(first <= OUTSIDE < first + count for first, _, count in ranges)


def becoming() -> list[str]:
    """In front of the program's own command: who has set the sandbox up becomes the user that runs it."""
    words = f"--reuid {INSIDE} --regid {INSIDE} --clear-groups --inh-caps=-all --bounding-set=-all --"
    return [_found("setpriv", "util-linux"), *words.split()]


def map_users(process: int) -> None:
    """Tell the kernel who the two users of a new sandbox are outside. OSError where this root may not."""
    for kind in ("uid", "gid"):
        Path(f"/proc/{process}/{kind}_map").write_text(f"0 0 1\n{INSIDE} {OUTSIDE} 1\n", "ascii")


def check_readable(places: Iterable[str]) -> None:
    """BadInput for the first of these that a program could not read because it is root's alone."""
    for place in places if drops_root() else ():
        wanted = 0o5 if os.path.isdir(place) else 0o4
        if os.stat(place).st_mode & wanted != wanted:
            raise BadInput(
                f"the table runs as root, and its programs run as the user nobody in the sandbox, who may not read "
                f"{place}: chmod -R o+rX {place}, or run the table as an ordinary user"
            )


def give(folder: str) -> None:
    """Make an empty folder the program's own, if it is to run as somebody else."""
    if sys.platform != "win32" and drops_root():
        os.chown(folder, OUTSIDE, OUTSIDE)


def _found(program: str, package: str) -> str:
    path = which(program)
    if path is None:
        raise BadInput(f"the sandbox needs {package}: on Debian and Ubuntu apt install {package}")
    return path
