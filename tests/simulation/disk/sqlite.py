"""SQLite's own file system, at each step of which the simulated disk has a say.

SQLite reaches the system through a table of C functions (https://www.sqlite.org/vfs.html). Those that write are
replaced in the table of the library that Python's `sqlite3` uses: by functions that ask the disk first.
"""

import _sqlite3
import ctypes
import errno
import os
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from typing import Any, Final

from tests.simulation.disk.disk import Disk

_OK: Final = 0
_FULL: Final = 13
_ERRORS: Final = {"write": 778, "truncate": 1546, "sync": 1034, "unlink": 2570, "create": 14}
"""SQLITE_IOERR_WRITE, _TRUNCATE, _FSYNC and _DELETE, and SQLITE_CANTOPEN."""
_CREATE: Final = 4
_OpenFlags = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
_Delete = CFUNCTYPE(c_int, c_void_p, c_char_p, c_int)
_Write = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_Truncate = CFUNCTYPE(c_int, c_void_p, c_int64)
_Sync = CFUNCTYPE(c_int, c_void_p, c_int)


class _System(Structure):
    """sqlite3_vfs, as far as it is needed."""

    _fields_ = (
        *[(name, c_int) for name in ("version", "size", "longest")],
        *[(name, c_void_p) for name in ("next", "name", "data")],
        *[(name, c_void_p) for name in ("open", "delete")],
    )


class _Methods(Structure):
    """sqlite3_io_methods."""

    _fields_ = (
        ("version", c_int),
        *[(name, c_void_p) for name in ("close", "read", "write", "truncate", "sync", "size")],
        *[(f"other{number}", c_void_p) for number in range(12)],
    )


def install(disk: Disk) -> bool:
    """From here on, for the rest of this process; False where Python's SQLite is not a library that can be asked."""
    try:
        find = ctypes.CDLL(_sqlite3.__file__).sqlite3_vfs_find
    except (AttributeError, OSError):
        return False
    find.restype = POINTER(_System)
    _Watched(disk, find(None).contents)
    return True


class _Watched:
    def __init__(self, disk: Disk, system: _System) -> None:
        self._disk = disk
        self._paths: dict[int, str] = {}
        """By the address of an open file."""
        self._tables: dict[int, _Methods] = {}
        """By the address of a table of methods the one in its place."""
        self._kept: list[Any] = [self]
        self._open, self._delete = _OpenFlags(system.open), _Delete(system.delete)
        system.open, system.delete = self._address(_OpenFlags, self.open), self._address(_Delete, self.delete)
        _alive.append(self)

    def _address(self, kind: Any, function: Callable[..., int]) -> int:
        self._kept.append(pointer := kind(function))
        address = ctypes.cast(pointer, c_void_p).value
        assert address is not None
        return address

    def _asked(self, what: str, path: str, size: int = 0, tear: Callable[[int], object] | None = None) -> int:
        """SQLite's code for what the disk says to a step."""
        if not self._disk.has(path):
            return _OK
        try:
            lands = self._disk.step(what, path, size, tear)
        except OSError as error:
            return _FULL if error.errno == errno.ENOSPC and what != "create" else _ERRORS[what]
        if lands == size:
            return _OK
        if tear is not None:
            tear(lands)
        return _FULL

    def open(self, system: int, name: int | None, file: int, flags: int, told: int | None) -> int:
        path = "" if name is None else os.fsdecode(ctypes.string_at(name))
        is_new = bool(path) and flags & _CREATE and not os.path.exists(path)
        if is_new and (refused := self._asked("create", path)):
            ctypes.cast(file, POINTER(c_void_p))[0] = None  # no methods: nothing is to be closed
            return refused
        code = self._open(system, name, file, flags, told)
        place = ctypes.cast(file, POINTER(c_void_p))
        if code == _OK and place[0] and self._disk.has(path):
            if is_new:
                self._disk.is_new(path)
            self._paths[file] = path
            place[0] = ctypes.addressof(self._table(place[0]))
        return int(code)

    def delete(self, system: int, name: bytes, wait: int) -> int:
        path = os.fsdecode(name)
        refused = self._asked("unlink", path) if os.path.exists(path) else _OK
        return refused or int(self._delete(system, name, wait))

    def _table(self, address: int) -> _Methods:
        if any(address == ctypes.addressof(table) for table in self._tables.values()):
            return next(table for table in self._tables.values() if address == ctypes.addressof(table))
        if address not in self._tables:
            old = _Methods.from_address(address)
            new = _Methods.from_buffer_copy(old)
            new.write = self._address(_Write, self._writing(_Write(old.write)))
            new.truncate = self._address(_Truncate, self._truncating(_Truncate(old.truncate)))
            new.sync = self._address(_Sync, self._syncing(_Sync(old.sync)))
            self._tables[address] = new
        return self._tables[address]

    def _writing(self, done: Callable[..., int]) -> Callable[..., int]:
        def write(file: int, data: int, size: int, place: int) -> int:
            refused = self._asked("write", self._paths[file], size, lambda part: done(file, data, part, place))
            return refused or done(file, data, size, place)

        return write

    def _truncating(self, done: Callable[..., int]) -> Callable[..., int]:
        def truncate(file: int, size: int) -> int:
            return self._asked("truncate", self._paths[file]) or done(file, size)

        return truncate

    def _syncing(self, done: Callable[..., int]) -> Callable[..., int]:
        def sync(file: int, flags: int) -> int:
            if refused := self._asked("sync", self._paths[file]):
                return refused
            self._disk.is_synced(self._paths[file])
            return done(file, flags)

        return sync


_alive: Final[list[_Watched]] = []
"""SQLite calls them as long as this process lives."""
