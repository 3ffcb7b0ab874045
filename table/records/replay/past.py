"""A past that could have led to a position: a deal, draws and actions made up at random, as a record.

    past = past_of(read_line(text), seed="1")
    past.record, past.given

What the line says is kept: rivers, melds, points, the hand of the seat that is asked. The hidden tiles are drawn from
all that the seat does not see; hands are as likely as `jantaku.table.riichi.line.likely` finds them. The engine plays
every past: one that it refuses is thrown away.
"""

from collections.abc import Iterator, Sequence
from math import inf
from pathlib import Path

import msgspec

from jantaku.table.ground.chance import Numbers
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Choice
from jantaku.table.languages.facts import Fact
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.drive import Drive
from jantaku.table.records.replay.verify import game_of
from jantaku.table.records.replay.walls import rebuilt
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.events import Event
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.line import Position, line_of
from jantaku.table.riichi.line.checks import CLAIMS
from jantaku.table.riichi.line.hidden import hidden_hands
from jantaku.table.riichi.line.position import Unlikely, action_of, timeline_of
from jantaku.table.riichi.pieces.board import STICK
from jantaku.table.riichi.pieces.seats import WINDS, player_of
from jantaku.table.riichi.pieces.tiles import NORTH, sort_tiles
from jantaku.table.riichi.world import first_possible


class Past(msgspec.Struct, frozen=True):
    """A made-up record that ends where `player` is asked, in its first kyoku. If the question is about somebody's
    discard, kan or north, that is the `claimed` event, and the record ends before it."""

    record: Record
    player: int
    claimed: Fact | None

    @property
    def given(self) -> Action | None:
        """The action that makes what may be claimed."""
        return None if self.claimed is None else action_of(self.claimed)

    @property
    def whole(self) -> Record:
        """The record with what may be claimed at its end."""
        if self.claimed is None:
            return self.record
        (log,) = self.record.log
        return msgspec.structs.replace(self.record, log=[[*log, self.claimed]])


def past_of(position: Position, seed: str, names: Sequence[str] = WINDS) -> Past:
    """Make up a past; the same for the same seed. `names` are by player. Raises BadInput if none is found, because
    no kyoku leads to this position."""
    numbers = Numbers(f"jantaku past 1|{seed}|{position.line}")

    def leading() -> Past:
        past = _made_up(position, numbers, tuple(names[: position.board.seats]))
        if _line_of(past, position) != position.line:
            raise Unlikely
        return past

    return first_possible(leading)


def begun(past: Past) -> RiichiGame:
    """Return the game at the turn in which the question is put. Raises BadInput if the engine refuses the past."""
    assert past.record.rules is not None, "a position has rules"
    drive = Drive(game_of(past.record, past.record.rules, ""), past.record.log)
    for _ in drive.steps():
        pass
    if drive.difference is not None:
        raise BadInput(f"the engine does not play this past: {drive.difference}")
    return drive.game


def _line_of(past: Past, position: Position) -> str:
    """The line of the question to which a past leads; empty if the engine refuses it or asks nothing."""
    try:
        game = begun(past)
    except BadInput:
        return ""
    turn = game.turn()
    if turn is None or game.rounds > 1:
        return ""
    choice: Choice | None = turn.choice
    if turn.seat != past.player or past.given is not None:
        action = turn.choice.default if past.given is None else past.given
        if action not in turn.choice.options:
            return ""
        game.act(action)
        choice = game.reaction(past.player, action) if past.player in game.reacting() else None
    passing = Choice((actions.PASS,), actions.PASS)
    missed = game.kyoku.ready.missed[position.seat]
    return line_of(game.kyoku.board, choice or passing, seat=position.seat, missed=missed)


def _made_up(position: Position, numbers: Numbers, names: tuple[str, ...]) -> Past:
    board, rules = position.board, position.rules
    public = timeline_of(position, numbers)
    dealt, facts = _with_tiles(position, public, hidden_hands(position, numbers)[0], numbers)
    start = events.KyokuStart(
        dealer=board.kyoku,
        round_wind=board.round,
        kyoku=board.kyoku,
        honba=board.honba,
        sticks=board.sticks - sum(board.deposited),
        scores=tuple(points + STICK * paid for points, paid in zip(board.scores, board.deposited, strict=True)),
        indicator=board.indicators[0],
        hands=dealt,
    )
    log: list[Fact] = [start, *facts]
    wall = rebuilt([*log, *map(events.Dora, board.indicators[1:])], rules, str(numbers.below(1 << 30)))
    claimed = log.pop() if position.asked in CLAIMS else None
    record = Record(Path("position line"), names, 0, [log], rules=rules, driven=True, walls=[wall])
    return Past(record, player_of(position.seat, board.kyoku, board.seats), claimed)


# --- which tile was drawn when


def _with_tiles(
    position: Position, public: Sequence[Event], closed: Sequence[list[int]], numbers: Numbers
) -> tuple[tuple[tuple[int, ...], ...], list[Event]]:
    """Return the deal, and the public events with the tile of every draw."""
    facts, deal = list(public), []
    for seat, hand in enumerate(closed):
        last = position.board.hands[seat].drawn
        drawn, dealt = _draws(facts, seat, hand, last, numbers)
        deal.append(tuple(sort_tiles(dealt)))
        for at, tile in drawn.items():
            facts[at] = msgspec.structs.replace(facts[at], tile=tile)
    return tuple(deal), facts


def _draws(
    facts: Sequence[Event], seat: int, hand: Sequence[int], last: int | None, numbers: Numbers
) -> tuple[dict[int, int], list[int]]:
    """Choose the tile of every draw of a seat by its place among the facts, and return what is left for the deal. A
    tile leaves the hand after it came: the latest draws choose first, among what leaves later than they come."""
    leaving: list[tuple[float, int]] = [(inf, tile) for tile in hand]
    drawn, barred = dict[int, int](), dict[int, int]()
    fresh: int | None = None
    for at, fact in enumerate(facts):
        match fact:
            case events.Draw(mover) if mover == seat:
                fresh, barred[at] = at, -1
            case events.TileDiscard(mover, tile, tsumogiri) if mover == seat:
                if tsumogiri and fresh is not None:
                    drawn[fresh] = tile
                else:
                    leaving.append((at, tile))
                    if fresh is not None:
                        barred[fresh] = at
                fresh = None
            case _:
                leaving += [(at, tile) for tile in _laid(fact, seat)]
    if last is not None and fresh is not None:
        drawn[fresh] = last
        leaving.remove((inf, last))
    for at in sorted(barred.keys() - drawn.keys(), reverse=True):
        able = [one for one in leaving if one[0] > at and one[0] != barred[at]]
        if not able:
            raise Unlikely
        chosen = able[numbers.below(len(able))]
        leaving.remove(chosen)
        drawn[at] = chosen[1]
    return drawn, [tile for _, tile in leaving]


def _laid(fact: Event, seat: int) -> Iterator[int]:
    """The tiles of a seat that a call, kan or north lays down."""
    match fact:
        case events.MeldCall(mover, meld) if mover == seat:
            yield from meld.own
        case events.OwnKan(mover, meld) if mover == seat:
            yield from meld.own if meld.added is None else (meld.added,)
        case events.NorthAside(mover) if mover == seat:
            yield NORTH
