"""What a seat sees, as one value: the `observation` of RiichiLab, base64 of JSON, which riichienv reads.

Its fields and their order are those of riichienv's `Observation` (serialize_to_base64, 0.4.11).
"""

import base64
import re
from collections.abc import Iterable, Sequence
from typing import TypeVar

import msgspec

from jantaku.table.languages.wire.riichilab.candidates import Candidate
from jantaku.table.languages.wire.riichilab.physical import Physical, told_melds
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.seats import by_player
from jantaku.table.riichi.pieces.tiles import KINDS
from jantaku.table.riichi.points.shapes import waits

T = TypeVar("T")
_IN_A_LINE = re.compile(r'("observation":"\w{8})[^"]*')


def observation(me: int, board: Board, seen: Physical, offered: Iterable[Candidate], events: Sequence[str]) -> str:
    """The observation of player `me`; ids count from the first dealer. `events` are the texts of the events since the
    last observation."""
    dealer, seat = board.kyoku, seen.seat
    hand = board.hands[seat]
    waiting = waits(hand.counts) if hand.size % 3 == 1 else 0

    def told(by_seat: Sequence[T]) -> list[T]:
        return list(by_player(by_seat, dealer))

    value = {
        "player_id": me,
        "hands": told([seen.hand if other == seat else [] for other in range(board.seats)]),
        "melds": told([told_melds(seen.melds[other], other, dealer, board.seats) for other in range(board.seats)]),
        "discards": told(seen.rivers),
        "dora_indicators": seen.indicators,
        "scores": told(board.scores),
        "riichi_declared": told([declared > 0 for declared in board.riichi]),
        "_legal_actions": [one.legal(me) for one in offered],
        "events": list(events),
        "honba": board.honba,
        "riichi_sticks": board.sticks,
        "round_wind": board.round,
        "oya": dealer,
        "kyoku_index": dealer,
        "waits": [kind for kind in range(KINDS) if waiting >> kind & 1],
        "is_tenpai": bool(waiting),
        "tsumogiri_flags": [[] for _ in range(board.seats)],
        "riichi_sutehais": told(seen.riichi),
        "last_tedashis": told(seen.tedashi),
        "last_discard": seen.last,
        "drawn_tile": seen.drawn,
        "forced_tedashi": False,
    }
    return base64.b64encode(msgspec.json.encode(value)).decode()


def shortened(line: str) -> str:
    """A line with only the beginning of its observation, for people."""
    return _IN_A_LINE.sub(r"\1…", line)
