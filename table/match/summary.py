"""What statistics need of one hanchan, read from its journal: during a match and ever after from the record alone."""

import hashlib
from collections.abc import Iterable
from typing import Any

import msgspec

from table.errors import BadInput
from table.port import Verdict


class Counts(msgspec.Struct):
    """What one player did in one hanchan. `called` counts kyoku with an open meld, `deal_ins` kyoku with a ron paid."""

    kyoku: int = 0
    wins: int = 0
    tsumo: int = 0
    win_points: int = 0
    deal_ins: int = 0
    deal_in_points: int = 0
    riichi: int = 0
    called: int = 0


class Line(msgspec.Struct, frozen=True):
    """One hanchan, a line of the match's journal. Lists are by place; nothing in it depends on the clock.

    `set` and `seed` name its walls. A game that did not come to its end has no ranks: `reason` says why. `print` is
    of all that happened.
    """

    game: int
    set: int
    seed: str
    rules: str
    players: tuple[str, ...]
    ended: bool
    reason: str
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    points: tuple[float, ...]
    faults: tuple[dict[str, int], ...]
    counts: tuple[Counts, ...]
    print: str


class Times(msgspec.Struct):
    """Decision times of one seat: questions by time in seconds, rounded to two digits (`1.2e-03`)."""

    total: float = 0.0
    counts: dict[str, int] = {}

    def add(self, used: float) -> None:
        """One question."""
        key = f"{used:.1e}"
        self.counts[key] = self.counts.get(key, 0) + 1
        self.total += used


class TimeLine(msgspec.Struct, frozen=True):
    """The decision times of one hanchan, by place. They stand apart from `Line`: no two runs have the same."""

    game: int
    players: tuple[str, ...]
    times: tuple[Times, ...]


def summary(content: bytes, game: int, where: str) -> tuple[Line, TimeLine]:
    """The journal `content` of hanchan number `game`. `where` names its source in errors."""
    *lines, _half = content.split(b"\n")
    try:
        header = msgspec.json.decode(lines[0] if lines else b"", type=_Header)
    except msgspec.DecodeError as error:
        raise BadInput(f"{where} line 1: not the header of a jantaku journal: {error}") from None
    reader = _Reader(header.qijia)
    for number, line in enumerate(lines[1:], 2):
        try:
            for key, value in msgspec.json.decode(line, type=dict[str, Any]).items():
                reader.take(key, value, line)
        except (msgspec.DecodeError, KeyError, TypeError, IndexError) as error:
            raise BadInput(f"{where} line {number}: broken: {type(error).__name__}: {error}") from None
    final = reader.final
    return Line(
        game=game,
        set=header.number,
        seed=header.seed,
        rules=hashlib.sha256(msgspec.json.encode(header.rules)).hexdigest()[:12],
        players=header.player,
        ended=final is not None,
        reason="" if final else reader.reason,
        scores=tuple(final["defen"]) if final else (),
        ranks=tuple(final["rank"]) if final else (),
        points=tuple(float(text) for text in final["point"]) if final else (),
        faults=tuple(reader.faults),
        counts=tuple(reader.counts),
        print=reader.hash.hexdigest()[:16],
    ), TimeLine(game, header.player, tuple(reader.times))


class _Header(msgspec.Struct):
    """What is needed of a journal's first line."""

    jantaku: int
    seed: str
    number: int
    player: tuple[str, str, str, str]
    qijia: int
    rules: msgspec.Raw


class _Reader:
    """Goes through the items of one journal. Players are ids; items name seats of the kyoku."""

    def __init__(self, first_dealer: int) -> None:
        self.counts = [Counts() for _ in range(4)]
        self.faults: list[dict[str, int]] = [{} for _ in range(4)]
        self.times = [Times(counts={}) for _ in range(4)]
        self.final: dict[str, Any] | None = None
        self.reason = "the record ends before the game does"
        self.hash = hashlib.sha256()
        self._first_dealer = first_dealer
        self._dealer = 0
        self._called: set[int] = set()
        self._dealt_in: set[int] = set()

    def take(self, key: str, value: Any, line: bytes) -> None:
        """One item."""
        if key == "answers":
            self._take_answers(value)
            return
        if key == "turn":
            return
        if key not in ("wall", "dice"):
            self.hash.update(line)
        match key:
            case "qipai":
                self._dealer = (self._first_dealer + value["jushu"]) % 4
                self._called, self._dealt_in = set(), set()
                for count in self.counts:
                    count.kyoku += 1
            case "lizhi":
                self.counts[self._player(value["l"])].riichi += 1
            case "fulou":
                self._take_call(self._player(value["l"]))
            case "hule":
                self._take_win(value)
            case "jieju":
                self.final = value

    def _player(self, seat: int) -> int:
        return (self._dealer + seat) % 4

    def _take_call(self, player: int) -> None:
        if player not in self._called:
            self._called.add(player)
            self.counts[player].called += 1

    def _take_win(self, hule: dict[str, Any]) -> None:
        winner = self.counts[self._player(hule["l"])]
        winner.wins += 1
        winner.win_points += hule["defen"]
        if hule["baojia"] is None:
            winner.tsumo += 1
            return
        player = self._player(hule["baojia"])
        self.counts[player].deal_in_points += hule["defen"]
        if player not in self._dealt_in:
            self._dealt_in.add(player)
            self.counts[player].deal_ins += 1

    def _take_answers(self, answers: Iterable[dict[str, Any]]) -> None:
        for answer in answers:
            player, verdict = answer["seat"], answer["verdict"]
            self.times[player].add(answer["used"])
            if verdict != Verdict.OK:
                faults = self.faults[player]
                faults[verdict] = faults.get(verdict, 0) + 1
                if verdict != Verdict.OK_MARGIN:
                    self.reason = f"player {player}: {verdict}: {answer.get('reason', '')}"
