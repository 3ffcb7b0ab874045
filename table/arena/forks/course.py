"""The decisions of a record, turn by turn: enough to play its game again without the record."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import count
from pathlib import Path

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Choice
from jantaku.table.languages.majiang.words import reply
from jantaku.table.records.journal.items import read_items
from jantaku.table.records.journal.lines import content_of
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.drive import Difference, Drive
from jantaku.table.records.replay.verify import game_of
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.rules import Rules


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
