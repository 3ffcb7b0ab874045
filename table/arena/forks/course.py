"""The decisions of a record, turn by turn: enough to play its game again without the record.

The baseline of a comparison is an ordinary match folder in which a player meets itself, one hanchan per wall set. It
is played as far as needed, and kept for further candidates.
"""

import os
from collections.abc import Callable, Sequence
from functools import cache
from itertools import count
from pathlib import Path

import msgspec

from jantaku.table.arena.match.matchfile import MatchFile
from jantaku.table.arena.match.plan import MOST_SETS, MatchPlan, plan_of
from jantaku.table.arena.match.records import PLAN, plan_in
from jantaku.table.arena.match.store import is_stillborn, other_code, refuse_other
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Choice
from jantaku.table.languages.majiang.rule import reply
from jantaku.table.play import seeds
from jantaku.table.play.seating.roster import terms_in
from jantaku.table.play.seating.spec import Terms, terms_of
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
        luck=False,
        seed=seeds.fresh() if file.match.seed is None else file.match.seed,
    )
    return plan_of(msgspec.structs.replace(file, match=match, player=(player,) * file.rules.game.players))


def found_in(folder: Path, wanted: MatchPlan, *, seeded: bool) -> MatchPlan | None:
    """Return the baseline in this folder, None if the folder is empty or missing. Its own seed counts unless the caller
    gave one (`seeded`). BadInput if it has another player, other rules or other terms."""
    if not os.path.lexists(folder / PLAN):
        if folder.is_dir() and not is_stillborn(folder, [path.name for path in folder.iterdir()]):
            raise BadInput(f"{folder} is not a baseline: it has files but no {PLAN}; give a new or empty folder")
        return None
    found = plan_in(folder, *([wanted.seed] if seeded else []))
    if found.format != "seats" or found.seatings != "one" or any(one != found.players[0] for one in found.players):
        raise BadInput(
            f"{folder} is not a baseline: it holds a match of format {found.format} of {', '.join(found.names)}; "
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
    raise BadInput(f"{said} is not a reply to the question that this version asks there; jantaku verify shows more")


@cache
def _written(option: Action) -> bytes:
    return msgspec.json.encode(reply(option))
