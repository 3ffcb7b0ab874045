"""Turns go round, silence has a meaning, and nothing is decided twice."""

import pytest

from jantaku.table.riichi.pieces.seats import WINDS
from tests.kit.position import table, text_of

PINFU = "m234678s34588p34"


def test_turns_go_east_south_west_north_and_a_turn_is_draw_and_discard() -> None:
    """S-30, S-02."""
    t = table(draws="z7 z6 z5 z4 m1")
    for wind in "東南西北東":
        assert t.turn == wind
        t.play(".")
    assert t.trace[:6] == ["Draw", "TileDiscard"] * 3


def test_silence_in_the_own_turn_is_tsumogiri() -> None:
    """S-39: the default of every turn after a draw is the drawn tile, whatever else could be done."""
    t = table([PINFU], draws="p5")
    turn = t.kyoku.turn()
    assert turn is not None
    assert text_of(turn[1].default) == "p5_"
    assert "tsumo" in t.offers("東")


def test_silence_about_a_discard_lets_it_go() -> None:
    """S-38: whoever has a choice has passing as its default."""
    t = table(["z1", PINFU, "p55"], draws="p5").act("東p5_")
    for wind in "南西":
        choice = t.kyoku.reaction(WINDS.index(wind), t.kyoku.action)
        assert choice is not None
        assert text_of(choice.default) == "pass"
        assert choice.default in choice.options


def test_options_are_never_repeated() -> None:
    """Of equal tiles one discard is offered; red fives and the drawn tile are discards of their own."""
    t = table(["m005z11223344s12"], rules="tenhou", settings={"tiles.red_m": "2"}, draws="m5")
    offers = t.offers("東")
    assert len(offers) == len(set(offers))
    assert {"m0", "m5", "m5_"} <= set(offers)


def test_a_seat_in_riichi_with_nothing_to_decide_has_one_option() -> None:
    """S-41: it is then not asked, and its drawn tile goes."""
    t = table([PINFU], draws="z7", hidden="p25").play("東z7_* . . .")
    assert len(t.offers("東")) == 1


def test_ron_beats_every_call_and_pon_and_kan_beat_chi() -> None:
    """S-35, S-43: 南 would chi, 西 pon, 北 ron."""
    hands = ["z1", "p46m19", "p55m19", PINFU]
    assert table(hands, draws="p5").play("東p5_ 南p45-6 西p555= 北ron").win.seat == 3
    t = table(hands, draws="p5").play("東p5_ 南p45-6 西p555=")
    assert (t.turn, t.board.last_seat) == ("西", 2)
    t = table(["z1", "p46m19", "p555m1", "m9"], draws="p5", rinshan="m5").play("東p5_ 南p45-6 西p5555=")
    assert t.turn == "西"
    assert table(hands, draws="p5").play("東p5_ 南p45-6").turn == "南"


def test_a_kyoku_lasts_until_somebody_wins_or_it_is_drawn() -> None:
    """S-32."""
    assert table(hidden="p25").pass_to_the_end().trace[-1] == "Ryukyoku"
    assert table([PINFU], draws="p5").play("東tsumo").trace[-1] == "Win"


def test_between_kyoku_everything_is_cleared() -> None:
    """S-98, S-20: rivers, melds, hands and indicators; points and sticks stay."""
    t = table([PINFU, "", "z77m1"], draws="z7", scores=(30000, 20000, 24000, 25000), sticks=1)
    t.play("東z7_* 西z777= 西m1").pass_to_the_end()
    before = t.board.scores[:]
    t.next_kyoku()
    board = t.board
    assert [river.tiles for river in board.rivers] == [[], [], [], []]
    assert not any(hand.melds for hand in board.hands)
    assert (len(board.indicators), board.riichi, board.kans) == (1, [0] * 4, 0)
    dealer = t.start.dealer
    assert board.scores == before[dealer:] + before[:dealer]
    assert board.sticks == 2


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 7])
def test_seats_are_winds_and_players_keep_their_places(number: int) -> None:
    """S-02, S-96: the dealer's wind is 東 in every kyoku."""
    t = table(number=number)
    assert t.start.dealer == (t.game.first_dealer + number) % 4
    assert t.turn == "東"
