"""Tests on every supported Python of this machine, compiled and plain: `python -m scripts.pythons [PYTEST ARGS]`.

Without words they are the golden games, whose bytes must be the same on all. Versions beyond the supported ones are
tried where there are some. A supported version that is not here, or for which the core does not compile, is a failure;
`--python 3.12` tries that one only.
"""

import argparse
import os
import subprocess
import sys

from scripts.environments import BEYOND, Workshop, interpreters, supported, tested, told_missing, workshop

GOLDEN = "tests/walks/test_golden.py"


def tried(place: Workshop, version: str, words: list[str]) -> bool:
    """Whether the tests pass on one version, with the compiled core where there is one and without."""
    sources = f"{place.sources}[test]"
    python = place.environment(interpreters([version])[version], "--editable", sources, JANTAKU_COMPILE="1")
    asked = [str(python), "-c", "from jantaku import table; print(table.core)"]
    env = {**os.environ, "JANTAKU_PURE": "0"}
    core = subprocess.check_output(asked, cwd=place.sources, env=env, text=True).strip()
    passed = core == "compiled" or version not in supported()
    if not passed:
        print(f"Python {version}: the core did not compile (pip install --editable . with JANTAKU_COMPILE=1 says why)")
    for kind, pure in ((core, "0"), ("once more as plain Python", "1")):
        print(f"Python {version}, {kind}:", flush=True)
        passed &= tested(python, place.sources, *words, JANTAKU_PURE=pure) == 0
    return passed


def main() -> int:
    """1 if tests fail, or if a version that is wanted is not there."""
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
