"""The interface of a player: it hears events and answers questions. No game, no thread, no clock."""

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import msgspec

from jantaku.table.ground.choice import Action as Action
from jantaku.table.ground.choice import Answer as Answer
from jantaku.table.ground.choice import Choice as Choice
from jantaku.table.ground.choice import Question as Question
from jantaku.table.ground.choice import Turn as Turn
from jantaku.table.ground.choice import Verdict as Verdict
from jantaku.table.ground.choice import was_asked as was_asked


class DefaultPlayed(msgspec.Struct, frozen=True, gc=False):
    """Tells a player afterwards that the default was played for one of its questions, and why.

    `question` is the `Question.id`, `verdict` the name of a `Verdict`, `reason` explains it in words.
    """

    question: int
    verdict: str
    reason: str


class Player(Protocol):
    """Anything that can sit at a table. Both methods run in the seat's own thread, never both at once.

    Only these two are required. A player may say more about itself, see `Port`.
    """

    def hear(self, event: Any) -> None:
        """Receive one event of the game, without what this seat may not see."""

    def answer(self, question: Question) -> Action:
        """Return one of `question.options`. Any other value, and any exception, is this player's fault."""


@runtime_checkable
class Remote(Player, Protocol):
    """A player whose code runs elsewhere: in another process or behind a socket.

    `answer` raises PlayerSilent at the latest when `allowed + margin` seconds are over, so that the seat's thread
    returns; PlayerUnreadable for a reply that cannot be read; PlayerGone if the player has left.
    """

    @property
    def stale(self) -> int:
        """The number of replies that did not answer the question then open, and were not used."""

    def start(self, seconds: float | None) -> None:
        """Wait until the player is ready, at most `seconds` (None: no limit). Raises PlayerNotReady. Called once,
        before the first question."""

    def close(self) -> None:
        """Release the player after the game. Returns at once; may be called twice, and from any thread."""


class PlayerWrapper:
    """Wrapper around a player; subclasses override what they change. `Port` describes the wrapped player, except
    for `shown_board` and `remark`, which the wrapper may define."""

    def __init__(self, wrapped: Player) -> None:
        self.wrapped = wrapped

    def hear(self, event: Any) -> None:
        """Pass the event on to the wrapped player."""
        self.wrapped.hear(event)

    def answer(self, question: Question) -> Action:
        """Return the wrapped player's answer."""
        return self.wrapped.answer(question)


class Evidence(msgspec.Struct, frozen=True, gc=False):
    """The evidence of a fault, for the bot's author. All of it is text of the player, bounded in size.

    `trace` is the traceback, or the place where the player was when its time was up. `came` is what it answered and
    `offered` the options that it had, in its own terms: objects for a Python bot, messages for a program. `stderr` is
    what its process wrote there last. A field is empty if there is nothing.
    """

    trace: str = ""
    came: str = ""
    offered: tuple[str, ...] = ()
    stderr: str = ""


class Port(msgspec.Struct, frozen=True):
    """What a player says about itself, with defaults for what it omits."""

    listens: object = True
    """The player's attribute of that name: whether it wants to hear events. The judge checks that it is a bool."""
    board: object = None
    """The player's attribute `shown_board`: a board that the game may update instead of calling `hear`."""
    remote: Remote | None = None
    """The player itself, if it has all methods of a `Remote`: it is started, closed, and asked for stale replies."""
    computed: Callable[[], float] | None = None
    """The method of that name of a remote player on this machine: CPU seconds that it has used so far."""
    defaulted: Callable[[DefaultPlayed], None] | None = None
    """The method of that name: called, in the seat's thread before the next event, after a default was played for the
    player. An exception in it counts as one in `hear`."""
    sent: Callable[[], list[str]] | None = None
    """The method of that name of a remote player: the last messages sent to it in this round, one text each,
    verbatim."""
    remark: Callable[[], object] | None = None
    """The method of that name: what the player says beside its last answer, for its author; any value that JSON can
    express, None for nothing. It runs on the player's clock, goes into the record, and has no other effect."""
    warm_up: Callable[[], object] | None = None
    """The method of that name: called once before the first event and question, in the seat's own thread and in the
    time of `clock.start`, so that a bot can load what it needs. An exception in it means that the player never became
    ready."""
    explain: Callable[[Choice], Evidence] | None = None
    """The method of that name of a remote player: the evidence of the fault that it has just had at this choice. Called
    in any thread."""


def port_of(player: Player) -> Port:
    """Inspect a player. Runs its properties, and raises what they raise."""
    innermost = innermost_of(player)
    listens, defaulted = getattr(innermost, "listens", True), getattr(innermost, "defaulted", None)
    remote = remote_of(player)
    computed, sent, explain = (getattr(remote, name, None) for name in ("computed", "sent", "explain"))
    remark = _remark(player) or _remark(innermost)
    loads = remote is None and getattr(innermost, "warms_up", True)
    warm_up = getattr(innermost, "warm_up", None) if loads else None
    return Port(listens, _board(player), remote, computed, defaulted, sent, remark, warm_up, explain)


def _remark(player: Player) -> Callable[[], object] | None:
    return getattr(player, "remark", None) if getattr(player, "remarks", True) else None


def warmed_up(player: Player) -> Port:
    """Let a player warm up, where no seat does, and inspect it. Raises what it raises."""
    port = port_of(player)
    if port.warm_up is not None:
        port.warm_up()
    return port


def _board(player: Player) -> object:
    """The board of a player whose class defines one. A wrapper that merely passes attributes on has none, and is asked
    to hear."""
    return getattr(player, "shown_board", None) if hasattr(type(player), "shown_board") else None


def remote_of(player: Player) -> Remote | None:
    """The player without its wrappers if it is remote, else None. Runs its properties, see `port_of`."""
    innermost = innermost_of(player)
    # a cheap test first: checking against the protocol takes as long as several turns
    return innermost if hasattr(innermost, "stale") and isinstance(innermost, Remote) else None


def innermost_of(player: Player) -> Player:
    """The player without its wrappers."""
    while isinstance(player, PlayerWrapper):
        player = player.wrapped
    return player
