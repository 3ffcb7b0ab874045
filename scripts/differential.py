"""`python -m scripts.differential FILE...`: plays recorded games through our engine and compares everything.

The records are other programs'. Prints a line per file and the first difference of each; exit code 0 if there is none,
1 if there is, 2 for a file that cannot be read.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from jantaku.table.ground.errors import BadInput
from scripts.core import compile_first
from scripts.corpora.following import Difference, follow
from scripts.corpora.reading import Menus, menus_of, read
from scripts.corpora.record import Skipped, menus_in


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.differential", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="one JSON object a line, plain or .gz")
    parser.add_argument("--all", action="store_true", help="print every difference, not the first of each file")
    parser.add_argument("--menus", type=Path, metavar="FILE", help="what each seat may do, by the games' ids")
    options = parser.parse_args(arguments)
    try:
        total = compare(options.files, every=options.all, menus=options.menus)
    except BadInput as error:
        print(f"differential: {error}", file=sys.stderr)
        return 2
    listed = f" {total['menus']} menus" if total["menus"] else ""
    print(f"TOTAL {total['games']} games {total['kyoku']} kyoku{listed} {total['different']} different")
    return 1 if total["different"] else 0


def compare(files: Sequence[Path], *, every: bool = False, menus: Path | None = None) -> Counter[str]:
    """Compare and print; return the number of games, kyoku, games that are different, and `menus` of options that were
    compared in games compared to their end. BadInput before the first comparison if a file is missing."""
    for file in [*files, *([menus] if menus else [])]:
        if not file.is_file():
            raise BadInput(f"{file}: there is no such file")
    listed = menus_of(menus) if menus else {}
    return sum((_compare_file(file, every, listed) for file in files), Counter())


def _compare_file(file: Path, every: bool, menus: Menus) -> Counter[str]:
    count, skipped = Counter[str](), Counter[str]()
    shown: list[Difference] = []
    for record in read(file, menus):
        if isinstance(record, Skipped):
            skipped[record.why] += 1
            continue
        kyoku, difference = follow(record)
        count.update(games=1, kyoku=kyoku, miscounted=record.miscounted, different=difference is not None)
        if difference is None:
            count["menus"] += menus_in(record)
        elif every or not shown:
            shown.append(difference)
    left_out = "".join(f"  {number} skipped ({why})" for why, number in skipped.items())
    if count["miscounted"]:
        left_out += f"  wins miscounted by the source: {count['miscounted']}"
    identical = count["games"] - count["different"]
    print(f"{file}  {count['games']} games  {count['kyoku']} kyoku  {identical} identical{left_out}", flush=True)
    for difference in shown:
        print(f"    {difference}", flush=True)
    return count


if __name__ == "__main__":
    compile_first()
    sys.exit(main())
