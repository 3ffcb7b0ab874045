"""The command `jantaku`: finds the commands, and turns every failure into one line and an exit code.

Exit codes: 0 fine, 1 a check failed, 2 bad input, 70 a defect of ours, 130 interrupted, 143 told to end (SIGTERM). A
command says 1 by returning it or by `ctx.exit(1)`; it raises BadInput for 2. SIGTERM reaches it as Ctrl-C does.
"""

import contextlib
import errno
import os
import platform
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import NoReturn, get_args

import click
from setproctitle import setproctitle

from table import core, installation, log
from table.cli.say import say
from table.errors import BadInput, JantakuError
from table.settings.layers import did_you_mean

COMMANDS = {
    "play": "Play games between bots and keep their records.",
    "match": "Play many games on paired walls and say who is better.",
    "stats": "Work out the figures of a match again from its records.",
    "diff": "Show where two runs on the same walls part.",
    "verify": "Play records again through the rules and compare every event.",
    "rules": "Show, check and compare rules.",
    "serve": "Serve riichi rooms for clients over WebSocket, and for people who look on.",
    "daifugo": "Serve rooms of 大富豪 for programs over WebSocket.",
    "bots": "List the bots that can play.",
    "exam": "Examine a bot: is it legal, in time and sound in every situation?",
    "view": "Look at records in the browser.",
    "show": "Print a position of a record.",
    "convert": "Carry records to and from mjai, tenhou.net/6 and 牌譜.",
}
"""Every command by the name of its file, and what it does in a line. A file is imported only when its command runs."""
_LOOKING = {"stats", "diff", "verify", "view", "show", "convert"}
"""The commands in the room `looking`; all others are in `playing`."""


def module_of(command: str) -> str:
    """The module of a command, by its dotted name."""
    return f"table.cli.{'looking' if command in _LOOKING else 'playing'}.{command}"


OK, FAILED, BAD, DEFECT, INTERRUPTED, TERMINATED = 0, 1, 2, 70, 130, 143


class Terminated(KeyboardInterrupt):
    """SIGTERM: whoever cleans up after Ctrl-C does so now."""


class _Commands(click.Group):
    """The commands above, imported one at a time: `jantaku rules` must not load the players."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(module_of(cmd_name)).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """See `click.Group`; a name that is none is answered with the one that was probably meant."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            hint = did_you_mean(args[0], COMMANDS)
            raise click.UsageError(f"No such command {args[0]!r}; {hint}the commands are {', '.join(COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(
    package_name="jantaku",
    prog_name="jantaku",
    message=f"%(prog)s %(version)s (core: {core}; Python {platform.python_version()})",
)
@click.option(
    "--debug", is_flag=True, expose_value=False, help="Show the traceback of a failure (anywhere in the line)."
)
@click.option("--log", "level", type=click.Choice(get_args(log.Level)), help="Log from this level on, to stderr.")
@click.option("--log-json", is_flag=True, help="Log JSON lines instead of lines for people.")
@click.pass_context
def jantaku(ctx: click.Context, level: log.Level | None, log_json: bool) -> None:
    """Riichi mahjong at which programs play (雀卓)."""
    log.configure(level or "warning", json=log_json)
    if ctx.invoked_subcommand is None:
        say(*ctx.get_help().split("\n"))


def main(words: Sequence[str] | None = None) -> NoReturn:
    """Run the command line `words` (default: this process's own) and leave with its exit code."""
    given = list(sys.argv[1:] if words is None else words)
    if words is None:
        _keep_to_itself(given)
    debug = "--debug" in given
    _print_what_can_be_printed()
    try:
        with _heeding_sigterm():
            if not installation.working_folder():
                raise BadInput("the working folder has been removed; change into one that is there")
            result = _run([word for word in given if word != "--debug"])
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has seen enough. Python would complain again when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(OK)
    except (click.Abort, KeyboardInterrupt) as ended:
        say("", err=True)  # ends the line in which the terminal shows ^C
        if words is None:  # this process ends now: who presses Ctrl-C once more does not disturb that
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_IGN)
        if isinstance(ended, Terminated):
            _leave("told to end", TERMINATED)
        _leave("interrupted", INTERRUPTED)
    except SystemExit as left:
        if isinstance(left.__context__, BrokenPipeError):  # rich says 1, but nothing has failed
            sys.exit(OK)
        raise
    except BaseException as error:  # a bot that is played inline may raise anything
        if debug:
            raise
        _leave(*_failure(error))
    sys.exit(result if isinstance(result, int) else OK)


def _run(words: list[str]) -> object:
    """What the command returns. Click's own `main` would take a closed pipe for a failure."""
    try:
        with jantaku.make_context("jantaku", words) as ctx:
            return jantaku.invoke(ctx)
    except click.exceptions.Exit as ended:
        return ended.exit_code


@contextlib.contextmanager
def _heeding_sigterm() -> Iterator[None]:
    """Raise `Terminated` in the main thread, once: a second signal does not disturb the cleaning up."""

    def end(number: int, frame: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise Terminated

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _keep_to_itself(words: Sequence[str]) -> None:
    """Programs that play here may read the command line of this process and the environment that it was started with;
    seeds and tokens stand there. From now on only the command's name does."""
    setproctitle(" ".join(["jantaku", *(word for word in words if word in COMMANDS)][:2]))


def _failure(error: BaseException) -> tuple[str, int]:
    """One line for a person, and the exit code."""
    match error:
        case BadInput():
            return str(error), BAD
        case click.ClickException():
            ctx = getattr(error, "ctx", None)
            place = f" ({ctx.command_path} --help shows what there is)" if ctx else ""
            return error.format_message().rstrip(".") + place, BAD
        case OSError(errno=errno.ENOSPC | errno.EDQUOT | errno.ENAMETOOLONG):
            return f"{error.filename or 'the output'} cannot be written: {error.strerror}", BAD
        case JantakuError():
            return f"{error} (--debug shows where)", DEFECT
        case _:
            name = type(error).__name__
            return f"sorry, this is a defect of jantaku itself: {name}: {error} (--debug shows where)", DEFECT


def _leave(text: str, code: int) -> NoReturn:
    say(f"jantaku: {' '.join(text.split())}", err=True)
    sys.exit(code)


def _print_what_can_be_printed() -> None:
    """A terminal without Japanese shows question marks, and what is closed shows nothing; it does not stop a game."""
    # Opened at once, so that no record gets the number of a closed stream and has print write into it.
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
