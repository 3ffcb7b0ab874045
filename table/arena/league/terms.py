"""The terms of a league, by which all its hanchan are played, and its bots, version by version."""

import hashlib
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from jantaku.table.arena.match.plan.pool import fingerprint
from jantaku.table.ground.errors import BadInput
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.turn.way import Mode
from jantaku.table.play.seating.spec import Terms, terms_of
from jantaku.table.riichi.pieces.wall import School
from jantaku.table.riichi.rules import Rules

State = Literal["candidate", "active", "retired", "rejected"]
PLAYING = ("candidate", "active")
"""States in which a bot is seated."""
AT = "@"
"""Separates the name of a bot from the number of its version."""


class LeagueTerms(msgspec.Struct, frozen=True, kw_only=True):
    """The terms by which all hanchan are played. `batch`: number of tables chosen at once. `sandbox`: see
    `confined`."""

    rules: Rules
    walls: School
    clock: Clock
    threads: Mode
    on_fault: OnFault
    sandbox: bool
    seed: int | str
    batch: Annotated[int, Meta(ge=1, le=1000)]

    @property
    def seats(self) -> int:
        """Number of seats at a table, and of hanchan per table: each bot plays once on every seat."""
        return self.rules.game.players


class LeagueBot(msgspec.Struct, frozen=True):
    """One version of a bot. `fingerprint`: the fingerprint of its code. `anchor`: its rating if that is fixed."""

    id: int
    name: str
    version: int
    player: Terms
    fingerprint: str
    state: State
    anchor: Annotated[float, Meta(ge=-1e9, le=1e9)] | None = None

    @property
    def label(self) -> str:
        """Its name at tables and in records."""
        return f"{self.name}{AT}{self.version}"

    @property
    def plays(self) -> bool:
        """Whether it is seated."""
        return self.state in PLAYING

    @property
    def seated(self) -> Terms:
        """Its terms under the name of this version."""
        return msgspec.structs.replace(self.player, name=self.label)

    @property
    def code(self) -> str:
        """Digest of its code and its arguments, equal for versions that play alike."""
        return code_of(self.player, self.fingerprint)


def code_of(player: Terms, found: str) -> str:
    """Return `LeagueBot.code`. A file may hold several classes, and a program has its arguments in its command, so both
    are part of the digest."""
    told = msgspec.json.encode((found, Terms(player.bot).label, player.args, player.dialect, player.env))
    return hashlib.sha256(told).hexdigest()[:12]


def newcomer(text: str) -> tuple[Terms, str]:
    """Return the terms and the fingerprint of a bot from a command line. BadInput for a name that looks like a
    version."""
    terms = terms_of(text)
    if AT in terms.label:
        raise BadInput(f"player {text}: {AT} stands before the number of a version; give another name: ?name=NAME")
    return terms, fingerprint(terms)
