"""A record as a notebook shows it: who played, what every kyoku came to, and the points."""

from collections.abc import Iterable, Sequence

from jantaku.table.drawing.elements import Markup, framed, marked, table
from jantaku.table.drawing.faces import FacedNames
from jantaku.table.languages.facts import DrawFact, EndFact, Fact, WinFact
from jantaku.table.languages.majiang.rule import draw_name
from jantaku.table.riichi import events
from jantaku.table.riichi.pieces.notation import kyoku_text
from jantaku.table.riichi.pieces.seats import player_of, seat_of


def outline(
    title: str, names: Sequence[str], log: Iterable[Sequence[Fact]], final: EndFact | None, notes: Iterable[str] = ()
) -> Markup:
    """Return the HTML that a notebook shows of a record: a row a kyoku of its `log` with the points at its deal, and
    how it ended; `notes` stand below."""
    faced, seats = FacedNames(names), len(names)
    rows: list[Sequence[object]] = []
    for number, kyoku in enumerate(log, 1):
        deal = kyoku[0]
        assert isinstance(deal, events.KyokuStart), "a record is read so"
        scores = (f"{deal.scores[seat_of(player, deal.dealer, seats)]:,}" for player in range(seats))
        name = f"{number}. {kyoku_text(deal.round_wind, deal.kyoku, deal.honba)}"
        rows.append((name, *scores, _endings(names, kyoku)))
    if final is not None:
        ranks = final.ranks or ("",) * seats
        scores = (Markup(f"{score:,}{_rank(rank)}") for score, rank in zip(final.scores, ranks, strict=False))
        rows.append(("end", *scores, ""))
    heads = ("kyoku", *map(faced.short, names), "how it ended")
    shown = table("Kyoku", heads, rows, class_="games")
    return framed(title, [shown, *(marked("p", note) for note in notes)])


def _rank(rank: object) -> str:
    return marked("small", f"{rank}.") if rank else ""


def _endings(names: Sequence[str], kyoku: Sequence[Fact]) -> str:
    deal = kyoku[0]
    assert isinstance(deal, events.KyokuStart), "a record is read so"

    def named(seat: int) -> str:
        return names[player_of(seat, deal.dealer, len(names))]

    told = []
    for fact in kyoku:
        if isinstance(fact, DrawFact):
            told.append(draw_name(fact.reason) or "draw")
        elif isinstance(fact, WinFact):
            how = "tsumo" if fact.source is None else f"ron on {named(fact.source)}"
            told.append(f"{named(fact.seat)}: {how}" + ("" if fact.points is None else f", {fact.points:,}"))
    return "; ".join(told) or "not at all"
