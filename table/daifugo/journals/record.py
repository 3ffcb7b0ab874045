"""Journals of 大富豪: writing, reading, and driving the engine by them.

{"jantaku": 1, "game": "daifugo", "rules": {…}, …}                         the header
{"round": {"number": 1, "ranks": [0, 0, 0]}}                               a round begins
{"deal": ["S3 H4 …", …]}, {"leader": 2}, {"exchange": [{"giver": 0, …}]}   hands as dealt, by seat
{"turn": 1, "answers": [{"seat": 2, "reply": "S3", "verdict": "ok", …}]}   the answer to the question
{"play": {"seat": 2, "cards": "S3"}}                                       no cards: a pass
{"revolution": true}, {"nagare": true}, {"agari": {…}}, {"finish": {…}}    what the play led to
{"end": {"points": [5, 3, 0], "places": [1, 2, 3]}}                        the end of the series
{"digest": "8b1f…", "blocks": "…"}                                         after every round: see `digest.py`
"""

from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from jantaku.table.daifugo import events
from jantaku.table.daifugo.cards import cards_text, parse_cards
from jantaku.table.daifugo.game import DaifugoGame, Deals, deals_from
from jantaku.table.daifugo.plays import Put
from jantaku.table.daifugo.ranks import gifts
from jantaku.table.daifugo.rules import Rules
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.shapes import shaped
from jantaku.table.ground.port import Action
from jantaku.table.records.journal.answers import wrong_answer
from jantaku.table.records.journal.digest import Edited, Guard, guard_of
from jantaku.table.records.journal.items import JournalAnswer
from jantaku.table.records.journal.killed import REFILLED, SeedsOf, no_seeds, unsealed
from jantaku.table.records.journal.lines import Head, Line, content_of, read_lines, refuse_other
from jantaku.table.records.journal.sealed import Secrets, commitment
from jantaku.table.records.journal.verified import Verified

GAME = "daifugo"
"""The value of `game` in the header of such a journal."""


class Header(Head, frozen=True):
    """The first line: what is needed to play the game again. `player` and `ranks` are by seat; `ranks` belong to the
    first round."""

    player: tuple[str, ...]
    ranks: tuple[int, ...]
    driven: bool = False
    """Whether the hands differ from the ones that the seed deals."""
    commit: str | UnsetType = UNSET
    """The commitment to the seed, see `sealed.py`. Journals of format 1 have none."""
    sealed: bool | UnsetType = UNSET
    """Whether this is only the public part: the series is not over."""


class Difference(msgspec.Struct, frozen=True):
    """The first difference between a record and the engine; `line` is the number in the file, from 1."""

    line: int
    record: str
    engine: str

    def __str__(self) -> str:
        return f"line {self.line}: the record has {self.record}, the engine {self.engine}"


class Record(msgspec.Struct):
    """One series as read from a file. `lines` has (number in the file, line) for every line except the header."""

    path: Path
    header: Header
    rules: Rules
    lines: list[tuple[int, Line]]
    guard: Guard = Guard()
    """The result of checking its digests."""

    @property
    def items(self) -> list[tuple[int, Line]]:
        """The lines of events: all except answers and digests."""
        return [(number, line) for number, line in self.lines if not line.keys() & {"turn", "digest"}]


class _Answer(JournalAnswer, kw_only=True):
    seat: int
    question: int
    reply: str
    allowed: float | None = None
    meta: Any = None


class _Turn(msgspec.Struct):
    turn: int
    answers: list[_Answer]


def reply(action: Action) -> str:
    """Return an action as a player writes it: the cards, or nothing for a pass."""
    assert isinstance(action, Put)
    return cards_text(action.cards)


def lines_of(event: events.Event) -> Iterator[Line]:
    """Return the line of an event. An event that follows from the others has none: seats, sorting, whose turn it is."""
    match event:
        case events.RoundStart(number, ranks):
            yield {"round": {"number": number, "ranks": ranks}}
        case events.Deal(hands):
            yield {"deal": [cards_text(hand) for hand in hands]}
        case events.Leader(seat):
            yield {"leader": seat}
        case events.Exchange(gifts):
            yield {"exchange": [{**msgspec.structs.asdict(gift), "cards": cards_text(gift.cards)} for gift in gifts]}
        case events.Play(seat, cards):
            yield {"play": {"seat": seat, "cards": cards_text(cards)}}
        case events.Revolution(on):
            yield {"revolution": on}
        case events.Nagare():
            yield {"nagare": True}
        case events.Agari():
            yield {"agari": msgspec.structs.asdict(event)}
        case events.RoundEnd():
            yield {"finish": msgspec.structs.asdict(event)}
        case events.SeriesEnd():
            yield {"end": msgspec.structs.asdict(event)}


def _public(event: events.Event) -> list[Line] | None:
    """The public view of a deal or an exchange; None for other events."""
    match event:
        case events.Deal(hands):
            return [{"deal": [""] * len(hands)}]
        case events.Exchange(gifts):
            return [{"exchange": [{**msgspec.structs.asdict(gift), "cards": ""} for gift in gifts]}]
    return None


SECRETS = Secrets(events.RoundStart, _public, {})
"""Hands are not public."""


# --- reading -----------------------------------------------------------------------------------


def load(path: Path, seeds: SeedsOf = no_seeds) -> Record:
    """Read a journal of this game. Raises BadInput, with file and place, for another file, and for the journal of a
    killed game if neither its complete journal is found nor one of `seeds` opens it."""
    content = content_of(path)
    refuse_other(path, content, GAME)
    content, hidden = unsealed(path, content, seeds, _redealt)
    if hidden:
        raise BadInput(f"{path}: {hidden}")
    lines = read_lines(path, content)
    try:
        header = msgspec.convert(lines[0], Header)
        rules = msgspec.convert(header.rules, Rules)
    except msgspec.ValidationError as error:
        raise BadInput(f"{path} line 1: {error}") from None
    numbered = list(enumerate(lines[1:], 2))
    for number, line in numbered:
        if "turn" in line:
            shaped(line, _Turn, f"{path} line {number}")
    return Record(path, header, rules, numbered, guard_of(content))


class _DealtHead(msgspec.Struct):
    seed: str
    number: int
    player: Annotated[list[str], Meta(min_length=2, max_length=6)]


class _Round(msgspec.Struct):
    number: Annotated[int, Meta(ge=0)]
    ranks: tuple[int, ...]


class _DealtLine(msgspec.Struct):
    round: _Round | UnsetType = UNSET


def _redealt(header: Line, where: str, lines: Iterable[tuple[str, Line]]) -> Iterator[Line]:
    """Yield the lines with the cards that the seed deals; see `killed.Dealt`."""
    head = shaped(header, _DealtHead, where)
    seats = len(head.player)
    deal = deals_from(head.seed, head.number, seats)
    ranks, hands = (0,) * seats, deal(1)
    at = 0
    for place, line in lines:
        told = shaped(line, _DealtLine, place).round
        if told is not UNSET:
            at, ranks = told.number, told.ranks
            if len(ranks) != seats:
                raise BadInput(f"{len(ranks)} ranks for {seats} seats", place)
        if "deal" in line:
            hands = deal(at)
            yield {"deal": [cards_text(hand) for hand in hands]}
        elif "exchange" in line:
            given = gifts(hands, ranks)
            yield {"exchange": [{**msgspec.structs.asdict(gift), "cards": cards_text(gift.cards)} for gift in given]}
        else:
            yield line


# --- driving -----------------------------------------------------------------------------------


def game_of(record: Record, rules: Rules) -> DaifugoGame:
    header = record.header
    deals: Deals = deals_from(header.seed, header.number, len(header.player))
    if header.driven:
        recorded = [_hands(record, number, item["deal"]) for number, item in record.items if "deal" in item]
        deals = _recorded(recorded)
    return DaifugoGame(rules, deals, header.player, header.ranks)


def _recorded(hands: list[events.Hands]) -> Deals:
    if not hands:
        raise BadInput("the record holds no deal")
    return lambda at: hands[min(at, len(hands)) - 1]


def _hands(record: Record, line: int, deal: Any) -> events.Hands:
    try:
        return tuple(parse_cards(hand) for hand in shaped(deal, list[str]))
    except BadInput as error:
        raise error.within(f"{record.path} line {line}") from None


def verify(record: Record, rules: Rules) -> Verified:
    """Drive the engine by a record under `rules`, and compare every line. Raises BadInput for a record that is
    invalid."""
    return _Retelling(record, game_of(record, rules)).verified()


class _Retelling:
    """Replays a journal line by line: every play must equal the answer before it, and lead to the lines that follow."""

    def __init__(self, record: Record, game: DaifugoGame) -> None:
        self._record, self._game = record, game
        self._made: deque[Line] = deque()
        """Lines that the game has made and the journal has not shown yet."""
        self._read = 0
        self._turn = 1
        self._tells_turns = record.header.version != REFILLED
        self._answer: Line | None = None
        """The answer of the current turn, as the journal has it."""
        self._rounds = self._events = self._answers = 0

    def verified(self) -> Verified:
        """Compare up to the first difference."""
        difference = None
        for number, line in self._record.lines:
            if "digest" in line:
                continue
            difference = self._answered(number, line) if "turn" in line else self._happened(number, line)
            if difference is not None:
                break
        complete = any("end" in line for _, line in self._record.lines)
        told = ("names", "times", "reasons", "verdicts of the same play") + (
            "deals",
            "the seed",
        ) * self._record.header.driven
        guard = self._record.guard
        edited = None if guard.edited is None else Edited(*guard.edited)
        difference = difference or self._foreign_seed()
        return Verified(
            rounds=self._rounds,
            events=self._events,
            complete=complete,
            difference=difference or edited,
            answers=self._answers,
            told=told,
            guard=guard,
        )

    def _foreign_seed(self) -> Difference | None:
        """The difference if the seed is not the one that the journal was committed to before the first deal."""
        header = self._record.header
        made = commitment(header.seed, header.number)
        if header.commit in (UNSET, made):
            return None
        return Difference(1, f"the commitment {header.commit}", f"{made} for this seed")

    def _catch_up(self) -> None:
        for event in self._game.events[self._read :]:
            self._made += map(_plain, lines_of(event))
        self._read = len(self._game.events)

    def _answered(self, number: int, line: Line) -> Difference | None:
        """Compare the answers of a turn with the game's question."""
        self._catch_up()
        turn = None if self._made or self._answer else self._game.turn()
        if turn is None:
            made = _shown(self._made[0]) if self._made else "nothing"
            return Difference(number, _shown(line), f"a play of {self._answer['seat']}" if self._answer else made)
        if line["turn"] != self._turn or [answer["seat"] for answer in line["answers"]] != [turn.seat]:
            return Difference(number, _shown(line), f"turn {self._turn}, a question to {turn.seat}")
        (answer,) = line["answers"]
        question = self._turn * self._game.seats + turn.seat
        wrong = wrong_answer(answer, reply(turn.choice.default))
        if answer["question"] != question:
            wrong = f"question {answer['question']}", f"question {question}"
        if wrong:
            return Difference(number, f"{wrong[0]} in {_shown(line)}", wrong[1])
        self._answer = answer
        self._answers += 1
        return None

    def _happened(self, number: int, line: Line) -> Difference | None:
        """Compare a line with what the game made; if nothing is left to compare, first play what the line says."""
        self._catch_up()
        if not self._made:
            difference = self._drive(number, line)
            if difference is not None:
                return difference
            self._catch_up()
        difference = _difference((number, line), self._made.popleft())
        self._rounds += difference is None and "round" in line
        self._events += difference is None
        return difference

    def _drive(self, number: int, line: Line) -> Difference | None:
        """Play what a line says; return a difference if that is not legal now, or is not the answer before it."""
        game, turn, play = self._game, self._game.turn(), line.get("play")
        if turn is None or not isinstance(play, dict):
            return Difference(number, _shown(line), "nothing" if turn is None else f"a play of seat {turn.seat}")
        try:
            action = Put(tuple(sorted(parse_cards(shaped(play.get("cards"), str)))))
        except BadInput as error:
            raise error.within(f"{self._record.path} line {number}") from None
        if self._answer is None and self._tells_turns:
            return Difference(number, f"no answer before {_shown(line)}", f"asks seat {turn.seat} in turn {self._turn}")
        if play.get("seat") != turn.seat or action not in turn.choice.options:
            offer = ", ".join(reply(option) or "a pass" for option in turn.choice.options)
            return Difference(number, _shown(line), f"offers seat {turn.seat} only {offer}")
        if self._answer is not None and reply(action) != self._answer["reply"]:
            return Difference(number, _shown(line), f"the answer {_shown(self._answer)}")
        game.act(action)
        game.rule((None,) * game.seats)
        self._answer, self._turn = None, self._turn + 1
        return None


def _difference(recorded: tuple[int, Line], made: Line) -> Difference | None:
    line, item = recorded
    return None if item == made else Difference(line, _shown(item), _shown(made))


def _plain(line: Line) -> Line:
    """Return a line as it is after encoding and decoding."""
    plain: Line = msgspec.json.decode(msgspec.json.encode(line))
    return plain


def _shown(item: Line) -> str:
    return msgspec.json.encode(item).decode()
