"""A bot for riichi mahjong: `jantaku play --players mybot.py,shanten,caller,dice --length one`."""

from jantaku import KIND, Action, Discard, Question, RiichiPlayer, Ron, Tsumo, shanten


class MyBot(RiichiPlayer):
    """Wins where it can, calls nothing, and discards what leaves its hand nearest to tenpai."""

    def answer(self, question: Question) -> Action:
        """Return what to do now: one of `question.options`."""
        if win := self.find(question, Tsumo, Ron):
            return win
        discards = self.find_all(question, Discard)
        if not discards:
            return question.default  # another seat's discard: let it go
        return min(discards, key=self.cost)

    def cost(self, discard: Discard) -> tuple[int, bool, int]:
        """Rate a discard, the best lowest: tiles missing to tenpai, then riichi, then the number of copies seen."""
        kind = KIND[discard.tile]  # 0 to 33, red fives like plain ones; print(discard) and print(self.hand) show text
        left = self.hand.counts[:]
        left[kind] -= 1
        return shanten(left), not discard.riichi, -self.visible[kind]
