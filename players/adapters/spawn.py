"""A process with three pipes to us and a group of its own: how it begins, and in which words it has ended."""

import signal
import subprocess
from collections.abc import Mapping, Sequence

from table.errors import PlayerNotReady


def spawn(command: Sequence[str], cwd: str | None, env: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    """Start a program; no shell reads its command. PlayerNotReady if it cannot be started."""
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd, env=env, start_new_session=True, bufsize=0
        )
    except (OSError, ValueError) as error:
        raise PlayerNotReady(f"{command[0]} cannot be started: {getattr(error, 'strerror', error)}") from error


def ending_of(process: "subprocess.Popen[bytes]") -> str:
    """How a process that was waited for has ended."""
    code = process.returncode
    if code < 0:
        return f"was killed by signal {-code} ({signal.strsignal(-code)})"
    return f"has ended with exit code {code}"
