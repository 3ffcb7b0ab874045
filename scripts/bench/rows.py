"""The rows that are measured in bursts, by name."""

from collections.abc import Callable

from scripts.bench import bare, games
from scripts.bench.bursts import Play
from scripts.bench.policies import WITH_BOARD

SPEED: dict[str, Callable[[str], Play]] = {
    "engine": games.bare_engine,
    "inline": lambda policy: games.judged(policy, "inline"),
    "three": lambda policy: games.judged(policy, "inline", named="tenhou-3p"),
    "journal": games.journalled,
    "buffered": lambda policy: games.journalled(policy, buffered=True),
    "written": games.written,
    "board": lambda policy: games.judged(policy, "inline", WITH_BOARD),
    "board-play": lambda policy: games.journalled(policy, WITH_BOARD),
    "board-match": lambda policy: games.journalled(policy, WITH_BOARD, buffered=True),
    "board-written": lambda policy: games.written(policy, WITH_BOARD),
    "board-once": lambda policy: games.written(policy, WITH_BOARD, at_once=True),
    "resident": lambda policy: games.judged(policy, "resident"),
    "per-turn": lambda policy: games.judged(policy, "per-turn"),
}
"""Rows of the table: each makes a play for a policy."""
BARE: dict[str, Callable[[str], Play]] = {"asked": bare.asked, "four": bare.four, "start-join": bare.start_join}
"""Rows of threads without a table."""
PLAYS = SPEED | BARE
THREADS = ("inline", "resident", "per-turn", *BARE)
"""The rows that show the cost of threads."""
SAMPLED = tuple(row for row in SPEED if row not in ("engine", "per-turn"))
"""The rows that can be sampled: a judge plays, and no thread ends before a sample is due."""
ALONE = tuple(row for row in SAMPLED if row != "resident")
"""The sampled rows with one thread."""
MEANING = {
    "engine": "the pure game in a bare loop, without judge and players",
    "inline": "the judge calls the players",
    "three": "inline, with three players",
    "journal": "inline, and the journal is written turn by turn",
    "buffered": "inline, and the journal is written in large pieces",
    "written": "inline, and as many bytes are written turn by turn as they are",
    "board": "inline, with bots as users write them: on the base class, and each looks at its board",
    "board-play": "board, and the journal as `play` writes it",
    "board-match": "board, and the journal as `match` writes it",
    "board-written": "board, and as many bytes are written turn by turn as `play` writes",
    "board-once": "board, and as many bytes are written at the end",
    "resident": "four threads live for the game",
    "per-turn": "four threads are started in every turn",
    "asked": "bare hand-offs, as many as resident makes, with nothing to do",
    "four": "bare hand-offs to four threads in every turn",
    "start-join": "four bare threads started and joined in every turn",
}
