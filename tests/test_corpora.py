"""The readers of other programs' games, and what is known to be wrong in what they read."""

from typing import Any

import msgspec

from jantaku.table.languages.facts import WinFact
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.pieces.melds import chi, daiminkan, pon
from jantaku.table.riichi.pieces.tehai import tehai_of
from jantaku.table.riichi.pieces.tiles import TILE
from scripts.corpora.comparing import as_held
from scripts.corpora.following import follow
from scripts.corpora.majiang import lists_all_options
from scripts.corpora.record import GameRecord
from scripts.corpora.tenhou import read_game as read_tenhou
from tests.kit.games import (
    MAJIANG,
    TENHOU,
    difference,
    ended,
    everything,
    lines,
    record,
    records,
    with_decision,
    with_fact,
)

# --- what the sources get wrong ----------------------------------------------------------------


def miscounted() -> tuple[GameRecord, int, int]:
    """A game that ends with such a win: the numbers of kyoku and fact."""
    for game in records(MAJIANG):
        facts = game.kyoku[-1].facts
        for place, fact in enumerate(facts):
            if isinstance(fact, WinFact) and fact.miscounted:
                return game, len(game.kyoku) - 1, place
    raise AssertionError("no such game")


def test_a_win_that_majiang_core_miscounts_is_compared_with_the_right_value() -> None:
    """It takes only the first red five of a run such as p005 for a five where fives are dora."""
    game, number, place = miscounted()
    win = game.kyoku[number].facts[place]
    assert isinstance(win, WinFact)
    told = next(item["hule"] for item in line_of(game)["paipu"]["log"][number] if "hule" in item)
    assert win.han == told["fanshu"] + 1
    assert follow(game)[1] is None
    assert "han 9" in str(difference(with_fact(game, number, place, han=9)))


def test_after_a_miscounted_win_the_game_goes_on_as_it_was_paid() -> None:
    game, number, place = miscounted()
    win = game.kyoku[number].facts[place]
    assert isinstance(win, WinFact)
    assert game.final is not None and win.deltas is not None
    more = tuple(100 if delta > 0 else -100 if delta < 0 else 0 for delta in win.deltas)
    deltas = tuple(delta + extra for delta, extra in zip(win.deltas, more, strict=True))
    dealer = game.kyoku[number].deal.dealer
    scores = tuple(score + more[(player - dealer) % 4] for player, score in enumerate(game.final.scores))
    paid = msgspec.structs.replace(
        with_fact(game, number, place, deltas=deltas),
        final=msgspec.structs.replace(game.final, scores=scores, tenths=None),
    )
    assert follow(paid)[1] is None
    assert "deltas" in str(difference(with_fact(paid, number, place, miscounted=False)))


def line_of(game: GameRecord) -> dict[str, Any]:
    return next(line for line in lines(MAJIANG) if line["id"] == game.name)


def test_a_plain_five_that_was_just_drawn_is_tsumogiri_whatever_majiang_core_calls_it() -> None:
    """Beside a red five it lists, accepts and records such a five as one from the hand."""
    red, five = TILE["m0"], TILE["m5"]
    hand = tehai_of([red, TILE["m1"]])
    hand.draw(five)
    assert as_held(actions.Discard(five), hand) == actions.Discard(five, tsumogiri=True)
    assert as_held(actions.Discard(red), hand) == actions.Discard(red)
    hand.add(five)
    assert as_held(actions.Discard(five), hand) == actions.Discard(five)


def test_the_recorded_games_show_a_five_that_is_called_so() -> None:
    drawn, made = record(MAJIANG, "nopenalty-813023").kyoku[0].facts[:2]
    assert isinstance(drawn, events.Draw)
    assert made == events.TileDiscard(drawn.seat, TILE["m5"], tsumogiri=False, riichi=True)
    assert drawn.tile == TILE["m5"]


def test_a_chi_that_the_fourth_kan_makes_void_is_not_offered() -> None:
    """S-85: the discard after the fourth kan aborts the kyoku unless somebody wins; majiang-core asks for calls."""
    game, kyoku = next(
        (record, kyoku)
        for record, kyoku in everything()
        if not record.single and record.rules.abort.suukan == "discard" and ended(kyoku, "suukan")
    )
    number = game.kyoku.index(kyoku)
    last = next(fact for fact in reversed(kyoku.facts) if isinstance(fact, events.TileDiscard))
    caller = (last.seat + 1) % 4
    void = actions.Call(pon(last.tile, 3, last.tile, last.tile))
    place = len(kyoku.decisions) - 1
    assert follow(with_decision(game, number, place, replies={caller: void}))[1] is None


def test_options_after_a_pon_with_several_red_fives_are_not_believed() -> None:
    """To majiang-core m500- is a chi when it looks for kuikae (S-50)."""
    red, five = TILE["m0"], TILE["m5"]
    assert not lists_all_options(events.MeldCall(0, pon(red, 3, red, five)))
    assert lists_all_options(events.MeldCall(0, pon(red, 3, five, five)))
    assert lists_all_options(events.MeldCall(0, chi(red, TILE["m4"], TILE["m6"])))
    assert not lists_all_options(events.MeldCall(0, daiminkan(red, 3, *[five] * 3)))
    assert lists_all_options(events.Draw(0, red))


# --- reading -----------------------------------------------------------------------------------


def record_in_the_west() -> GameRecord:
    return next(record for record in records(TENHOU) if record.kyoku[-1].number >= 8)


def test_a_tonpu_that_outlasts_itself_is_a_hanchan_in_a_private_lobby_only() -> None:
    """Private lobbies of Tenhou play a hanchan and call it a tonpu."""
    line = next(line for line in lines(TENHOU) if line["id"] == record_in_the_west().name)
    private = line["xml"].replace('type="169" lobby="0"', 'type="161" lobby="7994"')
    ranked = line["xml"].replace('type="169"', 'type="161"')
    assert isinstance(game := read_tenhou({**line, "xml": private}), GameRecord)
    assert game.rules.game.length == "hanchan"
    assert isinstance(game := read_tenhou({**line, "xml": ranked}), GameRecord)
    assert game.rules.game.length == "tonpu"


def test_points_of_a_lobby_with_its_own_uma_are_not_compared() -> None:
    line = lines(TENHOU)[0]
    assert isinstance(game := read_tenhou({**line, "check": "points_differ"}), GameRecord)
    assert game.final is not None
    assert game.final.tenths is None
    assert follow(game)[1] is None
