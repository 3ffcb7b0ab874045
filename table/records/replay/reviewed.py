"""A review, stored beside its record, and a bot's own values of its options.

`assess` works out of a decision what its seat can know: for programs that explain, and for people who look.

    for decision in decisions_seen(record, assess):
        decision.view.discards, decision.answer

Tiles are named as in records (`m5`), seats are those of the kyoku, copies count what the seat does not see.
Nothing here is an estimate: how likely a tile deals in, or what an option is worth, is for players to say.
"""

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.shapes import shaped
from jantaku.table.ground.installation import version
from jantaku.table.languages.majiang.paifu import Seat
from jantaku.table.languages.majiang.rule import Item
from jantaku.table.records.journal.items import refuse_misshapen_reply
from jantaku.table.records.journal.lines import GAME, Players, content_of, from_json
from jantaku.table.riichi.flow.hanchan import by_rank
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.seats import after
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import COPIES, EAST, FIVES, KIND, NAMES, RED_M, kinds_in
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.points.payments import settle
from jantaku.table.riichi.points.scorer import Situation, hand_value
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import DEFAULT, preset

Safety = Literal["genbutsu", "no-chance", "suji", "half-suji", "honour", ""]
"""Why a tile is safer than another against a seat, of the reasons that hold the first of these:

`genbutsu`: the seat cannot ron it now. `honour`: it is no part of a run. `no-chance`: no wait on two sides is left, as
all copies of a neighbour are seen. `suji`: every wait on two sides would be furiten; `half-suji`: one of two would.
Only the first excludes every wait.
"""


class WinOutlook(msgspec.Struct, frozen=True):
    """A win: how, with what, its points without honba and sticks, and the winner's rank with them. Without a yaku the
    points are 0. A `riichi` win declares riichi first, without ippatsu and ura dora."""

    by: Literal["ron", "tsumo"]
    tile: str
    riichi: bool
    points: int
    ranks: tuple[int | None, ...]
    """By the seat that pays a ron the winner's rank after it, None for the winner itself; of a tsumo one rank."""


class DiscardOutlook(msgspec.Struct, frozen=True):
    """What a discard leaves: the shanten, and what the hand accepts then with its unseen copies."""

    tile: str
    shanten: int
    accepted: dict[str, int]
    width: int
    """Unseen copies of all accepted tiles."""
    furiten: bool
    """The hand would be tenpai and could not ron, because a wait lies in the own river."""
    safety: tuple[Safety | None, ...]
    """By seat, None for the own one."""
    dora: bool


class Assessment(msgspec.Struct, frozen=True):
    """A decision's facts. `discards` are there if the hand is to discard (the lowest shanten first, then the widest),
    `accepted` if it is to draw, `wins` if it is tenpai or complete."""

    seat: int
    shanten: int
    discards: tuple[DiscardOutlook, ...]
    accepted: dict[str, int]
    furiten: bool
    """A wait lies in the own river. A pass of this turn or in riichi can be a reason, too; options tell that."""
    wins: tuple[WinOutlook, ...]
    unseen: dict[str, int]
    """By kind, the copies that the seat does not see."""


def assess(board: Board, seat: int) -> Assessment:
    """Work out the facts of a decision of `seat`, whose tiles `board` knows. Rules are those of the board, or Tenhou's
    if it has none."""
    hand, seen = board.hands[seat], board.visible_to(seat)
    rules = board.rules or preset(DEFAULT)
    to_discard = hand.size % 3 == 2
    number = shapes.shanten(hand.counts)
    waiting = 0 if to_discard else shapes.waits(hand.counts)
    return Assessment(
        seat=seat,
        shanten=number,
        discards=tuple(_discards(board, seat, seen)) if to_discard else (),
        accepted={} if to_discard else _copies(shapes.useful(hand.counts)[1], seen),
        furiten=bool(waiting & board.rivers[seat].kinds),
        wins=tuple(_wins(board, seat, rules, waiting)),
        unseen={NAMES[kind]: COPIES - count for kind, count in enumerate(seen) if count < COPIES},
    )


def _copies(kinds: int, seen: list[int]) -> dict[str, int]:
    return {NAMES[kind]: COPIES - seen[kind] for kind in kinds_in(kinds) if seen[kind] < COPIES}


def _discards(board: Board, seat: int, seen: list[int]) -> list[DiscardOutlook]:
    """The outlook of every different tile of the hand; a red five counts as a tile of its own."""
    hand, dora = board.hands[seat], board.dora()
    river = board.rivers[seat].kinds
    safe = [None if other == seat else _safe_kinds(board, other) for other in range(board.seats)]
    found = []
    for tile in dict.fromkeys(hand.tiles):
        rest = hand.counts[:]
        rest[KIND[tile]] -= 1
        number, kinds = shapes.useful(rest)
        accepted = _copies(kinds, seen)
        found.append(
            DiscardOutlook(
                tile=NAMES[tile],
                shanten=number,
                accepted=accepted,
                width=sum(accepted.values()),
                furiten=number == 0 and bool(kinds & (river | 1 << KIND[tile])),
                safety=tuple(None if each is None else _safety(KIND[tile], *each, seen) for each in safe),
                dora=KIND[tile] in dora or KIND[tile] != tile,
            )
        )
    return sorted(found, key=lambda each: (each.shanten, -each.width))


def _safe_kinds(board: Board, seat: int) -> tuple[int, int]:
    """The kinds that a seat cannot ron now, and those that it can never ron with the hand that it has."""
    now = board.safe_against(seat)
    return now, now if board.riichi[seat] else board.rivers[seat].kinds


def _safety(kind: int, now: int, ever: int, seen: list[int]) -> Safety:
    """How safe a tile is against a seat that cannot ron the kinds in `now`, and those in `ever` in no later turn."""
    if now >> kind & 1:
        return "genbutsu"
    if kind >= EAST:
        return "honour"
    rank = kind % 9
    sides = [step for step in (-3, 3) if 0 <= rank + step < 9]
    walls = [seen[kind + step // 3] == COPIES or seen[kind + step // 3 * 2] == COPIES for step in sides]
    if all(walls):
        return "no-chance"
    suji = [bool(ever >> kind + step & 1) or wall for step, wall in zip(sides, walls, strict=True)]
    return "suji" if all(suji) else "half-suji" if any(suji) else ""


def _wins(board: Board, seat: int, rules: Rules, waiting: int) -> Iterator[WinOutlook]:
    """The wins with every wait, or the one with the drawn tile of a complete hand."""
    hand = board.hands[seat]
    if hand.drawn is not None and shapes.is_complete(hand.counts):
        yield _win(board, seat, rules, hand, hand.drawn, tsumo=True, riichi=False)
    can_declare = hand.is_closed and not board.riichi[seat]
    for kind in kinds_in(waiting & ~shapes.own_four(hand)):
        for tile in (kind, *_unseen_red(board, seat, rules, kind)):
            drawn = hand.copy()
            drawn.draw(tile)
            for riichi in (False, True)[: 1 + can_declare]:
                yield _win(board, seat, rules, hand, tile, tsumo=False, riichi=riichi)
                yield _win(board, seat, rules, drawn, tile, tsumo=True, riichi=riichi)


def _unseen_red(board: Board, seat: int, rules: Rules, kind: int) -> list[int]:
    """The red five of a kind, if the seat does not see them all, or is asked about one."""
    if kind not in FIVES:
        return []
    suit = FIVES.index(kind)
    if board.last_tile == RED_M + suit and board.last_seat != seat:
        return [RED_M + suit]
    seen = [*board.indicators, *board.hands[seat].tiles]
    for hand, river in zip(board.hands, board.rivers, strict=True):
        seen += [tile for place, tile in enumerate(river.tiles) if place not in river.called_by]
        seen += [tile for meld in hand.melds for tile in meld.tiles]
    in_play = (rules.tiles.red_m, rules.tiles.red_p, rules.tiles.red_s)[suit]
    return [RED_M + suit] if seen.count(RED_M + suit) < in_play else []


def _win(board: Board, seat: int, rules: Rules, hand: Tehai, tile: int, *, tsumo: bool, riichi: bool) -> WinOutlook:
    now = hand is board.hands[seat] and (tsumo or tile == board.last_tile)  # not a win that is still to come
    situation = Situation(
        seat=seat,
        round_wind=board.round % 4,
        tsumo=tsumo,
        riichi=1 if riichi else board.riichi[seat],
        ippatsu=board.ippatsu[seat] and rules.riichi.ippatsu and not riichi,
        rinshan=tsumo and now and board.rinshan,
        haitei=tsumo and now and not board.live,
        houtei=not tsumo and now and not board.live,
        first_turn=tsumo and now and board.first_round and not board.rivers[seat].tiles,
        dora=tuple(board.indicators),
    )
    value = hand_value(hand, tile, situation, rules)
    payers = [None] if tsumo else [None if other == seat else other for other in range(board.seats)]
    ranks: list[int | None] = []
    points = 0
    for payer in payers:
        if value is None or (payer is None and not tsumo):
            ranks.append(None)
            continue
        paid = settle(value, seat, payer, rules, honba=board.honba, sticks=board.sticks)
        points = paid.defen
        scores = [score + gain for score, gain in zip(board.scores, paid.total, strict=True)]
        ranks.append(_rank(board, scores, seat))
    return WinOutlook("tsumo" if tsumo else "ron", NAMES[tile], riichi, points, tuple(ranks))


def _rank(board: Board, scores: list[int], seat: int) -> int:
    """The rank of a seat with these points, from 1."""
    return by_rank(scores, after(0, -board.kyoku, board.seats)).index(seat) + 1


# A bot's own values of its options, as Mortal and its relatives write them in `meta`: `q_values`, one for each
# possible action, and `mask_bits`, whose bits say which of Mortal's 46 actions these are.
#
# Some of our options are the same action there: a tile from the hand and the same tile just drawn, every riichi, chi
# with and without a red five, every kan. They have the same value.

_SUITS = "mpsz"
_IN_A_SUIT = 9
_RED, _RIICHI, _CHI, _PON, _KAN, _WIN, _DRAW, _PASS = 34, 37, 38, 41, 42, 43, 44, 45
"""Numbers of Mortal's actions. The discard of a plain tile has the number of its kind. Chi has three numbers: low,
middle, high."""
_KAN_TILES = 4


def option_values(meta: Any, options: Sequence[Item]) -> list[float | None] | None:
    """By option (a Majiang reply), its value, or None if it has none; None as a whole if `meta` has no values."""
    values = action_values(meta)
    return None if values is None else [values.get(action_number(option)) for option in options]


def action_values(meta: Any) -> dict[int, float] | None:
    """The value by number of action; None if `meta` has no values, or not one for each bit."""
    if not isinstance(meta, dict):
        return None
    values, bits = meta.get("q_values"), meta.get("mask_bits")
    if not isinstance(values, list) or type(bits) is not int or not 0 < bits < 1 << 64:
        return None
    actions = [number for number in range(bits.bit_length()) if bits >> number & 1]
    if len(actions) != len(values) or not all(type(value) in (int, float) for value in values):
        return None
    return dict(zip(actions, values, strict=True))


def action_number(option: Item) -> int:
    """The number of Mortal's action for an option."""
    match option:
        case {"dapai": str(text)}:
            return _RIICHI if "*" in text else _tile(text)
        case {"fulou": str(text)}:
            return _call(text)
        case {"gang": _}:
            return _KAN
        case {"hule": _}:
            return _WIN
        case {"daopai": _}:
            return _DRAW
    return _PASS


def _tile(text: str) -> int:
    suit, digit = _SUITS.index(text[0]), int(text[1])
    return _RED + suit if digit == 0 else suit * _IN_A_SUIT + digit - 1


def _call(text: str) -> int:
    digits = [int(mark) or 5 for mark in text if mark.isdigit()]
    if len(digits) == _KAN_TILES:
        return _KAN
    if len(set(digits)) == 1:
        return _PON
    called = next(number for number, mark in enumerate(text[1:]) if mark in "-=+") - 1
    return _CHI + sorted(digits).index(digits[called])


# A review, stored beside its record: what a bot would have done at every decision. JSON lines, the head first.
#
# The file names its record by the path from its own folder, and contains the digest of the record's content. Of the
# game it has only what belongs to a decision.

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
    the record does not show it) and the bot's `choice`.

    If the bot's verdict is not good, it made no choice: `choice` is null and `reason` says why. `agrees` is null unless
    both are known. `meta` is what the bot said beside its answer.
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
    """What `choice` gains over `played`, in points of the final score; None if that was not played out."""


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
    content: bytes,
    record: Path,
    review: Path,
    *,
    by: str,
    names: tuple[str, ...],
    seats: list[int],
    rules: Rules,
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
    """Return the digest of a record's unpacked content."""
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
    """Return the content of a review's file."""
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
