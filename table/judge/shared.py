"""What a bot in this process may do to `threading`, which all threads of the process share.

Hooks that it sets for every thread are taken back before a thread starts: one that raises would end the threads of the
other seats. That it has replaced a function is looked for when something went wrong, to tell whose defect that is.
"""

import threading
from pathlib import Path
from types import FunctionType

from jantaku.table.ground.errors import BadInput

_TRACE, _PROFILE = threading.gettrace(), threading.getprofile()
"""The hooks as they were before any bot was there, for example a debugger's."""
FUNCTIONS = {
    (kind, name): getattr(kind, name)
    for kind, names in {
        threading.Thread: ("__init__", "start", "run", "join", "is_alive"),
        threading.Event: ("__init__", "set", "is_set", "wait"),
        threading.Condition: ("__init__", "wait", "notify", "notify_all"),
    }.items()
    for name in names
}
"""What the judge and Python's own threads use."""


def start(thread: threading.Thread) -> None:
    """Start a thread without a bot's hooks. RuntimeError if the machine has no thread left, and BadInput if a bot has
    replaced what starts threads."""
    threading.settrace(_TRACE)
    threading.setprofile(_PROFILE)
    thread.start()
    if thread.ident is None:  # only where it was not waited for, or never started
        raise sabotage("a thread did not start") or RuntimeError("a thread did not start")


def sabotage(problem: str) -> BadInput | None:
    """The `problem` as one of a bot, if some of `threading` has been replaced; where that is written is told."""
    for (kind, name), ours in FUNCTIONS.items():
        found = getattr(kind, name, None)
        if found is not ours:
            code = found.__code__ if isinstance(found, FunctionType) else None
            place = f" by {Path(code.co_filename).name} line {code.co_firstlineno}" if code else ""
            what = f"threading.{kind.__name__}.{name} has been replaced{place}"
            return BadInput(f"{what}, so no game can be played: {problem}; play that bot with ?isolate=process")
    return None
