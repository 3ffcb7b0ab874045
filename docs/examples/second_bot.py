"""The second bot: counts shanten and the tiles that lower it, declares riichi, and folds."""

from jantaku import KIND, Action, Discard, Question, RiichiPlayer, Ron, Tsumo, best_discards, useful


class Climber(RiichiPlayer):
    """Keeps the hand that is nearest to tenpai by most tiles; against a riichi, what cannot be won."""

    def answer(self, question: Question) -> Action:
        """A win, else the best discard; calls are left to others."""
        if win := self.find(question, Tsumo, Ron):
            return win
        discards = self.find_all(question, Discard)
        if not discards:
            return question.default
        shanten, _ = best_discards(self.hand.counts)
        if self.threats and shanten > 0:
            discards = self.safe(discards) or discards
        seen = self.visible
        return max(discards, key=lambda discard: self.outlook(discard, seen))

    def outlook(self, discard: Discard, seen: list[int]) -> tuple[int, int, bool]:
        """What is left after a discard: shanten (fewer is better), unseen tiles that lower it, whether it is riichi."""
        counts = self.hand.counts[:]
        counts[KIND[discard.tile]] -= 1
        shanten, kinds = useful(counts)
        unseen = sum(4 - seen[kind] for kind in range(34) if kinds >> kind & 1)
        return -shanten, unseen, discard.riichi

    def safe(self, discards: list[Discard]) -> list[Discard]:
        """The discards that nobody in riichi can win on (現物)."""
        masks = [self.safe_against(seat) for seat in self.threats]
        return [discard for discard in discards if all(mask >> KIND[discard.tile] & 1 for mask in masks)]
