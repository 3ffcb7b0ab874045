"""Options of several commands: what they accept, what they are called, and what rules come of them.

A command's options are a frozen struct (`options_of`), so that the types of what it is given are checked.
"""

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

import click
import msgspec

from table.errors import BadInput
from table.riichi import ruleset
from table.riichi.rules import Rules
from table.settings import layers as settings
from table.settings.presets import Presets

T = TypeVar("T", bound=msgspec.Struct)
Command = Callable[..., Any]

BOTS = (
    "names from `jantaku bots`, FILE.py:Class, module:Class, 'exec:PROGRAM WORDS' or ws:NAME, each with options behind "
    "it: ?name=deep&dialect=mjai&isolate=process"
)
"""How a player is written, in a sentence of `--help`."""
DAY = 86_400


# --- types -----------------------------------------------------------------------------------------


class Number(click.FloatRange):
    """A number in a range. NaN, which click lets into every range, is in none, and infinity is no number."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """See `click.ParamType`."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a number.", param, ctx)
        return number


def seconds(least: float) -> Number:
    """Seconds from `least` to a day: no clock of the system bears just any number of them."""
    return Number(least, DAY)


class Seed(click.types.StringParamType):
    """Any text that a record can hold. An empty one, as of a variable that is not set, would be another every time."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """See `click.ParamType`."""
        text = str(value)
        if not text or not text.isprintable():
            self.fail(f"{text!r} is no seed; allowed is a number or any other text.", param, ctx)
        return text


class HostName(click.types.StringParamType):
    """A name or address of this machine; nothing for all of them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """See `click.ParamType`."""
        if not str(value).isprintable():
            self.fail(f"{value!r} is no name or address of a machine.", param, ctx)
        return str(value)


class Folder(click.Path):
    """A folder. An empty text, as of a variable that is not set, would be the working folder."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """See `click.ParamType`."""
        if value == "":
            self.fail("an empty text names no folder; write . for the working folder.", param, ctx)
        return super().convert(value, param, ctx)


class OneOf(click.Choice[str]):
    """Words of which one is taken; a slip is answered with the one that was probably meant."""

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
    """The words that a setting may be."""
    return OneOf(get_args(get_args(settings.keys(kind)[key].annotation)[0]))


sandbox_option = click.option(
    "--sandbox", is_flag=True, help="Programs, and bots that are not installed here, reach nothing else."
)


# --- rules -----------------------------------------------------------------------------------------


class RuleOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What `rule_options` gave."""

    rules: str | None
    changes: tuple[str, ...] = ()
    length: str | None = None

    @property
    def texts(self) -> dict[str, str]:
        """The keys that were set, in words."""
        texts = settings.split_texts(self.changes, "--set")
        return {"game.length": self.length, **texts} if self.length else texts

    def over(self, files: Presets[T], rules: T) -> T:
        """These rules, unless --rules names others, with the keys that were set."""
        base = rules if self.rules is None else files.resolve(self.rules).rules
        return files.with_settings(base, self.texts)

    @property
    def of_foreign(self) -> Rules | None:
        """The rules of a record that does not tell its own; None if --rules names none."""
        if self.rules is None:
            if self.texts:
                raise BadInput("--set changes the rules that --rules names; give both")
            return None
        return self.over(ruleset.FILES, ruleset.preset(ruleset.DEFAULT))


def rule_options(
    says: str = "Rules: a preset or a file (`jantaku rules`).",
    example: str = "ron.max_winners=1",
    *,
    length: bool = False,
    changes: bool = True,
) -> Callable[[Command], Command]:
    """--rules; --set if there may be `changes`; --length if a game's length is asked for often."""
    options = [click.option("--rules", "rules", metavar="PRESET|FILE", help=says)]
    if changes:
        text = f"Change one rule, e.g. {example}."
        options.append(click.option("--set", "changes", multiple=True, metavar="KEY=VALUE", help=text))
    if length:
        options.append(click.option("--length", type=words_of(Rules, "game.length"), help="Length of each game."))
    return together(options)


# --- commands --------------------------------------------------------------------------------------


def options_of(kind: type[T]) -> Callable[[Callable[[T], Any]], Command]:
    """Hand a command its options as one `kind`, whose fields have the options' names."""

    def wrap(run: Callable[[T], Any]) -> Command:
        @functools.wraps(run)
        def command(**given: Any) -> Any:
            return run(kind(**given))

        return command

    return wrap


def together(options: Sequence[Callable[[Command], Command]]) -> Callable[[Command], Command]:
    """All these options in this order."""
    return lambda command: functools.reduce(lambda made, option: option(made), reversed(options), command)


def limit_option(command: Command) -> Command:
    """--limit: the time for an answer."""
    text = "Time for each answer.  [default: 10]"
    return click.option("--limit", type=seconds(0.001), metavar="SECONDS", help=text)(command)
