"""The simulated disk: all that this process does to the files of one folder goes through it, step by step.

It lies where Python meets the system: in `os` and `io.open`, and in SQLite's own file system (`sqlite.py`). So the code
of the table runs as it is. Reading is no step. The files are real ones, so that another process sees what is left.

The model of a power cut is that of file systems with an ordered journal (ext4, xfs, btrfs): names change in the order
in which they were changed, so that what is there of them is what there was after some step, and every step is tried;
content is there as far as it was synced.
"""

import builtins
import errno
import importlib
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NoReturn

from tests.simulation.disk.faults import DEAD, FILLING, Fault, How, Step

_CHANGING: Final = os.O_CREAT | os.O_TRUNC
_FILES: Final = "/proc/self/fd"
_read: Final = Path.read_bytes
_open: Final = io.open


class Disk:
    """The disk below `root`. `apart`: folders directly in it are file systems of their own, between which nothing can
    be renamed. The steps are in `log` in the end."""

    def __init__(self, root: Path, fault: Fault | None, *, log: Path, apart: bool = False) -> None:
        self.root, self._fault, self._log, self._apart = os.path.realpath(root), fault, log, apart
        self.steps: list[Step] = []
        self._is_full = False
        self._synced = {os.stat(path).st_ino: _read(path) for path in self._files()}
        """By the inode of a file what is on the disk of it for certain."""

    # --- steps

    def step(self, what: str, path: str, size: int = 0, tear: Callable[[int], object] | None = None) -> int:
        """One more step: returns how many of its bytes are to be written. OSError if the disk refuses; it does not
        return where a fault ends the process. `tear` writes so many bytes."""
        step = Step(what, os.path.relpath(path, self.root), size)
        self.steps.append(step)
        how = None if self._fault is None or len(self.steps) != self._fault.step else self._fault.how
        lands = size // 2 if how is How.FULL and not self._is_full else 0
        self._is_full = self._is_full or how is How.FULL
        if self._is_full and what in FILLING and not lands:
            raise _refusal(errno.ENOSPC, path)
        if how is How.ERROR:
            raise _refusal(errno.EIO, path)
        if how is How.TORN and tear is not None:
            tear(size // 2)
        if how is not None and how.ends:
            self._end(how)
        return lands or size

    def _end(self, how: How) -> NoReturn:
        if how.is_power:
            for path in self._files():
                self._cut(path, how)
        self.close()
        os._exit(DEAD)

    def close(self) -> None:
        with _open(self._log, "w", encoding="utf-8") as file:
            file.writelines(f"{step.what}\t{step.path}\t{step.size}\n" for step in self.steps)

    def _cut(self, path: Path, how: How) -> None:
        """Leave of a file what a power cut leaves."""
        now, kept = _read(path), self._synced.get(os.stat(path).st_ino, b"")
        if path.name.endswith("-shm"):  # memory that processes share
            now, kept = b"", b""
        elif now == kept:
            return
        rest = now[len(kept) :] if now.startswith(kept) else b""
        more = {How.LOST: b"", How.SHORN: rest[: len(rest) // 2], How.BLANK: bytes(len(rest))}[how]
        with _open(path, "wb") as file:
            file.write(kept + more)

    # --- what is known of files

    def has(self, path: Any) -> bool:
        return isinstance(path, str) and (path + "/").startswith(self.root + "/")

    def is_new(self, path: str) -> None:
        """A file was made just now: nothing of it is synced, even if its inode was that of another one."""
        self._synced.pop(os.stat(path).st_ino, None)

    def is_synced(self, path: str) -> None:
        """All that is in a file is on the disk from here on."""
        if os.path.isfile(path):
            self._synced[os.stat(path).st_ino] = _read(Path(path))

    def refuse_apart(self, source: str, target: str) -> None:
        """OSError where two paths are on file systems apart."""
        tops = {os.path.relpath(path, self.root).split("/")[0] for path in (source, target)}
        if self._apart and len(tops) > 1:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV), source, None, target)

    def _files(self) -> list[Path]:
        return [path for path in Path(self.root).rglob("*") if path.is_file() and not path.is_symlink()]

    # --- where Python meets the system

    def install(self) -> None:
        """From here on, for the rest of this process."""
        for name in ("mkdir", "rmdir", "unlink", "remove", "chmod", "utime", "truncate"):
            setattr(os, name, self._one(name, getattr(os, name)))
        for name in ("rename", "replace"):
            setattr(os, name, self._renaming(name, getattr(os, name)))
        os.symlink = self._symlink(os.symlink)
        for name in ("fsync", "fdatasync"):
            setattr(os, name, self._syncing(getattr(os, name)))
        os.open = self._opening(os.open)
        io.open = self._file
        builtins.open = self._file

    def _one(self, name: str, done: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: Any, *rest: Any, **named: Any) -> Any:
            if self.has(at := _at(path, named.get("dir_fd"))):
                self.step("unlink" if name == "remove" else name, at)
            return done(path, *rest, **named)

        return call

    def _renaming(self, name: str, done: Callable[..., Any]) -> Callable[..., Any]:
        def call(source: Any, target: Any, **named: Any) -> None:
            if self.has(to := _at(target)):
                self.refuse_apart(_at(source), to)
                self.step(name, to)
            done(source, target, **named)

        return call

    def _symlink(self, done: Callable[..., Any]) -> Callable[..., Any]:
        def call(source: Any, target: Any, *rest: Any, **named: Any) -> None:
            if self.has(at := _at(target)):
                self.step("symlink", at)
            done(source, target, *rest, **named)

        return call

    def _syncing(self, done: Callable[[Any], None]) -> Callable[[Any], None]:
        def call(file: Any) -> None:
            if self.has(at := _at(file if isinstance(file, int) else file.fileno())):
                self.step("sync", at)
                self.is_synced(at)
            done(file)

        return call

    def _opening(self, done: Callable[..., int]) -> Callable[..., int]:
        def call(path: Any, flags: int, *rest: Any, dir_fd: int | None = None) -> int:
            at = _at(path, dir_fd)
            if not flags & _CHANGING or not self.has(at):
                return done(path, flags, *rest, dir_fd=dir_fd)
            is_new = not os.path.exists(at)
            self.step("create", at)
            file = done(path, flags, *rest, dir_fd=dir_fd)
            if is_new:
                self.is_new(at)
            return file

        return call

    def _file(self, file: Any, mode: str = "r", buffering: int = -1, *text: Any, **more: Any) -> Any:
        writes, at = any(letter in mode for letter in "wax+"), _at(file)
        if not writes or not self.has(at):
            return _open(file, mode, buffering, *text, **more)
        opener, closefd = more.pop("opener", None), more.pop("closefd", True)
        is_new = not os.path.exists(at)
        if opener is None and not isinstance(file, int):
            self.step("create", at)
        raw = _Raw(self, at, file, mode.replace("b", "").replace("t", ""), closefd=closefd, opener=opener)
        if is_new and os.path.exists(at):
            self.is_new(at)
        if buffering == 0:
            return raw
        held: Any = io.BufferedRandom(raw) if "+" in mode else io.BufferedWriter(raw)
        return held if "b" in mode else io.TextIOWrapper(held, *text, **more)


class _Raw(io.FileIO):
    def __init__(self, disk: Disk, at: str, file: Any, mode: str, **more: Any) -> None:
        super().__init__(file, mode, **more)
        self._disk, self._at = disk, at

    def write(self, data: Any, /) -> int:
        view = memoryview(data).cast("B")
        put = super().write
        return put(view[: self._disk.step("write", self._at, len(view), lambda size: put(view[:size]))])

    def truncate(self, size: int | None = None, /) -> int:
        self._disk.step("truncate", self._at)
        return super().truncate(size)


def _refusal(number: int, path: str) -> OSError:
    return OSError(number, os.strerror(number), path)


def _at(file: Any, folder: int | None = None) -> str:
    """The path of a file: of its number, or of its name in a folder that is open."""
    if isinstance(file, int):
        return os.readlink(f"{_FILES}/{file}")
    name = os.fsdecode(file)
    return os.path.join(os.getcwd() if folder is None else os.readlink(f"{_FILES}/{folder}"), name)


def _nothing_is_synced() -> None:
    Disk.is_synced = lambda self, path: None  # type: ignore[method-assign]


def _moves_are_copies() -> None:
    sealed = importlib.import_module("jantaku.table.records.journal.sealed")

    def move(place: Path, path: Path) -> None:
        path.write_bytes(place.read_bytes())
        place.unlink()

    sealed.move = move  # type: ignore[attr-defined]


MISTAKES: Final[dict[str, Callable[[], None]]] = {
    "nothing is synced": _nothing_is_synced,
    "moves are copies": _moves_are_copies,
}
