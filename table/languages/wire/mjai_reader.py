"""Reads mjai into events and writes answers as replies: for a program that is a player.

It is the counterpart of `mjai.py`. Errors are BadInput; the program ends with their message.
"""

from functools import partial
from typing import Annotated, Any

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.shapes import shaped
from jantaku.table.ground.port import Action, Choice
from jantaku.table.languages.facts import Follower, WinFact, event_of
from jantaku.table.languages.mjai.reader import KNOWN, EndGame, Hearer, StartGame
from jantaku.table.languages.mjai.replies import replies
from jantaku.table.languages.mjai.words import Line
from jantaku.table.languages.wire.reader import Told, seed_of
from jantaku.table.riichi import events
from jantaku.table.riichi.pieces.seats import player_of
from jantaku.table.riichi.rules import Rules

_Names = Annotated[tuple[str, ...], msgspec.Meta(min_length=3, max_length=4)]


class _Ours(msgspec.Struct):
    rules: Rules | None = None
    seed: str = "0"


class MjaiReader:
    """Reads mjai lines for one seat, arrays or single events, and writes its replies. `rules` apply if the table does
    not send its own."""

    aside = "nukidora"
    """The word of a reply that sets a north aside."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._me = 0
        self._seed = 0
        self._seats = rules.game.players
        self._follower = Follower()
        self._hearer = Hearer(self._follower.board, 0)
        self._planned: Line | None = None
        """The discard of a riichi that is declared and not echoed yet."""

    def read(self, line: bytes) -> Told:
        try:
            told = msgspec.json.decode(line)
            lines = told if isinstance(told, list) else [told]
            happened = [event for one in lines if (event := self._event(one)) is not None]
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, BadInput) as error:
            raise BadInput(f"{line[:200]!r} is not a message: {error}") from None
        if not lines:
            raise BadInput(f"{line[:200]!r} is not a message: it is empty")
        return Told(tuple(happened), lines[-1].get("can_act") is not False, seed=self._seed)

    def write(self, action: Action | None, number: int, meta: str = "") -> bytes:
        """Write the reply for `action`; None means nothing."""
        if self._planned is not None:
            line, self._planned = self._planned, None
        else:
            line, *later = replies(action, self._me, self._follower.board, self.aside)
            self._planned = later[0] if later else None
        return msgspec.json.encode({**line, "meta": msgspec.Raw(meta.encode())} if meta else line) + b"\n"

    # --- events

    def _event(self, line: Any) -> events.Event | None:
        if not isinstance(line, dict):
            raise BadInput("an event is a JSON object")
        if isinstance(kind := line.get("type"), str) and kind not in KNOWN:
            return None  # an event of a later version, or of another server
        told = self._hearer.hear(line)
        if told is None:
            return None
        if isinstance(told, StartGame):
            return self._start_game(told)
        if isinstance(told, EndGame):
            return _end_game(told, len(told.scores or ()) or self._follower.board.seats)
        if isinstance(told, events.KyokuStart):
            self._planned = None
            if len(told.hands) != self._seats:
                raise BadInput(f"{len(told.hands)} hands are dealt, {self._seats} by the rules; give other --rules")
            mine = (player_of(seat, told.dealer, len(told.hands)) for seat, hand in enumerate(told.hands) if hand)
            self._me = next(mine, self._me)
        if isinstance(told, WinFact) and told.tile is None:
            told = msgspec.structs.replace(told, tile=self._follower.board.last_tile)
        self._follower.take(told)
        return event_of(told)

    def _start_game(self, told: StartGame) -> events.HanchanStart:
        ours = shaped(told.jantaku or {}, _Ours)
        self._seed, rules = seed_of(ours.seed), ours.rules or self._rules
        names = shaped(told.names or [str(player) for player in range(rules.game.players)], _Names)
        self._hearer = Hearer(self._follower.board, len(names) if told.names else 0)
        self._me = self._me if told.id is None else told.id
        self._seats = rules.game.players
        return events.HanchanStart(names, 0, rules, self._me)


class _Allowed(msgspec.Struct):
    possible_actions: list[Line] | None = None
    cannot_dahai: list[str] = []


_Key = tuple[str, str, tuple[str, ...]]


def _key(line: Line) -> _Key:
    """The parts of a reply that distinguish it from other replies to the same message."""
    kind = str(line.get("type"))
    tile = line.get("pai") if kind in ("dahai", "chi", "pon", "daiminkan", "kakan") else ""
    return kind, str(tile), tuple(sorted(map(str, line.get("consumed", ()))))


class MjsonpReader(MjaiReader):
    """Reads mjsonp for one seat: every line is replied to, up to the end of the game. If the server lists the possible
    replies, these count, whatever the rules here imply: `possible_actions`, which include the discards at some servers,
    and `cannot_dahai`."""

    def read(self, line: bytes) -> Told:
        """Read one line. Raises BadInput if it is not a message, and for an `error` of the server, with its text."""
        told = super().read(line)
        heard = msgspec.json.decode(line)
        if not isinstance(heard, dict):
            raise BadInput(f"{line[:200]!r} is not a message: it is not a JSON object")
        kind = heard["type"]
        if not (kind == "reach" and heard.get("actor") == self._me):
            self._planned = None  # the riichi was not carried out
        narrow = partial(self._narrowed, shaped(heard, _Allowed))
        return msgspec.structs.replace(told, wants_reply=kind != "end_game", narrow=narrow)

    def _event(self, line: Any) -> events.Event | None:
        if isinstance(line, dict) and line.get("type") == "error":
            raise BadInput(f"the server ends the game: {line.get('message')}")
        return super()._event(line)

    def _narrowed(self, allowed: _Allowed, choice: Choice) -> Choice:
        """Keep the options that both the rules and the server allow; if there are none, those that the rules allow."""
        listed = None if allowed.possible_actions is None else set(map(_key, allowed.possible_actions))
        barred = set(allowed.cannot_dahai)
        kept = [option for option in choice.options if self._may(option, listed, barred)]
        if not kept or len(kept) == len(choice.options):
            return choice
        default = choice.default if choice.default in kept else kept[-1]
        return Choice(tuple(kept), default, choice.always)

    def _may(self, option: Action, listed: set[_Key] | None, barred: set[str]) -> bool:
        line = replies(option, self._me, self._follower.board)[0]
        kind: str = line["type"]
        if kind == "none" or line.get("pai") in barred:
            return kind == "none"
        if listed is None or (kind == "dahai" and "dahai" not in {kind for kind, _, _ in listed}):
            return True
        return _key(line) in listed


def _end_game(told: EndGame, seats: int) -> events.HanchanEnd:
    """Rank the players by points; mjai does not transmit final scores."""
    scores = told.scores or (0,) * seats
    order = sorted(range(seats), key=lambda player: -scores[player])
    ranks = tuple(order.index(player) + 1 for player in range(seats))
    return events.HanchanEnd(scores, ranks, (0,) * seats)
