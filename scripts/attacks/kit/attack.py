"""An attack, and how it ends where it is not survived."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Concatenate, ParamSpec

import msgspec

Given = ParamSpec("Given")
Try = Callable[[Path], str | None]
"""Tries the attack in a folder of its own; returns a remark or None if the table survives."""


class Failed(Exception):
    """The attack has succeeded: the table has a hole. The text is the evidence, and how to reproduce it."""

    def __str__(self) -> str:
        """The text without half characters: pytest's workers could not send these."""
        return super().__str__().encode("utf-8", "backslashreplace").decode()


class Skipped(Exception):
    """The attack cannot be tried here. The text says what is missing."""


class Attack(msgspec.Struct, frozen=True, kw_only=False):
    """One attack. `alone`: it measures time, so nothing runs beside it. `quick`: tried with every change. `leaves`: it
    may leave processes behind that have left its process group."""

    name: str
    run: Try
    seconds: float = 30.0
    quick: bool = False
    alone: bool = False
    leaves: bool = False

    def but(self, **changes: float) -> "Attack":
        """Return it with other terms."""
        return msgspec.structs.replace(self, **changes)


def attack(
    name: str, run: Callable[Concatenate[Path, Given], str | None], *words: Given.args, **named: Given.kwargs
) -> Attack:
    """Make an attack from a function that takes more than the folder."""
    return Attack(name, partial(_called, run, words, named))


def _called(
    run: Callable[..., str | None], words: tuple[object, ...], named: dict[str, object], folder: Path
) -> str | None:
    return run(folder, *words, **named)
