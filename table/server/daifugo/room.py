"""One 大富豪 room: who sits there, who looks on, and the series that is played (§2, §3 of the protocol)."""

import itertools
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from table.clock import now, stamp
from table.daifugo.board import Board
from table.daifugo.events import Event, Play, RoundStart, Thinking
from table.daifugo.game import DaifugoGame, Deals, deals_from
from table.daifugo.legal import Reason, why_not
from table.daifugo.rules import Rules
from table.errors import BadInput, TableFault
from table.judge.judge import Judge
from table.judge.result import Result
from table.judge.timing import Clock
from table.log import logger
from table.play import seeds
from table.play.daifugo import OpenDaifugo, header_of
from table.port import Answer, Player, Verdict
from table.server.claims import Claim
from table.server.daifugo.chair import Chair, VisitorChair
from table.server.disk import Disk
from table.server.net.line import Line
from table.wire import neof5
from table.wire.neof5 import Kind, PutRequest, Refused, TweetRequest, parse_request

NOT_BEGUN = "ゲームが始まっていません。"
RUNNING = "ゲーム中です。"
CLOSED = "この部屋には入れません。"
_SERIES = itertools.count()
"""Numbers of all series here: a room that was left and opened again deals anew."""
FULL = "no other series can be kept here"
"""Texts of our own: what neof5 hangs, restarts or closes without a word at (§7.1 #4, #6)."""

_PAUSED = {Kind.CARD_DISTRIBUTED, Kind.CARD_SWAPPED, Kind.THINKING, Kind.KAKUMEI, Kind.NAGARE, Kind.AGARI}
"""Kinds that human viewers are given time for (§3.2)."""


class DaifugoRoomPlan(msgspec.Struct, frozen=True):
    """How a room is run. `com(seed)` makes a computer player; `others` are seated before anybody comes.

    `limit` seconds for a turn, `pause` seconds before what people shall notice. Records go to `folder` if
    there is one. `deals` instead of the seed's make a fixed game.
    """

    rules: Rules
    seed: str
    com: Callable[[int], Player]
    limit: float
    pause: float = 0.0
    folder: Path | None = None
    version: str = ""
    others: Sequence[Chair] = ()
    deals: Deals | None = None
    open_hands: bool = False
    """Whether everybody who looks on sees all hands all the time, as at neof5's tournament."""
    disk: Disk = Disk()


class DaifugoRoom:
    """A room from its first visitor on. Its methods may be called from any thread."""

    def __init__(self, name: str, plan: DaifugoRoomPlan) -> None:
        self.name = name
        self.plan = plan
        self.chairs: list[Chair] = []
        self.left_at: float | None = now()
        """When the last player left, or nobody has come yet; None while one is connected."""
        self._lock = threading.RLock()
        self._spectators: dict[Line, bool] = {}
        """Who looks on, and whether as the operator, who sees all hands."""
        self._shown = {True: b"", False: b""}
        """What they were sent last."""
        self._board = Board()
        self._tweets: list[int] = []
        self._series = 0
        self._ranks: Sequence[int] | None = None
        self._judge: Judge | None = None
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()

    def __repr__(self) -> str:
        return f"<Room {self.name}: {', '.join(chair.shown for chair in self.chairs)}; {self._board!r}>"

    # --- coming and going

    def seat(self, claim: Claim, line: Line) -> VisitorChair | None:
        """Give a player a chair, or the one that it had. None if there is none for it."""
        with self._lock:
            for chair in self._visitors():
                # Without a key it may be another one of that name: a chair on which somebody sits is not given away.
                if chair.claim.same_as(claim) and (chair.line is None or claim.key):
                    self._take_over(chair, line)
                    return chair
            if self.is_over or self._series or self._taken >= self.plan.rules.game.seats:
                if self.plan.rules.room.full == "exception":
                    line.say(neof5.exception(CLOSED))
                return None
            chair = VisitorChair(claim, line, self._lock, self._ask)
            self.chairs.append(chair)
            self.left_at = None
            if self.plan.rules.room.auto_start and self._taken == self.plan.rules.game.seats:
                self._begin()
            return chair

    @property
    def _taken(self) -> int:
        """Chairs that are taken before the first series."""
        return len(self.chairs) + len(self.plan.others)

    def _visitors(self) -> list[VisitorChair]:
        return [chair for chair in self.chairs if isinstance(chair, VisitorChair)]

    def _take_over(self, chair: VisitorChair, line: Line) -> None:
        """The player is back: with the last message he knows all again. A connection that still stands is closed."""
        if chair.line is not None:
            chair.line.hang_up(reason="the same program has connected once more")
        chair.line = line
        self.left_at = None
        if chair.last:
            line.say(chair.last)

    def leave(self, chair: VisitorChair, line: Line) -> None:
        """A connection is gone. Before the first series that frees the chair; later it stays, and a question that is
        open runs on."""
        with self._lock:
            if chair.line is line:
                chair.line = None
                if not self._series:
                    self.chairs.remove(chair)
            if not any(chair.line is not None for chair in self.chairs):
                self.left_at = self.left_at or now()

    def watch(self, line: Line, *, operator: bool) -> None:
        """Somebody looks on: from the last message to the end."""
        with self._lock:
            self._spectators[line] = operator or self.plan.open_hands
            if shown := self._shown[self._spectators[line]]:
                line.say(shown)

    def unwatch(self, line: Line) -> None:
        """A spectator is gone."""
        with self._lock:
            self._spectators.pop(line, None)

    @property
    def is_playing(self) -> bool:
        """Whether a series is played."""
        return self._thread is not None

    @property
    def is_over(self) -> bool:
        """Whether nobody can sit down here any more."""
        return self._stop.is_set()

    def expect(self) -> None:
        """See `rooms.Room.expect`."""
        with self._lock:
            if self.left_at is not None:
                self.left_at = now()

    def end(self) -> None:
        """See `rooms.Room.end`."""
        with self._lock:
            self._stop.set()
            if self._judge is not None:
                self._judge.stop()
            for chair in self._visitors():
                chair.let_go()

    def dismiss(self) -> None:
        """See `rooms.Room.dismiss`."""
        with self._lock:
            lines = [*self._spectators, *(chair.line for chair in self.chairs if chair.line is not None)]
        for line in lines:
            line.hang_up(1001, "the room is closed")

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until no series is played; whether that came true."""
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join(seconds)
        return thread is None or not thread.is_alive()

    # --- what players send

    def receive(self, chair: VisitorChair, line: Line, text: str) -> bool:
        """Deal with a message of a player. Whether it is the answer to a question."""
        if chair.line is not line:  # another connection has taken over
            return False
        try:
            request = parse_request(text)
        except Refused as refused:
            chair.refuse(str(refused))
            return False
        with self._lock:
            match request:
                case PutRequest(cards):
                    return self._put(chair, line, cards)
                case TweetRequest(said):
                    self._tweet(chair, said)
                case _ if self.is_playing:
                    chair.refuse(RUNNING)
                case _:
                    self._begin()
        return False

    def _put(self, chair: VisitorChair, line: Line, cards: tuple[int, ...]) -> bool:
        """A refused Put changes nothing: the clock runs on and nobody else is told (§5.2).

        A Put does not say which question it answers. One that comes before the pong of the ping in front of the
        question was sent before that was read: it is late for the question before, and no answer to this one.
        """
        if chair.asked and line.is_behind:
            chair.stale += 1
            chair.refuse(Reason.NOT_YOUR_TURN)
            return False
        if not chair.asked:
            chair.refuse(Reason.NOT_YOUR_TURN if self.is_playing else NOT_BEGUN)
            return False
        board = self._board
        reason = why_not(self.plan.rules, board.hands[board.turn], board.top, cards, board.revolution)
        if reason is not None:
            chair.refuse(reason)
        else:
            chair.give(cards)
        return reason is None

    def _tweet(self, chair: Chair, said: str) -> None:
        message = neof5.tweet(said, self.chairs.index(chair))
        for other in self._visitors():
            other.say(message)
        for line in self._spectators:
            line.say(message)

    # --- the series

    def _begin(self) -> None:
        """Begin a series, computer players on the chairs that are free. With the lock held."""
        if self._stop.is_set():
            return
        if self.plan.disk.is_full:
            for visitor in self._visitors():
                visitor.refuse(FULL)
            return
        plan, seats = self.plan, self.plan.rules.game.seats
        if not self._series:
            self.chairs += plan.others
            free = range(1, seats - len(self.chairs) + 1)
            self.chairs += [Chair(f"COM{n}", plan.com(n)) for n in free]
        elif plan.deals is None:
            for n, chair in enumerate(self.chairs):  # computer players start afresh, as they do in a match
                if not isinstance(chair, VisitorChair):
                    chair.player = plan.com(self._series * seats + n)
        self._series += 1
        self._thread = threading.Thread(target=self._play, args=(self._series - 1,), name=f"room-{self.name}")
        try:
            self._thread.start()
        except RuntimeError as error:  # the system has no thread left
            logger(room=self.name).error("no series could begin", reason=str(error))
            self._thread = None

    def _play(self, series: int) -> None:
        plan, seats = self.plan, self.plan.rules.game.seats
        names = tuple(chair.name for chair in self.chairs)
        seed = seeds.of_room(plan.seed, self.name, next(_SERIES))
        deals = plan.deals or deals_from(seed, series, seats)
        game = DaifugoGame(plan.rules, deals, names, self._ranks if plan.rules.series.carry else None)
        opened, path = None, self._free_path(series)
        if path is not None:
            header = header_of(game, seed, series, plan.version, driven=plan.deals is not None)
            opened = OpenDaifugo(game, range(seats), header, path)
        try:
            self._run(game, opened)
        except (TableFault, BadInput, OSError) as fault:  # a defect of ours, a full disk: it ends this series only
            logger(room=self.name).error("series broken off", fault=str(fault))
        finally:
            if path is not None:
                plan.disk.count([path])
            with self._lock:
                self._ranks = tuple(game.board.ranks)
                self._judge = self._thread = None

    def _run(self, game: DaifugoGame, opened: OpenDaifugo | None) -> None:
        judge = Judge(
            game,
            [chair.player for chair in self.chairs],
            # Nobody on a chair is given up: each may come back, and the clock stops each of his turns.
            clock=Clock(turn=self.plan.limit, max_faults=0),
            watches=(*(opened.begin() if opened else ()), self),
        )
        with self._lock:
            self._judge = judge
            if self._stop.is_set():
                judge.stop()
        result: Result | None = None
        try:
            result = judge.run()
        finally:
            if opened is not None:
                opened.close(result)

    def _free_path(self, series: int) -> Path | None:
        """Where the record goes: rooms of one name may follow each other in one second."""
        if self.plan.folder is None:
            return None
        name = f"{self.name}-{stamp()}"
        for again in itertools.count(1):
            path = self.plan.folder / f"{name}{f'-{again}' if again > 1 else ''}-{series:04d}.jsonl"
            if not path.exists():
                return path
        raise AssertionError("there is always another number")

    # --- as the judge's watch

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """See `Watch.answers`. A seat whose time is over says so itself, after the play that was made for it."""
        self._tweets += [answer.seat for answer in answers if answer.verdict in (Verdict.SILENT, Verdict.LATE)]

    def events(self, new: Sequence[Event]) -> None:
        """See `Watch.events`."""
        for event in new:
            if isinstance(event, Thinking | RoundStart):
                self._say_who_was_late()
            steps = neof5.tell(self._board, self._as_sent(event), self.plan.rules.room.swapped)
            while True:
                with self._lock:
                    kind = next(steps, None)
                if kind is None:
                    break
                if kind in _PAUSED and self.plan.pause:
                    self._stop.wait(self.plan.pause)
                with self._lock:
                    self._broadcast(kind)
        self._say_who_was_late()

    def _as_sent(self, event: Event) -> Event:
        """A play shows the cards in the order in which the player sent them (§4.1)."""
        if isinstance(event, Play):
            chair = self.chairs[event.seat]
            if tuple(sorted(chair.put)) == event.cards:
                return Play(event.seat, chair.put)
        return event

    def _say_who_was_late(self) -> None:
        with self._lock:
            for seat in self._tweets:
                self._tweet(self.chairs[seat], neof5.TIMED_OUT)
            self._tweets = []

    def _broadcast(self, kind: Kind) -> None:
        for seat, chair in enumerate(self.chairs):
            if isinstance(chair, VisitorChair):
                chair.tell(self._snapshot(kind, seat))
        for all_hands in self._shown:
            # When the round is over, hands are no secret any more.
            self._shown[all_hands] = self._snapshot(kind, None, hidden=not all_hands and kind is not Kind.FINISH)
        for line, all_hands in self._spectators.items():
            line.say(self._shown[all_hands])

    def _ask(self, chair: VisitorChair) -> None:
        """ProcessTurn, for the seat on turn alone. With the lock held."""
        if chair.line is not None:
            chair.line.fence()
        chair.tell(self._snapshot(Kind.PROCESS_TURN, self.chairs.index(chair)))

    def _snapshot(self, kind: Kind, seat: int | None, *, hidden: bool = False) -> bytes:
        names, agari = [chair.shown for chair in self.chairs], self.plan.rules.room.agari_in_history
        return neof5.snapshot(kind, self._board, names, seat, agari=agari, hidden=hidden)
