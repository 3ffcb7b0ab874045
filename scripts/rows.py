"""Runs several checks: prints a line for each as soon as it is known, and exits with a code for all."""

import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import click

Try = Callable[[Path], tuple[str, bool]]


def rows(tries: Sequence[tuple[str, Try]], keep: Path | None) -> None:
    """Run one after another, and print each result as soon as it is known."""
    failed = []
    for name, attempt in tries:
        with tempfile.TemporaryDirectory(prefix="jantaku-rows-") as temporary:
            click.echo(f"{name} ...", err=True)
            try:
                told, good = attempt(Path(temporary) if keep is None else keep / name.replace(", ", "-"))
            except (SystemExit, AssertionError, OSError) as trouble:
                told, good = f"{type(trouble).__name__}: {trouble}", False
        failed += [] if good else [name]
        click.echo(f"{name:22} {'ok  ' if good else 'NOT '} {told}")
    click.echo(f"not as it should be: {', '.join(failed)}" if failed else "all as it should be")
    sys.exit(bool(failed))
