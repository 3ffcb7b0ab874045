"""Whole hanchan through the door for programs of the original mjai.

    python -m scripts.doors --hanchan 100

Four programs that were written from the protocol alone play at `jantaku serve --mjsonp`, a server of its own. Every
record is verified. Printed is what they replied, in all; exit code 1 for a fault of anybody or a record that does not
verify.
"""

import argparse
import itertools
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path

from scripts.doors.mjsonp import Program
from table.record.read import load
from table.replay.verify import verify

COMMAND = "-m table serve --port 0 --mjsonp 0 --room default --seed 7 --limit 60"


def play(port: int, hanchan: int) -> Counter[str]:
    """The replies of four programs in so many hanchan, by type."""
    replied: Counter[str] = Counter()
    for number in range(hanchan):
        programs = [Program(port, "program", seed=4 * number + seat) for seat in range(4)]
        threads = [threading.Thread(target=program.play) for program in programs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if not all(program.scores for program in programs):
            raise SystemExit(f"hanchan {number}: somebody did not hear its end")
        replied.update(itertools.chain.from_iterable(program.played for program in programs))
    return replied


def main() -> int:
    """Play, verify and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hanchan", type=int, default=100)
    hanchan = parser.parse_args().hanchan
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, *COMMAND.split(), "--games", str(hanchan), "--out", f"{folder}/records"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
            assert server.stdout is not None
            try:
                found = re.search(r"mjsonp://[^ ]*:([0-9]+)/", server.stdout.readline())
                assert found is not None, "the server says where it is"
                replied = play(int(found[1]), hanchan)
                said, _ = server.communicate()
            finally:
                server.send_signal(signal.SIGINT)
        bad = [line for line in said.splitlines() if re.search("silent|illegal|malformed|gone|broken", line)]
        wrong, verified = _unverified(Path(folder, "records"))
    print(f"{hanchan} hanchan, {sum(replied.values())} replies: {dict(replied.most_common())}")
    print(*bad, *wrong, sep="\n", end="\n" if bad or wrong else "")
    print(f"{len(bad)} lines with faults, {verified} records verify, {len(wrong)} do not")
    return int(bool(bad or wrong) or verified != hanchan)


def _unverified(folder: Path) -> tuple[list[str], int]:
    """The records that do not verify, and how many do."""
    found, verified = [], 0
    for path in sorted(folder.glob("*.jsonl")):
        record = load(path)
        done = verify(record, record.rules) if record.rules is not None else None
        if done is None or done.difference is not None:
            found.append(f"{path.name}: {done and done.difference}")
        else:
            verified += 1
    return found, verified


if __name__ == "__main__":
    sys.exit(main())
