"""Decides whether the core runs compiled. If not, the same sources run as plain Python, only slower.

`setup.py` compiles, and writes a manifest beside this file, one for each kind of Python. The compiled core is skipped
if JANTAKU_PURE is set, or if a source has changed since: what runs is always what the sources say.
"""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec, SourceFileLoader
from importlib.util import source_hash, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar

import msgspec

HERE = Path(__file__).parent
NOTE = f"compiled{EXTENSION_SUFFIXES[0]}.json"
"""Name of the manifest for this kind of Python, which has the digest of the sources and their list."""
T = TypeVar("T")

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr
else:

    def mypyc_attr(**_: object) -> Callable[[type[T]], type[T]]:
        """Stands for the decorator of mypy_extensions, which is only needed to compile: there it tells mypyc whether
        classes that are not compiled may extend a class of the core. In plain Python it has no effect."""
        return lambda kind: kind


class PlainPython:
    """An import hook that finds the core's sources before Python finds the compiled modules."""

    def __init__(self, core: Iterable[str]) -> None:
        self._files = {f"jantaku.{name.removesuffix('.py').replace('/', '.')}": HERE.parent / name for name in core}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        file = self._files.get(fullname)
        if file is None:
            return None
        return spec_from_file_location(fullname, file, loader=SourceFileLoader(fullname, str(file)))


def digest(root: Path, core: Iterable[str]) -> str:
    """Return the digest of the core's sources below `root`; empty if one is missing."""
    try:  # Python's own hash of sources: hashlib would load OpenSSL at every start
        return source_hash(b"".join(source_hash((root / name).read_bytes()) for name in core)).hex()
    except FileNotFoundError:
        return ""


def choose() -> str:
    """Decide, before anything else is imported, whether the compiled core is used. Returns "compiled", or "plain
    Python" with the reason."""
    try:
        note = msgspec.json.decode((HERE / NOTE).read_bytes())
    except (OSError, msgspec.DecodeError):
        return "plain Python"
    match note:
        case {"core": [*core], "sources": str(sources)}:
            pass
        case _:
            return "plain Python"
    if os.environ.get("JANTAKU_PURE", "0") != "0":
        reason = "JANTAKU_PURE is set"
    elif digest(HERE.parent, core) != sources:
        reason = "sources have changed since they were compiled"
    else:
        return "compiled"
    sys.meta_path.insert(0, PlainPython(core))
    return f"plain Python: {reason}"
