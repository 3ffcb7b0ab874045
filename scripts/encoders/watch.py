"""One player's encoders beside its kyoku as another program is told it."""

import json
import time
from collections import Counter
from typing import Any, Protocol

import numpy as np

from jantaku.table.ground.port import Action, Choice
from jantaku.table.languages.mjai.speaker import Speaker
from jantaku.table.learn.mortal import MortalSeat
from jantaku.table.learn.mortal.numbers import KAN, RIICHI, Offers
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import NOTEN, Discard
from jantaku.table.riichi.events import Event
from jantaku.table.riichi.pieces.board import Board
from scripts.encoders.child import VERSIONS, digest

Parts = list[tuple[bytes, bytes]]
"""By version, an observation: planes and mask."""
_UNSPOKEN = (events.HanchanStart, events.HanchanEnd, events.Win, events.Ryukyoku)


class SeatStory:
    """One player's kyoku in mjai, as another program is told it."""

    def __init__(self, player: int) -> None:
        self.player = player
        """The player, as mjai counts once the first dealer is known."""
        self.told: list[Any] = []
        self._board = Board()
        self._speaker = Speaker(self._board, "mortal")
        self._reached = False

    def hear(self, event: Event) -> None:
        if isinstance(event, events.HanchanStart):
            self.player = (self.player - event.first_dealer) % 4
        elif isinstance(event, events.KyokuStart):
            self.told, self._reached = [], False
        lines = self._speaker.lines(event)
        event.apply(self._board)
        if self._reached and isinstance(event, events.TileDiscard):
            lines, self._reached = lines[1:], False
        if not isinstance(event, _UNSPOKEN):
            self.told += [json.dumps(line) for line in lines]

    def reach(self) -> None:
        """Tell of the player's riichi, after which its discard is a question, too."""
        self.told.append(json.dumps({"type": "reach", "actor": self.player}))
        self._reached = True


class Sink(Protocol):
    """What takes one seat's kyoku after the other."""

    kinds: Counter[str]
    spent: list[float]

    def compare(self, player: int, story: list[Any], ours: list[list[str]], raw: list[Parts]) -> None: ...


class SeatWatch:
    """One player's encoders, and its kyoku as the other program is told it. Implements `Watch`."""

    def __init__(self, player: int, comparison: Sink) -> None:
        self._comparison, self._story = comparison, SeatStory(player)
        self._seats = [MortalSeat(version) for version in VERSIONS]
        self._obs = [np.zeros(seat.shape, np.float32) for seat in self._seats]
        self._mask = np.zeros(46, np.bool_)
        self._ours: list[list[str]] = []
        self._raw: list[Parts] = []

    def hear(self, event: Event) -> None:
        for seat in self._seats:
            seat.hear(event)
        if isinstance(event, events.KyokuStart | events.HanchanEnd):
            if self._ours:
                self._comparison.compare(self._story.player, self._story.told, self._ours, self._raw)
            self._ours, self._raw = [], []
        self._story.hear(event)

    def asked(self, choice: Choice, given: Action) -> None:
        if NOTEN in choice.options:
            return
        offers = Offers(choice)
        self._observe(choice, "claim" if offers.claims else "turn")
        if offers.kans:
            self._observe(choice, "kan", KAN)
        if isinstance(given, Discard) and given.riichi:
            self._story.reach()
            self._observe(choice, "riichi", RIICHI)

    def _observe(self, choice: Choice, kind: str, first: int | None = None) -> None:
        self._comparison.kinds[kind] += 1
        self._story.told.append([first == KAN])
        pairs = []
        for place, seat in enumerate(self._seats):
            begun = time.perf_counter()
            seat.observe(choice, self._obs[place], self._mask, first)
            self._comparison.spent[place] += time.perf_counter() - begun
            pairs.append((self._obs[place].tobytes(), self._mask.tobytes()))
        self._ours.append([digest(*pair) for pair in pairs])
        self._raw.append(pairs)
