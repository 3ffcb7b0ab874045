"""Ways through the kernel: system calls that reach out of a sandbox, and writes to places that are read-only."""

import ctypes
import fcntl
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable

libc = ctypes.CDLL(None, use_errno=True)
NEW_USER, NEW_NS, NEW_PID = 0x10000000, 0x00020000, 0x20000000


def call(number: int, *words: object) -> int:
    """Make an x86-64 system call by its number. OSError if it is refused."""
    result: int = libc.syscall(number, *[ctypes.c_long(word) if isinstance(word, int) else word for word in words])
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def made(number: int, *words: object) -> str:
    """Make a system call and report that it was not refused."""
    return f"call {number} gave {call(number, *words)}"


def written(*paths: str) -> str:
    """Return the first of these paths that can be written."""
    for path in paths:
        try:
            with open(path, "ab") as file:
                file.write(b"\n")
            return f"{path} was written"
        except OSError:
            continue
    return ""


def killed(*processes: int) -> str:
    """Return whether a process outside the sandbox could be signalled; the sandbox's first process ignores signals."""
    for process in processes:
        try:
            os.kill(process, 0)
        except OSError:
            continue
        return f"process {process} can be signalled"
    return ""


def kill_everybody() -> str:
    """Signal all processes that can be signalled, which are those inside."""
    os.kill(-1, signal.SIGCONT)
    return ""


def newer_clone() -> str:
    """Call clone3, whose flags no filter can see."""
    return made(435, ctypes.create_string_buffer(NEW_USER.to_bytes(8, sys.byteorder), 88), 88)


def typed() -> str:
    fcntl.ioctl(os.open("/dev/tty", os.O_RDWR), 0x5412, b"x")
    return "typed"


def raised() -> str:
    for what in (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_CPU, resource.RLIMIT_NPROC):
        resource.setrlimit(what, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return "limits were raised"


def ran(*words: str) -> str:
    done = subprocess.run(words, capture_output=True, timeout=5, check=False, stdin=subprocess.DEVNULL)
    return done.stdout.decode(errors="replace") if done.returncode == 0 else ""


def become_root() -> str:
    os.setuid(0)
    return "root"


def scheduled() -> str:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    return "real time"


def nicer() -> str:
    os.nice(-5)
    return "nice"


def made_device() -> str:
    os.mknod("/tmp/disk", 0o60600, os.makedev(254, 0))
    return "a device"


def changed_mode() -> str:
    os.chmod(__file__, 0o777)
    return "changed"


def many(first: int, last: int) -> range:
    """Return numbers of processes that may be outside: there are few inside."""
    return range(max(first, 100), last)


def text(words: str) -> ctypes.c_char_p:
    return ctypes.c_char_p(words.encode())


here = os.path.dirname(os.path.abspath(__file__))
WAYS: dict[str, dict[str, Callable[[], str]]] = {
    "forbidden": {
        "traces its parent": lambda: made(101, 16, os.getppid(), 0, 0),
        "reads the memory of another": lambda: made(310, os.getppid(), 0, 0, 0, 0, 0),
        "writes the memory of another": lambda: made(311, os.getppid(), 0, 0, 0, 0, 0),
        "takes a descriptor of another": lambda: made(438, call(434, os.getppid(), 0), 0, 0),
        "mounts a file system": lambda: made(165, text("none"), text("/tmp"), text("tmpfs"), 0, 0),
        "mounts again, writable": lambda: made(165, text("none"), text("/usr"), 0, 4096 | 32, 0),
        "takes a mount away": lambda: made(166, text("/proc"), 2),
        "opens a tree of files": lambda: made(428, -100, text("/"), 1),
        "opens a file system": lambda: made(430, text("tmpfs"), 0),
        "turns the root": lambda: made(155, text("/tmp"), text("/tmp")),
        "changes the root": lambda: made(161, text("/tmp")),
        "makes a user namespace": lambda: made(272, NEW_USER),
        "makes a mount namespace": lambda: made(272, NEW_NS),
        "clones into a user namespace": lambda: made(56, NEW_USER | 17, 0, 0, 0, 0),
        "clones into new namespaces": lambda: made(56, NEW_NS | NEW_PID | 17, 0, 0, 0, 0),
        "enters a namespace": lambda: made(308, os.open("/proc/self/ns/mnt", os.O_RDONLY), 0),
        "reads the kernel's keys": lambda: made(250, 0, -3, 1),
        "adds a key": lambda: made(248, text("user"), text("thief"), text("x"), 1, -3),
        "asks for a key": lambda: made(249, text("user"), text("thief"), 0, -3),
        "loads a program into the kernel": lambda: made(321, 0, ctypes.create_string_buffer(120), 120),
        "loads a module": lambda: made(175, 0, 0, 0),
        "loads another kernel": lambda: made(246, 0, 0, 0, 0),
        "starts the machine again": lambda: made(169, 0xFEE1DEAD - (1 << 32), 672274793, 0x1234567, 0),
        "opens a file by its handle": lambda: made(304, -100, ctypes.create_string_buffer(64), 0),
        "reads the kernel's log": lambda: made(103, 3, 0, 0),
        "names the machine": lambda: made(170, text("thief"), 5),
    },
    "": {
        "kills everybody": kill_everybody,
        "signals processes outside": lambda: killed(*many(100, 40000)),
        "types into the terminal": typed,
        "raises its limits": raised,
        "clones by the newer call": newer_clone,
        "sets up io_uring": lambda: made(425, 4, ctypes.create_string_buffer(120)),
        "counts events": lambda: made(298, ctypes.create_string_buffer(120), 0, -1, -1, 0),
        "handles page faults": lambda: made(323, 0),
        "makes hidden memory": lambda: made(319, text("x"), 0),
        "shares memory of System V": lambda: made(29, 0, 1 << 20, 0o1600),
        "makes a device": made_device,
        "becomes root": become_root,
        "goes before everybody": scheduled,
        "is nicer than all": nicer,
        "runs su": lambda: ran("su", "-c", "id"),
        "runs mount": lambda: ran("mount", "-t", "tmpfs", "none", "/tmp"),
        "runs unshare": lambda: ran("unshare", "-U", "id"),
        "runs passwd": lambda: ran("passwd", "-S"),
        "runs bwrap": lambda: ran("bwrap", "--ro-bind", "/", "/", "id"),
        "writes what handles crashes": lambda: written("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe"),
        "writes to the kernel's switches": lambda: written(
            "/proc/sysrq-trigger", "/proc/1/oom_score_adj", "/proc/self/uid_map"
        ),
        "writes to its own folder": lambda: written(f"{here}/x", __file__, f"{here}/__pycache__/x"),
        "changes its own script": changed_mode,
        "writes to what is installed": lambda: written(
            *(f"{place}/thief.pth" for place in sys.path), f"{sys.prefix}/x"
        ),
        "writes to the system": lambda: written(
            "/usr/bin/thief", "/usr/local/thief", "/etc/ld.so.preload", "/bin/sh", "/thief"
        ),
        "writes to the user's file": lambda: written(
            os.environ.get("ESCAPE_FILE", ""), os.environ.get("ESCAPE_OUT", "") + "/x"
        ),
    },
}
"""Ways by the verdict with which the bot is ended; empty: the call only fails, and it plays on."""
