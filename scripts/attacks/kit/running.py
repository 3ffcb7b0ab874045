"""Runs an attack in a process of its own: no longer than its bound, and nothing that it started stays."""

import contextlib
import itertools
import multiprocessing
import os
import signal
import tempfile
import traceback
from multiprocessing.connection import Connection
from pathlib import Path

from jantaku.players.adapters.environment import INHERIT
from jantaku.players.adapters.pipes import guardian
from scripts.attacks import GROUPS, attacks_of
from scripts.attacks.kit import left
from scripts.attacks.kit.attack import Attack, Failed, Skipped

GOODBYE = 3.0
"""Seconds in which everything that an attack started must end after it."""
LINES = 6
"""Lines shown of the traceback of an attack that is broken itself."""

# Forks of a process that has imported all attacks and has no threads.
_server = multiprocessing.get_context("forkserver")
_server.set_forkserver_preload(list(GROUPS))
_numbers = itertools.count(1)


def run(group: str, attack: Attack) -> str:
    """Try it. Return the remark if it is survived; else raise Failed or Skipped."""
    mark = f"{os.getpid()}-{next(_numbers)}"
    ours, theirs = _server.Pipe(duplex=False)
    with ours, tempfile.TemporaryDirectory(prefix="jantaku-attack-", ignore_cleanup_errors=True) as place:
        process = _server.Process(target=_try, args=(group, attack.name, Path(place), mark, theirs))
        process.start()
        theirs.close()
        try:
            if not ours.poll(attack.seconds):
                raise Failed(f"not over after {attack.seconds:g} s")
            told: str | Failed | Skipped = ours.recv()
        except EOFError:
            process.join(GOODBYE)
            raise Failed(f"the process of the attack has ended with {process.exitcode}") from None
        finally:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid or os.getpid(), signal.SIGKILL)
            left.end(mark)
            process.join()
    if isinstance(told, str):
        return told
    __tracebackhide__ = True  # the evidence says all
    raise told


def _try(group: str, name: str, place: Path, mark: str, pipe: Connection) -> None:
    """Run in the attack's process: a session of its own, no terminal, no input."""
    os.setsid()
    # Programs inherit the mark, and jantaku keeps its initial environment readable, where `left` looks for it.
    os.environ |= {left.MARK: mark, INHERIT: left.MARK, "SPT_NOENV": "1"}
    os.environ["XDG_STATE_HOME"] = str(place / ".state")  # holds journals of killed games
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    attack = next(one for one in attacks_of(group) if one.name == name)
    pipe.send(_outcome(attack, place / "own", mark))
    os._exit(0)


def _outcome(attack: Attack, folder: Path, mark: str) -> str | Failed | Skipped:
    folder.mkdir()
    try:
        remark = attack.run(folder) or ""
    except (Failed, Skipped) as told:
        return type(told)(str(told))
    except BaseException:  # a failed assertion, or a broken attack: not survived
        return Failed("".join(traceback.format_exc().splitlines(keepends=True)[-LINES:]))
    guardian.dismiss()  # it stays while this process may have programs
    if not attack.leaves and (found := left.waited_for(mark, GOODBYE)):
        return Failed("still running: " + ", ".join(left.command_of(one) for one in found))
    return remark
