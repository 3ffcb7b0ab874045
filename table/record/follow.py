"""Follows the items of a record on a board, and refuses the first one that contradicts what went before.

Items stand in the order of play here: a new indicator is known before the draw or discard that it belongs to,
and `lizhi` follows a riichi that stands, as in our journal. A 牌譜 has another order; `in_play_order` brings it here.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from table.errors import BadInput
from table.record.items import DECISIVE, DRAW_NAMES, Item
from table.riichi import events
from table.riichi.pieces.board import STICK, Board
from table.riichi.pieces.melds import Meld, MeldKind
from table.riichi.pieces.notation import hand_text, parse_meld, parse_tile, parse_tiles
from table.riichi.pieces.tiles import KIND, NAMES

COPIES = 4
SEATS = range(4)


def in_play_order(kyoku: Sequence[Item]) -> list[Item]:
    """The items of one kyoku of a 牌譜 in the order of play, with the riichi that stood: undoes `by_kyoku`."""
    ordered: list[Item] = []
    for number, item in enumerate(kyoku):
        if "kaigang" in item:
            ordered.insert(len(ordered) - (2 if "lizhi" in ordered[-1] else 1), item)
            continue
        ordered.append(item)
        if "dapai" in item and "*" in item["dapai"]["p"] and _stands(kyoku[number + 1 :]):
            ordered.append({"lizhi": {"l": item["dapai"]["l"]}})
    return ordered


def _stands(later: Iterable[Item]) -> bool:
    """Whether a riichi stands, by what follows the declaring discard: no ron, and no three rons that abort."""
    for item in later:
        if "kaigang" in item:
            continue
        if "pingju" in item:
            pingju = item["pingju"]
            return not (pingju["name"].startswith(DRAW_NAMES["sanchahou"]) and any(pingju["shoupai"]))
        return "hule" not in item
    return False


def with_answers(items: Sequence[Item], kyoku: int, answers: Mapping[tuple[int, int], Item]) -> list[Item]:
    """Items in the order of play with the `turn` lines of `kyoku` (from 1) where a journal has them: before what they
    led to. `answers`: as in `Record.answers`."""
    mixed: list[Item] = []
    before = 0
    for item in items:
        if "lizhi" not in item and before >= 0 and (line := answers.get((kyoku, before))) is not None:
            mixed.append(line)
            before = -before  # once
        if item.keys() & DECISIVE:
            before = abs(before) + 1
        mixed.append(item)
    return mixed


def event_of(item: Item) -> events.Event | None:
    """The event of an item, for all that move tiles; None for the others. Raises BadInput, KeyError, TypeError."""
    ((key, value),) = item.items()
    match key:
        case "qipai":
            return _deal(value)
        case "zimo" | "gangzimo":
            return events.Draw(value["l"], parse_tile(value["p"]) if value["p"] else None, key == "gangzimo")
        case "dapai":
            tile, riichi = parse_tile(value["p"][:2]), "*" in value["p"]
            return events.Discard(value["l"], tile, "_" in value["p"], riichi)
        case "fulou":
            return events.Call(value["l"], parse_meld(value["m"]))
        case "gang":
            return events.Kan(value["l"], parse_meld(value["m"]))
        case "kaigang":
            return events.Dora(parse_tile(value["baopai"]))
        case "lizhi":
            return events.Riichi(value["l"])
    return None


def _deal(qipai: Item) -> events.KyokuStart:
    scores = qipai["defen"]
    return events.KyokuStart(
        dealer=0,
        round_wind=qipai["zhuangfeng"],
        kyoku=qipai["jushu"],
        honba=qipai["changbang"],
        sticks=qipai["lizhibang"],
        scores=(scores[0], scores[1], scores[2], scores[3]),
        indicator=parse_tile(qipai["baopai"]),
        hands=tuple(tuple(parse_tiles(text)) if text else None for text in qipai["shoupai"]),
    )


class Follower:
    """A board brought up to date item by item. `where` names the record and the kyoku in errors."""

    def __init__(self, where: str) -> None:
        self.board = Board()
        self.count = 0
        """Items followed so far."""
        self._where = where
        self._seen = Counter[int]()
        """By kind, tiles seen at their first place: dealt, drawn, indicators."""

    def take(self, item: Item) -> events.Event | None:
        """Follow one item; its event, if it moved a tile. Raises BadInput with the number of the item, from 1."""
        self.count += 1
        try:
            event = self._checked(item)
            if event is not None:
                event.apply(self.board)
        except BadInput as error:
            raise BadInput(f"{self._where} event {self.count}: {error}") from None
        except (KeyError, TypeError, IndexError, ValueError, AttributeError) as error:
            words = f"{type(error).__name__}: {error}"
            raise BadInput(f"{self._where} event {self.count}: {item} cannot be followed: {words}") from None
        return event

    def _checked(self, item: Item) -> events.Event | None:
        if len(item) != 1:
            raise BadInput(f"an item has one key, this has {', '.join(item) or 'none'}")
        ((key, value),) = item.items()
        if "l" in value and value["l"] not in SEATS:
            raise BadInput(f"seat {value['l']}; seats are 0 to 3")
        if key in ("hule", "pingju"):
            self._settle(value["fenpei"])
            return None
        event = event_of(item)
        match event:
            case events.KyokuStart():
                self._see(event.indicator, *(tile for hand in event.hands for tile in hand or ()))
            case events.Draw(seat, tile):
                self._check_draw(seat, tile)
            case events.Discard(seat, tile):
                self._check_held(seat, tile)
            case events.Dora(indicator):
                self._see(indicator)
            case events.Call(seat, meld) | events.Kan(seat, meld):
                self._check_meld(seat, meld)
            case events.Riichi():
                pass
            case None:
                raise BadInput(f"“{key}” is no item of a record")
        return event

    def _see(self, *tiles: int) -> None:
        for tile in tiles:
            self._seen[KIND[tile]] += 1
            if self._seen[KIND[tile]] > COPIES:
                raise BadInput(f"a fifth {NAMES[KIND[tile]]}; there are {COPIES} of each tile")

    def _check_draw(self, seat: int, tile: int | None) -> None:
        if self.board.hands[seat].size % 3 != 1:
            raise BadInput(f"seat {seat} draws, but has to discard first")
        if tile is not None:
            self._see(tile)

    def _check_held(self, seat: int, *tiles: int) -> None:
        hand = self.board.hands[seat]
        for tile, count in Counter(tiles).items():
            if hand.known and hand.count_of(tile) < count:
                raise BadInput(f"seat {seat} does not hold {NAMES[tile]}; it has {hand_text(hand.tiles, hand.melds)}")

    def _check_meld(self, seat: int, meld: Meld) -> None:
        board = self.board
        if meld.called is not None and meld.kind != MeldKind.KAKAN:
            source = (seat + meld.source) % 4
            if source != board.last_seat or meld.called != board.last_tile:
                last = "nothing" if board.last_tile is None else NAMES[board.last_tile]
                raise BadInput(
                    f"seat {seat} calls {NAMES[meld.called]} of seat {source}; "
                    f"the last tile is {last} of seat {board.last_seat}"
                )
        self._check_held(seat, *(meld.tiles[-1:] if meld.kind == MeldKind.KAKAN else meld.own))

    def _settle(self, fenpei: Sequence[int]) -> None:
        """Points move between seats, and from the sticks on the table to a winner."""
        taken, rest = divmod(sum(fenpei), STICK)
        if rest or not 0 <= taken <= self.board.sticks:
            raise BadInput(
                f"the points do not add up: {list(fenpei)} makes {sum(fenpei)}, "
                f"and {self.board.sticks} riichi sticks are on the table"
            )
        self.board.pay(fenpei, self.board.sticks - taken)


def followed(log: Sequence[Sequence[Item]], where: str) -> Iterator[tuple[int, Follower]]:
    """Every kyoku of a 牌譜 followed to its end, from 1, and held against the next deal.

    Raises BadInput at the first contradiction.
    """
    before: list[int] | None = None
    for number, kyoku in enumerate(log, 1):
        follower = Follower(f"{where} kyoku {number}")
        for item in in_play_order(kyoku):
            follower.take(item)
        qipai = kyoku[0]["qipai"]
        if before is not None and by_player(qipai["defen"], qipai["jushu"]) != before:
            told = by_player(qipai["defen"], qipai["jushu"])
            raise BadInput(f"{where} kyoku {number} event 1: points {told}; after the kyoku before they are {before}")
        before = by_player(follower.board.scores, qipai["jushu"])
        yield number, follower


def by_player(by_seat: Sequence[int], jushu: int) -> list[int]:
    """Values by seat of a kyoku in the order of players, counted from the first dealer."""
    return [by_seat[(player - jushu) % 4] for player in range(4)]
