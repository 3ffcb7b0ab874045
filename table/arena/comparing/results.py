"""The result of a comparison, read from its folder, for programs and notebooks."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from jantaku.table.arena.comparing.page import parts_of
from jantaku.table.arena.comparing.words import DECISIONS, RESULTS, ComparedBots, Confirmed
from jantaku.table.arena.forks.folder import FORKS
from jantaku.table.arena.forks.fork import ForkedGame
from jantaku.table.arena.forks.stages import Judged, JudgedFork, Probe, Screening
from jantaku.table.arena.match.conduct import Results
from jantaku.table.arena.match.plan.matchfile import even
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.files import bytes_of
from jantaku.table.ground.markup.elements import framed, section, verdict_and_facts
from jantaku.table.records.journal.lines import LARGEST
from jantaku.table.riichi.pieces.seats import SEATS

LISTED = 8
"""Most decisions that a notebook shows of those that win, and of those that cost."""
T = TypeVar("T", bound=msgspec.Struct)


class _Told(msgspec.Struct):
    """The content of `results.json`."""

    a: str
    b: str
    probe: Probe | None
    screening: Screening | None
    confirmation: Results | None


class Comparison(msgspec.Struct, frozen=True):
    """The result of `jantaku compare`, which asks B beside A's games. In a notebook it is shown as in the HTML
    report."""

    names: tuple[str, str]
    """A and B."""
    verdict: str
    """Whether B is better, and by how much, in a sentence."""
    screening: Screening | None
    """What the forks say; None if nothing was forked, because B is another player rather than a change."""
    confirmation: Results | None
    """The results of whole hanchan, as of a match; None if none were played."""
    decisions: tuple[JudgedFork, ...]
    """The decisions that differ, with what they win or cost, the most profitable first."""
    compared: ComparedBots
    """All of it, as the command tells it."""
    seats: int

    def _repr_html_(self) -> str:
        """The tables that a notebook shows."""
        parts = parts_of(self.compared, self.seats, listed=LISTED)
        said = verdict_and_facts(self.compared.sentences(), {})
        return framed(" → ".join(self.names), [said, *map(section, parts)])


def comparison(folder: Path | str) -> Comparison:
    """Read the result from the folder of a comparison (`jantaku compare … --out FOLDER`). BadInput if there is none,
    or if it is not finished."""
    place = Path(folder)
    if not (place / RESULTS).is_file() or not (place / FORKS).is_file():
        raise BadInput(f"{place}: holds no finished comparison: jantaku compare A B --out {place}")
    told = _decoded(place / RESULTS, bytes_of(place / RESULTS, LARGEST), _Told)
    lines = bytes_of(place / DECISIONS, LARGEST).splitlines()
    decisions = [_decoded(place / DECISIONS, line, JudgedFork) for line in lines]
    seats = _seats(place / FORKS, told)
    compared = ComparedBots(
        names=(told.a, told.b),
        probe=told.probe or Probe(),
        found=None if told.screening is None else Judged(told.screening, decisions),
        reason="",
        confirmed=None if told.confirmation is None else Confirmed(told.confirmation, "", even(seats)),
        spent={},
        out=str(place),
    )
    return Comparison(
        names=compared.names,
        verdict=compared.verdict(),
        screening=told.screening,
        confirmation=told.confirmation,
        decisions=tuple(decisions),
        compared=compared,
        seats=seats,
    )


def _seats(path: Path, told: _Told) -> int:
    """Return how many play at a table: as many as have a rank, or as a forked hanchan tells."""
    if told.confirmation is not None and told.confirmation.figures is not None:
        return len(told.confirmation.figures.players[0].ranks)
    first: Sequence[bytes] = bytes_of(path, LARGEST).splitlines()[:1]
    return _decoded(path, first[0], ForkedGame).seats if first else SEATS


def _decoded(path: Path, content: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: is not what a comparison writes: {error}") from None
