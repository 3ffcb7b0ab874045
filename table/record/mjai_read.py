"""mjai logs of every dialect as records.

Full logs only: a player's view, with hidden tiles, is refused. What a win pays may be left out, rules tell it then.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from table.errors import BadInput
from table.record.convert_building import Builder, Imported
from table.record.items import DRAW_NAMES
from table.record.lines import from_json
from table.record.mjai_words import DRAGON_YAKU, DRAWS, TILE, WIND_YAKU, YAKU, YAKUMAN_HAN
from table.record.read import Record, take_extra
from table.riichi.pieces.melds import Meld, MeldKind, ankan, chi, daiminkan, kakan, pon
from table.riichi.pieces.notation import MARKS, hand_text, meld_text
from table.riichi.pieces.tiles import KIND, NAMES, WHITE
from table.riichi.points.yaku import PAO_YAKU, RANK

Line = dict[str, Any]
_WINDS = "ESWN"
_SILENT = {"hello", "join", "none", "end_kyoku"}
_HONOURS = "東南西北白發中"
_DRAGONS = range(WHITE, WHITE + 3)


def read_mjai(path: Path, content: bytes) -> Imported:
    """A log. Raises BadInput with the line that is not understood or contradicts those before."""
    reader = _Reader(path)
    for number, line in _lines(path, content):
        try:
            reader.take(line)
        except BadInput as error:
            raise BadInput(f"{path} line {number}: {_without(str(error), f'{path} ')}") from None
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, msgspec.ValidationError) as error:
            kind = line.get("type")
            raise BadInput(
                f"{path} line {number}: a “{kind}” that is not mjai: {type(error).__name__}: {error}"
            ) from None
    return reader.imported()


def _without(text: str, start: str) -> str:
    return text.removeprefix(start)


def _lines(path: Path, content: bytes) -> Iterator[tuple[int, Line]]:
    """Events with their line number: an object a line, or an array of them as mjai.app has it."""
    for number, text in enumerate(content.splitlines(), 1):
        if not text.strip():
            continue
        try:
            line = from_json(text)
        except ValueError as error:
            raise BadInput(f"{path} line {number}: not JSON ({error})") from None
        for one in line if isinstance(line, list) else [line]:
            if not isinstance(one, dict) or not isinstance(one.get("type"), str):
                raise BadInput(f"{path} line {number}: no mjai event: an object with “type” is expected")
            yield number, one


class _Reader:
    """Takes the events of a log one by one."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._names = ["", "", "", ""]
        self._log: list[Builder] = []
        self._dealer = 0
        self._riichi = False
        self._scores: list[int] | None = None
        self._imported = Imported(Record(path, "1.x", ("", "", "", ""), 0, []), notes=[])

    def take(self, line: Line) -> None:
        kind = line["type"]
        if kind in _SILENT:
            return
        if kind not in _TAKES:
            raise BadInput(f"“{kind}” is no event of mjai; known are {', '.join(_TAKES)}")
        if not self._log and kind not in ("start_game", "start_kyoku", "end_game"):
            raise BadInput(f"“{kind}” before the first start_kyoku")
        _TAKES[kind](self, line)

    def imported(self) -> Imported:
        """The record of all that was taken."""
        record = self._imported.record
        if not self._log:
            raise BadInput(f"{self._path}: an mjai log without any start_kyoku")
        rotated = [self._names[(player - record.first_dealer) % 4] for player in range(4)]
        record.names = (rotated[0], rotated[1], rotated[2], rotated[3])
        record.log = [builder.kyoku for builder in self._log]
        return self._imported

    def _start_game(self, line: Line) -> None:
        names = line.get("names") or self._names
        self._names = [str(name) for name in names]
        if len(self._names) != 4:
            raise BadInput(f"{len(self._names)} names; four players are expected")
        self._imported.tonpu = line.get("kyoku_first") == 4
        self._imported.reds = line.get("aka_flag", True)
        take_extra(self._imported.record, line.get("jantaku") or {})

    def _start_kyoku(self, line: Line) -> None:
        self._dealer, self._riichi = line["oya"], False
        if len(line["tehais"]) != 4:
            raise BadInput(f"{len(line['tehais'])} hands; four players are expected")
        _refuse_a_view(line["tehais"])
        hands = [[self._tile(text) for text in hand] for hand in line["tehais"]]
        scores = line.get("scores") or self._scores or [25000] * 4
        qipai = {
            "zhuangfeng": _WINDS.index(line["bakaze"]),
            "jushu": line["kyoku"] - 1,
            "changbang": line["honba"],
            "lizhibang": line["kyotaku"],
            "defen": self._by_seat(scores),
            "baopai": self._name(line["dora_marker"]),
            "shoupai": [hand_text(hands[(self._dealer + seat) % 4]) for seat in range(4)],
        }
        if qipai["jushu"] != self._dealer:
            raise BadInput(f"kyoku {line['kyoku']} with dealer {self._dealer}; players count from the first dealer")
        self._log.append(Builder(f"{self._path} kyoku {len(self._log) + 1}", qipai))

    def _tsumo(self, line: Line) -> None:
        seat = self._seat(line["actor"])
        self._builder.add("gangzimo" if self._builder.after_kan else "zimo", {"l": seat, "p": self._name(line["pai"])})

    def _reach(self, line: Line) -> None:
        self._riichi = True

    def _dahai(self, line: Line) -> None:
        text = self._name(line["pai"]) + "_" * bool(line["tsumogiri"]) + "*" * self._riichi
        self._riichi = False
        self._builder.add("dapai", {"l": self._seat(line["actor"]), "p": text})

    def _reach_accepted(self, line: Line) -> None:
        self._builder.add("lizhi", {"l": self._seat(line["actor"])})

    def _call(self, line: Line) -> None:
        called, own = self._tile(line["pai"]), [self._tile(text) for text in line["consumed"]]
        source = (line["target"] - line["actor"]) % 4
        make = {"pon": pon, "daiminkan": daiminkan}.get(line["type"])
        meld = make(called, source, *own) if make else chi(called, *own)
        self._meld("fulou", line["actor"], meld)

    def _ankan(self, line: Line) -> None:
        self._meld("gang", line["actor"], ankan(*(self._tile(text) for text in line["consumed"])))

    def _kakan(self, line: Line) -> None:
        added = self._tile(line["pai"])
        melds = self._builder.board.hands[self._seat(line["actor"])].melds
        under = next((m for m in melds if m.kind == MeldKind.PON and m.tile_kind == KIND[added]), None)
        if under is None:
            raise BadInput(f"player {line['actor']} makes a kakan of {line['pai']} and has no pon of it")
        self._meld("gang", line["actor"], kakan(under, added))

    def _meld(self, key: str, actor: int, meld: Meld) -> None:
        self._builder.add(key, {"l": self._seat(actor), "m": meld_text(meld)})

    def _dora(self, line: Line) -> None:
        self._builder.add("kaigang", {"baopai": self._name(line["dora_marker"])})

    def _hora(self, line: Line) -> None:
        seat, source = self._seat(line["actor"]), self._seat(line["target"])
        ura = line.get("ura_markers") or line.get("uradora_markers") or []
        hule: Line = {
            "l": seat,
            "shoupai": self._builder.won_hand(seat, tsumo=seat == source),
            "baojia": None if seat == source else source,
            "fubaopai": [self._name(text) for text in ura] or None,
        }
        fenpei = [0, 0, 0, 0]
        if "deltas" in line or "scores" in line:
            fenpei = self._deltas(line)
        else:
            self._imported.unpaid.add(len(self._log))
        self._builder.add("hule", hule | self._worth(line, seat) | {"fenpei": fenpei})

    def _worth(self, line: Line, seat: int) -> Line:
        """What gimite's fields tell of the value; other dialects tell nothing."""
        worth: Line = {}
        yakuman = line.get("fan", 0) >= YAKUMAN_HAN
        if yakuman:
            worth["damanguan"] = line["fan"] // YAKUMAN_HAN
        else:
            worth |= {ours: line[theirs] for ours, theirs in (("fu", "fu"), ("fanshu", "fan")) if theirs in line}
        if "hora_points" in line:
            worth["defen"] = line["hora_points"]
        if "yakus" in line:
            worth["hupai"] = self._yaku(line, seat)
        return worth

    def _yaku(self, line: Line, seat: int) -> list[Line]:
        board = self._builder.board
        dragons = iter(self._dragons(seat))
        found = []
        for word, han in line["yakus"]:
            if word in WIND_YAKU:
                name = f"{WIND_YAKU[word]} {_HONOURS[seat if word == 'jikaze' else board.round]}"
            elif word == DRAGON_YAKU:
                name = f"翻牌 {next(dragons, '?')}"
            else:
                name = YAKU.get(word, word)
            yaku: Line = {"name": name, "fanshu": "*" * (han // YAKUMAN_HAN) if han >= YAKUMAN_HAN else han}
            if name in PAO_YAKU.values() and line.get("pao") is not None:
                yaku["baojia"] = MARKS[(line["pao"] - line["actor"]) % 4]
            found.append(yaku)
        return sorted(found, key=lambda yaku: RANK.get(yaku["name"], len(RANK)))

    def _dragons(self, seat: int) -> list[str]:
        """The dragons of which the winner has a triplet."""
        hand, board = self._builder.board.hands[seat], self._builder.board
        counts = list(hand.counts)
        if board.last_tile is not None and hand.size % 3 == 1:
            counts[KIND[board.last_tile]] += 1
        melded = {meld.tile_kind for meld in hand.melds}
        return [NAMES_OF_DRAGONS[kind] for kind in _DRAGONS if counts[kind] >= 3 or kind in melded]

    def _deltas(self, line: Line) -> list[int]:
        """By seat. Where a log has scores only, the difference to those before."""
        if "deltas" in line:
            return self._by_seat(line["deltas"])
        if "scores" in line:
            return [
                now - then for now, then in zip(self._by_seat(line["scores"]), self._builder.board.scores, strict=True)
            ]
        return [0, 0, 0, 0]

    def _ryukyoku(self, line: Line) -> None:
        fenpei = self._deltas(line)
        builder = self._builder
        reason = line.get("reason")
        name = DRAWS.get(reason, reason) if isinstance(reason, str) else builder.draw_name(fenpei)
        seats = builder.openers(name, fenpei)
        if "tenpais" in line:
            seats = [self._seat(player) for player in range(4) if line["tenpais"][player]]
        elif not reason:
            self._imported.draws[len(self._log)] = builder.other_draws(tuple(DRAW_NAMES.values()), fenpei)
        builder.add("pingju", {"name": name, "shoupai": builder.shown_hands(seats), "fenpei": fenpei})

    def _end_game(self, line: Line) -> None:
        self._imported.ended = True

    @property
    def _builder(self) -> Builder:
        return self._log[-1]

    def _seat(self, player: int) -> int:
        if player not in (0, 1, 2, 3):
            raise BadInput(f"player {player}; players are 0 to 3")
        return int((player - self._dealer) % 4)

    def _by_seat(self, by_id: Any) -> list[int]:
        if len(by_id) != 4:
            raise BadInput(f"{by_id}: one value for each of four players is expected")
        return [int(by_id[(self._dealer + seat) % 4]) for seat in range(4)]

    def _tile(self, text: str) -> int:
        if text == "?":
            raise BadInput("a hidden tile “?”: this is what one player saw, not the log of the table")
        if text not in TILE:
            raise BadInput(
                f"“{text}” is no tile of mjai: allowed are 1m-9m, 1p-9p, 1s-9s, 5mr, 5pr, 5sr, E S W N P F C"
            )
        return TILE[text]

    def _name(self, text: str) -> str:
        return NAMES[self._tile(text)]


def _refuse_a_view(hands: list[list[str]]) -> None:
    hidden = [str(player) for player, hand in enumerate(hands) if "?" in hand]
    seen = next((player for player, hand in enumerate(hands) if "?" not in hand), None)
    if hidden:
        whose = "nobody's hand is told" if seen is None else f"this is what player {seen} saw"
        raise BadInput(
            f"the tiles of player {', '.join(hidden)} are hidden (“?”): {whose}; "
            "a record is made of the log of the table, in which every tile is told"
        )


NAMES_OF_DRAGONS = {WHITE + n: dragon for n, dragon in enumerate("白發中")}

_TAKES: dict[str, Callable[[_Reader, Line], None]] = {
    "start_game": _Reader._start_game,
    "start_kyoku": _Reader._start_kyoku,
    "tsumo": _Reader._tsumo,
    "dahai": _Reader._dahai,
    "chi": _Reader._call,
    "pon": _Reader._call,
    "daiminkan": _Reader._call,
    "ankan": _Reader._ankan,
    "kakan": _Reader._kakan,
    "dora": _Reader._dora,
    "reach": _Reader._reach,
    "reach_accepted": _Reader._reach_accepted,
    "hora": _Reader._hora,
    "ryukyoku": _Reader._ryukyoku,
    "end_game": _Reader._end_game,
}
