"""`jantaku daifugo`: a server for 大富豪 programs that speak the protocol of neof5."""

from importlib.metadata import version
from pathlib import Path

import click

from table.cli.looking.records import folder_for
from table.cli.options import Folder, Seed, options_of, rule_options, seconds
from table.cli.playing.serving import ServingOptions, disk_of, limits_of, operator_token, serve, serving_options
from table.daifugo import rules as daifugo
from table.play import seeds
from table.play.roster import enlist
from table.server.daifugo.house import DaifugoHouse, pages
from table.server.daifugo.room import DaifugoRoomPlan

EPILOG = """Players connect to ws://HOST:PORT/play/{A|B}/{RoomID}?name=NAME, with &key=SECRET, a secret of their own, to
take their seat back when a connection breaks; without, it is given back to the same program at the same address. A
series begins when the seats are taken, or with computer players when somebody sends {"Kind":"Start"}.

Look on at http://HOST:PORT/watch/{RoomID}: hands are shown when a round is over, to the operator always.

The messages do not number questions. A Put that was sent before its question was read is known as late of a client
that answers pings where it reads, and refused; of other clients it may count for the next question."""
PONG = 60.0
"""Seconds: real clients answer no ping while they think, which may take twenty (§12)."""


class DaifugoOptions(ServingOptions, frozen=True, kw_only=True):
    """What was asked for."""

    limit: float | None
    pause: float
    com: str
    seed: str | None
    out: Path | None
    open_hands: bool


@click.command(epilog=EPILOG)
@serving_options(8765)
@rule_options(f"Rules.  [default: {daifugo.DEFAULT}]", "series.rounds=3")
@click.option("--limit", type=seconds(0.001), metavar="SECONDS", help="Time for a turn.  [default: the rules']")
@click.option("--pause", type=seconds(0), default=0.0, metavar="SECONDS", help="Pause for human viewers.")
@click.option("--com", default="daifugo-weakest", show_default=True, metavar="BOT", help="Who fills free seats.")
@click.option("--open-hands", is_flag=True, help="Everybody who looks on sees all hands, as at neof5's tournament.")
@click.option(
    "--seed", type=Seed(), metavar="N", help="Seed of the deals: with the same, each room deals the same again."
)
@click.option("--out", type=Folder(), metavar="DIR", help="Folder for the records.  [default: none]")
@options_of(DaifugoOptions)
def command(options: DaifugoOptions) -> None:
    """Serve rooms of 大富豪 (computer daifugo) over WebSocket.

    Every turn has a limit; then the default is played and the player may come back.
    """
    rules = options.over(daifugo.FILES, daifugo.FILES.preset(daifugo.DEFAULT))
    (com,) = enlist([options.com], game="daifugo")
    plan = DaifugoRoomPlan(
        rules=rules,
        seed=options.seed or seeds.fresh(),
        com=com.make,
        limit=options.limit or rules.room.turn_limit,
        pause=options.pause,
        folder=options.out and folder_for(options.out),
        version=version("jantaku"),
        open_hands=options.open_hands,
        disk=disk_of(options),
    )
    limits = limits_of(options, pong=PONG, pongs_wanted=False)
    house = DaifugoHouse(plan, limits, operator_token(options))
    serve(house, pages(), limits, options, "/play/{A|B}/{RoomID}?name=NAME")
