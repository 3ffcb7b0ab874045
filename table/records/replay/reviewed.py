"""A review, stored beside its record: what a bot would have done at every decision. JSON lines, the head first.

The file names its record by the path from its own folder, and contains the digest of the record's content. Of the
game it has only what belongs to a decision.
"""

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.shapes import shaped
from jantaku.table.ground.installation import version
from jantaku.table.languages.majiang.reader import Seat
from jantaku.table.languages.majiang.rule import Item
from jantaku.table.records.journal.answers import refuse_misshapen_reply
from jantaku.table.records.journal.header import GAME, Players
from jantaku.table.records.journal.lines import content_of, from_json
from jantaku.table.riichi.rules import Rules

FORM = 1
"""Version of the format."""
_DIGEST = 32  # hex digits
Ordinal = Annotated[int, Meta(ge=0)]
KINDS = {"hule": "win", "fulou": "call", "gang": "kan", "daopai": "declaration"}
"""For each word of a reply, the kind of action. A decision has the first of these kinds that its options contain; one
among discards alone is of kind `riichi` or `discard`."""


class ReviewHead(msgspec.Struct, frozen=True):
    """The first line. `by` is the bot; `seats` are the players whose decisions were reviewed; `rules` are those by
    which the record was read."""

    review: int
    version: str
    game: str
    record: str
    digest: str
    by: str
    player: Players
    seats: list[Seat]
    rules: Rules


class ReviewedDecision(msgspec.Struct, frozen=True, omit_defaults=True):
    """One decision: its place (`before` as in the keys of `Record.answers`), its `kind`, the reply `played` (null if
    the record does not show it) and the bot's `choice`. If the bot's verdict is not good, it made no choice: `choice`
    is null and `reason` says why. `agrees` is null unless both are known. `meta` is what the bot said beside its
    answer."""

    kyoku: Ordinal
    turn: Ordinal
    event: Ordinal
    before: Ordinal
    player: Seat
    kind: str
    hand: str
    played: Item | None
    choice: Item | None
    agrees: bool | None
    verdict: str = "ok"
    reason: str = ""
    meta: Any = None
    worth: float | None = None
    """What `choice` gains over `played`, in points of the final score; None if that was not played out."""
    margin: float | None = None
    """Half of the 95 % interval of `worth`."""


class WholeReview(msgspec.Struct, frozen=True):
    """A review as read from its file."""

    head: ReviewHead
    decisions: list[ReviewedDecision]

    @property
    def differences(self) -> list[ReviewedDecision]:
        """The decisions at which the bot would have done something else."""
        return [one for one in self.decisions if one.agrees is False]


class Agreement(msgspec.Struct, frozen=True):
    """How often a bot would have done what was played. `decisions` counts those with both known; `worth` is the sum
    that its choices gain, None if nothing was played out."""

    decisions: int
    agreed: int
    worth: float | None = None

    @property
    def share(self) -> float:
        """The share of agreements, from 0 to 1; 1 without decisions."""
        return self.agreed / self.decisions if self.decisions else 1.0


def kind_of(options: Sequence[Item]) -> str:
    """The kind of a decision: win, call, kan, declaration (九種九牌, tenpai), riichi or discard."""
    for word, kind in KINDS.items():
        if any(word in option for option in options):
            return kind
    return "riichi" if any("*" in option.get("dapai", "") for option in options) else "discard"


def deed_of(reply: Item) -> str:
    """The kind of action that a reply makes: one of these kinds, or pass."""
    return kind_of([reply]) if reply else "pass"


def agreements(decisions: Iterable[ReviewedDecision]) -> dict[str, Agreement]:
    """Return the agreement for each kind of decision, `all` first, then the most frequent kinds first."""
    known = [one for one in decisions if one.agrees is not None]
    kinds = [kind for kind, _ in Counter(one.kind for one in known).most_common()]
    return {
        "all": _agreement(known),
        **{kind: _agreement([one for one in known if one.kind == kind]) for kind in kinds},
    }


def _agreement(known: Sequence[ReviewedDecision]) -> Agreement:
    worths = [one.worth for one in known if one.worth is not None]
    return Agreement(len(known), sum(one.agrees is True for one in known), round(sum(worths), 3) if worths else None)


def head_of(
    content: bytes, record: Path, review: Path, *, by: str, names: tuple[str, ...], seats: list[int], rules: Rules
) -> ReviewHead:
    """Make the head of a new review by the bot `by`. `content` is the record's unpacked content, `review` the path of
    the new file."""
    return ReviewHead(
        review=FORM,
        version=version(),
        game=GAME,
        record=way_to(record, review),
        digest=digest_of(content),
        by=by,
        player=names,
        seats=seats,
        rules=rules,
    )


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:_DIGEST]


def way_to(record: Path, review: Path) -> str:
    """The path by which a review names its record."""
    return Path(os.path.relpath(record.absolute(), review.absolute().parent)).as_posix()


def is_review(content: bytes) -> bool:
    """Whether a file begins like a review."""
    try:
        first = from_json(content.partition(b"\n")[0])
    except ValueError:
        return False
    return isinstance(first, dict) and "review" in first


def review_text(review: WholeReview) -> bytes:
    lines: Sequence[msgspec.Struct] = [review.head, *review.decisions]
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def read_review(path: Path, content: bytes) -> WholeReview:
    """Read a review. Raises BadInput, with the line, for anything else."""
    values = []
    for number, line in enumerate(content.splitlines(), 1):
        try:
            values.append(from_json(line))
        except ValueError:
            raise BadInput(f"{path} line {number}: broken, not JSON") from None
    form = values[0].get("review")
    if type(form) is not int or not 0 < form <= FORM:
        raise BadInput(f"{path} line 1: review is {form}; this jantaku reads up to {FORM}")
    head = shaped(values[0], ReviewHead, f"{path} line 1")
    decisions = []
    for number, value in enumerate(values[1:], 2):
        one = shaped(value, ReviewedDecision, f"{path} line {number}")
        for key in ("played", "choice"):
            if (reply := getattr(one, key)) is not None:
                refuse_misshapen_reply(reply, f"{path} line {number}: {key}")
        decisions.append(one)
    return WholeReview(head, decisions)


def record_of(path: Path, head: ReviewHead) -> Path:
    """Return the path of a review's record. Raises BadInput if the record is missing or has changed."""
    record = path.parent / head.record
    if not record.is_file():
        raise BadInput(f"{path}: its record {head.record} is not there; put it back, or review it again")
    if digest_of(content_of(record)) != head.digest:
        raise BadInput(f"{path}: {record} is not the record that was reviewed; review it again")
    return record
