"""The folder of a match or tournament: its plan file, and beside it the folder of its records."""

RECORDS = "records"
"""The folder of records in a match's folder."""
KINDS = ("match", "tournament")
"""What a folder may hold."""


def plan_name(kind: str) -> str:
    """Return the name of the plan file of a kind."""
    return f"{kind}.json"


PLANS = frozenset(map(plan_name, KINDS))
"""The names of plan files."""
