"""Starts a process with three pipes and its own process group, and describes how it ended."""

import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence

import msgspec

from jantaku.players.sandbox import watch
from jantaku.players.sandbox.start import Sandbox, start
from jantaku.players.sandbox.tree import Tree
from jantaku.table.ground.errors import PlayerNotReady

if sys.platform == "win32":
    raise ImportError("programs cannot play on Windows")

_SIGNALLED = 128
"""bubblewrap's exit code for a signal is this plus the number of the signal that ended the program inside."""
_LIMITS: dict[int, str] = {signal.SIGSYS: "forbidden", signal.SIGXCPU: "cpu"}
_SAID = {"forbidden": "has made a system call that its sandbox forbids", "cpu": "has used up its CPU time (limits.cpu)"}


class Started(msgspec.Struct, frozen=True, eq=False):
    """A process that was started, and the tree of its processes. `sandbox` is what it is confined to, None without
    one."""

    process: "subprocess.Popen[bytes]"
    tree: Tree
    sandbox: Sandbox | None = None

    def watch(self, end: Callable[[str, str], None]) -> None:
        """Start watching the limits of its sandbox; `end` is called with the broken limit and a description."""
        if self.sandbox is not None:
            watch.watch(watch.Confined(self.tree, self.sandbox.limits, end))

    def forget(self) -> None:
        """Stop watching it, after it has ended."""
        watch.forget(self.tree.root)

    def ending(self) -> tuple[str, str]:
        """Describe how it ended, once it was waited for, with the limit of its sandbox that it broke; empty for
        none."""
        code = self.process.returncode
        if self.sandbox is not None and code > _SIGNALLED:
            code = _SIGNALLED - code
            if limit := _LIMITS.get(-code, ""):
                return _SAID[limit], limit
        if code < 0:
            return f"was killed by signal {-code} ({signal.strsignal(-code)})", ""
        return f"has ended with exit code {code}", ""


def spawn(command: Sequence[str], cwd: str | None, env: Mapping[str, str], sandbox: Sandbox | None = None) -> Started:
    """Start a program; no shell reads its command. Raises PlayerNotReady if it cannot be started."""
    pipe = subprocess.PIPE
    try:
        if sandbox is not None:
            confined, inside = start(sandbox, command, env)
            return Started(confined, Tree(inside), sandbox)
        process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd, env=env, start_new_session=True, bufsize=0
        )
    except (OSError, ValueError) as error:
        raise PlayerNotReady(f"{command[0]} cannot be started: {getattr(error, 'strerror', error)}") from error
    return Started(process, Tree(process.pid))
