"""The forms of a 牌譜: of majiang-core 1.x, of 2015, and of @kobalab/tenhou-log. All their differences are here."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from jantaku.table.languages.facts import OUR_YAKU, TENHOU_DRAW, DrawFact, Fact, WinFact, in_order
from jantaku.table.languages.majiang.rule import Item
from jantaku.table.riichi.events import DrawReason

_END = ("defen", "point", "rank")


class PaifuForm:
    """The form of a 牌譜 by majiang-core 1.x; subclasses change what differs."""

    name = "1.x"
    preset = "majiang"
    """The preset with the rules of the program that writes this form."""
    fixed = False
    """Whether all records of this form, except ours, were played by these rules."""
    exact = True
    """Whether what is written of the same game in this form is the same text."""

    def told(self, fact: Fact) -> Fact:
        """Return a fact with None for each value that this form does not write."""
        return fact

    def item(self, item: Item) -> Item:
        """Return one item of a 1.x log in this form."""
        return item

    def end(self, end: Item) -> Item:
        """Return `defen`, `point` and `rank` of 1.x in this form."""
        return end

    def rules_in(self, title: str) -> dict[str, str]:
        """Return the rules that the title tells, as texts by key."""
        return {}

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


class PaifuFormOfTenhou(PaifuForm):
    """The form of @kobalab/tenhou-log, which makes a 牌譜 of Tenhou's log: the facts are Majiang's, the words Tenhou's.
    No hand is marked `*`, no seat liable; ura dora may count nothing."""

    name = "tenhou-log"
    preset = "tenhou"
    fixed = True
    exact = False

    def told(self, fact: Fact) -> Fact:
        if isinstance(fact, WinFact):
            yaku = in_order((OUR_YAKU.get(name, name), worth) for name, worth in fact.yaku or () if worth)
            return msgspec.structs.replace(fact, riichi=None, liable=None, yaku=yaku)
        if isinstance(fact, DrawFact):
            reason = DrawReason.EXHAUSTIVE if fact.reason == TENHOU_DRAW else fact.reason
            return msgspec.structs.replace(fact, riichi=None, reason=reason)
        return fact

    def rules_in(self, title: str) -> dict[str, str]:
        told = _TENHOU_TITLE.match(title)
        if told is None:
            return {}
        length, tanyao, reds = told.groups()
        rules = {"game.length": "tonpu"} if length == "東" else {}
        rules |= {} if tanyao else {"score.open_tanyao": "false"}
        return rules | ({} if reds else {f"tiles.red_{suit}": "0" for suit in "mps"})


FORM_1 = PaifuForm()
FORM_2015 = PaifuForm2015()
FORM_OF_TENHOU = PaifuFormOfTenhou()
_TENHOU_TITLE = re.compile("四[般上特鳳]([東南])(喰?)(赤?)")


def form_of(point: Any, log: Sequence[Sequence[Fact]]) -> PaifuForm:
    """Recognise the form of a 牌譜 by its final points and log. If it has no points yet, a win with ura, and so with
    riichi, whose hand is not marked `*` is of 2015. Tenhou's words are those of tenhou-log."""
    if any(_is_in_words_of_tenhou(fact) for kyoku in log for fact in kyoku[-1:]):
        return FORM_OF_TENHOU
    wins = (fact for kyoku in log for fact in kyoku if isinstance(fact, WinFact))
    unmarked = any(win.ura and not win.riichi for win in wins)
    if isinstance(point, list) and point:
        of_text = FORM_OF_TENHOU if unmarked else FORM_1
        return of_text if isinstance(point[0], str) else FORM_2015
    return FORM_2015 if unmarked else FORM_1


def _is_in_words_of_tenhou(fact: Fact) -> bool:
    if isinstance(fact, DrawFact):
        return fact.reason == TENHOU_DRAW
    return isinstance(fact, WinFact) and any(name in OUR_YAKU or not worth for name, worth in fact.yaku or ())


def _without_riichi(text: str) -> str:
    return text.replace("*", "")


def _as_number(point: str) -> float | int:
    return int(float(point)) if float(point).is_integer() else float(point)
