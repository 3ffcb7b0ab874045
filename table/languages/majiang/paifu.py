"""The 牌譜: its two forms, its order of play, and the whole game as JSON."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from jantaku.table.languages.facts import DrawFact, EndFact, Fact, WinFact
from jantaku.table.languages.majiang.items import LINES, Encoder, final_of, writes_decimals
from jantaku.table.languages.majiang.reader import fact_of
from jantaku.table.languages.majiang.words import DECISIVE, Item
from jantaku.table.riichi import events
from jantaku.table.riichi.events import DrawReason
from jantaku.table.riichi.rules import Rules

# The two forms of a 牌譜: majiang-core 1.x and 2015. All their differences are here.

_END = ("defen", "point", "rank")


class PaifuForm:
    """The form of a 牌譜 by majiang-core 1.x; subclasses change what differs."""

    name = "1.x"
    preset = "majiang"
    """The preset with the rules of the program that writes this form."""
    fixed = False
    """Whether all records of this form, except ours, were played by these rules."""

    def told(self, fact: Fact) -> Fact:
        """Return a fact with None for each value that this form does not write."""
        return fact

    def item(self, item: Item) -> Item:
        """Return one item of a 1.x log in this form."""
        return item

    def end(self, end: Item) -> Item:
        """Return `defen`, `point` and `rank` of 1.x in this form."""
        return end

    def whole(self, paifu: Item) -> Item:
        """Return a 1.x 牌譜 in this form."""
        log = [[self.item(item) for item in kyoku] for kyoku in paifu["log"]]
        end = self.end({key: paifu[key] for key in _END})
        return {key: value for key, value in paifu.items() if key not in _END} | {"log": log} | end


class PaifuForm2015(PaifuForm):
    """The form of 2015: no riichi mark on hands, no liable seat, points as numbers and after the ranks."""

    name = "2015"
    preset = "majiang-2015"
    fixed = True

    def told(self, fact: Fact) -> Fact:
        if isinstance(fact, WinFact):
            return msgspec.structs.replace(fact, riichi=None, liable=None)
        return msgspec.structs.replace(fact, riichi=None) if isinstance(fact, DrawFact) else fact

    def item(self, item: Item) -> Item:
        if "hule" in item:
            old = {**item["hule"], "shoupai": _without_riichi(item["hule"]["shoupai"])}
            if "hupai" in old:
                old["hupai"] = [{key: yaku[key] for key in ("name", "fanshu")} for yaku in old["hupai"]]
            return {"hule": old}
        if "pingju" in item:
            pingju = item["pingju"]
            return {"pingju": {**pingju, "shoupai": [_without_riichi(text) for text in pingju["shoupai"]]}}
        return item

    def end(self, end: Item) -> Item:
        return {"defen": end["defen"], "rank": end["rank"], "point": [_as_number(text) for text in end["point"]]}


FORM_1 = PaifuForm()
FORM_2015 = PaifuForm2015()


def form_of(point: Any, log: Sequence[Sequence[Fact]]) -> PaifuForm:
    """Recognise the form of a 牌譜 by its final points and log. If it has no points yet, a win with ura, and so with
    riichi, whose hand is not marked `*` is of 2015."""
    if isinstance(point, list) and point:
        return FORM_1 if isinstance(point[0], str) else FORM_2015
    wins = (fact for kyoku in log for fact in kyoku if isinstance(fact, WinFact))
    return FORM_2015 if any(win.ura and not win.riichi for win in wins) else FORM_1


def _without_riichi(text: str) -> str:
    return text.replace("*", "")


def _as_number(point: str) -> float | int:
    return int(float(point)) if float(point).is_integer() else float(point)


# Converts between the order of a 牌譜 and the order of play.
#
# Players hear a new dora indicator before the draw or discard that it belongs to; a 牌譜 has it right after. An
# accepted riichi is an event of its own; a 牌譜 leaves it to be inferred.

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
    waiting: list[T] = []
    for key, item in told:
        if key == "kaigang":
            waiting.append(item)
        elif key == "qipai":
            log.append([item])
        elif key not in ("lizhi", "jieju"):
            if not log:  # a record that begins in the middle of a kyoku
                log.append([])
            log[-1] += [item, *waiting]
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


# The 牌譜: a whole game as Majiang's JSON, in the form of majiang-core 1.x; `forms.py` has the form of 2015.
#
# Beside Majiang's own keys, `jantaku` has what a replay needs: rules, seed and number of the game.


def paifu_of(stream: Sequence[events.Event], rules: Rules, title: str, extra: Item | None = None) -> Item:
    """Return the 1.x 牌譜 of a game, finished or not. `extra` is stored under the key `jantaku`."""
    encoder = Encoder(decimals=writes_decimals(rules))
    items = [item for event in stream if (item := encoder.encode(event)) is not None]
    return _paifu(stream, rules, title, extra, by_kyoku(items))


def paifu_text(stream: Sequence[events.Event], rules: Rules, title: str, extra: Item | None = None) -> bytes:
    """Return the same 牌譜 as JSON text. Frequent events come from a table of finished lines, which is faster."""
    encoder = Encoder()
    log: list[tuple[str, bytes]] = []
    for event in stream:
        line = LINES.get(event)
        if line is not None:
            log.append(("", line))
        elif (item := encoder.encode(event)) is not None:
            log.append((next(iter(item)), msgspec.json.encode(item) + b"\n"))
    kyoku = [b"".join(lines)[:-1].replace(b"\n", b",") for lines in paifu_order(log)]
    text = msgspec.Raw(b"[[" + b"],[".join(kyoku) + b"]]" if kyoku else b"[]")
    return msgspec.json.encode(_paifu(stream, rules, title, extra, text))


def _paifu(stream: Sequence[events.Event], rules: Rules, title: str, extra: Item | None, log: object) -> Item:
    start, end = (stream[0], stream[-1]) if stream else (None, None)
    names, first_dealer = (start.names, start.first_dealer) if isinstance(start, events.HanchanStart) else ((), 0)
    final = EndFact(end.scores, end.ranks, end.tenths) if isinstance(end, events.HanchanEnd) else None
    return paifu(title, names, first_dealer, log, final, extra, decimals=writes_decimals(rules))


def paifu(
    title: str,
    names: Sequence[str],
    first_dealer: int,
    log: object,
    final: EndFact | None,
    extra: Item | None,
    *,
    decimals: bool,
) -> Item:
    """Assemble a 牌譜 from these parts; `final` is None for a game that has not ended."""
    whole: Item = {"title": title, "player": list(names), "qijia": first_dealer, "log": log}
    whole |= {"defen": [], "point": [], "rank": []} if final is None else final_of(final, decimals=decimals)
    return whole | ({"jantaku": extra} if extra else {})
