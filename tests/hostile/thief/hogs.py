"""Ways to take more than a bot may have: memory of every kind, processes, disk, descriptors, CPU time."""

import contextlib
import ctypes
import mmap
import os
import socket
import time
from collections.abc import Callable

BIG = 1 << 24
MANY = 400
FAR_TOO_MUCH = 9.0
"""CPU seconds to burn."""
SURVIVED = "it has all of it"


def patient() -> str:
    """Leave the guardian time to notice."""
    time.sleep(3)
    return SURVIVED


def eat() -> str:
    kept = [bytearray(b"x") * BIG for _ in range(MANY)]
    return patient() if kept else ""


def map_memory(flags: int) -> str:
    made = mmap.mmap(-1, BIG * MANY, flags)
    for at in range(0, BIG * MANY, 4096):
        made[at] = 1
    return patient()


def fill(place: str) -> str:
    """Fill a folder in memory, file by file, until it is full."""
    taken = 0
    for number in range(MANY):
        with open(f"{place}/{number}", "wb") as file:
            taken += file.write(b"x" * BIG)
    return f"{taken} bytes in {place}"


def hide_memory() -> str:
    for _ in range(MANY):
        os.write(os.memfd_create("hidden"), b"x" * BIG)
    return "hidden memory"


def share(children: int) -> str:
    """Take memory in many processes, little in each."""
    for _ in range(children):
        if os.fork() == 0:
            kept = b"x" * (4 * BIG)
            time.sleep(60)
            os._exit(len(kept) & 1)
    return patient()


def bomb() -> str:
    until = time.monotonic() + 4
    while time.monotonic() < until:
        try:
            os.fork()
        except OSError:
            time.sleep(0.01)
    there = sum(name.isdigit() for name in os.listdir("/proc"))
    return f"{there} processes" if there > MANY else ""


def threads() -> str:
    import threading

    for _ in range(5000):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    return patient()


def files() -> str:
    for number in range(300_000):
        open(f"/tmp/{number}", "w").close()
    return patient()


def descriptors() -> str:
    kept = [os.open("/dev/null", os.O_RDONLY) for _ in range(5000)]
    return f"{len(kept)} open files"


def burn(children: int) -> str:
    """Burn CPU time in children, until it is far more than allowed: on a busy machine that takes a while."""
    burning = []
    for _ in range(children):
        burning.append(os.fork())
        if burning[-1] == 0:
            while True:
                pass
    while sum(time.clock_gettime(~child << 3 | 2) for child in burning) < FAR_TOO_MUCH:
        time.sleep(0.1)
    return SURVIVED


def dump() -> str:
    child = os.fork()
    if child == 0:
        ctypes.string_at(0)
    _, status = os.waitpid(child, 0)
    return "a core dump" if os.WCOREDUMP(status) else ""


def hide_child() -> str:
    """Start a child that leaves group, session and parent."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 100)
            time.sleep(60)
        os._exit(0)
    os.wait()
    return ""


def buffer() -> str:
    """Take memory in the buffers of sockets and pipes: no more than its open files can hold."""
    kept: list[tuple[socket.socket, socket.socket]] = []
    while len(kept) < 5000:
        pair = socket.socketpair()
        pair[0].setblocking(False)
        with contextlib.suppress(PermissionError):
            pair[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BIG)
        kept.append(pair)
        try:
            while pair[0].send(b"x" * 65536):
                pass
        except BlockingIOError:
            continue
    return f"{len(kept)} pairs"


WAYS: dict[str, dict[str, Callable[[], str]]] = {
    "memory": {
        "eats memory": eat,
        "maps shared memory": lambda: map_memory(mmap.MAP_SHARED),
        "eats memory in many processes": lambda: share(20),
    },
    "forbidden": {"is a bomb of processes": bomb, "is a bomb of threads": threads, "makes files without end": files},
    "cpu": {"burns CPU time in children": lambda: burn(6)},
    "": {
        "maps memory": lambda: map_memory(mmap.MAP_PRIVATE),
        "fills the scratch folder": lambda: fill("/tmp"),
        "fills the folder of shared memory": lambda: fill("/dev/shm"),
        "hides memory in files without a name": hide_memory,
        "fills buffers of sockets": buffer,
        "opens files without end": descriptors,
        "dumps a core": dump,
        "hides a child": hide_child,
    },
}
"""Ways by verdict: exceeding a sum ends and blames the bot; meeting a kernel limit only fails its call (empty)."""
BOMBS = {way for way in WAYS["forbidden"] if way.startswith("is a bomb")}
