"""Ways to read what is not the bot's: seeds, journals, homes, other processes."""

import glob
import os
import socket
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

SECRETS = [os.environ.get(name, "")[::-1].encode() for name in ("ESCAPE_SEED", "ESCAPE_CANARY")]
"""What stands in the table's command line and in a file of the user's; given backwards, so that the search does not
find its own environment."""
HOME, OUT, FILE = (os.environ.get(name, "") for name in ("ESCAPE_HOME", "ESCAPE_OUT", "ESCAPE_FILE"))
PORT, SOCKET = int(os.environ.get("ESCAPE_PORT", "0")), os.environ.get("ESCAPE_SOCKET", "")
MOST = 1 << 22


def told(paths: Iterable[str], anything: bool = False) -> str:
    """Return the first of these files that contains a secret, or with `anything` one that can be read at all."""
    for path in paths:
        try:
            with open(path, "rb", opener=_at_once) as file:
                text = file.read(MOST) or b""
        except OSError:
            continue
        if any(secret and secret in text for secret in SECRETS) or (anything and text):
            return f"{path}: {text[:80]!r}"
    return ""


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)


def others(name: str) -> list[str]:
    """Return that file of every process but this one."""
    return [path for path in glob.glob(f"/proc/[0-9]*/{name}") if f"/{os.getpid()}/" not in path]


def strangers() -> str:
    names = {path: Path(path).read_text().strip() for path in glob.glob("/proc/[0-9]*/comm")}
    return " ".join(f"{path}: {name}" for path, name in names.items() if not name.startswith(("bwrap", "python")))


def descriptors() -> str:
    return told([f"/proc/self/fd/{fd}" for fd in os.listdir("/proc/self/fd") if int(fd) > 2])


def memory(process: int) -> str:
    with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as mem:
        for line in maps:
            begin, end = (int(word, 16) for word in line.split()[0].split("-"))
            if " rw" in line and end - begin < MOST * 16:
                mem.seek(begin)
                if any(secret and secret in mem.read(end - begin) for secret in SECRETS):
                    return f"in the memory of {process}"
    return ""


def linked(make: Callable[[str, str], None]) -> str:
    """Look for a secret through a link in the scratch folder."""
    make(FILE, "/tmp/link")
    return told(["/tmp/link"])


def listed(*places: str) -> str:
    found = [f"{place}/{name}" for place in places if os.path.isdir(place) for name in os.listdir(place)]
    return " ".join(name for name in found if not _leads_to_what_is_shown(name))


def _leads_to_what_is_shown(name: str) -> bool:
    """Return whether that is an empty folder on the way to the interpreter or to the bot."""
    shown = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
    return any(place == name or place.startswith(name + "/") for place in shown)


def connected(family: int, kind: int, where: Any) -> str:
    """Return whether a listener takes a connection or a message."""
    with socket.socket(family, kind) as made:
        made.settimeout(3)
        if kind == socket.SOCK_DGRAM:
            made.sendto(b"thief", where)
            return ""  # the listener reports the message
        made.connect(where)
        made.sendall(b"thief")
        return f"connected to {where}"


def opened(family: int, kind: int = socket.SOCK_DGRAM, protocol: int = 0) -> str:
    """Return whether a socket can be made of a family that no namespace separates."""
    socket.socket(family, kind, protocol).close()
    return f"a socket of family {family}"


WAYS: dict[str, dict[str, Callable[[], str]]] = {
    "": {
        "the parent's command line": lambda: told([f"/proc/{os.getppid()}/cmdline"]),
        "the parent's environment": lambda: told([f"/proc/{os.getppid()}/environ"]),
        "the parent's open files": lambda: told(glob.glob(f"/proc/{os.getppid()}/fd/*")),
        "the parent's memory": lambda: memory(os.getppid()),
        "the first process's memory": lambda: memory(1),
        "every command line": lambda: told(others("cmdline")),
        "every environment": lambda: told(others("environ")),
        "every open file": lambda: told(others("fd/*")),
        "every other process": strangers,
        "the first process's root": lambda: told([f"/proc/1/root{FILE}", f"/proc/1/root/..{FILE}"]),
        "the first process's folder": lambda: told([f"/proc/1/cwd/../../../..{FILE}"]),
        "dots upwards": lambda: told(["/.." * 40 + FILE, "../" * 40 + FILE]),
        "the file itself": lambda: told([FILE]),
        "a symbolic link in scratch": lambda: linked(os.symlink),
        "a hard link in scratch": lambda: linked(os.link),
        "the running journal": lambda: told(glob.glob(f"{OUT}/**/*", recursive=True), anything=True),
        "the folder of the records": lambda: listed(OUT),
        "what its own descriptors lead to": descriptors,
        "the home folder": lambda: listed(HOME),
        "keys for ssh": lambda: told(glob.glob(f"{HOME}/.ssh/*"), anything=True),
        "the table's private state": lambda: listed(f"{HOME}/.local/state", f"{HOME}/.config", f"{HOME}/.cache"),
        "the host's temporary files": lambda: told(
            glob.glob("/tmp/*") + glob.glob("/var/tmp/*") + glob.glob("/dev/shm/*")
        ),
        "passwords": lambda: told(["/etc/shadow", "/etc/passwd", "/etc/gshadow"], anything=True),
        "logs and running services": lambda: listed("/var", "/run", "/srv", "/mnt", "/media", "/boot"),
        "the kernel's devices": lambda: listed("/sys", "/dev/block", "/dev/mapper"),
        "the kernel's memory": lambda: told(["/proc/kcore", "/dev/mem", "/dev/kmem", "/proc/kmsg"], anything=True),
        "a TCP server of the host": lambda: connected(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", PORT)),
        "a TCP server of the host over IPv6": lambda: connected(socket.AF_INET6, socket.SOCK_STREAM, ("::1", PORT)),
        "a UDP server of the host": lambda: connected(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", PORT)),
        "a UNIX socket in a folder": lambda: connected(socket.AF_UNIX, socket.SOCK_STREAM, SOCKET),
        "an abstract UNIX socket": lambda: connected(socket.AF_UNIX, socket.SOCK_STREAM, "\0jantaku" + SOCKET),
        "D-Bus": lambda: connected(socket.AF_UNIX, socket.SOCK_STREAM, "/run/dbus/system_bus_socket"),
        "the screen": lambda: connected(socket.AF_UNIX, socket.SOCK_STREAM, "/tmp/.X11-unix/X0"),
        "the screen by its abstract name": lambda: connected(socket.AF_UNIX, socket.SOCK_STREAM, "\0/tmp/.X11-unix/X0"),
        "containers' socket": lambda: connected(socket.AF_UNIX, socket.SOCK_STREAM, "/var/run/docker.sock"),
        "an address outside": lambda: connected(socket.AF_INET, socket.SOCK_STREAM, ("192.0.2.1", 80)),
        "a netlink socket": lambda: opened(16, socket.SOCK_RAW),
        "a vsock socket": lambda: opened(40, socket.SOCK_STREAM),
        "a packet socket": lambda: opened(17, socket.SOCK_RAW, 3),
        "a raw socket": lambda: opened(socket.AF_INET, socket.SOCK_RAW, 1),
        "a socket of the kernel's ciphers": lambda: opened(38, socket.SOCK_SEQPACKET),
        "a bluetooth socket": lambda: opened(31, socket.SOCK_RAW),
        "a key socket": lambda: opened(15, socket.SOCK_RAW, 2),
    }
}
"""Ways by verdict: there is none for looking."""
