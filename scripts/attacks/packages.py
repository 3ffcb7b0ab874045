"""Attacks by folders and zips that are no bots or lead out of their folder, and by wrong messages of programs from
folders."""

import json
import os
import shlex
import shutil
import stat
import struct
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from scripts.attacks.doors import Kind
from scripts.attacks.kit.attack import Attack, Failed, Skipped, attack
from scripts.attacks.kit.command import jantaku
from scripts.attacks.kit.tables import HONEST, blamed_for, seated
from scripts.environments import PYTHON

MANY = 20_001
FOUR_GIGABYTES = 0xF000_0000
FOLDER = """import json, sys, time
me, turns, before = int(sys.argv[1]), 0, "{{}}"
for line in sys.stdin:
    last = json.loads(line)[-1]
    mine = last["type"] == "tsumo" and last["actor"] == me
    turns += mine
    usual = {{"type": "dahai", "actor": me, "pai": last["pai"], "tsumogiri": True}} if mine else {{"type": "none"}}
    said = [json.dumps(usual)]
    if mine and turns == 3:
        {vice}
    sys.stdout.write("".join(line + "\\n" for line in said))  # at once: replies are counted
    sys.stdout.flush()
    before = said[-1] if mine else before
"""
LISTS = """import json, os, sys
seen = [os.path.join(place, name) for place in {places!r} if os.path.isdir(place) for name in os.listdir(place)]
print(json.dumps(seen), file=sys.stderr)
me = int(sys.argv[1])
for line in sys.stdin:
    last = json.loads(line)[-1]
    mine = last["type"] == "tsumo" and last["actor"] == me
    reply = {{"type": "dahai", "actor": me, "pai": last["pai"], "tsumogiri": True}} if mine else {{"type": "none"}}
    print(json.dumps(reply), flush=True)
"""


LINES: dict[Kind, tuple[str, str]] = {
    Kind.MALFORMED: ("said = ['{']", "malformed"),
    Kind.UNKNOWN: ("""said = ['{"type": "fly"}']""", "malformed"),
    Kind.WRONG_SEAT: ("said = [json.dumps({**usual, 'actor': 9})]", "malformed"),
    Kind.NOT_POSSIBLE: ("""said = ['{"type": "hora"}']""", "illegal"),
    Kind.LATE: ("time.sleep(4)", "silent"),
    Kind.STALE: ("said = [before, *said]", "illegal"),
    Kind.DUPLICATE: ("said *= 2", "ok"),
    Kind.OVERSIZED: ("said = [json.dumps({**usual, 'more': 'x' * 3_000_000})]", "malformed gone"),
    Kind.BROKEN: ("sys.exit(3)", "gone"),
}
"""By kind of bad message: what a program does in its own turn, and the possible verdicts; `ok`: perhaps none."""
TRANSPORTS = ("pipe", "folder")


def attacks() -> Iterator[Attack]:
    for what, make in REFUSED.items():
        yield attack(f"a player is {what}", refused, make).but(quick=what in QUICK)
    for transport in TRANSPORTS:
        for kind in LINES:
            named = f"a program that came by {transport}: a message that is {kind}"
            yield attack(named, said_wrongly, transport, *LINES[kind])
    for name in ("node_modules", "records", "inside"):
        for place in ("/proc", "/tmp", "/dev", "elsewhere"):
            yield attack(f"a folder in the sandbox whose {name} is a link to {place}", linked, name, place)


def linked(folder: Path, name: str, place: str) -> str:
    """The bot plays, and sees neither this machine's processes nor its files."""
    if shutil.which("bwrap") is None:
        raise Skipped("bubblewrap is not installed")
    folder.chmod(0o755)
    (home := folder / "theirs").mkdir()
    (elsewhere := folder / "elsewhere").mkdir()
    (elsewhere / "secret").touch()
    (home / "bot.py").write_text(LISTS.format(places=["/proc", "/tmp", "/dev", str(elsewhere), str(home / name)]))
    (home / name).symlink_to(os.path.relpath(folder / place, home))
    with tempfile.NamedTemporaryFile(dir="/tmp") as theirs:
        ran, _ = seated(f"folder:{home}?name=a&sandbox=on", folder, env={"XDG_CACHE_HOME": str(folder / "cache")})
        seen = set(json.loads(next(folder.rglob("a.stderr.txt")).read_text().splitlines()[0]))
        ours = {
            theirs.name,
            f"/proc/{os.getpid()}",
            "/dev/kmsg",
            str(elsewhere / "secret"),
            str(home / name / "secret"),
        }
        if found := seen & ours:
            raise ran.failed(f"it has seen {sorted(found)}")
    return f"{len(seen)} names"


def said_wrongly(folder: Path, transport: str, vice: str, verdicts: str) -> str:
    """Play a game; only the program's seat is blamed."""
    (home := folder / "theirs").mkdir()
    (home / "bot.py").write_text(FOLDER.format(vice=vice))
    player = {
        "pipe": f"exec:{PYTHON} {shlex.quote(str(home / 'bot.py'))} {{id}}?dialect=mjai&name=a",
        "folder": f"folder:{home}?name=a",
    }[transport]
    ran, outcomes = seated(player, folder, env={"XDG_CACHE_HOME": str(folder / "cache")})
    return blamed_for(ran, outcomes[0], verdicts.split()) or "nothing"


# --- what is no bot


def _zip(file: Path, *entries: tuple[str | zipfile.ZipInfo, bytes]) -> str:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as written:
        for entry, content in entries:
            written.writestr(entry, content)
    return file.name


def _zip_with(*entries: tuple[str, bytes]) -> Callable[[Path], str]:
    return lambda folder: _zip(folder / "bad.zip", ("bot.py", b""), *entries)


def _with_mode(mode: int) -> Callable[[Path], str]:
    def make(folder: Path) -> str:
        entry = zipfile.ZipInfo("passwd")
        entry.external_attr = (mode | 0o777) << 16
        return _zip(folder / "bad.zip", ("bot.py", b""), (entry, b"/etc/passwd"))

    return make


def _saying(size: int) -> Callable[[Path], str]:
    """Make a zip whose directory gives its last file that many bytes."""

    def make(folder: Path) -> str:
        name = _zip_with(("zeros", bytes(1 << 16)))(folder)
        data = bytearray((folder / name).read_bytes())
        place = data.rindex(b"PK\x01\x02")
        struct.pack_into("<I", data, place + 24, size)
        (folder / name).write_bytes(data)
        return name

    return make


def _cut(folder: Path) -> str:
    name = _zip_with(("weights", os.urandom(5000)))(folder)
    (folder / name).write_bytes((folder / name).read_bytes()[:-30])
    return name


def _noise(folder: Path) -> str:
    (folder / "bad.zip").write_bytes(bytes(range(256)) * 64)
    return "bad.zip"


def _folder(*names: str) -> Callable[[Path], str]:
    def make(folder: Path) -> str:
        (folder / "bad").mkdir()
        for name in names:
            (folder / "bad" / name).touch()
        return "bad"

    return make


def _link(folder: Path) -> str:
    (folder / "bad").symlink_to("bad")
    return "bad"


REFUSED: dict[str, Callable[[Path], str]] = {
    "a folder that is empty": _folder(),
    "a folder without an entry point": _folder("README.md", "main.py"),
    "a folder that is not there": lambda folder: "nobody",
    "a link to itself": _link,
    "a zip without an entry point": lambda folder: _zip(folder / "bad.zip", ("README.md", b"")),
    "a zip in a zip": lambda folder: _zip(folder / "bad.zip", ("inner.zip", b"PK\x05\x06" + bytes(18))),
    "a zip that climbs out of its folder": _zip_with(("../out.py", b"")),
    "a zip that climbs out from below": _zip_with(("a/../../out.py", b"")),
    "a zip with an absolute path": _zip_with(("/tmp/jantaku-out.py", b"")),
    "a zip with a path of Windows": _zip_with(("..\\out.py", b"")),
    "a zip with a link": _with_mode(stat.S_IFLNK),
    "a zip with a pipe": _with_mode(stat.S_IFIFO),
    "a zip that unpacks to gigabytes": _saying(FOUR_GIGABYTES),
    "a zip that says less than it holds": _saying(5),
    "a zip of 20,001 files": _zip_with(*((f"x{number}", b"") for number in range(MANY))),
    "a zip of folders in folders": _zip_with(*(("a/" * depth + "x.py", b"") for depth in range(200, 2000, 200))),
    "a zip with a file where a folder is": _zip_with(("bot.py/inside.py", b"1")),
    "a zip with a name of a terminal's commands": _zip_with(("../\x1b[2Jx", b"")),
    "a zip that is cut short": _cut,
    "a zip of noise": _noise,
}
"""What is made in a folder; returns its name there."""
QUICK = {"a zip that climbs out of its folder"}


def refused(folder: Path, make: Callable[[Path], str]) -> None:
    """It is refused in one line; nothing is unpacked, there or elsewhere."""
    (own := folder / "own").mkdir()
    name = make(own)
    players = ",".join((f"folder:{own / name}", *HONEST))
    words = ("play", "--length", "one", "--players", players, "--out", "out")
    jantaku(*words, cwd=folder, seconds=50, env={"XDG_CACHE_HOME": str(folder / "cache")}).refused()
    left = [path for path in (folder / "cache").rglob("*") if path.is_file()]
    if left or list(folder.rglob("out*")) or Path("/tmp/jantaku-out.py").exists():
        raise Failed(f"written: {left or list(folder.rglob('out*'))}")
