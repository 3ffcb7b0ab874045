"""`jantaku mcp`: an MCP server over standard input and output that gives a language model a seat."""

from pathlib import Path

from jantaku.table.cli.commands.records import new_folder, unique
from jantaku.table.cli.options import CommandOptions, argument, option, seconds
from jantaku.table.ground.clock import stamp
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
from jantaku.table.serve.joining import VisitOptions, visit_to
from jantaku.table.serve.model_seat import AwayTable, ModelGame, ModelSeat, OwnTable

NAME = "model"


class ModelOptions(CommandOptions):
    """The command's options."""

    address: str | None = argument("[ADDRESS]", default=None)
    name: str = option(f"As whom the model plays.  [default: {NAME}]", default="")
    against: str = option("A bot for the others, or one for each: a,b,c.", default="shanten")
    rules: str = option("Preset or file of an own game.", default="tenhou")
    length: str = option("Length of an own game: one, tonpu, hanchan, …", default="tonpu")
    seed: str = option("Seed of own games.  [default: another each time]", default="")
    limit: float = option("Seconds for each answer.", type=seconds(1), default=120)
    out: Path | None = option("Folder for the records of own games.")
    visit: VisitOptions = VisitOptions.group()


@ModelOptions.command()
def command(options: ModelOptions) -> None:
    """Give a language model a seat: an MCP server over standard input and output, to be started by an MCP host.

    Without ADDRESS the model plays against bots here. ADDRESS names a room of `jantaku serve` in the forms of
    `jantaku join`: HOST[:PORT], HOST[:PORT]/ROOM, ws://HOST:PORT/play/ROOM or mjsonp://HOST:PORT/ROOM;
    rules and time are the room's.
    """
    from jantaku.table.serve.model_server import serve  # needs an extra

    visit = visit_to(options.address or "", options.name or NAME, options.visit.secret)
    serve(ModelGame(AwayTable(visit, options.visit.wait) if options.address else own_table(options)))


def own_table(options: ModelOptions) -> OwnTable:
    """Return the table for games of a model against bots. Raises BadInput for settings that do not work."""
    name, against = options.name or NAME, options.against
    rules = with_settings(FILES.resolve(options.rules), {"game.length": options.length})
    words, free = [word.strip() for word in against.split(",")], rules.game.players - 1
    words = words * free if len(words) == 1 else words
    if len(words) != free:
        example = ",".join(("shanten", "caller", "dice")[:free])
        raise BadInput(f"--against {against}: give one bot for all other seats, or one for each of {free}: {example}")
    others, used = enlist(words), options.seed or seeds.fresh()
    if name in {one.name for one in others}:
        raise BadInput(f"--name {name}: a bot is called that; give another name")
    folder = new_folder(here(options.out or Path("records", unique(stamp()))))
    clock = Clock(turn=options.limit, reaction=options.limit)

    def plan_of(seat: ModelSeat) -> Plan:
        entrants = (Entrant(name, "mcp", lambda seed: seat), *others)
        return Plan(entrants, 1, used, Mode.RESIDENT, clock, OnFault.DEFAULT)

    names = [name, *(one.name for one in others)]
    return OwnTable(plan_of, RiichiTable(rules, names, used, Keeping(folder, version())))
