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
_SPOKEN = (
    events.KyokuStart,
    events.Draw,
    events.TileDiscard,
    events.Riichi,
    events.MeldCall,
    events.OwnKan,
    events.Dora,
)


class Sink(Protocol):
    """What takes one seat's kyoku after the other."""

    kinds: Counter[str]
    spent: list[float]

    def compare(self, player: int, story: list[Any], ours: list[list[str]], raw: list[Parts]) -> None:
        """Take a seat's kyoku: its story, and our digests and bytes of each question in it."""


class SeatWatch:
    """One player's encoders, and its kyoku as the other program is told it."""

    def __init__(self, player: int, comparison: Sink) -> None:
        self._player, self._comparison = player, comparison
        self._seats = [MortalSeat(version) for version in VERSIONS]
        self._board = Board()
        self._speaker = Speaker(self._board, "mortal")
        self._obs = [np.zeros(seat.shape, np.float32) for seat in self._seats]
        self._mask = np.zeros(46, np.bool_)
        self._first_dealer = 0
        self._clear()

    def _clear(self) -> None:
        self._story: list[Any] = []
        self._ours: list[list[str]] = []
        self._raw: list[Parts] = []
        self._reached = False

    def hear(self, event: Event) -> None:
        """Receive an event as the player hears it."""
        for seat in self._seats:
            seat.hear(event)
        if isinstance(event, events.HanchanStart):
            self._first_dealer = event.first_dealer
        if isinstance(event, events.KyokuStart | events.HanchanEnd):
            self._end()
        if isinstance(event, _SPOKEN):
            lines = self._speaker.lines(event)
            self._board.apply(event)
            if self._reached and isinstance(event, events.TileDiscard):
                lines, self._reached = lines[1:], False
            self._story += [json.dumps(line) for line in lines]

    def _end(self) -> None:
        if self._ours:
            player = (self._player - self._first_dealer) % 4
            self._comparison.compare(player, self._story, self._ours, self._raw)
        self._clear()

    def asked(self, choice: Choice, given: Action) -> None:
        """Receive a question, and the answer that is given to it."""
        if NOTEN in choice.options:
            return
        offers = Offers(choice)
        self._observe(choice, "claim" if offers.claims else "turn")
        if offers.kans:
            self._observe(choice, "kan", KAN)
        if isinstance(given, Discard) and given.riichi:
            seat = self._seats[0].board.seat_known()
            assert seat is not None, "the own hand is dealt"
            self._story.append(json.dumps({"type": "reach", "actor": (seat + self._board.kyoku) % 4}))
            self._reached = True
            self._observe(choice, "riichi", RIICHI)

    def _observe(self, choice: Choice, kind: str, first: int | None = None) -> None:
        self._comparison.kinds[kind] += 1
        self._story.append([first == KAN])
        pairs = []
        for place, seat in enumerate(self._seats):
            begun = time.perf_counter()
            seat.observe(choice, self._obs[place], self._mask, first)
            self._comparison.spent[place] += time.perf_counter() - begun
            pairs.append((self._obs[place].tobytes(), self._mask.tobytes()))
        self._ours.append([digest(*pair) for pair in pairs])
        self._raw.append(pairs)
