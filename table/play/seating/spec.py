"""How a player is named and with which terms it is seated: by a word of the command line or a `[[player]]` table."""

import math
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from msgspec import Meta

from jantaku.table.ground import settings
from jantaku.table.ground.clock import DAY
from jantaku.table.ground.errors import BadInput, all_told
from jantaku.table.ground.port import Player
from jantaku.table.ground.settings import did_you_mean

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

BOTS = "jantaku.players"
"""Entry point group of player classes."""
FOLDER = "folder"
"""The transport of bots that are named only by a path."""
NET = "net:"
"""In front of a model file: `net:FILE` is the class `NETS` with the argument `model`."""
NETS = "jantaku.table.learn.nets:Net"
SANDBOXED = ("exec", "process", FOLDER)
"""The transports that support the sandbox."""
TRANSPORTS = "jantaku.transports"
"""Entry point group of transports for remote players (`Transport`), by the word before the colon or in `isolate`."""
OWN = {
    "tsumogiri": "jantaku.players.bots.tsumogiri:Tsumogiri",
    "dice": "jantaku.players.bots.dice:Dice",
    "caller": "jantaku.players.bots.caller:Caller",
    "shanten": "jantaku.players.bots.shanten:Shanten",
    "allround": "jantaku.players.bots.allround:Allround",
}
"""The bots that come along, none of which waits for anything. They are entry points as well; this table seats them
without the metadata of all packages, which takes a twentieth of a short game to read."""

_OPTIONS = re.compile(r"(.+?)\?([\w.]+=[^&]*(?:&[\w.]+=[^&]*)*)")
_AGAIN = re.compile(r"\?([\w.]+)=")

PYTHONPATH = "PYTHONPATH"
_ARG = "arg."
"""The prefix of an argument's name on a command line."""
_LONGEST_VALUE = 24  # characters of an argument in a player's name

Value = str | bool | int | float | list[Any] | dict[str, Any]
"""The allowed types of a bot's argument, and of values inside it."""

Seconds = Annotated[float, Meta(ge=0, le=DAY)]
Count = Annotated[int, Meta(ge=0)]


class OwnClock(msgspec.Struct, frozen=True):
    """The values in which one player's clock differs from the table's; see `jantaku.table.judge.timing.Clock`."""

    turn: Annotated[Seconds | None, Meta(description="seconds in its own turn")] = None
    reaction: Annotated[Seconds | None, Meta(description="seconds for a reaction")] = None
    bank: Annotated[Seconds | None, Meta(description="seconds in reserve")] = None
    increment: Annotated[Seconds | None, Meta(description="seconds added to the bank per question")] = None
    margin: Annotated[Seconds | None, Meta(description="seconds granted on top")] = None
    start: Annotated[Seconds | None, Meta(description="seconds to become ready")] = None
    max_faults: Annotated[Count | None, Meta(description="questions out of time before the autopilot")] = None
    counts: Annotated[Literal["wall", "cpu"] | None, Meta(description="which seconds: passed, or of CPU time")] = None

    @property
    def given(self) -> dict[str, Any]:
        return {name: value for name, value in msgspec.structs.asdict(self).items() if value is not None}


class SandboxLimits(msgspec.Struct, frozen=True):
    """Resource limits in one game of a sandboxed program, with all its child processes."""

    memory: Annotated[int, Meta(description="MiB of memory", ge=16, le=1 << 20)] = 2048
    cpu: Annotated[float, Meta(description="seconds of CPU time in a game", ge=1, le=1_000_000)] = 3600.0
    processes: Annotated[int, Meta(description="processes and threads", ge=1, le=32768)] = 256
    files: Annotated[int, Meta(description="open files of each process", ge=16, le=65536)] = 256
    disk: Annotated[int, Meta(description="MiB of files in its scratch folder", ge=1, le=65536)] = 64


class Terms(msgspec.Struct, frozen=True):
    """One player of a table: which program or class it is, and how it is seated."""

    bot: Annotated[
        str, Meta(description="an installed bot, module:Class, FILE.py:Class, exec:PROGRAM …, folder:PATH or net:MODEL")
    ]
    name: Annotated[str | None, Meta(description="what it is called in records")] = None
    args: Annotated[dict[str, Value], Meta(description="arguments by name that a Python bot is made with")] = {}
    isolate: Annotated[
        Literal["none", "process"], Meta(description="process: a Python bot gets a process of its own")
    ] = "none"
    lots: Annotated[
        Literal["game", "decision"],
        Meta(description="decision: the random numbers of a Python bot are seeded anew for every decision"),
    ] = "game"
    dialect: Annotated[str | None, Meta(description="in which messages a program is spoken to")] = None
    cwd: Annotated[str | None, Meta(description="the folder that a program is started in")] = None
    env: Annotated[dict[str, str], Meta(description="environment variables that a program gets")] = {}
    inherit: Annotated[
        tuple[str, ...], Meta(description="variables of the table's own environment that a program gets, too")
    ] = ()
    restart: Annotated[
        Literal["never", "next-kyoku", "next-game", "always"],
        Meta(description="when a program that has ended is started again; always: a new one for every game"),
    ] = "next-game"
    restarts: Annotated[int, Meta(description="how often at the most in a match", ge=0)] = 10
    listen: Annotated[str | None, Meta(description="HOST:PORT at which a ws: player is waited for")] = None
    sandbox: Annotated[
        Literal["on", "off"] | None,
        Meta(description="on: a program, or a bot in a process, runs in the sandbox; without it as the table says"),
    ] = None
    bind: Annotated[tuple[str, ...], Meta(description="more files and folders that it sees in the sandbox")] = ()
    limits: SandboxLimits = SandboxLimits()
    clock: OwnClock = OwnClock()

    @property
    def scheme(self) -> str:
        """The transport's name: the word of `bot` before a colon if that is a transport, or the value of `isolate`;
        empty without one."""
        word = self.bot.partition(":")[0]
        if word not in OWN and word in _points(TRANSPORTS):
            return word
        return "" if self.isolate == "none" else self.isolate

    @property
    def label(self) -> str:
        """The given name, or one derived from the bot's."""
        if self.name:
            return self.name
        if self.scheme in ("", "process"):
            bot = Path(self.bot).stem if self.bot.endswith(".py") else self.bot.rpartition(":")[2] or self.bot
            values = ", ".join(_in_short(value) for value in self.args.values() if not isinstance(value, list | dict))
            return f"{bot}({values})" if values else bot
        if self.scheme == FOLDER:
            return Path(self.bot.partition(":")[2]).stem or self.bot
        words = self.bot.partition(":")[2].split()
        scripts = [word for word in words if Path(word).suffix and not word.startswith("-")]
        return Path((scripts or words or [self.bot])[0]).name

    @property
    def file(self) -> str:
        """The name, without ending, of the file that defines the class; empty if the label is not the name of a class
        in a file."""
        path, _, kind = self.bot.rpartition(":")
        return Path(path).stem if self.label == kind and path.endswith(".py") else ""

    @property
    def texts(self) -> list[str]:
        """All texts among the arguments: they may name files."""
        return [value for value in _inside(self.args) if isinstance(value, str)]

    @property
    def described(self) -> str:
        """Which program or class it is, as on a command line: with its folder, search path and arguments."""
        words = [] if self.cwd is None else [f"cwd={self.cwd}"]
        words += [f"env.{key}={value}" for key, value in self.env.items() if key == PYTHONPATH]
        args = {key: value if isinstance(value, str) else settings.toml(value) for key, value in self.args.items()}
        words += [f"{_ARG}{key}={text}" for key, text in args.items()]
        return "?".join(filter(None, (self.bot, "&".join(words))))


_LISTS = {"bind", "inherit"}

Transport = Callable[[Terms, str, Path | None], Callable[[int], Player]]
"""Seats remote players with these terms, under this name, with a folder for their stderr. Called once per match; the
result makes the player of one game from a seed. Raises BadInput for terms that cannot work."""


def terms_of(text: str) -> Terms:
    """Parse `BOT` or `BOT?key=value&key=value`, as on a command line. The keys are those of a `[[player]]`; `arg.NAME`
    is one of `args`, `env.NAME` one variable of `env`, and a key that holds a list may be repeated. Raises BadInput for
    anything else."""
    match = _OPTIONS.fullmatch(text)
    if match is None:
        return _built({"bot": text}, f"player {text}") if text.startswith(NET) else Terms(text)
    where = f"player {match[1]}"
    if (again := _AGAIN.search(match[2])) and again[1] in settings.keys(Terms):
        raise BadInput(f"{where}: separate options by &, not by a second ?: …&{again[1]}=…")
    words = match[2].split("&")
    texts = settings.split_texts(words, where)
    for key in _LISTS & texts.keys():
        texts[key] = ",".join(word.partition("=")[2] for word in words if word.partition("=")[0] == key)
    env = {name.removeprefix("env."): texts.pop(name) for name in list(texts) if name.startswith("env.")}
    args = {name.removeprefix(_ARG): texts.pop(name) for name in list(texts) if name.startswith(_ARG)}
    if match[1].startswith(NET) and "encoder" in texts:
        args["encoder"] = texts.pop("encoder")
    if wrong := next((name for name in texts if name.startswith("args.")), ""):
        raise BadInput(f"there is no key {wrong}; did you mean {wrong.replace('args.', _ARG, 1)}?", where)
    _refuse_bare_arguments(match[1], texts, where)
    layer = settings.read_texts(texts, Terms, where)
    if env:
        layer["env"] = {**layer.get("env", {}), **env}
    for name, text in args.items():
        layer.setdefault("args", {})[name] = settings.read_text(_ARG + name, text, where)
    return _built({"bot": match[1], **layer}, where)


def _refuse_bare_arguments(bot: str, texts: Mapping[str, str], where: str) -> None:
    """Raise BadInput for an unknown key that is probably an argument of a Python bot without its prefix."""
    known = settings.keys(Terms)
    for name, text in texts.items():
        if name not in known and "." not in name and not did_you_mean(name, known) and not Terms(bot).scheme:
            raise BadInput(f"there is no key {name}; an argument of the bot is written ?{_ARG}{name}={text}", where)


def players_in(text: str) -> list[str]:
    """Split the players of a command line at commas, except commas within brackets (`?arg.sizes=[64,32]`)."""
    parts, depth, begin = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "[{") - (char in "]}")
        if char == "," and depth == 0:
            parts.append(text[begin:at])
            begin = at + 1
    return [*parts, text[begin:]] if depth == 0 else text.split(",")


def confined(players: Sequence[str | Terms]) -> tuple[Terms, ...]:
    """Return the same players with everything that is not installed sandboxed: programs, and Python bots named by a
    module or file, each in its own process. A player's own terms take precedence."""
    found = []
    for one in [terms_of(player) if isinstance(player, str) else player for player in players]:
        mine = one.scheme == "" and class_of(one.bot) is None
        if mine:
            one = msgspec.structs.replace(one, isolate="process")
        if one.scheme in SANDBOXED and one.sandbox is None:
            one = msgspec.structs.replace(one, sandbox="on")
        found.append(one)
    return tuple(found)


def terms_from(tables: object, where: str) -> tuple[Terms, ...]:
    """Read the `[[player]]` tables of a config file. Raises BadInput, with the table and its key, if one is invalid."""
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise BadInput(f'{where}: players are written as tables: [[player]] and below it bot = "…"')
    found = []
    with all_told() as part:
        for number, table in enumerate(tables, 1):
            place = f"{where}: player {number}"
            with part():
                found.append(_built(settings.read_layer(table, Terms, place), place))
    return tuple(found)


def _built(layer: settings.Layer, where: str) -> Terms:
    """Build terms from checked values. Arguments are sorted, so that equal terms are written alike."""
    if str(layer.get("bot", "")).startswith(NET):
        layer = {**layer, "bot": NETS, "args": {**layer.get("args", {}), "model": layer["bot"].removeprefix(NET)}}
    for name, value in layer.get("args", {}).items():
        if not all(_is_plain(part) for part in _inside(value)):
            allowed = "texts, finite numbers, true, false, and lists and tables of them"
            raise BadInput(f"{_ARG}{name} = {settings.toml(value)} is not allowed; allowed are {allowed}", where)
    if "args" in layer:
        layer = {**layer, "args": dict(sorted(layer["args"].items()))}
    return settings.build(Terms, layer, where)


def _inside(value: object) -> Iterator[object]:
    """Yield a value, or the values in it if it is a list or a table."""
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _inside(part)
    else:
        yield value


def _is_plain(value: object) -> bool:
    return isinstance(value, str | bool | int) or (isinstance(value, float) and math.isfinite(value))


def _in_short(value: object) -> str:
    """An argument in short form, for a player's name: of a path only the last part."""
    text = os.path.basename(value) or value if isinstance(value, str) else settings.toml(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"


def installed() -> "dict[str, EntryPoint]":
    """The players that installed packages offer, by name."""
    return _points(BOTS)


def class_of(name: str) -> str | None:
    """The class of an installed player, as `module:Class`; None if no player has this name."""
    point = None if name in OWN else installed().get(name)
    return OWN.get(name) if point is None else point.value


def is_prompt(terms: Terms) -> bool:
    """Whether this is one of the bots that come along, in the table's own process."""
    return not terms.scheme and terms.bot in OWN


def transport(scheme: str) -> Transport:
    """The transport of that name. Raises BadInput if it does not exist."""
    known = _points(TRANSPORTS)
    if scheme not in known:
        raise BadInput(f"no installed module seats players by “{scheme}”; it comes with jantaku, so install that again")
    found: Transport = known[scheme].load()
    return found


def _points(group: str) -> "dict[str, EntryPoint]":
    return _points_on(tuple(sys.path), group)


@cache
def _points_on(path: tuple[str, ...], group: str) -> "dict[str, EntryPoint]":
    """Cached for each search path: reading the metadata of all installed packages takes milliseconds."""
    from importlib.metadata import entry_points  # takes as long to import

    return {point.name: point for point in sorted(entry_points(group=group), key=lambda point: point.name)}


def one_of(word: str, known: Mapping[str, Any] | Sequence[str], what: str) -> None:
    """Raise BadInput unless `word` is known."""
    if word not in known:
        raise BadInput(f"{what}: {word!r} is not known; {did_you_mean(word, known)}allowed are {', '.join(known)}")
