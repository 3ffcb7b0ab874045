"""Games and single positions for players, without judge, thread or clock."""

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
import pytest

from jantaku.players.adapters.process import ProcessPlayer
from jantaku.players.adapters.program import Program, programs_left, running
from jantaku.players.base import RiichiPlayer
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Choice, Question
from jantaku.table.play.seating.roster import enlist
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import Discard
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.law import legal
from jantaku.table.riichi.law.readiness import Readiness
from jantaku.table.riichi.mask import masked
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.tiles import NAMES, TILE, full_set, sort_tiles
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset
from tests.kit.pace import SOON

TENHOU = preset("tenhou")
TONPU = msgspec.structs.replace(TENHOU, game=msgspec.structs.replace(TENHOU.game, length="tonpu"))


def _no_sandbox() -> str:
    """Why programs cannot be confined here; empty if they can. In CI a bubblewrap that does not work is a failure."""
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed"
    from jantaku.players.sandbox.start import try_out

    try:
        if os.environ.get("CI") != "true":
            try_out()
    except BadInput as error:
        return str(error)
    return ""


_NO_SANDBOX = _no_sandbox()
needs_bwrap = pytest.mark.skipif(bool(_NO_SANDBOX), reason=_NO_SANDBOX)
Look = Callable[[RiichiGame, int, Question], None]


def new_game(seed: str, rules: Rules = TONPU) -> RiichiGame:
    return RiichiGame(rules, walls_from(seed, 0, rules), ("東", "南", "西", "北")[: rules.game.players])


def play(game: RiichiGame, players: Sequence[RiichiPlayer], look: Look = lambda *_: None) -> RiichiGame:
    """Play `game` to its end. Every answer must be an option; `look` sees every question before it is put."""
    heard = [0] * game.seats
    number = 0

    def ask(seat: int, choice: Choice) -> Action:
        nonlocal number
        if len(choice.options) == 1:
            return choice.default
        number += 1
        if players[seat].listens:
            for index in range(heard[seat], len(game.events)):
                players[seat].hear(game.masked(index, seat))
            heard[seat] = len(game.events)
        question = Question(number, seat, choice)
        look(game, seat, question)
        answer = players[seat].answer(question)
        assert answer in question.options, f"{players[seat]} answered {answer}, not one of {question.options}"
        return answer

    while (turn := game.turn()) is not None:
        action = ask(turn.seat, turn.choice)
        game.act(action)
        choices = [None if seat == turn.seat else game.reaction(seat, action) for seat in range(game.seats)]
        game.rule([None if choice is None else ask(seat, choice) for seat, choice in enumerate(choices)])
    return game


def tiles(text: str) -> list[int]:
    """Tiles from "m123 p0 z11": a suit and its ranks, in the order given."""
    return [TILE[word[0] + rank] for word in text.split() for rank in word[1:]]


def question_for(
    player: RiichiPlayer, hand: str, *, seat: int = 0, drawn: str = "", passed: str = "", indicator: str = "z4"
) -> Question:
    """Put `player` on `seat` with `hand` and ask what comes next, by the rules of Tenhou.

    `passed` are the discards so far in turn order from 東 on, all tsumogiri; "m1*" declares riichi. With
    `drawn` it is this seat's turn, else it is asked about the last of them.
    """
    words = passed.split()
    gone = [TILE[word[:2]] for word in words] + [TILE[name] for name in (indicator, drawn) if name]
    stream = [_deal(tiles(hand), gone, seat, TILE[indicator])]
    for number, word in enumerate(words):
        turn, tile, riichi = number % 4, TILE[word[:2]], word.endswith("*")
        stream += [events.Draw(turn, tile), events.TileDiscard(turn, tile, True, riichi)]
        if riichi and number + 1 < len(words):
            stream.append(events.Riichi(turn))
    board = Board()
    for event in stream:
        event.apply(board)
        player.hear(masked(event, seat))
    ready = Readiness(board)
    if not drawn:
        choice = legal.reaction(board, TENHOU, ready, seat, TILE[words[-1][:2]], None)
        assert choice is not None, "this seat has no choice"
        return Question(1, seat, choice)
    assert len(words) % 4 == seat, "it is another seat's turn"
    draw = events.Draw(seat, TILE[drawn])
    draw.apply(board)
    player.hear(draw)
    return Question(1, seat, legal.after_draw(board, TENHOU, ready, seat))


def _deal(hand: list[int], gone: list[int], seat: int, indicator: int) -> events.Event:
    """The deal: the other hands are whatever is left, lowest first."""
    rest = full_set(1, 1, 1)
    for tile in hand + gone:
        rest.remove(tile)
    hands = [tuple(rest[other * 13 : other * 13 + 13]) for other in range(4)]
    hands[seat] = tuple(sort_tiles(hand))
    return events.KyokuStart(0, 0, 0, 0, 0, (25000,) * 4, indicator, tuple(hands))


@pytest.fixture
def nothing_is_left() -> Iterator[None]:
    """After the test all programs have ended within their grace."""
    yield
    no_program_is_left()


def start(code: str, log: Path | None = None, due: int = 0) -> Program:
    return Program("test", [sys.executable, "-c", code], cwd=None, env=dict(os.environ), log=log, due=due)


def program_of(spec: str, folder: Path, seed: int = 0) -> tuple[ProcessPlayer, Program]:
    """A player that has heard the beginning of a game, and the program that it is."""
    (entrant,) = enlist([spec], folder)
    player = entrant.make(seed)
    assert isinstance(player, ProcessPlayer)
    player.hear(new_game("1").masked(0, 0))
    assert player._program is not None, player._down
    return player, player._program


def ended(one: Program) -> None:
    one.stop(at_once=True)
    assert one.join(SOON)


def no_program_is_left() -> None:
    until = time.monotonic() + SOON
    for one in list(running):
        one.join(until - time.monotonic())
    assert programs_left() == 0


def answered(
    player: RiichiPlayer, hand: str, *, seat: int = 0, drawn: str = "", passed: str = "", indicator: str = "z4"
) -> Action:
    return player.answer(question_for(player, hand, seat=seat, drawn=drawn, passed=passed, indicator=indicator))


def discard_of(player: RiichiPlayer, hand: str, drawn: str, *, passed: str = "", indicator: str = "z4") -> str:
    """What a player discards as 東, as text; "*" if it declares riichi."""
    action = answered(player, hand, drawn=drawn, passed=passed, indicator=indicator)
    assert isinstance(action, Discard), action
    return NAMES[action.tile] + "*" * action.riichi
