"""Log lines: for people on a terminal, as JSON on request, warnings only unless somebody asks for more.

What a line is about (table, seat) is bound to a logger and handed on with it: context variables set in
one thread are missing in another.
"""

import sys
from typing import Any, Literal, NamedTuple, TextIO, cast

import msgspec
import structlog

Level = Literal["debug", "info", "warning", "error"]


class Chosen(NamedTuple):
    """What is logged, and how: what another process needs to log alike."""

    level: Level
    json: bool


def configure(level: Level = "warning", *, json: bool = False, stream: TextIO | None = None) -> None:
    """Choose what is logged and how, for loggers made from now on. Default stream: standard error."""
    global _chosen
    _chosen = Chosen(level, json)
    renderer: structlog.typing.Processor
    if json:
        renderer = structlog.processors.JSONRenderer(serializer=_json_line)
    else:
        colours = getattr(stream or sys.stderr, "isatty", bool)()  # standard error may be closed
        renderer = structlog.dev.ConsoleRenderer(colors=colours, exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *([structlog.processors.format_exc_info] if json else []),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        # Looked up when the logger is made: a test or a pipe may have replaced standard error since.
        logger_factory=lambda *_: structlog.PrintLogger(stream or sys.stderr),
        cache_logger_on_first_use=False,
    )


def chosen() -> Chosen:
    """As `configure` was told last."""
    return _chosen


def logger(**about: Any) -> structlog.typing.FilteringBoundLogger:
    """A logger whose every line says what it is about, in whatever thread it is used."""
    return cast(structlog.typing.FilteringBoundLogger, structlog.get_logger().bind(**about))


def _json_line(line: dict[str, Any], **_: Any) -> str:
    return msgspec.json.encode(line, enc_hook=repr).decode()


_chosen: Chosen
configure()  # quiet from the first import on: structlog's own default prints everything
