"""The base of a bot that asks a net: it hears its seat's events, and plays what the net values most."""

from abc import ABC, abstractmethod
from functools import cached_property
from typing import Any

import numpy as np

from jantaku.players.seeded import Seeded
from jantaku.table.ground.port import Action, Choice, Question
from jantaku.table.learn.encoders import encoder_of
from jantaku.table.learn.encoding import Mask, NetEncoder, SeatEncoder
from jantaku.table.riichi.events import Event


class NetPlayer(Seeded, ABC):
    """A riichi bot that plays the allowed number with the highest value. A subclass names its encoder and defines
    `values`:

        class Policy(NetPlayer):
            encoder = "mortal-3"

            def values(self, obs, mask):
                return net(obs)
    """

    game = "riichi"
    encoder = "jantaku-1"

    @abstractmethod
    def values(self, obs: Any, mask: Mask) -> Any:
        """A value for each number of the encoder. Values of numbers that `mask` does not allow are ignored; one that is
        no number (NaN) is this player's fault."""

    def hear(self, event: Event) -> None:
        """Bring what the seat sees up to date."""
        self._seat.hear(event)

    def answer(self, question: Question) -> Action:
        """Return the option that the highest value means."""
        first: int | None = None
        while True:
            number = self._highest(question.choice, first)
            meant = self._kind.meant(question.choice, number, first)
            if not isinstance(meant, int):
                assert meant is not None, "the mask allows it"
                return meant
            first = meant

    def remark(self) -> object:
        """The values of the last question by number, for readers of the record."""
        return {"values": self._valued}

    def _highest(self, choice: Choice, first: int | None) -> int:
        obs, mask = self._buffers
        self._seat.observe(choice, obs, mask, first)
        values = np.asarray(self.values(obs, mask), np.float64)
        if values.shape != mask.shape:
            raise ValueError(f"values are of shape {values.shape}; {self.encoder} has {mask.shape}")
        allowed = np.flatnonzero(mask)
        if np.isnan(values[allowed]).any():
            wrong = int(allowed[np.isnan(values[allowed])][0])
            raise ValueError(f"the value of {wrong} ({self._kind.words[wrong]}) is no number")
        self._valued = {self._kind.words[number]: round(float(values[number]), 4) for number in allowed.tolist()}
        return int(allowed[values[allowed].argmax()])

    @cached_property
    def _kind(self) -> NetEncoder:
        return encoder_of(self.encoder)

    @cached_property
    def _seat(self) -> SeatEncoder:
        return self._kind.seat()

    @cached_property
    def _buffers(self) -> tuple[Any, Mask]:
        return self._kind.buffers()
