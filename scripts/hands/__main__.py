"""`python -m scripts.hands FILE...`: compares every hand of public collections with our engine's answer.

Prints a line per file and the first difference of each; exit code 0 if all agree, 1 if not, 2 for a file that cannot be
read.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from jantaku.table.ground.errors import BadInput
from scripts.core import compile_first


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.hands", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="one JSON object a line, plain or .gz")
    parser.add_argument("--fallback", action="store_true", help="count shapes without xiangting")
    parser.add_argument("--all", action="store_true", help="print every difference, not the first of each file")
    options = parser.parse_args(arguments)
    if options.fallback:
        sys.modules["xiangting"] = None  # type: ignore[assignment]  # importing it fails, as without a wheel
    try:
        compared, different = compare(options.files, every=options.all)
    except BadInput as error:
        print(f"hands: {error}", file=sys.stderr)
        return 2
    print(f"TOTAL {compared} hands {different} different")
    return 1 if different else 0


def compare(files: Sequence[Path], every: bool = False) -> tuple[int, int]:
    """Compare and print; return how many hands were compared and how many of them differ."""
    for file in files:
        if not file.is_file():
            raise BadInput(f"{file}: there is no such file")
    totals = [_compare_file(file, every) for file in files]
    return sum(compared for compared, _ in totals), sum(different for _, different in totals)


def _compare_file(file: Path, every: bool) -> tuple[int, int]:
    # Imported here: the option --fallback must act before the shapes are.
    from scripts.hands.cases import differences
    from scripts.hands.formats import read

    hands = skipped = different = 0
    shown: list[str] = []
    for name, case in read(file):
        hands += 1
        if case is None:
            skipped += 1
        elif found := differences(case):
            different += 1
            if every or not shown:
                shown.append(f"    {name}: " + "; ".join(found))
    same = hands - skipped - different
    print(f"{file}  {hands} hands  {same} identical  {different} different  {skipped} skipped")
    for line in shown:
        print(line)
    return same + different, different


if __name__ == "__main__":
    compile_first()
    sys.exit(main())
