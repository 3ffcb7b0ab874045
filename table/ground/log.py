"""Logging: lines for people on a terminal, JSON on request, only warnings by default.

Importing jantaku configures nothing: structlog's configuration belongs to the running program, which is our command
(`configure`) or the user's own. If structlog is not configured, jantaku logs warnings to standard error. The context of
a line (table, seat) is bound to its logger and passed along: context variables set in one thread are missing in
another.

structlog is imported for the first warning, unless lower levels are asked for: its import takes a third of the time of
`jantaku --help`.
"""

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TextIO, TypeAlias, cast

import msgspec

if TYPE_CHECKING:
    # Not as an attribute of `structlog`: where the core is compiled, structlog may be missing, and its types unknown.
    from structlog.typing import EventDict, FilteringBoundLogger

    Logger: TypeAlias = FilteringBoundLogger
else:
    Logger = Any

Level = Literal["debug", "info", "warning", "error"]
_NUMBERS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40}
"""Of the levels, as in `logging`, which takes longer to import than all that is needed here."""


class Chosen(NamedTuple):
    """The logging settings, which a child process needs to log in the same way."""

    level: Level
    json: bool


def configure(level: Level = "warning", *, json: bool = False, stream: TextIO | None = None) -> None:
    """Set level and format for loggers created from now on. The default stream is standard error."""
    global _chosen, _pending
    _chosen = Chosen(level, json)
    _pending = partial(_configure, level=level, json=json, stream=stream)
    # A line is expected below the level of warnings: importing structlog for it in a game would cost a player's time.
    if level in ("debug", "info") or "structlog" in sys.modules:
        import structlog

        _pending(structlog)
        _pending = None


def _configure(structlog: ModuleType, level: Level, json: bool, stream: TextIO | None) -> None:
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
    return asked is None or bool(asked(_NUMBERS[level]))


def logger(**about: Any) -> Logger:
    """Return a logger with this context bound to every line; any thread may use it."""
    if "structlog" not in sys.modules:
        return cast(Logger, _Late(about))
    structlog = _imported()
    if _is_configured(structlog):
        return cast(Logger, structlog.get_logger(**about))
    warnings = structlog.make_filtering_bound_logger("warning")
    return cast(Logger, structlog.wrap_logger(structlog.PrintLogger(sys.stderr), wrapper_class=warnings, **about))


class _Late:
    """A logger that imports structlog for the first line that the chosen level lets through."""

    def __init__(self, about: dict[str, Any]) -> None:
        self._about = about
        self._least = _NUMBERS[_chosen.level]

    def is_enabled_for(self, level: int) -> bool:
        """Whether lines of that level are written."""
        return level >= self._least

    def __getattr__(self, method: str) -> Any:
        if not self.is_enabled_for(_NUMBERS.get(method, _NUMBERS["error"])):
            return lambda *_, **__: None
        _imported()
        return getattr(logger(**self._about), method)


def announcer(task: str) -> Callable[[str], None]:
    """Return a function that prints the progress of `task` to standard error, at every log level: a person waits."""

    def say(text: str) -> None:
        line = _json_line({"level": "info", "event": text, "about": task}) if _chosen.json else f"{task}: {text}"
        _imported().PrintLogger(sys.stderr).info(escaped(line))

    return say


def _imported() -> ModuleType:
    """Import structlog, and configure it as was chosen unless a player's code has done so."""
    global _pending
    import structlog

    with _importing:
        if _pending is not None and not structlog.is_configured():
            _pending(structlog)
        _pending = None
    return structlog


def _is_configured(structlog: ModuleType) -> bool:
    """Whether structlog has a configuration other than its own defaults, which print everything to standard output.
    `structlog.testing.capture_logs` restores these defaults as if they had been chosen."""
    global _built_in
    if not structlog.is_configured():
        return False
    if _built_in is None:
        chosen = structlog.get_config()
        structlog.reset_defaults()
        _built_in = _configuration(structlog)
        structlog.configure(**chosen)
    return _configuration(structlog) != _built_in


def _configuration(structlog: ModuleType) -> dict[str, Any]:
    """A copy of structlog's configuration, which changes its list of processors in place."""
    return {**structlog.get_config(), "processors": tuple(structlog.get_config()["processors"])}


def _with_context(_: Any, __: str, line: "EventDict") -> "EventDict":
    return {**line, **{key: value for key, value in _context.items() if key not in line}}


def _visible(_: Any, __: str, line: "EventDict") -> "EventDict":
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
_pending: Callable[[ModuleType], None] | None = None
"""Configures structlog as was chosen before it was imported."""
_importing = threading.Lock()
_built_in: dict[str, Any] | None = None
"""structlog's own defaults, once they were looked up."""
