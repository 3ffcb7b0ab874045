"""A record drives the engine: its decisions are put in, what comes out is compared with it item by item."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from table.formats.majiang.items import Encoder
from table.formats.majiang.words import DECISIVE, Item, reply
from table.port import Action, Choice
from table.riichi.game import RiichiGame


class Difference(msgspec.Struct, frozen=True):
    """Where a record and the engine part. `kyoku` and `event` count from 1; 0 for the end of the game. `line` is that
    of a journal, from 1; 0 where a record has no lines."""

    kyoku: int
    event: int
    record: str
    engine: str
    line: int = 0

    def __str__(self) -> str:
        where = f"kyoku {self.kyoku} event {self.event}" if self.kyoku else "end of the game"
        if self.line:
            where = f"line {self.line}, {where}"
        return f"{where}: the record has {self.record}, the engine {self.engine}"


class _Parted(Exception):
    """The record cannot be followed any further."""

    def __init__(self, record: str, engine: str) -> None:
        self.record, self.engine = record, engine


def decisive(items: Sequence[Item]) -> list[tuple[int, str, Item]]:
    """(place in the record from 1, key, value) of the items that matter for driving."""
    return [(n, key, item[key]) for n, item in enumerate(items, 1) for key in item if key in DECISIVE]


def show(item: Item | None) -> str:
    """An item in one line."""
    return "nothing" if item is None else msgspec.json.encode(item).decode()


NO_ANSWERS: Mapping[tuple[int, int], Item] = {}


def _offer(choice: Choice) -> str:
    return ", ".join(show(reply(option)) for option in choice.options)


class Drive:
    """Drives `game` by the kyoku of a record, in order.

    `steps` yields before every turn, with kyoku and turn from 1, so that the caller may stop there and let
    players go on. It ends at the first difference or where the record ends. `form` brings the engine's items
    into the record's form. `asked` is told of every choice as it is put: player id, choice, what the record took.
    `answers`, as in `Record.answers`, say what players replied; without them that is read from what follows.
    """

    def __init__(
        self,
        game: RiichiGame,
        log: Sequence[Sequence[Item]],
        form: Callable[[Item], Item] = lambda item: item,
        asked: Callable[[int, Choice, Action], None] | None = None,
        answers: Mapping[tuple[int, int], Item] = NO_ANSWERS,
    ) -> None:
        self.game = game
        self.difference: Difference | None = None
        self.marked = 0
        """Discards of a drawn five that the record does not mark as such; see `_drawn`."""
        self._log = [decisive(items) for items in log]
        self._form, self._asked, self._answers = form, asked, answers
        self._told: dict[int, Item] = {}
        """By player, what it replied in this turn, where `answers` tell."""
        self._encoder = Encoder()
        self._read = 0
        """Events of the game that were compared."""
        self._kyoku = 0
        self.seen = 0
        """Decisive items of the running kyoku that the engine has made."""

    def steps(self) -> Iterator[tuple[int, int]]:
        """Drive turn by turn; see the class."""
        turn = 0
        try:
            self._compare()
            while not self.game.over and self._next() is not None:
                kyoku = self._kyoku
                yield kyoku, turn + 1
                self._turn()
                turn = turn + 1 if self._kyoku == kyoku else 0
        except _Parted as parted:
            at = self._next()
            event = at[0] if at else len(self._items()) + 1
            self.difference = Difference(max(self._kyoku, 1), event, parted.record, parted.engine)

    def _turn(self) -> None:
        turn = self.game.turn()
        assert turn is not None, "the game is not over"
        line = self._answers.get((self._kyoku, self.seen), {"answers": ()})
        self._told = {answer["seat"]: answer["reply"] for answer in line["answers"]}
        self.game.act(self._choose(turn.seat, turn.choice, self._replies()))
        self._compare()
        replies = self._replies()
        responses: list[Action | None] = [None] * 4
        for player in range(4):
            choice = self.game.reaction(player) if player != turn.seat else None
            if choice is not None:
                responses[player] = self._choose(player, choice, replies)
        self.game.rule(responses)
        self._compare()

    def _choose(self, player: int, choice: Choice, replies: dict[int, Item]) -> Action:
        """The option that the record says `player` took."""
        told = self._told.get(player)
        if told is None:
            action = self._chosen(self._seat(player), choice, replies)
        else:
            action = self._option(player, choice, told)
        if self._asked is not None:
            self._asked(player, choice, action)
        return action

    def _option(self, player: int, choice: Choice, told: Item) -> Action:
        """The option that the record says `player` replied."""
        for option in choice.options:
            if reply(option) == told:
                return option
        raise _Parted(f"the reply {show(told)} of player {player}", f"offers only {_offer(choice)}")

    def _chosen(self, seat: int, choice: Choice, replies: dict[int, Item]) -> Action:
        wanted = replies.get(seat, {})
        said = [wanted, {}] if "daopai" in wanted else [wanted]  # who opens its hand at the draw has let a ron go
        for one in said:
            for option in choice.options:
                if reply(option) == one:
                    return option
        if (drawn := self._drawn(wanted, choice)) is not None:
            return drawn
        if len(choice.options) == 1 and "dapai" not in reply(choice.default):
            return choice.default  # a riichi hand is opened without being asked
        at = self._next()
        raise _Parted(show({at[1]: at[2]} if at else None), f"offers seat {seat} only {_offer(choice)}")

    def _drawn(self, wanted: Item, choice: Choice) -> Action | None:
        """The discard of a drawn five, where the record says that it came from the hand, whose other five is red:
        majiang-core 1.4.1 offers that, though nobody can hold the tile."""
        text: str = wanted.get("dapai", "")
        offered = [str(reply(option).get("dapai", "")) for option in choice.options]
        if text[1:2] != "5" or "_" in text or not any(one.startswith(f"{text[0]}0") for one in offered):
            return None
        marked = {"dapai": f"{text[:2]}_{text[2:]}"}
        for option in choice.options:
            if reply(option) == marked:
                number, key, value = self._items()[self.seen]
                self._items()[self.seen] = number, key, {**value, "p": marked["dapai"]}
                self.marked += 1
                return option
        return None

    def _replies(self) -> dict[int, Item]:
        """By seat, what the record's next items say that it replied; who is missing let things go."""
        items = self._items()[self.seen :]
        key, value = items[0][1:] if items else ("", {})
        if key == "hule":
            return {hule["l"]: {"hule": "-"} for _, name, hule in items if name == "hule"}
        if key == "pingju":
            word = "hule" if value["name"].startswith("三家和") else "daopai"
            return {seat: {word: "-"} for seat, text in enumerate(value["shoupai"]) if text}
        if key in ("dapai", "gang", "fulou"):
            return {value["l"]: {key: value.get("p", value.get("m"))}}
        return {}

    def _compare(self) -> None:
        """Hold what the engine has done since against the record."""
        events = self.game.events
        while self._read < len(events):
            item = self._encoder.encode(events[self._read])
            self._read += 1
            if item is None or not item.keys() & DECISIVE:
                continue
            if "qipai" in item:
                self._kyoku += 1
                self.seen = 0
            at = self._next()
            if at is None:  # the record is shorter than the game
                continue
            item = self._form(item)
            if item != {at[1]: at[2]}:
                raise _Parted(show({at[1]: at[2]}), show(item))
            self.seen += 1

    def _items(self) -> list[tuple[int, str, Item]]:
        return self._log[self._kyoku - 1] if 0 < self._kyoku <= len(self._log) else []

    def _next(self) -> tuple[int, str, Item] | None:
        items = self._items()
        return items[self.seen] if self.seen < len(items) else None

    def _seat(self, player: int) -> int:
        return (player - self.game.first_dealer - self.game.standing.kyoku) % 4
