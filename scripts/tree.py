"""Lays the packages out as they are imported: `python scripts/tree.py` makes links in build/tree and prints the path.

`jantaku.table` lies in `table/` and `jantaku.players` in `players/`; Python finds them by `src/jantaku/__init__.py`.
Tools that go by folders (mypy, mypyc, import-linter) run in build/tree instead. If links cannot be made, files are
copied.
"""

import shutil
from pathlib import Path

ROOT = Path(__file__).parents[1]
TREE = ROOT / "build" / "tree"
INSIDE = {"jantaku/table": "table", "jantaku/players": "players"}
INSIDE |= {f"jantaku/{name}": f"src/jantaku/{name}" for name in ("__init__.py", "__main__.py", "py.typed")}
INSIDE |= {name: name for name in ("scripts", "tests", "docs", "setup.cfg", ".importlinter")}
"""By place in the tree, what lies there."""


def laid(root: Path = ROOT, tree: Path = TREE) -> Path:
    """Make the tree anew and return its path."""
    shutil.rmtree(tree, ignore_errors=True)
    for name, source in INSIDE.items():
        place, there = tree / name, (root / source).resolve()
        if there.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            _put(place, there)
    return tree


def _put(place: Path, there: Path) -> None:
    try:
        place.symlink_to(there, target_is_directory=there.is_dir())
    except OSError:  # for example on Windows without the privilege
        (shutil.copytree if there.is_dir() else shutil.copy2)(there, place)


if __name__ == "__main__":
    print(laid())
