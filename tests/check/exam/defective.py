"""Ten bots with one defect each, every one of a kind that real bots have had. Apart from it they play the default."""

from jantaku.players.base import Happening, RiichiPlayer
from jantaku.table.ground.port import Action, Question
from jantaku.table.riichi.actions import DISCARDS, KYUUSHU, PASS, RON, Kan
from jantaku.table.riichi.events import HanchanEnd, KyokuStart, OwnKan, Win
from jantaku.table.riichi.pieces.melds import ankan
from jantaku.table.riichi.pieces.tiles import KIND, YAOCHUU
from jantaku.table.riichi.points import shapes

KINDS_FOR_KYUUSHU = 9


class Sound(RiichiPlayer):
    """No defect: what it answers unless the defect shows."""

    def answer(self, question: Question) -> Action:
        wrong = self.defect(question)
        return question.default if wrong is None else wrong

    def defect(self, question: Question) -> Action | None:
        """What is wrong with it; None where that does not show."""
        return None


class ChangesItsHandInRiichi(Sound):
    """riichi: discards another tile rather than the fourth of a triplet."""

    def defect(self, question: Question) -> Action | None:
        kan = self.find(question, Kan)
        other = next((tile for tile in self.hand.tiles if tile != self.hand.drawn), None)
        return DISCARDS[other] if kan and other is not None and self.board.riichi[self.seat] else None


class ForgetsThatARinshanTileIsDrawn(Sound):
    """kan: the tile drawn after a kan goes as one from the hand."""

    def defect(self, question: Question) -> Action | None:
        drawn = self.hand.drawn
        return DISCARDS[drawn] if drawn is not None and self.board.rinshan else None


class HasNoAnswerToAKan(Sound):
    """robbed-kan: does not reckon with being asked about a kan."""

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__(seed=seed)
        self.last: Happening | None = None

    def hear(self, event: Happening) -> None:
        super().hear(event)
        self.last = event

    def answer(self, question: Question) -> Action:
        return None if isinstance(self.last, OwnKan) and PASS in question.options else question.default


class ReckonsWithOneWinner(Sound):
    """double-ron: cannot bear a second win."""

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__(seed=seed)
        self.won = False

    def hear(self, event: Happening) -> None:
        super().hear(event)
        if isinstance(event, KyokuStart):
            self.won = False
        if isinstance(event, Win):
            if self.won:
                raise RuntimeError("the kyoku is over already")
            self.won = True


class KansWithTheLastTile(Sound):
    """last-tile: a kan although nothing can be drawn after it."""

    def defect(self, question: Question) -> Action | None:
        hand = self.hand
        if self.board.live or hand.drawn is None or hand.counts[KIND[hand.drawn]] < 4:
            return None
        return Kan(ankan(*(tile for tile in hand.tiles if KIND[tile] == KIND[hand.drawn])))


class WinsInFuriten(Sound):
    """furiten: does not look into its own river."""

    def defect(self, question: Question) -> Action | None:
        tile, waits = self.board.last_tile, shapes.waits(self.hand.counts)
        if PASS not in question.options or tile is None or not waits >> KIND[tile] & 1:
            return None
        return RON if waits & self.board.rivers[self.seat].kinds else None


class SwapsWhatItCalled(Sound):
    """kuikae: discards the kind that it has just called."""

    def defect(self, question: Question) -> Action | None:
        hand = self.hand
        called = hand.melds[-1].called if hand.melds and hand.drawn is None and PASS not in question.options else None
        return DISCARDS[called] if called is not None and hand.holds(called) else None


class AbortsWheneverItCouldHave(Sound):
    """kyuushu: counts kinds and nothing else."""

    def defect(self, question: Question) -> Action | None:
        hand = self.hand
        many = (hand.one & YAOCHUU).bit_count() >= KINDS_FOR_KYUUSHU
        return KYUUSHU if many and hand.drawn is not None else None


class MustBeThereFromTheStart(Sound):
    """joined: loses its way when it hears of several kyoku before it is asked for the first time."""

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__(seed=seed)
        self.unasked = 0

    def hear(self, event: Happening) -> None:
        super().hear(event)
        self.unasked += isinstance(event, KyokuStart)
        if self.unasked > 2:
            raise RuntimeError("this is not the kyoku that I am in")

    def answer(self, question: Question) -> Action:
        self.unasked = 0
        return super().answer(question)


class CannotLetGo(Sound):
    """hanchan: does not reckon with the end of a game."""

    def hear(self, event: Happening) -> None:
        if isinstance(event, HanchanEnd):
            raise RuntimeError("one more")
        super().hear(event)


DEFECTS = {
    "riichi": ChangesItsHandInRiichi,
    "kan": ForgetsThatARinshanTileIsDrawn,
    "robbed-kan": HasNoAnswerToAKan,
    "double-ron": ReckonsWithOneWinner,
    "last-tile": KansWithTheLastTile,
    "furiten": WinsInFuriten,
    "kuikae": SwapsWhatItCalled,
    "kyuushu": AbortsWheneverItCouldHave,
    "joined": MustBeThereFromTheStart,
    "hanchan": CannotLetGo,
}
"""The bot whose defect each item is there to find."""
