"""The two forms of a 牌譜: majiang-core 1.x and 2015. All their differences are here."""

from collections.abc import Sequence
from typing import Any

import msgspec

from jantaku.table.languages.facts import DrawFact, Fact, WinFact
from jantaku.table.languages.majiang.words import Item

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
