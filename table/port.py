"""What a player meets: it hears events and answers questions. No game, no thread, no clock."""

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import msgspec

from jantaku.table.choice import Action as Action
from jantaku.table.choice import Answer as Answer
from jantaku.table.choice import Choice as Choice
from jantaku.table.choice import Question as Question
from jantaku.table.choice import Turn as Turn
from jantaku.table.choice import Verdict as Verdict


class DefaultPlayed(msgspec.Struct, frozen=True, gc=False):
    """What a player may be told afterwards: that the default of one of its questions was played for it, and why.

    `question` is its `Question.id`, `verdict` the word of a `Verdict`, `reason` says it in words.
    """

    question: int
    verdict: str
    reason: str


class Player(Protocol):
    """Anything that can sit at a table. Both methods run in the seat's own thread, never both at once.

    These two are all that it must have. It may say more about itself, see `Port`.
    """

    def hear(self, event: Any) -> None:
        """One event of the game, with what this seat may not see left out."""

    def answer(self, question: Question) -> Action:
        """One of `question.options`. Whatever else comes back, or is raised, is this player's fault."""


@runtime_checkable
class Remote(Player, Protocol):
    """A player whose mind is elsewhere: in a process of its own or behind a socket.

    `answer` raises PlayerSilent at the latest when `allowed + margin` seconds are over, so that the seat is
    at home again; PlayerUnreadable for what cannot be read, PlayerGone when nobody is there any more.
    """

    @property
    def stale(self) -> int:
        """Replies that came for something else than the question then open; they were not used."""

    def start(self, seconds: float | None) -> None:
        """Wait until it is ready, at most so long. Raises PlayerNotReady. Called once, before the first question."""

    def close(self) -> None:
        """The game is over: let it go. Returns at once, may be called twice, from any thread."""


class PlayerWrapper:
    """Wrapper around a player; subclasses override what they change. What `Port` says of it is what the player says."""

    def __init__(self, wrapped: Player) -> None:
        self.wrapped = wrapped

    def hear(self, event: Any) -> None:
        """See `Player.hear`."""
        self.wrapped.hear(event)

    def answer(self, question: Question) -> Action:
        """See `Player.answer`."""
        return self.wrapped.answer(question)


class Evidence(msgspec.Struct, frozen=True, gc=False):
    """What a fault leaves behind for whoever looks for its cause. All of it is the player's text, bounded in size.

    `trace` is the traceback, or the place at which the player was when its time was up. `came` is what it said and
    `offered` what it could have said, in its own words: objects of a Python bot, messages of a program. `stderr` is
    what its process wrote there last. Empty: there is none.
    """

    trace: str = ""
    came: str = ""
    offered: tuple[str, ...] = ()
    stderr: str = ""


class Port(msgspec.Struct, frozen=True):
    """What a player says about itself, with the defaults for what it leaves out."""

    listens: object = True
    """The player's attribute of that name: whether it wants to hear events. The judge checks that it is a bool."""
    board: object = None
    """The player's attribute `shown_board`: what the game may bring up to date instead of calling its `hear`."""
    remote: Remote | None = None
    """The player, if it has everything that a `Remote` has: it is started, closed and asked for stale replies."""
    computed: Callable[[], float] | None = None
    """The method of that name of a remote player on this machine: seconds of CPU that it has used so far."""
    defaulted: Callable[[DefaultPlayed], None] | None = None
    """The method of that name: called, in the seat's thread before the next event, when a default was played for the
    player. It is like `hear`."""
    sent: Callable[[], list[str]] | None = None
    """The method of that name of a remote player: what it was sent last in this round, a text for each message, as it
    was sent."""
    remark: Callable[[], object] | None = None
    """The method of that name: what the player says beside the answer that it has just given, for its author: anything
    that JSON can hold, None for nothing. It is on the player's clock, goes into the record and changes nothing."""
    explain: Callable[[Choice], Evidence] | None = None
    """The method of that name of a remote player: what the fault that it just had at this choice leaves behind. It is
    called in any thread."""


def port_of(player: Player) -> Port:
    """Inspect a player. This runs its properties, and raises what they raise."""
    innermost = innermost_of(player)
    listens, defaulted = getattr(innermost, "listens", True), getattr(innermost, "defaulted", None)
    remote = remote_of(player)
    computed, sent, explain = (getattr(remote, name, None) for name in ("computed", "sent", "explain"))
    remark = getattr(player, "remark", None) or getattr(innermost, "remark", None)
    return Port(listens, _board(player), remote, computed, defaulted, sent, remark, explain)


def _board(player: Player) -> object:
    """See `Port.board`. A wrapper that passes on whatever it has not itself is still asked to hear."""
    return getattr(player, "shown_board", None) if hasattr(type(player), "shown_board") else None


def remote_of(player: Player) -> Remote | None:
    """The player without its wrappers if it is remote, else None. Runs its properties, see `port_of`."""
    innermost = innermost_of(player)
    # to hold a player against the protocol alone takes as long as several turns
    return innermost if hasattr(innermost, "stale") and isinstance(innermost, Remote) else None


def innermost_of(player: Player) -> Player:
    """The bot itself, without its wrappers."""
    while isinstance(player, PlayerWrapper):
        player = player.wrapped
    return player
