"""The 大富豪 bots: legal whatever comes, and in the order of strength that they promise."""

from collections import Counter

import pytest

from jantaku.players.bots.dice import Dice
from jantaku.table.daifugo.cards import cards_text
from jantaku.table.daifugo.events import Agari
from jantaku.table.daifugo.game import DaifugoGame, deals_from
from jantaku.table.daifugo.players import DaifugoGreedy, DaifugoPlayer, DaifugoWeakest
from jantaku.table.ground.port import Player, Question, Verdict
from jantaku.table.judge.judge import Judge
from tests.daifugo.deck import rules
from tests.daifugo.walk import game_of


def points(letter: str, series: int, *kinds: type[Player]) -> Counter[int]:
    """Points by place in `kinds`, seats changing from series to series."""
    table = rules(letter, game__seats=str(len(kinds)), series__rounds="4")
    total = Counter[int]()
    for number in range(series):
        order = [(seat + number) % len(kinds) for seat in range(len(kinds))]
        game = DaifugoGame(table, deals_from("bots", number, len(kinds)), [kinds[place].__name__ for place in order])
        result = Judge(game, [kinds[place]() for place in order], mode="inline").run()
        assert all(set(report.verdicts) <= {Verdict.OK} for report in result.seats)
        for seat, place in enumerate(order):
            total[place] += game.events[-1].points[seat]
    return total


@pytest.mark.parametrize("letter", ["A", "B"])
def test_greedy_beats_weakest_and_weakest_beats_dice(letter: str) -> None:
    total = points(letter, 12, DaifugoGreedy, DaifugoWeakest, DaifugoWeakest, Dice, Dice)
    assert total[0] > total[1] and total[0] > total[2]
    assert min(total[1], total[2]) > max(total[3], total[4])


def test_greedy_does_not_go_out_with_a_forbidden_card_where_it_can_choose() -> None:
    table = rules("B", game__seats="3", series__rounds="6")
    fouls = Counter[str]()
    for number in range(10):
        names = ["greedy", "weakest", "dice"]
        game = DaifugoGame(table, deals_from("fouls", number, 3), names)
        Judge(game, [DaifugoGreedy(), DaifugoWeakest(), Dice(seed=number)], mode="inline").run()
        for event in game.events:
            if isinstance(event, Agari) and event.foul:
                fouls[names[event.seat]] += 1
    assert fouls["greedy"] < fouls["weakest"]


class Knowing(DaifugoPlayer):
    """Writes down what it knows when it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.knew: list[str] = []

    def answer(self, question: Question) -> object:
        self.knew.append(cards_text(self.hand(question)))
        assert self.plays(question) == [option for option in question.options if option.cards]  # type: ignore[attr-defined]
        return question.default


def test_a_player_knows_its_hand_weakest_first() -> None:
    game = game_of(rules("A", game__seats="2", series__rounds="1"), "S3 JK C4 D0", "H5 H6")
    players = [Knowing(), Knowing()]
    Judge(game, players).run()
    assert players[0].knew[0] == "S3 C4 D0 JK" and players[1].knew[0] == "H5 H6"
