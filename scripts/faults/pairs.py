"""Every pair of faults in the same turn: both seats are blamed, each for its own fault, and no other seat.

In one position 東 discards a tile that 南 may chi, 西 may pon and 北 may win on. Two of them are broken.
"""

import contextlib
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.players.broken.catalogue import let_all_go, vices
from jantaku.table.ground.port import Answer, Player
from jantaku.table.judge.judge import Judge
from jantaku.table.play.roster import let_go
from jantaku.table.riichi.pieces.seats import WINDS
from jantaku.table.riichi.position import begin, rules_of, stack
from scripts.faults.cases import way_of
from scripts.faults.pace import CLOCK
from scripts.faults.playing import seated

HANDS = ("", "p23m147s258z22334", "p11m258s147z44556", "m123456789p23s11")
DRAWN = "p1"
FAULTY = (
    ("in-process", "Raises"),
    ("in-process", "Quits"),
    ("in-process", "ThinksTooLong"),
    ("in-process", "Hangs"),
    ("in-process", "AnswersNothing"),
    ("in-process", "Cheats"),
    ("isolated", "Vanishes"),
    ("isolated", "ThinksTooLong"),
    ("exec majiang", "killed"),
    ("exec majiang", "hangs"),
    ("exec majiang", "writes_words"),
    ("exec majiang", "cheats"),
    ("ws majiang", "closes"),
    ("ws majiang", "is_silent"),
    ("ws majiang", "writes_a_list"),
    ("ws majiang", "discards_what_others_hold"),
)
"""Each kind of fault on each transport."""
SEATS = ((0, 1), (1, 2), (2, 3))
"""The two seats: the discarder and a reacting seat, or two reacting seats."""


class VicePair(msgspec.Struct, frozen=True):
    """Two faulty players, each with its transport and vice, and their seats."""

    players: tuple[tuple[str, str], tuple[str, str]]
    seats: tuple[int, int]

    @property
    def expected(self) -> dict[int, str]:
        """The bad verdicts of the turn by seat."""
        return {seat: _verdict(*who, _moment(seat)) for seat, who in zip(self.seats, self.players, strict=True)}

    def fits(self, found: Mapping[int, str]) -> bool:
        """Return whether these are the verdicts.

        If the other fault prolongs the turn, a player that thinks too long may answer before the turn ends: late
        instead of silent. A client hears its first tile while it gets ready: if that is its moment, it may be gone
        before it is ready.
        """
        if found.get(0) == "start_failed" and self.expected.get(0) == "gone" and self.players[0][0].startswith("ws"):
            found = {**found, 0: "gone"}
        thinks = {seat for seat, (_, vice) in zip(self.seats, self.players, strict=True) if vice == "ThinksTooLong"}
        late = {seat for seat, verdict in found.items() if verdict == "late"}
        return late <= thinks and {**found, **dict.fromkeys(late, "silent")} == self.expected

    def __str__(self) -> str:
        told = [f"{WINDS[seat]} {kind} {vice}" for seat, (kind, vice) in zip(self.seats, self.players, strict=True)]
        return " + ".join(told)


def pairs() -> Iterator[VicePair]:
    """Yield all pairs, ordered if the seats differ in kind."""
    for seats in SEATS:
        alike = seats[0] != 0
        for one, two in itertools.product(FAULTY, repeat=2):
            if not alike or FAULTY.index(one) <= FAULTY.index(two):
                yield VicePair((one, two), seats)


def run(pair: VicePair) -> dict[int, str]:
    """Play the turn. Return the bad verdicts by seat, and `unasked` for seats that should have been asked."""
    with contextlib.ExitStack() as sitting:
        players: list[Player] = [Tsumogiri() for _ in WINDS]
        for seat, (transport, vice) in zip(pair.seats, pair.players, strict=True):
            players[seat] = sitting.enter_context(seated(transport, vice, _moment(seat)))
        answers = _turn(players)
    let_all_go()
    found = {answer.seat: str(answer.verdict) for answer in answers if not answer.verdict.good}
    return found | {seat: "unasked" for seat in range(4) if seat not in {answer.seat for answer in answers}}


class _VicesTurn:
    """A watch that stops the judge after the first turn."""

    def __init__(self) -> None:
        self.judge: Judge | None = None
        self.told: Sequence[Answer] = ()

    def events(self, new: Sequence[Any]) -> None:
        """Does nothing: only answers matter."""

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        self.told = self.told or answers
        if self.judge is not None:
            self.judge.stop()


def _turn(players: Sequence[Player]) -> Sequence[Answer]:
    rules, watch = rules_of("majiang"), _VicesTurn()
    game = begin(rules, stack(rules, HANDS, draws=DRAWN))
    judge = Judge(game, players, clock=CLOCK, watches=[watch])
    watch.judge = judge
    try:
        judge.run()
    finally:
        let_go(*players)
    return watch.told


def _moment(seat: int) -> str:
    return "turn" if seat == 0 else "reaction"


def _verdict(transport: str, name: str, moment: str) -> str:
    (verdict,) = next(one.at(moment) for one in vices(way_of(transport)).values() if name in (one.name, one.kind))
    return verdict
