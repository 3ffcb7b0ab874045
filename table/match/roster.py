"""Players by name: an entry point of the group `jantaku.players`, or `module:Class`."""

import hashlib
import importlib
import inspect
import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import msgspec

from table.errors import BadInput
from table.port import Player
from table.settings import did_you_mean

GROUP = "jantaku.players"


class Entrant(msgspec.Struct, frozen=True):
    """One player of a match. `make(seed)` seats a fresh one; `name` is unique in the match."""

    name: str
    spec: str
    make: Callable[[int], Player]


def installed() -> dict[str, EntryPoint]:
    """The players that installed packages offer, by name."""
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


def enlist(specs: Sequence[str]) -> list[Entrant]:
    """The players of a match. Raises BadInput for one that does not exist or cannot be imported."""
    labels = [spec.rpartition(":")[2] or spec for spec in specs]
    total, counted = Counter(labels), Counter[str]()
    entrants = []
    for spec, label in zip(specs, labels, strict=True):
        counted[label] += 1
        name = label if total[label] == 1 else f"{label}-{counted[label]}"
        entrants.append(Entrant(name, spec, _maker(spec)))
    return entrants


def seed_for(seed: str, game: int, place: int) -> int:
    """The seed of a player: another for each game and place, the same in every run."""
    text = f"jantaku player 1|{seed}|{game}|{place}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


def _maker(spec: str) -> Callable[[int], Player]:
    kind = _load(spec)
    if not isinstance(kind, type) or not callable(getattr(kind, "answer", None)):
        raise BadInput(f"player {spec}: {kind!r} is not a class with a method answer(question)")
    takes_seed = "seed" in inspect.signature(kind).parameters

    def make(seed: int) -> Player:
        try:
            player: Player = kind(seed=seed) if takes_seed else kind()
        except Exception as error:
            raise BadInput(f"player {spec}: it could not be made: {type(error).__name__}: {error}") from error
        return player

    return make


def _load(spec: str) -> Any:
    module_name, colon, class_name = spec.partition(":")
    if not colon:
        known = installed()
        if spec not in known:
            hint = did_you_mean(spec, known)
            raise BadInput(f"player {spec}: {hint}the players are {', '.join(known)}; your own are module:Class")
        module_name, _, class_name = known[spec].value.partition(":")
    module = _import(spec, module_name)
    if not hasattr(module, class_name):
        classes = [name for name, value in vars(module).items() if isinstance(value, type) and hasattr(value, "answer")]
        raise BadInput(f"player {spec}: {module_name} has no {class_name}; it has {', '.join(classes) or 'no players'}")
    return getattr(module, class_name)


def _import(spec: str, module_name: str) -> Any:
    """Import a bot's module; a bot in the working folder is found, as with `python -m`."""
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name and (module_name + ".").startswith(error.name + "."):
            raise BadInput(f"player {spec}: there is no module {module_name} here or among the installed") from error
        raise _broken(spec, module_name, error) from error
    except BaseException as error:  # a bot may raise anything, SystemExit too
        if isinstance(error, KeyboardInterrupt):
            raise
        raise _broken(spec, module_name, error) from error


def _broken(spec: str, module_name: str, error: BaseException) -> BadInput:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = f" ({os.path.basename(trace.tb_frame.f_code.co_filename)} line {trace.tb_lineno})" if trace else ""
    return BadInput(f"player {spec}: importing {module_name} failed{place}: {type(error).__name__}: {error}")
