"""The catalogue of vices: everything by which a player may misbehave, with the verdicts that it may get for it.

A vice is a function of what is due (`Due`), with the possible verdicts for each way to sit: as an object (`bot`), as a
program over pipes (`program`), or as a client over WebSocket (`client`). Its player is good except at one `ViceMoment`.
"""

import os
import sys
import threading
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, NamedTuple

import msgspec

from jantaku.players.broken.stuck import Stuck
from jantaku.table.ground.port import Action, Choice, Question
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import PASS

AT = "JANTAKU_AT"
TOO_LONG = "JANTAKU_TOO_LONG"
SHORT = 0.1
"""Seconds of a pause after which the answer is still in time."""
MOMENTS = ("turn", "reaction", "between", "start")
"""The moments for which a vice has verdicts, in this order."""

Verdicts = str | tuple[str, ...]
"""The possible verdicts at each of the moments, separated by spaces: the first bad verdict, ok if there is none. At
moments that are left out, or empty, the vice is not tried. A text is for `turn` alone."""
FINE = ("ok",) * 4
GONE = ("gone",) * 4
ENDS = ("gone", "gone", "gone", "start_failed")
SILENT = ("silent", "silent", "silent", "start_failed")
SILENT_ONCE = ("silent", "silent", "ok", "start_failed")
UNREADABLE = ("malformed", "malformed", "ok", "start_failed")
NO_ACTION = ("malformed", "malformed", "ok", "ok")
ILLEGAL = ("illegal", "illegal", "ok", "ok")


class ViceMoment:
    """When a player misbehaves: at the `start`, in its first own `turn`, at the first `reaction` (a discard that it
    could call or win on), `between` (the first end of a kyoku), or at `every-N`th decision."""

    def __init__(self, name: str) -> None:
        self._name, self._decisions = name, 0
        self._every = int(name.removeprefix("every-")) if name.startswith("every-") else 0

    def is_now(self, happened: Iterable[Any], choice: Choice | None) -> bool:
        """Whether it is now, after these events and before this choice. It comes once, unless it is `every-N`."""
        asked = choice is not None and choice.asks
        self._decisions += asked
        if self._every:
            return asked and self._decisions % self._every == 0
        now = self._name == _name_of(happened, choice)
        self._name = "over" if now else self._name
        return now


def _name_of(happened: Iterable[Any], choice: Choice | None) -> str:
    for event in happened:
        if isinstance(event, events.HanchanStart):
            return "start"
        if isinstance(event, events.Win | events.Ryukyoku):
            return "between"
    if choice is None or not choice.asks:
        return ""
    return "reaction" if PASS in choice.options else "turn"


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """What is due when a vice shows: the proper `reply`, the options, and a number of seconds that exceeds a limit."""

    reply: Any
    options: tuple[Any, ...]
    too_long: float

    def with_action(self, action: Action) -> Any:
        """Return the reply that names this action."""
        return action


class DueAction(Due, frozen=True, kw_only=True):
    """The same for an object: `reply` is an action, which is lost if there is no question."""

    let_go: threading.Event
    """Set to release a player that hangs."""


Does = Callable[[Any], Any]


class Vice(NamedTuple):
    """A vice for one way to sit. `does` gets what is due, and returns what is said instead. `dialects`: those in which
    it can be expressed; empty for all."""

    name: str
    does: Does
    verdicts: tuple[str, ...]
    dialects: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        return "".join(word.capitalize() for word in self.name.split("_"))

    def at(self, moment: str) -> tuple[str, ...]:
        """Return the possible verdicts at this moment; none if it is not tried then."""
        return tuple(dict(zip(MOMENTS, self.verdicts, strict=False)).get(moment, "").split())


VICES: dict[str, dict[str, Vice]] = {"bot": {}, "program": {}, "client": {}}
"""All registered vices, by the way to sit and by name."""


def add(name: str, does: Does, *, dialects: tuple[str, ...] = (), **verdicts: Verdicts) -> None:
    """Register a vice under this name for every way to sit that has verdicts: `bot`, `program`, `client`, or `talker`,
    which is both of the latter. A bot gets a class in the module of `does`: `Raises` for `raises`."""
    if "talker" in verdicts:
        talker = verdicts.pop("talker")
        verdicts = {"program": talker, "client": talker} | verdicts
    for way, possible in verdicts.items():
        assert name not in VICES[way], f"the vice {name} of a {way} has two meanings"
        found = Vice(name, does, (possible,) if isinstance(possible, str) else possible, dialects)
        VICES[way][name] = found
        if way == "bot":
            own = {"vice": found, "__doc__": does.__doc__, "__module__": does.__module__}
            setattr(sys.modules[does.__module__], found.kind, type(found.kind, (Broken,), own))


def vice(**terms: Any) -> Callable[[Does], Does]:
    """Register a function as a vice of its name, with terms as for `add`."""

    def registered(does: Does) -> Does:
        add(does.__name__, does, **terms)
        return does

    return registered


def beside(**terms: Any) -> Callable[[Does], Does]:
    """Register a function that does something beside the proper reply."""
    return lambda does: vice(**terms)(properly(does))


def properly(does: Does) -> Does:
    """Return a function that does that, and then replies properly."""

    @wraps(does)
    def done(due: Due) -> Any:
        does(due)
        return due.reply

    return done


# --- bots


class Broken(Stuck):
    """Base class of bots with a vice; otherwise they play the default. Those that hang are released like `Stuck`. The
    environment may name the moment (`AT`) and the seconds that are too long for a decision (`TOO_LONG`)."""

    listens = True
    vice: Vice

    def __init__(self, at: str | None = None, too_long: float | None = None, *, seed: int = 0) -> None:
        super().__init__(seed=seed)
        self._moment = ViceMoment(os.environ.get(AT, "turn") if at is None else at)
        self._too_long = float(os.environ.get(TOO_LONG, "30")) if too_long is None else too_long

    def hear(self, event: Any) -> None:
        """Recognise the moments without a question."""
        if self._moment.is_now([event], None):
            self._misbehave(None)

    def answer(self, question: Question) -> Action:
        """Return the default, unless this is the moment."""
        return self._misbehave(question) if self._moment.is_now([], question.choice) else question.default

    def _misbehave(self, question: Question | None) -> Action:
        default, options = (question.default, question.options) if question is not None else (None, ())
        answer: Action = self.vice.does(
            DueAction(reply=default, options=options, too_long=self._too_long, let_go=self._free)
        )
        return answer
