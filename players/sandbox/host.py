"""Whether this machine can confine programs; if not, an error of one line says what to install."""

import os
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from shutil import which

from jantaku.players.sandbox import calls
from jantaku.table.ground.errors import BadInput

if sys.platform == "win32":
    raise ImportError("programs cannot play on Windows")

_NAMESPACES = (
    "--unshare-user --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try --die-with-parent "
    "--hostname sandbox"
)
NAMESPACES = _NAMESPACES.split()
"""The program is isolated: no other process, no network except its own, no way to privileges."""
WITH_NETWORK = [word for word in NAMESPACES if word != "--unshare-net"]
INSIDE = "1000"
"""The program's user and group as the program sees them."""
OUTSIDE = 65534
"""The program's user and group (nobody's) as the kernel sees them if the table runs as root."""
SAME_USER = f"--disable-userns --uid {INSIDE} --gid {INSIDE}".split()
OTHER_USER = ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]


def bubblewrap() -> str:
    """Return the path of bubblewrap. Raises BadInput if a program cannot be confined here because something is not
    installed."""
    if sys.platform != "linux":
        raise BadInput("the sandbox works on Linux only; leave sandbox and --sandbox away, or run jantaku there")
    calls.program()
    return _found("bwrap", "bubblewrap")


@cache
def drops_root() -> bool:
    """Whether the program has to change its user: the kernel exempts root from limits on processes, and root may read
    all of root's files. False if this process is root only in a namespace without other users."""
    if os.getuid() != 0:
        return False
    ranges = [list(map(int, line.split())) for line in Path("/proc/self/uid_map").read_text("ascii").splitlines()]
    return any(first <= OUTSIDE < first + count for first, _, count in ranges)


def becoming() -> list[str]:
    """The beginning of the program's command, with which root, after setting up the sandbox, becomes the program's
    user."""
    words = f"--reuid {INSIDE} --regid {INSIDE} --clear-groups --inh-caps=-all --bounding-set=-all --"
    return [_found("setpriv", "util-linux"), *words.split()]


def map_users(process: int) -> None:
    """Map the two users of a new sandbox to users outside. Raises OSError if this root may not do that."""
    for kind in ("uid", "gid"):
        Path(f"/proc/{process}/{kind}_map").write_text(f"0 0 1\n{INSIDE} {OUTSIDE} 1\n", "ascii")


def check_readable(places: Iterable[str]) -> None:
    """Raise BadInput for the first of these places that only root could read, if the program runs as another user."""
    for place in places if drops_root() else ():
        wanted = 0o5 if os.path.isdir(place) else 0o4
        if os.stat(place).st_mode & wanted != wanted:
            raise BadInput(
                f"the table runs as root, and its programs run as the user nobody in the sandbox, which may not read "
                f"{place}: chmod -R o+rX {place}, or run the table as an ordinary user"
            )


def give(folder: str) -> None:
    """Give an empty folder to the program's user, if that is another user."""
    if drops_root():
        os.chown(folder, OUTSIDE, OUTSIDE)


def _found(program: str, package: str) -> str:
    path = which(program)
    if path is None:
        raise BadInput(f"the sandbox needs {package}: on Debian and Ubuntu apt install {package}")
    return path
