"""Logging: lines for people on a terminal, JSON on request, only warnings by default.

Importing jantaku configures nothing: structlog's configuration belongs to the running program, which is our command
(`configure`) or the user's own. If structlog is not configured, jantaku logs warnings to standard error. The context of
a line (table, seat) is bound to its logger and passed along: context variables set in one thread are missing in
another.
"""

import contextlib
import logging
import sys
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple, TextIO, TypeAlias, cast

import msgspec
import structlog

# Not imported as an attribute of `structlog`: where the core is compiled, structlog may be missing, and its types
# unknown.
from structlog.typing import FilteringBoundLogger

Level = Literal["debug", "info", "warning", "error"]
Logger: TypeAlias = FilteringBoundLogger


class Chosen(NamedTuple):
    """The logging settings, which a child process needs to log in the same way."""

    level: Level
    json: bool


def configure(level: Level = "warning", *, json: bool = False, stream: TextIO | None = None) -> None:
    """Set level and format for loggers created from now on. The default stream is standard error."""
    global _chosen
    _chosen = Chosen(level, json)
    renderer: structlog.typing.Processor
    if json:
        renderer = structlog.processors.JSONRenderer(serializer=_json_line)
    else:
        colours = getattr(stream or sys.stderr, "isatty", bool)()  # standard error may be closed
        renderer = structlog.dev.ConsoleRenderer(
            colors=colours, sort_keys=False, exception_formatter=structlog.dev.plain_traceback
        )
    structlog.configure(
        processors=[
            _with_context,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info if json else _visible,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        # Looked up when the logger is made: a test or a pipe may have replaced standard error since.
        logger_factory=lambda *_: structlog.PrintLogger(stream or sys.stderr),
        cache_logger_on_first_use=False,
    )


def chosen() -> Chosen:
    """The settings of the last `configure`."""
    return _chosen


@contextlib.contextmanager
def context(**about: Any) -> Iterator[None]:
    """Add these fields to every log line of the process inside the block, from any thread. Not for concurrent
    blocks."""
    before = dict(_context)
    _context.update(about)
    try:
        yield
    finally:
        _context.clear()
        _context.update(before)


def tells(log: Logger, level: Level) -> bool:
    """Whether lines of that level are logged, according to a logger of structlog or of `logging`."""
    asked = getattr(log, "is_enabled_for", None) or getattr(log, "isEnabledFor", None)
    return asked is None or bool(asked(logging.getLevelNamesMapping()[level.upper()]))


def logger(**about: Any) -> Logger:
    """Return a logger with this context bound to every line; any thread may use it."""
    if _is_configured():
        return cast(Logger, structlog.get_logger(**about))
    quiet = structlog.wrap_logger(structlog.PrintLogger(sys.stderr), wrapper_class=_WARNINGS, **about)
    return cast(Logger, quiet)


def announcer(who: str) -> Callable[[str], None]:
    """Return a function that prints progress for a waiting person to standard error, at every log level. `who` names
    the task."""

    def say(text: str) -> None:
        line = _json_line({"level": "info", "event": text, "about": who}) if _chosen.json else f"{who}: {text}"
        structlog.PrintLogger(sys.stderr).info(escaped(line))

    return say


def _is_configured() -> bool:
    """Whether structlog has a configuration other than its own defaults, which print everything to standard output.
    `structlog.testing.capture_logs` restores these defaults as if they had been chosen."""
    return structlog.is_configured() and (_BUILT_IN is None or _configuration() != _BUILT_IN)


def _configuration() -> dict[str, Any]:
    """A copy of structlog's configuration, which changes its list of processors in place."""
    return {**structlog.get_config(), "processors": tuple(structlog.get_config()["processors"])}


def _with_context(_: Any, __: str, line: structlog.typing.EventDict) -> structlog.typing.EventDict:
    return {**line, **{key: value for key, value in _context.items() if key not in line}}


def _visible(_: Any, __: str, line: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Escape the values of a line: names and reasons may be a stranger's, and must not control the terminal."""
    return {key: escaped(value) if isinstance(value, str) else value for key, value in line.items()}


def escaped(text: str) -> str:
    """Return a text without characters that control a terminal."""
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _json_line(line: dict[str, Any], **_: Any) -> str:
    return msgspec.json.encode(line, enc_hook=repr).decode()


_chosen = Chosen("warning", False)
_context: dict[str, Any] = {}
"""The fields that `context` adds."""
_WARNINGS = structlog.make_filtering_bound_logger("warning")
_BUILT_IN = None if structlog.is_configured() else _configuration()
