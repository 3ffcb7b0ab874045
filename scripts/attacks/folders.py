"""Attacks by full disks, unusable folders, links, and two processes in one folder."""

import os
import resource
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from scripts.attacks.kit.attack import Attack, Failed, attack
from scripts.attacks.kit.command import jantaku, start
from scripts.attacks.kit.serving import Serving
from scripts.attacks.kit.tables import nothing_beside

COMMANDS: dict[str, tuple[str, ...]] = {
    "play": ("play", "--length", "one", "--threads", "inline", "--seed", "1"),
    "match": ("match", "--players", "tsumogiri,dice,dice,dice", "--sets", "1", "--threads", "inline", "--workers", "0",
              "--length", "one", "--seed", "1"),
}  # fmt: skip


def _file(folder: Path) -> str:
    (folder / "there").write_text("mine")
    return "there"


def _below_a_file(folder: Path) -> str:
    (folder / "there").write_text("mine")
    return "there/below"


def _dangling(folder: Path) -> str:
    (folder / "link").symlink_to(folder / "elsewhere")
    return "link"


def _loop(folder: Path) -> str:
    (folder / "link").symlink_to("link")
    return "link"


def _fifo(folder: Path) -> str:
    os.mkfifo(folder / "pipe")
    return "pipe"


OUTS: dict[str, Callable[[Path], str]] = {
    "nothing": lambda folder: "",
    "a file": _file,
    "a name below a file": _below_a_file,
    "a link to nowhere": _dangling,
    "a link to itself": _loop,
    "a pipe": _fifo,
    "a device": lambda folder: "/dev/null",
    "a name below a device": lambda folder: "/dev/null/x",
    "a name of /proc": lambda folder: "/proc/self/x",
    "a name of 4000 characters": lambda folder: "x" * 4000,
    "300 folders deep": lambda folder: "/".join(["x"] * 300),
    "a name of lines": lambda folder: "a\nb",
    "a name with a terminal's commands": lambda folder: "\x1b[2Jx",
    "markup": lambda folder: "x[/b]",
    "a tag": lambda folder: "[bold]x",
    "a name with NUL's neighbour": lambda folder: "\x01x",
    "bytes that are no text": lambda folder: "\udcffx",
    "an option's name": lambda folder: "--seed",
    "spaces": lambda folder: "   ",
    "a trailing slash": lambda folder: "x/",
}
INSIDE: dict[str, Callable[[Path], object]] = {
    "a journal that is a link to nowhere": lambda out: (out / "game-0000.jsonl").symlink_to("../elsewhere"),
    "a journal that is a folder": lambda out: (out / "game-0000.jsonl").mkdir(),
    "a 牌譜 that is there already": lambda out: (out / "game-0000.json").touch(),
    "a half 牌譜 from before": lambda out: (out / "game-0000.json.part").touch(),
    "a match's journal that is a link to nowhere": lambda out: (out / "journal.jsonl").symlink_to("../elsewhere"),
    "a match file that is a link to nowhere": lambda out: (out / "match.json").symlink_to("../elsewhere"),
    "results that are a link to nowhere": lambda out: (out / "results.json").symlink_to("../elsewhere"),
    "records that are a link elsewhere": lambda out: (out / "records").symlink_to(".."),
    "a database that is noise": lambda out: (out / "games.sqlite").write_bytes(bytes(range(256)) * 100),
    "somebody's notes": lambda out: (out / "notes.txt").write_text("mine"),
}


def attacks() -> Iterator[Attack]:
    for command in COMMANDS:
        for what, make in OUTS.items():
            yield attack(f"{command} --out is {what}", out_is, command, make)
        for what, put in INSIDE.items():
            yield attack(f"{command} --out holds {what}", out_holds, command, put)
        for size in (0, 1, 1000, 5000, 20_000):
            yield attack(f"the disk is full after {size} bytes of a {command}", full, command, size)
        yield attack(f"two of {command} write into one folder", two_at_once, command)
        yield attack(f"the folder of a {command} is removed while it plays", taken_away, command)
    yield Attack("a server's folder is removed while it serves", served_without_a_folder)
    yield Attack("three resume one match", three_resume, seconds=60)
    for name in ("match.json", "journal.jsonl", "games.sqlite", "results.json", "records"):
        for how in ("missing", "empty", "noise", "a folder", "a link to itself"):
            yield attack(f"a match is resumed and its {name} is {how}", resumed_with, name, how)


def _run(command: str, out: str, folder: Path) -> None:
    ran = jantaku(*COMMANDS[command], "--out", out, cwd=folder, seconds=25).sound()
    if ran.code == 2:
        ran.refused()


def out_is(folder: Path, command: str, make: Callable[[Path], str]) -> None:
    """The folder is refused in one line, or created; what was there is unchanged."""
    place = folder / "own"
    place.mkdir()
    out = make(place)
    before = set(os.listdir(place))
    _run(command, out, place)
    nothing_beside(folder, "own")
    if (place / "there").is_file() and (place / "there").read_text() != "mine":
        raise Failed("somebody's file was overwritten")
    if not out and set(os.listdir(place)) - before - {"records", "matches"}:
        raise Failed(f"--out '' has written into the working folder: {sorted(os.listdir(place))}")
    for left in place.rglob("*.part"):
        raise Failed(f"{left.name} is left")


def out_holds(folder: Path, command: str, put: Callable[[Path], object]) -> None:
    """Nothing is written through a link or over a file."""
    out = folder / "out"
    out.mkdir()
    put(out)
    _run(command, "out", folder)
    nothing_beside(folder, "out")
    if (out / "notes.txt").exists() and (out / "notes.txt").read_text() != "mine":
        raise Failed("somebody's file was overwritten")


def full(folder: Path, command: str, size: int) -> None:
    """A full disk is bad input, in words; no partial file is left, and what was kept can be read."""

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    # Standard output and error are pipes: the limit is for files only.
    process = start(*COMMANDS[command], "--out", "out", cwd=folder, before=limit, python=("-B",))
    err = process.communicate(timeout=25)[1]
    text = err.decode(errors="replace")
    if process.returncode not in (0, 2) or "Traceback" in text or "defect of" in text:
        raise Failed(f"exit code {process.returncode}: {text.strip()[-600:]!r}")
    if left := sorted(path.name for path in folder.rglob("*.part")):
        raise Failed(f"half files are left: {', '.join(left)}")
    for journal in folder.glob("out/game-*.jsonl"):
        if b"\n" in journal.read_bytes():
            jantaku("verify", journal, cwd=folder).sound()


def two_at_once(folder: Path, command: str) -> None:
    """One process has the folder; the other is refused in one line, or neither loses a byte."""
    both = [start(*COMMANDS[command], "--out", "out", cwd=folder) for _ in range(2)]
    told = [process.communicate(timeout=25) for process in both]
    codes = sorted(process.returncode for process in both)
    text = b"".join(err for _, err in told).decode(errors="replace")
    if codes not in ([0, 2], [2, 2]) or "Traceback" in text:
        raise Failed(f"exit codes {codes}: {text.strip()[-600:]!r}")
    if codes == [0, 2]:
        for journal in folder.glob("out/game-*.jsonl"):
            jantaku("verify", journal, cwd=folder).fine()


def taken_away(folder: Path, command: str) -> None:
    """The command says so in one line, or plays to its end; it is no defect."""
    words = [word if word != "1" else "300" for word in COMMANDS[command]] if command == "match" else COMMANDS[command]
    games = ["--games", "300"] if command == "play" else []
    process = start(*words, *games, "--out", "out", "--quiet", cwd=folder)
    until = time.monotonic() + 15
    while not list(folder.glob("out/**/*.jsonl")) and time.monotonic() < until:
        time.sleep(0.01)
    shutil.rmtree(folder / "out", ignore_errors=True)
    try:
        _, err = process.communicate(timeout=15)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=5)
    text = err.decode(errors="replace")
    if "Traceback" in text or "defect of" in text or process.returncode == 70:
        raise Failed(f"exit code {process.returncode}: {text.strip()[-600:]!r}")


def served_without_a_folder(folder: Path) -> None:
    """The server goes on, and logs the loss."""
    with Serving("serve", "--out", "out", "--room", "club", "--players", "ws,dice,dice,dice", cwd=folder):
        subprocess.run(["rm", "-rf", "out"], cwd=folder, check=True)
        time.sleep(0.5)


def _match(folder: Path) -> None:
    jantaku(*COMMANDS["match"], "--quiet", "--out", "out", cwd=folder).fine()


def three_resume(folder: Path) -> None:
    """One process wins, the others get an error."""
    _match(folder)
    journal = folder / "out" / "journal.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
    (folder / "out" / "results.json").unlink()
    several = [start("match", "--resume", "out", "--quiet", cwd=folder) for _ in range(3)]
    errors = [process.communicate(timeout=30)[1].decode(errors="replace") for process in several]
    codes = [process.returncode for process in several]
    if 0 not in codes or set(codes) - {0, 2} or "Traceback" in "".join(errors):
        raise Failed(f"exit codes {codes}: {errors}")
    if journal.read_bytes() != whole:
        raise Failed("the journal is not the one of the undisturbed match")


def resumed_with(folder: Path, name: str, how: str) -> None:
    """The damage is named in one line, or mended; it is no defect, and nothing outside is written."""
    _match(folder)
    path = folder / "out" / name
    subprocess.run(["rm", "-rf", str(path)], check=True)
    match how:
        case "empty":
            path.touch()
        case "noise":
            path.write_bytes(bytes(range(256)) * 64)
        case "a folder":
            path.mkdir()
        case "a link to itself":
            path.symlink_to(path.name)
    ran = jantaku("match", "--resume", "out", "--quiet", cwd=folder, seconds=25).sound()
    if ran.code == 2:
        ran.refused()
    jantaku("stats", "out", cwd=folder).sound()
    nothing_beside(folder, "out")
