"""Tampered records: `jantaku verify` names each change, or lists the changed field as only told."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec

from scripts.attacks.kit.attack import Attack, Failed, attack
from scripts.attacks.kit.command import jantaku
from scripts.attacks.kit.tamperings import Lines, Tampering, daifugo, forged, paifu, riichi

FORMS = {
    "journal": ("game-0000.jsonl", riichi),
    "牌譜": ("game-0000.json", paifu),
    "牌譜 of 2015": ("game-0000.2015.json", paifu),
    "journal of 大富豪": ("series/game-0000.jsonl", daifugo),
}
"""The file to tamper with, and the ways."""
RIICHI = ("--players", "dice,caller,shanten,tsumogiri", "--rules", "showa", "--length", "tonpu", "--paifu", "2015")
DAIFUGO = ("--game", "daifugo", "--players", "daifugo-greedy,daifugo-weakest,dice", "--set", "series.rounds=2")


def attacks() -> Iterator[Attack]:
    for form, (file, ways) in FORMS.items():
        for way in ways():
            one = attack(f"{form}: {way.name}", tampered, file, way)
            yield Attack(one.name, one.run, seconds=20)


@cache
def _played(folder: Path) -> Path:
    """Make records of each form in a folder."""
    always = ("--threads", "inline", "--seed", "8", "--quiet")
    jantaku("play", *RIICHI, *always, "--out", "records", cwd=folder).fine()
    jantaku("play", *DAIFUGO, *always, "--out", "records/series", cwd=folder).fine()
    return folder / "records"


def changed(path: Path, way: Tampering, *, anew: bool) -> Path:
    """Make a copy of a record with that change; `anew`: with recomputed digests."""
    is_journal = path.suffix == ".jsonl"
    texts = path.read_bytes().splitlines() if is_journal else [path.read_bytes()]
    lines: Lines = [msgspec.json.decode(text) for text in texts]
    before = msgspec.json.encode(lines)
    way.change(lines)
    if msgspec.json.encode(lines) == before:
        raise Failed(f"this record has nothing that could be changed so: {way.name}")
    content = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
    other = path.with_name(f"tampered{path.suffix}")
    other.write_bytes(forged(content) if anew and is_journal else content)
    return other


def tampered(folder: Path, file: str, way: Tampering) -> str | None:
    """The change is named; with recomputed digests, or in a record without any, it may be in a field that is listed as
    only told."""
    path = _played(folder) / file
    if path.suffix == ".jsonl":
        ran = jantaku("verify", changed(path, way, anew=False), cwd=folder)
        if ran.code not in (1, 2):
            raise Failed(f"the digest does not name it: {ran.out}")
    ran = jantaku("verify", changed(path, way, anew=True), cwd=folder)
    if ran.code in (1, 2):
        return None
    if "as far as it goes" in ran.out:
        return "named as a record without an end"
    listed = ran.out.partition("only told")[2]
    if way.told and (way.told if isinstance(way.told, str) else ":") in listed:
        return "only told"
    raise Failed(f"jantaku verify says: {ran.out}")
