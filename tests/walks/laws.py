"""Laws that are checked after every single event: tiles and points are conserved, and hidden tiles stay hidden."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from jantaku.table.ground.game import GameWrapper
from jantaku.table.ground.port import Action, Answer
from jantaku.table.riichi.events import Draw, Event, HanchanEnd, KyokuStart, NorthAside, OwnKan, TileDiscard
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.game import Names, RiichiGame, Walls
from jantaku.table.riichi.pieces.board import LIVE_TILES, STICK, Board
from jantaku.table.riichi.pieces.tiles import FIVES, KINDS, NORTH, TILES, full_set
from jantaku.table.riichi.pieces.wall import HAND, Wall
from jantaku.table.riichi.rules import Rules


class Remembered(GameWrapper[RiichiGame]):
    """A riichi game that remembers the moves of the current kyoku, so that it can be replayed up to this point."""

    def __init__(self, rules: Rules, walls: Walls, names: Names, first_dealer: int) -> None:
        game = RiichiGame(rules, walls, names, first_dealer)
        super().__init__(game, penalty=game.penalty)
        self.rules = rules
        self.mover = 0
        """The player that acted last."""
        self.moves: list[tuple[Action, Sequence[Action | None] | None]] = []
        """Pairs since the deal: the turn seat's action, and the responses that were ruled on, or None."""
        self.began: Standing = self.game.standing
        """The standing at that deal."""
        self.first = 1
        """Index of that deal in `events`."""

    @property
    def walls(self) -> list[Wall]:
        return self.game.walls

    def act(self, action: Action) -> None:
        turn = self.game.turn()
        assert turn is not None, "nobody acts after the end"
        self.mover = turn.seat
        self.moves.append((action, None))
        self.game.act(action)

    def rule(self, responses: Sequence[Action | None]) -> None:
        self.moves[-1] = self.moves[-1][0], responses
        deals = self.game.rounds
        self.game.rule(responses)
        if self.game.rounds != deals:
            self.moves, self.began = [], self.game.standing
            self.first = max(at for at, event in enumerate(self.events) if isinstance(event, KyokuStart))

    def again(self) -> RiichiGame:
        """Replay the current kyoku to this point; the copy is independent of this game."""
        wall = self.walls[-1]
        copy = RiichiGame(
            self.rules,
            lambda at: Wall.from_tiles(wall.tiles, wall.dice),
            self.events[0].names,
            self.game.first_dealer,
            self.began,
        )
        for action, responses in self.moves:
            copy.act(action)
            if responses is not None:
                copy.rule(responses)
        return copy


PUBLIC = (
    *("round", "kyoku", "honba", "sticks", "scores", "indicators", "live", "kans", "riichi", "deposited"),
    *("ippatsu", "first_round", "rinshan", "last_seat"),
)
"""Fields of a board that all players see alike, besides rivers and melds."""
_public = attrgetter(*PUBLIC)
_river = attrgetter("tiles", "tsumogiri", "sideways", "called_by", "kinds")
NOTHING = [0] * KINDS


class Violation(Exception):
    """A broken law. The message says which, and where."""


def require(holds: bool, law: str, *where: object) -> None:
    if not holds:
        raise Violation(f"{law}: {' '.join(map(str, where))}")


class Witness:
    """Watches one game, with a board of its own and one for each player. Implements `Watch`."""

    def __init__(self, game: RiichiGame | Remembered, *, unchecked: int = 0) -> None:
        """The first `unchecked` events are not checked."""
        self._game = game
        self._unchecked = unchecked
        self._full = Board()
        self._seats = game.rules.game.players
        self._seen = [Board() for _ in range(self._seats)]
        self._set = _counts(_full_set(game.rules))
        self._total = 0
        self._walls = 0
        self._drawn = [0, 0]
        self._drawer: int | None = None
        """The holder of the tile drawn last, until that tile is shown."""
        self._index = 0
        self.kyoku = 0

    @property
    def events_seen(self) -> int:
        return self._index

    def answers(self, turn: int, answers: Sequence[Answer]) -> None: ...

    def events(self, new: Sequence[Any]) -> None:
        for event in new:
            self._take(event)
            self._index += 1

    def _take(self, event: Event) -> None:
        if isinstance(event, KyokuStart):
            self._wall = self._game.walls[self._walls].tiles
            self._walls, self._drawn, self.kyoku = self._walls + 1, [0, 0], self.kyoku + 1
            self._dealer = event.dealer
            self._total = self._total or sum(event.scores) + STICK * event.sticks
        event.apply(self._full)
        if isinstance(event, Draw):
            self._drawn[event.rinshan] += 1
            self._drawer = event.seat
        elif isinstance(event, TileDiscard | OwnKan | NorthAside | KyokuStart):
            self._drawer = None
        check = self.kyoku and self._index >= self._unchecked
        if check:
            self._check_tiles(event)
            self._check_points(event)
        for player, board in enumerate(self._seen):
            heard = self._game.masked(self._index, player)
            heard.apply(board)
            if check:
                self._check_view((player - self._dealer) % self._seats, board, event, heard)

    def _check_tiles(self, event: Event) -> None:
        """Check that walls, hands, rivers, melds and norths aside together are the mixed tiles, red fives included."""
        live, rinshan = self._drawn
        hands, live_tiles = self._full.hands, LIVE_TILES[self._seats]
        dealt = HAND * self._seats
        dead = dealt + live_tiles
        tiles = [*self._wall[dealt + live : dead], *self._wall[dead + rinshan :]]
        for hand, river in zip(hands, self._full.rivers, strict=True):
            tiles += [NORTH] * hand.aside
            for meld in hand.melds:
                tiles += meld.tiles
            called = river.called_by
            tiles += [tile for index, tile in enumerate(river.tiles) if index not in called] if called else river.tiles
        counts = [sum(held) for held in zip(*(hand.counts for hand in hands), strict=True)]
        reds = [sum(held) for held in zip(*(hand.reds for hand in hands), strict=True)]
        for five, red in zip(FIVES, reds, strict=True):
            counts[five] -= red
        counts += reds
        for tile in tiles:
            counts[tile] += 1
        require(counts == self._set, f"{sum(self._set)} tiles are conserved", event)
        require(self._full.live == live_tiles - live - rinshan, "the wall shrinks with every draw", event)

    def _check_points(self, event: Event) -> None:
        if isinstance(event, HanchanEnd):
            lost = self._total - sum(event.scores)
            kept = 0 if self._game.rules.game.leftover_sticks == "first" else self._full.sticks * STICK
            require(lost == kept, "points are conserved to the end", event)
        else:
            total = sum(self._full.scores) + STICK * self._full.sticks
            require(total == self._total, "points and sticks are conserved", event)

    def _check_view(self, seat: int, board: Board, event: Event, heard: Event) -> None:
        """Check that one player's board knows its own tiles and what is public, and no more."""
        full = self._full
        if _public(board) != _public(full):
            wrong = [name for name in PUBLIC if getattr(board, name) != getattr(full, name)]
            raise Violation(f"all see the same {', '.join(wrong)}: seat {seat} {event}")
        for other, (hand, whole) in enumerate(zip(board.hands, full.hands, strict=True)):
            if hand.melds != whole.melds or hand.size != whole.size or hand.aside != whole.aside:
                raise Violation(f"melds are public: seat {seat} about {other} {event}")
            if _river(board.rivers[other]) != _river(full.rivers[other]):
                raise Violation(f"rivers are public: seat {seat} about {other} {event}")
            if other == seat:
                known = hand.known and hand.counts == whole.counts and hand.reds == whole.reds
                require(known and hand.drawn == whole.drawn, "the own hand is known", seat, event)
            elif hand.known or hand.drawn is not None or hand.counts != NOTHING or any(hand.reds):
                raise Violation(f"no hidden tile is held: seat {seat} about {other} {event}")
        hidden = self._drawer is not None and self._drawer != seat
        require(board.last_tile == (None if hidden else full.last_tile), "only draws are hidden", seat, event)
        if not isinstance(event, Draw | KyokuStart):
            require(heard == event, "only deals and draws are masked", seat, event)


def _counts(tiles: Sequence[int]) -> list[int]:
    counts = [0] * TILES
    for tile in tiles:
        counts[tile] += 1
    return counts


def _full_set(rules: Rules) -> list[int]:
    return full_set(rules.tiles.red_m, rules.tiles.red_p, rules.tiles.red_s, rules.game.players)
