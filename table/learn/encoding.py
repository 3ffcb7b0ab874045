"""What an encoder is: it turns what a seat sees into numbers for a net, and the net's numbers into options."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Choice
from jantaku.table.riichi.actions import NOTEN, TENPAI
from jantaku.table.riichi.events import Event
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.pieces.seats import SEATS

Mask = NDArray[np.bool_]


class RowPacking(msgspec.Struct, frozen=True):
    """For an encoder that need not hear a game. `at(game)` returns a function that packs what a player sees at a
    choice. `write` writes packed views into arrays, a row each, with zeros for None."""

    at: Callable[[RiichiGame], Callable[[int, Choice], Any]]
    write: Callable[[Sequence[Any], Any, Mask], None]


class SeatEncoder(Protocol):
    """The encoder of one seat. Most decisions are one question. Where a number leaves open which option is meant, such
    as the discard of a riichi, the seat is asked again: `first` is the number that it answered before."""

    def hear(self, event: Event) -> None:
        """Hear an event as the seat hears it, from `HanchanStart` on."""

    def observe(self, choice: Choice, obs: Any, mask: Mask, first: int | None = None) -> None:
        """Write what the seat sees into `obs` and the numbers that it may answer into `mask`. Raises BadInput, before
        anything is written, for arrays of another shape or type."""


class NetEncoder(msgspec.Struct, frozen=True):
    """An encoder by name. `seat()` makes the one of a seat; an observation is an array of `shape` and `dtype`, and a
    mask has a place for each of the numbers, of which `words` tells what they mean."""

    name: str
    shape: tuple[int, ...]
    dtype: type[np.generic]
    words: tuple[str, ...]
    seat: Callable[[], SeatEncoder]
    options: Callable[[Choice, int, int | None], Sequence[Action]]
    """The options of a choice that a number means (given the first number), the one to take first; empty if the number
    is not allowed."""
    number: Callable[[Action], int]
    """The number of an action. Raises BadInput for one without a number."""
    second: Callable[[Action], int | None]
    """The number that answers the second question about an action; None without one."""
    seconds: tuple[int, ...] = ()
    """The numbers after which the seat is asked again, if they mean several options."""
    three: bool = False
    """Whether it encodes games of three players."""
    packing: RowPacking | None = None
    """None if the encoder has to hear."""

    @property
    def numbers(self) -> int:
        """How many numbers an answer can be, and places a mask has."""
        return len(self.words)

    def buffers(self, *count: int) -> tuple[NDArray[Any], Mask]:
        """Make arrays for one observation and mask, or for `count` of them."""
        return np.zeros((*count, *self.shape), self.dtype), np.zeros((*count, self.numbers), np.bool_)

    def check(self, obs: Any, mask: Any, *count: int) -> None:
        """Raise BadInput unless these are arrays such as `buffers` makes."""
        check_array("obs", obs, (*count, *self.shape), self.dtype)
        check_array("mask", mask, (*count, self.numbers), np.bool_)

    def meant(self, choice: Choice, number: int, first: int | None = None) -> Action | int | None:
        """What an answer comes to: an option; the number itself, if the seat is to be asked again; None if it is not
        allowed."""
        options = self.options(choice, number, first)
        if len(options) > 1 and first is None and number in self.seconds:
            return number
        return options[0] if options else None

    def labels(self, choice: Choice, action: Action) -> list[int]:
        """The answers that come to an option: a number, or two where the seat is asked again. Empty for an action
        without a number."""
        try:
            first = self.number(action)
        except BadInput:
            return []
        again = first in self.seconds and len(self.options(choice, first, None)) > 1
        second = self.second(action)
        return [first] if second is None or not again else [first, second]

    def unasked(self, choice: Choice) -> Action | None:
        """The answer to a question that the encoder has no number for: tenpai is declared. None for any other."""
        return TENPAI if choice.default == NOTEN and not self.labels(choice, TENPAI) else None

    def refuse(self, players: int, where: str) -> None:
        """Raise BadInput if it cannot encode games with this number of players."""
        if players != SEATS and not self.three:
            raise BadInput(f"{where}: {self.name} encodes games of {SEATS} players; {players} play by these rules")


class GameEncoder:
    """Writes what the players of a game see when they are asked."""

    def __init__(self, encoder: NetEncoder, game: RiichiGame) -> None:
        self._encoder, self._game = encoder, game
        self.packed = None if encoder.packing is None else encoder.packing.at(game)
        """Packs what a player sees at a choice, see `RowPacking`; None if the encoder has to hear."""
        self._seats: dict[int, SeatEncoder] = {}
        self._heard = [0] * game.seats
        """By player, how many events of the game its encoder has heard."""

    def write(self, player: int, choice: Choice, obs: Any, mask: Mask, first: int | None = None) -> None:
        """Write what a player sees at a choice that is open now."""
        encoder, game = self._encoder, self._game
        if encoder.packing is not None and self.packed is not None:
            encoder.packing.write([self.packed(player, choice)], obs[np.newaxis], mask[np.newaxis])
            return
        if player not in self._seats:
            self._seats[player] = encoder.seat()
        heard, self._heard[player] = self._heard[player], len(game.events)
        for index in range(heard, len(game.events)):
            self._seats[player].hear(game.masked(index, player))
        self._seats[player].observe(choice, obs, mask, first)


def check_array(name: str, given: Any, shape: tuple[int, ...], dtype: type[np.generic]) -> None:
    """Raise BadInput unless `given` is an array of this shape and type that can be written to in order."""
    if not isinstance(given, np.ndarray) or given.dtype != dtype or given.shape != shape:
        told = f"{given.dtype} {given.shape}" if isinstance(given, np.ndarray) else type(given).__name__
        raise BadInput(f"{name} is {told}; allowed is a numpy array of {np.dtype(dtype)} {shape}")
    if not (given.flags.c_contiguous and given.flags.writeable):
        raise BadInput(f"{name} has to be C-contiguous and writeable")
