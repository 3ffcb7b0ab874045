"""Where records lie: the folder of a match or tournament, its plan file and its records, and the endings of files."""

from typing import Literal

RECORDS = "records"
"""The folder of records in a match's folder."""
KINDS = ("match", "tournament")
"""What a folder may hold."""


def plan_name(kind: str) -> str:
    return f"{kind}.json"


PLANS = frozenset(map(plan_name, KINDS))
"""The names of plan files."""


Format = Literal["journal", "paifu", "2015", "mjai", "tenhou6"]
"""A format that is read and written."""
ENDINGS: tuple[tuple[str, Format], ...] = (
    (".mjai.jsonl", "mjai"),
    (".mjai.json", "mjai"),
    (".mjson", "mjai"),
    (".tenhou6.json", "tenhou6"),
    (".2015.json", "2015"),
    (".jsonl", "journal"),
    (".json", "paifu"),
)
"""Formats by the ending of a file name; the first match counts."""
REVIEWS = ".review.jsonl"
"""The ending of reviews: commands that look for records in a folder skip them."""
