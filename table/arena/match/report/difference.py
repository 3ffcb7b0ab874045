"""Compares two runs on the same walls, kyoku by kyoku.

A kyoku is compared with the other run's kyoku of the same round, number and honba: both have the same wall, though the
points at their start may differ.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

import msgspec

from jantaku.table.arena.match.folder.records import journals
from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import NOTHING, DrawFact, Fact, WinFact
from jantaku.table.languages.majiang.paifu import in_paifu
from jantaku.table.languages.majiang.words import draw_name
from jantaku.table.records.journal.read import Record, load
from jantaku.table.records.replay.drive import show_fact
from jantaku.table.riichi import events
from jantaku.table.riichi.pieces.melds import meld_text
from jantaku.table.riichi.pieces.notation import kyoku_text
from jantaku.table.riichi.pieces.seats import WINDS, player_of
from jantaku.table.riichi.pieces.tiles import NAMES
from jantaku.table.riichi.words import discard_text

Key = tuple[int, int, int]


class RunSide(msgspec.Struct, frozen=True):
    """One run at the difference: its first event that differs, the end of the kyoku, and the changes of points by
    player id."""

    event: str
    ending: str
    deltas: tuple[int, ...]


class PartedKyoku(msgspec.Struct, frozen=True):
    """A kyoku that both runs played. `event` is the number of the first event that differs, from 1 (the deal); None if
    all are equal."""

    name: str
    event: int | None
    a: RunSide
    b: RunSide


class PartedGame(msgspec.Struct, frozen=True):
    """One hanchan in both runs. `only_a` and `only_b` name the kyoku that only one run played."""

    game: int
    names_a: tuple[str, ...]
    names_b: tuple[str, ...]
    kyoku: tuple[PartedKyoku, ...]
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether both are equal from the first deal to the end."""
        return not (self.only_a or self.only_b) and all(kyoku.event is None for kyoku in self.kyoku)


def partings(a: Path, b: Path) -> Iterator[PartedGame]:
    """Compare two records, or all hanchan that two folders have in common. BadInput if the walls differ."""
    if a.is_file() and b.is_file():
        yield _compared(0, load(a), load(b))
        return
    of_a, of_b = journals(a), journals(b)
    common = sorted(of_a.keys() & of_b.keys())
    if not common:
        raise BadInput(f"{a} and {b} have no hanchan number in common")
    for game in common:
        yield _compared(game, load(of_a[game]), load(of_b[game]))


def _compared(game: int, a: Record, b: Record) -> PartedGame:
    for what in ("seed", "number", "school", "first_dealer"):
        x, y = getattr(a, what), getattr(b, what)
        if x != y or x is None:
            raise BadInput(f"{a.path} and {b.path} were not played on the same walls: {what} {x} and {y}")
    of_a, of_b = _by_key(a), _by_key(b)
    return PartedGame(
        game=game,
        names_a=a.names,
        names_b=b.names,
        kyoku=tuple(_kyoku(key, of_a[key], of_b[key], a.first_dealer) for key in of_a if key in of_b),
        only_a=tuple(kyoku_text(*key) for key in of_a if key not in of_b),
        only_b=tuple(kyoku_text(*key) for key in of_b if key not in of_a),
    )


def _by_key(record: Record) -> dict[Key, Sequence[Fact]]:
    """Return the kyoku of a record, with the facts that a 牌譜 has."""
    found: dict[Key, Sequence[Fact]] = {}
    for kyoku in record.log:
        deal = kyoku[0]
        assert isinstance(deal, events.KyokuStart), "a kyoku begins with its deal"
        found[deal.round_wind, deal.kyoku, deal.honba] = in_paifu(kyoku)
    return found


def _kyoku(key: Key, a: Sequence[Fact], b: Sequence[Fact], first_dealer: int) -> PartedKyoku:
    dealer = player_of(key[1], first_dealer)
    for event, (x, y) in enumerate(zip_longest(a, b), 1):
        if _comparable(x) != _comparable(y):
            return PartedKyoku(kyoku_text(*key), event, _side(x, a, dealer), _side(y, b, dealer))
    return PartedKyoku(kyoku_text(*key), None, _side(None, a, dealer), _side(None, b, dealer))


def _comparable(fact: Fact | None) -> Fact | None:
    """Return a fact without the points at the start of a kyoku."""
    if isinstance(fact, events.KyokuStart):
        return msgspec.structs.replace(fact, scores=NOTHING, sticks=0)
    return fact


def _side(fact: Fact | None, kyoku: Sequence[Fact], dealer: int) -> RunSide:
    results = [one for one in kyoku if isinstance(one, WinFact | DrawFact)]
    deltas = [0, 0, 0, 0]
    for result in results:
        for seat, points in enumerate(result.deltas or NOTHING):
            deltas[player_of(seat, dealer)] += points
    ending = " and ".join(_ending(result) for result in results) or "did not end"
    return RunSide("" if fact is None else _told(fact), ending, tuple(deltas))


def _ending(result: WinFact | DrawFact) -> str:
    if isinstance(result, DrawFact):
        whose = "" if result.offender is None else f" of {WINDS[result.offender]}"
        return f"{draw_name(result.reason)}{whose}"
    how = "tsumo" if result.source is None else f"ron on {WINDS[result.source]}"
    return f"{WINDS[result.seat]} {how} {result.points}"


def _told(fact: Fact) -> str:
    """Describe a fact in a few words; seats are seats of the kyoku."""
    match fact:
        case events.Draw(seat, tile):
            return f"{WINDS[seat]} draws {'' if tile is None else NAMES[tile]}"
        case events.TileDiscard(seat, tile, tsumogiri, riichi):
            return f"{WINDS[seat]} discards {discard_text(tile, tsumogiri, riichi)}"
        case events.MeldCall(seat, meld):
            return f"{WINDS[seat]} calls {meld_text(meld)}"
        case events.OwnKan(seat, meld):
            return f"{WINDS[seat]} declares {meld_text(meld)}"
        case WinFact() | DrawFact():
            return _ending(fact)
    return show_fact(fact)
