"""The files that a program in the sandbox sees, all of them read-only: the system's, its interpreter's, its own folder,
and what is bound for it. The home folder, the records and everything else of this machine are hidden."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from jantaku.table.ground import installation
from jantaku.table.ground.errors import BadInput

_SYSTEM = (
    "/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc/ld.so.cache /etc/ld.so.conf /etc/ld.so.conf.d /etc/alternatives "
    "/etc/ssl/openssl.cnf /etc/localtime /etc/nsswitch.conf /nix/store"
)
_NETWORK = (
    "/etc/resolv.conf /etc/hosts /etc/ssl/certs /etc/ssl/cert.pem /etc/pki/tls/certs /etc/pki/ca-trust "
    "/etc/ca-certificates"
)
SCRATCH = "/tmp"
"""The only writable folder; it is deleted with the sandbox."""
OUTPUTS = ("records", "matches", ".git")
"""Folders inside the program's own folder that it does not see."""
_BINARIES = ("bin", "sbin", "Scripts")
_MODULES = "node_modules"


def system() -> Iterator[str]:
    """Yield bubblewrap's arguments for what every program needs."""
    for place in _SYSTEM.split():
        if os.path.islink(place):
            yield from ("--symlink", os.readlink(place), place)
        elif os.path.exists(place):
            yield from shown(place)


def network() -> Iterator[str]:
    """Yield bubblewrap's arguments for host names and certificates. Links are resolved, as their targets are not
    visible otherwise."""
    for place in filter(os.path.exists, _NETWORK.split()):
        yield from ("--dir", os.path.dirname(place), "--ro-bind", os.path.realpath(place), place)


def writable(place: str) -> tuple[str, ...]:
    """Return bubblewrap's arguments for a writable folder."""
    return ("--dir", os.path.dirname(place), "--bind", place, place)


def shown(place: str) -> tuple[str, ...]:
    """Return bubblewrap's arguments for a visible place. The folder above it is created first: a folder that bubblewrap
    creates by itself may be closed to the program's user."""
    return ("--dir", os.path.dirname(place), "--ro-bind", place, place)


def own(command: Sequence[str], cwd: str, bound: Iterable[str], modules: Iterable[str] = ()) -> list[str]:
    """Return the paths that a program sees beside the system's, parents first. `modules` are the folders with a Python
    bot's modules. Raises BadInput for a bound path that does not exist or contains the whole home."""
    places = {*_of_executable(command[0]), *modules}
    for word in command[1:]:
        place = os.path.abspath(os.path.join(cwd, word))
        if os.path.isfile(place):
            folder = os.path.dirname(place)
            places.add(place if is_broad(folder) else folder)
        elif os.path.isdir(place) and not is_broad(place):
            places.add(place)
    for folder in [cwd, *places]:
        near = (up / _MODULES for up in (Path(folder), *Path(folder).parents))
        # links are skipped: nobody asked for their targets
        places |= {str(found) for found in near if found.is_dir() and not found.is_symlink()}
    return _beside_the_system(places | _bound(cwd, bound))


def of_program(executable: str, cwd: str, bound: Iterable[str]) -> list[str]:
    """Return the installation of an executable and the bound paths. Raises BadInput as `own` does."""
    return _beside_the_system({*_of_executable(executable), *_bound(cwd, bound)})


def _bound(cwd: str, bound: Iterable[str]) -> set[str]:
    places = {os.path.abspath(os.path.join(cwd, given)) for given in bound}
    for place in sorted(places):
        if not os.path.exists(place):
            raise BadInput(f"bind: there is no {place}")
        if is_broad(place):
            raise BadInput(f"bind: {place} holds home folders or the whole system; name a folder inside")
    return places


def _beside_the_system(places: Iterable[str]) -> list[str]:
    return sorted(place for place in places if not _is_below(place, ("/usr", "/nix/store")))


def of_python(source: Path | None) -> set[str]:
    """Return what a Python bot's process needs: the interpreter, installed packages, jantaku, and the folder of the
    bot's file (or of its whole package)."""
    places: set[str] = {sys.prefix, sys.base_prefix, sys.exec_prefix}
    here = installation.working_folder()
    places |= {place for place in sys.path if place != here and os.path.exists(place) and not is_broad(place)}
    places |= set(installation.PACKAGES)
    places = {place for place in places if not is_broad(place)}
    if source is not None:
        folder = source.absolute().parent
        while (folder.parent / "__init__.py").is_file():
            folder = folder.parent
        places.add(str(source.absolute() if is_broad(str(folder)) else folder))
    return {os.path.abspath(place) for place in places}


def hidden(places: Iterable[str], kept: str | None) -> list[str]:
    """Return folders inside those places that are shown as empty. `kept` is where this run writes its records. Raises
    BadInput if `kept` is one of the places itself."""
    found, places = set(), list(places)
    for place in places:
        found |= {os.path.join(place, name) for name in OUTPUTS if os.path.isdir(os.path.join(place, name))}
        if kept is not None and _is_below(kept, (place,)):
            inside = os.path.relpath(kept, place)
            if inside == ".":
                problem = f"the sandbox cannot hide the records in {place}, the program's own folder"
                raise BadInput(f"{problem}: give another folder by --out")
            found.add(os.path.join(place, inside.split(os.sep)[0]))
    real = {os.path.realpath(place) if os.path.islink(place) else place for place in found if os.path.isdir(place)}
    # a link to elsewhere has no target in the sandbox
    return sorted(place for place in real if _is_below(place, places))


def _of_executable(path: str) -> Iterator[str]:
    """Yield the installation of an executable, and the installations that its links lead to."""
    for _ in range(40):  # as many links as the system follows
        folder = os.path.dirname(path)
        prefix = os.path.dirname(folder)
        if os.path.basename(folder) in _BINARIES and not is_broad(prefix):
            yield prefix
        else:
            yield path if is_broad(folder) else folder
        if not os.path.islink(path):
            return
        path = os.path.normpath(os.path.join(folder, os.readlink(path)))


def is_broad(folder: str) -> bool:
    """Whether a folder, or its link target, contains more than one program may see: homes, folders that all programs
    write to, or folders that the sandbox provides itself."""
    home = os.path.expanduser("~")
    parts = {home, os.path.join(home, ".local"), os.path.join(home, ".config"), "/tmp", "/var/tmp", "/dev/shm", "/run"}
    whole = ("/etc", "/var", "/home", "/opt", "/proc", "/dev", "/sys")
    both = {os.path.abspath(folder), os.path.realpath(folder)}
    return any(_is_below(part, both) for part in parts) or not both.isdisjoint(whole)


def _is_below(path: str, folders: Iterable[str]) -> bool:
    path = os.path.abspath(path)
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in map(os.path.abspath, folders))
