"""Tries bad replies of a dialect at a table, and reports the consequence of each.

What is said at a table in one dialect comes from the scripted kyoku of the exam and from some hanchan.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from jantaku.table.check.conform.netplay import NETPLAY, SpokenLine, Trial, Wired, in_the_lobby, wired
from jantaku.table.check.exam.items import SCENES, Scene
from jantaku.table.ground.port import Answer, Player, Verdict
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.turn.responses import Mode
from jantaku.table.languages.wire.dialect import LONGEST_LINE
from jantaku.table.play import seeds
from jantaku.table.play.roster import enlist
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.pieces.seats import WINDS
from jantaku.table.riichi.position import begin, stack
from jantaku.table.riichi.ruleset import preset, with_settings
from jantaku.table.riichi.words import word_of
from jantaku.table.testing.sitting import Actor, Script, scripts

MINDS = ("shanten", "caller", "shanten", "dice")
"""The players of the hanchan; together they take every kind of action."""
HANCHAN = 1
ONE: Mapping[str, str] = {"game.length": "one"}
RULES = with_settings(preset("tenhou"), {"draw.declare_tenpai": "true"})
_NAMES = ("a", "b", "c", "d")


def said(dialect: str, trial: Trial | None = None) -> Iterator[list[SpokenLine]]:
    """Yield the conversations of single seats. `trial` is called in the scripted kyoku."""
    for scenes in SCENES.values():
        for scene in scenes:
            yield from _scene(dialect, scene, trial)
    for number in range(HANCHAN):
        game = RiichiGame(RULES, walls_from("card", number, RULES), _NAMES)
        minds = [one.make(seeds.of_bot("card", number, seat)) for seat, one in enumerate(enlist(MINDS))]
        hanchan = list(_played(game, [wired(dialect, mind, clocked=True) for mind in minds]))
        yield from hanchan
    if dialect == NETPLAY:
        first, last = (line.data for line in (_of_table(hanchan[0])[0], _of_table(hanchan[0])[-1]))
        yield from in_the_lobby(first, last)


def _of_table(lines: Sequence[SpokenLine]) -> list[SpokenLine]:
    return [line for line in lines if line.by_table]


def _scene(dialect: str, scene: Scene, trial: Trial | None) -> Iterator[list[SpokenLine]]:
    """Play a scene in which the examined seat, and every seat with words of its own, speaks the dialect."""
    said = {one[0] for one in scene.script.split()} | {scene.seat}
    actors = [Actor(words) for words in scripts(scene.script)]
    return _played(
        scene.laid(RULES, ONE),
        [
            wired(dialect, actor, trial=trial) if wind in said else actor
            for wind, actor in zip(WINDS, actors, strict=True)
        ],
    )


def _played(game: RiichiGame, seats: Sequence[Player]) -> Iterator[list[SpokenLine]]:
    Judge(game, seats, mode=Mode.INLINE).run()
    for seat in seats:
        if isinstance(seat, Wired):
            seat.close()
            yield seat.lines


_HAND = "m258p258s2589z12"
"""Calls nothing, and wins with nothing."""
_WORDS = ("m2", "m5")
"""Its discards; never the default, which is the drawn tile."""
_NOT_HELD = {"dapai": "m9", "data": "m9", "pai": "9m"}
"""A tile that is not in the hand, by the key under which a dialect names a discard."""
_NEVER = 1 << 40
"""A number that no message has."""


_LONGEST = 160
"""Most characters of a line or a reason on a card."""


class BadReply(msgspec.Struct, frozen=True):
    """What is sent instead of a reply. `lines(reply, key)` builds the lines from the proper reply and the key of its
    number; None in place of a line lets the time run out. It returns None if the dialect cannot express them."""

    comes: str
    lines: Callable[[bytes, str], Sequence[bytes | None] | None]


class Consequence(msgspec.Struct, frozen=True):
    """The consequence of a bad reply: what was sent, the types of the table's immediate answers, the verdict, what was
    played, and the verdict of the next question. `stale`: number of replies that answered nothing."""

    comes: str
    sent: tuple[str, ...]
    answered: tuple[str, ...]
    verdict: str
    reason: str
    played: str
    next: str
    stale: int


def _changed(reply: bytes, key: str, **changes: Any) -> list[bytes | None]:
    return [msgspec.json.encode({**msgspec.json.decode(reply), **changes})]


def _illegal(reply: bytes, key: str) -> list[bytes | None]:
    said = msgspec.json.decode(reply)
    at = next(name for name in _NOT_HELD if isinstance(said.get(name), str))
    return _changed(reply, key, **{at: _NOT_HELD[at]})


def _unknown(reply: bytes, key: str) -> list[bytes | None]:
    said = msgspec.json.decode(reply)
    if "type" in said:
        return _changed(reply, key, type="sing")
    return [msgspec.json.encode({"sing": "la", **({key: said[key]} if key in said else {})})]


def _numbered(number: int) -> Callable[[bytes, str], Sequence[bytes | None] | None]:
    return lambda reply, key: [*_changed(reply, key, **{key: number}), None] if key else None


def _wrong_seat(reply: bytes, key: str) -> Sequence[bytes | None] | None:
    said = msgspec.json.decode(reply)
    return _changed(reply, key, actor=(said["actor"] + 1) % 4) if "actor" in said else None


TROUBLES: Mapping[str, BadReply] = {
    "malformed": BadReply("no JSON", lambda reply, key: [b'{"type":']),
    "no object": BadReply("JSON that is no object", lambda reply, key: [b"7"]),
    "unknown": BadReply("a reply of an unknown type", _unknown),
    "unknown fields": BadReply("the reply with fields that nobody knows", lambda r, k: _changed(r, k, shiny=[1, {}])),
    "illegal": BadReply("the discard of a tile that is not held", _illegal),
    "wrong seat": BadReply("the reply in another's name", _wrong_seat),
    "wrong number": BadReply("the reply with the number of no message", _numbered(_NEVER)),
    "old number": BadReply("the reply with the number of an earlier message", _numbered(1)),
    "no number": BadReply(
        "the reply without its number",
        lambda reply, key: [reply.replace(f'"{key}"'.encode(), b'"unnumbered"')] if key else None,
    ),
    "twice": BadReply("the reply, twice", lambda reply, key: [reply, reply]),
    "silent": BadReply("nothing in time", lambda reply, key: [None]),
    "late": BadReply("the reply after its time", lambda reply, key: [None, reply]),
    "oversized": BadReply("the reply with a field of a mebibyte", lambda r, k: _changed(r, k, pad="x" * LONGEST_LINE)),
}
"""Bad replies by name, in the order of a card."""


def tried(dialect: str) -> tuple[dict[str, Consequence], list[list[SpokenLine]]]:
    """Try each of them; return the consequences, and the conversations."""
    found, lines = {}, []
    for name, trouble in TROUBLES.items():
        tried = _Try(dialect, trouble)
        if tried.possible:
            found[name] = tried.outcome()
            lines.append(tried.seat.lines)
    return found, lines


class _Try:
    """One bad reply at a table of its own. Implements `Watch`."""

    def __init__(self, dialect: str, trouble: BadReply) -> None:
        self.possible = True
        self._trouble = trouble
        self._sent: list[bytes] = []
        self._answers: list[Answer] = []
        self._late: list[bytes] = []
        self.seat = wired(dialect, Actor(Script(_WORDS)), self._spoil)
        rules = with_settings(RULES, ONE, "card")
        self._stale = 0
        self._game = begin(rules, stack(rules, (_HAND,), hidden="z12"))
        others: list[Player] = [Actor(Script(())) for _ in range(3)]
        self._judge = Judge(self._game, [self.seat, *others], mode=Mode.INLINE, watches=[self])
        self._judge.run()

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        self._answers += [answer for answer in answers if answer.seat == 0]
        self._stale = self._stale if len(self._answers) > 2 else self.seat.dialect.stale

    def events(self, new: Sequence[Any]) -> None:
        """Does nothing: only answers matter."""

    def _spoil(self, reply: bytes) -> Sequence[bytes | None]:
        lines = self._trouble.lines(reply, self._key(reply))
        self.possible = lines is not None
        self._sent = [line for line in lines or () if line is not None]
        return [reply] if lines is None else lines

    def _key(self, reply: bytes) -> str:
        key: str = getattr(self.seat.dialect, "key", "")
        return key if key in msgspec.json.decode(reply) else ""

    def outcome(self) -> Consequence:
        """Return the consequence."""
        first, then = self._answers[:2]
        return Consequence(
            self._trouble.comes,
            tuple(line[:_LONGEST].decode().strip() for line in self._sent),
            tuple(sorted(set(map(_named, self.seat.answered)))),
            str(first.verdict),
            first.reason[:_LONGEST] if first.verdict == Verdict.MALFORMED else "",
            "the reply" if word_of(first.action) == _WORDS[0] else "the default",
            str(then.verdict),
            self._stale,
        )


def _named(line: bytes) -> str:
    """Return type and status of a message that answers a reply at once."""
    said = msgspec.json.decode(line)
    return " ".join(str(said[key]) for key in ("type", "status") if key in said)
