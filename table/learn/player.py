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
        self._valued: list[tuple[int, Mask, Any]] = []
        meant: Action | int | None = self._kind.unasked(question.choice)
        while meant is None or isinstance(meant, int):
            number = self._highest(question.choice, meant)
            meant = self._kind.meant(question.choice, number, meant)
        return meant

    def remark(self) -> object:
        """The values of the last question, for readers of the record: of Mortal's numbers in the form of its relatives,
        which the viewer draws at the options, of others by the words of their numbers."""
        told = [self._said(mask, values) for _, mask, values in self._valued]
        if len(told) < 2 or self._kind.words[self._valued[0][0]] != "riichi":  # a kan's second numbers are kinds
            return told[0] if told else None
        return {**told[0], "dahai": told[1]}

    def _highest(self, choice: Choice, first: int | None) -> int:
        """The number that is valued most, which is remembered with the values."""
        obs, mask = self._buffers
        self._seat.observe(choice, obs, mask, first)
        values = np.asarray(self.values(obs, mask), np.float64)
        if values.shape != mask.shape:
            raise ValueError(f"values are of shape {values.shape}; {self.encoder} has {mask.shape}")
        allowed = np.flatnonzero(mask)
        if np.isnan(values[allowed]).any():
            wrong = int(allowed[np.isnan(values[allowed])][0])
            raise ValueError(f"the value of {wrong} ({self._kind.words[wrong]}) is no number")
        number = int(allowed[values[allowed].argmax()])
        self._valued.append((number, mask.copy(), values))
        return number

    def _said(self, mask: Mask, values: Any) -> dict[str, object]:
        numbers = np.flatnonzero(mask).tolist()
        told = [round(float(values[number]), 4) for number in numbers]
        if not self._kind.seconds:
            return {"values": {self._kind.words[number]: value for number, value in zip(numbers, told, strict=True)}}
        return {"q_values": told, "mask_bits": sum(1 << number for number in numbers)}

    @cached_property
    def _kind(self) -> NetEncoder:
        return encoder_of(self.encoder)

    @cached_property
    def _seat(self) -> SeatEncoder:
        return self._kind.seat()

    @cached_property
    def _buffers(self) -> tuple[Any, Mask]:
        return self._kind.buffers()
