"""Finds the rules that fit a record, drives the engine by it, and compares every event.

A journal is replayed: the engine plays by its walls and answers, and every line is compared with the result.

A good answer was played, so it must lead to the events that follow it; for a bad one the default was played. Which
seats were asked, in which turn and under which number, follows from the game. Not derivable, and so not proven, are
names, times, the reasons of bad verdicts, and a verdict that led to the same play as another.
"""

from collections.abc import Sequence

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Choice
from jantaku.table.ground.settings import build, difference, flat, toml
from jantaku.table.languages.facts import DrawFact, Fact
from jantaku.table.languages.majiang.items import Encoder, final_of, items_of, writes_decimals
from jantaku.table.languages.majiang.paifu import by_kyoku, in_paifu
from jantaku.table.languages.majiang.rule import CHOMBO, Item, reply
from jantaku.table.records.journal.digest import Edited, Verified
from jantaku.table.records.journal.items import wrong_answer
from jantaku.table.records.journal.read import Record
from jantaku.table.records.journal.sealed import REFILLED, commitment
from jantaku.table.records.replay.drive import Difference, Drive, rebuilt, show
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.events import KyokuStart, PerSeat
from jantaku.table.riichi.flow.hanchan import opening
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.game import RiichiGame, Walls, walls_from
from jantaku.table.riichi.pieces.seats import by_player, player_of
from jantaku.table.riichi.pieces.tiles import NAMES
from jantaku.table.riichi.pieces.wall import Wall
from jantaku.table.riichi.rules import Rules

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


# Finds the rules that fit a record, and the keys of other rules that do not.


def rules_of(record: Record) -> Rules:
    """The rules that a record names, or the rules of the program whose form it has."""
    return record.rules or ruleset.preset(record.form.preset)


def unfit(record: Record, rules: Rules) -> str:
    """If the rules of `rules_of` fit a record and `rules` do not, return the differences that show in it, as text.
    Empty if neither fits, or if no single key makes the difference."""
    fitting = rules_of(record)
    if rules == fitting or not _fits(record, fitting):
        return ""
    theirs = flat(fitting)
    keys = [
        f"{name} = {toml(given)} does not fit, {toml(fits)} does"
        for name, given, fits in difference(rules, fitting)
        if not _fits(record, build(Rules, theirs | {name: given}, ""))
    ]
    whose = "its own rules" if record.rules else f"preset {record.form.preset}"
    return f"it was played by {whose}: {'; '.join(keys)}" if keys else ""


def _fits(record: Record, rules: Rules) -> bool:
    try:
        return verify(record, rules).difference is None
    except BadInput:  # no such wall can exist
        return False


# Verifies a record: drives the engine by it and compares every event, the final points and the ranks.


class RecordedWalls:
    """The walls of a record, kyoku by kyoku; after its end, walls made from a seed."""

    def __init__(self, record: Record, rules: Rules, seed: str) -> None:
        self._record, self._rules, self._seed = record, rules, seed
        self._after = walls_from(seed, record.number, rules, record.school)
        self._dealt = 0

    def __call__(self, at: Standing) -> Wall:
        record, index = self._record, self._dealt
        self._dealt += 1
        if index < len(record.walls):
            told = record.walls[index]
            # a copy: tiles leave a wall, and a record may be played several times
            return type(told).from_tiles(told.tiles, told.dice)
        if index < len(record.log):
            try:
                return rebuilt(record.log[index], self._rules, f"{self._seed}|{index}")
            except BadInput as error:
                raise BadInput(f"{record.path} kyoku {index + 1}: {error}") from None
        return self._after(at)


def opening_of(record: Record, rules: Rules) -> Standing:
    """The standing at the beginning of the record's game: East 1 as the rules say, or in the middle of a game. A driven
    one may begin in East 1 with any points, as a position does."""
    standing, start = standing_of(record, 0), opening(rules)
    if not (standing.number or standing.honba or standing.sticks or record.driven):
        return start
    return msgspec.structs.replace(standing, last=max(start.last, standing.number))


def standing_of(record: Record, kyoku: int) -> Standing:
    """The standing when kyoku number `kyoku`, from 0, is dealt; that kyoku counts as the planned last one."""
    deal = record.log[kyoku][0]
    assert isinstance(deal, KyokuStart), "a kyoku begins with its deal"
    number = deal.round_wind * len(deal.scores) + deal.kyoku
    scores = tuple(by_player(deal.scores, deal.dealer))
    before = record.log[:kyoku]
    again = sum(_place(earlier[0]) == _place(deal) for earlier in before)
    return Standing(number, deal.honba, deal.sticks, scores, number, again, chombos(before, len(scores)))


def _place(deal: Fact) -> tuple[int, int, int]:
    assert isinstance(deal, KyokuStart), "a kyoku begins with its deal"
    return deal.round_wind, deal.kyoku, deal.honba


def chombos(log: Sequence[Sequence[Fact]], players: int) -> PerSeat:
    """By player, how many of these kyoku its chombo ended."""
    counts = [0] * players
    for deal, *facts in log:
        for fact in facts[-1:]:
            if isinstance(fact, DrawFact) and fact.offender is not None and isinstance(deal, KyokuStart):
                counts[player_of(fact.offender, deal.dealer, players)] += 1
    return tuple(counts)


def check_players(record: Record, rules: Rules) -> None:
    """Raise BadInput if the record has another number of players than the rules."""
    told, needed = len(record.names), rules.game.players
    if told != needed:
        raise BadInput(f"{record.path}: {told} play in this record, {needed} by these rules; --rules names others")


def game_of(record: Record, rules: Rules, seed: str) -> RiichiGame:
    """Return the game of a record, not yet played; `seed` deals the walls that the record does not contain. Raises
    BadInput if the number of players does not fit the rules."""
    check_players(record, rules)
    walls: Walls = RecordedWalls(record, rules, seed)
    if record.seed is not None and not record.driven:
        walls = walls_from(record.seed, record.number, rules, record.school)
    return RiichiGame(rules, walls, record.names, record.first_dealer, opening_of(record, rules))


def verify(record: Record, rules: Rules) -> Verified:
    """Drive the engine by a record under `rules`, and compare. Raises BadInput for a record that is invalid."""
    if record.hidden:
        raise BadInput(f"{record.path}: {record.hidden}; nothing was compared")
    game, edited = game_of(record, rules, "verify"), record.guard.edited
    if record.lines:
        done = Retelling(record, game).compared()
        complete = record.final is not None
        difference = done.difference or _foreign_seed(record) or (edited and Edited(*edited))
        return Verified(
            rounds=done.kyoku,
            events=done.events,
            complete=complete,
            difference=difference,
            answers=done.answers,
            told=told_by(record),
            guard=record.guard,
            unit="kyoku",
        )
    drive = Drive(game, record.log)
    for _ in drive.steps():
        pass
    log = record.items or [items_of(in_paifu(kyoku)) for kyoku in record.log]
    difference = drive.difference or _later_difference(record, log, rules, drive.game)
    events = sum(map(len, log))
    complete = record.final is not None
    return Verified(
        rounds=len(record.log),
        events=events,
        complete=complete,
        difference=difference,
        told=told_by(record),
        unit="kyoku",
        marked=drive.marked,
    )


def _foreign_seed(record: Record) -> Difference | None:
    """The difference if the seed of a journal is not the one that it was committed to before the game."""
    header = record.lines[0]
    told, made = header.get("commit"), commitment(record.seed or "", record.number)
    if told is None or told == made or header["version"] in (CONVERTED, REFILLED):
        return None
    return Difference(1, 1, f"the commitment {told}", f"{made} for this seed", 1)


def told_by(record: Record) -> tuple[str, ...]:
    """The statements of a record that do not follow from the rest of it."""
    told = ["names"]
    if record.title:
        told.append("the title")
    if record.driven and record.seed:
        told.append("the seed")
    if record.driven and record.walls:
        told.append("tiles that nobody drew")
    if record.answers:
        told += ["times", "reasons", "verdicts of the same play"]
    if any("meta" in answer for turn in record.answers.values() for answer in turn["answers"]):
        told.append("what players said besides")
    return (*told, *record.unread)


def _unmarked(item: Item | None) -> Item | None:
    if item is None or "dapai" not in item:
        return item
    return {"dapai": {**item["dapai"], "p": item["dapai"]["p"].replace("_", "")}}


def _later_difference(
    record: Record, log: Sequence[Sequence[Item]], rules: Rules, game: RiichiGame
) -> Difference | None:
    """Compare what a drive does not: the text of every item, the places of indicators, and the end of the game."""
    encoder = Encoder(decimals=writes_decimals(rules))
    items = [item for event in game.events if (item := encoder.encode(event)) is not None]
    made = by_kyoku(items)
    for kyoku, theirs in enumerate(log, 1):
        ours = made[kyoku - 1] if kyoku <= len(made) else []
        is_last = kyoku == len(record.log)
        for event in range(1, max(len(theirs), 0 if is_last else len(ours)) + 1):
            item = theirs[event - 1] if event <= len(theirs) else None
            wanted = ours[event - 1] if event <= len(ours) else None
            wanted = wanted and record.form.item(wanted)
            if _unmarked(wanted) != _unmarked(item):  # the drive has compared discards
                return Difference(kyoku, event, show(item), show(wanted))
    return _other_end(record, game, items)


def _other_end(record: Record, game: RiichiGame, items: list[Item]) -> Difference | None:
    """The difference in how the game ended; None if there is none. A complete record of ours states its end."""
    made = items[-1].get("jieju") if game.over else None
    if record.final is None:
        whole = not record.lines and record.seed is not None
        return Difference(0, 0, show(None), show(made)) if made is not None and whole else None
    made = made and record.form.end(made)
    told = record.end or final_of(record.final, decimals=writes_decimals(game.rules))
    return None if made == told else Difference(0, 0, show(told), show(made))
