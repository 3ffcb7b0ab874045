"""A script: the players of a game as plain data, one line that can be read back.

    toy:5 seats=3 mode=resident turn=2 reaction=1 bank=0.5 | default, late:0.25 option:1 | hear:3 raises | never

First the game (`toy:` and how many turns, or `riichi:` and the seed of one kyoku), the mode, the clock as in `Clock`
(`none`: no limit) and what a fault leads to; `prompt=yes` lets the judge's thread ask the seats that never make anybody
wait. Then each seat: what it does at its first question, at its second, and so
on, and from the beginning again. `hear:N` says what it does while it hears its event number N, from 0, and in front of
all `clock turn=1 reaction=2` gives it a clock of its own. A step is what it does before it ends, if anything, and how
it ends: see `PAUSES` and `ENDINGS`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jantaku.table.ground.errors import BadInput
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import Clock

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


class Refused(ValueError):
    """A script asks for what cannot be."""


@dataclass(frozen=True)
class Step:
    pauses: tuple[tuple[str, float | str], ...] = ()
    ending: str = "default"
    number: int = 0

    def __str__(self) -> str:
        pauses = [f"{word}:{value if isinstance(value, str) else _short(value)}" for word, value in self.pauses]
        ending = f"option:{self.number}" if self.ending == "option" else self.ending
        return " ".join([*pauses, *([ending] if ending != "default" or not pauses else [])])


PROMPT = Step()


@dataclass(frozen=True)
class Part:
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
        return len(self.parts)

    @property
    def clocks(self) -> tuple[Clock, ...]:
        return tuple(part.clock or self.clock for part in self.parts)

    def __str__(self) -> str:
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


def read(line: str) -> Script:
    """The script of a line. Refused if it asks for what cannot be."""
    try:
        return _read(line)
    except (ValueError, TypeError, BadInput) as problem:
        raise Refused(f"{line!r}: {problem}") from None


def _read(line: str) -> Script:
    head, *seats = line.split("|")
    (game, size), *settings = map(_word, head.split())
    game, given = _of(GAMES, game), dict(settings)
    players, mode = int(given.pop("seats", "4")), Mode(given.pop("mode", Mode.PER_TURN))
    on_fault, prompt = OnFault(given.pop("on_fault", OnFault.DEFAULT)), given.pop("prompt", "no") == "yes"
    clock = _clock(given)
    parts = tuple(_part(text, clock) for text in seats)
    if len(parts) != players:
        raise ValueError(f"{len(parts)} seats are told of, and the table has {players}")
    return Script(game, int(size), mode, clock, parts, on_fault, prompt)


def _word(text: str) -> tuple[str, str]:
    name, _, value = text.replace("=", ":", 1).partition(":")
    return name, value


def _of(words: tuple[str, ...], word: str) -> str:
    if word not in words:
        raise ValueError(f"{word!r}: allowed are {', '.join(words)}")
    return word


def _seconds(text: str) -> float:
    if float(text) % GRAIN:
        raise ValueError(f"{text}: seconds are whole ticks of 1/1024")
    return float(text)


def _clock(given: dict[str, str]) -> Clock:
    read_as: dict[str, Callable[[str], Any]] = {"max_faults": int, "bank_per": str}
    values: dict[str, Any] = {
        name: None if text == "none" else read_as.get(name, _seconds)(text) for name, text in given.items()
    }
    return Clock(**values)


def _part(text: str, clock: Clock) -> Part:
    pieces = [piece.split() for piece in text.split(",")]
    own = _clock(dict(map(_word, pieces.pop(0)[1:]))) if pieces[0][:1] == ["clock"] else None
    answers: list[Step] = []
    hears: list[tuple[int, Step]] = []
    for words in pieces:
        name, value = _word(words[0])
        if name == "hear":
            hears.append((int(value), _step(words[1:], own or clock)))
        else:
            answers.append(_step(words, own or clock))
    return Part(tuple(answers) or (PROMPT,), tuple(hears), own)


def _step(words: list[str], clock: Clock) -> Step:
    pauses: list[tuple[str, float | str]] = []
    ending, number = "default", 0
    for name, value in map(_word, words):
        if name in NEEDS_TIME and None in (clock.turn, clock.reaction):
            raise ValueError(f"{name}: without turn and reaction there is no moment at which time is up")
        if name in ("before", "at", "after"):
            pauses.append((name, _of(MOMENTS, value)))
        elif name in PAUSES:
            pauses.append((name, _seconds(value)))
        else:
            ending, number = _of(ENDINGS, name), int(value or 0)
    return Step(tuple(pauses), ending, number)
