"""A script: the players of a game as plain data, one line that can be read back.

    toy:5 seats=3 mode=resident turn=2 reaction=1 bank=0.5 | default, late:0.25 option:1 | hear:3 raises | never

First the game (`toy:` and how many turns, or `riichi:` and the seed of one kyoku), the mode, the clock as in `Clock`
(`none`: no limit) and what a fault leads to; `prompt=yes` lets the judge's thread ask the seats that never make anybody
wait. Then each seat: what it does at its first question, at its second, and so
on, and from the beginning again. `hear:N` says what it does while it hears its event number N, from 0, and in front of
all `clock turn=1 reaction=2` gives it a clock of its own. A step is what it does before it ends, if anything, and how
it ends: see `PAUSES` and `ENDINGS`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from jantaku.table.ground.errors import BadInput
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.turn.responses import Mode

GRAIN = 1 / 1024
"""Seconds of one tick. Times of a script are whole ticks, which a float holds without rounding."""
MOMENTS = ("limit", "bank", "margin")
"""The moments of a question: its limit is over, then its bank, and then nothing can be used any more."""
PAUSES = ("thinks", "freezes", "computes", "before", "at", "after", "late")
"""Before it ends a step `thinks:S` seconds, lets the whole process stand still for them (`freezes`), or holds the
interpreter for them (`computes`); or it thinks until one tick before, or at, or one tick after a moment of its
question, or until so many seconds after the last of them (`late:S`)."""
ENDINGS = ("default", "option", "illegal", "malformed", "incomparable", "raises", "leaves", "never")
"""It answers the default, the option of that number (`option:N`, counted round), something that is not offered, no
action at all, something that cannot be compared; or it raises, leaves the game for good, or never comes back."""
NEEDS_TIME = ("before", "at", "after", "late", "never")
CLOCK = ("turn", "reaction", "bank", "increment", "margin", "max_faults", "bank_per")
GAMES = ("toy", "riichi")
_Kind = TypeVar("_Kind", bound=StrEnum)
TOY_MOVES = 20


class Refused(ValueError):
    """A script asks for what cannot be. Says where in its line."""


@dataclass(frozen=True)
class Step:
    """What a player does when it is called once."""

    pauses: tuple[tuple[str, float | str], ...] = ()
    ending: str = "default"
    number: int = 0

    def __str__(self) -> str:
        pauses = [f"{word}:{value if isinstance(value, str) else _short(value)}" for word, value in self.pauses]
        ending = f"option:{self.number}" if self.ending == "option" else self.ending
        return " ".join([*pauses, *([ending] if ending != "default" or not pauses else [])])

    @property
    def needs_time(self) -> bool:
        """Whether it makes sense only where there is a limit."""
        return self.ending in NEEDS_TIME or any(word in NEEDS_TIME for word, _ in self.pauses)


PROMPT = Step()


@dataclass(frozen=True)
class Part:
    """What one seat does."""

    answers: tuple[Step, ...] = (PROMPT,)
    hears: tuple[tuple[int, Step], ...] = ()
    clock: Clock | None = None
    """Its own; None: that of the table."""

    @property
    def is_prompt(self) -> bool:
        """Whether it makes nobody wait, whatever it answers."""
        steps = (*self.answers, *(step for _, step in self.hears))
        return not any(step.pauses or step.ending == "never" for step in steps)

    def answer(self, call: int) -> Step:
        """At its question of that number, from 0."""
        return self.answers[call % len(self.answers)]

    def hear(self, event: int) -> Step | None:
        """While it hears its event of that number; None: it listens."""
        return next((step for number, step in self.hears if number == event), None)

    def __str__(self) -> str:
        clock = [] if self.clock is None else [" ".join(["clock", *_settings(self.clock)])]
        hears = [f"hear:{number} {step}" for number, step in self.hears]
        return ", ".join([*clock, *hears, *map(str, self.answers)])


@dataclass(frozen=True)
class Script:
    """A game, its table, and what each seat does."""

    game: str
    size: int
    mode: Mode
    clock: Clock
    parts: tuple[Part, ...]
    on_fault: OnFault = OnFault.DEFAULT
    prompt: bool = False

    @property
    def prompt_seats(self) -> tuple[int, ...]:
        """The seats that the judge's own thread asks."""
        return tuple(seat for seat, part in enumerate(self.parts) if self.prompt and part.is_prompt)

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.parts)

    @property
    def clocks(self) -> tuple[Clock, ...]:
        """By seat."""
        return tuple(part.clock or self.clock for part in self.parts)

    def __str__(self) -> str:
        """Its line."""
        settings = [f"seats={self.seats}", f"mode={self.mode}", *_settings(self.clock)]
        if self.on_fault is not OnFault.DEFAULT:
            settings.append(f"on_fault={self.on_fault}")
        if self.prompt:
            settings.append("prompt=yes")
        return " | ".join([f"{self.game}:{self.size} {' '.join(settings)}", *map(str, self.parts)])


def _settings(clock: Clock) -> list[str]:
    values = {name: getattr(clock, name) for name in CLOCK if getattr(clock, name) != getattr(Clock(), name)}
    return [f"{name}={_short(value) if isinstance(value, float) else value}" for name, value in values.items()]


def _short(value: float) -> str:
    return repr(value).removesuffix(".0")


# --- reading it


@dataclass(frozen=True)
class _Word:
    name: str
    value: str
    at: int
    text: str = ""

    def refused(self, why: str) -> Refused:
        return Refused(f"place {self.at + 1}, {self.text!r}: {why}")

    def seconds(self) -> float:
        try:
            value = float(self.value)
        except ValueError:
            raise self.refused("that is not a number of seconds") from None
        if not 0 <= value <= 1e6 or value % GRAIN:
            raise self.refused("seconds are from 0 to 1000000, in whole ticks of 1/1024")
        return value

    def whole(self) -> int:
        if not self.value.isdecimal():
            raise self.refused("that is not a whole number")
        return int(self.value)


def _words(text: str, at: int) -> list[_Word]:
    words = []
    for found in re.finditer(r"\S+", text):
        name, _, value = re.sub("=", ":", found[0], count=1).partition(":")
        words.append(_Word(name, value, at + found.start(), found[0]))
    return words


def _split(text: str, by: str, at: int = 0) -> Iterator[tuple[str, int]]:
    for piece in text.split(by):
        yield piece, at
        at += len(piece) + 1


def read(line: str) -> Script:
    """The script of a line. Refused if it asks for what cannot be."""
    (head, _), *seats = _split(line, "|")
    first, *settings = _words(head, 0) or [_Word("", "", 0)]
    if first.name not in GAMES:
        raise first.refused(f"a script begins with its game; allowed are {', '.join(f'{one}:N' for one in GAMES)}")
    size = first.whole()
    if first.name == "toy" and not 1 <= size <= TOY_MOVES:
        raise first.refused(f"a toy game has 1 to {TOY_MOVES} turns")
    by_name = _by_name(settings, ("seats", "mode", *CLOCK, "on_fault", "prompt"))
    clock = _clock(by_name)
    script = Script(
        first.name,
        size,
        _one_of(Mode, by_name.get("mode"), Mode.PER_TURN),
        clock,
        tuple(_part(text, at, clock) for text, at in seats),
        _one_of(OnFault, by_name.get("on_fault"), OnFault.DEFAULT),
        _is_prompt(by_name.get("prompt"), by_name.get("mode")),
    )
    _refuse_what_cannot_be(script, first, by_name, [at for _, at in seats])
    return script


def _refuse_what_cannot_be(script: Script, first: _Word, by_name: dict[str, _Word], places: list[int]) -> None:
    said = by_name["seats"].whole() if "seats" in by_name else 4
    if said not in (3, 4):
        raise by_name["seats"].refused("a table has 3 or 4 seats")
    if script.seats != said:
        where = places[said] if script.seats > said else places[-1] if places else 0
        raise Refused(f"place {where + 1}: {script.seats} seats are told of, and the table has {said}")
    if script.mode is Mode.INLINE and any(clock.runs for clock in script.clocks):
        word = next((by_name[name] for name in ("turn", "reaction") if name in by_name), by_name["mode"])
        raise word.refused("inline has no clock: nobody could cut a player off that thinks")
    if script.on_fault is OnFault.CHOMBO and script.game == "toy":
        raise by_name["on_fault"].refused("the toy game knows no chombo")
    assert first.name == script.game


def _one_of(words: type[_Kind], word: _Word | None, otherwise: _Kind) -> _Kind:
    if word is None:
        return otherwise
    try:
        return words(word.value)
    except ValueError:
        raise word.refused(f"allowed are {', '.join(words)}") from None


def _is_prompt(word: _Word | None, mode: _Word | None) -> bool:
    if word is None:
        return False
    if word.value != "yes" or mode is None or mode.value != Mode.RESIDENT:
        raise word.refused(f"allowed is yes, where mode={Mode.RESIDENT}")
    return True


def _by_name(settings: list[_Word], known: tuple[str, ...]) -> dict[str, _Word]:
    for word in settings:
        if word.name not in known:
            raise word.refused(f"no such setting; allowed are {', '.join(known)}")
    return {word.name: word for word in settings}


def _clock(by_name: dict[str, _Word]) -> Clock:
    given: dict[str, Any] = {}
    for name in CLOCK:
        word = by_name.get(name)
        if word is None:
            continue
        if name == "bank_per":
            if word.value not in ("game", "round"):
                raise word.refused("allowed are game, round")
            given[name] = word.value
        elif name == "max_faults":
            given[name] = word.whole()
        else:
            given[name] = None if word.value == "none" and name in ("turn", "reaction") else word.seconds()
    try:
        return Clock(**given)
    except BadInput as problem:
        raise Refused(f"place {min(word.at for word in by_name.values()) + 1}: {problem}") from None


def _part(text: str, at: int, clock: Clock) -> Part:
    answers: list[Step] = []
    hears: list[tuple[int, Step]] = []
    own: Clock | None = None
    for piece, begins in _split(text, ",", at):
        words = _words(piece, begins)
        if words and words[0].name == "clock" and begins == at:
            own = _clock(_by_name(words[1:], CLOCK))
        elif words and words[0].name == "hear":
            hears.append((words[0].whole(), _step(words[1:], own or clock, hearing=True)))
        else:
            answers.append(_step(words or [_Word("", "", begins)], own or clock, hearing=False))
    return Part(tuple(answers) or (PROMPT,), tuple(hears), own)


def _step(words: list[_Word], clock: Clock, *, hearing: bool) -> Step:
    limited = clock.turn is not None and clock.reaction is not None
    pauses: list[tuple[str, float | str]] = []
    ending, number = "default", 0
    for place, word in enumerate(words):
        if word.name in NEEDS_TIME and not limited:
            raise word.refused("without turn and reaction there is no moment at which time is up")
        if word.name in PAUSES:
            pauses.append((word.name, _moment(word, hearing=hearing)))
        elif word.name in ENDINGS and place == len(words) - 1:
            ending = word.name
            number = word.whole() if ending == "option" else 0
            if hearing and ending not in ("default", "raises", "leaves", "never"):
                raise word.refused("what is heard is not answered")
        else:
            allowed = ", ".join((*PAUSES, *ENDINGS))
            raise word.refused(f"no such step here; allowed are {allowed}, the last of them at the end")
    return Step(tuple(pauses), ending, number)


def _moment(word: _Word, *, hearing: bool) -> float | str:
    if word.name not in ("before", "at", "after"):
        if hearing and word.name == "late":
            raise word.refused("while it hears, a player knows no moment of a question")
        return word.seconds()
    if hearing:
        raise word.refused("while it hears, a player knows no moment of a question")
    if word.value not in MOMENTS:
        raise word.refused(f"allowed are {', '.join(MOMENTS)}")
    return word.value
