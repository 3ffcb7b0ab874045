"""`python -m tests.simulation.parts [WORDS]`: play all parts as in a usual run of the tests, until one breaks its
promise: say which, and end with code 1. Those come first whose name has one of the words."""

import sys

from tests.simulation.parts import PARTS
from tests.simulation.parts.exploring import explored
from tests.simulation.replacements import simulation


def main(words: str = "") -> int:
    with simulation():
        for part in sorted(PARTS, key=lambda part: not any(word in part.name for word in words.split(" or "))):
            try:
                explored(part, part.bound)
            except BaseException as problem:
                print(f"{part.name}: {type(problem).__name__} {str(problem).partition(chr(10))[0][:100]}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
