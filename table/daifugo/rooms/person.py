"""A person in this machine's browser plays 大富豪 with bots."""

from collections.abc import Iterator
from urllib.parse import quote

from jantaku.table.cli.commands.records import new_folder
from jantaku.table.daifugo import neof5
from jantaku.table.daifugo import rules as daifugo
from jantaku.table.daifugo.rooms.room import DaifugoRoomPlan
from jantaku.table.daifugo.rooms.server import DaifugoServer, pages
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.games.entry import Wishes
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.riichi import Keeping
from jantaku.table.play.runner import Plan
from jantaku.table.serve.person import LIMITS, ROOM, Endings, outcomes_at, refuse_unfit
from jantaku.table.serve.riichi.person import clock_of


def series_with(name: str, plan: Plan, rules: daifugo.Rules, keeping: Keeping, wishes: Wishes) -> Iterator[Outcome]:
    """Play series with a person, with as many bots as the plan has; see `GameEntry.with_person`."""
    seats = len(plan.entrants) + 1
    if not daifugo.FEWEST <= seats <= daifugo.MOST:
        raise BadInput(
            f"--players: {seats - 1} given; with --human it names the 1 to {daifugo.MOST - 1} bots beside you"
        )
    refuse_unfit(name, plan, neof5.LONGEST_NAME)
    rules = daifugo.FILES.with_settings(rules, {"game.seats": str(seats)}, "--players")
    room = DaifugoRoomPlan(
        rules,
        plan.seed,
        com=plan.entrants[0].make,
        limit=plan.clock.turn or rules.room.turn_limit,
        pause=wishes.pace,
        folder=keeping.folder,
        version=keeping.version,
        bots=plan.entrants,
        person=clock_of(wishes.limit),
    )
    new_folder(keeping.folder)
    endings = Endings()
    rooms = DaifugoServer(room, LIMITS, games=wishes.games, report=endings.put)
    path = f"/sit/{rules.game.letter}/{ROOM}#name={quote(name)}"
    return outcomes_at(path, rooms, pages(), endings, opens=wishes.opens)
