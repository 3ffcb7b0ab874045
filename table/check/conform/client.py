"""Examines another author's program at a table: the exam's situations, with every line kept and checked against the
card.

For that a dialect is wrapped: its lines are recorded, and changed on their way to the player.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Literal, Protocol, cast, runtime_checkable

import msgspec

from jantaku.table.check.conform.card import Card, card_of, kind_of, messages_in
from jantaku.table.check.conform.words import MANNERS, misfits
from jantaku.table.check.exam import exam
from jantaku.table.check.exam.exam import Paper, parts_of
from jantaku.table.check.exam.items import SCENES, Scene
from jantaku.table.ground.errors import BadInput, PlayerSilent
from jantaku.table.ground.port import Action, DefaultPlayed, Player, Question, Verdict
from jantaku.table.judge.timing import Clock
from jantaku.table.languages.wire.dialect import Aside, Dialect, Greeting, Heard, Talk
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.play.roster import Entrant, Making, make_all, refuse_unmade
from jantaku.table.riichi.rules import Rules
from jantaku.table.testing.sitting import Sat

Change = Callable[[bytes], bytes]
"""Returns what is sent instead of a line, line feed included."""
STRANGE = {"shiny": {"new": [1, "x"]}}
"""A field, or a message, that no program knows."""


def as_it_is(line: bytes) -> bytes:
    """Change nothing."""
    return line


Tape = list[tuple[bool, bytes]]
"""The lines of one conversation in order, each with whether the table said it."""


class _Tap:
    """A wrapped dialect; passes on what it does not define. `began` is called with the tape of each conversation when
    the program is first addressed."""

    def __init__(self, dialect: Dialect, change: Change, began: Callable[[Tape], None]) -> None:
        self._dialect, self._change, self._began = dialect, change, began
        self._tape: Tape = []
        self._is_used = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._dialect, name)

    def tell(self, event: Any, question: Question | None = None) -> bytes:
        return self._out(self._dialect.tell(event, question))

    def default_played(self, played: DefaultPlayed) -> bytes:
        return self._out(self._dialect.default_played(played))

    def greet(self) -> Greeting | None:
        self._use()
        greeting = self._dialect.greet()
        return None if greeting is None else cast(Greeting, self._talk(cast(Talk, greeting)))

    def ask(self, question: Question) -> Talk:
        self._use()
        return self._talk(self._dialect.ask(question))

    def again(self) -> Dialect:
        return cast(Dialect, _Tap(self._dialect.again(), self._change, self._began))

    def _use(self) -> None:
        if not self._is_used:
            self._is_used = True
            self._began(self._tape)

    def _talk(self, talk: Talk) -> Generator[bytes, Heard, Action]:
        try:
            data = next(talk)
            while True:
                if isinstance(data, Aside):
                    yield Aside(self._out(data))
                    data = next(talk)
                    continue
                try:
                    heard = yield self._out(data)
                except PlayerSilent as silence:
                    data = talk.throw(silence)
                else:
                    self._tape.append((False, heard.line))
                    data = talk.send(heard)
        except StopIteration as end:
            return cast(Action, end.value)

    def _out(self, data: bytes) -> bytes:
        said = b"".join(self._change(line) for line in data.splitlines(keepends=True))
        self._tape += [(True, line) for line in said.splitlines()]
        return said


def with_strange_fields(line: bytes) -> bytes:
    """Add an unknown field to every message of the line."""
    value = msgspec.json.decode(line)
    if isinstance(value, list):
        return msgspec.json.encode([one | STRANGE for one in value]) + b"\n"
    return msgspec.json.encode(value | STRANGE) + b"\n"


def with_strange_messages(dialect: str) -> Change | None:
    """Return a change that puts an unknown message, to which no reply is due, before every line. None if the dialect
    has no such message."""
    if dialect in ("mjai", "mjai-actions"):
        return lambda line: msgspec.json.encode([{"type": "shiny", "actor": 0}, *msgspec.json.decode(line)]) + b"\n"
    alone = {
        "majiang": STRANGE,
        "mjai-lines": {"type": "shiny", "can_act": False},
        "mjai-lines-actions": {"type": "shiny", "can_act": False},
        "riichilab": {"type": "shiny"},
    }.get(dialect)
    return None if alone is None else lambda line: msgspec.json.encode(alone) + b"\n" + line


# The result of a check, and the files of a run.

Status = Literal["passed", "failed", "not reached", "noted"]


class Check(msgspec.Struct, frozen=True):
    """One check: passed, failed, never reached, or only noted because dialects leave it open. `about` sums up the
    finding in a line; `evidence` are the lines that show it."""

    name: str
    status: Status
    about: str = ""
    evidence: tuple[str, ...] = ()


class TranscriptLine(msgspec.Struct, frozen=True):
    """A line of a transcript: the check, the seat of the conversation, its sender, and its text."""

    check: str
    seat: str
    by: Literal["table", "player"]
    line: str


def kept(folder: Path, checks: Iterable[Check], transcript: Iterable[TranscriptLine]) -> None:
    """Write `report.json` and `transcript.jsonl`. BadInput if the disk refuses."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        report = msgspec.json.format(msgspec.json.encode(list(checks)), indent=1)
        (folder / "report.json").write_bytes(report + b"\n")
        (folder / "transcript.jsonl").write_bytes(msgspec.json.Encoder().encode_lines(transcript))
    except OSError as error:
        raise BadInput(f"{error.filename or folder} cannot be written: {error.strerror}") from None


LAST = 6
"""Lines of the conversation shown with a failure."""
_LONGEST = 400  # characters of each
_SEED = "conform"
_STRANGE: Mapping[str, Callable[[str], Change | None]] = {
    "unknown-fields": lambda dialect: with_strange_fields,
    "unknown-messages": with_strange_messages,
}
"""Checks of tolerance, by name: how to change lines, by dialect, as a later version or another server may send them."""
ITEMS = (*exam.ITEMS, *_STRANGE)
_BRIEF = ("riichi", "kan", "robbed-kan")
"""Situations that are played again with strange fields and messages."""


@runtime_checkable
class Speaks(Protocol):
    """An `Entrant.make` whose players speak a dialect."""

    dialect: Callable[[], Dialect]


class SpokenTo:
    """The program under examination, with all conversations with it."""

    def __init__(self, entrant: Entrant, clock: Clock) -> None:
        make: object = entrant.make
        known = {kind.side: name for name, kind in DIALECTS.items()}
        if not isinstance(make, Speaks) or make.dialect not in known:
            raise BadInput(
                f"{entrant.spec} speaks no dialect: a program is exec:PROGRAM?dialect=NAME or folder:PATH, a server an "
                "address; `jantaku exam` examines Python bots"
            )
        self.dialect = known[make.dialect]
        self.clock = entrant.clock(clock)
        self.transcript: list[tuple[str, Tape]] = []
        """Conversations, each with its check."""
        self._make, self._speaks, self._kind = entrant.make, make, make.dialect

    def player(self, check: str, change: Change = as_it_is) -> Callable[[int], Player]:
        """Return a function that makes the program's player for a check from a seed."""

        def began(tape: Tape) -> None:
            self.transcript.append((check, tape))

        def make(seed: int) -> Player:
            self._speaks.dialect = lambda: cast(Dialect, _Tap(self._kind(), change, began))
            (player,) = make_all([Making(self._make, seed, self.clock.start)])
            refuse_unmade(player)
            return player

        return make

    @property
    def has_spoken(self) -> bool:
        """Whether the program has sent a line."""
        return any(not by_table for _, tape in self.transcript for by_table, _ in tape)

    def last_said(self, check: str) -> tuple[str, ...]:
        """Return the end of the last conversation of a check."""
        lines = next((tape[-LAST:] for name, tape in reversed(self.transcript) if name == check), [])
        return tuple(f"{'→' if by_table else '←'} {_text(line)[:_LONGEST]}" for by_table, line in lines)

    def entries(self) -> Iterator[TranscriptLine]:
        """Yield the whole transcript."""
        for check, tape in self.transcript:
            for by_table, line in tape:
                yield TranscriptLine(check, "player", "table" if by_table else "player", _text(line))


def examined(candidate: SpokenTo, rules: Rules, hanchan: int, items: Sequence[str] = ITEMS) -> Iterator[Check]:
    """Yield the checks of `items`, then the checks of all replies. BadInput if the program does not start."""
    for item in items:
        if item in _STRANGE:
            yield _strange(candidate, item, rules)
        else:
            paper = Paper(candidate.player(item), rules, candidate.clock, _SEED, hanchan)
            yield _of(candidate, item, parts_of(item, paper))
    yield from _replies(candidate, card_of(candidate.dialect))


def _strange(candidate: SpokenTo, item: str, rules: Rules) -> Check:
    change = _STRANGE[item](candidate.dialect)
    if change is None:
        return Check(item, "not reached", "every message of this dialect wants a reply")
    brief = [one for name in _BRIEF for one in SCENES[name]]
    return _of(candidate, item, _borne(candidate, item, brief, rules, change))


def _borne(
    candidate: SpokenTo, item: str, scenes: Iterable[Scene], rules: Rules, change: Change
) -> Iterator[tuple[str, Sat]]:
    """Yield scenes with strange lines. A scene in which the program fails without them as well is left out."""
    for seed, scene in enumerate(scenes):
        sat = scene.play(candidate.player(item, change), rules, candidate.clock, seed)
        if (
            sat.failure is None
            or scene.play(candidate.player(f"{item} left out"), rules, candidate.clock, seed).failure is None
        ):
            yield scene.about, sat


def _of(candidate: SpokenTo, name: str, parts: Iterable[tuple[str, Sat]]) -> Check:
    """Run the parts of a check up to the first that fails."""
    asked = count = 0
    for about, sat in parts:
        count, asked = count + 1, asked + sat.asked
        if sat.failure is not None:
            report = sat.failure
            if report.verdict == Verdict.START_FAILED:
                if not candidate.has_spoken:
                    raise BadInput(f"the player is not ready: {report.reason}")
                about = report.reason
            else:
                about = f"{about}: {report.verdict}"
            return Check(name, "failed", about, (*report.lines(), *candidate.last_said(name)))
    return Check(name, "passed", f"{count} played, {asked} questions") if count else Check(name, "not reached")


def _replies(candidate: SpokenTo, card: Card) -> Iterator[Check]:
    """Check all its replies: kinds, shapes, numbers."""
    said, odd = _by_kind(candidate)
    evidence = tuple(f"← {_text(line)[:_LONGEST]}" for line in odd[:LAST])
    known = ", ".join(card.replies)
    yield Check("replies", "failed" if odd else "passed", f"the card knows {known}" if odd else "", evidence)
    for kind, reply in card.replies.items():
        lines = said.get(kind, [])
        wrong = list(islice(((one, why) for one in lines for why in misfits(one, reply.shape, card.defs)), LAST))
        shown = tuple(f"← {_text(msgspec.json.encode(one))[:_LONGEST]}: {why}" for one, why in wrong)
        if lines:
            yield Check(f"reply-{kind}", "failed" if wrong else "passed", f"{len(lines)} of them", shown)
        else:
            yield Check(f"reply-{kind}", "not reached")
    if card.number:
        everything = [one for lines in said.values() for one in lines]
        without = sum(card.number not in one for one in everything)
        about = f"{without} of {len(everything)} replies have no {card.number}: a late one can only be told by counting"
        yield Check("numbers", "noted", about) if without else Check("numbers", "passed")


def _by_kind(candidate: SpokenTo) -> tuple[dict[str, list[dict[str, object]]], list[bytes]]:
    """Return its replies by kind, and the lines that the card does not know."""
    manner = MANNERS[candidate.dialect]
    said: dict[str, list[dict[str, object]]] = {}
    odd = []
    for _, tape in candidate.transcript:
        for line in (line for by_table, line in tape if not by_table):
            try:
                found = messages_in(line)
            except (ValueError, RecursionError):
                odd.append(line)
                continue
            for one in found:
                kind = kind_of(one, manner)
                if kind in manner.replies:
                    said.setdefault(kind, []).append(one)
                else:
                    odd.append(line)
    return said, odd


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace")
