"""Random rules: every key of the rules, with any allowed value."""

import random
from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args, get_origin

from msgspec import Meta

from jantaku.table.ground import settings
from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.pieces.seats import SEATS, THREE
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import from_table

LIKELY: Mapping[str, tuple[Any, ...]] = {
    "game.start_points": (1000, 5000, 20000, 25000, 30000),
    "game.return_points": (0, 25000, 30000),
    "game.extension_points": (0, 25000, 30000, 40000),
    "game.agari_yame_points": (0, 25000, 30000),
    "riichi.min_points": (0, 1000),
    "riichi.min_tiles": (0, 1, 4, 18),
    "draw.noten_penalty": (0, 600, 3000, 12000),
    "chombo.penalty": (0, 1000, 20000),
}
"""Values to choose from, for keys whose range is mostly uninteresting."""
FOR_THREE: Mapping[str, tuple[Any, ...]] = {
    "game.start_points": (1000, 5000, 25000, 35000),
    "game.return_points": (0, 35000, 40000),
    "game.extension_points": (0, 35000, 40000),
    "draw.noten_penalty": (0, 600, 2000, 12000),
    "tiles.red_m": (0,),
}
"""The same for three players."""


def random_rules(chance: random.Random, players: int = SEATS) -> Rules:
    """Return random rules for that many players that do not contradict themselves."""
    likely = {**LIKELY, **(FOR_THREE if players == THREE else {}), "game.players": (players,)}
    while True:
        nested: dict[str, dict[str, Any]] = {}
        for name, key in settings.keys(Rules).items():
            section, _, last = name.partition(".")
            nested.setdefault(section, {})[last] = _value(name, key.annotation, chance, likely, players)
        try:
            return from_table(nested, "random rules").rules
        except BadInput:
            continue  # two keys exclude each other: draw again


def _value(name: str, annotation: Any, chance: random.Random, likely: Mapping[str, Any], players: int) -> Any:
    if name in likely:
        return chance.choice(likely[name])
    bare = get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation
    limits = next((extra for extra in get_args(annotation)[1:] if isinstance(extra, Meta)), Meta())
    origin, inner = get_origin(bare), get_args(bare)
    if origin is Literal:
        return chance.choice(inner)
    if origin is tuple and limits.max_length is not None:
        return [float(chance.randint(-50, 50)) for _ in range(players)]
    if origin is tuple:
        names = get_args(inner[0])
        return chance.sample(names, chance.randint(0, len(names)))
    if bare is bool:
        return chance.random() < 0.5
    assert bare is int and limits.ge is not None and limits.le is not None, f"{name} has no limits to draw from"
    return chance.randint(int(limits.ge), int(limits.le))
