"""What authors of bots and of tools need, under one name: `from jantaku import Discard, Question, RiichiPlayer`.

Without a table it answers about hands and records: `Hand("m123p406s27899z11 +m4").discards`, and
`for decision in decisions(read_any(path).record)`.

The engine is `jantaku.table`, the included players are `jantaku.players`. Names are imported when they are first used,
so that a command, or a test run without bots, does not load the game.
"""

import sys as _sys
from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

if _sys.version_info < (3, 11):  # noqa: UP036
    raise ImportError("jantaku needs Python 3.11 or newer, and this is " + _sys.version.split()[0])

if _TYPE_CHECKING:
    from jantaku.players.base import RiichiPlayer
    from jantaku.table.arena.comparing.folder import comparison
    from jantaku.table.arena.comparing.results import Comparison
    from jantaku.table.arena.match.report.results import MatchResults, match_results
    from jantaku.table.daifugo.players import DaifugoPlayer
    from jantaku.table.daifugo.plays import Put
    from jantaku.table.ground.errors import BadInput
    from jantaku.table.ground.port import Action, Question
    from jantaku.table.play.stepped import Hanchan
    from jantaku.table.records.convert.readers import read_any
    from jantaku.table.records.replay.assessment import assess
    from jantaku.table.records.replay.decisions import decisions, decisions_seen
    from jantaku.table.records.view.moment import moment_of
    from jantaku.table.riichi import events
    from jantaku.table.riichi.actions import Call, Discard, Kan, Kyuushu, Noten, Pass, Ron, Tenpai, Tsumo
    from jantaku.table.riichi.game import RiichiGame, walls_from
    from jantaku.table.riichi.line import line_of, read_line
    from jantaku.table.riichi.pieces.board import Board
    from jantaku.table.riichi.pieces.melds import Meld, MeldKind
    from jantaku.table.riichi.pieces.tehai import Tehai
    from jantaku.table.riichi.pieces.tiles import KIND, NAMES, TILE, dora_of
    from jantaku.table.riichi.points.hand import Hand, HandScore
    from jantaku.table.riichi.points.names import name_of
    from jantaku.table.riichi.points.shapes import best_discards, shanten, useful, waits
    from jantaku.table.riichi.rules import Rules
    from jantaku.table.riichi.ruleset import preset

__all__ = [
    "KIND",
    "NAMES",
    "TILE",
    "Action",
    "BadInput",
    "Board",
    "Call",
    "Comparison",
    "DaifugoPlayer",
    "Discard",
    "Hanchan",
    "Hand",
    "HandScore",
    "Kan",
    "Kyuushu",
    "MatchResults",
    "Meld",
    "MeldKind",
    "Noten",
    "Pass",
    "Put",
    "Question",
    "RiichiGame",
    "RiichiPlayer",
    "Ron",
    "Rules",
    "Tehai",
    "Tenpai",
    "Tsumo",
    "assess",
    "best_discards",
    "comparison",
    "decisions",
    "decisions_seen",
    "dora_of",
    "events",
    "line_of",
    "match_results",
    "moment_of",
    "name_of",
    "preset",
    "read_any",
    "read_line",
    "shanten",
    "useful",
    "waits",
    "walls_from",
]
_PLACES = {
    "players.base": ("RiichiPlayer",),
    "table.arena.comparing.results": ("Comparison",),
    "table.arena.comparing.folder": ("comparison",),
    "table.arena.match.report.results": ("MatchResults", "match_results"),
    "table.daifugo.players": ("DaifugoPlayer",),
    "table.daifugo.plays": ("Put",),
    "table.ground.errors": ("BadInput",),
    "table.ground.port": ("Action", "Question"),
    "table.play.stepped": ("Hanchan",),
    "table.records.convert.readers": ("read_any",),
    "table.records.replay.assessment": ("assess",),
    "table.records.replay.decisions": ("decisions", "decisions_seen"),
    "table.records.view.moment": ("moment_of",),
    "table.riichi": ("events",),
    "table.riichi.actions": ("Call", "Discard", "Kan", "Kyuushu", "Noten", "Pass", "Ron", "Tenpai", "Tsumo"),
    "table.riichi.game": ("RiichiGame", "walls_from"),
    "table.riichi.line": ("line_of", "read_line"),
    "table.riichi.pieces.board": ("Board",),
    "table.riichi.pieces.melds": ("Meld", "MeldKind"),
    "table.riichi.pieces.tehai": ("Tehai",),
    "table.riichi.pieces.tiles": ("KIND", "NAMES", "TILE", "dora_of"),
    "table.riichi.points.hand": ("Hand", "HandScore"),
    "table.riichi.points.names": ("name_of",),
    "table.riichi.points.shapes": ("best_discards", "shanten", "useful", "waits"),
    "table.riichi.rules": ("Rules",),
    "table.riichi.ruleset": ("preset",),
}
"""By module of this package, the names above that it defines. Type checkers read the imports above instead."""
_MODULE_OF = {name: f"{__name__}.{module}" for module, names in _PLACES.items() for name in names}


def __getattr__(name: str) -> object:
    if name == "__version__":
        from jantaku.table.ground.installation import version

        return version()
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = _import_module(_MODULE_OF[name])
    found = globals()[name] = _import_module(f"{module.__name__}.{name}") if name == "events" else getattr(module, name)
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
