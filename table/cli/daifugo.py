"""`jantaku daifugo`: a server for 大富豪 programs that speak the protocol of neof5."""

from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from table.cli.numbers import Seed, seconds
from table.cli.out import Folder
from table.cli.serving import disk_of, limits_of, operator_token, serve, serving_options
from table.daifugo import rules as daifugo
from table.errors import BadInput
from table.play import seeds
from table.play.roster import enlist
from table.server.daifugo.house import DaifugoHouse, pages
from table.server.daifugo.room import RoomPlan
from table.settings import split_texts

EPILOG = """Players connect to ws://HOST:PORT/play/{A|B}/{RoomID}?name=NAME, with &key=SECRET, a secret of their own, to
take their seat back when a connection breaks; without, it is given back to the same program at the same address. A
series begins when the seats are taken, or with computer players when somebody sends {"Kind":"Start"}.

Look on at http://HOST:PORT/watch/{RoomID}: hands are shown when a round is over, to the operator always.

The messages do not number questions. A Put that was sent before its question was read is known as late of a client
that answers pings where it reads, and refused; of other clients it may count for the next question."""
PONG = 60.0
"""Seconds: real clients answer no ping while they think, which may take twenty (§12)."""


@click.command(epilog=EPILOG)
@serving_options(8765)
@click.option(
    "--rules", "rule_source", metavar="PRESET|FILE", default=daifugo.DEFAULT, show_default=True, help="Rules."
)
@click.option("--set", "texts", multiple=True, metavar="KEY=VALUE", help="Change one rule, e.g. series.rounds=3.")
@click.option("--limit", type=seconds(0.001), metavar="SECONDS", help="Time for a turn.  [default: the rules']")
@click.option("--pause", type=seconds(0), default=0.0, metavar="SECONDS", help="Pause for human viewers.")
@click.option("--com", default="daifugo-weakest", show_default=True, metavar="BOT", help="Who fills free seats.")
@click.option("--open-hands", is_flag=True, help="Everybody who looks on sees all hands, as at neof5's tournament.")
@click.option(
    "--seed", type=Seed(), metavar="N", help="Seed of the deals: with the same, each room deals the same again."
)
@click.option("--out", type=Folder(), metavar="DIR", help="Folder for the records.  [default: none]")
def command(**given: Any) -> None:
    """Serve rooms of 大富豪 (computer daifugo) over WebSocket.

    Every turn has a limit; then the default is played and the player may come back.
    """
    texts = split_texts(given["texts"], "--set")
    rules = daifugo.FILES.with_settings(daifugo.FILES.resolve(given["rule_source"]).rules, texts)
    (com,) = enlist([given["com"]], game="daifugo")
    plan = RoomPlan(
        rules=rules,
        seed=given["seed"] or seeds.fresh(),
        com=com.make,
        limit=given["limit"] or rules.room.turn_limit,
        pause=given["pause"],
        folder=_folder(given["out"]),
        version=version("jantaku"),
        open_hands=given["open_hands"],
        disk=disk_of(given),
    )
    limits = limits_of(given, pong=PONG, pongs_wanted=False)
    house = DaifugoHouse(plan, limits, operator_token(given))
    serve(house, pages(), limits, given, "/play/{A|B}/{RoomID}?name=NAME")


def _folder(out: Path | None) -> Path | None:
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"--out: {out} cannot be used: {error.strerror}") from error
    return out
