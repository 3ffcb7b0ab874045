"""Reads games of Tenhou: the log (mjlog) and the walls that the server dealt."""

import base64
from collections.abc import Mapping, Sequence

import msgspec

from jantaku.table.languages.facts import sorted_hands
from jantaku.table.languages.mjlog import (
    NO_REDS,
    LogHead,
    Tag,
    facts_of,
    final_of,
    head_of,
    kyoku_in,
    numbered,
    tags_of,
)
from jantaku.table.records.convert.mjlog import rules_told
from jantaku.table.riichi import events
from jantaku.table.riichi.pieces.seats import player_of
from jantaku.table.riichi.pieces.wall import HAND, SIZES, Wall
from scripts.corpora.record import Decision, GameRecord, KyokuRecord, Line, Skipped, dealt, derived_decisions, game_of

_UNUSABLE = {
    "custom_lobby": "a lobby with rules that the log does not name",
    "old_rule": "older than today's rules",
    "truncated": "the log breaks off",
}
_POINTS_DIFFER = "points_differ"
_Menus = Mapping[str, Mapping[str, Sequence[str]]]
_DEAD = 14
_RINSHAN = {4: (1, 0, 3, 2), 3: (1, 0, 3, 2, 5, 4, 7, 6)}
"""By number of players: places of the rinshan tiles; behind them ura dora and dora alternate."""


def read_game(line: Line) -> GameRecord | Skipped:
    """Read one line with `xml` (the log) and `walls` (a byte per tile, base64). `menus`, if present, has the options by
    kyoku, play (from 1) and player."""
    if line.get("check") in _UNUSABLE:
        return Skipped(line["id"], _UNUSABLE[line["check"]])
    tags = tags_of(line["xml"].encode()).all
    head = head_of(tags)
    parts = list(kyoku_in(tags))
    menus = line.get("menus") or [None] * len(parts)
    kyoku = tuple(_kyoku(*one, head) for one in zip(parts, line["walls"], menus, strict=True))
    final = final_of(tags, head.players)
    rules = rules_told(head, [one.deal for one in kyoku], final)
    if final and line.get("check") == _POINTS_DIFFER:
        final = msgspec.structs.replace(final, tenths=None)
    return game_of(line["id"], rules, kyoku, final)


def _kyoku(part: Sequence[Tag], wall: str, menus: _Menus | None, head: LogHead) -> KyokuRecord:
    dealt_wall = _wall([numbered(tile, reds=not head.kind & NO_REDS) for tile in base64.b64decode(wall)])
    deal, *told = facts_of(part, head)
    assert isinstance(deal, events.KyokuStart), "a kyoku begins with its deal"
    deal = msgspec.structs.replace(deal, hands=sorted_hands(dealt_wall.hands))
    facts = tuple(fact for fact in told if not isinstance(fact, events.Dora))
    opened = [fact for fact in told if isinstance(fact, events.Dora)]
    decisions = derived_decisions(facts)
    if menus is not None:
        decisions = tuple(_offered(*one, menus, deal.dealer, dealt_wall.seats) for one in enumerate(decisions, 1))
    return KyokuRecord((deal, *opened, *facts), dealt_wall, decisions)


def _offered(play: int, decision: Decision, menus: _Menus, dealer: int, seats: int) -> Decision:
    """Return the decision about a play with the options of every seat. A seat that is not named is not asked."""
    asked = menus.get(str(play), {})
    players = (player_of(seat, dealer, seats) for seat in range(seats))
    offers = {seat: frozenset(asked.get(str(player), ())) for seat, player in enumerate(players)}
    return msgspec.structs.replace(decision, offers=offers)


def _wall(tiles: list[int]) -> Wall:
    """Make a wall, which is dealt from the end."""
    seats = SIZES[len(tiles)]
    hands, rinshan = HAND * seats, _RINSHAN[seats]
    dead = [tiles[place] for place in rinshan]
    for ura in range(len(rinshan), _DEAD, 2):
        dead += tiles[ura + 1], tiles[ura]
    return Wall(dealt(tiles[: -hands - 1 : -1], seats), tiles[-hands - 1 : _DEAD - 1 : -1], dead)
