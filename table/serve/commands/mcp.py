"""`jantaku mcp`: an MCP server over standard input and output that gives a language model a seat."""

from pathlib import Path
from typing import TextIO

import click
import msgspec

from jantaku.table.cli.commands.records import new_folder, unique
from jantaku.table.ground.clock import DAY, stamp
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import here, version
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.turn.responses import Mode
from jantaku.table.play import seeds
from jantaku.table.play.riichi import Keeping, RiichiTable
from jantaku.table.play.roster import Entrant, enlist
from jantaku.table.play.runner import Plan
from jantaku.table.riichi.ruleset import FILES, with_settings
from jantaku.table.serve.joining import TOKEN_FILE_OPTION, TOKEN_OPTION, WAIT_OPTION, secret_of, visit_to
from jantaku.table.serve.model_seat import AwayTable, ModelGame, ModelSeat, ModelTable, OwnTable

NAME = "model"


@click.command()
@click.argument("address", metavar="[ADDRESS]", default="")
@click.option("--name", default="", help=f"As whom the model plays.  [default: {NAME}]")
@click.option("--against", default="shanten", show_default=True, help="A bot for the others, or one for each: a,b,c.")
@click.option("--rules", "preset", default="tenhou", show_default=True, help="Preset or file of an own game.")
@click.option("--length", default="tonpu", show_default=True, help="Length of an own game: one, tonpu, hanchan, …")
@click.option("--seed", default="", help="Seed of own games.  [default: another each time]")
@click.option("--limit", type=click.FloatRange(1, DAY), default=120, show_default=True, help="Seconds for each answer.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the records of own games.")
@TOKEN_OPTION
@TOKEN_FILE_OPTION
@WAIT_OPTION
def command(
    address: str,
    name: str,
    against: str,
    preset: str,
    length: str,
    seed: str,
    limit: float,
    out: Path | None,
    token: str,
    token_file: TextIO | None,
    wait: float,
) -> None:
    """Give a language model a seat: an MCP server over standard input and output, to be started by an MCP host.

    Without ADDRESS the model plays against bots here. ADDRESS names a room of `jantaku serve` in the forms of
    `jantaku join`: HOST[:PORT], HOST[:PORT]/ROOM, ws://HOST:PORT/play/ROOM, ws://HOST:PORT/ws/ranked or mjsonp://HOST:PORT/ROOM;
    rules and time are the room's.
    """
    from jantaku.table.serve.model_server import serve  # needs an extra

    visit = visit_to(address, name, secret_of(token, token_file))
    if address:
        place: ModelTable = AwayTable(msgspec.structs.replace(visit, name=name or NAME), wait)
    else:
        place = own_table(name or NAME, against, preset, length, seed, limit, out)
    serve(ModelGame(place))


def own_table(name: str, against: str, preset: str, length: str, seed: str, limit: float, out: Path | None) -> OwnTable:
    """Return the table for games of a model against bots. Raises BadInput for settings that do not work."""
    rules = with_settings(FILES.resolve(preset), {"game.length": length})
    words, free = [word.strip() for word in against.split(",")], rules.game.players - 1
    words = words * free if len(words) == 1 else words
    if len(words) != free:
        example = ",".join(("shanten", "caller", "dice")[:free])
        raise BadInput(f"--against {against}: give one bot for all other seats, or one for each of {free}: {example}")
    others, used = enlist(words), seed or seeds.fresh()
    if name in {one.name for one in others}:
        raise BadInput(f"--name {name}: a bot is called that; give another name")
    folder = new_folder(here(out or Path("records", unique(stamp()))))
    clock = Clock(turn=limit, reaction=limit)

    def plan_of(seat: ModelSeat) -> Plan:
        entrants = (Entrant(name, "mcp", lambda seed: seat), *others)
        return Plan(entrants, 1, used, Mode.RESIDENT, clock, OnFault.DEFAULT)

    names = [name, *(one.name for one in others)]
    return OwnTable(plan_of, RiichiTable(rules, names, used, Keeping(folder, version())))
