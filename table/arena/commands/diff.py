"""`jantaku diff`: where two runs on the same walls part, kyoku by kyoku, or which decisions of two players differ."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from jantaku.table.arena.commands.compare import MOST_HANCHAN, CompareOptions, compared
from jantaku.table.arena.commands.options import MatchOptions
from jantaku.table.arena.match.report.difference import PartedGame, PartedKyoku, partings
from jantaku.table.cli.options import CommandOptions, Folder, RuleOptions, RunOptions, WholeNumber, argument, option
from jantaku.table.cli.say import say
from jantaku.table.ground.errors import BadInput


class DiffOptions(CommandOptions):
    """The command's options."""

    a: str = argument("A")
    b: str = argument("B")
    all: bool = option("Of runs: list kyoku that are the same, too.")
    out: Path | None = option("Of players: folder of the comparison.", "DIR", type=Folder())
    hanchan: int | None = option("Of players: hanchan of A to fork.", "N", type=WholeNumber(2, MOST_HANCHAN))
    json: bool = option("One JSON object for each hanchan, or for the players; nothing else.")


EPILOG = """Runs are folders of records, or records: play the same match (seed, format, rules) with another version of a
bot. Two players are compared as by jantaku compare A B --confirm never, which has more options.

\b
  jantaku diff old-run new-run
  jantaku diff old.py:Bot new.py:Bot
"""


@DiffOptions.command(epilog=EPILOG)
def command(options: DiffOptions) -> int:
    """Show where two runs on the same walls part, or what two players decide otherwise and what that is worth.

    Exit code 0 if they are the same, 1 if not.
    """
    are_runs = [_is_run(word) for word in (options.a, options.b)]
    if not any(are_runs):
        return _compare(options)
    if not all(are_runs):
        run, other = (options.a, options.b) if are_runs[0] else (options.b, options.a)
        raise BadInput(f"{other}: there is no such folder or record, and {run} is one; give two runs, or two players")
    if options.out is not None:
        raise BadInput("--out: two runs leave nothing behind; it is the folder of what two players decide otherwise")
    games = []
    for game in partings(Path(options.a), Path(options.b)):
        games.append(game)
        if options.json:
            say(msgspec.json.encode(game))
        else:
            _show(game, options.all)
    if not options.json:
        _sum_up(games)
    return 0 if all(game.same for game in games) else 1


def _is_run(word: str) -> bool:
    """Return whether a word names records; a Python file is a player."""
    path = Path(word)
    return path.is_dir() or (path.is_file() and path.suffix != ".py")


def _compare(options: DiffOptions) -> int:
    match = MatchOptions(ruling=RuleOptions(), run=RunOptions(), out=options.out, json=options.json)
    found = compared(CompareOptions(a=options.a, b=options.b, hanchan=options.hanchan, confirm="never", match=match))
    return 1 if found.decisions else 0


def _show(game: PartedGame, everything: bool) -> None:
    if game.same and not everything:
        return
    say(f"hanchan {game.game}: {', '.join(_pair(a, b) for a, b in zip(game.names_a, game.names_b, strict=True))}")
    for kyoku in game.kyoku:
        if kyoku.event is not None:
            say(f"  {kyoku.name} event {kyoku.event}: {kyoku.a.event or 'nothing'} | {kyoku.b.event or 'nothing'}")
            say(f"    {kyoku.a.ending} | {kyoku.b.ending}")
        elif everything:
            say(f"  {kyoku.name} the same: {kyoku.a.ending}")
    for side, only in (("first", game.only_a), ("second", game.only_b)):
        if only:
            say(f"  only in the {side}: {' '.join(only)}")


def _pair(a: str, b: str) -> str:
    return a if a == b else f"{a} | {b}"


def _sum_up(games: list[PartedGame]) -> None:
    kyoku = [one for game in games for one in game.kyoku]
    parted = [one for one in kyoku if one.event is not None]
    alone = [
        sum(len(only) for only in side) for side in zip(*((game.only_a, game.only_b) for game in games), strict=True)
    ]
    say(
        f"{len(games)} hanchan, {len(kyoku)} kyoku on the same walls: {len(kyoku) - len(parted)} the same, "
        f"{len(parted)} parted; only in the first {alone[0]}, only in the second {alone[1]}"
    )
    for name, points in _gains(games).items():
        say(f"{name}: {points:+} points in these kyoku, second run less first")


def _gains(games: Iterable[PartedGame]) -> dict[str, int]:
    """Return how much more each player won in the second run, over the kyoku that both runs played."""
    gains: dict[str, int] = {}
    for game in games:
        for player, (a, b) in enumerate(zip(game.names_a, game.names_b, strict=True)):
            name = _pair(a, b)
            gains[name] = gains.get(name, 0) + sum(_gain(kyoku, player) for kyoku in game.kyoku)
    return gains


def _gain(kyoku: PartedKyoku, player: int) -> int:
    return kyoku.b.deltas[player] - kyoku.a.deltas[player]
