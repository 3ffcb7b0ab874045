"""`python -m scripts.fuzz_readers [--examples N] [--only WORDS] [--seed N]`: gives every reader slightly invalid bytes.

Prints a line per reader; for one that raises an error it must not raise, the bytes. Exit code 1 if there is one.
"""

import argparse
import sys
import time
import traceback

import hypothesis
from hypothesis import HealthCheck, given, settings

from scripts.fuzzing.readers import READERS, Reader
from scripts.fuzzing.spoiling import spoiled


def fuzz(reader: Reader, examples: int, seed: int | None = None) -> None:
    """Let it read that many examples. An error that it must not raise comes out, with the smallest bytes in a note.

    Without a seed the same bytes are tried every time.
    """

    @settings(max_examples=examples, deadline=None, database=None, derandomize=seed is None,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(spoiled(reader.samples(), reader.packed))
    def tried(content: bytes) -> None:
        try:
            reader.read(content)
        except reader.raises:
            return
        except BaseException as error:
            error.add_note(f"reads {content[:2000]!r}{'…' if len(content) > 2000 else ''}")
            raise

    tried = tried if seed is None else hypothesis.seed(seed)(tried)
    tried()


def shown(error: BaseException) -> str:
    """Describe the error: its type, its place, and the bytes that caused it."""
    if isinstance(error, BaseExceptionGroup):  # several, each with bytes of its own
        return "\n  ".join(shown(one) for one in error.exceptions)
    places = [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
    notes = "\n    ".join(getattr(error, "__notes__", ())[:1])
    return f"{type(error).__name__}: {str(error)[:300]}\n    at {', '.join(places[-4:])}\n    {notes}"


def main() -> int:
    """Run all readers, or those that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m scripts.fuzz_readers", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--examples", type=int, default=20_000, metavar="N", help="for each reader (default 20,000)")
    parser.add_argument("--only", default="", metavar="WORDS", help="readers with these words in their name")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="what the bytes depend on (default 1)")
    given_ = parser.parse_args()
    failed = 0
    for name, reader in READERS.items():
        if given_.only not in name:
            continue
        began = time.monotonic()
        try:
            fuzz(reader, given_.examples, given_.seed)
            told = "nothing but refusals"
        except BaseException as error:
            failed += 1
            told = shown(error)
        print(f"{name:36} {given_.examples} tried in {time.monotonic() - began:.0f} s: {told}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
