"""Reports a game in lines to the person whose bot plays it: kyoku by kyoku, faults, the result."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec

from jantaku.table.riichi.events import Event, HanchanEnd, HanchanStart, KyokuStart, Riichi, Ryukyoku, Win
from jantaku.table.riichi.pieces.notation import kyoku_text
from jantaku.table.riichi.pieces.seats import player_of, seat_of

TOLD = 3
"""Faults of a kind that are reported one by one; further ones are only counted."""
_LONGEST = 200
"""The most characters of a server's text about a fault."""
_STICK = 1000


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
        if b'"defaults"' not in line:
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

    def fault(self, verdict: str, reason: str) -> None:
        self.faults[verdict] += 1
        if self.faults[verdict] <= TOLD:
            self._say(f"  fault: {verdict[:_LONGEST]}: {reason[:_LONGEST]}; a default was played")
            if self.faults[verdict] == TOLD:
                self._say(f"  more of {verdict[:_LONGEST]} are counted")

    def event(self, event: Event) -> None:
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
            self._say(f"faults: {counted}; jantaku exam tests the bot and shows what it heard and said")
