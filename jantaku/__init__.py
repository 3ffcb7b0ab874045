"""What the author of a bot needs, under one name: `from jantaku import Discard, Question, RiichiPlayer`.

The packages behind it are called `table` and `players`, and Python finds files of these names beside a script first: so
ours are imported here, from where this file is.
"""

import sys as _sys
from importlib.metadata import version as _version
from pathlib import Path as _Path

_ROOT = str(_Path(__file__).parents[1])
_sys.path.insert(0, _ROOT)
try:
    from players.base import RiichiPlayer
    from players.daifugo_base import DaifugoPlayer
    from table.daifugo.actions import Put
    from table.port import Action, Question
    from table.riichi import events
    from table.riichi.actions import Call, Discard, Kan, Kyuushu, Noten, Pass, Ron, Tenpai, Tsumo
    from table.riichi.pieces.board import Board
    from table.riichi.pieces.melds import Meld, MeldKind
    from table.riichi.pieces.tehai import Tehai
    from table.riichi.pieces.tiles import KIND, NAMES, TILE, dora_of
    from table.riichi.points.shapes import best_discards, shanten, useful, waits
except ImportError as error:
    if (error.name or "").partition(".")[0] not in ("table", "players"):
        raise
    raise ImportError(f"{error}: a table or players of yours was imported first; import jantaku before it") from error
finally:
    _sys.path.remove(_ROOT)

__version__ = _version("jantaku")

__all__ = [
    "KIND",
    "NAMES",
    "TILE",
    "Action",
    "Board",
    "Call",
    "DaifugoPlayer",
    "Discard",
    "Kan",
    "Kyuushu",
    "Meld",
    "MeldKind",
    "Noten",
    "Pass",
    "Put",
    "Question",
    "RiichiPlayer",
    "Ron",
    "Tehai",
    "Tenpai",
    "Tsumo",
    "best_discards",
    "dora_of",
    "events",
    "shanten",
    "useful",
    "waits",
]
