"""The three self-tests that neof5 offers to authors of players (§11)."""

import threading
from collections.abc import Sequence

import msgspec

from jantaku.table.daifugo import rules as daifugo
from jantaku.table.daifugo.cards import PASS, Put, parse_cards
from jantaku.table.daifugo.events import Hands
from jantaku.table.daifugo.rooms.chair import Chair
from jantaku.table.daifugo.rooms.room import DaifugoRoomPlan
from jantaku.table.daifugo.rules import Rules
from jantaku.table.ground.clock import time_of_day
from jantaku.table.ground.port import Action, Question
from jantaku.table.serve.net.line import Line

LIMIT = 300.0
"""Seconds for a turn in the self-test rooms."""
CONNECTION_SECONDS = 60.0
"""Seconds after which the connection test ends."""

_HANDS = (
    "C3 C4 H5 S5 D6 S7 C7 D8 CJ DQ CK",
    "S3 CA SA C5 DA H0 D0 C0 S0 SQ S2",
    "H6 HA H4 D4 HK",
)
_SCRIPTS = (
    ("RULE1", ("S3", "", "", "CA SA", "C5", "", "DA", "H0 D0 C0 S0", "SQ", "S2")),
    ("RULE2", ("H6", "HA", "H4 D4", "", "HK")),
)


class Scripted:
    """Plays a list of plays in order. If the next one is not legal now, it passes and keeps it."""

    listens = False

    def __init__(self, plays: Sequence[str]) -> None:
        self._plays = [parse_cards(play) for play in plays]
        self.sent: tuple[int, ...] = ()
        """The last play, in the order of the list."""

    def hear(self, event: object) -> None:
        """Does nothing, and is never called: see `listens`."""

    def answer(self, question: Question) -> Action:
        """Return the next play of the list, else a pass; the default if it must lead and the next play is not legal."""
        if self._plays and Put(tuple(sorted(self._plays[0]))) in question.options:
            self.sent = self._plays.pop(0)
            return Put(tuple(sorted(self.sent)))
        return PASS if PASS in question.options else question.default


class ScriptedChair(Chair):
    """The seat of a scripted player."""

    def __init__(self, name: str, plays: Sequence[str]) -> None:
        self._scripted = Scripted(plays)
        super().__init__(name, lambda seed: self._scripted)

    @property
    def put(self) -> tuple[int, ...]:  # type: ignore[override]
        return self._scripted.sent


def rule_test(plan: DaifugoRoomPlan) -> DaifugoRoomPlan:
    """TEST 2: class A, three seats, a fixed deal, two scripted opponents."""
    hands: Hands = tuple(tuple(parse_cards(hand)) for hand in _HANDS)
    others = [ScriptedChair(name, plays) for name, plays in _SCRIPTS]
    return msgspec.structs.replace(
        plan,
        rules=_one_round(plan.rules, "A", 3),
        limit=LIMIT,
        others=others,
        bots=(),
        deals=lambda at: hands,
        folder=None,
    )


def practice(plan: DaifugoRoomPlan, letter: str) -> DaifugoRoomPlan:
    """TEST 3: a visitor and three computer players; the series begins by itself."""
    others = [Chair(f"COM{n}", plan.com, n) for n in range(1, 4)]
    return msgspec.structs.replace(
        plan, rules=_one_round(plan.rules, letter, 4), limit=LIMIT, others=others, bots=(), folder=None
    )


def _one_round(rules: Rules, letter: str, seats: int) -> Rules:
    texts = {"game.letter": letter, "game.seats": str(seats), "series.rounds": "1", "room.auto_start": "true"}
    return daifugo.FILES.with_settings(rules, texts, "self-test")


class ConnectionTest:
    """TEST 1: greets every JSON object that the client sends. Implements `web.Visitor`."""

    def __init__(self, name: str, line: Line) -> None:
        self._name, self._line = name, line
        self._end = threading.Timer(CONNECTION_SECONDS, line.hang_up)
        self._end.daemon = True
        self._end.start()
        text = (
            f"Congratulations!! You have successfully WebSocket connection. The current time is {time_of_day()} (UTC)"
        )
        line.say(_test_message(text, name))

    def hear(self, text: str) -> None:
        """Send an object back with a greeting; for anything else, the parser's error."""
        try:
            message = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
        except (msgspec.DecodeError, UnicodeEncodeError) as error:
            self._line.say(_test_message(str(error), self._name))
            return
        greeting = {"Kind": "ConnectionTest", "Message": f"Hello {self._name}", "YourName": self._name}
        self._line.say(msgspec.json.encode({**message, **greeting}))

    def leave(self) -> None:
        """Stop the timer."""
        self._end.cancel()


def _test_message(text: str, name: str) -> bytes:
    return msgspec.json.encode({"Kind": "ConnectionTest", "Message": text, "YourName": name})


NAMELESS = _test_message("URL Parameter 'name' is not specified.", "")
"""The answer to a client that opens a self-test without a name."""
