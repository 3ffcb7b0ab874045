"""The two forms of a 牌譜, that of majiang-core 1.x and that of 2015. All that differs between them stands here."""

from collections.abc import Sequence
from typing import Any

import msgspec

from jantaku.table.formats.facts import DrawFact, Fact, WinFact
from jantaku.table.formats.majiang.words import Item

_END = ("defen", "point", "rank")


class PaifuForm:
    """How a 牌譜 tells a game: as majiang-core 1.x does."""

    name = "1.x"
    preset = "majiang"
    """The rules of the program whose form it is."""
    fixed = False
    """Whether every record of this form, but for ours, was played by these rules."""

    def told(self, fact: Fact) -> Fact:
        """What of a fact is told: the rest is None."""
        return fact

    def item(self, item: Item) -> Item:
        """One item of a 1.x log in this form."""
        return item

    def end(self, end: Item) -> Item:
        """`defen`, `point` and `rank` of 1.x in this form."""
        return end

    def whole(self, paifu: Item) -> Item:
        """A 1.x 牌譜 in this form."""
        log = [[self.item(item) for item in kyoku] for kyoku in paifu["log"]]
        end = self.end({key: paifu[key] for key in _END})
        return {key: value for key, value in paifu.items() if key not in _END} | {"log": log} | end


class PaifuForm2015(PaifuForm):
    """As in 2015: no riichi mark on hands, no liable seat, points as numbers behind the ranks."""

    name = "2015"
    preset = "majiang-2015"
    fixed = True

    def told(self, fact: Fact) -> Fact:
        """See the base class."""
        if isinstance(fact, WinFact):
            return msgspec.structs.replace(fact, riichi=None, liable=None)
        return msgspec.structs.replace(fact, riichi=None) if isinstance(fact, DrawFact) else fact

    def item(self, item: Item) -> Item:
        """See the base class."""
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
        """See the base class."""
        return {"defen": end["defen"], "rank": end["rank"], "point": [_as_number(text) for text in end["point"]]}


FORM_1 = PaifuForm()
FORM_2015 = PaifuForm2015()


def form_of(point: Any, log: Sequence[Sequence[Fact]]) -> PaifuForm:
    """The form of a 牌譜 with these final points and this log. Where there are no points yet, a hand that was won with
    ura, and so with riichi, and is not marked tells it: 1.x marks it."""
    if isinstance(point, list) and point:
        return FORM_1 if isinstance(point[0], str) else FORM_2015
    wins = (fact for kyoku in log for fact in kyoku if isinstance(fact, WinFact))
    return FORM_2015 if any(win.ura and not win.riichi for win in wins) else FORM_1


def _without_riichi(text: str) -> str:
    return text.replace("*", "")


def _as_number(point: str) -> float | int:
    return int(float(point)) if float(point).is_integer() else float(point)
