"""Logs what goes wrong at the port of net play: few lines, in jantaku's words, quoting no client. The libraries would
print tracebacks, and strangers' bytes unescaped."""

import asyncio
import logging
from pathlib import Path
from typing import Any

from aiohttp.http_exceptions import HttpProcessingError

from jantaku.table.ground.log import logger
from jantaku.table.serve.net.limits import Allowance

_LINES = Allowance(20, 0.2)
"""Rate limit of the log lines: attackers could flood the log."""


def refused(address: str, reason: str) -> None:
    """Log that something from that address could not be read or exceeded a limit. `reason` must quote no client."""
    if _LINES.take():
        about = {"of": address} if address else {}
        logger().warning("refused at net play", **about, reason=reason)


def failed(error: BaseException | None) -> None:
    """Log a defect. The message of an error may quote what a client sent, so only its type and place are logged."""
    if isinstance(error, OSError):  # a broken connection is not a defect
        return
    if isinstance(error, HttpProcessingError):
        refused("", "a request that cannot be read")
    elif _LINES.take():
        logger().error("defect of the server", error=type(error).__name__, at=_place_of(error))


def complain(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """The event loop's handler for errors that no caller caught."""
    failed(context.get("exception"))


def _place_of(error: BaseException | None) -> str:
    trace = None if error is None else error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"


class _Ours(logging.Handler):
    """Logs the errors of a library's log records. Bad input is logged where it is refused, so other records are
    dropped."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info is not None and record.exc_info[1] is not None:
            failed(record.exc_info[1])


def adopted(library: str) -> logging.Logger:
    """Return the logger of a library, which from now on reports only through this module."""
    theirs = logging.getLogger(library)
    theirs.handlers, theirs.propagate = [_Ours()], False
    theirs.setLevel(logging.ERROR)
    return theirs
