"""The command `jantaku`: finds the subcommand, and turns every failure into one line and an exit code.

Exit codes: 0 fine, 1 a check failed, 2 bad input, 3 undecided, 70 a defect of jantaku, 130 interrupted, 143 terminated
(SIGTERM). A command returns 1 or 3 or calls `ctx.exit(1)`; it raises BadInput for 2. SIGTERM is handled like Ctrl-C.
"""

import contextlib
import errno
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import NoReturn, get_args

import click
from setproctitle import setproctitle

from jantaku.table import core
from jantaku.table.cli import letters
from jantaku.table.cli.say import say
from jantaku.table.ground import installation, log
from jantaku.table.ground.errors import BadInput, JantakuError, OtherGame, readable
from jantaku.table.ground.installation import part
from jantaku.table.play.entry import GAMES, refusal

COMMANDS: Mapping[str, tuple[str, str]] = {
    "play": ("cli", "Play games between bots and keep their records."),
    "match": ("arena", "Play many games on paired walls and say who is better."),
    "compare": ("arena", "Say whether one bot is better than another, at a fraction of the games."),
    "tournament": ("arena", "Play a tournament of many bots: Swiss, round-robin, gauntlet, knock-out."),
    "gate": ("arena", "Check that a new version of a bot is not worse than the old one; made for CI."),
    "collect": ("arena", "Join the parts of a match that was played on many machines."),
    "stats": ("arena", "Compute the statistics of a match from its records."),
    "verify": ("cli", "Replay records by the rules and compare every event."),
    "rules": ("cli", "Show, check and compare rules."),
    "serve": ("serve", "Serve riichi rooms over WebSocket, for clients and spectators."),
    "join": ("serve", "Play with a bot or program at a server's table."),
    **{name: (game.home, says) for game in GAMES.values() for name, says in game.commands.items()},
    "new": ("cli", "Write a first bot and its test."),
    "bots": ("cli", "List the bots that can play."),
    "exam": ("check", "Examine a bot: is it legal, in time and sound in every situation?"),
    "solve": ("arena", "Say what a bot loses at positions whose best option is known."),
    "view": ("cli", "Look at records in the browser."),
    "review": ("arena", "Show what a bot would have done at every decision of a record."),
    "show": ("cli", "Print a position or a hand: as text, as a picture, or with computed facts."),
    "convert": ("cli", "Convert records to and from mjai, tenhou.net/6 and 牌譜, or to a table of decisions."),
    "samples": ("learn", "Write training samples for nets from records."),
}
"""For each command, its room of `table` and one line of help."""


def command_of(name: str) -> click.Command:
    """Import a command, which happens only when it runs. BadInput if its wing is not installed."""
    room = COMMANDS[name][0]  # one with few commands has them in one file
    command = getattr(part(room, "commands"), f"{name}_command", None) or part(room, f"commands.{name}").command
    assert isinstance(command, click.Command)
    return command


GONE = {
    "--netplay": "the same messages come over WebSocket: ws://HOST:PORT/play/ROOM?name=NAME",
    "conform": "jantaku exam seats programs as well, and says what is wrong",
    "mcp": "seat a program with a prompt by exec:, as docs/examples/model_program.py does",
    "league": "jantaku tournament lets many bots meet",
    "facts": "type jantaku show FILE --facts",
    "draw": "type jantaku show 'HAND' --svg",
    "decisions": "type jantaku convert FILE OUT.parquet",
}
"""Former options and commands, and what to use instead."""
OK, FAILED, BAD, UNDECIDED, FAULTY, DEFECT, INTERRUPTED, TERMINATED = 0, 1, 2, 3, 4, 70, 130, 143


class Terminated(KeyboardInterrupt):
    """Raised for SIGTERM, so that the clean-up for Ctrl-C runs."""


class _Commands(click.Group):
    """The commands, each imported on demand: `jantaku rules` must not load the players."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        return command_of(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; for an unknown name, suggest the nearest one, or what to use in place of a former one."""
        if args and args[0] in GONE:
            raise click.UsageError(f"{args[0]} was removed; {GONE[args[0]]}", ctx)
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from jantaku.table.ground.settings import did_you_mean  # help is printed without it

            hint = did_you_mean(args[0], COMMANDS)
            raise click.UsageError(f"No such command {args[0]!r}; {hint}the commands are {', '.join(COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, says) for name, (_, says) in COMMANDS.items()])


def _tell_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:  # asks git, so not earlier
        say(f"jantaku {installation.version()} (core: {core}; Python {sys.version.split()[0]})")
        if told := installation.second_copy():
            say(f"jantaku: {told}", err=True)
        ctx.exit()


@click.group(cls=_Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_tell_version,
    help="Show the version and exit.",
)
@click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of a failure.")
@click.option("--log", "level", type=click.Choice(get_args(log.Level)), help="Log from this level on, to stderr.")
@click.option("--log-json", is_flag=True, help="Log JSON lines instead of lines for people.")
@click.pass_context
def jantaku(ctx: click.Context, level: log.Level | None, log_json: bool) -> None:
    """Riichi mahjong at which programs play (雀卓). --debug, --log and --log-json may stand anywhere."""
    log.configure(level or "warning", json=log_json)
    if ctx.invoked_subcommand is None:
        say(*ctx.get_help().split("\n"))


def main(words: Sequence[str] | None = None) -> NoReturn:
    """Run the command line `words` (default: this process's own) and exit with its exit code."""
    given = list(sys.argv[1:] if words is None else words)
    if words is None:
        _keep_to_itself(given)
    debug = "--debug" in given
    _print_what_can_be_printed()
    try:
        with _heeding_sigterm(), installation.settled():
            if not installation.working_folder():
                raise BadInput("the working folder has been removed; change to one that exists")
            result = _run(_everywhere_first(given))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe, as `head` does. Without this Python fails once more when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(OK)
    except (click.Abort, KeyboardInterrupt) as ended:
        _interrupted(ended, words)
    except SystemExit as left:
        if isinstance(left.__context__, BrokenPipeError):  # rich exits with 1 for a closed pipe, but nothing has failed
            sys.exit(OK)
        raise
    except BaseException as error:  # an inline bot may raise anything
        if isinstance(error, RuntimeError) and isinstance(error.__cause__, KeyboardInterrupt):
            # Python before 3.12 wraps a Ctrl-C like this during the creation of a class
            _interrupted(error.__cause__, words)
        if debug:
            raise
        each = error.mistakes if isinstance(error, BadInput) else [error]
        told, node = [_failure(one) for one in each], _node(given)
        _leave(told[0][1], *(node + text for text, _ in told))
    sys.exit(result if isinstance(result, int) else OK)


def _everywhere_first(given: Sequence[str]) -> list[str]:
    """Move the options that may stand anywhere in the line to the front."""
    first: list[str] = []
    rest = deque(given)
    others: list[str] = []
    while rest and rest[0] != "--":
        word = rest.popleft()
        if word in ("--debug", "--log-json") or word.startswith("--log="):
            first.append(word)
        elif word == "--log":
            if not rest:
                raise BadInput(f"--log needs a level: {', '.join(get_args(log.Level))}")
            first += [word, rest.popleft()]
        else:
            others.append(word)
    return [*first, *others, *rest]


def _run(words: list[str]) -> object:
    """Return the command's return value. Click's own `main` would treat a closed pipe as a failure."""
    try:
        with jantaku.make_context("jantaku", words) as ctx:
            return jantaku.invoke(ctx)
    except click.exceptions.Exit as ended:
        return ended.exit_code


@contextlib.contextmanager
def _heeding_sigterm() -> Iterator[None]:
    """Raise `Terminated` in the main thread, once: a second signal must not interrupt the clean-up."""

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
    """Hide the command line and initial environment of this process, which contain seeds and tokens, from programs that
    play here. From now on only the command's name is visible."""
    setproctitle(" ".join(["jantaku", *(word for word in words if word in COMMANDS)][:2]))


def _failure(error: BaseException) -> tuple[str, int]:
    """Return a line that says what went wrong, and the exit code."""
    match error:
        case OtherGame():
            return str(refusal(error)), BAD
        case BadInput():
            return str(error), BAD
        case click.ClickException():
            ctx = getattr(error, "ctx", None)
            place = f" ({ctx.command_path} --help shows the options)" if ctx else ""
            option = getattr(error, "option_name", "")
            if option in GONE:
                return f"{option} was removed; {GONE[option]}{place}", BAD
            return error.format_message().rstrip(".") + place, BAD
        case OSError(errno=errno.ENOSPC | errno.EDQUOT | errno.ENAMETOOLONG):
            return f"{error.filename or 'the output'} cannot be written: {error.strerror}", BAD
        case ModuleNotFoundError() if lacking := installation.lacking(error.name):
            return lacking, BAD
        case JantakuError():
            return f"{error} (--debug shows where)", DEFECT
        case _:
            name = type(error).__name__
            return f"sorry, this is a defect of jantaku itself: {name}: {error} (--debug shows where)", DEFECT


def _node(words: Sequence[str]) -> str:
    """Return the name of this machine, for the log of an engine that plays parts on many."""
    if not any(word.partition("=")[0] == "--part" for word in words):
        return ""
    import socket  # no other failure needs it

    return f"{socket.gethostname()}: "


def _interrupted(ended: BaseException, words: Sequence[str] | None) -> NoReturn:
    say("", err=True)  # ends the line in which the terminal shows ^C
    if words is None:  # this process ends now: another Ctrl-C must not interrupt the clean-up
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
    if isinstance(ended, Terminated):
        _leave(TERMINATED, "stopped by SIGTERM")
    _leave(INTERRUPTED, "interrupted")


def _leave(code: int, *told: str) -> NoReturn:
    say(*(f"jantaku: {' '.join(readable(text).split())}" for text in told), err=True)
    sys.exit(code)


def _print_what_can_be_printed() -> None:
    """Make output safe: a terminal without Japanese shows letters, and a closed stream discards its input; neither
    stops a game."""
    # Opened at once, so that no record gets the file descriptor of a closed stream, into which print would then write.
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=letters.ERRORS)
