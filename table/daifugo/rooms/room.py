"""One 大富豪 room: its seats, its players' messages, and its series (§2, §3 of the protocol)."""

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec
from websockets.frames import CloseCode

from jantaku.table.daifugo.game import DaifugoGame, Deals, deals_from
from jantaku.table.daifugo.journals.replay import OpenDaifugo, header_of
from jantaku.table.daifugo.legal import Reason, why_not
from jantaku.table.daifugo.neof5 import LONGEST_NAME, PutRequest, Refused, TweetRequest, parse_request
from jantaku.table.daifugo.rooms.broadcast import Broadcast
from jantaku.table.daifugo.rooms.chairs import Chair, VisitorChair
from jantaku.table.daifugo.rooms.notices import RoomNotice, RoomState, standings_of
from jantaku.table.daifugo.rules import Rules
from jantaku.table.ground.clock import stamp
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Player
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import Clock
from jantaku.table.play import seeds
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.runner import Plan, WatchedGames
from jantaku.table.play.seating.roster import Entrant
from jantaku.table.play.seating.spec import OwnClock
from jantaku.table.serve.identity import Identity
from jantaku.table.serve.net.line import Line
from jantaku.table.serve.net.refusals import Refusals
from jantaku.table.serve.room import Disk, Games, Prepared, Room
from jantaku.table.serve.streams import Audience, Gallery

NOT_BEGUN = "ゲームが始まっていません。"
RUNNING = "ゲーム中です。"
CLOSED = "この部屋には入れません。"
FULL = "the server has no space for the record of another series"
COPIES = "several clients with that name play here; to get a seat back, give the key that it was taken with"
"""Texts of our own, where neof5 hangs, restarts or closes silently (§7.1 #4, #6)."""
FOR_PEOPLE = 0.8
"""Pause in seconds for a person at the table to notice something, as at neof5."""


class DaifugoRoomPlan(msgspec.Struct, frozen=True):
    """How a room is run. `com(seed)` makes a computer player. `others` are chairs taken from the beginning; `bots` have
    seats that wait for no client. `limit`: seconds for a turn. `pause`: seconds before something that people should
    notice; None: `FOR_PEOPLE` if a person plays, else 0. Records go to `folder`; None: no records. With `deals` the
    cards come from a fixed game, not from the seed."""

    rules: Rules
    seed: str
    com: Callable[[int], Player]
    limit: float
    pause: float | None = 0.0
    folder: Path | None = None
    version: str = ""
    others: Sequence[Chair] = ()
    bots: Sequence[Entrant] = ()
    deals: Deals | None = None
    open_hands: bool = False
    """Whether all spectators see all hands all the time, as at neof5's tournament."""
    disk: Disk = Disk()
    person: OwnClock = OwnClock()
    """The clock of a person, where it differs from the others'."""


class DaifugoRoom(Room[VisitorChair]):
    """A room, created for its first visitor. Its players stay for one series after another. `report` is called with the
    result of each series, or the reason why it has none."""

    def __init__(
        self, name: str, plan: DaifugoRoomPlan, games: Games, report: Callable[[Outcome | str], None] | None = None
    ) -> None:
        super().__init__(name, games, Gallery(Audience(), Audience(), open_to_all=plan.open_hands))
        self.plan = plan
        self._report = report
        self.chairs: list[Chair] = []
        self.notices = Gallery(Audience(), Audience())
        """Clients that follow the notice of this room."""
        self._telling = Broadcast(
            self.chairs, self.gallery, plan.rules.room, self._lock, self._pause, self._tell_notice
        )
        self._refusals = Refusals()
        self._series = 0
        self._game: DaifugoGame | None = None
        """The last game."""

    def __repr__(self) -> str:
        return f"<Room {self.name}: {', '.join(chair.shown for chair in self.chairs)}; {self._telling.board!r}>"

    # --- coming and going

    @property
    def guests(self) -> Sequence[VisitorChair]:
        return self._telling.visitors()

    def _seat(self, identity: Identity, line: Line) -> VisitorChair:
        mine = [chair for chair in self.guests if chair.identity is not None and identity.same_as(chair.identity)]
        if mine and self._series and len(mine) > 1 and not identity.key:
            raise BadInput(COPIES)  # it must not see the hand of another copy
        for chair in mine:
            if not chair.take(identity, line):
                return chair
        if self.is_over or self._series or self._taken >= self.plan.rules.game.seats:
            raise BadInput(CLOSED if self.plan.rules.room.full == "exception" else "")
        chair = VisitorChair(self._free_name(identity.name), self._lock, self._telling.ask)
        chair.take(identity, line)
        self.chairs.append(chair)
        if self.plan.rules.room.auto_start and self._taken == self.plan.rules.game.seats:
            self._begin_series()
        return chair

    def _free_name(self, name: str) -> str:
        """Return the name, with a number if it is taken here: several copies of one program may sit at one table."""
        taken = {chair.name for chair in self.chairs}
        tails = (f" ({number})" for number in itertools.count(2))
        numbered = (f"{name[: LONGEST_NAME - len(tail)]}{tail}" for tail in tails)
        return next(one for one in itertools.chain([name], numbered) if one not in taken)

    def _look_who_is_there(self) -> None:
        super()._look_who_is_there()
        self._tell_notice()

    def dismiss(self) -> None:
        super().dismiss()
        self.notices.dismiss(CloseCode.GOING_AWAY, "the room is closed")

    @property
    def _taken(self) -> int:
        """Number of chairs taken before the first series."""
        return len(self.chairs) + len(self.plan.others) + len(self.plan.bots)

    def _left(self, seat: VisitorChair) -> None:
        """Free the chair before the first series. Later it stays, and its open question runs on."""
        if not self._series and seat in self.chairs:
            self.chairs.remove(seat)

    # --- what players send

    def hear(self, seat: VisitorChair, line: Line, text: str) -> bool:
        if seat.line is not line:  # another connection has taken over
            return False
        try:
            request = parse_request(text)
        except Refused as refused:
            seat.refuse(str(refused))
            return False
        with self._lock:
            match request:
                case PutRequest():
                    return self._put(seat, line, request)
                case TweetRequest(said):
                    self._telling.tweet(seat, said)
                case _ if self.is_playing:
                    seat.refuse(RUNNING)
                case _:
                    self._begin_series()
        self._start()
        return False

    def _put(self, chair: VisitorChair, line: Line, request: PutRequest) -> bool:
        """Take a Put. A refused one changes nothing: the clock runs on, and other players hear nothing of it (§5.2). A
        Put of neof5 does not say which question it answers. The server sends a ping before each question; a Put that
        arrives before the pong was sent before the client read that question. Such a Put is late for an earlier
        question and does not answer this one."""
        cards, question = request.cards, request.question
        is_late = line.is_behind if question is None else not chair.owes(question)
        if chair.asked and is_late:
            chair.stale += 1
            self._refusals.tell(chair.shown, "sent before its question was read", path=self.name, event="Put refused")
            chair.refuse(Reason.NOT_YOUR_TURN)
            return False
        if not chair.asked:
            chair.refuse(Reason.NOT_YOUR_TURN if self.is_playing else NOT_BEGUN)
            return False
        board = self._telling.board
        reason = why_not(self.plan.rules, board.hands[board.turn], board.top, cards, board.revolution)
        if reason is not None:
            chair.refuse(reason)
        else:
            chair.give(cards)
        return reason is None

    # --- the series

    def _begin_series(self) -> None:
        """Begin a series with computer players on the free chairs. Call with the lock held."""
        if self._stop.is_set():
            return
        number = self._games.begin()
        if number is None:
            for visitor in self.guests:
                visitor.refuse(FULL)
            return
        plan, seats = self.plan, self.plan.rules.game.seats
        if not self._series:
            self.chairs += plan.others
            for n, bot in enumerate(plan.bots, len(self.chairs)):
                self.chairs.append(Chair(self._free_name(bot.name), bot.make, n))
            for n in range(1, seats - len(self.chairs) + 1):
                self.chairs.append(Chair(self._free_name(f"COM{n}"), plan.com, n))
        elif plan.deals is None:
            for n, chair in enumerate(self.chairs):  # new seeds, as for each game of a match
                chair.seed = self._series * seats + n
        self._series += 1
        self._begin(number, self._prepared)
        self._tell_notice()

    def _prepared(self, number: int) -> Prepared:
        mine, series = self.plan, self._series - 1
        people = {chair.name for chair in self.guests if chair.is_person}
        entrants = tuple(
            Entrant(chair.name, "", chair.made, mine.person if chair.name in people else OwnClock())
            for chair in self.chairs
        )
        # No seat is given up: its client may come back, and the clock ends each of its turns.
        clock = Clock(turn=mine.limit, max_faults=0)
        plan = Plan(entrants, 1, mine.seed, Mode.PER_TURN, clock, OnFault.DEFAULT)
        journal = self._free_path(series)
        opener = partial(self._opened, series, journal)
        return plan, WatchedGames(opener, lambda: self._telling), journal

    def _opened(self, series: int, journal: Path | None, number: int) -> OpenDaifugo:
        plan, seats = self.plan, self.plan.rules.game.seats
        seed = seeds.of_room(plan.seed, self.name, number)
        deals = plan.deals or deals_from(seed, series, seats)
        ranks = self._game.board.ranks if self._game is not None and plan.rules.series.carry else None
        game = self._game = DaifugoGame(plan.rules, deals, [chair.name for chair in self.chairs], ranks)
        header = header_of(game, seed, series, plan.version, driven=plan.deals is not None)
        return OpenDaifugo(game, range(seats), header, journal)

    def _free_path(self, series: int) -> Path | None:
        """Return a path for the record that no file has: rooms of one name may follow each other within a second."""
        if self.plan.folder is None:
            return None
        name = f"{self.name}-{stamp()}"
        for again in itertools.count(1):
            path = self.plan.folder / f"{name}{f'-{again}' if again > 1 else ''}-{series:04d}.jsonl"
            if not path.exists():
                return path
        raise AssertionError("there is always another number")

    def _pause(self) -> None:
        seconds = self.plan.pause
        if seconds is None:
            seconds = FOR_PEOPLE if any(chair.is_person and chair.connected for chair in self.guests) else 0.0
        if seconds:
            self._stop.wait(seconds)

    def _told(self, ending: Outcome | str) -> None:
        if self._report is not None:
            self._report(ending)

    def _make_ready(self) -> None:
        """Keep all clients for the next series."""
        self._tell_notice()

    # --- what the pages tell of this room

    @property
    def notice(self) -> RoomNotice:
        with self._lock:
            state = RoomState.OVER if self._series else RoomState.OPEN if self.chairs else RoomState.FREE
            shown, game = tuple(chair.shown for chair in self.chairs), self.plan.rules
            return RoomNotice(
                self.name,
                game.game.letter,
                RoomState.PLAYING if self.is_playing else state,
                shown,
                game.game.seats,
                self._series,
                self._telling.board.round,
                game.series.rounds,
                game.kaidan.length if game.game.letter == "B" else "",
                standings_of(shown, self._telling.rounds),
            )

    def _tell_notice(self) -> None:
        with self._lock:
            told = msgspec.json.encode(self.notice)
            self.notices.show(told, told)
