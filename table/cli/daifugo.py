"""`jantaku daifugo`: a server for 大富豪 programs that speak the protocol of neof5."""

import signal
import threading
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from table.cli.numbers import Seed, seconds
from table.cli.out import Folder
from table.cli.say import say
from table.daifugo import rules as daifugo
from table.errors import BadInput
from table.play import seeds
from table.play.roster import enlist
from table.server.daifugo.house import DaifugoHouse, pages
from table.server.daifugo.room import RoomPlan
from table.server.net.web import WebServer
from table.settings import split_texts

EPILOG = """Players connect to ws://HOST:PORT/play/{A|B}/{RoomID}?name=NAME; a series begins when the seats are taken,
or with computer players when somebody sends {"Kind":"Start"}. Look on at http://HOST:PORT/watch/{RoomID}"""


@click.command(epilog=EPILOG)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0: everywhere.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="Port; 0: any free one.")
@click.option(
    "--rules", "rule_source", metavar="PRESET|FILE", default=daifugo.DEFAULT, show_default=True, help="Rules."
)
@click.option("--set", "texts", multiple=True, metavar="KEY=VALUE", help="Change one rule, e.g. series.rounds=3.")
@click.option("--limit", type=seconds(0.001), metavar="SECONDS", help="Time for a turn.  [default: the rules']")
@click.option("--pause", type=seconds(0), default=0.0, metavar="SECONDS", help="Pause for human viewers.")
@click.option("--com", default="daifugo-weakest", show_default=True, metavar="BOT", help="Who fills free seats.")
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
    )
    house = DaifugoHouse(plan)
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    with WebServer(house.welcome, pages(), given["host"], given["port"]) as server:
        say(f"serving ws://{given['host']}:{server.port}/play/{{A|B}}/{{RoomID}}?name=NAME; Ctrl-C ends it")
        try:
            server.wait(stop)
        finally:
            house.close()


def _folder(out: Path | None) -> Path | None:
    if out is not None:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadInput(f"--out: {out} cannot be used: {error.strerror}") from error
    return out
