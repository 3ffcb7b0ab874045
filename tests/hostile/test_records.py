"""Files that are no records, or hardly: packed, deep, endless, malformed. Every command that reads records refuses each
in one line, or copes with it."""

import gzip
import json
import os
import zlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from jantaku.table.riichi.ruleset import preset
from tests.hostile.sound import nothing_beside, sound
from tests.kit.command import Jantaku

COMMANDS: dict[str, tuple[str, ...]] = {
    "verify": ("verify", "FILE"),
    "show": ("show", "FILE", "--kyoku", "1", "--turn", "1"),
    "view": ("view", "FILE", "--export", "out.html"),
    "convert": ("convert", "FILE", "out.mjson"),
    "review": ("review", "FILE", "--by", "tsumogiri", "--threads", "inline", "--out", "out.review.jsonl"),
    "play --from": ("play", "--from", "FILE", "--length", "one", "--threads", "inline", "--quiet", "--out", "out"),
}
Bytes = Callable[[], bytes]
Lines = list[Any]
Edit = Callable[[Lines], object]
DEEP = 100_000


def _bomb() -> bytes:
    """Return three megabytes that unpack to three gigabytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    piece = b" " * (1 << 24)
    return b"".join([*(packer.compress(piece) for _ in range(190)), packer.flush()])


FILES: dict[str, Bytes] = {
    "empty": lambda: b"",
    "one NUL": lambda: b"\0",
    "a megabyte of NUL": lambda: bytes(1 << 20),
    "noise": lambda: bytes(range(256)) * 4096,
    "one brace": lambda: b"{",
    "one bracket": lambda: b"[",
    "deep brackets": lambda: b"[" * DEEP,
    "deep brackets that close": lambda: b"[" * DEEP + b"]" * DEEP,
    "deep braces": lambda: b'{"log":' * DEEP + b"1" + b"}" * DEEP,
    "null": lambda: b"null\n",
    "a number of 5000 digits": lambda: b"9" * 5000,
    "an object of a number of 5000 digits": lambda: b'{"jantaku":' + b"9" * 5000 + b"}\n",
    "not a number": lambda: b"NaN\n",
    "half a character": lambda: b'{"title":"\\ud800"}\n',
    "UTF-16": lambda: '{"log":[]}'.encode("utf-16"),
    "UTF-32": lambda: '{"log":[]}'.encode("utf-32"),
    "a byte order mark": lambda: b"\xef\xbb\xbf",
    "overlong UTF-8": lambda: b'{"\xc0\xaf":1}\n',
    "a million empty lines": lambda: b"\n" * 1_000_000,
    "200,000 empty objects": lambda: b"{}\n" * 200_000,
    "a line of 20 megabytes": lambda: b'{"x":"' + b"a" * 20_000_000 + b'"}\n',
    "100,000 keys": lambda: json.dumps({f"k{n}": n for n in range(100_000)}).encode(),
    "one key 100,000 times": lambda: b"{" + b'"log":[],' * 100_000 + b'"log":[]}',
    "a review of nothing": lambda: b'{"review":1}\n',
    "a review of a device": lambda: _review("/dev/zero"),
    "a review of a file of the host": lambda: _review("/etc/passwd"),
    "a review of itself": lambda: _review("record"),
    "a web page": lambda: b"<!doctype html><script>alert(1)</script>",
    "a program": lambda: Path("/bin/sh").read_bytes()[:100_000],
    "TOML": lambda: b"[ron]\nmax_winners = 1\n",
    "packed nothing": lambda: gzip.compress(b""),
    "packed noise": lambda: gzip.compress(bytes(range(256))),
    "half of what was packed": lambda: gzip.compress(b"{}" * 10_000)[:30],
    "packed ten times": lambda: _packed(b"{}", 10),
    "packed with rubbish behind": lambda: gzip.compress(b"{}\n") + b"rubbish",
    "packed with a wrong sum": lambda: gzip.compress(b"{}\n")[:-8] + bytes(8),
    "packed, three gigabytes of it": _bomb,
    "a magic number": lambda: b"\x1f\x8b",
    "a terminal's commands": lambda: b'{"\x1b]0;pwned\x07\x1b[2J":1}\n',
}


def _review(record: str) -> bytes:
    head = {"review": 1, "version": "1", "game": "riichi", "record": record, "digest": "0" * 32, "by": "x"}
    return (
        json.dumps({**head, "player": ["a"] * 4, "seats": [0], "rules": to_builtins(preset("tenhou"))}).encode() + b"\n"
    )


def _packed(content: bytes, times: int) -> bytes:
    for _ in range(times):
        content = gzip.compress(content)
    return content


def _endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _self(path: Path) -> None:
    path.symlink_to(path.name)


PLACES: dict[str, Callable[[Path], object]] = {
    "a folder": lambda path: path.mkdir(),
    "a pipe that nobody writes to": lambda path: os.mkfifo(path),
    "a device without end": _endless,
    "a link to itself": _self,
    "a link to nowhere": lambda path: path.symlink_to("nowhere"),
    "a device that is empty": lambda path: path.symlink_to("/dev/null"),
    "a terminal that is none": lambda path: path.symlink_to("/dev/tty"),
    "this process's memory": lambda path: path.symlink_to("/proc/self/mem"),
    "not there": lambda path: None,
}


def _at(lines: Lines, key: str) -> Any:
    return next(line for line in lines if key in line)


def _set(key: str, *path: str | int, to: object) -> Edit:
    """Return an edit that puts a value into the first line with that key."""

    def change(lines: Lines) -> None:
        place = _at(lines, key)
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = to

    return change


def _drop(key: str) -> Edit:
    return lambda lines: lines.remove(_at(lines, key))


ESCAPE = "\x1b]0;pwned\x07\x1b[2J"
HUGE = 10**18


def _each(said: str, of: Sequence[object], *path: str) -> dict[str, Edit]:
    return {f"{said} {str(value)[:40]!r}": _set(*path, to=value) for value in of}


EDITS: dict[str, Edit] = {
    **_each("its format is", (-5, 0, True, None, "1", 1.5, 10**9, [1]), "rules", "jantaku"),
    **_each("its game is", ("chess", "", None, 7, ESCAPE), "rules", "game"),
    **_each("its rules are", (None, [], {}, 7, {"ron": 7}, {"x": {}}), "rules", "rules"),
    **_each("its players are", ([], ["a"] * 3, ["a"] * 5, [1, 2, 3, 4], "abcd", None), "rules", "player"),
    **_each("its players are called", ([ESCAPE] * 4, ["[/x]"] * 4, ["n" * 5 * 10**6] * 4), "rules", "player"),
    **_each("its seed is", ("", ESCAPE, 7, None, "[/x]"), "rules", "seed"),
    **_each("its number is", (-1, HUGE, "0", None, 2**80), "rules", "number"),
    **_each("its first dealer is", (-1, 4, "0", None, 2**80), "rules", "qijia"),
    **_each("its school of walls is", ("x", None, 3), "rules", "walls"),
    **_each(
        "a wall is", ("", "m1", "x9" * 136, "m1" * 136, "m" * 273, None, 7, ["m1"] * 136, ESCAPE * 20), "wall", "wall"
    ),
    **_each("dice are", ([], [0, 7], [HUGE, 1], ["a", "b"], 7, [1]), "wall", "dice"),
    **_each("the round is", (9, HUGE, "0", None), "qipai", "qipai", "zhuangfeng"),
    **_each("the kyoku is", (7, -1, 0.5), "qipai", "qipai", "jushu"),
    **_each("counters are", (HUGE, -1, True), "qipai", "qipai", "changbang"),
    **_each("sticks are", (HUGE, -1, 0.5), "qipai", "qipai", "lizhibang"),
    **_each("scores are", ([HUGE] * 4, [0.5] * 4, [0] * 5, None), "qipai", "qipai", "defen"),
    **_each("the indicator is", ("x", "", None, ESCAPE), "qipai", "qipai", "baopai"),
    **_each(
        "hands are", (["m1" * 10_000] * 4, ["m123"] * 4, [None] * 4, [ESCAPE] * 4, []), "qipai", "qipai", "shoupai"
    ),
    **_each("a draw is of seat", (9, -1, HUGE, None, 2**80), "zimo", "zimo", "l"),
    **_each("a draw is the tile", ("x9", "", ESCAPE, 7), "zimo", "zimo", "p"),
    **_each("a discard is of seat", (2**80, "0", None), "dapai", "dapai", "l"),
    **_each("a discard is the tile", ("z9", "m1" + "_" * 10_000, "m1*_*_", None, ESCAPE), "dapai", "dapai", "p"),
    "a draw is null": _set("zimo", "zimo", to=None),
    "a draw is a discard too": lambda lines: _at(lines, "zimo").update({"dapai": {"l": 0, "p": "m1"}}),
    "a call of nothing": lambda lines: lines.insert(6, {"fulou": {"l": 1, "m": "m1-23"}}),
    "a call that takes long to match": lambda lines: lines.insert(
        6, {"fulou": {"l": 1, "m": "m" + "1" * 50_000 + "!"}}
    ),
    "a kan of words": lambda lines: lines.insert(6, {"gang": {"l": 1, "m": ESCAPE}}),
    "a key that nobody knows": lambda lines: lines.insert(6, {ESCAPE: 1}),
    "an empty item": lambda lines: lines.insert(6, {}),
    "an item that is a list": lambda lines: lines.insert(6, []),
    "the deal is missing": _drop("qipai"),
    "the wall is missing": _drop("wall"),
    "two deals": lambda lines: lines.insert(3, _at(lines, "qipai")),
    "two walls": lambda lines: lines.insert(2, _at(lines, "wall")),
    "two headers": lambda lines: lines.insert(0, lines[0]),
    "the header twice as long": lambda lines: lines[0].update({"x" * 10**6: 1}),
    "a result of points without end": lambda lines: _at(lines, "pingju")["pingju"].update({"fenpei": [HUGE] * 4}),
    "a result with a terminal's commands": lambda lines: _at(lines, "pingju")["pingju"].update({"name": ESCAPE}),
    "a result with markup": lambda lines: _at(lines, "pingju")["pingju"].update({"name": "[/x]"}),
    "hands at the end of words": lambda lines: _at(lines, "pingju")["pingju"].update(
        {"shoupai": [ESCAPE, "", "x", "m1" * 9999]}
    ),
    "ranks that are all first": lambda lines: _at(lines, "jieju")["jieju"].update({"rank": [1, 1, 1, 1]}),
    "ranks that are none": lambda lines: _at(lines, "jieju")["jieju"].update({"rank": [HUGE, 0, "1", None]}),
    "points that are not a number": lambda lines: _at(lines, "jieju")["jieju"].update({"point": ["NaN"] * 4}),
    "points with a terminal's commands": lambda lines: _at(lines, "jieju")["jieju"].update({"point": [ESCAPE] * 4}),
    "a verdict with a terminal's commands": lambda lines: _at(lines, "turn")["answers"][0].update({"verdict": ESCAPE}),
    "a verdict that is none": lambda lines: _at(lines, "turn")["answers"][0].update({"verdict": "splendid"}),
    "a reason with a terminal's commands": lambda lines: _at(lines, "turn")["answers"][0].update({"reason": ESCAPE}),
    "a time before the question": lambda lines: _at(lines, "turn")["answers"][0].update({"used": -5}),
    "a time without end": lambda lines: _at(lines, "turn")["answers"][0].update({"used": 1e308}),
    "an answer of nobody": lambda lines: _at(lines, "turn")["answers"][0].update({"seat": 9}),
    "100,000 answers": lambda lines: _at(lines, "turn").update({"answers": _at(lines, "turn")["answers"] * 100_000}),
    "20,000 kyoku": lambda lines: lines.extend([_at(lines, "qipai")] * 20_000),
}
"""Edits of a valid journal; most also change its 牌譜."""
DAILY = {("packed ten times", "verify"), ("deep brackets", "show"), ("a line of 20 megabytes", "convert")}
"""What and by which command: tried in every run."""
DAILY_EDITS = {"its seed is ''", "two deals", "a kan of words"}


def _tests(found: Iterable[tuple[str, str]]) -> list[Any]:
    """Make a test of each, of which a few run every time."""
    return [pytest.param(*one, id=" ".join(one), marks=[pytest.mark.daily] if one in DAILY else []) for one in found]


def read_by(jantaku: Jantaku, command: str) -> None:
    """Read what lies there; bad input is told in one line, whatever is in the file."""
    sound(jantaku(*("hostile.jsonl" if word == "FILE" else word for word in COMMANDS[command])))


@pytest.mark.hostile
@pytest.mark.parametrize(("what", "command"), _tests((what, command) for command in COMMANDS for what in FILES))
def test_a_file_that_is_no_record_leads_to_no_file(what: str, command: str, jantaku: Jantaku, elsewhere: Path) -> None:
    (elsewhere / "hostile.jsonl").write_bytes(FILES[what]())
    read_by(jantaku, command)
    nothing_beside(elsewhere, "hostile.jsonl")


@pytest.mark.hostile
@pytest.mark.timeout(60)
@pytest.mark.parametrize(("what", "command"), _tests((what, command) for command in COMMANDS for what in PLACES))
def test_what_is_no_file_is_refused_in_time(what: str, command: str, jantaku: Jantaku, elsewhere: Path) -> None:
    PLACES[what](elsewhere / "hostile.jsonl")
    read_by(jantaku, command)
    nothing_beside(elsewhere, "hostile.jsonl")


@pytest.mark.hostile
@pytest.mark.parametrize(
    "what", [pytest.param(what, marks=[pytest.mark.daily] if what in DAILY_EDITS else []) for what in EDITS]
)
def test_each_command_bears_an_edited_journal(what: str, jantaku: Jantaku, elsewhere: Path, game_folder: Path) -> None:
    lines = [json.loads(line) for line in (game_folder / "game-0000.jsonl").read_text("utf-8").splitlines()]
    try:
        EDITS[what](lines)
    except StopIteration:
        lines.append({"pingju": {"name": ESCAPE, "shoupai": [ESCAPE] * 4, "fenpei": [0] * 4}})
    (elsewhere / "hostile.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    for command in COMMANDS:
        read_by(jantaku, command)
