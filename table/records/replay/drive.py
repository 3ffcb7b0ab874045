"""Drives the engine by a record: the record's decisions are the input, and the output is compared fact by fact."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from jantaku.table.ground.port import Action, Choice
from jantaku.table.languages.facts import DrawFact, Fact, Teller, WinFact, agrees
from jantaku.table.languages.majiang.items import item_of
from jantaku.table.languages.majiang.order import in_paifu
from jantaku.table.languages.majiang.rule import CHOMBO, Item, reply
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.events import DrawReason
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.pieces.seats import seat_of
from jantaku.table.riichi.pieces.tiles import FIVES, KIND, RED_M

ELSEWHERE = (events.HanchanStart, events.HanchanEnd, events.Dora, events.Riichi)
"""Facts whose place differs between records, or that some records omit: their order is not compared."""
NO_REPLY: tuple[Action, ...] = (actions.PASS, actions.NOTEN)
OPENS: tuple[Action, ...] = (actions.KYUUSHU, actions.TENPAI, *NO_REPLY)
"""Replies that open a hand at a draw. It includes a declaration of tenpai, which means that a ron was passed up."""


class Difference(msgspec.Struct, frozen=True):
    """The first difference between a record and the engine. `kyoku` and `event` count from 1; both are 0 for the end of
    the game. `line` is the line of a journal, from 1; 0 for other records."""

    kyoku: int
    event: int
    record: str
    engine: str
    line: int = 0

    def __str__(self) -> str:
        line = f"line {self.line}, " if self.line else ""
        return f"{line}kyoku {self.kyoku} {self.in_kyoku}" if self.kyoku else f"{line}end of the game: {self._words}"

    @property
    def in_kyoku(self) -> str:
        """The difference as text, without the kyoku."""
        return f"event {self.event}: {self._words}"

    @property
    def _words(self) -> str:
        return f"the record has {self.record}, the engine {self.engine}"


class _Parted(Exception):
    """The record cannot be followed any further."""

    def __init__(self, record: str, engine: str) -> None:
        self.record, self.engine = record, engine


def decisive(kyoku: Sequence[Fact]) -> list[tuple[int, Fact]]:
    """The facts that the drive compares in order, each with its place in a 牌譜, from 1."""
    return [(place, fact) for place, fact in enumerate(in_paifu(kyoku), 1) if not isinstance(fact, ELSEWHERE)]


def show(item: Item | None) -> str:
    """An item as one line of text."""
    return "nothing" if item is None else msgspec.json.encode(item).decode()


def show_fact(fact: Fact | None) -> str:
    """A fact as an item in one line of text."""
    return show(None if fact is None else item_of(fact))


NO_ANSWERS: Mapping[tuple[int, int], Item] = {}


def _offer(choice: Choice) -> str:
    return ", ".join(show(reply(option)) for option in choice.options)


class Drive:
    """Drives `game` by the kyoku of a record, in order.

    `steps` yields before every turn, with kyoku and turn from 1, so that the caller may stop there and let players
    continue. It ends at the first difference or where the record ends. `agree(record's fact, engine's fact)` says
    whether the two agree. `asked` is called for every choice with player id, choice and the option taken in the record.
    `answers`, as in `Record.answers`, say what players replied; without them that is inferred from the facts that
    follow.
    """

    def __init__(
        self,
        game: RiichiGame,
        log: Sequence[Sequence[Fact]],
        agree: Callable[[Fact, Fact], bool] = agrees,
        asked: Callable[[int, Choice, Action], None] | None = None,
        answers: Mapping[tuple[int, int], Item] = NO_ANSWERS,
    ) -> None:
        self.game = game
        self.difference: Difference | None = None
        self.marked = 0
        """Number of discards of a drawn five that the record marks as from the hand; see `_drawn`."""
        self._log = [decisive(kyoku) for kyoku in log]
        self._agree, self._asked, self._answers = agree, asked, answers
        self._told: dict[int, Item] = {}
        """By player, the reply in this turn according to `answers`."""
        self._teller = Teller()
        self._read = 0
        """Number of the game's events that were compared."""
        self._kyoku = self._turns = 0
        self._guessed = False
        """Whether a seat was assumed to have passed on the last tile of the record, which does not show its reply."""
        self.seen = 0
        """Number of decisive facts of the current kyoku that the engine has made."""

    def steps(self) -> Iterator[tuple[int, int]]:
        """Drive turn by turn; see the class."""
        try:
            self._compare()
            while not self.game.over and self._next() is not None:
                kyoku = self._kyoku
                yield kyoku, self._turns + 1
                self._turn()
                self._turns = self._turns + 1 if self._kyoku == kyoku else 0
        except _Parted as parted:
            at = self._next()
            event = at[0] if at else len(self._facts()) + 1
            self.difference = Difference(max(self._kyoku, 1), event, parted.record, parted.engine)

    @property
    def stopped_at(self) -> tuple[int, int] | None:
        """Kyoku and turn, from 1, before which the record ends within a kyoku, if everything before is known; otherwise
        None."""
        is_within = 0 < self._kyoku <= len(self._log) and not self.game.over
        return (self._kyoku, self._turns + 1) if is_within and not self.difference and not self._guessed else None

    def _turn(self) -> None:
        turn = self.game.turn()
        assert turn is not None, "the game is not over"
        line = self._answers.get((self._kyoku, self.seen), {"answers": ()})
        self._told = {answer["seat"]: answer["reply"] for answer in line["answers"]}
        action = self._choose(turn.seat, turn.choice, self._replies())
        self.game.act(action)
        self._compare()
        replies = self._replies()
        responses: list[Action | None] = [None] * self.game.seats
        for player in range(self.game.seats):
            choice = self.game.reaction(player, action) if player != turn.seat else None
            if choice is not None:
                self._guessed |= self._next() is None and player not in self._told
                responses[player] = self._choose(player, choice, replies)
        self.game.rule(responses)
        self._compare()

    def _choose(self, player: int, choice: Choice, replies: dict[int, tuple[Action, ...]]) -> Action:
        """Return the option that `player` took according to the record."""
        told = self._told.get(player)
        if told is None:
            action = self._chosen(self._seat(player), choice, replies)
        else:
            action = self._option(player, choice, told)
        if self._asked is not None:
            self._asked(player, choice, action)
        return action

    def _option(self, player: int, choice: Choice, told: Item) -> Action:
        """Return the option that equals the reply in the record; CHOMBO if the reply could not be used."""
        if told == CHOMBO:
            return actions.CHOMBO
        for option in choice.options:
            if reply(option) == told:
                return option
        raise _Parted(f"the reply {show(told)} of player {player}", f"offers only {_offer(choice)}")

    def _chosen(self, seat: int, choice: Choice, replies: dict[int, tuple[Action, ...]]) -> Action:
        wanted = replies.get(seat, NO_REPLY)
        for one in wanted:
            if one in choice.options or one is actions.CHOMBO:
                return one
        if (drawn := self._drawn(wanted[0], choice)) is not None:
            return drawn
        if len(choice.options) == 1 and not isinstance(choice.default, actions.Discard):
            return choice.default  # a riichi hand is opened without a question
        at = self._next()
        raise _Parted(show_fact(at[1] if at else None), f"offers seat {seat} only {_offer(choice)}")

    def _drawn(self, wanted: Action, choice: Choice) -> Action | None:
        """The discard of a drawn five that the record marks as from the hand, while the hand's other five is red:
        majiang-core 1.4.1 offers that, though the hand has no such tile. None for any other discard."""
        if not isinstance(wanted, actions.Discard) or wanted.tile not in FIVES or wanted.tsumogiri:
            return None
        marked = msgspec.structs.replace(wanted, tsumogiri=True)
        tiles = [option.tile for option in choice.options if isinstance(option, actions.Discard)]
        if marked not in choice.options or RED_M + FIVES.index(KIND[wanted.tile]) not in tiles:
            return None
        place, fact = self._facts()[self.seen]
        self._facts()[self.seen] = place, msgspec.structs.replace(fact, tsumogiri=True)
        self.marked += 1
        return marked

    def _replies(self) -> dict[int, tuple[Action, ...]]:
        """By seat, the replies inferred from the record's next facts; a seat without one has passed."""
        # As many as can win at once; all that is left of a kyoku would be read anew in each turn.
        facts = [fact for _, fact in self._facts()[self.seen : self.seen + self.game.seats]]
        match facts[:1]:
            case [WinFact()]:
                wins = [fact for fact in facts if isinstance(fact, WinFact)]
                return {win.seat: (actions.TSUMO if win.source is None else actions.RON,) for win in wins}
            case [DrawFact(offender=int() as offender)]:
                return {offender: (actions.CHOMBO,)}
            case [DrawFact(reason=reason, hands=hands)]:
                said: tuple[Action, ...] = (actions.RON,) if reason == DrawReason.SANCHAHOU else OPENS
                return {seat: said for seat, hand in enumerate(hands or ()) if hand is not None}
            case [events.TileDiscard(seat, tile, tsumogiri, riichi)]:
                return {seat: (actions.Discard(tile, tsumogiri, riichi),)}
            case [events.MeldCall(seat, meld)]:
                return {seat: (actions.Call(meld),)}
            case [events.OwnKan(seat, meld)]:
                return {seat: (actions.Kan(meld),)}
            case [events.NorthAside(seat)]:
                return {seat: (actions.SET_ASIDE,)}
        return {}

    def _compare(self) -> None:
        """Compare the game's new events with the record."""
        stream = self.game.events
        while self._read < len(stream):
            fact = self._teller.fact(stream[self._read])
            self._read += 1
            if isinstance(fact, ELSEWHERE):
                continue
            if isinstance(fact, events.KyokuStart):
                self._kyoku += 1
                self.seen = 0
            at = self._next()
            if at is None:  # the record is shorter than the game
                continue
            if not self._agree(at[1], fact):
                raise _Parted(show_fact(at[1]), show_fact(fact))
            self.seen += 1

    def _facts(self) -> list[tuple[int, Fact]]:
        return self._log[self._kyoku - 1] if 0 < self._kyoku <= len(self._log) else []

    def _next(self) -> tuple[int, Fact] | None:
        facts = self._facts()
        return facts[self.seen] if self.seen < len(facts) else None

    def _seat(self, player: int) -> int:
        return seat_of(player, self.game.first_dealer + self.game.standing.kyoku, self.game.seats)
