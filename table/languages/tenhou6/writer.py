"""Writes one kyoku as the array of 17 elements of tenhou.net/6.

Players count from the first dealer. The format does not order the seats' actions: readers restore the order from calls
and discards.

`order_of_play` is such a reader's part: it restores the order of play of a hand.

A call may fit two discards of the same tile by the same player. This is a backtracking search: it tries the earlier
discard first and, if that leads to a contradiction, the later one.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import TENHOU_YAKU, DrawFact, Fact, WinFact
from jantaku.table.languages.tenhou6 import words
from jantaku.table.riichi import events
from jantaku.table.riichi.events import DrawReason
from jantaku.table.riichi.pieces.melds import Meld, MeldKind, kakan
from jantaku.table.riichi.pieces.seats import SEATS, after, at_side, by_player, by_seat, player_of, seat_of, side_of
from jantaku.table.riichi.pieces.tiles import NORTH
from jantaku.table.riichi.points.yaku import DORA, NORTH_DORA, RANK

Step = events.Draw | events.TileDiscard | events.MeldCall | events.OwnKan | events.NorthAside
Code = int | str


class _Stuck(Exception):
    """This branch of the search is a dead end."""


class _Way:
    """One branch of the search, with its steps so far."""

    def __init__(
        self, dealer: int, hands: list[Counter[int]], takes: Sequence[Sequence[Code]], outs: Sequence[Sequence[Code]]
    ) -> None:
        self._dealer = dealer
        self.hands, self.takes, self.outs = hands, takes, outs
        self._seats = len(hands)
        self.taken, self.put = [0] * self._seats, [0] * self._seats
        self.steps: list[Step] = []
        self.seat = 0
        self.drawn = -1
        """The tile taken last; -1 after a chi or pon."""

    def copy(self) -> "_Way":
        other = _Way(self._dealer, [hand.copy() for hand in self.hands], self.takes, self.outs)
        other.taken, other.put, other.steps = self.taken[:], self.put[:], self.steps[:]
        return other

    def next_take(self, seat: int) -> Code | None:
        at = self.taken[seat]
        return self.takes[seat][at] if at < len(self.takes[seat]) else None

    @property
    def more_takes(self) -> bool:
        return any(at < len(takes) for at, takes in zip(self.taken, self.takes, strict=True))

    @property
    def finished(self) -> bool:
        return not self.more_takes and all(at == len(out) for at, out in zip(self.put, self.outs, strict=True))

    def take(self, seat: int) -> None:
        """Apply the next take of a seat; a daiminkan is followed by its rinshan tile."""
        self.seat = seat
        take = self.next_take(seat)
        if take is None:
            raise self.stuck(seat, "has nothing to take")
        self.taken[seat] += 1
        if isinstance(take, int):
            self.drawn = words.tile_of(take)
            self.hands[seat][self.drawn] += 1
            self.steps.append(events.Draw(seat, self.drawn, bool(self.steps) and _replaces(self.steps[-1])))
            return
        meld = self._meld(seat, take)
        if not self._calls_last(seat, meld):
            raise self.stuck(seat, "calls a tile that was not just discarded")
        self._lose(seat, meld.own)
        self.drawn = -1
        self.steps.append(events.MeldCall(seat, meld))
        if meld.kind == MeldKind.DAIMINKAN and self.more_takes:
            self.take(seat)

    def _calls_last(self, seat: int, meld: Meld) -> bool:
        """Whether the meld calls the last discard."""
        last = self.steps[-1] if self.steps else None
        fits = isinstance(last, events.TileDiscard) and last.tile == meld.called
        return fits and last is not None and at_side(seat, meld.source, self._seats) == last.seat

    def discard(self) -> bool:
        """Apply the next discard of the seat to move; False if it has none."""
        seat, out = self.seat, self.outs[self.seat]
        if self.put[seat] == len(out):
            return False
        item = out[self.put[seat]]
        self.put[seat] += 1
        text = str(item)
        if text == words.NORTH_ASIDE and self._seats < SEATS:
            return self._replaced(seat, (NORTH,), events.NorthAside(seat))
        if text[:1] != "r" and not text.isdigit():
            meld = self._grown(seat, self._meld(seat, text))
            lost = meld.own if meld.added is None else (meld.added,)
            return self._replaced(seat, lost, events.OwnKan(seat, meld))
        digits = text.removeprefix("r")
        code = int(digits) if digits.isdigit() else -1
        tile = self.drawn if code == words.TSUMOGIRI else words.tile_of(code)
        if tile < 0:
            raise self.stuck(seat, "discards the drawn tile and has drawn none")
        self._lose(seat, (tile,))
        self.steps.append(events.TileDiscard(seat, tile, tsumogiri=code == words.TSUMOGIRI, riichi=text[0] == "r"))
        return True

    def _meld(self, seat: int, text: str) -> Meld:
        """Read the meld of a call; its source becomes a side on our circle."""
        meld = words.parse_call(text)
        if self._seats == SEATS or not meld.source:
            return meld
        player = player_of(seat, self._dealer, self._seats)
        other = (player + meld.source) % words.CIRCLE
        if other == self._seats:
            raise BadInput(f"“{text}” of player {player} calls of player {other}; three play in this log")
        return msgspec.structs.replace(meld, source=side_of(player, other, self._seats))

    def _grown(self, seat: int, meld: Meld) -> Meld:
        """A kakan as it grew from its pon: exporters disagree on which of its tiles was called."""
        if meld.added is not None:
            for step in self.steps:
                if isinstance(step, events.MeldCall) and step.seat == seat and step.meld.kind == MeldKind.PON:
                    made = kakan(step.meld, meld.added)
                    if sorted(made.tiles) == sorted(meld.tiles):
                        return made
        return meld

    def _replaced(self, seat: int, lost: Sequence[int], step: events.OwnKan | events.NorthAside) -> bool:
        """Apply a kan or a north set aside: the seat takes a tile from the dead wall and goes on."""
        self._lose(seat, lost)
        self.steps.append(step)
        if not self.more_takes:
            return False
        self.take(seat)
        return self.discard()

    def _lose(self, seat: int, tiles: Sequence[int]) -> None:
        for tile in tiles:
            if not self.hands[seat][tile]:
                raise self.stuck(seat, "does not hold a tile that leaves its hand")
            self.hands[seat][tile] -= 1

    def followers(self) -> list[int]:
        """The seats that may act after a discard: callers first, pon and kan before chi, then the next seat."""
        last = self.steps[-1].seat
        found = []
        for player in range(self._seats):
            seat = seat_of(player, self._dealer, self._seats)
            take = self.next_take(seat)
            if isinstance(take, str) and seat != last:
                meld = self._meld(seat, take)
                if self._calls_last(seat, meld):
                    found.append((meld.kind == MeldKind.CHI, player, seat))
        following = after(last, seats=self._seats)
        draws = [following] if isinstance(self.next_take(following), int) else []
        return [seat for *_, seat in sorted(found)] + draws

    @property
    def player(self) -> int:
        return player_of(self.seat, self._dealer, self._seats)

    def stuck(self, seat: int, why: str) -> _Stuck:
        return _Stuck(f"player {player_of(seat, self._dealer, self._seats)} {why}")


def _replaces(step: Step) -> bool:
    """Whether a tile from the dead wall follows this step."""
    called = isinstance(step, events.MeldCall) and step.meld.is_kan
    return called or isinstance(step, events.OwnKan | events.NorthAside)


def order_of_play(
    dealer: int, hands: Sequence[Sequence[int]], takes: Sequence[Sequence[Code]], outs: Sequence[Sequence[Code]]
) -> list[Step]:
    """Restore the steps of one hand; the arguments are by player. Raises BadInput if no order fits all takes and
    discards."""
    counted = [Counter(words.tile_of(code) for code in hand) for hand in by_seat(hands, dealer)]
    kept = [[item for item in out if item != words.NO_DISCARD] for out in by_seat(outs, dealer)]
    waiting: list[tuple[_Way, int]] = [(_Way(dealer, counted, by_seat(takes, dealer), kept), 0)]
    furthest, trouble = -1, ""
    while waiting:
        way, seat = waiting.pop()
        try:
            if _go_on(way, seat, waiting):
                return way.steps
            reason = "takes or discards are left over"
        except _Stuck as stuck:
            reason = str(stuck)
        if len(way.steps) > furthest:
            furthest, trouble = len(way.steps), reason
    raise BadInput(f"no order of play fits: {trouble}", f"event {furthest + 2}")


def _go_on(way: _Way, seat: int, waiting: list[tuple[_Way, int]]) -> bool:
    """Follow one branch to its end, pushing alternatives to `waiting`. Returns whether all takes and discards were
    used."""
    while True:
        way.take(seat)
        if not way.discard() or not way.more_takes:
            return way.finished
        followers = way.followers()
        if not followers:
            raise _Stuck(f"nobody can play after the discard of player {way.player}")
        for other in reversed(followers[1:]):
            waiting.append((way.copy(), other))
        seat = followers[0]


T = TypeVar("T")


class HandWriter:
    """Takes the facts of one kyoku in the order of play, beginning with its deal, and builds the array."""

    def __init__(self, deal: events.KyokuStart) -> None:
        self._dealer, self._seats = deal.kyoku, len(deal.hands)
        self._head = [deal.round_wind * words.CIRCLE + deal.kyoku, deal.honba, deal.sticks]
        self._scores = self._points(deal.scores)
        self._hands = [
            [words.CODES[tile] for tile in sorted(hand or (), key=words.CODE_ORDER.__getitem__)] for hand in deal.hands
        ]
        self._takes: list[list[int | str]] = [[] for _ in deal.hands]
        self._discards: list[list[int | str]] = [[] for _ in deal.hands]
        self._dora = [words.CODES[deal.indicator]]
        self._ura: list[int] = []
        self._result: list[Any] = []

    def array(self) -> list[Any]:
        """Return the 17 elements."""
        parts = self._by_player(list(zip(self._hands, self._takes, self._discards, strict=True)))
        seats = [part for player in parts for part in player]
        seats += [[]] * (3 * (words.CIRCLE - self._seats))
        return [self._head, self._scores, self._dora, self._ura, *seats, self._result or [""]]

    def take(self, fact: Fact) -> None:
        match fact:
            case events.Draw(seat, tile):
                self._takes[seat].append(words.NO_DISCARD if tile is None else words.CODES[tile])
            case events.TileDiscard(seat, tile, tsumogiri, riichi):
                code = words.TSUMOGIRI if tsumogiri else words.CODES[tile]
                self._discards[seat].append(f"r{code}" if riichi else code)
            case events.MeldCall(seat, meld):
                self._takes[seat].append(self._call(seat, meld))
                if meld.kind == MeldKind.DAIMINKAN:
                    self._discards[seat].append(words.NO_DISCARD)
            case events.OwnKan(seat, meld):
                self._discards[seat].append(self._call(seat, meld))
            case events.NorthAside(seat):
                self._discards[seat].append(words.NORTH_ASIDE)
            case events.Dora(indicator):
                self._dora.append(words.CODES[indicator])
            case WinFact():
                self._take_win(fact)
            case DrawFact():
                self._take_draw(fact)

    def _call(self, seat: int, meld: Meld) -> str:
        """The text of a meld; its source is counted on Tenhou's circle of four players."""
        if meld.source and self._seats < words.CIRCLE:
            source = (self._id(at_side(seat, meld.source, self._seats)) - self._id(seat)) % words.CIRCLE
            meld = msgspec.structs.replace(meld, source=source)
        return words.call_text(meld)

    def _points(self, by_seat: Sequence[int]) -> list[int]:
        """Points by player; in a three-player game with a 0 at the fourth place."""
        return self._by_player(by_seat) + [0] * (words.CIRCLE - self._seats)

    def _take_win(self, win: WinFact) -> None:
        if win.ura:
            self._ura = [words.CODES[tile] for tile in win.ura]
        winner = self._id(win.seat)
        source = winner if win.source is None else self._id(win.source)
        liable = self._id(win.liable[0].seat) if win.liable else winner
        yaku = [_yaku_text(name, worth, yakuman=bool(win.yakuman)) for name, worth in _norths_among_dora(win)]
        detail = [winner, source, liable, _score_text(win, self._seats), *yaku]
        self._result += [*([] if self._result else [words.WIN]), self._points(win.deltas or (0,) * self._seats), detail]

    def _take_draw(self, draw: DrawFact) -> None:
        reason, deltas = draw.reason, draw.deltas or (0,) * self._seats
        paid = any(deltas)
        shown = [hand is not None for hand in draw.hands or (None,) * self._seats]
        self._result = [words.DRAWS[reason] if isinstance(reason, DrawReason) else reason]
        if reason == DrawReason.EXHAUSTIVE and not paid and all(shown):
            self._result = [words.ALL_TENPAI]
        elif reason == DrawReason.EXHAUSTIVE and not paid and not any(shown):
            self._result = [words.NOBODY_TENPAI]
        elif paid or reason in (DrawReason.EXHAUSTIVE, DrawReason.CHOMBO):
            self._result.append(self._points(deltas))
        if draw.offender is not None:
            self._result.append([self._id(draw.offender)])

    def _id(self, seat: int) -> int:
        return player_of(seat, self._dealer, self._seats)

    def _by_player(self, by_seat: Sequence[T]) -> list[T]:
        return list(by_player(by_seat, self._dealer))


def _yaku_text(name: str, worth: int, *, yakuman: bool) -> str:
    return f"{TENHOU_YAKU.get(name, name)}({'役満' if yakuman else f'{worth}飜'})"


def _norths_among_dora(win: WinFact) -> list[tuple[str, int]]:
    """The yaku as Tenhou names them: norths set aside count as dora, which stand before red fives and ura dora."""
    yaku = dict(win.yaku or ())
    norths = yaku.pop(NORTH_DORA, 0)
    if not norths:
        return list(win.yaku or ())
    dora = yaku.pop(DORA, 0) + norths
    return sorted([*yaku.items(), (DORA, dora)], key=lambda one: RANK.get(one[0], len(RANK)))


def _score_text(win: WinFact, seats: int) -> str:
    """The value of a hand, as in `30符2飜2000点`, `満貫2000-4000点` or `役満16000点∀`."""
    if win.points is None:
        return ""
    mangan = words.MANGAN_TSUMO[seats] if win.source is None else words.MANGAN
    fu, han, ratio = win.fu or 0, win.han or 0, win.points / mangan[win.seat]
    # Rounding the shares up cannot lift a value below mangan to one.
    limit = "役満" if win.yakuman else next((name for least, name in words.LIMITS if ratio >= least), "")
    head = limit or f"{fu}符{han}飜"
    if win.source is not None:
        return f"{head}{win.points}点"
    base = 2000 * ratio if limit else fu * 2 ** (2 + han)
    small, large = _hundreds(base), _hundreds(2 * base)
    return f"{head}{large}点∀" if win.seat == 0 else f"{head}{small}-{large}点"


def _hundreds(points: float) -> int:
    return int(-(-points // 100) * 100)
