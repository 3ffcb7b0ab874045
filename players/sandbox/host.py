"""Whether this machine can confine programs, found out once and said in one line that tells what to install."""

import subprocess
import sys
from functools import cache
from shutil import which

from players.sandbox import calls
from table.errors import BadInput

BWRAP = "bwrap"
_PATIENCE = 20.0  # seconds for a trial that takes some milliseconds
_WORDS = (
    "--unshare-user --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try --disable-userns "
    "--die-with-parent --uid 1000 --gid 1000 --hostname sandbox"
)
NAMESPACES = _WORDS.split()
"""The program has a machine of its own: no other process, no network but its own, no way to privileges."""


@cache
def bubblewrap() -> str:
    """Where it is. BadInput where a program cannot be confined here."""
    if sys.platform != "linux":
        raise BadInput("the sandbox works on Linux only; leave sandbox and --sandbox away, or run jantaku there")
    found = which(BWRAP)
    if found is None:
        raise BadInput("the sandbox needs bubblewrap: on Debian and Ubuntu apt install bubblewrap")
    calls.program()
    trial = [found, *NAMESPACES, "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--", "/proc/self/exe"]
    try:
        tried = subprocess.run([*trial, "--version"], capture_output=True, timeout=_PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BadInput(f"the sandbox cannot be set up here: {found}: {error}") from None
    if tried.returncode != 0:
        words = " ".join(tried.stderr.decode(errors="replace").split())
        raise BadInput(
            f"the sandbox cannot be set up here: {words}; it needs bubblewrap 0.8 or newer and user namespaces, which "
            "kernel.unprivileged_userns_clone, user.max_user_namespaces, AppArmor or a container may forbid"
        )
    return found
