"""Every wire with every kind of bad message: `python -m scripts.wires` draws the table of docs/trust.md. A cell says
what is blamed, and names the attack or test that tries it."""

import sys
from collections.abc import Iterator, Mapping, Set
from typing import NamedTuple

from scripts.attacks.doors import WIRES, Kind
from scripts.attacks.packages import LINES
from scripts.laws import ROOT, bring_up_to_date

PAGE = ROOT / "docs" / "trust.md"
COMMAND = "scripts.wires"
NOBODY = "nothing"
_MODELS = "tests/serve/test_models.py::test_a_model_that_says_what_is_no_answer_is_told_so_and_plays_on"
_ROUNDS = "tests/daifugo/rooms/test_server.py::test_"
_PLAYS = f"{_ROUNDS}bad_plays_earn_the_documented_exception_and_change_nothing"
_ACKS = frozenset({"accepted", "rejected", "unparseable", "stale", "defaulted"})


class Cell(NamedTuple):
    """The consequence of a kind of bad message, and the attack (`GROUP: NAME`) or test (`FILE::NAME`) that tries it."""

    comes: str
    tried: str


MODELS = {
    Kind.MALFORMED: "told what `act` needs",
    Kind.UNKNOWN: "told which tools or options there are",
    Kind.WRONG_SEAT: "told which question is open",
    Kind.NOT_POSSIBLE: "told the options",
    Kind.LATE: "`silent`; told that the default was played",
    Kind.STALE: "told which question is open",
    Kind.DUPLICATE: "told that no question, or which, is open",
    Kind.OVERSIZED: "told the options",
    Kind.FULL: "told that a game is being played",
    Kind.BROKEN: "the game is given up",
}
"""Consequences by kind at the seat of a language model. Nothing is played for it before its time is over."""
ROUNDS = {
    Kind.MALFORMED: Cell("an Exception", _PLAYS),
    Kind.UNKNOWN: Cell("an Exception", _PLAYS),
    Kind.WRONG_SEAT: Cell("an Exception", _PLAYS),
    Kind.NOT_POSSIBLE: Cell("an Exception", _PLAYS),
    Kind.LATE: Cell(
        "`silent`, an Exception", f"{_ROUNDS}a_late_answer_is_not_used_and_the_weakest_card_is_led_instead"
    ),
    Kind.STALE: Cell(
        "an Exception",
        "tests/daifugo/rooms/test_seats.py::test_a_put_that_comes_too_late_is_no_answer_to_the_next_question",
    ),
    Kind.DUPLICATE: Cell("an Exception", _PLAYS),
    Kind.OVERSIZED: Cell("closed", f"{_ROUNDS}who_goes_too_far_is_disconnected_and_may_come_back"),
    Kind.FULL: Cell("an Exception, or closed", f"{_ROUNDS}who_cannot_be_let_in_is_told_why"),
    Kind.BROKEN: Cell("the defaults", f"{_ROUNDS}who_is_away_is_not_waited_for_and_is_told_all_when_he_comes_back"),
}
"""Consequences by kind at a 大富豪 table."""
_DOORS = {
    "majiang": "a room, `/play` (Majiang's messages)",
    "net play": "net play (Socket.IO)",
    "riichilab": "RiichiLab's `/ws/ranked`",
    "mjsonp": "`mjsonp://` (TCP)",
}
_PROGRAMS = {
    "pipe": "a program's pipes (`exec:`, mjai)",
    "folder": "a folder or zip",
}


def cells() -> dict[str, dict[Kind, Cell]]:
    """Return the cells by wire and kind."""
    doors = {title: _at_door(wire) for wire, title in _DOORS.items()}
    programs = {title: _of_program(transport) for transport, title in _PROGRAMS.items()}
    models = {kind: Cell(comes, _MODELS) for kind, comes in MODELS.items()}
    return {**doors, **programs, "`jantaku mcp`": models, "大富豪 (neof5)": ROUNDS}


def _at_door(wire: str) -> dict[Kind, Cell]:
    found: dict[Kind, Cell] = {}
    for number, row in enumerate(WIRES[wire][1]):
        acks = [f"ack `{word}`" for word in row.answered if word in _ACKS and wire == "riichilab"]
        closed = ["closed"] if row.ended else []
        comes = (
            f"told “{row.answered[0]}”"
            if row.kind is Kind.FULL
            else ", ".join([_blamed(row.blame), *acks[:1], *closed])
        )
        found.setdefault(row.kind, Cell(comes, f"doors: {wire}: a message that is {row.kind} ({number})"))
    return found


def _of_program(transport: str) -> dict[Kind, Cell]:
    tried = "packages: a program that came by {}: a message that is {}"
    found = {kind: Cell(_blamed({*may.split()}), tried.format(transport, kind)) for kind, (_, may) in LINES.items()}
    return {**found, Kind.FULL: Cell("–", "")}


def _blamed(words: Set[str]) -> str:
    named = [f"`{word}`" for word in sorted(words - {"ok"})]
    return " or ".join([*named, *([NOBODY] if "ok" in words or not words else [])])


def drawn(found: Mapping[str, Mapping[Kind, Cell]]) -> str:
    """Return the table as Markdown, a column per wire."""
    return "\n".join(_lines(found))


def _lines(found: Mapping[str, Mapping[Kind, Cell]]) -> Iterator[str]:
    yield f"| a message that is | {' | '.join(found)} |"
    yield f"|---|{'---|' * len(found)}"
    for kind in Kind:
        yield f"| {kind} | {' | '.join(row[kind].comes for row in found.values())} |"


if __name__ == "__main__":
    sys.exit(bring_up_to_date(PAGE, drawn(cells()), COMMAND))
