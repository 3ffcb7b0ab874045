"""Positions for tests of the rules: a picture of the table, then what the seats do, word by word.

    t = table(["m123p456s789z1155", "p46"], draws="z6 p5", settings={"ron.max_winners": "1"})
    t.play("東z6_ 南p5_ 東ron")
    assert t.deltas == (…)

A word is a wind and what that seat does: a discard (`東m1`, `東m1_` tsumogiri, `東m1*` riichi, `東m1_*`), a meld in
Majiang notation (`南z555=`, `東z1111`, `東z111+1`), `tsumo`, `ron`, `kyuushu`, `tenpai`, `noten`, `pass`; `chombo` for
an answer that cannot be used; or `.` for the turn seat's tsumogiri. Seats that are not named pass. The picture is
described in `jantaku.table.riichi.position`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from jantaku.table.ground.port import Action, Choice
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import CHOMBO
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.seats import WINDS
from jantaku.table.riichi.pieces.tiles import NAMES
from jantaku.table.riichi.pieces.wall import Wall
from jantaku.table.riichi.position import rules_of, stack, standing_at, tiles
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.words import word_of as text_of

__all__ = ["WINDS", "Table", "rules_of", "stack", "table", "text_of", "tiles"]


def table(
    hands: Sequence[str] = (),
    *,
    rules: str = "showa",
    settings: Mapping[str, str] | None = None,
    scores: Sequence[int] | None = None,
    honba: int = 0,
    sticks: int = 0,
    number: int = 0,
    **wall: str,
) -> "Table":
    """Make a game that begins with this kyoku. `scores` by seat; `number` counts kyoku from East 1 = 0."""
    law = rules_of(rules, settings)
    standing = standing_at(law, number=number, honba=honba, sticks=sticks, scores=scores)
    return Table(law, [stack(law, hands, **wall)], standing, first_dealer=-number % 4)


class Table:
    """A game that is played by words. In the first kyoku seats and player ids are the same."""

    def __init__(self, rules: Rules, walls: Sequence[Wall], start: Standing, first_dealer: int = 0) -> None:
        after, ready = walls_from("position", 0, rules), iter(walls)
        names = ("A", "B", "C", "D")
        self.game = RiichiGame(rules, lambda at: next(ready, None) or after(at), names, first_dealer, start)
        self._begin()

    def _begin(self) -> None:
        self.kyoku = self.game.kyoku
        self._from = max(n for n, event in enumerate(self.game.events) if isinstance(event, events.KyokuStart))
        self.start: events.KyokuStart = self.game.events[self._from]
        self._acting: int | None = None
        self._responses: list[Action | None] = [None] * 4

    # --- what the seats do

    def play(self, words: str) -> "Table":
        for word in words.split():
            self._word(word)
        self._rule()
        return self

    def act(self, words: str) -> "Table":
        """Do as `play`, but stop before the ruling on the last word: `offers` then tells the reactions."""
        for word in words.split():
            self._word(word)
        return self

    def pass_until(self, left: int) -> "Table":
        """Let all seats discard what they draw until the turn seat has drawn with `left` tiles in the live wall."""
        while self.board.live > left:
            self.play(".")
        assert self.board.live == left, f"{self.board.live} tiles are left"
        return self

    def pass_to_the_end(self) -> "Table":
        while not self.over:
            self.play(".")
        return self

    def next_kyoku(self) -> "Table":
        assert self.over and not self.game.over, "this kyoku, or the game, has not got there"
        self._begin()
        return self

    def _word(self, word: str) -> None:
        if word == ".":
            self._rule()
            seat, choice = self._turn()
            return self._do(seat, choice, text_of(choice.default))
        seat, said = WINDS.index(word[0]), word[1:]
        offers = self.offers(word[0])
        if self._acting is not None and seat != self._acting and (said in offers or (said == "chombo" and offers)):
            self._responses[seat] = _option(self._reaction(seat), said)
            return None
        self._rule()
        turn, choice = self._turn()
        assert seat == turn, f"{word}: it is the turn of {WINDS[turn]}, and nothing like it was offered before"
        return self._do(seat, choice, said)

    def _do(self, seat: int, choice: Choice, said: str) -> None:
        action = _option(choice, said)
        assert action is not None, f"{WINDS[seat]}{said}: offered are {', '.join(map(text_of, choice.options))}"
        self.game.act(action)
        self._acting = seat
        self._responses = [
            None if other == seat or (can := self._reaction(other)) is None else can.default for other in range(4)
        ]

    def _rule(self) -> None:
        if self._acting is not None:
            self._acting = None
            turned = -self.start.dealer % 4
            self.game.rule((*self._responses[turned:], *self._responses[:turned]))

    def _turn(self) -> tuple[int, Choice]:
        assert not self.over, "the kyoku is over"
        turn = self.kyoku.turn()
        assert turn is not None
        return turn

    def _reaction(self, seat: int) -> Choice | None:
        return self.kyoku.reaction(seat, self.kyoku.action)

    # --- what can be seen

    def offers(self, wind: str) -> list[str]:
        """Return what a seat may do now: its turn, or its reaction to the last action; empty if nothing."""
        choice = self.choice(wind)
        return [] if choice is None else [text_of(option) for option in choice.options]

    def choice(self, wind: str) -> Choice | None:
        """Return the same as a choice; None if the seat may do nothing."""
        seat = WINDS.index(wind)
        if self._acting is not None:
            return None if seat == self._acting else self._reaction(seat)
        turn, offer = self._turn()
        return offer if seat == turn else None

    @property
    def turn(self) -> str:
        return WINDS[self._turn()[0]]

    @property
    def board(self) -> Board:
        return self.kyoku.board

    @property
    def over(self) -> bool:
        return self.kyoku.result is not None

    @property
    def stream(self) -> list[Any]:
        end = next((n for n in range(self._from + 1, len(self.game.events)) if self._is_next(n)), None)
        return list(self.game.events[self._from : end])

    def _is_next(self, index: int) -> bool:
        return isinstance(self.game.events[index], events.KyokuStart | events.HanchanEnd)

    @property
    def wins(self) -> list[events.Win]:
        return [event for event in self.stream if isinstance(event, events.Win)]

    @property
    def win(self) -> events.Win:
        (win,) = self.wins
        return win

    @property
    def yaku(self) -> list[str]:
        return [name for name, _ in self.win.value.yaku]

    @property
    def draw(self) -> events.Ryukyoku:
        (draw,) = (event for event in self.stream if isinstance(event, events.Ryukyoku))
        return draw

    @property
    def indicators(self) -> list[str]:
        return [NAMES[tile] for tile in self.board.indicators]

    @property
    def trace(self) -> list[str]:
        """Names of the kinds of event since the deal, for assertions on their order."""
        return [type(event).__name__ for event in self.stream[1:]]

    @property
    def deltas(self) -> tuple[int, ...]:
        """The points that each seat gained in this kyoku, less the sticks that it placed."""
        return tuple(now - then for now, then in zip(self.board.scores, self.start.scores, strict=True))

    @property
    def standing(self) -> Standing:
        """The standing after the last finished kyoku."""
        return self.game.standing


def _option(choice: Choice | None, said: str) -> Action | None:
    if choice and said == "chombo":
        return CHOMBO
    return next((option for option in choice.options if text_of(option) == said), None) if choice else None
