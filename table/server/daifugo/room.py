"""One 大富豪 room: who sits there, who looks on, and the series that is played (§2, §3 of the protocol)."""

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
from table.server.daifugo.chair import Chair, VisitorChair
from table.server.net.line import Line
from table.wire import neof5
from table.wire.neof5 import Kind, PutRequest, Refused, TweetRequest, parse_request

NOT_BEGUN = "ゲームが始まっていません。"
RUNNING = "ゲーム中です。"
CLOSED = "この部屋には入れません。"
"""Texts of our own: what neof5 hangs, restarts or closes without a word at (§7.1 #4, #6)."""

_PAUSED = {Kind.CARD_DISTRIBUTED, Kind.CARD_SWAPPED, Kind.THINKING, Kind.KAKUMEI, Kind.NAGARE, Kind.AGARI}
"""Kinds that human viewers are given time for (§3.2)."""


class RoomPlan(msgspec.Struct, frozen=True):
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


class Room:
    """A room from its first visitor on. Its methods may be called from any thread."""

    def __init__(self, name: str, plan: RoomPlan) -> None:
        self.name = name
        self.plan = plan
        self.chairs: list[Chair] = []
        self.idle_since: float | None = now()
        """When the last thing happened here; None while a series is played."""
        self._lock = threading.RLock()
        self._spectators: list[Line] = []
        self._shown = b""
        """What spectators were sent last."""
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

    def seat(self, name: str, identity: tuple[str, ...], line: Line) -> VisitorChair | None:
        """Give a player a chair, or the one that he had. None if there is none for him."""
        with self._lock:
            for chair in self.chairs:
                if isinstance(chair, VisitorChair) and chair.identity == identity:
                    self._take_over(chair, line)
                    return chair
            if self._series or len(self.chairs) + len(self.plan.others) >= self.plan.rules.game.seats:
                if self.plan.rules.room.full == "exception":
                    line.say(neof5.exception(CLOSED))
                return None
            chair = VisitorChair(name, identity, line, self._lock, self._ask)
            self.chairs.append(chair)
            self._touch()
            if (
                self.plan.rules.room.auto_start
                and len(self.chairs) + len(self.plan.others) == self.plan.rules.game.seats
            ):
                self._begin()
            return chair

    def _take_over(self, chair: VisitorChair, line: Line) -> None:
        """The player is back: with the last message he knows all again. A connection that still stands is closed."""
        if chair.line is not None:
            chair.line.hang_up(reason="the same program has connected once more")
        chair.line = line
        if chair.last:
            line.say(chair.last)

    def leave(self, chair: VisitorChair, line: Line) -> None:
        """A connection is gone. The chair stays; a question that is open runs on."""
        with self._lock:
            if chair.line is line:
                chair.line = None

    def watch(self, line: Line) -> None:
        """Somebody looks on: from the last message to the end."""
        with self._lock:
            self._spectators.append(line)
            if self._shown:
                line.say(self._shown)

    def unwatch(self, line: Line) -> None:
        """A spectator is gone."""
        with self._lock:
            self._spectators.remove(line)

    def close(self) -> None:
        """End the series after the turn that is played, and send everybody away."""
        with self._lock:
            self._stop.set()
            if self._judge is not None:
                self._judge.stop()
            for chair in self.chairs:
                if isinstance(chair, VisitorChair):
                    chair.let_go()
        self.wait(None)
        with self._lock:
            lines = [*self._spectators, *(chair.line for chair in self.chairs if chair.line is not None)]
        for line in lines:
            line.hang_up(1001, "the room is closed")

    def wait(self, timeout: float | None) -> bool:
        """Wait until no series is played; whether that came true."""
        with self._lock:
            thread = self._thread
        if thread is not None:
            thread.join(timeout)
        return thread is None or not thread.is_alive()

    # --- what players send

    def receive(self, chair: VisitorChair, text: str) -> bool:
        """Deal with a message of a player. Whether it is the answer to a question."""
        try:
            request = parse_request(text)
        except Refused as refused:
            chair.refuse(str(refused))
            return False
        with self._lock:
            match request:
                case PutRequest(cards):
                    return self._put(chair, cards)
                case TweetRequest(said):
                    self._tweet(chair, said)
                case _ if self._judge is not None:
                    chair.refuse(RUNNING)
                case _:
                    self._begin()
        return False

    def _put(self, chair: VisitorChair, cards: tuple[int, ...]) -> bool:
        """A refused Put changes nothing: the clock runs on and nobody else is told (§5.2)."""
        if not chair.asked:
            chair.refuse(NOT_BEGUN if self._judge is None else Reason.NOT_YOUR_TURN)
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
        for other in self.chairs:
            if isinstance(other, VisitorChair):
                other.say(message)
        for line in self._spectators:
            line.say(message)

    # --- the series

    def _touch(self) -> None:
        self.idle_since = None if self._judge is not None else now()

    def _begin(self) -> None:
        """Begin a series, computer players on the chairs that are free. With the lock held."""
        if self._stop.is_set():
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
        names = tuple(chair.name for chair in self.chairs)
        seed = seeds.of_room(plan.seed, self.name, self._series)
        deals = plan.deals or deals_from(seed, self._series, seats)
        game = DaifugoGame(plan.rules, deals, names, self._ranks if plan.rules.series.carry else None)
        opened = None
        if plan.folder is not None:
            header = header_of(game, seed, self._series, plan.version, driven=plan.deals is not None)
            path = plan.folder / f"{self.name}-{stamp()}-{self._series:04d}.jsonl"
            opened = OpenDaifugo(game, range(seats), header, path)
        self._series += 1
        self._judge = Judge(
            game,
            [chair.player for chair in self.chairs],
            # Nobody on a chair is given up: each may come back, and the clock stops each of his turns.
            clock=Clock(turn=plan.limit, max_faults=0),
            watches=(*(opened.begin() if opened else ()), self),
        )
        self._touch()
        self._thread = threading.Thread(target=self._play, args=(self._judge, game, opened), name=f"room-{self.name}")
        self._thread.start()

    def _play(self, judge: Judge, game: DaifugoGame, opened: OpenDaifugo | None) -> None:
        result: Result | None = None
        try:
            result = judge.run()
        except TableFault as fault:  # a defect of ours ends this room's series, not the server
            logger(room=self.name).error("series broken off", fault=str(fault))
        try:
            if opened is not None:
                opened.close(result)
        except BadInput as problem:  # the disk is full
            logger(room=self.name).error("record not kept", reason=str(problem))
        finally:
            with self._lock:
                self._ranks = tuple(game.board.ranks)
                self._judge = None
                self._touch()

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
        self._shown = self._snapshot(kind, None)
        for line in self._spectators:
            line.say(self._shown)

    def _ask(self, chair: VisitorChair) -> None:
        """ProcessTurn, for the seat on turn alone. With the lock held."""
        chair.tell(self._snapshot(Kind.PROCESS_TURN, self.chairs.index(chair)))

    def _snapshot(self, kind: Kind, seat: int | None) -> bytes:
        names = [chair.shown for chair in self.chairs]
        return neof5.snapshot(kind, self._board, names, seat, agari=self.plan.rules.room.agari_in_history)
