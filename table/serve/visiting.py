"""Finds a seat at a server: in the named room, or in one that has a free seat, as soon as there is one."""

import secrets
from collections.abc import Callable

import msgspec

from jantaku.players.adapters import mjsonp
from jantaku.players.adapters.websocket import Visit, play
from jantaku.table.ground.errors import BadInput, PlayerGone
from jantaku.table.ground.port import Player
from jantaku.table.serve.commentary import Commentary
from jantaku.table.serve.finding import Patience, free_room, may_come, where


class Search:
    """Plays game after game at one place, as one client, and reports what it waits for. `visit` has the address as
    people write it. Raises BadInput if the address is invalid."""

    def __init__(self, visit: Visit, wait: float, say: Callable[[str], object]) -> None:
        self._visit, self._at, self._wait, self._say = visit, where(visit.address), wait, say
        self._patience = Patience(wait, say)
        self._told = ""

    def game(self, make: Callable[[], Player], sight: "Commentary") -> None:
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

    def _try(self, make: Callable[[], Player], sight: "Commentary") -> str:
        """Play a game, or return what is missing. Raises PlayerGone if it cannot be played to its end."""
        at = self._at
        if at.whole:
            self._asks(at.whole)
            self._play(at.whole, make, sight)
        elif at.room:
            self._asks(f"room {at.room} of {at.base}")
            self._play(f"{at.base}/play/{at.room}", make, sight)
        else:
            return self._try_rooms(at.base, make, sight)
        return ""

    def _try_rooms(self, base: str, make: Callable[[], Player], sight: "Commentary") -> str:
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

    def _play(self, address: str, make: Callable[[], Player], sight: "Commentary") -> None:
        visit = msgspec.structs.replace(self._visit, address=address)
        if address.startswith(mjsonp.SCHEME):
            mjsonp.play(mjsonp.address_of(address), visit.name, make(), visit.rules, sight)
        else:
            play(visit, make, sight)


def visit_to(address: str, name: str, token: str, dialect: str | None = None, rules: str | None = None) -> Visit:
    """Return a visit with a new key, in the dialect and by the rules that are usual there if none are given."""
    visit = Visit(address, name, token=token, key=secrets.token_urlsafe(16))
    foreign = address.startswith(mjsonp.SCHEME)
    return msgspec.structs.replace(
        visit, dialect=dialect or visit.dialect, rules=rules or ("tenhou" if foreign else visit.rules)
    )
