"""Finds a player's class: by an installed name, in a module (`module:Class`) or in a file (`FILE.py:Class`)."""

import ast
import copy
import hashlib
import importlib
import inspect
import os
import sys
import threading
from collections.abc import Callable, Mapping
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from jantaku.table.ground import installation
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.traces import raised_at
from jantaku.table.ground.port import Player
from jantaku.table.ground.settings import did_you_mean
from jantaku.table.play.seating.guesses import ADDRESS, file_meant, module_meant, name_meant
from jantaku.table.play.seating.spec import PYTHONPATH, Terms, class_of

SEED = "seed"
"""The argument that the table provides, unless the terms do."""
NO_ARGS: Mapping[str, Any] = {}
_NO_BOT = "neither a class with a method answer(question) nor a function that makes a bot"


def bot_class(spec: str) -> Any:
    """Return the class, function or other object that `spec` names. Raises BadInput if there is none, or if importing
    it fails."""
    if (file := file_of(spec)) is not None:
        return _class_in(_from_file(spec, file), spec, _class_name(spec), file.name)
    module_name, colon, class_name = spec.partition(":")
    if class_name.startswith("//"):
        raise BadInput(f"player {spec}: {ADDRESS}")
    if not colon:
        named = class_of(spec)
        if named is None:
            raise BadInput(f"player {spec}: {name_meant(spec)}")
        module_name, _, class_name = named.partition(":")
        return _class_in(_imported(spec, module_name), spec, class_name, module_name)
    look_in(installation.working_folder())
    return _class_in(_imported(spec, module_name), spec, class_name, module_name)


def bot_maker(spec: str, game: str = "", args: Mapping[str, Any] = NO_ARGS) -> Callable[[int], Player]:
    """Return a function that makes such bots from a seed, with these arguments. `spec` names a class, or a function or
    partial that makes a bot. Raises BadInput as `bot_class` does, for arguments that it does not take, and for a bot
    that cannot play `game`."""
    try:
        kind, takes_seed = _looked_at(spec, game, args)
    except (BadInput, KeyboardInterrupt):
        raise
    except BaseException as error:  # even inspecting a class may run its code, which may raise anything
        raise BadInput(f"player {spec}: it cannot be inspected: {_in_words(error)}") from error

    def make(seed: int) -> Player:
        given = {**({SEED: seed} if takes_seed else {}), **copy.deepcopy(dict(args))}
        try:
            player: Player = kind(**given)
            _refuse_what_cannot_play(spec, player, game)
        except BadInput:
            raise
        except BaseException as error:  # it may raise anything
            if isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread():
                raise  # Ctrl-C is raised in the main thread only; elsewhere it is the bot's own
            raise BadInput(f"player {spec}: it could not be made: {_in_words(error)}{_raised_at(error)}") from error
        return player

    return make


def _looked_at(spec: str, game: str, args: Mapping[str, Any]) -> tuple[Callable[..., Player], bool]:
    """Return what `spec` names, and whether it takes a seed."""
    kind = bot_class(spec)
    if not callable(kind):
        made = "; it is one bot, and every game needs a new one" if hasattr(kind, "answer") else ""
        raise BadInput(f"player {spec}: {kind!r} is {_NO_BOT}{made}")
    if isinstance(kind, type):
        _refuse_what_cannot_play(spec, kind, game)
    parameters = inspect.signature(kind).parameters
    named = {name: one for name, one in parameters.items() if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)}
    takes_more = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    for name in args:
        if name not in named and not takes_more:
            meant = did_you_mean(name, named)
            raise BadInput(f"player {spec}: there is no argument {name}; {meant}{_takes(kind, named)}")
    for name, one in named.items():
        if one.default is one.empty and name not in (SEED, *args):
            raise BadInput(f"player {spec}: arg.{name} is not given; {_takes(kind, named)}")
    return kind, SEED in named


def _takes(kind: Callable[..., object], named: Mapping[str, inspect.Parameter]) -> str:
    """The arguments that it takes, without the seed, which the table provides."""
    own = [str(one.replace(annotation=one.empty, kind=one.KEYWORD_ONLY)) for name, one in named.items() if name != SEED]
    return f"{getattr(kind, '__name__', 'it')} takes {', '.join(own) or 'no arguments'}"


def _refuse_what_cannot_play(spec: str, bot: object, game: str) -> None:
    """Raise BadInput unless `bot`, a class or an object that a function made, can answer and plays `game`."""
    if not callable(getattr(bot, "answer", None)):
        made = f"it makes {bot!r}, which has no method answer(question)"
        raise BadInput(f"player {spec}: {f'{bot!r} is {_NO_BOT}' if isinstance(bot, type) else made}")
    for name in ("answer", "hear"):
        if inspect.iscoroutinefunction(getattr(bot, name, None)):
            raise BadInput(f"player {spec}: {name} is async, and nothing awaits it at the table: write def {name}")
    plays = getattr(bot, "game", "")
    if game and isinstance(plays, str) and plays not in ("", game):
        there = f"jantaku play --game {plays} plays it, and jantaku stats DIR then says who is better"
        raise BadInput(f"player {spec}: it plays {plays}, but this is a table of {game}; {there}")


def _in_words(error: BaseException) -> str:
    """An exception of a bot as text, whatever its `__str__` does."""
    try:
        return f"{type(error).__name__}: {error}"
    except BaseException:
        return f"{type(error).__name__}, which cannot be printed"


def file_of(spec: str) -> Path | None:
    """The file in `FILE.py` or `FILE.py:Class`; None for other kinds of names."""
    name, colon, _ = spec.rpartition(":")
    name = name if colon and name.endswith(".py") else spec
    return Path(name) if name.endswith(".py") else None


def search_folders(terms: Terms) -> tuple[list[str], list[str]]:
    """The folders in which the modules of a bot in its own process are searched: those before installed packages (the
    PYTHONPATH of its terms), and those after them (its own folder, then the table's)."""
    home = installation.here(Path(terms.cwd or ""))
    first = [str(home / folder) for folder in terms.env.get(PYTHONPATH, "").split(os.pathsep) if folder]
    return first, list(dict.fromkeys((str(home), installation.working_folder())))


def source_of(terms: Terms) -> Path | None:
    """The file that defines a bot; None if it is not found. Nothing is imported: the code may be untrusted."""
    if (file := file_of(terms.bot)) is not None:
        return installation.here(file)
    bot = class_of(terms.bot) or terms.bot
    found, path = None, None
    try:
        parts = bot.partition(":")[0].split(".")
        for number in range(1, len(parts) + 1):
            name = ".".join(parts[:number])
            found = _spec_of(name, terms) if path is None else PathFinder.find_spec(name, path)
            path = None if found is None else found.submodule_search_locations
            if found is None or (path is None and number < len(parts)):
                return None
    except (ImportError, ValueError):
        return None
    return Path(found.origin) if found is not None and found.origin and found.has_location else None


def answer_at(terms: Terms) -> str:
    """Where a Python bot answers, as `mybot.py line 17`, found in its source: the method `answer`, else the class or
    function. Empty if that is not found."""
    file = source_of(terms) if terms.scheme in ("", "process") else None
    try:
        tree = ast.parse(b"" if file is None else file.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return ""
    named = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    bot = class_of(terms.bot) or terms.bot
    methods = {name: at for name, node in named.items() for at in node.body if getattr(at, "name", "") == "answer"}
    name = _class_name(bot) or (next(iter(methods)) if len(methods) == 1 else "")
    found = methods.get(name) or named.get(name)
    return "" if file is None or found is None else f"{file.name} line {found.lineno}"


def has_module(terms: Terms) -> bool:
    """Whether the module of a bot, or at least its package, exists; nothing is executed."""
    return _spec_of(terms.bot.partition(":")[0].partition(".")[0], terms) is not None


def _spec_of(top: str, terms: Terms) -> ModuleSpec | None:
    """Find how a top-level module would be imported for a bot with these terms; None if it would not be found."""
    if not terms.scheme:
        if class_of(terms.bot) is None:
            look_in(installation.working_folder())
        return find_spec(top)
    first, last = search_folders(terms)
    return PathFinder.find_spec(top, [*first, *installation.search_path(*last)]) or find_spec(top)


def _class_name(spec: str) -> str:
    return "" if spec.endswith(".py") else spec.rpartition(":")[2]


def _class_in(module: ModuleType, spec: str, name: str, where: str) -> Any:
    """Return the class of that name; without a name, the only player class that the module defines."""
    classes = [key for key, value in vars(module).items() if isinstance(value, type) and hasattr(value, "answer")]
    if name and hasattr(module, name):
        return getattr(module, name)
    own = [key for key in classes if vars(module)[key].__module__ == module.__name__]
    if name or not own:
        has_no = f"{where} has no {name}; it has" if name else f"{where} has"
        raise BadInput(f"player {spec}: {has_no} {', '.join(own or classes) or 'no players'}{_hides(module)}")
    if len(own) > 1:
        raise BadInput(f"player {spec}: it holds several players; write {' or '.join(f'{spec}:{key}' for key in own)}")
    return vars(module)[own[0]]


def _hides(module: ModuleType) -> str:
    """A hint for a module that was found instead of one in the working folder; empty if there is none such."""
    top = module.__name__.partition(".")[0]
    found = os.path.abspath(getattr(module, "__file__", None) or "")
    for own in (f"{top}.py", os.path.join(top, "")):
        if os.path.exists(own) and not found.startswith(os.path.abspath(own)):
            return f"; your own {own} is hidden by {found}: rename it, or name the bot by its file: FILE.py:Class"
    return ""


def _from_file(spec: str, file: Path) -> ModuleType:
    """Import a bot's file as a module. It can import modules beside the file. Files of the same name in different
    folders are different modules, and so are the modules beside them."""
    path = installation.here(file)
    name = f"{path.stem}@{hashlib.blake2b(os.fsencode(path), digest_size=4).hexdigest()}"
    if name in sys.modules:
        return sys.modules[name]
    if not os.path.isfile(path):
        raise BadInput(f"player {spec}: there is no file {file}{file_meant(spec, file)}")
    look_in(str(path.parent))
    found = spec_from_file_location(name, path)
    assert found is not None and found.loader is not None
    module = sys.modules[name] = module_from_spec(found)
    try:
        found.loader.exec_module(module)
    except BaseException as error:  # a bot may raise anything, SystemExit too
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise _broken(spec, file.name, error) from error
    return module


def _imported(spec: str, name: str) -> ModuleType:
    try:
        if not all(part.isidentifier() for part in name.split(".")):
            raise ModuleNotFoundError(name=name)
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if name.startswith("jantaku.") and (lacking := installation.lacking(error.name)):
            raise BadInput(lacking) from error
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise _broken(spec, name, error) from error
        hint = module_meant(spec, name)
        missing = f"there is no module {name} here or among the installed packages{'; ' if hint else ''}{hint}"
        raise BadInput(f"player {spec}: {missing}") from error
    except BaseException as error:  # a bot may raise anything, SystemExit too
        if isinstance(error, KeyboardInterrupt):
            raise
        raise _broken(spec, name, error) from error


def look_in(home: str) -> None:
    """Add a bot's folder to the module search path: before the folders of other bots, after everything installed.
    Modules of the same name in other bots' folders are not shared.
    """
    known = installation.homes()
    for name in [name for name in sys.modules if "." not in name]:
        if (place := _place_of(name)) != home and place in known and _holds(home, name):
            for part in [part for part in sys.modules if f"{part}.".startswith(f"{name}.")]:
                del sys.modules[part]
    installation.see(home)


def _place_of(module: str) -> str:
    """The folder in which a top-level module was found."""
    file = getattr(sys.modules[module], "__file__", None) or ""
    return os.path.dirname(os.path.dirname(file) if os.path.basename(file) == "__init__.py" else file)


def _holds(folder: str, module: str) -> bool:
    return any(os.path.exists(os.path.join(folder, name)) for name in (f"{module}.py", module))


def _raised_at(error: BaseException) -> str:
    """Where in a bot's code an exception was raised, in brackets; empty if that is not in its code, or if the exception
    says it itself."""
    place = "" if isinstance(error, SyntaxError) else raised_at(error)
    return f" ({place})" if place else ""


def _broken(spec: str, name: str, error: BaseException) -> BadInput:
    return BadInput(f"player {spec}: importing {name} failed{_raised_at(error)}: {_in_words(error)}")
