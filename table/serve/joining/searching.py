"""Finds a seat at a server: in the named room, or in one that has a free seat, as soon as there is one."""

import os
import secrets
from collections.abc import Callable
from typing import Protocol, TextIO

import click
import msgspec

from jantaku.players.adapters import mjsonp
from jantaku.players.adapters.client import Look
from jantaku.players.adapters.websocket import Visit, play
from jantaku.table.ground.errors import BadInput, PlayerGone
from jantaku.table.ground.port import Player
from jantaku.table.serve.joining.finding import Patience, Where, free_room, may_come, where

TOKEN = "JANTAKU_TOKEN"
WAIT = 60.0
TOKEN_OPTION = click.option(
    "--token", default="", envvar=TOKEN, help="The room's or the bot's, if one is wanted; others can read it."
)
TOKEN_FILE_OPTION = click.option("--token-file", type=click.File(), help="The same, in a file.")
WAIT_OPTION = click.option(
    "--wait",
    type=click.FloatRange(0, 86400),
    default=WAIT,
    show_default=True,
    metavar="SECONDS",
    help="Wait so long for a server that is not up, or for a seat.",
)


class Sight(Look, Protocol):
    """Watches a game as its player sees it."""

    @property
    def began(self) -> bool:
        """Whether a game has begun."""


class Search:
    """Plays game after game at one place, as one client, and reports what it waits for. `visit` has the address as
    people write it. Raises BadInput if the address is invalid."""

    def __init__(self, visit: Visit, wait: float, say: Callable[[str], object]) -> None:
        self._visit, self._at, self._wait, self._say = visit, _place_of(visit.address), wait, say
        self._patience = Patience(wait, say)
        self._told = ""

    def game(self, make: Callable[[], Player], sight: Sight) -> None:
        """Play a game. Waits for a server that is not up yet, and for a free seat if no room is named. Raises BadInput
        or PlayerGone if no game is played."""
        self._patience = Patience(self._wait, self._say)
        while True:
            try:
                missing = self._try(make, sight)
            except PlayerGone as gone:
                if sight.began or not may_come(gone):
                    raise
                missing = str(gone)
            if not missing:
                return
            if not self._patience.again(missing):
                raise BadInput(f"{missing}; waited {self._wait:g} s, and --wait SECONDS waits longer")

    def stop(self) -> None:
        """Stop waiting."""
        self._patience.end()

    def _try(self, make: Callable[[], Player], sight: Sight) -> str:
        """Play a game, or return what is missing. Raises PlayerGone if it cannot be played to its end."""
        at, visit = self._at, self._visit
        if isinstance(at, mjsonp.Address):
            self._asks(f"{at.room} of {at.host}:{at.port}")
            mjsonp.play(at, visit.name, make(), visit.rules, sight)
        elif at.whole:
            self._asks(at.whole)
            self._play(at.whole, make, sight)
        elif at.room:
            self._asks(f"room {at.room} of {at.base}")
            self._play(f"{at.base}/play/{at.room}", make, sight)
        else:
            return self._try_rooms(at.base, make, sight)
        return ""

    def _try_rooms(self, base: str, make: Callable[[], Player], sight: Sight) -> str:
        why = "each is full or playing"
        for room, title in free_room(base, self._visit.name, has_token=bool(self._visit.token)):
            called = f"{room} ({title})" if title else room
            self._asks(f"room {called} of {base}")
            try:
                self._play(f"{base}/play/{room}", make, sight)
                return ""
            except PlayerGone as gone:  # another client was quicker
                if sight.began or may_come(gone):
                    raise
                why = str(gone)
        return f"no room of {base} has a free seat: {why}"

    def _asks(self, there: str) -> None:
        """Report once where it waits for the others."""
        if there != self._told:
            self._say(f"{there}: {self._visit.name} asks for a seat")
            self._told = there

    def _play(self, address: str, make: Callable[[], Player], sight: Sight) -> None:
        play(msgspec.structs.replace(self._visit, address=address), make, sight)


def _place_of(address: str) -> Where | mjsonp.Address:
    return mjsonp.address_of(address) if address.startswith(mjsonp.SCHEME) else where(address)


def visit_to(address: str, name: str, token: str, dialect: str | None = None, rules: str | None = None) -> Visit:
    """Return a visit with a new key, in the dialect and by the rules that are usual there if none are given."""
    visit = Visit(address, name, token=token, key=secrets.token_urlsafe(16), is_named=bool(name))
    foreign = visit.is_arena or address.startswith(mjsonp.SCHEME)
    spoken = dialect or ("riichilab" if visit.is_arena else visit.dialect)
    return msgspec.structs.replace(visit, dialect=spoken, rules=rules or ("tenhou" if foreign else visit.rules))


def secret_of(token: str, file: TextIO | None) -> str:
    """Return the token from the options, and remove it from the environment, so that no program inherits it."""
    os.environ.pop(TOKEN, None)
    return (file.read() if file is not None else token).strip()
