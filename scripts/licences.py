"""The licences of everything that jantaku ships or needs: `python -m scripts.licences` updates docs/licences.md.

They are read from installed packages and their requirements: with CI=true `scripts/setup test` installs all extras, and
`scripts/test` and `scripts/pages/check` the packages of npm.
"""

import json
import re
import sys
from collections.abc import Collection, Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from scripts import laws

PAGE = laws.ROOT / "docs" / "licences.md"
COMMAND = "scripts.licences"
JANTAKU = "jantaku"
INSTALLED = "Installed with jantaku"
FOR_WORK = {"test": "To test it: the extra `test`", "docs": "To build the site: the extra `docs`"}
"""Headings of the extras that only work on jantaku needs."""
FROM_NPM = {
    "scripts/pages": "To make and check the pages: npm, `scripts/pages`",
    "tests/peer": "To test it against programs of others: npm, `tests/peer`",
}
SPDX = {
    "MIT License": "MIT",
    "BSD License": "BSD",
    "BSD 2-Clause License": "BSD-2-Clause",
    "3-Clause BSD License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "GNU General Public License (GPL)": "GPL",
}
"""Licences as packages without an SPDX expression write them, with their expressions."""
UNKNOWN = "unknown"


def licence(package: str) -> str:
    """Return the licence of an installed package, as an SPDX expression if it has one. Raises PackageNotFoundError."""
    expression, short, *classifiers = _told(package)
    if expression:
        return expression
    names = [short] if 0 < len(short) < 30 and "\n" not in short else classifiers or [UNKNOWN]
    return " AND ".join(SPDX.get(name, name) for name in names)


def _told(package: str) -> Iterator[str]:
    """Yield the expression, the old field (which may hold a whole text), and the names in the classifiers."""
    told = metadata(package)
    for key in ("License-Expression", "License"):
        yield str(told[key]) if key in told else ""
    for one in told.get_all("Classifier") or []:
        if one.startswith("License :: "):
            yield str(one).rpartition(" :: ")[2]


@cache
def needed(package: str, extras: Collection[str] = frozenset()) -> frozenset[str]:
    """Return the packages that an installed package requires, without or with some of its extras."""
    wanted = [Requirement(line) for line in requires(package) or []]
    marked = [one for one in wanted if not one.marker or any(one.marker.evaluate({"extra": e}) for e in ("", *extras))]
    return frozenset(canonicalize_name(one.name) for one in marked)


def brought(extra: str) -> dict[str, str]:
    """Return what comes with jantaku and an extra: licences by name. PackageNotFoundError if one is missing."""
    found: dict[str, str] = {}
    waiting = sorted(needed(JANTAKU, frozenset({extra})))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = licence(name)
            waiting.extend(needed(name))
    return dict(sorted(found.items()))


def of_npm(folder: str) -> dict[str, str]:
    """Return the packages of a package.json with their licences. FileNotFoundError if one is not installed."""
    place = laws.ROOT / folder
    asked = json.loads((place / "package.json").read_text("utf-8"))
    names = sorted({**asked["dependencies"], **asked.get("devDependencies", {})})
    return {name: json.loads(_npm(place, name).read_text("utf-8")).get("license", UNKNOWN) for name in names}


def _npm(place: Path, name: str) -> Path:
    return place / "node_modules" / name / "package.json"


def named(page: str) -> dict[str, str]:
    """Return the licences that the page tells, by package."""
    return {one: told for told, names in re.findall(r"^- (.+): (.+)$", page, re.MULTILINE) for one in names.split(", ")}


def drawn() -> str:
    """Return the lists of the page."""
    return "\n\n".join(_lists())


def _lists() -> Iterator[str]:
    """Yield the lists; a package stands under the smallest extra that brings it."""
    before: set[str] = set()
    extras = set(metadata(JANTAKU).get_all("Provides-Extra") or []) - {"all", *FOR_WORK}
    headings = {"": INSTALLED, **{extra: f"With the extra `{extra}`" for extra in _by_size(extras)}, **FOR_WORK}
    for extra, heading in headings.items():
        found = brought(extra)
        yield _list(heading, {name: told for name, told in found.items() if name not in before})
        before |= set(found)
    for folder, heading in FROM_NPM.items():
        yield _list(heading, of_npm(folder))


def _by_size(extras: Collection[str]) -> list[str]:
    return sorted(extras, key=lambda extra: (len(brought(extra)), extra))


def _list(heading: str, found: dict[str, str]) -> str:
    by_licence: dict[str, list[str]] = {}
    for name, told in found.items():
        by_licence.setdefault(told, []).append(name)
    lines = [f"- {told}: {', '.join(names)}" for told, names in sorted(by_licence.items())]
    return "\n".join([f"## {heading}", "", *lines])


if __name__ == "__main__":
    try:
        sys.exit(laws.bring_up_to_date(PAGE, drawn(), COMMAND))
    except PackageNotFoundError as problem:
        sys.exit(f"{problem.name} is not installed here: CI=true scripts/setup test")
    except FileNotFoundError as problem:
        sys.exit(f"{problem.filename} is not there: run scripts/test and scripts/pages/check")
