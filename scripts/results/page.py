"""The page of the ladder, drawn from the plan and from what was played."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from jantaku.table.arena.match.figures.statistics import Interval
from jantaku.table.arena.match.ranklists import rank_points
from jantaku.table.riichi.pieces.seats import SEATS
from scripts.results.ladder import Rung, picture
from scripts.results.plan import EVEN, OWN, LadderPlan, Played, Row

DOCS = ".."
"""The folder of the other pages, from this page."""
EVEN_DAN = 7.0
"""The stable dan of a player whose four ranks are equally frequent."""
UNDECIDED = ", undecided"
RATES = ("和了", "of it ツモ", "average 和了", "放銃", "average 放銃", "立直", "副露")
HEAD = """# How strong the bots are

![Mean ranks with their intervals](ladder.svg)

Each bot sat alone beside three `{ground}`: a wall set is four hanchan on the same walls, with the bot on each seat
once, by the [rules]({docs}/rules/index.md) `{rules}`. An even player comes to a mean rank of 2.5, and less is better.
± is half of the 95 % interval, whose unit is the wall set. Rank points are `{pt}`, stable dan that of the room `houou`
([units]({docs}/statistics.md)). *Ahead of the next* compares two neighbours on the walls that both played,
so its sign may differ from the order by mean rank. Of twenty such intervals about one leaves the truth out.

{told}

"""
ORIGINS = """
`majiang-ai` is the bot of 電脳麻将, and a number behind it one of its older versions; each is unmodified, and
`python -m scripts.anchors` fetches it and prints the line by which it sits ([programs]({docs}/programs.md)).
"""
LIMITS = """
## What this does not show

- How a bot does beside others than these: a rank depends on everybody at the table.
- What a bot does under another clock or by other rules. No bot lost an answer to the clock here: programs had 600 s.
- Whether two rows that are not neighbours, or that are undecided, differ. More wall sets would tell.
- A time that another machine would take. Times are those of one run, on two virtual cores that had other work to do.

"""
AGAIN = """
## Made by one command

```
python -m scripts.results             # plays what is missing, then writes picture, figures, games and this page
python -m scripts.results --again 3   # plays the first three wall sets of every row once more, and compares
```

[plan.toml](plan.toml) says what is played, with the seed “{seed}”; [figures.json](figures.json) has the rank of
every hanchan. From the same plan come the same hanchan, on every machine. The times are those of the first run.
`student` needs the extra `learn`.

| row | version | digest of all hanchan |
|---|---|---|
"""
WATCH = """
## Games to watch

`jantaku view docs/results/games` shows {number} hanchan on the walls of the first set: {rows}.
"""


def rungs(plan: LadderPlan, played: Played) -> list[tuple[Rung, Row | None]]:
    """The bots of the ladder from the best down, with their rows; the bot beside them is even, and has none."""
    rows: list[Row | None] = [row for row in played.rows if row.beside == plan.ground]
    found = [(Rung(row.name, row.rank, row.name in OWN), row) for row in rows if row]
    return sorted([*found, (Rung(plan.ground, Interval(EVEN, None), True), None)], key=lambda one: one[0].rank.mean)


def drawn(plan: LadderPlan, played: Played) -> str:
    return picture([rung for rung, _ in rungs(plan, played)], plan.ground) + "\n"


def page(plan: LadderPlan, played: Played) -> str:
    """Write the page."""
    ladder = rungs(plan, played)
    undecided = [f"{a[0].name} and {b[0].name}" for a, b in pairwise(ladder) if _said(a, b).endswith(UNDECIDED)]
    told = f"Undecided between neighbours are {', '.join(undecided)}." if undecided else "Each step is decided."
    parts = [
        HEAD.format(docs=DOCS, ground=plan.ground, rules=plan.rules, pt=plan.pt, told=told),
        *_table(("bot", "hanchan", "mean rank", "rank pt", "stable dan", "ahead of the next"), _strength(plan, played)),
        ORIGINS.format(docs=DOCS),
        "\n## Beside three of another\n\n",
        *_table(("bot", "beside three", "hanchan", "mean rank", "is"), _others(plan, played)),
        "\n## How they play\n\n",
        *_table(("bot", *RATES), _rates(plan, played)),
        "\nA share of the kyoku, and points.\n",
        "\n## Time and faults\n\n",
        *_table(("bot", "ms a decision, median", "99 % within", "faults"), _times(plan, played)),
        _watch(plan),
        LIMITS.rstrip("\n") + "\n",
        AGAIN.format(seed=plan.seed),
        *(f"| {row.title} | {row.origin or 'comes along'} | `{row.games[:16]}` |\n" for row in played.rows),
    ]
    return "".join(parts)


def _step(above: tuple[Rung, Row | None], below: tuple[Rung, Row | None]) -> Interval:
    if above[1] is None:
        return below[1].ahead_of(None).reversed if below[1] else Interval(0.0, None)
    return above[1].ahead_of(below[1])


def _said(above: tuple[Rung, Row | None], below: tuple[Rung, Row | None]) -> str:
    if above[1] and below[1] and above[1].games == below[1].games:
        return "none: it plays the same hanchan"
    step = _step(above, below)
    return step.text(3, sign=True) + ("" if step.decided else UNDECIDED)


def _strength(plan: LadderPlan, played: Played) -> Iterator[Sequence[str]]:
    ladder = rungs(plan, played)
    ahead = [_said(*pair) for pair in pairwise(ladder)]
    even = f"{sum(rank_points(plan.pt)) / SEATS + 0.0:+.2f}"
    for (rung, row), said in zip(ladder, [*ahead, "–"], strict=True):
        if row is None:
            yield f"**`{rung.name}`**", "–", "2.500, by symmetry", even, f"{EVEN_DAN:.2f}", said
        else:
            dan, points = row.stable_dan(), row.rank_pt(plan.pt)
            told = row.rank.text(3), points.text(2, sign=True), dan.text(2) if dan else "–"
            yield _bot(row), f"{row.hanchan:,}", *told, said


def _others(plan: LadderPlan, played: Played) -> Iterator[Sequence[str]]:
    for row in played.rows:
        if row.beside != plan.ground:
            step = row.ahead_of(None)
            word = "undecided" if not step.decided else "ahead" if step.mean > 0 else "behind"
            yield _bot(row), f"`{row.beside}`", f"{row.hanchan:,}", row.rank.text(3), word


def _rates(plan: LadderPlan, played: Played) -> Iterator[Sequence[str]]:
    for _, row in rungs(plan, played):
        if row:
            rate = row.rates
            wins = _share(rate["win_rate"]), _share(rate["tsumo_share"]), _points(rate["win_value"])
            losses = _share(rate["deal_in_rate"]), _points(rate["deal_in_value"])
            yield _bot(row), *wins, *losses, _share(rate["riichi_rate"]), _share(rate["call_rate"])


def _times(plan: LadderPlan, played: Played) -> Iterator[Sequence[str]]:
    for _, row in rungs(plan, played):
        if row:
            faults = ", ".join(f"{word} {number}" for word, number in row.faults.items())
            yield _bot(row), *(f"{time:g}" for time in row.times), faults or "none"


def _watch(plan: LadderPlan) -> str:
    rows = ", ".join(f"`{title}`" for title in plan.watch)
    return WATCH.format(number=4 * len(plan.watch), rows=rows)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}\n"
    for row in rows:
        yield f"| {' | '.join(row)} |\n"


def _bot(row: Row) -> str:
    return f"**`{row.name}`**" if row.name in OWN else f"`{row.name}`"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value * 100:.1f} %"


def _points(value: float | None) -> str:
    return "–" if value is None else f"{value:,.0f}"
