"""What is read from a 大富豪 journal and written to it: its events, played again, with the options of the players.

For the runner seats and cards are drawn here, and the journal is kept.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import UNSET, UnsetType

from jantaku.table.daifugo import events
from jantaku.table.daifugo.cards import parse_cards, without
from jantaku.table.daifugo.events import Board, SeriesEnd
from jantaku.table.daifugo.game import DaifugoGame, deals_from, seats_drawn
from jantaku.table.daifugo.journals.record import GAME, SECRETS, Header, Record, game_of, lines_of, reply
from jantaku.table.daifugo.plays import Put
from jantaku.table.daifugo.ranks import Gift
from jantaku.table.daifugo.rules import Rules
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.shapes import shaped
from jantaku.table.judge.result import Ending, Result, Watch
from jantaku.table.play import seeds
from jantaku.table.play.outcome import Outcome, by_entrant, faults_by_entrant, reports_of
from jantaku.table.records.journal.lines import FORMAT, Line
from jantaku.table.records.journal.writer import JournalWriter


class _ToldRound(msgspec.Struct):
    number: int
    ranks: tuple[int, ...]


class _ToldCards(msgspec.Struct):
    cards: str


class _ToldPlay(_ToldCards):
    seat: int


class _ToldGift(_ToldCards):
    giver: int
    taker: int


class _ToldLine(msgspec.Struct):
    """A line of a journal: one of the fields is set, or none for a line of another kind."""

    round: _ToldRound | UnsetType = UNSET
    deal: list[str] | UnsetType = UNSET
    leader: int | UnsetType = UNSET
    exchange: list[_ToldGift] | UnsetType = UNSET
    play: _ToldPlay | UnsetType = UNSET
    revolution: bool | UnsetType = UNSET
    nagare: bool | UnsetType = UNSET
    agari: events.Agari | UnsetType = UNSET
    finish: events.RoundEnd | UnsetType = UNSET
    end: events.SeriesEnd | UnsetType = UNSET


def event_of(line: Line, where: str) -> events.Event | None:
    """Return the event of a journal's line, the inverse of `record.lines_of`; None for a line without one.
    Raises BadInput, with `where`, for an invalid line."""
    told = shaped(line, _ToldLine, where)
    try:
        if told.round is not UNSET:
            return events.RoundStart(told.round.number, told.round.ranks)
        if told.deal is not UNSET:
            return events.Deal(tuple(map(parse_cards, told.deal)))
        if told.exchange is not UNSET:
            return events.Exchange(tuple(Gift(one.giver, one.taker, parse_cards(one.cards)) for one in told.exchange))
        if told.play is not UNSET:
            return events.Play(told.play.seat, parse_cards(told.play.cards))
    except BadInput as error:
        raise error.within(where) from None
    if told.leader is not UNSET:
        return events.Leader(told.leader)
    if told.revolution is not UNSET:
        return events.Revolution(told.revolution)
    if told.nagare is not UNSET:
        return events.Nagare()
    return told.agari or told.finish or told.end or None


class Followed(msgspec.Struct):
    """One line of a journal and the board after it. The next line changes the board."""

    line: Line
    event: events.Event | None
    board: Board


def followed(record: Record) -> Iterator[Followed]:
    """Follow a journal line by line. Raises BadInput, with the line, if it contradicts earlier lines: a seat or card
    that does not exist. The rules are not checked; `verify` does that."""
    board = Board()
    seats = len(record.header.player)
    events.SeriesStart(record.header.player, "").apply(board)
    for number, line in record.lines:
        where = f"{record.path} line {number}"
        event = event_of(line, where)
        if why := _stranger(line, seats):
            raise BadInput(why, where)
        if event is not None:
            if why := _contradiction(event, board, seats):
                raise BadInput(why, where)
            if isinstance(event, events.Play):
                events.Thinking(event.seat).apply(board)
            event.apply(board)
            if isinstance(event, events.Deal | events.Exchange):
                events.SortedHands().apply(board)
        yield Followed(line, event, board)


def _contradiction(event: events.Event, board: Board, seats: int) -> str:
    """Why an event contradicts the board; empty if it does not."""
    match event:
        case events.Deal(hands):
            dealt = sorted(card for hand in hands for card in hand)
            known = len(hands) == seats and len(set(dealt)) == len(dealt)
            return "" if known else f"{len(hands)} hands with {len(dealt)} cards for {seats} seats"
        case events.Play(seat, cards):
            return _missing(board, seat, cards)
        case events.Exchange(gifts):
            wrong = [_missing(board, gift.giver, gift.cards) or _absent(gift.taker, seats) for gift in gifts]
            return next(filter(None, wrong), "")
        case events.Leader(seat) | events.Agari(seat):
            return _absent(seat, seats)
        case events.RoundStart(_, ranks):
            return _uneven(seats, ranks)
        case events.RoundEnd(places, ranks, points):
            return _uneven(seats, places, ranks, points)
        case events.SeriesEnd(points, places):
            return _uneven(seats, points, places)
    return ""


def _uneven(seats: int, *lists: tuple[int, ...]) -> str:
    """Why one of these lists does not have one value per seat; empty if all do."""
    wrong = [len(values) for values in lists if len(values) != seats]
    return f"{wrong[0]} values for {seats} seats" if wrong else ""


def _stranger(line: Line, seats: int) -> str:
    """Why the answers of a line do not belong to a seat; empty if they do. Their shape is checked when the record is
    read."""
    if "turn" not in line:
        return "answers without their turn" if "answers" in line else ""
    return next(filter(None, (_absent(answer["seat"], seats) for answer in line["answers"])), "")


def _absent(seat: int, seats: int) -> str:
    return "" if 0 <= seat < seats else f"there is no seat {seat}; seats are 0 to {seats - 1}"


def _missing(board: Board, seat: int, cards: tuple[int, ...]) -> str:
    """Why a seat cannot give these cards away; empty if it can."""
    if why := _absent(seat, board.seats):
        return why
    try:
        without(board.hands[seat], cards)
    except ValueError:
        return f"seat {seat} does not hold these cards"
    return ""


class SeriesOptions:
    """The options of every question of a series, by the rules, up to the first difference between journal and
    engine."""

    def __init__(self, record: Record, rules: Rules) -> None:
        self._game: DaifugoGame | None = game_of(record, rules)

    @property
    def known(self) -> bool:
        """Whether the engine still agrees with the journal."""
        return self._game is not None

    def of(self, seat: int) -> list[str]:
        """The replies that the seat may give now; empty if the engine does not ask it."""
        turn = self._game.turn() if self._game is not None else None
        return [reply(option) for option in turn.choice.options] if turn is not None and turn.seat == seat else []

    def take(self, play: events.Play) -> None:
        """Apply the play that answers the question."""
        if self._game is None:
            return
        turn, action = self._game.turn(), Put(tuple(sorted(play.cards)))
        if turn is None or turn.seat != play.seat or action not in turn.choice.options:
            self._game = None
            return
        self._game.act(action)
        self._game.rule((None,) * self._game.seats)


class DaifugoTable:
    """Opens series between entrants of these names. Implements `runner.Opener`. Journals go to `folder`; `version` is
    jantaku's."""

    def __init__(self, rules: Rules, names: Sequence[str], seed: str, folder: Path, version: str) -> None:
        self._rules, self._names, self._seed = rules, tuple(names), seed
        self._folder, self._version = folder, version

    def __call__(self, number: int) -> "OpenDaifugo":
        """Return series `number`, at its first deal."""
        seats, seed = len(self._names), seeds.of_game(self._seed, number)
        order = seats_drawn(seed, number, seats)
        game = DaifugoGame(self._rules, deals_from(seed, number, seats), tuple(self._names[place] for place in order))
        header = header_of(game, seed, number, self._version)
        return OpenDaifugo(game, order, header, self._folder / f"game-{number:04d}.jsonl")


def header_of(game: DaifugoGame, seed: str, number: int, version: str, *, driven: bool = False) -> Header:
    """Return the journal's header for a series that has just begun."""
    return Header(
        jantaku=FORMAT,
        version=version,
        game=GAME,
        rules=msgspec.to_builtins(game.rules),
        seed=seed,
        number=number,
        player=game.events[0].names,
        ranks=game.events[1].ranks,
        driven=driven,
    )


class OpenDaifugo:
    """One series, ready to be played; `path` is its journal, None for none. Implements `runner.OpenGame`."""

    def __init__(self, game: DaifugoGame, order: Sequence[int], header: Header, path: Path | None) -> None:
        self.game = game
        self.order = order
        self._header = header
        self._path = path
        self._journal: JournalWriter | None = None

    def begin(self) -> Sequence[Watch]:
        """Create the journal's file, and return its watch."""
        if self._path is None:
            return ()
        self._journal = JournalWriter(self._path, self._header, lines_of, reply, secrets=SECRETS)
        return (self._journal,)

    def close(self, result: Result | None) -> Outcome | None:
        if self._journal is not None:
            self._journal.close()
        if result is None:
            return None
        end = self.game.events[-1]
        over = isinstance(end, SeriesEnd) and result.ending is Ending.OVER
        scores = by_entrant(end.points, self.order) if over else ()
        names = by_entrant(self._header.player, self.order)
        rounds = [f"round {number}" for number in range(1, self.game.rounds + 1)]
        record = "" if self._path is None else str(self._path)
        return Outcome(
            game=self._header.number,
            seed=self._header.seed,
            ending=result.ending,
            names=names,
            scores=scores,
            ranks=by_entrant(end.places, self.order) if over else (),
            points=tuple(map(float, scores)),
            kyoku=self.game.rounds,
            faults=faults_by_entrant(result, self.order),
            longest=by_entrant([report.longest for report in result.seats], self.order),
            cpu=by_entrant([report.cpu for report in result.seats], self.order),
            records=(record,) if record else (),
            reason=result.reason,
            fault_reports=reports_of(result, self.order, names, self._header.number, rounds, record),
        )
