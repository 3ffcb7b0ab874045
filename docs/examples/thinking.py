"""A bot that says what it thinks of its discards, for who looks at the record: docs/reviewing.md."""

from jantaku import KIND, Action, Discard, Question, RiichiPlayer, shanten


class Thinking(RiichiPlayer):
    """Discards what leaves its hand nearest to a win."""

    values: dict[str, int]

    def answer(self, question: Question) -> Action:
        """The best discard by its values, and nothing else."""
        discards = {str(option): option for option in self.find_all(question, Discard)}
        self.values = {name: -self.left_by(option) for name, option in discards.items()}
        return discards[max(self.values, key=self.values.__getitem__)] if discards else question.default

    def left_by(self, option: Discard) -> int:
        """The shanten that a discard leaves."""
        counts = self.hand.counts[:]
        counts[KIND[option.tile]] -= 1
        return shanten(counts)

    def remark(self) -> object:
        """Called after every answer; what it returns is kept in the record."""
        return {"values": self.values} if self.values else None
