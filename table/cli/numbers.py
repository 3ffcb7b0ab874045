"""Numbers and seeds on the command line."""

import math
from typing import Any

import click

DAY = 86_400


class Number(click.FloatRange):
    """A number in a range. NaN, which click lets into every range, is in none, and infinity is no number."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """See `click.ParamType`."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a number.", param, ctx)
        return number


def seconds(least: float) -> Number:
    """Seconds from `least` to a day: no clock of the system bears just any number of them."""
    return Number(least, DAY)


class Seed(click.types.StringParamType):
    """Any text that a record can hold. An empty one, as of a variable that is not set, would be another every time."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """See `click.ParamType`."""
        text = str(value)
        if not text or not text.isprintable():
            self.fail(f"{text!r} is no seed; allowed is a number or any other text.", param, ctx)
        return text
