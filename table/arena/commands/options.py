"""The options of `jantaku match`, which `jantaku tournament` has as well, and their meaning for a pool of players."""

from pathlib import Path
from typing import Any

from jantaku.table.arena.match.plan.matchfile import Match
from jantaku.table.cli.options import (
    BOTS,
    SEED,
    CommandOptions,
    Folder,
    RuleOptions,
    RunOptions,
    WholeNumber,
    argument,
    option,
    rules,
    words_of,
)
from jantaku.table.play import seeds
from jantaku.table.play.seating.spec import players_in

MOST = 10_000_000


class MatchOptions(CommandOptions):
    """The command's options."""

    file: str | None = argument("[FILE]", default=None)
    players: str | None = option(f"The pool: {BOTS}.", "A,B,…")
    format: str | None = option("Who meets whom.  [default: seats]", type=words_of(Match, "format"))
    seatings: str | None = option("4 per wall set, 24, or without pairing.", type=words_of(Match, "seatings"))
    walls: str | None = option("per-seat: every seat has its own draw queue.", type=words_of(Match, "walls"))
    sets: int | None = option("Wall sets.  [default: 25]", "N", type=WholeNumber(1, MOST))
    games: int | None = option("Hanchan instead of sets; whole sets of them.", "N", type=WholeNumber(1, MOST))
    seed: str | None = option("Seed of walls and bots: the same seed plays the same match.", "N", type=SEED)
    until: str | None = option("Stop once the 95 % interval of the mean rank is so narrow.", "ci=0.05")
    sprt: str | None = option("Stop by a test of rank0 and rank1.", "[KEY=X,…]", is_flag=False, flag_value="")
    ruling: RuleOptions = rules(length=True)
    run: RunOptions = RunOptions.group(threads={"help": "per-turn: as in play; inline: no clock.  [default: resident]"})
    workers: int | None = option(
        "Processes; 0 plays in this one.  [default: one per core]", "N", type=WholeNumber(0, 1024)
    )
    no_pin: bool = option("Leave every process all cores; else it tries whether one is faster.")
    on: str | None = option("ray: on a cluster (needs jantaku[ray]).", type=words_of(Match, "on"))
    out: Path | None = option("Folder for the match, new or empty.", "DIR", type=Folder())
    resume: Path | None = option("Go on with the match in this folder.", "DIR", type=Folder())
    strict: bool = option("Stop at the first fault, with exit code 1.")
    json: bool = option("Print the results as one JSON object, nothing else.")
    quiet: bool = option("Print nothing but errors.")


def pool_flags(table: str, options: MatchOptions) -> dict[str, Any]:
    """Return the given options about the pool, by the keys of a file whose players stand in `table`."""
    told: dict[str, Any] = {name: getattr(options, name) for name in ("walls", "workers", "on")}
    told["threads"] = options.run.threads
    if options.no_pin:
        told["pin"] = False
    if options.players is not None:
        told["players"] = [spec.strip() for spec in players_in(options.players) if spec.strip()]
    if options.run.sandbox:
        told["sandbox"] = True
    if options.strict and options.resume is None:  # a resumed plan keeps its on_fault
        told["on_fault"] = "void"
    if options.seed is not None:
        told["seed"] = seeds.read(options.seed, "--seed")
    limit = {} if options.run.limit is None else dict.fromkeys(("clock.turn", "clock.reaction"), options.run.limit)
    return {f"{table}.{key}": value for key, value in told.items()} | limit
