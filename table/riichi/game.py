"""A whole riichi game behind the interface that the judge uses (`Game`). The judge's seats are player ids; a kyoku's
are winds."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Final, get_args

from jantaku.table.ground.errors import PlayerFault
from jantaku.table.ground.game import Game
from jantaku.table.ground.port import Action, Choice, Turn
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import CHOMBO, PASS, RiichiAction
from jantaku.table.riichi.flow import hanchan
from jantaku.table.riichi.flow.kyoku import NO_RESPONSES, Kyoku
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.law import ruling
from jantaku.table.riichi.mask import dealt_to, introduced, masked
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.schools import WALLS, School
from jantaku.table.riichi.pieces.seats import by_seat, player_of, seat_of
from jantaku.table.riichi.pieces.tiles import full_set
from jantaku.table.riichi.pieces.wall import Wall, shuffle
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.words import RiichiWords

Walls = Callable[[Standing], Wall]
"""Returns the wall of the kyoku that begins at a standing."""
_ACTIONS: Final = frozenset(get_args(RiichiAction))
# Final copies for speed: compiled code looks another module's names up at every use
_PASS: Final = PASS
Names = tuple[str, ...]


def walls_from(seed: str, game: int, rules: Rules, school: School = "shared") -> Walls:
    """Return a function that makes the walls of a game. A wall depends only on the match seed, the game's number,
    round, kyoku, honba, and on how often that honba was dealt before. `school` is a key of `WALLS`."""
    tiles = full_set(rules.tiles.red_m, rules.tiles.red_p, rules.tiles.red_s, rules.game.players)
    kind = WALLS[school]
    return lambda at: kind.of(shuffle(tiles, seed, game, at.round_wind, at.kyoku, at.honba, at.again))


class RiichiGame(Game):
    """One hanchan from the first deal to the final points."""

    def __init__(
        self, rules: Rules, walls: Walls, names: Names, first_dealer: int = 0, start: Standing | None = None
    ) -> None:
        beginning = events.HanchanStart(names, first_dealer, rules)
        super().__init__(rules.game.players, RiichiWords(names), [beginning], penalty=CHOMBO, shows=True)
        self.rules = rules
        self.first_dealer = first_dealer
        self.standing = start or hanchan.opening(rules)
        self.over = False
        self.walls: list[Wall] = []
        """The wall of every kyoku dealt so far."""
        self._walls = walls
        self._dealers: list[tuple[int, int]] = []
        """For each kyoku: index of its KyokuStart in `events`, player id of its dealer. Masking needs them."""
        self.kyoku = self._deal()

    def __repr__(self) -> str:
        return f"<RiichiGame {self.standing} {self.kyoku!r}>"

    @property
    def rounds(self) -> int:
        """The number of kyoku that were dealt."""
        return len(self._dealers)

    def turn(self) -> Turn | None:
        if self.over:
            return None
        turn = self.kyoku.turn()
        assert turn is not None, "a finished kyoku is followed by the next one"
        return Turn(player_of(turn[0], self._dealer, self.seats), turn[1])

    def act(self, action: Action) -> None:
        self.kyoku.act(action)

    def reacting(self) -> list[int]:
        seats = self.kyoku.reacting()
        return [player_of(seat, self._dealer, self.seats) for seat in seats] if seats else seats

    def reaction(self, seat: int, action: Action) -> Choice | None:
        return self.kyoku.reaction(seat_of(seat, self._dealer, self.seats), action)

    def rule(self, responses: Sequence[Action | None]) -> None:
        """Rule on the responses. A kyoku that ends is followed by the next deal or by the end of the game."""
        said = self._by_seat(responses)
        offender = None if said is NO_RESPONSES else ruling.offender(responses)
        self.kyoku.rule(said, None if offender is None else seat_of(offender, self._dealer, self.seats))
        result = self.kyoku.result
        if result is None:
            return
        self.standing, self.over = hanchan.next_standing(self.standing, result, self.rules, self.first_dealer)
        if self.over:
            self.events.append(hanchan.final(self.standing, self.rules, self.first_dealer))
        else:
            self.kyoku = self._deal()

    def _by_seat(self, responses: Sequence[Action | None]) -> Sequence[Action | None]:
        """Reorder responses from player ids to the kyoku's seats. If every seat passed or was not asked, which is the
        common case, return NO_RESPONSES."""
        for response in responses:
            if response is not None and response is not _PASS:
                return (*responses[self._dealer :], *responses[: self._dealer])
        return NO_RESPONSES

    def masked(self, index: int, seat: int) -> events.Event:
        event: events.Event = self.events[index]
        dealer = self._dealer
        if index < self._dealt:  # the event is from an earlier kyoku
            kyoku = bisect_right(self._dealers, (index, 4)) - 1
            if kyoku < 0:
                return introduced(event, seat)
            dealer = self._dealers[kyoku][1]
        return masked(event, seat_of(seat, dealer, self.seats))

    def show(self, board: object, begin: int, end: int, seat: int) -> None:
        """Bring `board`, a `Board`, up to date. Raises PlayerFault if the bot has changed it so that this fails."""
        if not isinstance(board, Board):
            raise PlayerFault(
                f"its shown_board is a {type(board).__name__}; allowed is a Board of jantaku.table.riichi"
            )
        try:
            self._show(board, begin, end, seat)
        except Exception as problem:
            self._show(Board(), 0, end, seat)  # raises again if the defect is ours: a fresh board must work
            said = f"{type(problem).__name__}: {problem}"
            raise PlayerFault(f"its board was changed and cannot be brought up to date any more: {said}") from problem

    def _show(self, board: Board, begin: int, end: int, seat: int) -> None:
        """Copy from the game's board at once, if that stands at `end`. If it is ahead, the seat is late, and the events
        are applied one by one."""
        if len(self.events) == end:
            own = seat_of(seat, self._dealer, self.seats)
            whole = self.kyoku.board
            if begin <= self._dealt:
                dealt_to(own, whole, board)
            board.catch_up(whole, own)
            if len(self.events) == end:
                return
            begin = self._deal_before(end)  # the game's board has changed while it was copied
        for index in range(begin, end):
            board.apply(self.masked(index, seat))

    def _deal_before(self, end: int) -> int:
        """The index of the last deal before event number `end`."""
        return self._dealers[bisect_right(self._dealers, (end - 1, 4)) - 1][0]

    def accepts(self, action: object) -> bool:
        return type(action) in _ACTIONS

    def _deal(self) -> Kyoku:
        at = self.standing
        self._dealer = dealer = hanchan.dealer_of(at, self.first_dealer)
        self._dealt = len(self.events)
        self._dealers.append((self._dealt, dealer))
        wall = self._walls(at)
        self.walls.append(wall)
        start = events.KyokuStart(
            dealer=dealer,
            round_wind=at.round_wind,
            kyoku=at.kyoku,
            honba=at.honba,
            sticks=at.sticks,
            scores=by_seat(at.scores, dealer),
            indicator=wall.indicator(0),
            hands=wall.hands,
        )
        return Kyoku(self.rules, wall, start, self.events)


class OpenQuestions:
    """Takes a game from question to question, without threads and clocks: first a turn, then all claims on it at once.

    None are open when the game is over. A question with one option is not put: its option is played.
    """

    def __init__(self, game: RiichiGame) -> None:
        self.game = game
        self.open: list[tuple[int, Choice]] = []
        """By player, what is asked."""
        self.turns = 0
        """Turns that are settled."""
        self._responses: list[Action | None] | None = None

    @property
    def are_claims(self) -> bool:
        """Whether the open questions are claims on a turn's action."""
        return self._responses is not None

    def answer(self, actions: Sequence[Action]) -> None:
        """Play an option of every open question, in their order, and go on to the next ones."""
        answered, self.open = self.open, []
        if self._responses is None:
            self.act(actions[0])
            return
        for (player, _), action in zip(answered, actions, strict=True):
            self._responses[player] = action
        self._settle()
        self.go_on()

    def act(self, action: Action) -> None:
        """Play the action of a turn, and go on to the next questions."""
        self._play(action)
        self.go_on()

    def go_on(self) -> None:
        """Go on to the next open questions, unless some are open."""
        while not self.open and (turn := self.game.turn()) is not None:
            if turn.choice.asks:
                self.open = [(turn.seat, turn.choice)]
            else:
                self._play(turn.choice.default)

    def _play(self, action: Action) -> None:
        self.game.act(action)
        responses: list[Action | None] = [None] * self.game.seats
        for player in self.game.reacting():
            if (choice := self.game.reaction(player, action)) is not None:
                responses[player] = choice.default
                if choice.asks:
                    self.open.append((player, choice))
        self._responses = responses
        if not self.open:
            self._settle()

    def _settle(self) -> None:
        assert self._responses is not None, "a turn was played"
        self.game.rule(self._responses)
        self._responses, self.turns = None, self.turns + 1
