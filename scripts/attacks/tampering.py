"""Records that somebody has changed: `jantaku verify` names each change, or lists what it is in as only told."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from scripts.attacks.kit.attack import Attack, Failed, attack
from scripts.attacks.kit.command import jantaku
from scripts.attacks.kit.tamperings import Lines, Tampering, daifugo, paifu, riichi

FORMS = {
    "journal": ("game-0000.jsonl", riichi),
    "牌譜": ("game-0000.json", paifu),
    "牌譜 of 2015": ("game-0000.2015.json", paifu),
    "journal of 大富豪": ("series/game-0000.jsonl", daifugo),
}
"""The file that is tampered with, and in which ways."""
RIICHI = ("--players", "dice,caller,shanten,tsumogiri", "--rules", "showa", "--length", "tonpu", "--paifu", "2015")
DAIFUGO = ("--game", "daifugo", "--players", "daifugo-greedy,daifugo-weakest,dice", "--set", "series.rounds=2")


def attacks() -> Iterator[Attack]:
    """See the package."""
    for form, (file, ways) in FORMS.items():
        for number, way in enumerate(ways()):
            one = attack(f"{form}: {way.name}", tampered, file, way)
            yield Attack(one.name, one.run, seconds=20, quick=number % 10 == 0)


@cache
def _played(folder: Path) -> Path:
    """Records of each form, in a folder."""
    always = ("--threads", "inline", "--seed", "8", "--quiet")
    jantaku("play", *RIICHI, *always, "--out", "records", cwd=folder).fine()
    jantaku("play", *DAIFUGO, *always, "--out", "records/series", cwd=folder).fine()
    return folder / "records"


def changed(path: Path, way: Tampering) -> Path:
    """A record changed in that way, beside it."""
    is_journal = path.suffix == ".jsonl"
    lines: Lines = [json.loads(line) for line in path.read_bytes().splitlines()] if is_journal else []
    lines = lines or [json.loads(path.read_bytes())]
    before = json.dumps(lines)
    way.change(lines)
    if json.dumps(lines) == before:
        raise Failed(f"this record has nothing that could be changed so: {way.name}")
    other = path.with_name(f"tampered{path.suffix}")
    other.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    return other


def tampered(folder: Path, file: str, way: Tampering) -> str | None:
    """A change is named, or what was changed is listed as told and not proven."""
    path = changed(_played(folder) / file, way)
    ran = jantaku("verify", path, cwd=folder)
    if ran.code in (1, 2):
        return None
    if "as far as it goes" in ran.out:
        return "named as a record without an end"
    if way.told and "only told" in ran.out:
        return "only told"
    raise Failed(f"jantaku verify says: {ran.out}")
