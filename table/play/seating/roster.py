"""The players of a match: bots in this process, and remote players, each with its terms."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Protocol, runtime_checkable

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Player
from jantaku.table.judge.stalls import STALLS
from jantaku.table.judge.timing import Clock
from jantaku.table.languages.wire.dialects import DEFAULT, dialects_of
from jantaku.table.play.seating.loader import answer_at, bot_maker
from jantaku.table.play.seating.lots import drawing_anew
from jantaku.table.play.seating.spec import (
    FOLDER,
    SANDBOXED,
    OwnClock,
    Terms,
    confined,
    is_prompt,
    players_in,
    terms_of,
    transport,
)
from jantaku.table.play.seating.spec import installed as installed
from jantaku.table.riichi.pieces.seats import SEATS


class Entrant(msgspec.Struct, frozen=True):
    """One player of a match. `make(seed)` creates a new one for each game; `name` is unique in the match."""

    name: str
    spec: str
    make: Callable[[int], Player]
    limits: OwnClock = OwnClock()
    words: str = ""
    """The word for it on a command line; empty if only a config file can describe it."""
    at: Callable[[], str] = str
    """Returns where in its files it answers; empty if that is unknown."""
    scheme: str = ""
    """The transport that reaches it; empty for a class in this process."""
    prompt: bool = False
    """Whether it is one of the bots that come along and answer at once."""

    def clock(self, table: Clock) -> Clock:
        return msgspec.structs.replace(table, **self.limits.given)


@runtime_checkable
class Keeper(Protocol):
    """An `Entrant.make` that may keep its players from game to game."""

    def keep(self) -> None:
        """From now on, keep what plays to the end of a game for the next one."""

    def end(self) -> None:
        """Let go of what was kept: there is no further game."""


@contextmanager
def kept(entrants: Sequence[Entrant]) -> Iterator[None]:
    """Within this context, programs of these players live from game to game."""
    makers: list[object] = [one.make for one in entrants]
    keepers = [maker for maker in makers if isinstance(maker, Keeper)]
    try:
        for keeper in keepers:
            keeper.keep()
        yield
    finally:
        for keeper in keepers:
            keeper.end()


def enlist(players: Sequence[str | Terms], logs: Path | None = None, game: str = "riichi") -> list[Entrant]:
    """Make the entrants of a match from words (`terms_of`) or terms. What programs write to stderr goes to files in
    `logs`. Raises BadInput for a player that does not exist, cannot be imported or started, or plays only another
    game."""
    terms = terms_in(players)
    # A module may hold the interpreter's lock while it is imported; the supervisor has to notice that.
    STALLS.join((), None)
    try:
        words = list(map(words_of, players))
        return _enlisted(terms, words, logs, game)
    finally:
        STALLS.leave((), None)


def adviser(text: str, where: str = "--by", *, sandbox: bool = False) -> Entrant:
    """Make the one bot that `where` names, with everything that is not installed in the sandbox if so wanted. Raises
    BadInput for several, or for a seat that waits for its player."""
    words: list[str | Terms] = list(players_in(text))
    if len(words) != 1:
        raise BadInput(f"{where}: {len(words)} bots given; allowed is one")
    if text.strip().startswith("ws:"):
        there = "name a bot that is there, such as shanten or FILE.py:Class"
        raise BadInput(f"{where} {text}: that seat waits for a client; {there}")
    (entrant,) = enlist(confined(words) if sandbox else words)
    return entrant


def refuse_programs(players: Sequence[str | Terms], seats: int, where: str) -> None:
    """Raise BadInput for a program at a three-player table if its dialect can express only four players. `where` names
    the option or file in the message."""
    known = dialects_of(seats)
    for one in terms_in(players):
        if seats == SEATS or one.scheme in ("", "process"):
            continue
        if one.scheme == FOLDER or (one.dialect or DEFAULT) not in known:
            spoken = f"a {one.scheme}" if one.scheme == FOLDER else f"dialect={one.dialect or DEFAULT}"
            raise BadInput(f"{where}: {one.bot}: {spoken} is for four players; three play in {', '.join(known)}")


def words_of(player: str | Terms) -> str:
    """The word for a player's bot on a command line; empty if only a config file can describe it."""
    if isinstance(player, str):
        return player
    plain = msgspec.structs.replace(player, name=None, clock=OwnClock())
    return player.bot if plain == Terms(player.bot) else ""


def _enlisted(terms: Sequence[Terms], words: Sequence[str], logs: Path | None, game: str) -> list[Entrant]:
    entrants = []
    for one, said, name in zip(terms, words, told_apart(terms), strict=True):
        if not name.isprintable():
            raise BadInput(f"player {one.bot!r}: its name {name!r} cannot be shown; give another: ?name=NAME")
        if one.sandbox == "on" and one.scheme not in SANDBOXED:
            raise BadInput(f"player {name}: sandbox: only a program or a bot with isolate = process can be in one")
        _refuse_what_it_cannot_have(one, name)
        make = transport(one.scheme)(one, name, logs) if one.scheme else bot_maker(one.bot, game, one.args)
        if one.lots == "decision" and not one.scheme:
            make = drawing_anew(make)
        at = partial(answer_at, one)
        entrants.append(Entrant(name, one.bot, make, one.clock, said, at, one.scheme, is_prompt(one)))
    return entrants


def _refuse_what_it_cannot_have(terms: Terms, name: str) -> None:
    """Raise BadInput for terms that would have no effect."""
    if terms.args and terms.scheme not in ("", "process", "folder"):
        raise BadInput(f"player {name}: args: write the arguments of a program in its command: exec:PROGRAM WORDS")
    if terms.lots == "decision" and terms.scheme not in ("", "process"):
        raise BadInput(f"player {name}: lots: only for Python bots; a program draws its own random numbers")
    for key in ("cwd", "env"):
        if getattr(terms, key) and not terms.scheme:
            own = "only a bot in its own process has one; give it isolate = process"
            raise BadInput(f"player {name}: {key}: {own}")


def told_apart(terms: Sequence[Terms]) -> list[str]:
    """Return unique names of players. Classes of the same name in files with different names get the names of their
    files."""
    files: defaultdict[str, set[str]] = defaultdict(set)
    for one in terms:
        files[one.label].add(one.file)
    return unique([one.file if one.file and len(files[one.label]) > 1 else one.label for one in terms])


def unique(labels: Sequence[str]) -> list[str]:
    """Return unique labels. Labels that occur more than once are numbered, skipping numbers that are taken: a-1, a, a:
    a-1, a-2, a-3."""
    total, taken = Counter(labels), set(labels)
    names = []
    for label in labels:
        name = label
        if total[label] > 1:
            name = next(name for number in count(1) if (name := f"{label}-{number}") not in taken)
            taken.add(name)
        names.append(name)
    return names


def terms_in(players: Sequence[str | Terms]) -> list[Terms]:
    """Return the players' terms; words of a command line are parsed."""
    return [terms_of(player) if isinstance(player, str) else player for player in players]
