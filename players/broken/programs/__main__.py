"""The program: reads messages, writes the default, and misbehaves at one moment."""

import contextlib
import os
import sys

import click

from jantaku.players.broken.catalogue import VICES, ViceMoment
from jantaku.players.broken.programs.client import Client
from jantaku.players.broken.programs.mind import Waiting
from jantaku.table.languages.wire.dialects import DIALECTS


def send(data: bytes) -> None:
    """Write all of `data`, until the table stops reading."""
    with contextlib.suppress(BrokenPipeError):
        while data:
            data = data[os.write(1, data) :]


def _moment(context: click.Context, parameter: click.Parameter, value: str) -> ViceMoment:
    if not ViceMoment.FORM.fullmatch(value):
        raise click.BadParameter(f"{value!r}; allowed are start, turn, reaction, between, a number and every-NUMBER")
    return ViceMoment(value)


_KNOWN = sorted({*VICES["program"], *VICES["client"]})


@click.command(epilog=f"Vices: {', '.join(_KNOWN)}. Those of a connection are for --ws.")
@click.argument("vice", type=click.Choice(_KNOWN), metavar="VICE")
@click.argument("moment", callback=_moment)
@click.argument("dialect", default="majiang", type=click.Choice(list(DIALECTS)), metavar="[DIALECT]")
@click.option("--ws", "url", metavar="ADDRESS", help="Address of a server to play at as a client.")
@click.option("--too-long", default=30.0, envvar="JANTAKU_TOO_LONG", help="Seconds after which a decision is too late.")
def main(vice: str, moment: ViceMoment, dialect: str, url: str | None, too_long: float) -> None:
    """Play until the table hangs up: a good player, but with VICE at MOMENT.

    MOMENT is start (the first message), turn (its first own turn), reaction (the first discard that it could call or
    win on), between (the first end of a kyoku), the number of a decision, or every-N.
    """
    if url is not None:
        Client(url, vice, moment, too_long).play()
        return
    if vice not in VICES["program"]:
        raise click.UsageError(f"{vice} is a vice of a connection; say with --ws where to connect")
    broken = Waiting(VICES["program"][vice], moment, dialect, send, too_long)
    for line in sys.stdin.buffer:
        send(broken.take(line))


if __name__ == "__main__":
    main()
