"""Folders and files into which nothing can or may be written: a line says so, and what was there stays as it was."""

import os
import resource
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts.serving import Ran, Serving, start
from tests.hostile.sound import nothing_beside, sound
from tests.kit.cases import cases
from tests.kit.command import Jantaku

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


DAILY = {("play", "a link to nowhere"), ("match", "a pipe"), ("play", "a name with a terminal's commands")}


def _each(found: dict[str, Callable[[Path], object]]) -> list[object]:
    every = [(command, what) for command in COMMANDS for what in found]
    return [pytest.param(*one, id=" ".join(one), marks=[pytest.mark.daily] if one in DAILY else []) for one in every]


@pytest.mark.hostile
@pytest.mark.parametrize(("command", "what"), _each(dict(OUTS)))
def test_a_folder_for_records_is_made_or_refused(command: str, what: str, jantaku: Jantaku, elsewhere: Path) -> None:
    out = OUTS[what](elsewhere)
    before = set(os.listdir(elsewhere))
    sound(jantaku(*COMMANDS[command], "--out", out))
    assert not (elsewhere / "there").is_file() or (elsewhere / "there").read_text() == "mine"
    assert out or set(os.listdir(elsewhere)) - before <= {"records", "matches"}
    assert list(elsewhere.rglob("*.part")) == []
    assert not (elsewhere / "link").exists(), "nothing is written through a link"


@pytest.mark.hostile
@pytest.mark.parametrize(("command", "what"), _each(INSIDE))
def test_nothing_is_written_over_files_or_by_links(command: str, what: str, jantaku: Jantaku, elsewhere: Path) -> None:
    (elsewhere / "out").mkdir()
    INSIDE[what](elsewhere / "out")
    sound(jantaku(*COMMANDS[command], "--out", "out"))
    nothing_beside(elsewhere)
    notes = elsewhere / "out" / "notes.txt"
    assert not notes.exists() or notes.read_text() == "mine"


def test_an_export_goes_through_no_link_and_over_no_file(jantaku: Jantaku, elsewhere: Path, game_folder: Path) -> None:
    """`view --export` once wrote to where a link to nowhere leads."""
    (elsewhere / "link.html").symlink_to("nowhere")
    (elsewhere / "file.html").write_text("mine")
    for name in ("link.html", "file.html"):
        ran = jantaku("view", str(game_folder / "game-0000.jsonl"), "--export", name)
        sound(ran)
        assert ran.code == 2
    assert not (elsewhere / "nowhere").exists() and (elsewhere / "file.html").read_text() == "mine"


@cases(
    "link, words",
    ("link.py", ("new", "link.py")),
    ("test_mine.py", ("new", "mine.py")),
    ("link.mjson", ("convert", "GAME", "link.mjson")),
    ("link.parquet", ("convert", "GAME", "link.parquet")),
    ("link.html", ("stats", "GAME", "--report", "link.html")),
    ("link.review.jsonl", ("review", "GAME", "--by", "tsumogiri", "--threads", "inline", "--out", "link.review.jsonl")),
)
def test_no_command_writes_through_a_link_to_nowhere(
    link: str, words: tuple[str, ...], jantaku: Jantaku, elsewhere: Path, game_folder: Path
) -> None:
    """`new` once wrote to where such a link leads."""
    (elsewhere / link).symlink_to("nowhere")
    ran = jantaku(*(str(game_folder / "game-0000.jsonl") if word == "GAME" else word for word in words))
    told = ran.err.splitlines()[-1]  # before it, `convert` says what the other format has no place for
    assert ran.code == 2 and (f"{link} exists already" in told or "pyarrow" in told)
    assert os.listdir(elsewhere) == [link] and not (elsewhere / link).exists()


@pytest.mark.hostile
@pytest.mark.parametrize("size", [0, 1, 1000, 5000, 20_000])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_told_and_leaves_no_half_file(command: str, size: int, tmp_path: Path) -> None:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    # Standard output and error are pipes: the limit is for files only.
    process = start(*COMMANDS[command], "--out", "out", cwd=tmp_path, before=limit, python=("-B",))
    out, err = process.communicate(timeout=60)
    sound(Ran(("play",), process.returncode, out.decode(), err.decode(), 0))
    assert list(tmp_path.rglob("*.part")) == []


def test_a_game_ends_in_order_where_children_are_not_waited_for(tmp_path: Path) -> None:
    """Where SIGCHLD is ignored, whoever waits for a child is told that it has none."""
    process = start(*COMMANDS["play"], "--out", "out", cwd=tmp_path, before=lambda: _ignored(signal.SIGCHLD))
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")


def _ignored(number: int) -> None:
    signal.signal(number, signal.SIG_IGN)


def test_the_page_of_a_record_says_nothing_of_who_hangs_up(tmp_path: Path, game_folder: Path) -> None:
    with Serving("view", str(game_folder / "game-0000.jsonl"), "--no-browser", cwd=tmp_path) as served:
        for _ in range(50):
            with socket.create_connection(("127.0.0.1", served.port), timeout=5) as line:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                line.sendall(b"GET / HTTP/1.1\r\n\r\n")
        with socket.create_connection(("127.0.0.1", served.port), timeout=5) as line:
            line.sendall(f"GET /record/0.json HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n\r\n".encode())
            assert line.recv(12) == b"HTTP/1.0 200" or line.recv(1)
    assert served.so_far().err.strip() in ("", "jantaku: interrupted")
