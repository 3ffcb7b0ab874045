"""The baseline of a comparison: an ordinary match folder in which a player meets itself, one hanchan per wall set. It
is played as far as needed, and kept for further candidates."""

import os
from pathlib import Path

import msgspec

from jantaku.table.arena.match.folder.hidden import PLAN, plan_in
from jantaku.table.arena.match.folder.store import other_code, refuse_other
from jantaku.table.arena.match.plan.matchfile import MatchFile
from jantaku.table.arena.match.plan.plan import MOST_SETS, MatchPlan, plan_of
from jantaku.table.ground.errors import BadInput
from jantaku.table.play import seeds
from jantaku.table.play.roster import terms_in
from jantaku.table.play.seating.spec import Terms, terms_of


def drawing(player: str) -> Terms:
    """Return the terms on which a player is compared: a Python bot draws lots anew for every decision."""
    terms = terms_of(player.strip())
    return msgspec.structs.replace(terms, lots="decision") if terms.scheme in ("", "process") else terms


def baseline_of(file: MatchFile, player: Terms) -> MatchPlan:
    """Make the plan in which that player meets itself, with the rules, clock, walls and seed of `file`."""
    match = msgspec.structs.replace(
        file.match,
        format="seats",
        seatings="one",
        players=(),
        sets=MOST_SETS,
        games=None,
        seed=seeds.fresh() if file.match.seed is None else file.match.seed,
    )
    return plan_of(msgspec.structs.replace(file, match=match, player=(player,) * file.rules.game.players))


def found_in(folder: Path, wanted: MatchPlan, *, seeded: bool) -> MatchPlan | None:
    """Return the baseline in this folder, None if the folder is empty or missing. Its own seed counts unless the caller
    gave one (`seeded`). BadInput if it has another player, other rules or other terms."""
    if not os.path.lexists(folder / PLAN):
        if folder.is_dir() and any(folder.iterdir()):
            raise BadInput(f"{folder} is no baseline: it holds other files, and no {PLAN}; give a new or empty folder")
        return None
    found = plan_in(folder, *([wanted.seed] if seeded else []))
    if found.format != "seats" or found.seatings != "one" or any(one != found.players[0] for one in found.players):
        raise BadInput(
            f"{folder} is no baseline: it holds a match of format {found.format} of {', '.join(found.names)}; "
            "give a folder that jantaku compare has made, or a new one"
        )
    if found.players != wanted.players:
        theirs, ours = (terms_in(one.players)[0].described for one in (found, wanted))
        raise BadInput(f"{folder} is the baseline of {theirs}, not of {ours} on these terms; give another --baseline")
    if found.fingerprints != wanted.fingerprints:
        raise BadInput(f"{folder}: the code of {wanted.names[0]} has changed since; {other_code(MatchPlan.KIND)}")
    wanted = wanted if seeded else msgspec.structs.replace(wanted, seed=found.seed)
    try:
        refuse_other(folder, wanted)
    except BadInput as other:
        raise BadInput(f"{other}; give another --baseline, or ask for what is there") from None
    return found
