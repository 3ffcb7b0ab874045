"""Reads collections of hands: one JSON object per line, plain or gzip; its keys tell the format."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.pieces.tiles import KIND
from scripts.collected import reader_of, texts
from scripts.hands import library, majiang, others, tenhou
from scripts.hands.cases import Case, HandCase, Record

_READERS: tuple[tuple[str, Callable[[Record], Case | None]], ...] = (
    ("in", majiang.hand),
    ("expect", tenhou.hand),
    ("tiles_136", others.mahjong_soul),
    ("n_meld", others.mahjax),
    ("test", library.hand),
    ("waits", majiang.waiting),
    ("x", others.shanten),
)
"""A key that only one format has, and that format's reader, which returns None for an unsupported rule or an impossible
hand."""


def read(path: Path) -> Iterator[tuple[str, Case | None]]:
    """Yield every record of a file: its id and its case, None for an unsupported rule or an impossible hand. BadInput
    with file and line."""
    number = 0
    try:
        for at, text in texts(path):
            number = at
            record = json.loads(text)
            case = reader_of(record, _READERS)(record)
            yield str(record["id"]), None if case is None or _is_impossible(case) else case
    except json.JSONDecodeError as error:
        raise BadInput(f"{path}, line {number}: not JSON ({error.msg}, column {error.colno})") from error
    except KeyError as error:
        raise BadInput(f"{path}, line {number}: the key or tile {error} is missing or unknown") from error
    except (TypeError, ValueError, IndexError, AttributeError) as error:
        raise BadInput(f"{path}, line {number}: not a hand that this command reads ({error})") from error
    if not number:
        raise BadInput(f"{path}: holds no hands")


def _is_impossible(case: Case) -> bool:
    """Return whether it holds a fifth copy of a tile or an impossible number of tiles, as in some unit tests."""
    tiles = case.tehai.tiles
    if isinstance(case, HandCase) and not case.situation.tsumo:
        tiles = [*tiles, case.tile]
    whole = Counter(KIND[tile] for tile in tiles)
    whole.update(KIND[tile] for meld in case.tehai.melds for tile in meld.tiles)
    return max(whole.values()) > 4 or len(tiles) % 3 == 0 or len(tiles) + 3 * len(case.tehai.melds) not in (13, 14)
