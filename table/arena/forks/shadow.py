"""Asks players beside a record, and lets the judge play recorded and branched games.

The baseline of a comparison is an ordinary match folder in which a player meets itself, one hanchan per wall set. It
is played as far as needed, and kept for further candidates.

A `RecordedGame` has the decisions of a record, turn by turn: enough to play its game again without the record.
"""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import msgspec

from jantaku.table.arena.match.matchfile import MatchFile
from jantaku.table.arena.match.plan import MOST_SETS, MatchPlan, plan_of
from jantaku.table.arena.match.records import PLAN, plan_in
from jantaku.table.arena.match.store import is_stillborn, other_code, refuse_other
from jantaku.table.ground.errors import BadInput, CannotStart, PlayersNotReady
from jantaku.table.ground.game import Game, GameWrapper, Turn
from jantaku.table.ground.port import Action, Answer, Choice, Player, Question, innermost_of
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.result import Watch
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.turn.responses import Mode
from jantaku.table.languages.majiang.rule import reply
from jantaku.table.play import seeds
from jantaku.table.play.roster import Entrant, Making, let_go, make_all, refuse_unmade, terms_in
from jantaku.table.play.spec import Terms, terms_of
from jantaku.table.records.journal.items import read_items
from jantaku.table.records.journal.lines import content_of
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.drive import Difference, Drive
from jantaku.table.records.replay.verify import game_of
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.rules import Rules


def drawing(player: str) -> Terms:
    """Return the terms on which a player is compared: a Python bot draws lots anew for every decision."""
    terms = terms_of(player.strip())
    return msgspec.structs.replace(terms, lots="decision") if terms.scheme in ("", "process") else terms


def baseline_of(file: MatchFile, player: Terms) -> MatchPlan:
    """Make the plan in which that player meets itself, with the rules, clock, walls and seed of `file`."""
    match = msgspec.structs.replace(
        file.match,
        format="seats",
        seatings="one",
        players=(),
        sets=MOST_SETS,
        games=None,
        seed=seeds.fresh() if file.match.seed is None else file.match.seed,
    )
    return plan_of(msgspec.structs.replace(file, match=match, player=(player,) * file.rules.game.players))


def found_in(folder: Path, wanted: MatchPlan, *, seeded: bool) -> MatchPlan | None:
    """Return the baseline in this folder, None if the folder is empty or missing. Its own seed counts unless the caller
    gave one (`seeded`). BadInput if it has another player, other rules or other terms."""
    if not os.path.lexists(folder / PLAN):
        if folder.is_dir() and not is_stillborn(folder, [path.name for path in folder.iterdir()]):
            raise BadInput(f"{folder} is no baseline: it holds other files, and no {PLAN}; give a new or empty folder")
        return None
    found = plan_in(folder, *([wanted.seed] if seeded else []))
    if found.format != "seats" or found.seatings != "one" or any(one != found.players[0] for one in found.players):
        raise BadInput(
            f"{folder} is no baseline: it holds a match of format {found.format} of {', '.join(found.names)}; "
            "give a folder that jantaku compare has made, or a new one"
        )
    if found.players != wanted.players:
        theirs, ours = (terms_in(one.players)[0].described for one in (found, wanted))
        raise BadInput(f"{folder} is the baseline of {theirs}, not of {ours} on these terms; give another --baseline")
    if found.fingerprints != wanted.fingerprints:
        raise BadInput(f"{folder}: the code of {wanted.names[0]} has changed since; {other_code(MatchPlan.KIND)}")
    wanted = wanted if seeded else msgspec.structs.replace(wanted, seed=found.seed)
    try:
        refuse_other(folder, wanted)
    except BadInput as other:
        raise BadInput(f"{other}; give another --baseline, or ask for what is there") from None
    return found


class CourseTurn(msgspec.Struct, frozen=True):
    """One turn: the action of its player, and by player the responses of the others (None: not asked)."""

    action: Action
    responses: tuple[Action | None, ...]


class Course(msgspec.Struct, frozen=True):
    """A game as its decisions. `kyoku` holds the turns of each kyoku, `standings` the standing at each deal, and
    `begin` makes the game anew. `parted`: where the engine differs from the record, if it does; the course ends before
    that turn."""

    begin: Callable[[], RiichiGame]
    rules: Rules
    kyoku: Sequence[Sequence[CourseTurn]]
    standings: Sequence[Standing]
    parted: Difference | None = None

    @property
    def seats(self) -> int:
        """Number of players at the table."""
        return self.rules.game.players


_UNSEEN = "decisions"
"""Seed of the walls that a record does not give; the same as in `replay.offers`, so that both see one game."""


def course_of(record: Record, rules: Rules | None = None) -> Course:
    """Read the decisions of a record of any format. BadInput if the rules are neither in the record nor given, or if
    hands are hidden."""
    known = rules or record.rules
    if known is None:
        raise BadInput(f"{record.path}: it does not say by which rules it was played, so options cannot be known")
    if record.hidden:
        raise BadInput(f"{record.path}: {record.hidden}; decisions are not known")
    chosen: list[tuple[int, Action]] = []

    def begin() -> RiichiGame:
        return game_of(record, known, _UNSEEN)

    def asked(player: int, choice: Choice, action: Action) -> None:
        chosen.append((player, action))

    drive = Drive(begin(), record.log, asked=asked, answers=record.answers)
    kyoku, standings = list[list[CourseTurn]](), list[Standing]()
    for number, _ in drive.steps():
        _end_turn(kyoku, chosen, drive.game.seats)
        if number > len(kyoku):
            kyoku.append([])
            standings.append(drive.game.standing)
    if drive.difference is None:
        _end_turn(kyoku, chosen, drive.game.seats)
    return Course(begin, known, kyoku, standings, drive.difference)


def _end_turn(kyoku: Sequence[list[CourseTurn]], chosen: list[tuple[int, Action]], seats: int) -> None:
    if not chosen:
        return
    (_, action), *others = chosen
    responses: list[Action | None] = [None] * seats
    for player, response in others:
        responses[player] = response
    kyoku[-1].append(CourseTurn(action, tuple(responses)))
    chosen.clear()


# --- a journal of jantaku, played from its seed and answers alone


def course_in(path: Path) -> Course:
    """Read the decisions of a complete journal of jantaku whose walls come from its seed. Several times as fast as
    `course_of`, because only the answers are read. BadInput if an answer fits no question of the engine."""
    header, items = read_items(content_of(path), str(path))
    told = {item.turn: {answer.seat: bytes(answer.reply) for answer in item.answers} for item in items if item.turn}
    rules = msgspec.json.decode(header.rules, type=Rules)

    def begin() -> RiichiGame:
        return RiichiGame(
            rules, walls_from(header.seed, header.number, rules, header.walls), header.player, header.qijia
        )

    game, kyoku, standings = begin(), list[list[CourseTurn]](), list[Standing]()
    for number in count(1):
        turn = game.turn()
        if turn is None:
            return Course(begin, rules, kyoku, standings)
        if game.rounds > len(kyoku):
            kyoku.append([])
            standings.append(game.standing)
        replies = told.pop(number, {})
        try:
            action = _taken(turn.choice, replies.get(turn.seat))
            game.act(action)
            responses = [_taken_by(game, player, action, replies) for player in range(game.seats)]
        except BadInput as problem:
            raise problem.within(f"{path} turn {number}") from None
        kyoku[-1].append(CourseTurn(action, tuple(responses)))
        game.rule(responses)
    raise AssertionError


def _taken_by(game: RiichiGame, player: int, action: Action, replies: dict[int, bytes]) -> Action | None:
    choice = game.reaction(player, action) if player in game.reacting() else None
    return None if choice is None else _taken(choice, replies.get(player))


def _taken(choice: Choice, told: bytes | None) -> Action:
    """Return the option that the reply names. BadInput if there is no such option, or no reply to a question."""
    if not choice.asks:
        return choice.default
    for option in choice.options:
        if _written(option) == told:
            return option
    said = (told or b"nothing").decode()
    raise BadInput(f"{said} is no reply to what this version asks there; jantaku verify tells more")


@cache
def _written(option: Action) -> bytes:
    return msgspec.json.encode(reply(option))


# Lets the judge play a recorded or branched game like any other: players are started, timed and guarded.


class Beside(msgspec.Struct, frozen=True):
    """How players run beside a record: clock and threads of the table, and the seed and number of the game, from which
    their own seeds are made."""

    clock: Clock = Clock()
    mode: Mode = Mode.INLINE
    seed: str = "shadow"
    game: int = 0


ALONE = Beside()
"""Players run in the caller's thread without a clock: for trusted bots of this process."""


class Nobody:
    """The player of a seat that is never asked. Implements `Player`."""

    listens = False

    def hear(self, event: Any) -> None:
        """Does nothing: this seat has no bot."""

    def answer(self, question: Question) -> Action:
        """Return the default."""
        return question.default


@runtime_checkable
class CatchesUp(Protocol):
    """A `Player` that can skip thinking about decisions made before it joined."""

    catches_up: bool
    """Whether everything it hears before it must be ready is past. Set before it hears anything."""


def play_between(
    game_for: Callable[[Sequence[Player]], Game],
    seats: int,
    entrants: Mapping[int, Entrant],
    beside: Beside,
    watches: Sequence[Watch] = (),
    turns: int = 0,
) -> None:
    """Play a game with `seats` seats between fresh players, one for each seat in `entrants`; the other seats are empty.

    `game_for` makes the game from the players. `turns`: number of turns already played, which are only told. BadInput
    if a player cannot be made or does not become ready.
    """
    players = _seated(seats, entrants, beside)
    for player in map(innermost_of, players if turns else ()):
        if isinstance(player, CatchesUp):
            player.catches_up = True
    try:
        refuse_unmade(*players)
        clocks = [entrants[seat].clock(beside.clock) if seat in entrants else Clock() for seat in range(seats)]
        judge = Judge(
            game_for(players),
            players,
            mode=beside.mode,
            clock=clocks,
            watches=watches,
            must_start=True,
            turns=turns,
        )
        judge.run()
    except PlayersNotReady as unready:
        raise CannotStart.of([(entrants[seat].name, reason) for seat, reason in unready.missing]) from unready
    finally:
        let_go(*players)


def _seated(seats: int, entrants: Mapping[int, Entrant], beside: Beside) -> list[Player]:
    makings = [
        Making(one.make, seeds.of_bot(beside.seed, beside.game, seat), one.clock(beside.clock).start)
        for seat, one in sorted(entrants.items())
    ]
    made = iter(make_all(makings))
    return [next(made) if seat in entrants else Nobody() for seat in range(seats)]


# Asks players beside a record. Each shadow hears the game as its seat does and gets every question of its seat. Its
# answers are noted, and the game goes on as recorded.
#
#   for noted in shadowed(course_of(read_any(path).record), {0: entrant}):
#   noted.differs, noted.choice.options, noted.played, noted.answer
#
# The judge plays the game like any other, so bots of this process, bots in processes of their own and programs are
# started, timed, guarded and blamed as at a table. Only the game is special: it asks about the real state, and then
# does what the record says.


class Shadowed(msgspec.Struct, frozen=True):
    """One question to a shadow. `kyoku` and `turn` count from 1; `player` is its seat at the table, from 0.

    `choice` holds the options, `played` the recorded action, and `answer` the shadow's answer. If its verdict is not
    good, the bot is at fault, and the action is a default that the bot did not choose.
    """

    kyoku: int
    turn: int
    player: int
    choice: Choice
    played: Action
    answer: Answer

    @property
    def differs(self) -> bool:
        """Whether the shadow's action differs from the recorded one, also if it is the default after a fault."""
        return self.answer.action != self.played


Wanted = Callable[[int, int, int], bool]
"""Called with kyoku and turn (from 1) and the player; returns whether the shadow is asked."""


def shadowed(
    course: Course,
    entrants: Mapping[int, Entrant],
    beside: Beside = ALONE,
    wanted: Wanted | None = None,
    note: Callable[[Shadowed], object] | None = None,
) -> list[Shadowed]:
    """Ask the shadows and return every question in the order of play. `entrants` are by the seat that each one shadows.
    `note` is called after each answer, so that `wanted` can depend on it.

    BadInput if a bot cannot be made or does not become ready. Later faults are in the answers.
    """
    return beside_record(RecordedGame(course, entrants.keys(), wanted), entrants, beside, note)


def beside_record(
    game: "RecordedGame",
    entrants: Mapping[int, Entrant],
    beside: Beside,
    note: Callable[[Shadowed], object] | None = None,
) -> list[Shadowed]:
    """Do the same with a game that the caller can look at afterwards."""
    notes = _Notes(game, note)
    play_between(lambda players: game, game.seats, entrants, beside, [notes])
    return notes.found


class RecordedGame(GameWrapper[RiichiGame]):
    """A game that follows its course whatever is answered. It asks the seats in `shadows` what the real game asks
    them."""

    def __init__(self, course: Course, shadows: Collection[int], wanted: Wanted | None = None) -> None:
        super().__init__(course.begin())
        self._kyoku, self._shadows, self._wanted = course.kyoku, frozenset(shadows), wanted
        self.at = 1, 0
        """Kyoku and turn, from 1; turn 0 before the first."""
        self._turn: CourseTurn | None = None
        self.put: dict[int, tuple[Choice, Action]] = {}
        """By player: the options in this turn, and the recorded action."""

    def turn(self) -> Turn | None:
        """Return the recorded turn, with all options if its seat has a shadow to ask."""
        self.put.clear()
        self._turn = self._next()
        real = self.game.turn() if self._turn is not None else None
        if real is None or self._turn is None:
            return None
        if self._asks(real.seat):
            self.put[real.seat] = real.choice, self._turn.action
            return real
        return Turn(real.seat, Choice((self._turn.action,), self._turn.action))

    def _next(self) -> CourseTurn | None:
        """Advance to the next turn; None at the end of the course."""
        kyoku, turn = self.at
        turn = turn + 1 if kyoku == self.game.rounds else 1
        self.at = kyoku, turn = self.game.rounds, turn
        turns = self._kyoku[kyoku - 1] if kyoku <= len(self._kyoku) else ()
        return turns[turn - 1] if turn <= len(turns) else None

    def _asks(self, player: int) -> bool:
        return player in self._shadows and (self._wanted is None or self._wanted(*self.at, player))

    def act(self, action: Action) -> None:
        """Do the recorded action instead of `action`."""
        assert self._turn is not None
        self.game.act(self._turn.action)

    def reacting(self) -> list[int]:
        return [player for player in self.game.reacting() if self._asks(player)]

    def reaction(self, seat: int, action: Action) -> Choice | None:
        """Return the reaction to the recorded action, whatever the turn seat has answered."""
        assert self._turn is not None
        played = self._turn.responses[seat]
        made = self._turn.action
        choice = self.game.reaction(seat, made) if played is not None and self._asks(seat) else None
        if choice is not None and played is not None:
            self.put[seat] = choice, played
        return choice

    def rule(self, responses: Sequence[Action | None]) -> None:
        """Rule on the recorded responses instead of `responses`."""
        assert self._turn is not None
        self.game.rule(self._turn.responses)


class _Notes:
    """Collects the answers of shadows. Implements `Watch`."""

    def __init__(self, game: RecordedGame, note: Callable[[Shadowed], object] | None) -> None:
        self.found: list[Shadowed] = []
        self._game, self._note = game, note

    def events(self, new: Sequence[Any]) -> None:
        """Does nothing: only answers are noted."""

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        for answer in answers:
            choice, played = self._game.put[answer.seat]
            noted = Shadowed(*self._game.at, answer.seat, choice, played, answer)
            self.found.append(noted)
            if self._note is not None:
                self._note(noted)
