"""In real threads, under the real judge: the order in which answers arrive decides nothing (S-40 to S-43)."""

import threading
from collections.abc import Sequence
from itertools import permutations
from typing import Any

from jantaku.table.ground.port import Action, Answer, Question
from jantaku.table.judge.judge import Judge
from jantaku.table.riichi import events
from tests.kit.cases import cases
from tests.kit.pace import SOON
from tests.kit.position import Table, table, text_of

PINFU, CLOSED, PAIRS = "m234678s34588p34", "m34522s234678p46", "p5226677m4488s55"
IDLE = "m159p19s19z123456"
ORDERS = list(permutations((1, 2, 3)))


class Queue:
    """Lets three seats answer one after another: the next one only when the thread of the one before has ended."""

    def __init__(self, order: Sequence[int]) -> None:
        self._order = order
        self._here = [threading.Event() for _ in range(4)]
        self._threads: dict[int, threading.Thread] = {}

    def wait(self, seat: int) -> None:
        """Return when it is `seat`'s time to answer. Its thread ends with the answer written (S-42)."""
        self._threads[seat] = threading.current_thread()
        self._here[seat].set()
        place = self._order.index(seat)
        if place:
            before = self._order[place - 1]
            assert self._here[before].wait(SOON), f"seat {before} was not asked"
            self._threads[before].join(SOON)
            assert not self._threads[before].is_alive()


class Claims:
    """Answers its word, once it is its time, where that is offered; else lets things go."""

    def __init__(self, queue: Queue, seat: int, word: str) -> None:
        self._queue, self._seat, self._word = queue, seat, word

    def hear(self, event: Any) -> None: ...

    def answer(self, question: Question) -> Action:
        for option in question.options:
            if text_of(option) == self._word:
                self._queue.wait(self._seat)
                return option
        return question.default


class StopsAt:
    """Ends the game after the turn in which an event of these kinds happens."""

    def __init__(self, *kinds: type) -> None:
        self.judge: Judge | None = None
        self.answers_in: list[Answer] = []
        self._kinds = kinds

    def events(self, new: Sequence[Any]) -> None:
        if self.judge and any(isinstance(event, self._kinds) for event in new):
            self.judge.stop()

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        self.answers_in += answers


def judged(t: Table, order: Sequence[int], words: Sequence[str]) -> Table:
    """Let the judge play on from `t`; the seats 南西北 say their words in this order."""
    queue = Queue(order)
    players = [Claims(queue, seat, word) for seat, word in enumerate(("", *words))]
    watch = StopsAt(events.Win, events.Ryukyoku, events.MeldCall)
    watch.judge = Judge(t.game, players, mode="per-turn", watches=[watch])
    watch.judge.run()
    assert [answer.reason for answer in watch.answers_in if not answer.verdict.good] == []
    return t


@cases(
    "settings, winners",
    ({"ron.max_winners": "1", "ron.sanchahou": "false"}, [1]),
    ({"ron.max_winners": "2", "ron.sanchahou": "false"}, [1, 2]),
    ({"ron.max_winners": "3", "ron.sanchahou": "false"}, [1, 2, 3]),
    ({"ron.max_winners": "3", "ron.sanchahou": "true"}, []),
)
def test_three_rons_in_any_order_of_arrival_end_alike(settings: dict[str, str], winners: list[int]) -> None:
    """S-36, S-37, S-43: the seats decide, results stand in seat order."""
    ends = []
    for order in ORDERS:
        t = table([IDLE, PINFU, CLOSED, PAIRS], draws="p5", dora="z1", settings=settings)
        judged(t, order, ("ron", "ron", "ron"))
        assert [win.seat for win in t.wins] == winners
        ends.append(t.stream)
    assert all(end == ends[0] for end in ends)


@cases(
    "words, wanted",
    (("p45-6", "p555=", "ron"), ("Win", 3)),
    (("p45-6", "p555=", "no"), ("MeldCall", 2)),
    (("p45-6", "no", "no"), ("MeldCall", 1)),
)
def test_ron_beats_pon_and_pon_beats_chi_whoever_is_first(words: tuple[str, str, str], wanted: tuple[str, int]) -> None:
    """S-35, S-43: 南 may chi, 西 may pon, 北 may ron."""
    for order in ORDERS:
        t = table([IDLE, "p46m19", "p55m19", PINFU], draws="p5", dora="z1")
        asked = [seat for seat in order if words[seat - 1] != "no"]
        judged(t, asked, words)
        last = next(event for event in t.stream if isinstance(event, events.Win | events.MeldCall))
        assert (type(last).__name__, last.seat) == wanted
