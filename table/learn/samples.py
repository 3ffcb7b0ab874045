"""Samples from records: what a seat saw, what it could do and did, and what came of it.

    for rows in Samples(["logs/"], encoder="mortal-3", seed=1, workers=2):
        learn(rows.obs, rows.mask, rows.label, rows.points)

Memory does not grow with the records. With a seed files and rows come in another order, the same for any number of
workers; without one, in the order of names and of play. An answer that is not certain is no sample: where a record does
not tell the answers, that is a pass where the claim of another seat would have come first, or where the record breaks
off. Nor is what the table played in place of an answer.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from jantaku.table.cli.commands.many import found_in
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Choice, Verdict
from jantaku.table.learn.encoders import encoder_of
from jantaku.table.learn.encoding import GameEncoder, NetEncoder
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.drive import NO_REPLY, Difference
from jantaku.table.records.replay.offers import Offer, answered, noted
from jantaku.table.records.replay.outcomes import outcomes
from jantaku.table.riichi.actions import RON, Call
from jantaku.table.riichi.events import KyokuStart
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.pieces.melds import MeldKind
from jantaku.table.riichi.pieces.seats import seat_of
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset

BUFFER: Final = 1 << 28
"""Bytes of observations among which shuffled ones are drawn."""
_CHI, _MELD, _RON = 1, 2, 3
"""The ranks of claims: a higher one comes first."""


def held_by(encoder: NetEncoder) -> int:
    """How many observations 256 MB hold."""
    return max(1, BUFFER // encoder.buffers()[0].nbytes)


class SampleRows(msgspec.Struct):
    """Samples as arrays of equal length."""

    obs: NDArray[Any]
    mask: NDArray[np.bool_]
    label: NDArray[np.int64]
    """The number of the answer."""
    game: NDArray[np.int64]
    """The place of the record among all, in the order of names."""
    kyoku: NDArray[np.int32]
    """The kyoku of the game, from 0."""
    player: NDArray[np.int32]
    last: NDArray[np.bool_]
    """Whether it is the last sample of its player in the game."""
    gain: NDArray[np.float32]
    """Points that the player wins or loses in the kyoku, in thousands; NaN if unknown, as for `points`."""
    points: NDArray[np.float32]
    """Final points with uma and oka."""
    rank: NDArray[np.int32]
    """Final rank from 1; 0 if unknown."""

    def __len__(self) -> int:
        return len(self.label)

    def taken(self, rows: Any) -> "SampleRows":
        """These rows, as an index of numpy."""
        return SampleRows(*[array[rows] for array in msgspec.structs.astuple(self)])


class _Shuffle:
    """Gives rows back in another order: each new row takes the place of one that is drawn from a full buffer."""

    def __init__(self, size: int, chance: np.random.Generator) -> None:
        self._size, self._chance = size, chance
        self._held: SampleRows | None = None
        self._count = 0
        """How many rows are held."""

    def drawn(self, rows: SampleRows) -> list[SampleRows]:
        """Take rows in, and return as many, or fewer while the buffer fills."""
        if self._held is None:  # its memory is taken as rows come in
            columns = msgspec.structs.astuple(rows)
            self._held = SampleRows(*[np.empty((self._size, *one.shape[1:]), one.dtype) for one in columns])
        begin, self._count = self._count, min(self._size, self._count + len(rows))
        room = self._count - begin
        _put(self._held, slice(begin, self._count), rows.taken(slice(room)))
        return [self._exchanged(rows.taken(slice(n, n + self._size))) for n in range(room, len(rows), self._size)]

    def _exchanged(self, rows: SampleRows) -> SampleRows:
        assert self._held is not None, "the buffer is full"
        places = self._chance.choice(self._size, len(rows), replace=False)
        out = self._held.taken(places)
        _put(self._held, places, rows)
        return out

    def rest(self, count: int) -> Iterator[SampleRows]:
        """What is in the buffer, in another order, `count` rows at a time."""
        order = self._chance.permutation(self._count)
        if self._held is not None:
            yield from (self._held.taken(order[n : n + count]) for n in range(0, len(order), count))


def _put(held: SampleRows, places: Any, rows: SampleRows) -> None:
    """Put rows in these places of others."""
    for to, new in zip(msgspec.structs.astuple(held), msgspec.structs.astuple(rows), strict=True):
        to[places] = new


def joined(parts: Sequence[SampleRows]) -> SampleRows:
    """Put rows behind each other."""
    columns = zip(*map(msgspec.structs.astuple, parts), strict=True)
    return SampleRows(*[np.concatenate(column) for column in columns])


class ReadSamples(NamedTuple):
    """What came of one record: its rows, and why there are none or not more."""

    rows: SampleRows | None
    said: str = ""
    is_read: bool = True


FoundSamples = Iterator[tuple[int, ReadSamples]]


class Samples:
    """The samples of records: files, or folders with records in and below them. See the module. Yields `SampleRows` of
    `batch` rows, at the end fewer. Shuffled rows are drawn from a `buffer` of so many rows, or what 256 MB hold.
    `rules` are for records that do not tell theirs. `player`: only what players of that name did. `part`, (k, n), reads
    every n-th record from k on, for n processes of a trainer."""

    def __init__(
        self,
        paths: Sequence[str | Path],
        *,
        encoder: str = "jantaku-1",
        seed: int | None = None,
        workers: int = 0,
        batch: int = 1024,
        buffer: int | None = None,
        rules: Rules | str | None = None,
        player: str | None = None,
        part: tuple[int, int] = (0, 1),
    ) -> None:
        if batch < 1 or (buffer is not None and buffer < 1) or workers < 0 or not 0 <= part[0] < part[1]:
            raise BadInput("batch and buffer are 1 or more, workers 0 or more, part (k, n) with k from 0 to n - 1")
        self.encoder = encoder_of(encoder)
        self.files = [one.path for path in paths for one in found_in(Path(path))]
        """The records, in the order of names."""
        self.read = 0
        """How many of them were read."""
        self.said: list[str] = []
        """Records that could not be read, and those that the rules do not fit, each with the reason."""
        self.told: list[tuple[int, str, bool]] = []
        """The same with the number of the record, and whether it was read in part."""
        self.code = 0
        """2 if a record could not be read, 1 if one was read in part, else 0."""
        self._seed, self._workers, self._batch = seed, workers, batch
        self._buffer = buffer or held_by(self.encoder)
        self._rules = preset(rules) if isinstance(rules, str) else rules
        self._player, self._part = player, part

    def __iter__(self) -> Iterator[SampleRows]:
        """Read all records once."""
        order, shuffle = self._begin()
        yield from self._batched(self._found(order[self._part[0] :: self._part[1]]), shuffle)

    def unshuffled(self) -> Iterator[SampleRows]:
        """Read the records of this part once, in the order of the whole, and shuffle no rows: `joined_parts` does."""
        order, _ = self._begin()
        yield from self._batched(self._found(order[self._part[0] :: self._part[1]]), None)

    def joined_parts(self, found: Callable[[Sequence[int]], "FoundSamples"]) -> Iterator[SampleRows]:
        """Yield what `found` returns for all records, in the order asked for, as if they were read here."""
        order, shuffle = self._begin()
        yield from self._batched(found(order), shuffle)

    def _begin(self) -> "tuple[list[int], _Shuffle | None]":
        """Return the order of the records, and what shuffles their rows."""
        self.read, self.said, self.code, self.told = 0, [], 0, []
        if self._seed is None:
            return list(range(len(self.files))), None
        chance = np.random.default_rng(self._seed)
        return chance.permutation(len(self.files)).tolist(), _Shuffle(self._buffer, chance)

    def _batched(self, read: "FoundSamples", shuffle: "_Shuffle | None") -> Iterator[SampleRows]:
        ready: list[SampleRows] = []
        for number, found in read:
            self.read += 1
            if found.said:
                self.said.append(found.said)
                self.told.append((number, found.said, found.is_read))
                self.code = max(self.code, 1 if found.is_read else 2)
            if found.rows is None:
                continue
            found.rows.game[:] = number
            ready += [found.rows] if shuffle is None else shuffle.drawn(found.rows)
            yield from self._batches(ready, self._batch)
        for rows in () if shuffle is None else shuffle.rest(self._batch):
            ready.append(rows)
            yield from self._batches(ready, self._batch)
        yield from self._batches(ready, 1)

    def _batches(self, ready: list[SampleRows], least: int) -> Iterator[SampleRows]:
        """Take whole batches out of what is ready, and the rest if it has at least so many rows."""
        count = sum(map(len, ready))
        if count < least:
            return
        rows = joined(ready)
        end = count if least == 1 else count - count % self._batch
        for begin in range(0, end, self._batch):
            yield rows.taken(slice(begin, min(begin + self._batch, end)))
        ready[:] = [rows.taken(np.arange(end, count))] if end < count else []  # a copy: batches can be freed

    def _found(self, numbers: Sequence[int]) -> Iterator[tuple[int, ReadSamples]]:
        """Read records in this order; with workers a few ahead."""
        if not self._workers:
            yield from ((number, self._read(number)) for number in numbers)
            return
        with ProcessPoolExecutor(self._workers) as workers:
            ahead: deque[tuple[int, Future[ReadSamples]]] = deque()
            for number in numbers:
                ahead.append((number, self._ordered(workers, number)))
                if len(ahead) > self._workers:
                    yield ahead[0][0], ahead.popleft()[1].result()
            yield from ((number, future.result()) for number, future in ahead)

    def _ordered(self, workers: Executor, number: int) -> "Future[ReadSamples]":
        return workers.submit(read_samples, self.files[number], self.encoder.name, self._rules, self._player)

    def _read(self, number: int) -> ReadSamples:
        return read_samples(self.files[number], self.encoder.name, self._rules, self._player)


def read_samples(path: Path, encoder: str, rules: Rules | None = None, player: str | None = None) -> ReadSamples:
    """The samples of one record, or why there are none."""
    try:
        record = read_any(path).record
        kind = encoder_of(encoder)
        kind.refuse(len(record.names), str(path))
        reading = _Reading(record, kind, player)
        for _ in noted(record, rules, reading.begin, reading.part):
            """What is noted is kept there."""
        return ReadSamples(reading.rows(), reading.said)
    except BadInput as problem:
        return ReadSamples(None, str(problem), is_read=False)


class _Sample(NamedTuple):
    """A sample whose arrays are written."""

    row: tuple[Any, Any]
    label: int
    kyoku: int
    player: int


class _Reading:
    """Reads one record: writes a sample for each question, and keeps it once its answer is certain."""

    def __init__(self, record: Record, encoder: NetEncoder, player: str | None) -> None:
        self._record, self._encoder = record, encoder
        self._outcomes = outcomes(record)
        self._names = {n for n, name in enumerate(record.names) if player is None or name == player}
        self._kept: list[_Sample] = []
        self._open: list[tuple[Offer, Action, bool, list[_Sample]]] = []
        """Of the turn that is read: question, answer, whether the record tells it, samples."""
        self.said = ""

    def begin(self, game: RiichiGame) -> Any:
        """The game begins; return what takes its questions."""
        self._seen = GameEncoder(self._encoder, game)
        return self._asked

    def part(self, difference: Difference) -> None:
        """The rules do not fit the record any more."""
        self.said = f"{self._record.path}: samples only up to {difference}"

    def _asked(self, offer: Offer) -> Offer:
        if self._open and self._open[0][0].key != offer.key:
            self._settle()
        reply, told = answered(self._record, offer)
        action = offer.choice.options[offer.options.index(reply)]
        is_taken = offer.player in self._names and (told is None or Verdict(told["verdict"]).good)
        samples = list(self._samples(offer, action)) if is_taken else []
        self._open.append((offer, action, told is not None, samples))
        return offer

    def _samples(self, offer: Offer, action: Action) -> Iterator[_Sample]:
        """One sample, or two where the encoder asks twice; none for an action without a number."""
        encoder, choice = self._encoder, offer.choice
        first: int | None = None
        for label in encoder.labels(choice, action):
            obs, mask = encoder.buffers()
            self._seen.write(offer.player, choice, obs, mask, first)
            yield _Sample((obs, mask), label, offer.kyoku - 1, offer.player)
            first = label

    def _settle(self, *, broken_off: bool = False) -> None:
        """Keep what is certain of a turn's answers. `broken_off`: the record does not show what came after it."""
        for offer, action, told, samples in self._open:
            others = [_claim(other) for one, other, _, _ in self._open if one.player != offer.player]
            is_seen = not broken_off and max(others, default=0) < _best(offer.choice)
            if told or action not in NO_REPLY or is_seen:
                self._kept += samples
        self._open = []

    def _is_broken_off(self) -> bool:
        """Whether the last turn that was read may have gone on otherwise than the engine went on with it."""
        return bool(self.said) or (bool(self._open) and self._outcomes[self._open[0][0].kyoku - 1] is None)

    def rows(self) -> SampleRows | None:
        """All samples of the record; None if there are none."""
        self._settle(broken_off=self._is_broken_off())
        kept, count = self._kept, len(self._kept)
        if not count:
            return None
        obs, mask = self._encoder.buffers(count)
        for place, sample in enumerate(kept):
            obs[place], mask[place] = sample.row
        players = [sample.player for sample in kept]
        lasts = {player: place for place, player in enumerate(players)}
        gain, points, rank = self._came_of()
        kyoku = np.array([sample.kyoku for sample in kept], np.int32)
        return SampleRows(
            obs,
            mask,
            np.array([sample.label for sample in kept], np.int64),
            np.zeros(count, np.int64),
            kyoku,
            np.array(players, np.int32),
            np.array([lasts[player] == place for place, player in enumerate(players)]),
            gain[kyoku, players],
            points[players],
            rank[players],
        )

    def _came_of(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int32]]:
        """By kyoku and player the points won, by player final points and ranks."""
        found = self._outcomes
        players = range(len(self._record.names))
        gain = np.full((len(found), len(players)), np.nan, np.float32)
        points, rank = np.full(len(players), np.nan, np.float32), np.zeros(len(players), np.int32)
        for number, (kyoku, outcome) in enumerate(zip(self._record.log, found, strict=True)):
            deal = kyoku[0]
            if outcome is None or not isinstance(deal, KyokuStart):
                continue
            for player in players:
                seat = seat_of(player, deal.dealer, len(players))
                gain[number, player] = outcome.gains[seat] / 1000
                rank[player] = 0 if outcome.ranks is None else outcome.ranks[seat]
                points[player] = np.nan if outcome.final_tenths is None else outcome.final_tenths[seat] / 10
        return gain, points, rank


def _claim(action: Action) -> int:
    """The rank of a claim; 0 for none."""
    if action == RON:
        return _RON
    if isinstance(action, Call):
        return _CHI if action.meld.kind == MeldKind.CHI else _MELD
    return 0


def _best(choice: Choice) -> int:
    """The lowest rank of the claims that a seat may make: one above all others' shows that it passed them all up."""
    return min((rank for option in choice.options if (rank := _claim(option))), default=_RON + 1)
