"""Replays a journal: the engine plays by its walls and answers, and every line is compared with the result.

A good answer was played, so it must lead to the events that follow it; for a bad one the default was played. Which
seats were asked, in which turn and under which number, follows from the game. Not derivable, and so not proven, are
names, times, the reasons of bad verdicts, and a verdict that led to the same play as another.
"""

import msgspec

from jantaku.table.ground.port import Action, Choice
from jantaku.table.languages.majiang.items import Encoder, writes_decimals
from jantaku.table.languages.majiang.rule import CHOMBO, Item, reply
from jantaku.table.records.journal.answers import wrong_answer
from jantaku.table.records.journal.killed import REFILLED
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.drive import Difference, Drive, show
from jantaku.table.riichi.events import KyokuStart
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.pieces.tiles import NAMES

CONVERTED = "converted"
"""The version in the header of a journal that was converted from another format: it may lack walls and answers."""
_SILENT = {"lizhi", "jieju", "wall", "turn", "digest"}
"""Keys of lines that are not items of a 牌譜, and so are not counted as events of a kyoku."""


class AskedTurn(msgspec.Struct):
    """A turn of the engine, numbered from 1, with its questions."""

    turn: int
    choices: dict[int, Choice] = {}
    """By player, its choice, if it has more than one option."""
    parted: Difference | None = None


class Compared(msgspec.Struct):
    """How far a journal was compared, and the first difference."""

    kyoku: int = 0
    events: int = 0
    answers: int = 0
    difference: Difference | None = None


class Retelling:
    """Reads a journal line by line and compares. `game` is the record's game, not yet played."""

    def __init__(self, record: Record, game: RiichiGame) -> None:
        self._record, self._game = record, game
        self._converted = record.lines[0].get("version") in (CONVERTED, REFILLED)
        self._tells_walls = bool(record.walls) or not self._converted
        self._tells_turns = any("turn" in line for line in record.lines) or not self._converted
        self._expected: list[Item | AskedTurn] = []
        self._encoder = Encoder(decimals=writes_decimals(game.rules))
        self._taken = 0
        """Number of the game's events that are in `_expected`."""
        self._drive = Drive(game, record.log, asked=self._note, answers=record.answers)
        self._at = 0
        """Number of expected lines that were found in the journal."""
        self._ahead: int | None = None if record.driven else 0
        """The engine's turn number minus the journal's: a journal that continues another record begins to count there.
        None until the first answers."""
        self._done = Compared()
        self._event = 0

    def compared(self) -> Compared:
        """Play the game and compare. Raises BadInput if a wall cannot be rebuilt."""
        for turn, _ in enumerate(self._drive.steps(), 1):
            self._take_events()
            self._expected.append(AskedTurn(turn))
        if self._expected and isinstance(self._expected[-1], AskedTurn):
            self._expected[-1].parted = self._drive.difference
        self._take_events()
        for number, line in enumerate(self._record.lines[1:], 2):
            if "digest" in line:
                continue
            self._done.difference = self._differs(number, line)
            if self._done.difference is not None:
                break
        return self._done

    def _note(self, player: int, choice: Choice, action: Action) -> None:
        asked = self._expected[-1]
        assert isinstance(asked, AskedTurn)
        if choice.asks:
            asked.choices[player] = choice

    def _take_events(self) -> None:
        events = self._game.events
        for event in events[self._taken :]:
            if isinstance(event, KyokuStart) and self._tells_walls:
                wall = self._game.walls[sum("wall" in line for line in self._expected if isinstance(line, dict))]
                dice = None if wall.dice is None else list(wall.dice)
                self._expected.append({"wall": "".join(NAMES[tile] for tile in wall.tiles), "dice": dice})
            item = self._encoder.encode(event)
            if item is not None:
                self._expected.append(item)
        self._taken = len(events)

    # --- line by line

    def _differs(self, number: int, line: Item) -> Difference | None:
        """The difference between a line and what the game makes; if there is none, count the line."""
        is_item = not line.keys() & _SILENT
        kyoku, event = self._done.kyoku + ("qipai" in line), 1 if "qipai" in line else self._event + is_item
        self._pass_turns_without_answers(line)
        if self._at == len(self._expected):
            if "turn" in line and not self._game.over and number == len(self._record.lines):
                return None  # truncated before the events of this turn
            said = "nothing: the game is over" if self._game.over else "nothing"
            return Difference(kyoku, event, show(line), said, number)
        expected = self._expected[self._at]
        if isinstance(expected, AskedTurn):
            if expected.parted is not None:
                return msgspec.structs.replace(expected.parted, kyoku=kyoku, event=event, line=number)
            wrong = self._wrong_answers(expected, line) if "turn" in line else ("no answers", "has some of this turn")
            if wrong:
                return Difference(kyoku, event, f"{wrong[0]} in {show(line)}", wrong[1], number)
            self._done.answers += len(line["answers"])
        elif line != expected:
            return Difference(kyoku, event, show(line), show(expected), number)
        self._at += 1
        self._done.kyoku, self._event = kyoku, event
        self._done.events += is_item
        return None

    def _pass_turns_without_answers(self, line: Item) -> None:
        """Advance to the entry that `line` can be, past turns without questions and turns whose answers are not
        recorded."""
        while self._at < len(self._expected):
            expected = self._expected[self._at]
            if not isinstance(expected, AskedTurn) or expected.parted is not None:
                return
            untold = not self._tells_turns or (self._ahead is None and "turn" not in line)
            if expected.choices and not untold:
                return
            self._at += 1

    def _wrong_answers(self, asked: AskedTurn, line: Item) -> tuple[str, str] | None:
        """What is wrong with the answers of a turn, and what the engine has instead; None if nothing is."""
        if self._ahead is None:
            self._ahead = asked.turn - line["turn"]
        turn = asked.turn - self._ahead
        if line["turn"] != turn or self._ahead < 0:
            return f"turn {line['turn']}", f"turn {turn}"
        seats = [answer["seat"] for answer in line["answers"]]
        if sorted(seats) != sorted(asked.choices):
            return f"answers of {seats}", f"asks {sorted(asked.choices)}"
        for answer in line["answers"]:
            seat = answer["seat"]
            question = turn * self._game.seats + seat
            if answer.get("question") != question:
                return f"question {answer.get('question')} to {seat}", f"question {question}"
            if wrong := wrong_answer(answer, reply(asked.choices[seat].default), CHOMBO):
                return f"{wrong[0]} of {seat}", wrong[1]
        return None
