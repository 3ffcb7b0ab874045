"""Plays a 大富豪 series, and checks it in the viewer of a real browser against its record, at every position."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from jantaku.table.daifugo import events
from jantaku.table.daifugo.cards import cards_text
from jantaku.table.daifugo.events import Board
from jantaku.table.daifugo.journals.record import Record, load
from jantaku.table.daifugo.journals.replay import DaifugoTable, followed
from jantaku.table.daifugo.ranks import RANK_NAMES
from jantaku.table.daifugo.rules import FILES
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import Clock
from jantaku.table.play.runner import Looker, Opener, Plan, WatchedGames, play
from jantaku.table.play.seating.roster import enlist
from tests.kit.cases import text_of
from tests.kit.chromium import Browser

PLAYERS = ("daifugo-greedy", "dice", "daifugo-weakest", "dice", "daifugo-greedy", "dice")


def played(
    folder: Path, seed: int, *, seats: int, letter: str, rounds: int, look: Callable[[], Looker] | None = None
) -> Record:
    """Play a series between bots and return its record; `look` makes a looker, see `WatchedGames`."""
    changes = {"game.seats": str(seats), "game.letter": letter, "series.rounds": str(rounds)}
    rules = FILES.with_settings(FILES.preset("strict"), changes)
    entrants = tuple(enlist(PLAYERS[:seats], folder, "daifugo"))
    names = [entrant.name for entrant in entrants]
    plan = Plan(entrants, 1, str(seed), Mode.INLINE, Clock(), OnFault.DEFAULT)
    table: Opener = DaifugoTable(rules, names, plan.seed, folder, "test")
    (done,) = play(plan, table if look is None else WatchedGames(table, look))
    return load(Path(done.records[0]))


SCREEN = text_of("pages/series_screen.js")
"""Reads what is on the screen."""
STEPPED = text_of("pages/series_stepped.js")
"""Reads the screen at every position from here to the end of the series, stepping with the key →."""

Screen = dict[str, Any]


def shown(browser: Browser) -> Screen:
    return cast(Screen, browser.ask(SCREEN))


def stepped(browser: Browser) -> list[Screen]:
    """Return the screens of all positions from the current one to the end."""
    return cast(list[Screen], browser.ask(STEPPED.replace("LOOK", SCREEN)))


def expected(record: Record) -> list[Screen]:
    """Return the screens for every position of a series with all hands open."""
    found: list[Screen] = []
    number = at = 0
    for told in followed(record):
        event, board = told.event, told.board
        if isinstance(event, events.RoundStart):
            number, at = number + 1, 0
        elif event is not None:
            at += 1
            found.append({"position": f"{number}.{at}", **_table(board), **_told_by(event, board)})
    return found


def _table(board: Board) -> Screen:
    since: list[tuple[int, tuple[int, ...]]] = []
    for step in board.history:
        if step.kind == "nagare":
            since = []
        elif step.kind == "play":
            since.append((step.seat, step.cards))
    last = max((n for n, (_, cards) in enumerate(since) if cards), default=-1)
    passed = {seat for seat, _ in since[last + 1 :]}
    return {
        "seats": [
            {
                "hand": sorted(cards_text((card,)) for card in hand),
                "backs": 0,
                "rank": RANK_NAMES[board.ranks[seat]],
                "points": board.points[seat],
                "place": board.places[seat],
                "passed": seat in passed,
            }
            for seat, hand in enumerate(board.hands)
        ],
        "trick": [[seat, cards_text(cards)] for seat, cards in since if cards],
        "pile": len(board.pile),
        "revolution": board.revolution,
    }


def _told_by(event: events.Event, board: Board) -> Screen:
    """Return what only some events show: the exchange, and the result of the round or the series."""
    gifts: list[str] = []
    result: list[list[Any]] | None = None
    match event:
        case events.Exchange(given):
            gifts = [f"{gift.giver} {gift.taker} {cards_text(gift.cards)}" for gift in given]
        case events.RoundEnd(places, ranks, _):
            result = [[seat, RANK_NAMES[ranks[seat]], board.points[seat]] for seat in _best_first(places)]
        case events.SeriesEnd(points, places):
            result = [[seat, "", points[seat]] for seat in _best_first(places)]
    return {"gifts": gifts, "result": result}


def _best_first(places: tuple[int, ...]) -> list[int]:
    return sorted(range(len(places)), key=lambda seat: places[seat])
