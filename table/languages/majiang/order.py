"""Converts between the order of a 牌譜 and the order of play.

Players hear a new dora indicator before the draw or discard that it belongs to; a 牌譜 has it right after. An accepted
riichi is an event of its own; a 牌譜 leaves it to be inferred.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from jantaku.table.languages.facts import DrawFact, Fact, WinFact
from jantaku.table.languages.majiang.reader import fact_of
from jantaku.table.languages.majiang.rule import DECISIVE, Item
from jantaku.table.riichi import events
from jantaku.table.riichi.events import DrawReason

T = TypeVar("T")
_MOVED = ("qipai", "kaigang", "lizhi", "jieju")
"""Items that a 牌譜 has at another place than the stream, or not at all; `qipai` begins a kyoku."""
_MOVED_FACTS: dict[type, str] = {events.KyokuStart: "qipai", events.Dora: "kaigang", events.Riichi: "lizhi"}


def by_kyoku(items: Iterable[Item]) -> list[list[Item]]:
    """Reorder the items of a stream into the `log` of a 牌譜."""
    return paifu_order((next((key for key in _MOVED if key in item), ""), item) for item in items)


def in_paifu(kyoku: Sequence[Fact]) -> list[Fact]:
    """Reorder one kyoku from the order of play to the order of a 牌譜; the inverse of `play_order`."""
    (order,) = paifu_order((_MOVED_FACTS.get(type(fact), ""), fact) for fact in kyoku)
    return order


def with_answers(items: Sequence[Item], kyoku: int, answers: Mapping[tuple[int, int], Item]) -> list[Item]:
    """Insert the `turn` lines of `kyoku` (from 1) into items in the order of play, as a journal has them: before the
    items that follow from them. `answers` is keyed as `Record.answers`."""
    mixed: list[Item] = []
    before = 0
    for item in items:
        if "lizhi" not in item and before >= 0 and (line := answers.get((kyoku, before))) is not None:
            mixed.append(line)
            before = -before  # each line only once
        if item.keys() & DECISIVE:
            before = abs(before) + 1
        mixed.append(item)
    return mixed


def paifu_order(told: Iterable[tuple[str, T]]) -> list[list[T]]:
    """Group items by kyoku, in the order of a 牌譜. `told` has pairs of an item's key and the item."""
    log: list[list[T]] = []
    kyoku: list[T] = []
    waiting: list[T] = []
    for key, item in told:
        if key == "qipai":
            kyoku = [item]
            log.append(kyoku)
        elif key == "kaigang":
            waiting.append(item)
        elif key not in ("lizhi", "jieju"):
            if not log:  # a record that begins in the middle of a kyoku
                log.append(kyoku)
            kyoku.append(item)
            if waiting:
                kyoku += waiting
                waiting = []
    return log


def play_order(kyoku: Sequence[Fact]) -> list[Fact]:
    """Reorder one kyoku of a 牌譜 into the order of play, accepted riichi included."""
    ordered: list[Fact] = []
    for number, fact in enumerate(kyoku):
        if isinstance(fact, events.Dora) and ordered:
            ordered.insert(len(ordered) - (2 if isinstance(ordered[-1], events.Riichi) else 1), fact)
            continue
        ordered.append(fact)
        if isinstance(fact, events.TileDiscard) and fact.riichi:
            following = next((one for one in kyoku[number + 1 :] if not isinstance(one, events.Dora)), None)
            if following is not None and stands(following):
                ordered.append(events.Riichi(fact.seat))
    return ordered


def stands(following: Fact) -> bool:
    """Whether a riichi is accepted, by the fact that follows the declaring discard: not after a ron, an abortion by
    three rons, or a chombo."""
    # three nagashi also abort as SANCHAHOU, but after all riichi are accepted: then no hand is opened
    if isinstance(following, DrawFact):
        if following.reason == DrawReason.CHOMBO:
            return False
        return not (following.reason == DrawReason.SANCHAHOU and any(following.hands or ()))
    return not isinstance(following, WinFact)


def facts_of(kyoku: Sequence[Item], first_dealer: int = 0) -> list[Fact]:
    """Read the items of one kyoku of a 牌譜 as facts in the order of play."""
    return play_order([fact_of(item, first_dealer) for item in kyoku])
