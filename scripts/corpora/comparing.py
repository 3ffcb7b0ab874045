"""Compares our engine with records: events, options, the start of a kyoku."""

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from jantaku.table.ground.port import Action, Choice
from jantaku.table.languages.facts import DrawFact, Fact, WinFact
from jantaku.table.languages.mjai.words import TILES
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.pieces.melds import Meld, meld_text
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import NAMES, sort_tiles, tiles_text
from scripts.corpora.record import KyokuRecord, Menu, Offer


class Parted(Exception):
    """Record and engine differ: what the record has, what the engine has."""

    def __init__(self, record: str, engine: str) -> None:
        super().__init__(record, engine)
        self.record, self.engine = record, engine


def compare_start(record: KyokuRecord, event: events.KyokuStart) -> None:
    ours = (event.dealer, event.round_wind * len(event.scores) + event.kyoku, event.honba, event.sticks, event.scores)
    deal = record.deal
    theirs = (deal.dealer, record.number, deal.honba, deal.sticks, deal.scores)
    names = ("dealer", "number", "honba", "sticks", "scores")
    _compare_fields("kyoku starts with", zip(names, theirs, ours, strict=True))


def compare_event(fact: Fact | None, event: events.Event, *, ignore_tsumogiri: bool = False) -> None:
    """Raise Parted if `event` is not what was recorded; `fact` is None if the record has ended."""
    if isinstance(fact, WinFact) and isinstance(event, events.Win):
        _compare_fields(f"win of seat {fact.seat} with", _win_fields(fact, event))
    elif isinstance(fact, DrawFact) and isinstance(event, events.Ryukyoku):
        _compare_fields("draw with", _draw_fields(fact, event))
    else:
        if ignore_tsumogiri and isinstance(fact, events.TileDiscard) and isinstance(event, events.TileDiscard):
            fact = events.TileDiscard(fact.seat, fact.tile, event.tsumogiri, fact.riichi)
        if fact != event:
            raise Parted(tell(fact), tell(event))


def compare_indicators(record: KyokuRecord, opened: Iterable[int]) -> None:
    ours = tuple(opened)
    if ours != record.indicators:
        raise Parted(f"indicators {_tiles(record.indicators)}", f"indicators {_tiles(ours)}")


def without_calls(offer: Offer) -> Offer:
    """Return the offer without chi, pon and daiminkan."""
    left = frozenset(action for action in offer.actions if not isinstance(action, actions.Call))
    return Offer(left, offer.riichi)


def compare_offer(theirs: Offer | None, choice: Choice | None, seat: int, hand: Tehai) -> None:
    """Raise Parted if the options of `seat` differ from its offer in the record."""
    ours = offered(choice)
    if theirs is None:
        if ours.is_nothing:
            raise Parted(f"seat {seat} is asked", "it is not")
        return
    listed = frozenset(as_held(action, hand) for action in theirs.actions)
    if listed != ours.actions:
        raise Parted(f"seat {seat} may {_actions(listed - ours.actions)}", f"it may {_actions(ours.actions - listed)}")
    if isinstance(theirs.riichi, bool):
        if theirs.riichi != bool(ours.riichi):
            raise Parted(f"seat {seat} may declare riichi: {theirs.riichi}", f"{bool(ours.riichi)}")
        return
    declaring = frozenset(as_held(action, hand) for action in theirs.riichi)
    if declaring != ours.riichi:
        assert not isinstance(ours.riichi, bool)
        raise Parted(
            f"seat {seat} may {_actions(declaring - ours.riichi)}", f"it may {_actions(ours.riichi - declaring)}"
        )


def compare_menu(theirs: Menu, choice: Choice | None, seat: int) -> None:
    """Raise Parted if the options of `seat` differ from its menu in the record."""
    ours = menu(choice)
    if theirs != ours:
        more, less = (" ".join(sorted(words)) or "no more" for words in (theirs - ours, ours - theirs))
        raise Parted(f"seat {seat} may {more}", f"it may {less}")


def menu(choice: Choice | None) -> Menu:
    """Return our options as words of mjai: `dahai:5sr`, `reach:5s`, `pon:5s,5sr`, `daiminkan`, `ankan:5s` (the kind,
    because all four are laid down), `kakan:5sr` (the added tile), `nukidora`, `hora`, `kyuushu`."""
    options = () if choice is None else choice.options
    return frozenset(_word(option) for option in options if option != actions.PASS)


def _word(option: Action) -> str:
    match option:
        case actions.Discard(tile, _, riichi):
            return f"{'reach' if riichi else 'dahai'}:{TILES[tile]}"
        case actions.Call(meld) if meld.is_kan:
            return "daiminkan"
        case actions.Call(meld):
            return f"{meld.kind.name.lower()}:{','.join(sorted(TILES[tile] for tile in meld.own))}"
        case actions.Kan(meld):
            return f"{meld.kind.name.lower()}:{TILES[meld.tile_kind if meld.added is None else meld.added]}"
        case actions.SetAside():
            return "nukidora"
        case actions.Tsumo() | actions.Ron():
            return "hora"
    return type(option).__name__.lower()


def offered(choice: Choice | None) -> Offer:
    """Return our options in the form of an offer."""
    options = [] if choice is None else [option for option in choice.options if option != actions.PASS]
    riichi = [option for option in options if isinstance(option, actions.Discard) and option.riichi]
    return Offer(frozenset(options) - frozenset(riichi), frozenset(riichi))  # type: ignore[arg-type]


def as_held(action: Action, hand: Tehai) -> Action:
    """Return a discard as it was made.

    majiang-core also lists, accepts and records the plain five just drawn as a discard from the hand, if the hand holds
    only a red one besides. Such a discard is tsumogiri.
    """
    if isinstance(action, actions.Discard) and action.tile == hand.drawn and hand.count_of(action.tile) == 1:
        return msgspec.structs.replace(action, tsumogiri=True)
    return action


def _compare_fields(what: str, fields: Iterable[tuple[str, Any, Any]]) -> None:
    other = [(name, theirs, ours) for name, theirs, ours in fields if theirs is not None and theirs != ours]
    if other:
        raise Parted(
            f"{what} " + ", ".join(f"{name} {_text(theirs)}" for name, theirs, _ in other),
            ", ".join(_text(ours) for _, _, ours in other),
        )


def _win_fields(fact: WinFact, event: events.Win) -> Iterator[tuple[str, Any, Any]]:
    value = event.value
    liable = {one.seat for one in event.liable}
    yield "seat", fact.seat, event.seat
    # None is a value here: a tsumo has no source.
    yield "source", (fact.source,), (event.source,)
    yield "tile", fact.tile, event.tile
    yield "hand", fact.hand, tuple(sort_tiles(event.hand))
    yield "melds", fact.melds, event.melds
    yield "yaku", None if fact.yaku is None else frozenset(fact.yaku), frozenset(value.yaku)
    yield "yakuman", fact.yakuman, value.yakuman
    yield "fu", fact.fu, value.fu
    yield "han", fact.han, value.han
    yield "points", fact.points, event.points
    yield "deltas", None if fact.miscounted else fact.deltas, event.deltas
    yield "ura", fact.ura, event.ura or ()
    yield "liable", None if fact.liable is None else frozenset(one.seat for one in fact.liable), frozenset(liable)


def _draw_fields(fact: DrawFact, event: events.Ryukyoku) -> Iterator[tuple[str, Any, Any]]:
    shown, told = (
        hands and tuple(hand and tuple(sort_tiles(hand)) for hand in hands) for hands in (event.hands, fact.hands)
    )
    yield "reason", fact.reason, event.reason
    yield "deltas", fact.deltas, event.deltas
    yield "hands", told, shown


# --- in words ----------------------------------------------------------------------------------


def tell(what: object) -> str:
    match what:
        case None:
            return "nothing"
        case events.Draw(seat, tile, rinshan):
            return f"seat {seat} draws {'-' if tile is None else NAMES[tile]}{' (rinshan)' if rinshan else ''}"
        case events.TileDiscard(seat, tile, tsumogiri, riichi):
            return f"seat {seat} discards {_discard(tile, tsumogiri, riichi)}"
        case events.Riichi(seat):
            return f"riichi of seat {seat} stands"
        case events.MeldCall(seat, meld) | events.OwnKan(seat, meld):
            return f"seat {seat} melds {meld_text(meld)}"
        case events.NorthAside(seat):
            return f"seat {seat} sets a north aside"
        case WinFact() | events.Win():
            return f"seat {what.seat} wins"
        case DrawFact() | events.Ryukyoku():
            return f"draw ({what.reason})"
        case actions.Discard(tile, tsumogiri, riichi):
            return _discard(tile, tsumogiri, riichi)
        case actions.Call(meld) | actions.Kan(meld):
            return meld_text(meld)
    return type(what).__name__.lower()


def _discard(tile: int, tsumogiri: bool, riichi: bool) -> str:
    return NAMES[tile] + "_" * tsumogiri + "*" * riichi


def _actions(several: Iterable[object]) -> str:
    return " ".join(sorted(tell(action) for action in several)) or "no more"


def _tiles(tiles: Iterable[int]) -> str:
    return tiles_text(tiles) or "none"


def _text(value: Any) -> str:
    if isinstance(value, frozenset):
        return "{" + " ".join(sorted(_text(each) for each in value)) + "}"
    if isinstance(value, tuple):
        return "(" + " ".join(_text(each) for each in value) + ")"
    return meld_text(value) if isinstance(value, Meld) else str(value)
