"""The bot of `jantaku join`, and what the person whose bot plays reads about its game."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec

from jantaku.players.adapters.client import maker_of
from jantaku.table.ground.errors import BadInput, PlayerFault, PlayerNotReady
from jantaku.table.ground.foreign.traces import raised_at
from jantaku.table.ground.port import Action, Player, PlayerWrapper, Question, port_of, remote_of
from jantaku.table.play.seating.spec import Terms, terms_of, transport
from jantaku.table.riichi.events import Event, HanchanEnd, HanchanStart, KyokuStart, Riichi, Ryukyoku, Win
from jantaku.table.riichi.pieces.notation import kyoku_text
from jantaku.table.riichi.pieces.seats import player_of, seat_of

# Reports a game in lines to the person whose bot plays it: kyoku by kyoku, faults, the result.

TOLD = 3
"""Faults of a kind that are reported one by one; further ones are only counted."""
_LONGEST = 200
"""The most characters of a server's text about a fault."""
_STICK = 1000
_BAD_ACKS = ("rejected", "unparseable", "defaulted")


class Commentary:
    """Hears a game as its player does, and reports it in lines. `say` prints one line."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self.faults: Counter[str] = Counter()
        """By reason, how often the table, or we, played for the bot."""
        self.began = False
        """Whether a game has begun."""
        self._say = say
        self._names: tuple[str, ...] = ()
        self._me = -1
        self._dealer = 0
        self._where = ""
        self._scores = [0] * 4

    def line(self, line: bytes) -> None:
        """Read a message as it came: it may report a default that was played for the bot."""
        if b'"defaults"' not in line and b'"action_ack"' not in line:
            return
        try:
            told: Any = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return
        for message in told if isinstance(told, list) else [told]:
            if not isinstance(message, dict):
                continue
            defaults = message.get("defaults")
            for one in defaults if isinstance(defaults, list) else ():
                if isinstance(one, dict):
                    self.fault(str(one.get("verdict")), str(one.get("reason")))
            if message.get("type") == "action_ack" and message.get("status") in _BAD_ACKS:
                why = message.get("reason") or message.get("message") or f"it said {message.get('attempted')}"
                self.fault(str(message["status"]), str(why))

    def fault(self, verdict: str, reason: str) -> None:
        """Report that a default was played for the bot."""
        self.faults[verdict] += 1
        if self.faults[verdict] <= TOLD:
            self._say(f"  fault: {verdict[:_LONGEST]}: {reason[:_LONGEST]}; a default was played")
            if self.faults[verdict] == TOLD:
                self._say(f"  more of {verdict[:_LONGEST]} are counted")

    def event(self, event: Event) -> None:
        """Report what the bot hears."""
        match event:
            case HanchanStart():
                self._begin(event)
            case KyokuStart():
                self._dealer, self._scores = event.dealer, list(event.scores)
                self._where = kyoku_text(event.round_wind, event.kyoku, event.honba)
            case Riichi(seat):
                self._scores[seat] -= _STICK
            case Win():
                how = "by tsumo" if event.source is None else f"from {self._at(event.source)}"
                self._over(f"{self._at(event.seat)} won {event.points} {how}: {event.value}", event.deltas)
            case Ryukyoku():
                self._over(f"a draw, {event.reason}", event.deltas)
            case HanchanEnd():
                self._end(event)

    def _begin(self, start: HanchanStart) -> None:
        if not self.began:  # after a reconnect the beginning comes again
            self._names, self._me = start.names, -1 if start.you is None else start.you
            players = (f"{name} (you)" if n == self._me else name for n, name in enumerate(start.names))
            self._say(f"the game begins: {', '.join(players)}")
        self.began = True

    def _at(self, seat: int) -> str:
        return self._called(player_of(seat, self._dealer, len(self._names)))

    def _called(self, player: int) -> str:
        return "you" if player == self._me else self._names[player]

    def _over(self, what: str, deltas: tuple[int, ...]) -> None:
        self._scores = [score + delta for score, delta in zip(self._scores, deltas, strict=True)]
        mine = ""
        if self._me >= 0:
            seat = seat_of(self._me, self._dealer, len(self._names))
            mine = f"; you have {self._scores[seat]} ({deltas[seat]:+})"
        self._say(f"  {self._where}: {what}{mine}")

    def _end(self, end: HanchanEnd) -> None:
        order = sorted(range(len(end.ranks)), key=lambda player: end.ranks[player])
        # some servers do not send final scores
        points = [f" ({tenths / 10:+.1f})" if any(end.tenths) else "" for tenths in end.tenths]
        places = (f"{self._called(n)} {end.scores[n]}{points[n]}" for n in order)
        place = f"you are number {end.ranks[self._me]} of {len(order)}: " if self._me >= 0 else ""
        self._say(f"the game is over; {place}{' · '.join(places)}")
        if self.faults:
            counted = ", ".join(f"{word} {count}" for word, count in sorted(self.faults.items()))
            self._say(f"faults: {counted}; jantaku exam tries the bot and shows what it heard and said")


# The bot of `jantaku join`: any class, file, program or folder that can sit at a table here, with its faults
# reported.

STARTING = 60.0
"""Seconds for a program to become ready."""
THINKING = 600.0
"""Seconds for an answer of a program: the remote table's clock runs out long before."""

Fault = Callable[[str, str], object]
"""Called with a word for the fault, and with the reason."""


def _reason(error: Exception) -> str:
    place = raised_at(error)
    return f"{type(error).__name__}: {error}" + (f" ({place})" if place else "")


class Guarded(PlayerWrapper):
    """A bot whose faults are reported and cost it the default, as at a table. A program is started with each game and
    released at its end."""

    def __init__(self, wrapped: Player, fault: Fault) -> None:
        super().__init__(wrapped)
        self._fault = fault
        self._remote, self._said = remote_of(wrapped), port_of(wrapped).remark
        self._is_its = False
        """Whether the last answer is the bot's own, not a default."""

    def hear(self, event: Any) -> None:
        """Let the bot hear an event. Raises BadInput for a program that cannot be started."""
        try:
            super().hear(event)
        except Exception as error:
            self._fault("gone", f"{_reason(error)}, when it heard {type(event).__name__}")
        if self._remote is not None and isinstance(event, HanchanStart):
            try:
                self._remote.start(STARTING)
            except PlayerNotReady as problem:
                raise BadInput(f"--bot: the program did not become ready: {problem}") from problem
        if isinstance(event, HanchanEnd):
            self.close()

    def answer(self, question: Question) -> Action:
        """Return the bot's answer, or the default if the answer cannot be used."""
        self._is_its = False
        try:
            given: Action = super().answer(question.with_time(THINKING))
        except PlayerFault as fault:
            self._fault("gone", str(fault))
            return question.default
        except Exception as error:
            self._fault("gone", _reason(error))
            return question.default
        if given not in question.options:
            self._fault("illegal", f"{given!r} is not allowed; allowed are {', '.join(map(str, question.options))}")
            return question.default
        self._is_its = True
        return given

    def remark(self) -> object:
        """Return the bot's remark on its last answer; None after a default."""
        return self._said() if self._is_its and self._said is not None else None

    def close(self) -> None:
        """Release a program."""
        if self._remote is not None:
            self._remote.close()


class Bots:
    """Makes the bot of each game from its seed, and ends the program of the game before. Raises BadInput for a word
    that does not name a bot."""

    def __init__(self, word: str, fault: Fault) -> None:
        self.name, self._make = _named_maker(word)
        self._fault = fault
        self._last: Guarded | None = None

    def __call__(self, seed: int) -> Guarded:
        """Make the bot of a game."""
        self.close()
        self._last = Guarded(self._make(seed), self._fault)
        return self._last

    def close(self) -> None:
        """End the program of the last game."""
        if self._last is not None:
            self._last.close()


def _named_maker(word: str) -> tuple[str, Callable[[int], Player]]:
    """Return a name for the bot, and the function that makes it."""
    terms = terms_of(word)
    if terms.scheme == "ws":
        raise BadInput(f"--bot {word}: that is a seat that waits; name a bot, FILE.py:Class or exec:PROGRAM")
    if terms.scheme:
        return terms.label, transport(terms.scheme)(terms, terms.label, None)
    return msgspec.structs.replace(Terms(terms.bot), name=terms.name).label, maker_of(word)
