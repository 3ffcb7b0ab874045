"""A review beside its record: what a bot would have done at every decision. Lines of JSON, the head first.

The file names its record, by the way from its own folder, and holds the digest of what that says; of the game it has
only what belongs to a decision.
"""

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from jantaku.table.errors import BadInput
from jantaku.table.foreign.shapes import shaped
from jantaku.table.formats.majiang.reading import Seat
from jantaku.table.formats.majiang.words import Item
from jantaku.table.installation import version
from jantaku.table.record.answers import refuse_misshapen_reply
from jantaku.table.record.header import GAME, Players
from jantaku.table.record.lines import content_of, from_json
from jantaku.table.riichi.rules import Rules

FORM = 1
"""Version of the form."""
ENDING = ".review.jsonl"
"""How names of such files end: whoever looks for records in a folder passes them over."""
_DIGEST = 32  # hex digits
Ordinal = Annotated[int, Meta(ge=0)]
KINDS = {"hule": "win", "fulou": "call", "gang": "kan", "daopai": "declaration"}
"""By a word of a reply what it does. A decision is about the first of these that its options have; one of discards
alone is about a riichi or a discard."""


class ReviewHead(msgspec.Struct, frozen=True):
    """The first line. `by` is the bot, `seats` are the players of the record whose decisions were reviewed; `rules`
    are those by which the record was read."""

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
    """One decision: where it is (`before`: as in the keys of `Record.answers`), of which `kind`, what was `played`
    (null where the record does not tell it) and what the bot would have done.

    Where its verdict is not good, the bot has made no choice: `choice` is null and `reason` says why. `agrees` is null
    unless both are known. `meta` is what the bot said besides.
    """

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
    """What `choice` wins over `played`, in points of the final score, where that was played out."""


class WholeReview(msgspec.Struct, frozen=True):
    """A review as it is in its file."""

    head: ReviewHead
    decisions: list[ReviewedDecision]

    @property
    def differences(self) -> list[ReviewedDecision]:
        """The decisions at which the bot would have done something else."""
        return [one for one in self.decisions if one.agrees is False]


class Agreement(msgspec.Struct, frozen=True):
    """How often a bot would have done what was played. `decisions` are those of which both is known; `worth` is what
    its choices win in sum, None where nothing was played out."""

    decisions: int
    agreed: int
    worth: float | None = None

    @property
    def share(self) -> float:
        """From 0 to 1; 1 where nothing was decided."""
        return self.agreed / self.decisions if self.decisions else 1.0


def kind_of(options: Sequence[Item]) -> str:
    """What a decision is about: win, call, kan, declaration (九種九牌, tenpai), riichi or discard."""
    for word, kind in KINDS.items():
        if any(word in option for option in options):
            return kind
    return "riichi" if any("*" in option.get("dapai", "") for option in options) else "discard"


def deed_of(reply: Item) -> str:
    """What a reply does: one of these kinds, or pass."""
    return kind_of([reply]) if reply else "pass"


def agreements(decisions: Iterable[ReviewedDecision]) -> dict[str, Agreement]:
    """The agreement by kind of decision, `all` first, then the kinds that come most often."""
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
    content: bytes,
    record: Path,
    review: Path,
    *,
    by: str,
    names: tuple[str, ...],
    seats: list[int],
    rules: Rules,
) -> ReviewHead:
    """The head of a new review, by the bot `by`, of a record with that unpacked content; for the file `review`."""
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
    """What tells a record, unpacked, from all others."""
    return hashlib.sha256(content).hexdigest()[:_DIGEST]


def way_to(record: Path, review: Path) -> str:
    """How a review names its record."""
    return Path(os.path.relpath(record.absolute(), review.absolute().parent)).as_posix()


def is_review(content: bytes) -> bool:
    """Whether a file begins as a review does."""
    try:
        first = from_json(content.partition(b"\n")[0])
    except ValueError:
        return False
    return isinstance(first, dict) and "review" in first


def review_text(review: WholeReview) -> bytes:
    """The content of its file."""
    lines: Sequence[msgspec.Struct] = [review.head, *review.decisions]
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def read_review(path: Path, content: bytes) -> WholeReview:
    """Read it. BadInput with the line for what is none."""
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
    """The record that a review is of. BadInput if it is not there, or is another one by now."""
    record = path.parent / head.record
    if not record.is_file():
        raise BadInput(f"{path}: its record {head.record} is not there; put it back, or review it again")
    if digest_of(content_of(record)) != head.digest:
        raise BadInput(f"{path}: {record} is not the record that was reviewed; review it again")
    return record
