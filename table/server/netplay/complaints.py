"""What goes wrong at the port of net play, in lines of ours: few, and without a word of what a client has sent. The
libraries would print tracebacks, and what came as it came."""

import asyncio
import logging
from pathlib import Path
from typing import Any

from aiohttp.http_exceptions import HttpProcessingError

from jantaku.table.log import logger
from jantaku.table.server.net.limits import Allowance

_LINES = Allowance(20, 0.2)
"""Rate limit of the log lines: attackers could flood the log."""


def refused(address: str, reason: str) -> None:
    """Something from that address could not be read, or was too much. The reason is in our words."""
    if _LINES.take():
        about = {"of": address} if address else {}
        logger().warning("refused at net play", **about, reason=reason)


def failed(error: BaseException | None) -> None:
    """Something of ours has gone wrong. The message of an error may quote what a client sent: its kind and place do
    not."""
    if isinstance(error, OSError):  # a broken connection is no defect
        return
    if isinstance(error, HttpProcessingError):
        refused("", "a request that cannot be read")
    elif _LINES.take():
        logger().error("defect of the server", error=type(error).__name__, at=_place_of(error))


def complain(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What the event loop calls for an error that nobody took."""
    failed(context.get("exception"))


def _place_of(error: BaseException | None) -> str:
    trace = None if error is None else error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"


class _Ours(logging.Handler):
    """Passes on that something failed. What only came badly is said where it is refused."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info is not None and record.exc_info[1] is not None:
            failed(record.exc_info[1])


def adopted(library: str) -> logging.Logger:
    """The logger of a library, whose lines are ours from now on."""
    theirs = logging.getLogger(library)
    theirs.handlers, theirs.propagate = [_Ours()], False
    theirs.setLevel(logging.ERROR)
    return theirs
