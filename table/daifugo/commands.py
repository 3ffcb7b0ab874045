"""`jantaku daifugo`: a server for 大富豪 programs that speak the protocol of neof5."""

from pathlib import Path

from jantaku.table.cli.commands.records import folder_for
from jantaku.table.cli.options import SEED, CommandOptions, Folder, RuleOptions, option, rules, seconds
from jantaku.table.daifugo import rules as daifugo
from jantaku.table.daifugo.rooms.room import FOR_PEOPLE, DaifugoRoomPlan
from jantaku.table.daifugo.rooms.server import DaifugoServer, pages
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import version
from jantaku.table.play import seeds
from jantaku.table.play.seating.roster import Entrant, enlist
from jantaku.table.play.seating.spec import OwnClock, players_in
from jantaku.table.serve.commands.server import ServingOptions, disk_of, limits_of, operator_token, serve
from jantaku.table.serve.riichi.person_seat import CLOCK

EPILOG = """Programs connect to ws://HOST:PORT/play/{A|B}/{RoomID}?name=NAME, with &key=SECRET, their own secret, to
take their seat back when a connection breaks; without, it is given back to the same program at the same address, unless
copies of it play. A series begins when the seats are taken, or with computer players when somebody sends
{"Kind":"Start"}. Before that, /test/connection, /test/ruletest/RT0001 and /test/practice/P0001 (each ?name=NAME) test a
program. How to write one: docs/daifugo-client.md.

People go to http://HOST:PORT/: the rooms, a game at once, and at /watch/{RoomID} the table and the standings. Hands are
shown when a round is over, to the operator always.

With --players ws,ws,daifugo-greedy a series begins when two clients are there: they have the first seats, as they come.

The messages do not number questions. A Put that was sent before its question was read is known as late of a client
that answers pings where it reads, and refused; of other clients it may count for the next question."""
CLIENT = "ws"
"""Marks a seat that waits for a client."""
PLACEHOLDER = "http://origin"
"""The Origin that the tournament's C++ client sends, copied from an example of its library (libwebsockets). It belongs
to no page: only a page on a host named `origin` in a visitor's own network could send it, too, and such a page gets
only into rooms without a secret."""
PONG = 60.0
"""Least seconds for a pong: real clients answer no ping while they think, which may take twenty seconds (§12)."""


class DaifugoOptions(CommandOptions):
    serving: ServingOptions = ServingOptions.group(port={"default": 8765})
    ruling: RuleOptions = rules(f"Rules.  [default: {daifugo.DEFAULT}]", "series.rounds=3")
    limit: float | None = option("Time for a turn.  [default: the rules']", "SECONDS", type=seconds(0.001))
    person_limit: float = option("Time for a turn of a person.", "SECONDS", type=seconds(1), default=CLOCK.turn)
    pause: float | None = option(
        f"Pause for people.  [default: {FOR_PEOPLE:g} where one plays, else 0]", "SECONDS", type=seconds(0)
    )
    players: str | None = option("Players: ws for each client, or bots.  [default: ws for each seat]", "A,B,C")
    com: str = option("Bots for free seats.", "BOT", default="daifugo-weakest")
    open_hands: bool = option("Spectators see all hands, as at neof5's tournament.")
    seed: str | None = option("Seed of the deals: with the same, each room deals the same again.", "N", type=SEED)
    out: Path | None = option("Folder for the records.  [default: none]", "DIR", type=Folder())


@DaifugoOptions.command(epilog=EPILOG)
def daifugo_command(options: DaifugoOptions) -> None:
    """Serve rooms of 大富豪 (computer daifugo) over WebSocket.

    Every turn has a limit; then the default is played and the player may come back.
    """
    played = options.ruling.over(daifugo.FILES, daifugo.FILES.preset(daifugo.DEFAULT))
    bots: list[Entrant] = []
    if options.players is not None:
        bots, played = _seated(options.players, played)
    (com,) = enlist([options.com], game="daifugo")
    plan = DaifugoRoomPlan(
        rules=played,
        seed=options.seed or seeds.fresh(),
        com=com.make,
        bots=bots,
        limit=options.limit or played.room.turn_limit,
        pause=options.pause,
        folder=options.out and folder_for(options.out),
        version=version(),
        open_hands=options.open_hands,
        disk=disk_of(options.serving),
        person=OwnClock(turn=options.person_limit),
    )
    pong = max(PONG, plan.limit, options.person_limit)
    limits = limits_of(options.serving, placeholders=(PLACEHOLDER,), pong=pong, pongs_wanted=False)
    rooms = DaifugoServer(plan, limits, operator_token(options.serving))
    serve(rooms, pages(), limits, options.serving, "/play/{A|B}/{RoomID}?name=NAME")


def _seated(players: str, played: daifugo.Rules) -> tuple[list[Entrant], daifugo.Rules]:
    """Return the bots among the players, and the rules with one seat per player."""
    words = [word.strip() for word in players_in(players)]
    bots = enlist([word for word in words if word != CLIENT], game="daifugo")
    if not daifugo.FEWEST <= len(words) <= daifugo.MOST:
        raise BadInput(f"--players: {len(words)} given; daifugo seats {daifugo.FEWEST} to {daifugo.MOST}")
    if len(bots) == len(words):
        raise BadInput(f"--players: there is no seat for a client; at least one has to be {CLIENT}")
    return bots, daifugo.FILES.with_settings(played, {"game.seats": str(len(words))}, "--players")
