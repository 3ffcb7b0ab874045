"""Writes a journal, for every game: one JSON object a line.

Lines are assembled from cached pieces of text: for frequent ones no dict is built and nothing is encoded. This file is
part of the compiled core.

`JournalWriter` writes a riichi game: every event and answer, one JSON line each, turn by turn. docs/records.md
describes it.

    {"jantaku": 2, "rules": {…}, "seed": "7", …}                    the header
    {"wall": "m1p2…", "dice": [3, 4]}                               before every deal: 136 tiles as Wall.tiles
    {"qipai": {…}}, {"zimo": {…}}, …                                items as in `items.py`, in the stream's order
    {"turn": 41, "answers": [{"seat": 2, "verdict": "ok", …}, …]}   the answers to the questions of a turn
    {"digest": "8b1f…", "blocks": "…"}                              after every kyoku: see `digest.py`
    {"jieju": {…}}                                                  the end

A kill loses at most the turn that is being written; readers ignore an incomplete last line. While the game is played,
the complete journal is kept apart, see `sealed.py`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec

from jantaku.table.ground.disk import append
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.game import Game
from jantaku.table.ground.port import Action, Answer, Verdict
from jantaku.table.languages.majiang.items import LINES, Encoder, writes_decimals
from jantaku.table.languages.majiang.rule import Item, reply
from jantaku.table.records.journal.header import Header as Header
from jantaku.table.records.journal.sealed import Sealed, Secrets
from jantaku.table.riichi import events
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.mask import masked
from jantaku.table.riichi.pieces.tiles import NAMES, TILES

# Final copies for speed: compiled code looks another module's names up at every use
_OK: Final = Verdict.OK
_MICROS: Final = 1e6
_LONGEST: Final = 1e9
"""Seconds from which on a float cannot represent every microsecond."""
_KEPT: Final = 1 << 14
"""Largest number of entries in the caches of numbers, times and actions."""
_SEATS: Final = 8
"""More than the seats of any game."""
_PIECES: Final = 1 << 12
"""How many pieces of text a buffered journal holds before it writes them: about 50 KB."""
_NOTHING: Final[dict[Any, bytes]] = {}
_FIRST_SEATS: Final = [b',"answers":[{"seat":%d,"question":' % seat for seat in range(_SEATS)]
"""By seat, the text before the question of a turn's first answer."""
_MORE_SEATS: Final = [b'},{"seat":%d,"question":' % seat for seat in range(_SEATS)]
"""By seat, the text before the question of any later answer."""
_numbers: Final = [b""] * _KEPT
"""By number, its text; empty if not cached yet."""
_times: Final = [b""] * _KEPT
"""By microseconds, the same time as text in seconds; empty if not cached yet."""
_encode: Final = msgspec.json.Encoder().encode


class JournalWriter:
    """Writes the journal of one game. Implements `jantaku.table.judge.result.Watch`.

    `lines_of` returns the lines of an event, `reply` an action as the game's players write it; `known` maps frequent
    events to their encoded lines. If `game` is given, a turn is one write: its answers wait for the events that follow
    from them, which a watch gets right after. Nothing waits for another turn, unless `buffered`: then a kill also loses
    the last turns. Raises BadInput if the file cannot be created; an existing file is never overwritten. `secrets` are
    kept out of the file until the game is over, see `sealed.py`.
    """

    def __init__(
        self,
        path: Path,
        header: msgspec.Struct,
        lines_of: Callable[[Any], Iterable[dict[str, Any]]],
        reply: Callable[[Any], Any],
        *,
        known: dict[Any, bytes] = _NOTHING,
        game: Game | None = None,
        buffered: bool = False,
        secrets: Secrets | None = None,
    ) -> None:
        self._lines_of = lines_of
        self._known = known
        self._game = game
        self._replies: ReplyWriter = replies_by(reply)
        self._most = _PIECES if buffered else 0
        self._path = path
        self._begun = False
        self._failed = False
        """Whether a write has failed: then nothing more may be appended."""
        self._rounds = 0
        """Rounds that have begun, if the journal is sealed."""
        self.first_turns: list[int] = []
        """By round, the turn with which it begins: the first seat always has something to choose."""
        self._told = 0
        """Number of the game's events received so far."""
        self._pieces: list[bytes] = []
        """Text that is not written yet."""
        self._public: list[bytes] = []
        """The public view of the current round."""
        self._secrets = secrets
        self._masks: Mapping[bytes, bytes] = {} if secrets is None else secrets.masks
        self._is_public = secrets is not None and not buffered
        self._sealed: Any = None
        self._round: list[bytes] = []
        """Text written since the last round, if the journal is sealed."""
        self._file: Any = None
        """The complete file; None if it is kept in memory."""
        self._open(header, buffered)

    def _open(self, header: msgspec.Struct, buffered: bool) -> None:
        try:
            if self._secrets is not None:
                self._sealed = Sealed(self._path, header, buffered=buffered)
                self._file = self._sealed.whole
                self._round.append(self._sealed.header)
                return
            self._file = self._path.open("xb", buffering=0)
        except OSError as error:
            raise _unwritable(self._path, error) from error
        self._write(_encode(header) + b"\n")

    def events(self, new: Sequence[Any]) -> None:
        self._begun = True
        self._told += len(new)
        pieces, known, public = self._pieces, self._known, self._public
        for event in new:
            line = known.get(event) if known else None
            if line is None:
                line = self._rare(event)
                pieces = self._pieces
            elif self._is_public:
                public.append(line)
            pieces.append(line)
        if len(pieces) > self._most:
            self._flush()

    def _rare(self, event: Any) -> bytes:
        """Return the lines of an event that is not cached. An event that begins a round ends the round before."""
        line = b"".join([_encode(one) + b"\n" for one in self._lines_of(event)])
        secrets = self._secrets
        if secrets is None:
            return line
        if type(event) is secrets.begins:
            if self._rounds:
                self._end_round()
            self._rounds += 1
        if self._is_public:
            shown = secrets.shown(event)
            self._public.append(line if shown is None else b"".join([_encode(one) + b"\n" for one in shown]))
        return line

    def _end_round(self) -> None:
        if self._pieces:
            self._flush()
        try:
            public = b"".join(map(self._masks.get, self._public, self._public)) if self._is_public else b""
            self._sealed.end_round(b"".join(self._round), public)
        except OSError as error:
            raise _unwritable(self._path, error) from error
        self._public.clear()
        self._round.clear()

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        pieces = self._pieces
        if len(self.first_turns) < self._rounds:
            self.first_turns.append(turn)
        self._replies.tell(turn, answers, pieces)
        if len(pieces) > self._most and (self._game is None or len(self._game.events) == self._told):
            self._flush()

    def close(self) -> None:
        """Finish the journal. A game that has not begun leaves no file. Raises BadInput if the disk is full."""
        if self._secrets is not None:
            self._close_sealed()
            return
        try:
            if self._pieces:
                self._flush()
        finally:
            self._file.close()
        if not self._begun:
            self._path.unlink(missing_ok=True)

    def _close_sealed(self) -> None:
        if not self._begun:
            self._sealed.drop()
            return
        if self._failed:
            self._sealed.leave()
            return
        try:
            self._end_round()
            self._sealed.close()
        except (BadInput, OSError) as error:
            self._sealed.leave()
            raise error if isinstance(error, BadInput) else _unwritable(self._path, error) from error

    def _flush(self) -> None:
        pieces, self._pieces = self._pieces, []
        text = b"".join(pieces)
        if self._file is not None:
            self._write(text)
        if self._sealed is not None:
            self._round.append(text)

    def _write(self, text: bytes) -> None:
        """Write all of it. BadInput if that fails."""
        try:
            append(self._file, text)
        except OSError as error:
            self._failed = True
            raise _unwritable(self._path, error) from error


class ReplyWriter:
    """Writes answers as JSON; `reply` converts an action to what the players of a game write."""

    def __init__(self, reply: Callable[[Any], Any]) -> None:
        self._reply = reply
        self._known: dict[Action, bytes] = {}
        """The result of `_text` for actions that were answered without a fault."""

    def tell(self, turn: int, answers: Sequence[Answer], pieces: list[bytes]) -> None:
        """Append the line with the answers to the questions of a turn.
        `{"turn":41,"answers":[{"seat":2,"question":166,"reply":…,"verdict":"ok","used":4e-6}]}`: `used` is in seconds,
        and so are `allowed` if there is a clock, and `cpu` and `wall` if they were measured. `reason` and `meta` are
        written if they are not empty, and so is `stalled`: seconds for which the table's process stood still, which
        `used` does not contain."""
        pieces.append(b'{"turn":')
        pieces.append(_number_text(turn))
        seats = _FIRST_SEATS
        for answer in answers:
            pieces.append(seats[answer.seat])
            seats = _MORE_SEATS
            pieces.append(_number_text(answer.question))
            verdict: Any = answer.verdict
            pieces.append(self._text(answer.action, verdict))
            pieces.append(_seconds_text(answer.used))
            allowed = answer.allowed
            if allowed is not None:
                pieces.append(b',"allowed":')
                pieces.append(_seconds_text(allowed))
            if answer.cpu is not None:
                pieces.append(b',"cpu":')
                pieces.append(_seconds_text(answer.cpu))
            if answer.wall is not None:
                pieces.append(b',"wall":')
                pieces.append(_seconds_text(answer.wall))
            if answer.stalled:
                pieces.append(b',"stalled":')
                pieces.append(_seconds_text(answer.stalled))
            if answer.reason:
                pieces.append(b',"reason":' + _encode(answer.reason))
            if answer.meta:
                pieces.append(b',"meta":' + answer.meta.encode())
        pieces.append(b"}]}\n")

    def _text(self, action: Action, verdict: Any) -> bytes:
        """The text of an answer from its reply up to its time."""
        text = self._known.get(action) if verdict is _OK else None
        if text is None:
            text = b',"reply":%b,"verdict":"%b","used":' % (_encode(self._reply(action)), verdict.encode())
            if verdict is _OK and len(self._known) < _KEPT:
                self._known[action] = text
        return text


replies_by: Final = lru_cache(8)(ReplyWriter)
"""One writer per `reply`, shared by all journals: most actions are cached from earlier games."""


def _number_text(number: int) -> bytes:
    if not 0 <= number < _KEPT:
        return b"%d" % number
    text = _numbers[number]
    if not text:
        _numbers[number] = text = b"%d" % number
    return text


def _seconds_text(seconds: float) -> bytes:
    """Seconds as text, rounded to the microsecond."""
    if not 0.0 <= seconds < _LONGEST:
        return _encode(round(seconds, 6))
    micros = int(seconds * _MICROS + 0.5)
    if micros >= _KEPT:
        return _encode(micros / _MICROS)
    text = _times[micros]
    if not text:
        _times[micros] = text = _encode(micros / _MICROS)
    return text


def _unwritable(path: Path, error: OSError) -> BadInput:
    return BadInput(f"{path}: the journal cannot be written: {error.strerror}")


def journal_of(folder: Path, number: int) -> Path:
    """Path of the journal for game `number` of a match."""
    return folder / f"game-{number:04d}.jsonl"


def _shown(event: Any) -> list[Item] | None:
    """The public view of a deal; None for other events."""
    if not isinstance(event, events.KyokuStart):
        return None
    item = Encoder().encode(masked(event, NOBODY))
    return [] if item is None else [item]


NOBODY = -1
"""The seat of an observer that sees no hidden tile."""
SECRETS = Secrets(
    events.KyokuStart,
    _shown,
    {
        LINES[events.Draw(seat, tile, rinshan)]: LINES[events.Draw(seat, None, rinshan)]
        for seat in range(4)
        for tile in range(TILES)
        for rinshan in (False, True)
    },
)
"""Hands, walls and drawn tiles are not public."""


class Journal(JournalWriter):
    """Writes the journal of one game. Implements `jantaku.table.judge.result.Watch`. `buffered`: see the base class."""

    def __init__(self, path: Path, header: Header, game: RiichiGame, *, buffered: bool = False) -> None:
        self._riichi = game
        self._encoder = Encoder(decimals=writes_decimals(game.rules))
        self._dealt = 0
        super().__init__(path, header, self._items, reply, known=LINES, game=game, buffered=buffered, secrets=SECRETS)

    def _items(self, event: Any) -> list[Item]:
        items: list[Item] = []
        if isinstance(event, events.KyokuStart):
            wall = self._riichi.walls[self._dealt]
            self._dealt += 1
            items.append({"wall": "".join([NAMES[tile] for tile in wall.tiles]), "dice": wall.dice})
        item = self._encoder.encode(event)
        if item is not None:
            items.append(item)
        return items
