"""Tests with the lowest version of every package that setup.cfg allows: `python -m scripts.lowest [PYTEST ARGS]`.

Runs in a fresh environment on the oldest supported Python, for which the lowest versions have wheels, with the core as
plain Python. Without arguments it runs `TESTS`, about two minutes.
"""

import sys

from scripts.environments import interpreters, supported, tested, told_missing, workshop

TESTS = (
    *("tests/play/seating/test_spec.py", "tests/ground/test_log.py", "tests/riichi/test_rules.py"),
    *("tests/riichi/points", "tests/cli/test_rules_command.py", "tests/cli/test_play_command.py"),
    "tests/cli/test_terminal.py",
    *("tests/cli/test_output.py", "tests/arena/match/test_statistics.py", "tests/arena/match/test_report.py"),
    *("tests/records/journal/test_writing.py", "tests/serve/test_transports.py"),
)
EXTRAS = "folders,learn,onnx,parquet,sandbox,serve"
PURE = {"JANTAKU_PURE": "1"}


def main() -> int:
    """Return pytest's exit code; 2 without that Python."""
    oldest = supported()[0]
    found = interpreters([oldest])
    if not found:
        print(told_missing([oldest]))
        return 2
    with workshop() as place:
        wanted = ("--resolution", "lowest-direct", f"{place.sources}[{EXTRAS}]")
        python = place.environment(found[oldest], *wanted)
        lowest = place.folder / "lowest.txt"
        frozen = place.run("uv", "pip", "freeze", "--python", python)
        lowest.write_text(
            "".join(f"{line}\n" for line in frozen.splitlines() if not line.startswith("jantaku")), "utf-8"
        )
        print(lowest.read_text("utf-8"), end="", flush=True)
        tools = ("pytest>=8", "pytest-timeout", "pytest-xdist", "hypothesis", "pyyaml", "scipy")
        place.run("uv", "pip", "install", "--quiet", "--python", python, "--constraint", lowest, *tools)
        return tested(python, place.sources, "-o", "filterwarnings=default", *(sys.argv[1:] or TESTS), **PURE)


if __name__ == "__main__":
    sys.exit(main())
