"""Which anchors there are: where each comes from, at which version, under which licence, and how it is started."""

import sys
from pathlib import Path
from typing import NamedTuple

from jantaku.players import adapters

HERE = Path(__file__).parent
ADAPTER = str(Path(adapters.__file__).parent / "majiang_ai.js")
LEGACY = "0000 0001 0002 0003 0004 0101 0102 0201 0202 0301 0302 0303 0304 0305 0400 0401 0402 0403 0501 0502 0503 0504"


class Package(NamedTuple):
    """A version of a package. `digest`: the checksum of its archive."""

    name: str
    version: str
    digest: str


class Origin(NamedTuple):
    """A version of a repository."""

    address: str
    commit: str
    licence: str

    @property
    def folder(self) -> str:
        return f"{self.address.rpartition('/')[2]}-{self.commit[:12]}"


class Anchor(NamedTuple):
    """Where a known player comes from and how it is seated. `words` are its command and `terms` what follows the
    question mark. In both, {home} is the folder of all anchors, {files} the folder of this repository, and {python} an
    interpreter with `wheels`. `packed`: one of `packages` is the player, and the repository is not cloned."""

    origin: Origin
    words: tuple[str, ...]
    terms: tuple[str, ...] = ()
    packages: tuple[Package, ...] = ()
    wheels: tuple[Package, ...] = ()
    packed: bool = False


AI = Package(
    "@kobalab/majiang-ai",
    "1.0.13",
    "sha512-0nknoQyv/X/s+RiNpW17brnu8zKsyzdejR1P5p28UPWvRcLeZw6j6EzHBxWhde5SFBTDrxET/7R4v3+oqsXWOw==",
)
CORE = Package(
    "@kobalab/majiang-core",
    "1.4.1",
    "sha512-60jLSDCpSEy6gZK+uBoH7JRc1epzJWSzfh94LiZllLmPW8UJ+f9A8m74c8d9mMv+LVbnxKkg8TC86sKNqaD6VQ==",
)
COFFEE = Package(
    "coffee-script",
    "1.12.7",
    "sha512-fLeEhqwymYat/MpTPUjSKHVYYl0ec2mOyALEMLmzr5i1isuG+6jfI2j2d5oBO3VIzgUXgBVIcOT9uH1TFxBckw==",
)
MAHJONG = Package("mahjong", "1.2.0.dev7", "sha256:783d747d0c02c639972643edc8805a41a6e870a2e20a3ed806760c914f114b0b")
MAJIANG = Origin("https://github.com/kobalab/majiang-ai", "54434f3dc355caf6d43f3f7de382d22697be0d20", "MIT")
MANUE = "https://github.com/gimite/mjai-manue"
TENHOU = "https://github.com/MahjongRepository/tenhou-python-bot"


def _manue(commit: str) -> Anchor:
    coffee = ("node", "{home}/node_modules/coffee-script/bin/coffee", "main.coffee")
    words = (sys.executable, str(HERE / "over_tcp.py"), *coffee)
    terms = ("dialect=mjsonp", "restart=always", "cwd={files}/coffee")
    return Anchor(Origin(MANUE, commit, "New BSD"), words, terms, (COFFEE,))


def _legacy(version: str) -> Anchor:
    return Anchor(MAJIANG, ("node", ADAPTER, f"{{files}}/legacy/player-{version}.js"), packages=(CORE,))


ANCHORS = {
    "majiang-ai": Anchor(
        MAJIANG, ("node", ADAPTER, "{home}/node_modules/@kobalab/majiang-ai"), packages=(AI, CORE), packed=True
    ),
    **{f"majiang-ai-{version}": _legacy(version) for version in LEGACY.split()},
    "manue-013": _manue("893f6f938ee33678c0bcc07f326be2f65858e1b1"),
    "manue-014": _manue("a6ce6c3c11c44cec79e2f183a63af0d66488fce6"),
    "tenhou-python-bot": Anchor(
        Origin(TENHOU, "112b08faab08ee862813de06cb5acc5db1c4feb0", "MIT"),
        ("{python}", str(HERE / "tenhou_bot.py"), "{files}/project"),
        ("dialect=mjai-lines-actions",),
        wheels=(MAHJONG,),
    ),
}
