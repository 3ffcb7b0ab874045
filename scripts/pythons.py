"""Tests on every supported Python of this machine, compiled and plain: `python -m scripts.pythons [PYTEST ARGS]`.

Without arguments it runs the golden games, whose bytes must be equal on all versions. Versions beyond the supported
ones are tried if they are there. A supported version that is missing, or for which the core does not compile, is a
failure; `--python 3.12` tries only that one.
"""

import argparse
import os
import subprocess
import sys

from scripts.environments import BEYOND, Workshop, interpreters, supported, tested, told_missing, workshop

GOLDEN = "tests/walks/test_golden.py"


def tried(place: Workshop, version: str, words: list[str]) -> bool:
    """Return whether the tests pass on one version, with the compiled core if it can be built, and without."""
    sources = f"{place.sources}[test]"
    compile = "0" if version.endswith("t") else "1"  # mypyc needs the interpreter's lock
    python = place.environment(interpreters([version])[version], "--editable", sources, JANTAKU_COMPILE=compile)
    asked = [str(python), "-c", "from jantaku import table; print(table.core)"]
    env = {**os.environ, "JANTAKU_PURE": "0"}
    core = subprocess.check_output(asked, cwd=place.sources, env=env, text=True).strip()
    passed = core == "compiled" or version not in supported()
    if not passed:
        print(f"Python {version}: the core was compiled and does not run so")
    for kind, pure in ((core, "0"), ("once more as plain Python", "1")):
        print(f"Python {version}, {kind}:", flush=True)
        passed &= tested(python, place.sources, *words, JANTAKU_PURE=pure) == 0
    return passed


def main() -> int:
    """Return 1 if tests fail, or if a wanted version is missing."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--python", action="append", metavar="VERSION", help="this version only; may be repeated")
    options, words = parser.parse_known_args()
    wanted = options.python or supported()
    found = interpreters([*wanted, *(() if options.python else BEYOND)])
    with workshop() as place:
        failed = [version for version in found if not tried(place, version, words or [GOLDEN])]
    if missing := told_missing(version for version in wanted if version not in found):
        print(missing)
    return int(bool(failed or missing))


if __name__ == "__main__":
    sys.exit(main())
