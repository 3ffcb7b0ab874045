"""Well-formed replies that must not be played, by dialect, and the program that sends them:

    python -m scripts.attacks.kit.wishes VICE MOMENT DIALECT

The vices `writes_the_file` and `numbers_it_so` read their text from wish.json in the working folder.
"""

import json
from pathlib import Path
from typing import Any

from jantaku.players.broken.catalogue import vice
from jantaku.players.broken.programs.vices import Saying
from scripts.attacks.kit import program as program  # importing registers its vices

_TILES = {
    "a tile that is not there": "z9",
    "a tile of no suit": "x1",
    "no tile": "",
    "half a tile": "m",
    "two tiles": "m1m2",
    "a tile in full width": "\uff4d\uff11",
    "a tile in capitals": "M1",
    "a tile with a space": " m1 ",
    "a tile with NUL": "m1\0",
    "a tile of a megabyte": "m1" * 500_000,
    "a tile with marks without end": "m1" + "_*" * 50_000,
    "a tile with a terminal's commands": "\x1b[2Jm1",
    "a tile that is a list": ["m1"],
    "a tile that is an object": {"m": 1},
    "a tile that is true": True,
    "a tile that is a number": 11,
    "a tile that is a huge number": 2**70,
}
_MELDS = {
    "a kan that it does not hold": "z1111",
    "a call of nobody's tile": "m1-23",
    "a meld of one tile": "m1",
    "a meld of all tiles": "m111122223333",
    "a meld with two marks": "m1+1+1+",
    "a meld that takes long to match": "m1" * 30_000 + "!",
    "a meld that is null": None,
    "a meld that is a list": ["m1", "m1", "m1"],
}


def _majiang() -> dict[str, Any]:
    wishes: dict[str, Any] = {f"with {name}": {"dapai": tile} for name, tile in _TILES.items()} | {
        f"with {name}": {word: meld} for name, meld in _MELDS.items() for word in ("gang",)
    }
    wishes |= {
        "with a call in its own turn": {"fulou": "m1-23"},
        "with a win that it has not": {"hule": "-"},
        "with an abort that it may not": {"daopai": "-"},
        "with every key at once": {"dapai": "m1", "gang": "m1111", "hule": "-", "daopai": "-", "fulou": "m1-23"},
        "with a key that nobody knows": {"explode": "m1"},
        "with a list of wins": {"hule": ["-"]},
    }
    return wishes


def _majiang_2015() -> dict[str, Any]:
    wishes: dict[str, Any] = {f"with {name}": {"type": "dapai", "data": tile} for name, tile in _TILES.items()}
    wishes |= {f"with {name}": {"type": "gang", "data": meld} for name, meld in _MELDS.items()}
    wishes |= {
        "with a win that it has not": {"type": "hule", "data": None},
        "with an abort that it may not": {"type": "liuju", "data": None},
        "with a type that nobody knows": {"type": "explode", "data": None},
        "with a type that is a list": {"type": ["dapai"], "data": "m1"},
        "with a type that is null": {"type": None, "data": "m1"},
        "without a type": {"data": "m1"},
    }
    return wishes


def _mjai() -> dict[str, Any]:
    tiles = {"a tile that is not there": "9z", "a red tile that is none": "5zr", "an unknown tile": "?"}
    wishes: dict[str, Any] = {
        f"with {name}": {"type": "dahai", "actor": 0, "pai": tile, "tsumogiri": False}
        for name, tile in (_TILES | tiles).items()
    }
    for actor in (-1, 4, 2**70, True, "0", None, 0.5, [0]):
        wishes[f"for the actor {json.dumps(actor)[:20]}"] = {
            "type": "dahai", "actor": actor, "pai": "9z", "tsumogiri": True
        }  # fmt: skip
    wishes |= {
        "with a win that it has not": {"type": "hora", "actor": 0, "target": 0},
        "with a kan of nothing": {"type": "ankan", "actor": 0, "consumed": []},
        "with a kan of words": {"type": "ankan", "actor": 0, "consumed": "1m1m1m1m"},
        "with a kan of a thousand tiles": {"type": "ankan", "actor": 0, "consumed": ["1m"] * 1000},
        "with a call in its own turn": {"type": "chi", "actor": 0, "target": 3, "pai": "1m", "consumed": ["2m", "3m"]},
        "with an abort that it may not": {"type": "ryukyoku", "actor": 0},
        "with a type that nobody knows": {"type": "explode"},
        "with a type that is a list": {"type": ["dahai"]},
        "without a type": {"actor": 0, "pai": "1m"},
        "with what only the table says": {"type": "start_kyoku", "scores": [10**6, 0, 0, 0]},
    }
    return wishes


WISHES: dict[str, dict[str, Any]] = {
    "majiang": _majiang(),
    "majiang-2015": _majiang_2015(),
    "mjai": _mjai(),
}
"""Replies by dialect and name. `mjai-lines` reads replies like `mjai`."""
NUMBERS = (
    "-1", "0", "-0", "7.0", "1e0", '"7"', '""', "true", "false", "[1]", "{}", "1.5", "1e400", "18446744073709551616",
    "-9223372036854775809", '"' + "1" * 10_000 + '"', "1" * 4000,
)  # fmt: skip
"""JSON values that are no message's number. A reply without a number is not among them."""


@vice(program=())
def writes_the_file(saying: Saying) -> bytes:
    return saying.instead(json.loads(Path("wish.json").read_text("utf-8")))


@vice(program=())
def numbers_it_so(saying: Saying) -> bytes:
    head, _, _ = saying.reply.rpartition(b',"seq":')
    return head + b',"seq":' + Path("wish.json").read_bytes() + b"}\n"


if __name__ == "__main__":
    from jantaku.players.broken.programs.__main__ import main  # lists the vices when it is imported, so only now

    main()
