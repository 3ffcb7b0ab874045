"""Drives our engine with a record's walls and replies, and compares the result with the record."""

from collections.abc import Callable
from contextlib import suppress

import msgspec

from jantaku.table.ground.port import Action, Choice, Turn
from jantaku.table.languages.facts import NOTHING, DrawFact, WinFact
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.flow.hanchan import final, next_standing, opening
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.pieces.seats import by_player, seat_of
from jantaku.table.riichi.pieces.wall import Wall
from scripts.corpora.comparing import (
    Parted,
    as_held,
    compare_event,
    compare_indicators,
    compare_menu,
    compare_offer,
    compare_start,
    tell,
    without_calls,
)
from scripts.corpora.record import Decision, GameRecord, KyokuRecord

_AFTER_A_DISCARD = ("suufon", "suucha", "suukan")


class Difference(msgspec.Struct, frozen=True):
    """Where record and engine part. `kyoku` and `event` count from 1; event 0 is the deal."""

    name: str
    kyoku: int
    event: int
    record: str
    engine: str

    def __str__(self) -> str:
        return f"{self.name} kyoku {self.kyoku} event {self.event}: expected {self.record}; got {self.engine}"


class _RecordEnds(Exception):
    """The engine asks for a wall that the record does not have, for the kyoku at `standing`."""

    def __init__(self, standing: Standing) -> None:
        super().__init__(standing)
        self.standing = standing


Asking = Callable[[RiichiGame, int, Choice], None]
"""Called for every choice of a seat, with the game as it stands then."""


def follow(record: GameRecord, asking: Asking | None = None) -> tuple[int, Difference | None]:
    """Play a record through. Return the number of kyoku played and the first difference."""
    return _Follower(record, asking).follow()


class _Follower:
    """Plays one record."""

    def __init__(self, record: GameRecord, asking: Asking | None = None) -> None:
        self._record, self._log, self._asking = record, record.kyoku, asking
        self._dealt = self._begun = 0
        """Number of kyoku whose wall was taken, and number of those whose start was compared."""
        self._read = 0
        """Number of events of the game that were compared."""
        self._fact = self._plays = 0
        """Numbers of facts and of plays of the current kyoku so far."""
        self._indicators: list[int] = []
        self._ignore_tsumogiri = False
        """Whether the record does not tell if the next discard is tsumogiri."""
        self._declared = False
        """Whether tenpai was asked for in the current kyoku."""

    def follow(self) -> tuple[int, Difference | None]:
        record = self._record
        try:
            self._play()
        except Parted as parted:
            return self._begun, Difference(record.name, self._begun, self._fact, parted.record, parted.engine)
        except Exception as error:
            # Defects of the engine are what this looks for; go on with the other records.
            fault = f"{type(error).__name__}: {error}"
            return self._begun, Difference(record.name, self._begun, self._fact, "a game to be played", fault)
        return self._begun, None

    def _play(self) -> None:
        record = self._record
        game = None
        try:
            game = self._game(self._start())
            while (turn := game.turn()) is not None:
                following = self._turn(game, turn)
                if following is None:
                    return
                game = following
        except _RecordEnds as end:
            assert game is not None, "a record has at least one wall"
            self._hear(game)
            self._finish_kyoku()
            if not record.single and record.final is not None:
                raise Parted("the game is over", f"it goes on with {end.standing}") from None
        if record.single and record.final is not None and record.final.scores != game.standing.scores:
            raise Parted(f"points {record.final.scores}", f"{game.standing.scores}")

    def _game(self, start: Standing | None) -> RiichiGame:
        game = RiichiGame(self._record.rules, self._wall, self._record.names, self._record.first_dealer, start)
        self._read = 0
        self._hear(game)
        return game

    def _start(self) -> Standing | None:
        """Return the standing to begin with; None for a whole game, which starts by its rules."""
        if not self._record.single:
            return None
        first = self._log[0]
        return Standing(
            number=first.number,
            honba=first.deal.honba,
            sticks=first.deal.sticks,
            scores=tuple(by_player(first.deal.scores, first.deal.dealer)),
            last=opening(self._record.rules).last,
        )

    def _wall(self, at: Standing) -> Wall:
        if self._dealt == len(self._log):
            raise _RecordEnds(at)
        self._dealt += 1
        return Wall.from_tiles(self._log[self._dealt - 1].wall.tiles)

    @property
    def _kyoku(self) -> KyokuRecord:
        return self._log[self._begun - 1]

    @property
    def _decision(self) -> Decision:
        decisions = self._kyoku.decisions
        if self._plays > len(decisions):
            raise Parted("no more plays", "one more")
        return decisions[self._plays - 1]

    # One turn.

    def _turn(self, game: RiichiGame, turn: Turn) -> RiichiGame | None:
        """Play one turn. Return the game to go on with, None at its end."""
        responses = self._declarations(game, turn) if actions.NOTEN in turn.choice.options else None
        if responses is None:
            self._own_action(game, turn)
            self._hear(game)
            responses = self._reactions(game, turn)
        if any(isinstance(fact, WinFact) and fact.miscounted for fact in self._kyoku.facts[-3:]):
            return self._rule_as_paid(game, responses)
        game.rule(responses)
        self._hear(game)
        return game

    def _rule_as_paid(self, game: RiichiGame, responses: list[Action | None]) -> RiichiGame | None:
        """Rule in a kyoku whose win the source miscounts. The next kyoku starts with the points that the source
        paid."""
        before, kyoku = game.standing, game.kyoku
        with suppress(_RecordEnds):
            game.rule(responses)
        if kyoku.result is None:
            self._hear(game)
            return game
        points = list(kyoku.result.scores)
        new, self._read = game.events[self._read :], len(game.events)
        for event in new:
            if isinstance(event, events.Win):
                fact = self._kyoku.facts[self._fact]
                self._compare_next(event)
                assert isinstance(fact, WinFact)
                points = [
                    had + paid - ours
                    for had, paid, ours in zip(points, fact.deltas or NOTHING, event.deltas, strict=True)
                ]
        result = msgspec.structs.replace(kyoku.result, scores=tuple(points))
        standing, over = next_standing(before, result, game.rules, game.first_dealer)
        if over:
            self._compare_end(final(standing, game.rules, game.first_dealer))
            return None
        self._dealt = self._begun  # the wall of the next kyoku was dealt with other points
        return self._game(standing)

    def _own_action(self, game: RiichiGame, turn: Turn) -> None:
        seat = self._seat(turn.seat)
        self._check(game, seat, turn.choice)
        said = self._decision.replies.get(seat)
        reply = as_held(said, game.kyoku.board.hands[seat])
        self._ignore_tsumogiri = reply != said or self._is_first_discard(game, seat)
        if reply not in turn.choice.options:
            raise Parted(f"seat {seat} does {tell(reply)}", _offer_text(turn.choice))
        game.act(reply)

    def _is_first_discard(self, game: RiichiGame, seat: int) -> bool:
        return self._record.ignore_first_tsumogiri and seat == 0 and not game.kyoku.board.rivers[0].tiles

    def _reactions(self, game: RiichiGame, turn: Turn) -> list[Action | None]:
        responses: list[Action | None] = [None] * game.seats
        if not isinstance(game.events[-1], events.TileDiscard | events.OwnKan | events.NorthAside):
            return responses  # a win or 九種九牌: no reactions
        for player in range(game.seats):
            if player == turn.seat:
                continue
            seat, choice = self._seat(player), game.reaction(player, game.kyoku.action)
            self._check(game, seat, choice)
            reply = self._decision.replies.get(seat)
            if self._is_last_discard() and isinstance(reply, actions.Call):
                reply = None
            if reply is not None and (choice is None or reply not in choice.options):
                raise Parted(f"seat {seat} says {tell(reply)}", _offer_text(choice))
            responses[player] = reply if reply is not None else (choice and actions.PASS)
        return responses

    def _declarations(self, game: RiichiGame, turn: Turn) -> list[Action | None]:
        """Return the responses of seats that declare tenpai at the exhausted wall. A seat in riichi has declared
        already."""
        self._declared = True
        decision = self._decision
        game.act(actions.TENPAI if self._seat(turn.seat) in decision.tenpai else actions.NOTEN)
        responses: list[Action | None] = [None] * game.seats
        free = set()
        for player in range(game.seats):
            seat = self._seat(player)
            choice = turn.choice if player == turn.seat else game.reaction(player, game.kyoku.action)
            if choice is not None and actions.TENPAI in choice.options:
                free.add(seat)
                if self._asking is not None:
                    self._asking(game, seat, choice)
            if choice is not None and player != turn.seat:
                responses[player] = actions.TENPAI if seat in decision.tenpai else actions.NOTEN
        riichi = {seat for seat in range(game.seats) if game.kyoku.board.riichi[seat]}
        listed = decision.tenpai | free if decision.may_declare is None else decision.may_declare
        if listed - riichi != free:
            raise Parted(f"seats {sorted(listed)} may declare tenpai", f"seats {sorted(free)}")
        return responses

    def _check(self, game: RiichiGame, seat: int, choice: Choice | None) -> None:
        if self._asking is not None and choice is not None:
            self._asking(game, seat, choice)
        if seat not in self._decision.offers:
            return
        theirs = self._decision.offers[seat]
        if isinstance(theirs, frozenset):
            compare_menu(theirs, choice, seat)
            return
        if self._is_last_discard():
            if theirs is None:
                return
            theirs = without_calls(theirs)
        compare_offer(theirs, choice, seat, game.kyoku.board.hands[seat])

    def _is_last_discard(self) -> bool:
        """Return whether the kyoku is aborted at this discard. Some sources ask for calls nevertheless, and ignore
        them."""
        facts = self._kyoku.facts
        *between, end = facts[min(self._fact, len(facts) - 1) :] if len(facts) - self._fact <= 2 else (None,)
        aborts = isinstance(end, DrawFact) and end.reason in _AFTER_A_DISCARD
        return aborts and all(isinstance(fact, events.Riichi) for fact in between)

    # What the engine says.

    def _hear(self, game: RiichiGame) -> None:
        while self._read < len(game.events):
            event = game.events[self._read]
            self._read += 1
            if isinstance(event, events.KyokuStart):
                self._finish_kyoku()
                self._begun += 1
                self._fact = self._plays = 0
                self._declared = False
                self._indicators = [event.indicator]
                compare_start(self._kyoku, event)
            elif isinstance(event, events.Dora):
                self._indicators.append(event.indicator)
            elif isinstance(event, events.HanchanEnd):
                self._compare_end(event)
            elif not isinstance(event, events.HanchanStart):
                self._compare_next(event)

    def _compare_next(self, event: events.Event) -> None:
        kyoku = self._kyoku
        fact = kyoku.facts[self._fact] if self._fact < len(kyoku.facts) else None
        self._fact += 1
        self._plays += isinstance(
            event, events.Draw | events.TileDiscard | events.MeldCall | events.OwnKan | events.NorthAside
        )
        compare_event(fact, event, ignore_tsumogiri=self._ignore_tsumogiri)
        if isinstance(event, events.Ryukyoku) and event.reason in ("exhaustive", "nagashi"):
            free = self._decision.may_declare
            if free and not self._declared:
                raise Parted(f"seats {sorted(free)} may declare tenpai", "nobody may")

    def _finish_kyoku(self) -> None:
        if not self._begun:
            return
        kyoku = self._kyoku
        if self._fact < len(kyoku.facts):
            raise Parted(tell(kyoku.facts[self._fact]), "the kyoku is over")
        compare_indicators(kyoku, self._indicators)

    def _compare_end(self, event: events.HanchanEnd) -> None:
        """Compare the end. Leftover sticks and ranks are known for whole games only."""
        self._finish_kyoku()
        record = self._record
        if record.single:
            return
        if self._begun < len(self._log):
            raise Parted(f"{len(self._log)} kyoku", f"the game is over after {self._begun}")
        for name in ("scores", "ranks", "tenths") if record.final else ():
            theirs, ours = getattr(record.final, name), getattr(event, name)
            if theirs is not None and theirs != ours:
                raise Parted(f"final {name} {theirs}", f"{ours}")

    def _seat(self, player: int) -> int:
        return seat_of(player, self._kyoku.deal.dealer, self._record.rules.game.players)


def _offer_text(choice: Choice | None) -> str:
    if choice is None:
        return "it is not asked"
    return "it may " + " ".join(tell(option) for option in choice.options)
