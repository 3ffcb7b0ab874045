"""A series: the sequence of a round, tricks, finishes, ranks (§3, §6.4, §6.5), and cases 14 to 19 of §9.3."""

from collections import Counter
from pathlib import Path

import pytest

from jantaku.players.bots.dice import Dice
from jantaku.table.daifugo.cards import CARDS, OPENING, cards_text
from jantaku.table.daifugo.events import Agari, Board, Exchange, Nagare, Revolution, RoundEnd, RoundStart, Thinking
from jantaku.table.daifugo.game import DaifugoGame, deals_from, seats_drawn
from jantaku.table.daifugo.neof5 import Kind, tell
from jantaku.table.daifugo.players import DaifugoGreedy, DaifugoPlayer, DaifugoWeakest
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Player, Question, Verdict
from jantaku.table.judge.judge import Judge
from tests.daifugo.check import check_game
from tests.daifugo.walk import game_of, history, play, rules, said

TWO = rules("A", game__seats="2", series__rounds="2")
THREE = rules("A", game__seats="3", series__rounds="2")
FOUR_B = rules("B", game__seats="4", series__rounds="1")


def dealt(table_seats: int) -> DaifugoGame:
    table = rules("A", game__seats=str(table_seats))
    return DaifugoGame(table, deals_from("7", 0, table_seats), [f"p{seat}" for seat in range(table_seats)])


def test_two_players_are_sent_the_deal_in_seven_steps() -> None:
    """§9 row 14."""
    game, board = dealt(2), Board()
    counts = []
    for event in game.events:
        for kind in tell(board, event, "once"):
            counts.append((kind, len(board.hands[0]), len(board.hands[1])))
            assert board.trick == []
    assert counts[0] == (Kind.START, 0, 0)
    steps = [(5, 5), (10, 10), (15, 15), (20, 20), (25, 25), (27, 26), (27, 26)]
    assert counts[1:-1] == [(Kind.CARD_DISTRIBUTED, *step) for step in steps]
    assert counts[-1][0] is Kind.THINKING


def test_five_players_are_sent_four_steps_and_the_lowest_seats_get_the_extra_cards() -> None:
    """§3.2: 11/11/11/10/10."""
    game = dealt(5)
    assert [len(hand) for hand in game.board.hands] == [11, 11, 11, 10, 10]
    assert said(game).count(Kind.CARD_DISTRIBUTED) == 4


def test_cards_are_dealt_one_by_one_and_depend_on_seed_series_and_round_alone() -> None:
    """A fixed vector: whoever changes the shuffle breaks every record."""
    hands = deals_from("7", 0, 5)(1)
    assert sorted(card for hand in hands for card in hand) == list(range(CARDS))
    assert hands == deals_from("7", 0, 5)(1)
    assert hands != deals_from("7", 1, 5)(1) != deals_from("7", 0, 5)(2)
    # The same deck whatever the number of seats: seat n gets every n-th card of it.
    deck = [card for column in zip(*(hand[:10] for hand in hands), strict=True) for card in column]
    three = deals_from("7", 0, 3)(1)
    assert deck[:9] == [card for column in zip(*(hand[:3] for hand in three), strict=True) for card in column]
    assert deck[:5] == [0, 44, 48, 32, 36]
    assert sorted(seats_drawn("7", 0, 5)) == [0, 1, 2, 3, 4]


def test_the_joker_goes_to_every_seat_alike() -> None:
    """§7.1 #8: the original favoured seat 0 about three times."""
    holders = [0] * 5
    for number in range(500):
        hands = deals_from("fair", number, 5)(1)
        holders[next(seat for seat, hand in enumerate(hands) if 52 in hand)] += 1
    assert min(holders) > 60 and max(holders) < 145


def test_without_ranks_the_holder_of_the_three_of_spades_leads_and_need_not_play_it() -> None:
    """§9 row 16, §3.2."""
    game = dealt(5)
    turn = game.turn()
    assert turn is not None
    assert OPENING in game.board.hands[turn.seat]
    play(game, "default")
    assert "PASS" not in history(game)


def test_with_ranks_two_cards_are_exchanged_in_one_message_to_all_and_the_last_one_leads() -> None:
    """§9 row 15, §3.2 steps 5 and 6: the leader is fixed before the exchange, S3 or not."""
    game = game_of(TWO, "S3 C4 H5 SK", "D3 C6 HA S2", ranks=(-2, 2))
    kinds = said(game)
    assert kinds.count(Kind.CARD_SWAPPED) == 1
    assert kinds.index(Kind.CARD_SWAPPED) > kinds.index(Kind.CARD_DISTRIBUTED)
    exchange = next(event for event in game.events if isinstance(event, Exchange))
    assert len(exchange.gifts) == 2
    assert game.board.turn == 0  # the 大貧民


def test_the_neof5_preset_sends_one_message_for_each_pair() -> None:
    """§7.3."""
    hands = ["S3 C4 H5", "D3 C6 HA", "C7 C8 C9", "D7 D8 D9"]
    for preset, messages in (("strict", 1), ("neof5", 2)):
        table = rules("A", preset, game__seats="4")
        assert said(game_of(table, *hands, ranks=(-2, 2, 1, -1))).count(Kind.CARD_SWAPPED) == messages


def test_received_cards_stand_last_until_the_hands_are_sorted() -> None:
    """§3.3."""
    board = Board()
    game = game_of(TWO, "S3 HK C4 H5", "D3 C6 HA S2", ranks=(-2, 2))
    for event in game.events:
        event.apply(board)
        if isinstance(event, Exchange):
            # Seat 1, the 大富豪, gave its two weakest cards and got the two strongest of seat 0.
            assert [cards_text(hand) for hand in board.hands] == ["S3 C4 D3 C6", "HA S2 H5 HK"]
    assert all(hand == sorted(hand) for hand in board.hands)


def test_a_trick_ends_when_all_others_have_passed_and_its_maker_leads() -> None:
    """§9 row 18: for everybody Thinking, CardsArePut, and after the second pass Nagare; then the same player leads."""
    game = game_of(THREE, "S3 C4 C5", "D4 D5 D6", "H4 H5 H6")
    for lead in ("S3", "C4"):
        start = len(game.events)
        play(game, lead, "")
        assert [len(game.board.trick)] == [1]
        play(game, "")
        assert said(game, start) == [
            Kind.CARDS_ARE_PUT, Kind.THINKING, Kind.CARDS_ARE_PUT, Kind.THINKING,
            Kind.CARDS_ARE_PUT, Kind.NAGARE, Kind.THINKING,
        ]  # fmt: skip
        assert game.board.trick == [] and game.board.turn == 0
    assert history(game) == "0-[S3] 1-PASS 2-PASS / 0-[C4] 1-PASS 2-PASS /"


def test_a_pass_locks_nobody_out_of_the_trick() -> None:
    """§6.2."""
    game = game_of(THREE, "S3 C9", "D4 D8", "H6 H9")
    play(game, "S3", "", "H6", "C9")
    assert history(game) == "0-[S3] 1-PASS 2-[H6] 0-[C9] 0-AGARI"
    play(game, "")
    assert game.board.trick[-1] == (24,) and not any(isinstance(event, Nagare) for event in game.events)
    play(game, "")
    assert isinstance(game.events[-2], Nagare)


def test_when_the_maker_is_out_all_who_are_left_must_pass_and_the_next_after_him_leads() -> None:
    """§6.4: a play that empties a hand does not end the trick."""
    game = game_of(THREE, "D4 D5", "S3 HK", "H6 C7 C8")
    play(game, "S3", "H6", "", "HK")
    assert game.board.places == [0, 1, 0] and game.board.turn == 2
    play(game, "", "")
    assert history(game).endswith("1-[HK] 1-AGARI 2-PASS 0-PASS /")
    assert game.board.turn == 2


def test_two_players_of_whom_one_always_passes() -> None:
    """§9 row 19: Agari, then Finish with the new ranks; no Agari for the last holder."""
    game = game_of(TWO, "S3 C4", "D4 D5 D6")
    play(game, "S3", "")
    start = len(game.events)
    play(game, "C4")
    kinds = said(game, start)
    assert kinds[:3] == [Kind.CARDS_ARE_PUT, Kind.AGARI, Kind.FINISH]
    end = next(event for event in game.events if isinstance(event, RoundEnd))
    assert (end.places, end.ranks) == ((1, 2), (2, -2))
    assert [event.seat for event in game.events if isinstance(event, Agari)] == [0]


def test_the_leader_may_not_pass_and_his_default_is_the_weakest_card() -> None:
    """§5.2 #3, §7.1 #7: the original waits for ever."""
    game = game_of(THREE, "S3 H2 JK", "D4", "H4")
    turn = game.turn()
    assert turn is not None
    assert () not in [getattr(option, "cards", None) for option in turn.choice.options]
    play(game, "default")
    assert history(game) == "0-[S3]"
    turn = game.turn()
    assert turn is not None and turn.choice.default == turn.choice.options[0]


def test_a_player_who_can_only_pass_is_asked_all_the_same() -> None:
    """§3.2: passing is never automatic."""
    game = game_of(THREE, "S3 H2", "D4", "H4")
    play(game, "H2")
    turn = game.turn()
    assert turn is not None and len(turn.choice.options) == 1 and turn.choice.asks


def test_four_cards_turn_the_order_and_four_more_turn_it_back() -> None:
    """§6.2, §3.2 d: the message comes right after the play."""
    game = game_of(THREE, "S3 C5 D5 H5 S5 C9 D9", "C6 D6 H6 S6 C0", "C4 D4 H4 S4 CJ")
    play(game, "C5 D5 H5 S5")
    assert isinstance(game.events[-2], Revolution) and isinstance(game.events[-1], Thinking)
    assert game.board.revolution
    turn = game.turn()
    assert turn is not None and len(turn.choice.options) == 1  # sixes are weaker now
    play(game, "", "C4 D4 H4 S4")
    assert not game.board.revolution


def test_a_revolution_lasts_to_the_end_of_the_round_and_no_longer() -> None:
    """§6.2, §4.1."""
    game = game_of(TWO, "S3 C5 D5 H5 S5", "C6 D6 H6 S6")
    play(game, "C5 D5 H5 S5", "", "S3")
    assert isinstance(next(e for e in reversed(game.events) if isinstance(e, RoundStart)), RoundStart)
    assert game.board.round == 2 and not game.board.revolution


def test_a_kaidan_of_four_is_a_revolution_in_class_b() -> None:
    """§6.3."""
    game = game_of(FOUR_B, "S3 S4 S5 JK CA", "D4 D5", "H4 H5", "C4 C5")
    play(game, "S3 S4 S5 JK")
    assert game.board.revolution


def test_offenders_get_the_last_places_from_the_end() -> None:
    """§6.5: first offender last place, second last-but-one; the play stays on 場."""
    game = game_of(FOUR_B, "S3 H2", "D4 D2", "H5 HK", "C6 C7 C8")
    play(game, "S3", "D4", "H5", "C6", "H2", "", "", "")
    assert game.board.places == [4, 0, 0, 0]
    assert game.board.trick == [] and game.board.turn == 1  # who is next to the maker leads
    play(game, "D2")
    assert game.board.places == [4, 3, 0, 0] and game.board.trick == [(49,)]
    play(game, "", "", "HK")
    assert game.events[-2] == RoundEnd((4, 3, 1, 2), (-2, -1, 2, 1), (0, 3, 5, 4))
    assert [bool(event.foul) for event in game.events if isinstance(event, Agari)] == [True, True, False]


@pytest.mark.parametrize(("when", "place"), [("after", 1), ("before", 3)])
def test_four_twos_at_the_end_are_judged_after_their_own_revolution_or_before_it(when: str, place: int) -> None:
    """§6.5, §8: the original judges after toggling."""
    table = rules("B", game__seats="3", finish__revolution=when)
    game = game_of(table, "S3 C2 D2 H2 S2", "D4 D5", "H4 H5")
    play(game, "S3", "", "", "C2 D2 H2 S2")
    assert game.board.places[0] == place


def test_class_a_knows_no_forbidden_finish() -> None:
    """§6.2."""
    game = game_of(THREE, "S3 JK", "D4 D5", "H4 H5")
    play(game, "S3", "", "", "JK")
    assert game.board.places[0] == 1


def test_ranks_are_carried_to_the_next_round_and_points_add_up() -> None:
    """§3.5."""
    game = game_of(THREE, "S3 C4", "D4 D5 D6", "H4 H5 H6")
    play(game, "S3", "", "", "C4", "", "", "D4", "", "D5", "", "D6")
    starts = [event for event in game.events if isinstance(event, RoundStart)]
    assert [start.ranks for start in starts] == [(0, 0, 0), (2, 0, -2)]
    assert game.board.points == [5, 4, 0]
    assert game.board.turn == 2  # the 大貧民 leads, whoever holds S3


def test_after_the_last_round_the_game_is_over() -> None:
    game = game_of(rules("A", game__seats="2", series__rounds="1"), "S3", "D4 D5")
    play(game, "S3")
    assert game.turn() is None and game.over
    assert game.events[-1].places == (1, 2) and game.events[-1].points == (5, 0)


def test_as_many_players_as_seats_or_the_table_says_so() -> None:
    with pytest.raises(BadInput, match=r"players: 2 given for the 5 seats of game\.seats"):
        DaifugoGame(rules(), deals_from("1", 0, 2), ["a", "b"])


@pytest.mark.long
@pytest.mark.parametrize("preset", ["strict", "neof5"])
@pytest.mark.parametrize("letter", ["A", "B"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_random_games_keep_every_law(letter: str, preset: str, seats: int, tmp_path: Path) -> None:
    """Cards conserved, nothing hidden is heard, the history parses back, ranks a permutation, the record verifies."""
    table = rules(letter, preset, game__seats=str(seats), series__rounds="2")
    assert check_game(table, seed=seats, folder=tmp_path) > 0


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
