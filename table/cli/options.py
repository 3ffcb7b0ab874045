"""Options of commands, each declared once, as a field of a frozen dataclass.

    class ShowOptions(CommandOptions):
        file: Path = argument("FILE", type=RecordFile())
        turn: int | None = option("The turn within the kyoku, from 1.", type=click.IntRange(0))
        ruling: RuleOptions = rules()

    @ShowOptions.command()
    def command(options: ShowOptions) -> None: ...

A field's name is the option's, with `-` for `_`. Its type says whether it is a flag, may be repeated, or is a choice of
words. A field may hold further `CommandOptions` (`group`).
"""

import inspect
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, Self, TypeVar, dataclass_transform, get_args, get_origin, get_type_hints

import click
import msgspec
from click.core import ParameterSource

from jantaku.table.ground import installation, settings
from jantaku.table.ground.clock import DAY
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.presets import Presets, RuleFile
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import LIMIT, Clock, Flag
from jantaku.table.play.parts import MOST_PARTS, PartOf
from jantaku.table.riichi.rules import Rules

R = TypeVar("R", bound=msgspec.Struct)

BOTS = (
    "names from `jantaku bots`, FILE.py:Class, module:Class, 'exec:PROGRAM WORDS', folder:PATH (of a folder or a "
    "zip), net:MODEL or ws:NAME, each with options after it, as ?dialect=mjai&name=deep or "
    "?arg.depth=3&isolate=process"
)
"""How to write a player, as a sentence of `--help`."""


# --- types -----------------------------------------------------------------------------------------


class WholeNumber(click.IntRange):
    """A whole number in a range."""

    name = "whole number"


class Number(click.FloatRange):
    """A number in a range. Infinity is refused, and so is NaN, which click accepts in every range."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a number.", param, ctx)
        return number


def seconds(least: float) -> Number:
    """A number of seconds from `least` to a day."""
    return Number(least, DAY)


class Printable(click.types.StringParamType):
    """A printable text, not empty unless `empty`. `what` names it in the refusal."""

    def __init__(self, what: str, *, empty: bool = False) -> None:
        self._what, self._empty = what, empty

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        if not text.isprintable() or not (text or self._empty):
            self.fail(f"{text!r} is no {self._what}.", param, ctx)
        return text


SEED = Printable("seed; allowed is a number or any other text")
"""Refuses empty text, as from an unset variable, which would be no seed."""
TITLE = Printable("line of text", empty=True)


class PartWord(click.types.StringParamType):
    """A part of something that many machines play, written I/N."""

    name = "part"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = re.fullmatch(r"(\d{1,7})/(\d{1,7})", str(value), re.ASCII)
        part = PartOf(int(found[1]), int(found[2])) if found else PartOf(0, 0)
        if not 1 <= part.number <= part.of <= MOST_PARTS:
            self.fail(f"{value} is not a part; allowed are 1/N to N/N, for example 3/40.", param, ctx)
        return part


class Folder(click.Path):
    """A folder, made absolute. Empty text, as from an unset variable, is refused: it would be the working folder."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("an empty text names no folder; write . for the working folder.", param, ctx)
        folder = installation.here(Path(str(super().convert(value, param, ctx))))
        if folder.is_file():
            self.fail(f"{value} is a file; a folder is needed.", param, ctx)
        return folder


class OneOf(click.Choice[str]):
    """One of several words; for a typing mistake it suggests the nearest one."""

    def __init__(self, words: Iterable[Any]) -> None:
        super().__init__([str(word) for word in words])

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        words = list(self.choices)
        if value not in words:
            hint = settings.did_you_mean(value, words)
            self.fail(f"{value!r} is not known; {hint}allowed: {', '.join(words)}.", param, ctx)
        return str(value)


def words_of(kind: type[msgspec.Struct], key: str) -> OneOf:
    """Return the choice of words that a setting allows."""
    return OneOf(get_args(get_args(settings.keys(kind)[key].annotation)[0]))


# --- declaring -------------------------------------------------------------------------------------


_NO_GAME = (
    "has no --game: matches and exams are of riichi. Players of daifugo play by jantaku play --game daifugo, "
    "and jantaku stats DIR then says who is better; a record names its game itself"
)


class _Command(click.Command):
    """A command that answers a surplus word with its usage, and --game with the games there are."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            if error.option_name != "--game":
                raise
            raise click.UsageError(f"{ctx.command_path} {_NO_GAME}", ctx) from None
        except click.UsageError as error:
            if type(error) is not click.UsageError or "unexpected extra" not in error.message:
                raise
            words = error.message.partition("(")[2].rstrip(")").split()
            hint = f"did you mean {_players_meant(ctx, words)}? " if "players" in ctx.params else ""
            written = " ".join([ctx.command_path, *self.collect_usage_pieces(ctx)])
            raise click.UsageError(f"{error.message}; {hint}it is written {written}", ctx) from None


def _players_meant(ctx: click.Context, words: Sequence[str]) -> str:
    """Return the option --players with surplus words appended."""
    given = ctx.params["players"] if ctx.get_parameter_source("players") is ParameterSource.COMMANDLINE else None
    return f"--players {','.join([given, *words] if isinstance(given, str) else words)}"


@dataclass_transform(kw_only_default=True, frozen_default=True)
class CommandOptions:
    """The options of a command; see the module."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)

    @classmethod
    def group(cls, *, without: Iterable[str] = (), **changed: Mapping[str, Any]) -> Any:
        """Declare a field that holds these options, except `without`, and with other `attrs` by field (`changed`)."""
        return field(default=None, metadata={"group": cls, "without": without, "changed": changed})

    @classmethod
    def command(cls, **attrs: Any) -> Callable[[Callable[[Self], Any]], click.Command]:
        """Turn a function into the command with these options; `click.Command` takes the `attrs`."""

        def wrap(run: Callable[[Self], Any]) -> click.Command:
            def call(**given: Any) -> Any:
                return run(_filled(cls, given))

            told = {"help": inspect.getdoc(run), **attrs}
            return _Command(run.__name__, callback=call, params=list(_parameters(cls)), **told)

        return wrap


def option(says: str, metavar: str | None = None, *, flag: str = "", default: Any = None, **attrs: Any) -> Any:
    """Declare a field for the option `flag`, by default named like the field. `click.Option` takes the `attrs`."""
    return field(default=default, metadata={"flag": flag, "help": says, "metavar": metavar, **attrs})


def argument(metavar: str, *, default: Any = MISSING, **attrs: Any) -> Any:
    """Declare a field for a word without a flag, or for all words if it is a tuple. Required unless there is a
    `default`. `click.Argument` takes the `attrs`."""
    return field(default=default, metadata={"argument": True, "metavar": metavar, **attrs})


def _parameters(
    kind: Any, inside: str = "", without: Iterable[str] = (), changed: Mapping[str, Mapping[str, Any]] | None = None
) -> Iterator[click.Parameter]:
    """Yield click's parameters for the options of a `kind`; names in a group are prefixed (`inside`)."""
    hints = get_type_hints(kind)
    for one in fields(kind):
        attrs = {**one.metadata, **(changed or {}).get(one.name, {})}
        if one.name in without:
            continue
        if "group" in attrs:
            yield from _parameters(attrs["group"], f"{inside}{one.name}__", attrs["without"], attrs["changed"])
        elif attrs.pop("argument", False):
            told = _of_type(hints[one.name])
            told |= {"nargs": -1 if told.pop("multiple", False) else 1, "required": one.default is MISSING}
            yield click.Argument([inside + one.name], **{**told, **attrs})
        else:
            flag = attrs.pop("flag") or f"--{one.name.replace('_', '-')}"
            attrs = {"default": one.default, **_of_type(hints[one.name]), **attrs}
            yield click.Option([flag, inside + one.name], **{"show_default": bool(attrs["default"]), **attrs})


def _of_type(hint: Any) -> dict[str, Any]:
    """Return what a field's type says about its option."""
    args = get_args(hint)
    if get_origin(hint) is Literal:
        return {"type": OneOf(args)}
    if args[-1:] == (...,):
        return {"multiple": True, **_of_type(args[0])}
    if type(None) in args:
        return _of_type(args[0])
    return (
        {"is_flag": True, "default": False}
        if hint is bool
        else {"type": click.Path(path_type=Path)}
        if hint is Path
        else {}
    )


def _filled(kind: Any, given: dict[str, Any], inside: str = "") -> Any:
    """Make a `kind` from the values given for it and for its groups."""
    values = {one.name: given[inside + one.name] for one in fields(kind) if inside + one.name in given}
    groups = {one.name: one.metadata["group"] for one in fields(kind) if "group" in one.metadata}
    return kind(**values, **{name: _filled(group, given, f"{inside}{name}__") for name, group in groups.items()})


# --- options of several commands --------------------------------------------------------------------


class RunOptions(CommandOptions):
    """How players are run."""

    threads: str | None = option("How players run.  [default: per-turn]", type=OneOf(Mode))
    limit: float | None = option("Time for each answer.  [default: 10]", "SECONDS", type=seconds(0.001))
    flag: str | None = option("What happens after an answer out of time.  [default: default]", type=OneOf(Flag))
    sandbox: bool = option("Run programs, and bots that are not installed here, in a sandbox.")

    def timed(self, usual: Mode) -> tuple[Mode, Clock]:
        """Return the threads and the clock that are asked for. BadInput for a clock that cannot be kept."""
        mode, limit = Mode(self.threads or usual), self.limit
        if mode is Mode.INLINE:
            if limit is not None:
                raise BadInput("--threads inline cannot keep a clock: leave --limit away, or use per-turn or resident")
            return mode, Clock()
        return mode, Clock(turn=limit or LIMIT, reaction=limit or LIMIT, flag=Flag(self.flag or Flag.DEFAULT))


class TitleOptions(CommandOptions):
    title: str = option("Title of the record.", "TEXT", type=TITLE, default="")
    date: str = option("When it was played: the title's second line.", "TEXT", type=TITLE, default="")


# --- rules -----------------------------------------------------------------------------------------


class RuleOptions(CommandOptions):
    rules: str | None = option("", "PRESET|FILE")
    changes: tuple[str, ...] = option("", "KEY=VALUE", flag="--set", default=())
    length: str | None = option("Length of each game.", type=words_of(Rules, "game.length"))

    def texts(self, kind: type[msgspec.Struct]) -> dict[str, str]:
        """Return the keys that were set, for such rules, as text."""
        texts = settings.split_texts(self.changes, "--set", kind)
        return {"game.length": self.length, **texts} if self.length else texts

    def over(self, files: Presets[R], rules: R | RuleFile[R]) -> R:
        """Return the rules that --rules names, else the default ones, with the changes of --set."""
        base = rules if self.rules is None else files.resolve(self.rules)
        where = "--set" if self.changes or self.rules is None else f"--rules {self.rules}"
        return files.with_settings(base, self.texts(files.kind), where)

    def named(self, files: Presets[R]) -> R | None:
        """Return the rules that --rules names, with the keys that were set; None if it names none."""
        return None if self.rules is None else self.over(files, files.preset(files.default))

    def foreign(self, files: Presets[R]) -> R | None:
        """Return the rules for a record that does not tell its own; None if --rules names none."""
        if self.rules is None and (self.changes or self.length):
            raise BadInput("--set changes the rules that --rules names; give both")
        return self.named(files)


def rules(
    says: str = "Rules: a preset or a file (`jantaku rules`).",
    example: str = "ron.max_winners=1",
    *,
    length: bool = False,
    changes: bool = True,
) -> Any:
    """Declare --rules; --set if `changes`; --length if `length`, for commands on which it is often set."""
    without = [name for name, there in (("changes", changes), ("length", length)) if not there]
    told = {"help": f"Change one rule, e.g. {example}."}
    return RuleOptions.group(without=without, rules={"help": says}, changes=told)
