"""`jantaku diff`: hand by hand, where two runs on the same walls part."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from table.cli.options import CommandOptions, argument, option
from table.cli.say import say
from table.match.report.parting import PartedGame, PartedKyoku, partings


class DiffOptions(CommandOptions):
    """The command's options."""

    a: Path = argument("DIR_A")
    b: Path = argument("DIR_B")
    all: bool = option("List kyoku that are the same, too.")
    json: bool = option("One JSON object a hanchan, nothing else.")


@DiffOptions.command(
    epilog="Play the same match (seed, format, rules) with another version of a bot, then compare the two."
)
def command(options: DiffOptions) -> int:
    """Show where two runs on the same walls part: two folders of records, or two records.

    Exit code 0 if they are the same, 1 if not.
    """
    games = []
    for game in partings(options.a, options.b):
        games.append(game)
        if options.json:
            say(msgspec.json.encode(game))
        else:
            _show(game, options.all)
    if not options.json:
        _sum_up(games)
    return 0 if all(game.same for game in games) else 1


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
    """By player, what it won more in the second run in kyoku that both played."""
    gains: dict[str, int] = {}
    for game in games:
        for player, (a, b) in enumerate(zip(game.names_a, game.names_b, strict=True)):
            name = _pair(a, b)
            gains[name] = gains.get(name, 0) + sum(_gain(kyoku, player) for kyoku in game.kyoku)
    return gains


def _gain(kyoku: PartedKyoku, player: int) -> int:
    return kyoku.b.deltas[player] - kyoku.a.deltas[player]
