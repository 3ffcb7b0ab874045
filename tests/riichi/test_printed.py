"""What a bot's author and log lines see: hands, actions, questions, rulings and events, alone, in lists and in
failures."""

from collections.abc import Hashable
from typing import Any

import pytest

from jantaku.players.base import RiichiPlayer
from jantaku.players.bots.caller import Caller
from jantaku.table.daifugo.plays import Put
from jantaku.table.ground.port import Action, Question
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.mode import Mode
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import KYUUSHU, PASS, RON, Call, Discard, Kan
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind, ankan, chi, kakan, pon
from jantaku.table.riichi.pieces.notation import parse_tiles
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import RED_P, RED_S, TILE
from jantaku.table.riichi.ruleset import preset, with_settings
from jantaku.table.riichi.words import RiichiWords
from tests.kit.cases import cases
from tests.kit.position import Table, table

PON = pon(RED_P, 2, TILE["p5"], TILE["p5"])


@cases(
    "thing, alone, in_a_list",
    (Discard(TILE["z3"]), "Discard z3", "<Discard z3>"),
    (Discard(RED_S, tsumogiri=True, riichi=True), "Discard s0_*", "<Discard s0_*>"),
    (Call(chi(TILE["m3"], TILE["m4"], TILE["m5"])), "Call chi m3-45", "<Call chi m3-45>"),
    (Kan(ankan(*[TILE["z1"]] * 4)), "Kan ankan z1111", "<Kan ankan z1111>"),
    (PON, "pon p550=", "<Meld pon p550=>"),
    (RON, "Ron", "<Ron>"),
    (Put((1, 52)), "Put D3 JK", "<Put D3 JK>"),
    (Put(), "Put nothing", "<Put nothing>"),
    (events.Draw(1, None, rinshan=True), "Draw 南 rinshan hidden", "<Draw 南 rinshan hidden>"),
    (events.TileDiscard(3, RED_S, tsumogiri=True), "TileDiscard 北 s0_", "<TileDiscard 北 s0_>"),
    (events.OwnKan(0, kakan(PON, TILE["p5"])), "OwnKan 東 kakan p550=5", "<OwnKan 東 kakan p550=5>"),
)
def test_actions_melds_and_events_print_as_people_write_tiles(thing: object, alone: str, in_a_list: str) -> None:
    assert (str(thing), f"{[thing]}") == (alone, f"[{in_a_list}]")


def test_a_hand_shows_the_drawn_tile_apart_and_its_melds() -> None:
    hand = Tehai(parse_tiles("m123p0s77z1"))
    hand.draw(TILE["z5"])
    assert str(hand) == "m123p0s77z1 +z5"
    hand.discard(TILE["z5"])
    hand.melds.append(PON)
    assert str(hand) == "m123p0s77z1, pon p550="
    assert repr(hand) == "<Tehai m123p0s77z1, pon p550=>"
    assert str(Tehai()) == "13 hidden"


def test_a_river_shows_tsumogiri_riichi_and_what_was_called() -> None:
    board = Board()
    board.discard(0, TILE["z1"], tsumogiri=True, riichi=False)
    board.discard(0, RED_P, tsumogiri=False, riichi=True)
    board.call(1, PON)
    assert str(board.rivers[0]) == "z1_ (p0*)"
    assert repr(board.rivers[0]) == "<River z1_ (p0*)>"
    assert str(board).splitlines()[1] == "東 0 double riichi 11 hidden, river: z1_ (p0*)"


@cases(
    "strange, shown",
    (Discard("s5"), "<Discard 's5' (no tile)>"),  # type: ignore[arg-type]
    (Discard(-1), "<Discard -1 (no tile)>"),
    (Call(None), "<Call None>"),  # type: ignore[arg-type]
    (Meld(1, (4, 4), 4, 1), "<Meld pon m555+>"),  # type: ignore[arg-type]
    (
        Meld(MeldKind.PON, (4, 99), 4, 1),
        "Meld(kind=<MeldKind.PON: 1>, own=(4, 99), called=4, source=1, added=None)",
    ),
    (Meld(MeldKind.ANKAN, ()), "Meld(kind=<MeldKind.ANKAN: 3>, own=(), called=None, source=0, added=None)"),
    (Put((99,)), "<Put (99,)>"),
    (Put(None), "<Put None>"),  # type: ignore[arg-type]
)
def test_what_a_bot_has_made_of_nonsense_prints_as_what_it_is(strange: object, shown: str) -> None:
    assert repr(strange) == shown


def test_a_question_prints_its_options_its_default_and_its_time() -> None:
    asked: list[Question] = []

    class Keeps(RiichiPlayer):
        def answer(self, question: Question) -> Action:
            asked.append(question)
            return question.default

    played(Keeps())
    first = asked[0]
    options = ", ".join(map(str, first.options))
    assert str(first) == f"question {first.id} to seat 0: {options}; default {first.default}"
    assert repr(first) == f"<{first}>"
    assert str(Question(3, 1, first.choice, allowed=2.5)).startswith("question 3 to seat 1, 2.5 s: Discard ")


def test_different_actions_and_events_never_print_alike() -> None:
    """The texts stand in failures instead of the fields, so they must tell everything apart."""
    seen: dict[str, Hashable] = {}

    class Looks(Caller):
        def answer(self, question: Question) -> Action:
            for option in question.options:
                assert seen.setdefault(repr(option), option) == option
            return super().answer(question)

    game = played(Looks(seed=1))
    for event in game.events:
        assert seen.setdefault(repr(event), event) == event
    assert {"<Pass>", repr(KYUUSHU)} & seen.keys() == {repr(PASS)}
    assert len(seen) > 300


def test_every_event_of_a_game_prints_in_one_line_as_its_hearer_knows_it() -> None:
    game = played()
    for number in range(len(game.events)):
        event: Any = game.masked(number, 1)
        assert str(event).startswith(type(event).__name__) and "\n" not in str(event)
    deal: Any = game.masked(1, 1)
    assert str(deal).startswith("KyokuStart 東1局0本場, player 0 deals, 0 sticks, indicator ")
    assert "東 25000, 南 25000 m" in str(deal)


def played(first: RiichiPlayer | None = None) -> RiichiGame:
    rules = with_settings(preset("tenhou"), {"game.length": "tonpu"})
    game = RiichiGame(rules, walls_from("7", 0, rules), ("a", "b", "c", "d"))
    players = [first or Caller(seed=0), *(Caller(seed=number) for number in range(1, 4))]
    Judge(game, players, mode=Mode.INLINE).run()
    return game


WAIT_FOR_P5 = [f"p46m123s123{dragons}{pair}" for dragons, pair in (("z555", "s99"), ("z666", "p99"), ("z777", "m99"))]


def _ruled(t: Table, script: str) -> tuple[str, str]:
    """What is ruled on the words of `script`, as it is told."""
    t.act(script)
    responses, before = tuple(t._responses), len(t.game.events)
    t.play("")
    return t.game.words.ruling(0, responses, t.game.events[before:])


def test_a_round_is_a_kyoku_and_a_discard_is_written_as_in_a_record() -> None:
    words = RiichiWords(("a", "b", "c", "d"))
    assert words.round == "kyoku"
    assert [words.action(action) for action in (Discard(TILE["m1"], True, True), RON, PASS)] == ["m1_*", "ron", "pass"]


@pytest.mark.parametrize("most", [1, 2])
def test_a_ron_says_who_wins_of_how_many_claims(most: int) -> None:
    t = table(["", *WAIT_FOR_P5[:2]], draws="p5", settings={"ron.max_winners": str(most)})
    ruled = _ruled(t, "東p5_ 南ron 西ron")
    either = ("ron by 1", "2 claims, the nearest 1 win"), ("ron by 1, 2", "2 claims, the nearest 2 win")
    assert ruled == either[most - 1]


@cases(
    "hands, script, ruled",
    (["", WAIT_FOR_P5[0]], "東p5_ 南ron", ("ron by 1", "one claim")),
    (["", *WAIT_FOR_P5], "東p5_ 南ron 西ron 北ron", ("draw, sanchahou", "3 claims abort")),
    (["", "p46", "p55"], "東p5_ 南p45-6 西p555=", ("pon by 2", "pon and kan go before chi")),
    (["", "p46", "p55"], "東p5_ 南p45-6", ("chi by 1", "one claim")),
    (["", "p46", "p55"], "東p5_", ("next draw", "nobody claims")),
    ([WAIT_FOR_P5[0]], "東tsumo", ("tsumo by 0", "wins on its own draw")),
    (["m19s19p19z1234567"], "東kyuushu", ("draw, kyuushu", "by the rules")),
)
def test_a_ruling_says_what_came_of_it_and_why(hands: list[str], script: str, ruled: tuple[str, str]) -> None:
    assert _ruled(table(hands, draws="p5", rules="tenhou"), script) == ruled
