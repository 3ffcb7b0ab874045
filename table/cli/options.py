"""Options of commands, each declared once: as a field of a frozen dataclass.

    class ShowOptions(CommandOptions):
        file: Path = argument("FILE", type=RecordFile())
        turn: int | None = option("The turn within the kyoku, from 1.", type=click.IntRange(0))
        ruling: RuleOptions = rules()

    @ShowOptions.command()
    def command(options: ShowOptions) -> None: ...

A field's name is the option's, with `-` for `_`; its type says whether it is a flag, comes several times, or is one of
some words. A field may hold further `CommandOptions` (`group`).
"""

import inspect
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, Self, TypeVar, dataclass_transform, get_args, get_origin, get_type_hints

import click
import msgspec
from click.core import ParameterSource

from jantaku.table import installation
from jantaku.table.clock import DAY
from jantaku.table.errors import BadInput
from jantaku.table.judge.turn.way import Mode
from jantaku.table.riichi.rules import Rules
from jantaku.table.settings import layers as settings
from jantaku.table.settings.presets import Presets, RuleFile

R = TypeVar("R", bound=msgspec.Struct)

BOTS = (
    "names from `jantaku bots`, FILE.py:Class, module:Class, 'exec:PROGRAM WORDS', folder:PATH (of a folder or a "
    "zip) or ws:NAME, each with options behind it, as ?dialect=mjai&name=deep or "
    "?arg.depth=3&isolate=process"
)
"""How a player is written, in a sentence of `--help`."""


# --- types -----------------------------------------------------------------------------------------


class WholeNumber(click.IntRange):
    """A whole number in a range."""

    name = "whole number"


class Number(click.FloatRange):
    """A number in a range. NaN, which click accepts in every range, and infinity are refused."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """See `click.ParamType`."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a number.", param, ctx)
        return number


def seconds(least: float) -> Number:
    """Seconds from `least` to a day."""
    return Number(least, DAY)


class Printable(click.types.StringParamType):
    """Any text that can be shown, and that is not empty unless it may be. `what` names it in the refusal."""

    def __init__(self, what: str, *, empty: bool = False) -> None:
        self._what, self._empty = what, empty

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """See `click.ParamType`."""
        text = str(value)
        if not text.isprintable() or not (text or self._empty):
            self.fail(f"{text!r} is no {self._what}.", param, ctx)
        return text


SEED = Printable("seed; allowed is a number or any other text")
"""Empty text, as from an unset variable, would be no seed at all."""
TITLE = Printable("line of text", empty=True)


class Folder(click.Path):
    """A folder, made absolute. Empty text, as from an unset variable, is refused: it would be the working folder."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """See `click.ParamType`."""
        if value == "":
            self.fail("an empty text names no folder; write . for the working folder.", param, ctx)
        folder = installation.here(Path(str(super().convert(value, param, ctx))))
        if folder.is_file():
            self.fail(f"{value} is a file; a folder is wanted.", param, ctx)
        return folder


class OneOf(click.Choice[str]):
    """One of several words; a typing mistake is answered with the nearest one."""

    def __init__(self, words: Iterable[Any]) -> None:
        super().__init__([str(word) for word in words])

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """See `click.ParamType`."""
        words = list(self.choices)
        if value not in words:
            hint = settings.did_you_mean(value, words)
            self.fail(f"{value!r} is not known; {hint}allowed: {', '.join(words)}.", param, ctx)
        return str(value)


def words_of(kind: type[msgspec.Struct], key: str) -> OneOf:
    """The words that a setting allows."""
    return OneOf(get_args(get_args(settings.keys(kind)[key].annotation)[0]))


# --- declaring -------------------------------------------------------------------------------------


_NO_GAME = (
    "has no --game: matches, exams and leagues are of riichi. Players of daifugo meet by jantaku play --game daifugo, "
    "and jantaku stats DIR then says who is better; a record tells its game by itself"
)


class _Option(click.Option):
    """An option whose older name is in no help."""

    def __init__(self, *args: Any, former: str, **attrs: Any) -> None:
        super().__init__(*args, **attrs)
        self._former = former

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """See `click.Parameter`."""
        known = self.opts
        self.opts = [*known, *filter(None, [self._former])]
        super().add_to_parser(parser, ctx)
        self.opts = known


class _Command(click.Command):
    """A command that answers a word too many with how it is written, and --game with what there is."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """See `click.Command`."""
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
    """The option --players with words that stand behind it, or without it."""
    given = ctx.params["players"] if ctx.get_parameter_source("players") is ParameterSource.COMMANDLINE else None
    return f"--players {','.join([given, *words] if isinstance(given, str) else words)}"


@dataclass_transform(kw_only_default=True, frozen_default=True)
class CommandOptions:
    """What a command is given; see above."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)

    @classmethod
    def group(cls, *, without: Iterable[str] = (), **changed: Mapping[str, Any]) -> Any:
        """A field that holds these options: some left away, and some with other `attrs`, by field."""
        return field(default=None, metadata={"group": cls, "without": without, "changed": changed})

    @classmethod
    def command(cls, **attrs: Any) -> Callable[[Callable[[Self], Any]], click.Command]:
        """Make a function the command that is given these options; `attrs` are those of `click.Command`."""

        def wrap(run: Callable[[Self], Any]) -> click.Command:
            def call(**given: Any) -> Any:
                return run(_filled(cls, given))

            told = {"help": inspect.getdoc(run), **attrs}
            return _Command(run.__name__, callback=call, params=list(_parameters(cls)), **told)

        return wrap


def option(
    says: str, metavar: str | None = None, *, flag: str = "", former: str = "", default: Any = None, **attrs: Any
) -> Any:
    """A field that the option `flag` fills, by default the one of its name; `former` is an older name that is taken as
    well and that no help mentions. `attrs` are those of `click.Option`."""
    return field(default=default, metadata={"flag": flag, "former": former, "help": says, "metavar": metavar, **attrs})


def argument(metavar: str, *, default: Any = MISSING, **attrs: Any) -> Any:
    """A field that a word without a flag fills, all of them if it is a tuple. It has to be given unless there is a
    `default`. `attrs` are those of `click.Argument`."""
    return field(default=default, metadata={"argument": True, "metavar": metavar, **attrs})


def _parameters(
    kind: Any, inside: str = "", without: Iterable[str] = (), changed: Mapping[str, Mapping[str, Any]] | None = None
) -> Iterator[click.Parameter]:
    """What click is told of the options of a `kind`; those of a group are called by its name, too (`inside`)."""
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
            yield _Option([flag, inside + one.name], **{"show_default": bool(attrs["default"]), **attrs})


def _of_type(hint: Any) -> dict[str, Any]:
    """What the type of a field says of its option."""
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
    """A `kind` with the values that are given for it and for its groups."""
    values = {one.name: given[inside + one.name] for one in fields(kind) if inside + one.name in given}
    groups = {one.name: one.metadata["group"] for one in fields(kind) if "group" in one.metadata}
    return kind(**values, **{name: _filled(group, given, f"{inside}{name}__") for name, group in groups.items()})


# --- options of several commands --------------------------------------------------------------------


class RunOptions(CommandOptions):
    """How players are run."""

    threads: str | None = option("How players run.  [default: per-turn]", type=OneOf(Mode))
    limit: float | None = option("Time for each answer.  [default: 10]", "SECONDS", type=seconds(0.001))
    sandbox: bool = option("Programs, and bots that are not installed here, reach nothing else.")


class TitleOptions(CommandOptions):
    """What a record is called."""

    title: str = option("Title of the record.", "TEXT", type=TITLE, default="")
    date: str = option("When it was played: the title's second line.", "TEXT", type=TITLE, default="")


# --- rules -----------------------------------------------------------------------------------------


class RuleOptions(CommandOptions):
    """The rules that a command line asks for."""

    rules: str | None = option("", "PRESET|FILE")
    changes: tuple[str, ...] = option("", "KEY=VALUE", flag="--set", default=())
    length: str | None = option("Length of each game.", type=words_of(Rules, "game.length"))

    def texts(self, kind: type[msgspec.Struct]) -> dict[str, str]:
        """The keys of such rules that were set, in words."""
        texts = settings.split_texts(self.changes, "--set", kind)
        return {"game.length": self.length, **texts} if self.length else texts

    def over(self, files: Presets[R], rules: R | RuleFile[R]) -> R:
        """The default rules, or those of --rules, with the keys of --set."""
        base = rules if self.rules is None else files.resolve(self.rules)
        where = "--set" if self.changes or self.rules is None else f"--rules {self.rules}"
        return files.with_settings(base, self.texts(files.kind), where)

    def named(self, files: Presets[R]) -> R | None:
        """The rules that --rules names, with the keys that were set; None if it names none."""
        return None if self.rules is None else self.over(files, files.preset(files.default))

    def foreign(self, files: Presets[R]) -> R | None:
        """The rules of a record that does not tell its own; None if --rules names none."""
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
    """--rules; --set if rules may be changed; --length if a game's length is often set."""
    without = [name for name, there in (("changes", changes), ("length", length)) if not there]
    told = {"help": f"Change one rule, e.g. {example}."}
    return RuleOptions.group(without=without, rules={"help": says}, changes=told)
