"""Presets, rule files and `KEY=VALUE` settings of riichi, and the checks of their rules.

A rule file is TOML. `preset = "mleague"` at its top names the preset that it starts from (default: `tenhou`), its keys
override the preset, and settings on a command line override the file. `to_toml` writes a complete, commented file.
"""

from collections.abc import Mapping
from pathlib import Path

from jantaku.table.ground import presets
from jantaku.table.ground.errors import BadInput, all_told
from jantaku.table.ground.presets import digest
from jantaku.table.ground.settings import Layer, difference
from jantaku.table.riichi.choices import CHOICES, LENGTHS
from jantaku.table.riichi.rules import Rules

__all__ = [
    "DEFAULT",
    "FILES",
    "PRESETS",
    "RuleFile",
    "describe",
    "difference",
    "digest",
    "from_table",
    "load",
    "preset",
    "read",
    "resolve",
    "to_toml",
    "with_settings",
]

DEFAULT = "tenhou"
"""The preset that a rule file without a `preset` key starts from."""

PRESETS: Mapping[str, str] = {
    "tenhou": "The ranked tables of Tenhou: double ron, three claims abort, no double yakuman, west entry below 30000.",
    "mahjongsoul": "The ranked tables of Mahjong Soul: triple ron is paid, some yakuman count twice, kokushi may rob "
    "an ankan, 25000 points return and the uma is 15 5 -5 -15.",
    "mleague": "M.League: atamahane, no abortive draws, no tobi, no extension, kan dora at once, kiriage mangan, equal "
    "points share the uma, a chombo costs 20 of the final score.",
    "majiang": "The defaults of majiang-core 1.x (電脳麻将), so that it can judge our records. Its own peculiarities "
    "are kept: the discarder pays the honba of a ron with a liable third player, and three rons on a robbed kan are "
    "all paid.",
    "majiang-2015": "What 電脳麻将 played by in December 2015 (0.3), for records in the form of that year: final "
    "points are whole numbers, three claims always abort, and a dealer who leads in the last kyoku ends the game "
    "whatever kept him dealer.",
    "showa": "The rules of the showa-yojyo text: no red fives (S-01), atamahane (S-36) but three claims abort (S-37, "
    "S-88), kan dora at once (S-55), four kans abort at the fourth kan (S-85), agari-yame whatever kept the dealer "
    "(S-95), every winner is paid the honba (S-109).",
    "tenhou-3p": "The ranked tables of Tenhou for three: 35000 points, 40000 to end the game, norths may be set aside, "
    "nobody pays the missing share of a tsumo.",
    "mahjongsoul-3p": "The ranked tables of Mahjong Soul for three: as Tenhou's, but 35000 points return, the uma is "
    "15 0 -15, some yakuman count twice and kokushi may rob an ankan.",
}
"""The presets by name, each with what distinguishes it."""

_FOLLOWERS = {"ron.max_winners": "ron.chankan_max_winners", "ron.sanchahou": "ron.chankan_sanchahou"}


def _implied(layer: Layer) -> Layer:
    """Return the keys that a layer implies and does not set itself. Atamahane, or no sanchahou, holds for a robbed kan
    as well; without ura or kan dora there is no kan ura."""
    found = {_FOLLOWERS[name]: value for name, value in layer.items() if name in _FOLLOWERS}
    if layer.get("dora.ura") is False or layer.get("dora.kan") is False:
        found["dora.kan_ura"] = False
    return found


def _refuse_contradictions(rules: Rules, where: str) -> None:
    """Raise BadInput for values that are allowed alone but not together.

    `sanchahou` with three winners is allowed: one or two claims win, three abort.
    """
    dora, ron, players = rules.dora, rules.ron, rules.game.players
    penalty, step, red = rules.draw.noten_penalty, 600 if players == 4 else 200, rules.tiles.red_m
    uma = f"game.uma has {len(rules.game.uma)} values; game.players = {players} needs as many"
    against = (
        (len(rules.game.uma) != players, uma),
        (penalty % step, f"draw.noten_penalty = {penalty}: {players} players share it in steps of {step}"),
        (players == 3 and red, f"tiles.red_m = {red}: with three players there is no 5m; set it to 0"),
        (ron.chankan_sanchahou and not ron.sanchahou, "ron.chankan_sanchahou = true needs ron.sanchahou = true"),
        (dora.kan_ura and not dora.ura, "dora.kan_ura = true needs dora.ura = true"),
        (dora.kan_ura and not dora.kan, "dora.kan_ura = true needs dora.kan = true"),
    )
    with all_told() as part:
        for contradicts, told in against:
            with part():
                if contradicts:
                    raise BadInput(told, where)


RuleFile = presets.RuleFile[Rules]
"""Rules, with the preset that they start from."""

FILES = presets.Presets(
    Rules, __package__, "riichi", PRESETS, DEFAULT, _refuse_contradictions, _implied, CHOICES, LENGTHS
)
"""The presets, and the reader of rule files."""

preset = FILES.preset
read = FILES.read
resolve = FILES.resolve
from_table = FILES.from_table
with_settings = FILES.with_settings
describe = FILES.describe


def load(path: str | Path) -> Rules:
    """Return the rules of a rule file; see `read`."""
    return read(path).rules


def to_toml(rules: Rules, base: str = DEFAULT) -> str:
    """Write a complete rule file, every key with its comment; `base` is the preset that it names."""
    return FILES.to_toml(rules, base)
