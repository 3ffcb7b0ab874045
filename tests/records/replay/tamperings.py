"""Ways to tamper with a record of each form: those that `jantaku verify` must name, and those in fields that are only
told.

A tampering changes the lines of a journal, the header first, or a 牌譜, in place. `told` means that nothing else in the
record contradicts it: then only the digest of a journal names it, unless that is `forged`.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from jantaku.table.records.journal.digest import BEGINNING, Digest

Lines = list[dict[str, Any]]


def forged(journal: bytes) -> bytes:
    """Return a journal with recomputed digests, as an informed forger would make it."""
    digest, parts, since = Digest(), list[bytes](), b""
    for line in journal.splitlines(keepends=True):
        if line.startswith(BEGINNING):
            parts += [since, digest.line(since)]
            since = b""
        else:
            since += line
    return b"".join([*parts, since])


class Tampering(NamedTuple):
    """One way to tamper. `change` takes the lines of a journal, or a list with the 牌譜 alone. `told`: it may be in a
    field that is listed as only told, under this word if it is given."""

    name: str
    change: Callable[[Lines], object]
    told: bool | str = False


def at(lines: Lines, key: str, nth: int = 0) -> int:
    """Return the index of the nth line with that key."""
    return [place for place, line in enumerate(lines) if key in line][nth]


def value(lines: Lines, key: str, nth: int = 0) -> Any:
    """Return the value under that key in the nth line that has it."""
    return lines[at(lines, key, nth)][key]


def answer(lines: Lines, fits: Callable[[dict[str, Any]], bool] = lambda one: True) -> dict[str, Any]:
    found: Lines = [one for line in lines if "turn" in line for one in line["answers"] if fits(one)]
    return found[min(3, len(found) - 1)]


def put(place: Callable[[Lines], Any], **values: object) -> Callable[[Lines], object]:
    """Return a change that sets keys of the object at a place."""
    return lambda lines: place(lines).update(values)


def _of_answer(fits: Callable[[dict[str, Any]], bool] = lambda one: True) -> Callable[[Lines], Any]:
    return lambda lines: answer(lines, fits)


def _header(lines: Lines) -> Any:
    return lines[0]


def _other_place(lines: Lines) -> Any:
    one = answer(lines)
    return one.update(seat=(one["seat"] + 1) % 2)


def _kyoku(lines: Lines, deal: str) -> list[int]:
    return [place for place, line in enumerate(lines) if deal in line]


def _invented(deal: str) -> Callable[[Lines], object]:
    def change(lines: Lines) -> None:
        first, second = _kyoku(lines, deal)[:2]
        lines += [dict(line) for line in lines[first:second]]

    return change


def _doubled(deal: str, times: int = 1) -> Callable[[Lines], object]:
    return lambda lines: lines.extend([dict(line) for line in lines[_kyoku(lines, deal)[0] :]] * times)


def _cut(deal: str, kept: int) -> Callable[[Lines], object]:
    def change(lines: Lines) -> None:
        first, second = _kyoku(lines, deal)[:2]
        del lines[first + kept : second]

    return change


def _without(key: str, every: bool = False) -> Callable[[Lines], object]:
    def change(lines: Lines) -> None:
        places = [place for place, line in enumerate(lines) if key in line]
        for place in reversed(places if every else places[:1]):
            del lines[place]

    return change


def _twice(key: str) -> Callable[[Lines], object]:
    return lambda lines: lines.insert(at(lines, key), dict(lines[at(lines, key)]))


def _swapped(key: str, nth: int) -> Callable[[Lines], object]:
    def change(lines: Lines) -> None:
        place = at(lines, key, nth)
        lines[place - 1], lines[place] = lines[place], lines[place - 1]

    return change


def _added(key: str, nth: int, line: dict[str, Any]) -> Callable[[Lines], object]:
    return lambda lines: lines.insert(at(lines, key, nth) + 1, line)


def _is_default(one: dict[str, Any]) -> bool:
    return one["reply"] in ({}, "") and one["verdict"] == "ok"


def _is_own(one: dict[str, Any]) -> bool:
    return not _is_default(one) and not str(one["reply"].get("dapai", "")).endswith("_")


def _sorted_wall(lines: Lines) -> None:
    wall = value(lines, "wall")
    lines[at(lines, "wall")]["wall"] = "".join(sorted(wall[n : n + 2] for n in range(0, len(wall), 2)))


def _wall_of_nobody(lines: Lines) -> None:
    """Swap two tiles that were in no hand: the last but one indicator and the one below it."""
    wall = value(lines, "wall")
    tiles = [wall[n : n + 2] for n in range(0, len(wall), 2)]
    other = next(n for n in range(133, 126, -1) if tiles[n] != tiles[135])
    tiles[other], tiles[135] = tiles[135], tiles[other]
    lines[at(lines, "wall")]["wall"] = "".join(tiles)


def _driven_with_another_wall(lines: Lines) -> None:
    _wall_of_nobody(lines)
    lines[0]["driven"] = True


def _shifted(key: str, by: int, place: Callable[[Lines], Any]) -> Callable[[Lines], object]:
    def change(lines: Lines) -> None:
        there = place(lines)
        there[key] += by

    return change


def answers() -> Iterator[Tampering]:
    """Yield tamperings with the answers in a journal of any game."""
    default, anything = _of_answer(_is_default), _of_answer()
    yield Tampering("an answer is moved to another seat", _other_place)
    yield Tampering("an answer took less than no time", put(anything, used=-5))
    yield Tampering("less than no time was allowed", put(anything, allowed=-1))
    yield Tampering("an answer in time took longer than allowed", put(anything, used=5.0, allowed=1.0))
    yield Tampering("an answer beyond what was allowed, of no clock", put(anything, verdict="ok_margin"))
    yield Tampering("an answer beyond what was allowed, in time", put(anything, verdict="ok_margin", allowed=9.0))
    yield Tampering("a good answer has a reason", put(anything, reason="because"))
    yield Tampering("a verdict that does not exist", put(anything, verdict="fine"))
    yield Tampering("another question is answered", _shifted("question", 4, anything))
    yield Tampering("a turn has another number", lambda lines: lines[at(lines, "turn", 5)].update(turn=99))
    yield Tampering("a turn number is a word", lambda lines: lines[at(lines, "turn", 5)].update(turn="six"))
    yield Tampering("all answers are taken out", _without("turn", every=True))
    yield Tampering("the answers of one turn are taken out", lambda lines: lines.pop(at(lines, "turn", 7)))
    yield Tampering("a turn is told twice", _twice("turn"))
    yield Tampering("a turn has no answers", lambda lines: lines[at(lines, "turn", 4)]["answers"].clear())
    yield Tampering("an answer is told twice", lambda lines: _same(lines[at(lines, "turn", 4)]["answers"]))
    yield Tampering("answers stand behind what they led to", _swapped("turn", 6))
    yield Tampering("a pass is called silent", put(default, verdict="silent", reason="nothing after 1 s"), told=True)
    yield Tampering("another time is told", put(anything, used=0.123456), told=True)
    yield Tampering("another time was allowed", put(anything, allowed=1000.0), told=True)


def _same(answers: Lines) -> None:
    answers.append(dict(answers[0]))


def header() -> Iterator[Tampering]:
    yield Tampering("a format below the first", put(_header, jantaku=-5))
    yield Tampering("a format that is true", put(_header, jantaku=True))
    yield Tampering("no format at all", lambda lines: lines[0].pop("jantaku"))
    yield Tampering("another seed", put(_header, seed="another"))
    yield Tampering("another number", _shifted("number", 1, _header))
    yield Tampering("other names", lambda lines: lines[0]["player"].reverse(), told=True)
    yield Tampering("another version", put(_header, version="9.9.9"), told=True)
    yield Tampering("a key that nobody knows", put(_header, judge="me"), told=True)


def riichi() -> Iterator[Tampering]:
    yield from header()
    yield from answers()
    own = _of_answer(_is_own)
    yield Tampering("an answer that was played is called illegal", put(own, verdict="illegal", reason="no option"))
    yield Tampering("an answer that was played is called late", put(own, verdict="late", allowed=1, used=2, reason="x"))
    yield Tampering("another tile was answered", put(own, reply={"dapai": "z9"}))
    yield Tampering("a win was answered", put(own, reply={"hule": "-"}))
    yield from _riichi_log()


def _riichi_log() -> Iterator[Tampering]:
    yield Tampering("a kyoku behind the end", _invented("wall"))
    yield Tampering("a kyoku behind the end without its wall", _invented("qipai"))
    yield Tampering("the log doubled", _doubled("wall"))
    yield Tampering("the log a hundred times", _doubled("wall", 100))
    yield Tampering("a kyoku cut after four items", _cut("wall", 6))
    yield Tampering("a kyoku without its result", lambda lines: lines.pop(_kyoku(lines, "wall")[1] - 2))
    yield Tampering("a kyoku taken out", _cut("wall", 0))
    yield Tampering("the end taken out", _without("jieju"))
    yield Tampering("the end told twice", _twice("jieju"))
    yield Tampering("a line behind the end", lambda lines: lines.append({"zimo": {"l": 0, "p": "m1"}}))
    yield Tampering("a line that is no item", _added("zimo", 3, {"note": "seen"}))
    yield Tampering("the wall sorted", _sorted_wall)
    yield Tampering("tiles of the wall that nobody drew", _wall_of_nobody)
    yield Tampering("a wall taken out", _without("wall"))
    yield Tampering("all walls taken out", _without("wall", every=True))
    yield Tampering("a wall told twice", _twice("wall"))
    yield Tampering("other dice", lambda lines: lines[at(lines, "wall")].update(dice=[6, 6]))
    yield Tampering("a wall of another seed", _driven_with_another_wall, told=True)
    yield Tampering("another first dealer", lambda lines: lines[0].update(qijia=(lines[0]["qijia"] + 1) % 4))
    yield Tampering("another school of walls", put(_header, walls="per-seat"))
    yield Tampering("another rule", lambda lines: lines[0]["rules"]["game"].update(start_points=30000))
    yield Tampering("a riichi that does not stand", _without("lizhi"))
    yield Tampering("a riichi twice", _twice("lizhi"))
    yield Tampering("a discard from elsewhere in the hand", _marked)
    yield Tampering("another tile drawn", lambda lines: value(lines, "zimo", 9).update(p="z9"))
    yield Tampering("a draw of another seat", lambda lines: _turned(value(lines, "zimo", 9)))
    yield Tampering("a draw taken out", _without("zimo"))
    yield Tampering("two lines exchanged", _swapped("dapai", 5))
    yield Tampering("a key more in an item", lambda lines: value(lines, "dapai", 5).update(by="me"))
    yield Tampering("a deal with other points", lambda lines: value(lines, "qipai", 1)["defen"].reverse())
    yield Tampering("another honba", lambda lines: value(lines, "qipai").update(changbang=3))
    yield Tampering("another indicator", lambda lines: value(lines, "qipai").update(baopai="z9"))
    yield Tampering("other final points", lambda lines: value(lines, "jieju")["defen"].reverse())
    yield Tampering("other ranks", lambda lines: value(lines, "jieju")["rank"].reverse())


def _turned(item: dict[str, Any]) -> None:
    item["l"] = (item["l"] + 1) % 4


def _marked(lines: Lines) -> None:
    dapai = value(lines, "dapai", 6)
    dapai["p"] = dapai["p"].replace("_", "") if "_" in dapai["p"] else dapai["p"][:2] + "_"


def _other_cards(lines: Lines) -> None:
    play = value(lines, "play", 4)
    play["cards"] = "S3" if play["cards"] != "S3" else "C3"


def _of_other(play: dict[str, Any]) -> None:
    play["seat"] = 0 if play["seat"] else 1


def daifugo() -> Iterator[Tampering]:
    yield from header()
    yield from answers()
    played = _of_answer(lambda one: one["reply"])
    yield Tampering("an answer that was played is called late", put(played, verdict="late"))
    yield Tampering("other cards were answered", put(played, reply="JO"))
    yield Tampering("a round behind the end", _invented("round"))
    yield Tampering("the log doubled", _doubled("round"))
    yield Tampering("a round cut", _cut("round", 8))
    yield Tampering("the end taken out", _without("end"))
    yield Tampering("the end told twice", _twice("end"))
    yield Tampering("a play behind the end", lambda lines: lines.append({"play": {"seat": 0, "cards": ""}}))
    yield Tampering("a line that is no item", _added("play", 3, {"note": "seen"}))
    yield Tampering("other cards were played", _other_cards)
    yield Tampering("a play of another seat", lambda lines: _of_other(value(lines, "play", 2)))
    yield Tampering("other hands", lambda lines: value(lines, "deal").reverse())
    yield Tampering("another leader", lambda lines: lines[at(lines, "leader")].update(leader=9))
    yield Tampering("other ranks at the start", lambda lines: lines[0]["ranks"].__setitem__(0, 1))
    yield Tampering("a play taken out", _without("play"))
    yield Tampering("a 流れ taken out", _without("nagare"))
    yield Tampering("other ranks", lambda lines: value(lines, "finish")["ranks"].reverse())
    yield Tampering("other points", lambda lines: value(lines, "end")["points"].__setitem__(0, 99))


def _log(lines: Lines) -> Any:
    return lines[0]["log"]


def _in_log(lines: Lines, key: str, nth: int = 0) -> Any:
    return [item[key] for kyoku in _log(lines) for item in kyoku if key in item][nth]


def _hule(lines: Lines) -> Any:
    return _in_log(lines, "hule")


def _other_honour(zimo: dict[str, Any]) -> None:
    zimo["p"] = "z7" if zimo["p"] != "z7" else "z6"


def _not_held(lines: Lines) -> None:
    honours = _in_log(lines, "qipai")["shoupai"][0].partition("z")[2]
    _in_log(lines, "dapai")["p"] = next(f"z{n}" for n in range(1, 8) if f"{n}" not in honours)


def paifu() -> Iterator[Tampering]:
    yield Tampering("a kyoku behind the end", lambda lines: _log(lines).append(list(_log(lines)[0])))
    yield Tampering("the log doubled", lambda lines: _log(lines).extend(list(_log(lines))))
    yield Tampering("a kyoku cut after four items", lambda lines: _log(lines)[0].__delitem__(slice(4, None)))
    yield Tampering("a kyoku without its result", lambda lines: _log(lines)[0].pop())
    yield Tampering("a kyoku taken out", lambda lines: _log(lines).pop(1))
    yield Tampering("an item behind a result", lambda lines: _log(lines)[0].append({"zimo": {"l": 0, "p": "m1"}}))
    yield Tampering("an item behind the end", lambda lines: _log(lines)[-1].append({"zimo": {"l": 0, "p": "m1"}}))
    yield Tampering("two keys in an item", lambda lines: _log(lines)[0][1].update(kaigang={"baopai": "m1"}))
    yield Tampering("an invented win and no end", _unfinished)
    yield Tampering("the end taken out", put(_header, defen=[], point=[], rank=[]))
    yield Tampering("other final points", lambda lines: lines[0]["defen"].reverse())
    yield Tampering("other results", lambda lines: lines[0]["point"].reverse())
    yield Tampering("other ranks", lambda lines: lines[0]["rank"].reverse())
    yield Tampering("another first dealer", lambda lines: lines[0].update(qijia=(lines[0]["qijia"] + 1) % 4))
    yield Tampering("another seed", lambda lines: lines[0]["jantaku"].update(seed="another"))
    yield Tampering(
        "another seed beside walls that are told",
        lambda lines: lines[0]["jantaku"].update(driven=True, seed="another"),
        told="the seed",
    )
    yield Tampering("another number", lambda lines: lines[0]["jantaku"].update(number=7))
    yield Tampering("another school of walls", lambda lines: lines[0]["jantaku"].update(walls="per-seat"))
    yield Tampering("another rule", lambda lines: lines[0]["jantaku"]["rules"]["game"].update(start_points=30000))
    yield Tampering("a deal with other points", lambda lines: _in_log(lines, "qipai", 1)["defen"].reverse())
    yield Tampering("another tile drawn", lambda lines: _other_honour(_in_log(lines, "zimo")))
    yield Tampering("a discard that was not held", _not_held)
    yield Tampering("another payment", lambda lines: _hule(lines)["fenpei"].reverse())
    yield Tampering("another worth", lambda lines: _hule(lines).update(defen=96000))
    yield Tampering("another winner", lambda lines: _turned(_hule(lines)))
    yield Tampering("one yaku less", lambda lines: _hule(lines)["hupai"].pop())
    yield Tampering("a key more in a win", lambda lines: _hule(lines).update(by="me"))
    yield Tampering("other names", lambda lines: lines[0]["player"].reverse(), told=True)
    yield Tampering("another title", put(_header, title="the final"), told=True)
    yield Tampering("a key that nobody knows", put(_header, judge="me"), told=True)


def _unfinished(lines: Lines) -> None:
    del _log(lines)[0][4:]
    _log(lines)[1][1:] = [{"hule": _hule(lines)}]
    lines[0].update(defen=[], point=[], rank=[])


def changed(path: Path, way: Tampering, *, anew: bool) -> Path:
    """Make a copy of a record with that change; `anew`: with recomputed digests."""
    is_journal = path.suffix == ".jsonl"
    texts = path.read_bytes().splitlines() if is_journal else [path.read_bytes()]
    lines: Lines = [msgspec.json.decode(text) for text in texts]
    before = msgspec.json.encode(lines)
    way.change(lines)
    if msgspec.json.encode(lines) == before:
        raise AssertionError(f"this record has nothing that could be changed so: {way.name}")
    content = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    other = path.with_name(f"tampered{path.suffix}")
    other.write_bytes(forged(content) if anew and is_journal else content)
    return other


FORMS = {
    "journal": ("game-0000.jsonl", riichi),
    "牌譜": ("game-0000.json", paifu),
    "牌譜 of 2015": ("game-0000.2015.json", paifu),
    "journal of 大富豪": ("series/game-0000.jsonl", daifugo),
}
"""The file to tamper with, and the ways."""
RIICHI = ("--players", "dice,caller,shanten,tsumogiri", "--rules", "showa", "--length", "tonpu", "--paifu", "2015")
DAIFUGO = ("--game", "daifugo", "--players", "daifugo-greedy,daifugo-weakest,dice", "--set", "series.rounds=2")
