"""Opens the journal of a game that was killed: with the whole one that the table kept, or by its seed."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from table.daifugo.cards import cards_text
from table.daifugo.game import deals_from
from table.daifugo.ranks import gifts
from table.errors import BadInput
from table.record.sealed import commitment, folder, is_sealed, whole_of
from table.riichi.flow.hanchan import Standing
from table.riichi.game import walls_from
from table.riichi.pieces.notation import hand_text
from table.riichi.pieces.seat_wall import WALLS
from table.riichi.pieces.tiles import NAMES
from table.riichi.pieces.wall import Wall
from table.riichi.rules import Rules

SeedsOf = Callable[[int], Sequence[str]]
"""Seeds to try for the game of that number."""
REFILLED = "opened by its seed"
"""The version in the header of a journal whose tiles were dealt again: it has no answers."""


def no_seeds(number: int) -> Sequence[str]:
    """Nobody has given a seed."""
    return ()


def unsealed(path: Path, content: bytes, seeds: SeedsOf) -> tuple[bytes, str]:
    """The journal in `content` as a whole one, and nothing; or as it is, and why it is only what the public saw.

    BadInput if a seed was given that is not the one of the game.
    """
    if not is_sealed(content):
        return content, ""
    whole = whole_of(path, content)
    if whole is not None:
        return whole, ""
    header = msgspec.json.decode(content.partition(b"\n")[0])
    if not isinstance(header, dict) or not isinstance(header.get("number"), int):
        return content, ""  # no header of ours: whoever reads on says so
    if header.get("driven"):
        return content, _HIDDEN.format("its tiles are those of another record", folder())
    given = list(seeds(header["number"]))
    for seed in given:
        if commitment(seed, header["number"]) == header.get("commit"):
            return _refilled(path, content, {**header, "seed": seed}), ""
    if given:
        raise BadInput(f"--seed: that is not the seed of {path}: it was committed to {header.get('commit')}")
    return content, _HIDDEN.format("give its seed with --seed", folder())


_HIDDEN = "only what the public saw: the game was not ended and the rest of its journal is not in {1}; {0}"


def _refilled(path: Path, content: bytes, header: dict[str, Any]) -> bytes:
    """A journal with the tiles or cards that its seed deals. It has no answers: those were in the whole one."""
    lines = [msgspec.json.decode(line) for line in content.split(b"\n")[1:-1]]
    filled = _daifugo if header.get("game") == "daifugo" else _riichi
    header = {**header, "version": REFILLED}
    del header["sealed"]
    try:
        return b"".join(msgspec.json.encode(line) + b"\n" for line in (header, *filled(header, lines)))
    except (msgspec.ValidationError, KeyError, IndexError, TypeError) as error:
        raise BadInput(f"{path}: a line is not understood: {error}") from None


def _riichi(header: dict[str, Any], lines: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    deal = walls_from(
        header["seed"], header["number"], msgspec.convert(header["rules"], Rules), header.get("walls", "shared")
    )
    wall: Wall = WALLS["shared"]((), (), ())
    for line in lines:
        if "qipai" in line:
            qipai = line["qipai"]
            number = qipai["zhuangfeng"] * 4 + qipai["jushu"]
            wall = deal(Standing(number, qipai["changbang"], qipai["lizhibang"], (0, 0, 0, 0), number))
            yield {"wall": "".join(NAMES[tile] for tile in wall.tiles), "dice": wall.dice}
            yield {"qipai": {**qipai, "shoupai": [hand_text(hand) for hand in wall.hands]}}
        elif "zimo" in line:
            yield {"zimo": {**line["zimo"], "p": NAMES[wall.draw(line["zimo"]["l"])]}}
        elif "gangzimo" in line:
            yield {"gangzimo": {**line["gangzimo"], "p": NAMES[wall.draw_rinshan()]}}
        else:
            yield line


def _daifugo(header: dict[str, Any], lines: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    deal = deals_from(header["seed"], header["number"], len(header["player"]))
    at, ranks, hands = 0, (), deal(1)
    for line in lines:
        if "round" in line:
            at, ranks = line["round"]["number"], tuple(line["round"]["ranks"])
        if "deal" in line:
            hands = deal(at)
            yield {"deal": [cards_text(hand) for hand in hands]}
        elif "exchange" in line:
            given = gifts(hands, ranks)
            yield {"exchange": [{**msgspec.structs.asdict(gift), "cards": cards_text(gift.cards)} for gift in given]}
        else:
            yield line
