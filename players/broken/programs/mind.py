"""Common part of the broken remote players: it follows the game from messages and recognises the moment of the
fault."""

from collections.abc import Callable

from jantaku.players.adapters.client import Mind
from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.players.broken.programs.vices import VICES, Saying
from jantaku.table.ground.port import Choice
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.languages.wire.talk import Told
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import PASS


class Waiting:
    """Plays the default, and misbehaves at one moment. `send` writes at once; `too_long` is a number of seconds that
    exceeds any decision's limit."""

    def __init__(self, vice: str, moment: str, dialect: str, send: Callable[[bytes], object], too_long: float) -> None:
        self.vice, self._moment, self._dialect = vice, moment, dialect
        self._send, self._too_long = send, too_long
        self._decisions = 0
        self._mind, self._reader = Mind(Tsumogiri()), DIALECTS[dialect].reader("majiang")

    def take(self, line: bytes) -> tuple[Saying | None, bool]:
        """Process a message: return the reply, if any, and whether this is the moment, which occurs once (unless it is
        `every-N`)."""
        told = self._reader.read(line)
        choice: Choice | None = None
        for event in told.events:
            choice = self._mind.hear(event)
        asked = choice is not None and choice.asks
        self._decisions += asked
        now = self._moment == moment_of(told, choice) or (asked and self._moment == str(self._decisions))
        if now:
            self._moment = "over"
        now = now or (asked and is_every(self._moment, self._decisions))
        if not (told.wants_reply or now):
            return None, False
        reply = self._reader.write(self._mind.decide(choice), told.number) if told.wants_reply else b""
        options = () if choice is None else choice.options
        how = (self._reader, self._dialect, options, self._too_long, self._send)
        return Saying(reply, told.number, *how), now

    def say(self, saying: Saying, is_moment: bool) -> bytes:
        """Return the bytes to send: the fault's if this is the moment, otherwise the reply."""
        return VICES[self.vice](saying) if is_moment else saying.reply


def is_every(moment: str, decisions: int) -> bool:
    """Whether `moment` is `every-N` and this decision is one of them."""
    every, _, number = moment.partition("-")
    return every == "every" and decisions % int(number) == 0


def moment_of(told: Told, choice: Choice | None) -> str:
    """The name of a message's moment; empty if it has none."""
    for event in told.events:
        if isinstance(event, events.HanchanStart):
            return "start"
        if isinstance(event, events.Win | events.Ryukyoku):
            return "between"
    if choice is None or not choice.asks:
        return ""
    return "reaction" if PASS in choice.options else "turn"
