"""`jantaku diff`: where two runs on the same walls part, kyoku by kyoku, or which decisions of two players differ.

A kyoku is compared with the other run's kyoku of the same round, number and honba: both have the same wall, though the
points at their start may differ.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

import msgspec

from jantaku.table.arena.commands.compare import MOST_HANCHAN, CompareOptions, compared
from jantaku.table.arena.commands.runs import MatchOptions
from jantaku.table.arena.match.records import journals
from jantaku.table.cli.options import CommandOptions, Folder, RuleOptions, RunOptions, WholeNumber, argument, option
from jantaku.table.cli.say import say
from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import NOTHING, DrawFact, Fact, WinFact
from jantaku.table.languages.majiang.paifu import in_paifu
from jantaku.table.languages.majiang.rule import draw_name
from jantaku.table.records.journal.read import Record, load
from jantaku.table.records.replay.drive import show_fact
from jantaku.table.riichi import events
from jantaku.table.riichi.pieces.melds import meld_text
from jantaku.table.riichi.pieces.notation import kyoku_text
from jantaku.table.riichi.pieces.seats import WINDS, player_of
from jantaku.table.riichi.pieces.tiles import NAMES
from jantaku.table.riichi.words import discard_text

Key = tuple[int, int, int]


class RunSide(msgspec.Struct, frozen=True):
    """One run at the difference: its first event that differs, the end of the kyoku, and the changes of points by
    player id."""

    event: str
    ending: str
    deltas: tuple[int, ...]


class PartedKyoku(msgspec.Struct, frozen=True):
    """A kyoku that both runs played. `event` is the number of the first event that differs, from 1 (the deal); None if
    all are equal."""

    name: str
    event: int | None
    a: RunSide
    b: RunSide


class PartedGame(msgspec.Struct, frozen=True):
    """One hanchan in both runs. `only_a` and `only_b` name the kyoku that only one run played."""

    game: int
    names_a: tuple[str, ...]
    names_b: tuple[str, ...]
    kyoku: tuple[PartedKyoku, ...]
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether both are equal from the first deal to the end."""
        return not (self.only_a or self.only_b) and all(kyoku.event is None for kyoku in self.kyoku)


def partings(a: Path, b: Path) -> Iterator[PartedGame]:
    """Compare two records, or all hanchan that two folders have in common. BadInput if the walls differ."""
    if a.is_file() and b.is_file():
        yield _compared(0, load(a), load(b))
        return
    of_a, of_b = journals(a), journals(b)
    common = sorted(of_a.keys() & of_b.keys())
    if not common:
        raise BadInput(f"{a} and {b} have no hanchan number in common")
    for game in common:
        yield _compared(game, load(of_a[game]), load(of_b[game]))


def _compared(game: int, a: Record, b: Record) -> PartedGame:
    for what in ("seed", "number", "school", "first_dealer"):
        x, y = getattr(a, what), getattr(b, what)
        if x != y or x is None:
            raise BadInput(f"{a.path} and {b.path} were not played on the same walls: {what} {x} and {y}")
    of_a, of_b = _by_key(a), _by_key(b)
    return PartedGame(
        game=game,
        names_a=a.names,
        names_b=b.names,
        kyoku=tuple(_kyoku(key, of_a[key], of_b[key], a.first_dealer) for key in of_a if key in of_b),
        only_a=tuple(kyoku_text(*key) for key in of_a if key not in of_b),
        only_b=tuple(kyoku_text(*key) for key in of_b if key not in of_a),
    )


def _by_key(record: Record) -> dict[Key, Sequence[Fact]]:
    """Return the kyoku of a record, with the facts that a 牌譜 has."""
    found: dict[Key, Sequence[Fact]] = {}
    for kyoku in record.log:
        deal = kyoku[0]
        assert isinstance(deal, events.KyokuStart), "a kyoku begins with its deal"
        found[deal.round_wind, deal.kyoku, deal.honba] = in_paifu(kyoku)
    return found


def _kyoku(key: Key, a: Sequence[Fact], b: Sequence[Fact], first_dealer: int) -> PartedKyoku:
    dealer = player_of(key[1], first_dealer)
    for event, (x, y) in enumerate(zip_longest(a, b), 1):
        if _comparable(x) != _comparable(y):
            return PartedKyoku(kyoku_text(*key), event, _side(x, a, dealer), _side(y, b, dealer))
    return PartedKyoku(kyoku_text(*key), None, _side(None, a, dealer), _side(None, b, dealer))


def _comparable(fact: Fact | None) -> Fact | None:
    """Return a fact without the points at the start of a kyoku."""
    if isinstance(fact, events.KyokuStart):
        return msgspec.structs.replace(fact, scores=NOTHING, sticks=0)
    return fact


def _side(fact: Fact | None, kyoku: Sequence[Fact], dealer: int) -> RunSide:
    results = [one for one in kyoku if isinstance(one, WinFact | DrawFact)]
    deltas = [0, 0, 0, 0]
    for result in results:
        for seat, points in enumerate(result.deltas or NOTHING):
            deltas[player_of(seat, dealer)] += points
    ending = " and ".join(_ending(result) for result in results) or "did not end"
    return RunSide("" if fact is None else _told(fact), ending, tuple(deltas))


def _ending(result: WinFact | DrawFact) -> str:
    if isinstance(result, DrawFact):
        whose = "" if result.offender is None else f" of {WINDS[result.offender]}"
        return f"{draw_name(result.reason)}{whose}"
    how = "tsumo" if result.source is None else f"ron on {WINDS[result.source]}"
    return f"{WINDS[result.seat]} {how} {result.points}"


def _told(fact: Fact) -> str:
    """Describe a fact in a few words; seats are seats of the kyoku."""
    match fact:
        case events.Draw(seat, tile):
            return f"{WINDS[seat]} draws {'' if tile is None else NAMES[tile]}"
        case events.TileDiscard(seat, tile, tsumogiri, riichi):
            return f"{WINDS[seat]} discards {discard_text(tile, tsumogiri, riichi)}"
        case events.MeldCall(seat, meld):
            return f"{WINDS[seat]} calls {meld_text(meld)}"
        case events.OwnKan(seat, meld):
            return f"{WINDS[seat]} declares {meld_text(meld)}"
        case WinFact() | DrawFact():
            return _ending(fact)
    return show_fact(fact)


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
