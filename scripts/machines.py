"""Draws the judge's state machines and its table of verdicts: `python -m scripts.machines` updates docs/threads.md. All
of it comes from the tables that the judge uses."""

import sys
from collections.abc import Iterable

from jantaku.table.ground.port import Verdict
from jantaku.table.judge import player
from jantaku.table.judge.faults import CONFINED, RAISED, VERDICTS
from jantaku.table.judge.result import Move
from jantaku.table.judge.turn import settling
from scripts import laws

PAGE = laws.ROOT / "docs" / "threads.md"
COMMAND = "scripts.machines"


def drawn() -> str:
    """Return the two machines as Mermaid diagrams, and the verdicts as a table."""
    seat = _diagram("The seat", player.State.IDLE, player.MOVES)
    turn = _diagram("The turn's event", settling.EventState.OPEN, settling.MOVES)
    return "\n\n".join([seat, turn, "\n".join(_verdicts())])


def _diagram(name: str, first: str, moves: Iterable[Move]) -> str:
    lines = [f"  {move.before} --> {move.after}: {move.why}" for move in moves]
    return "\n".join([f"**{name}**", "", "```mermaid", "stateDiagram-v2", f"  [*] --> {first}", *lines, "```"])


def _verdicts() -> Iterable[str]:
    raised = {cause: f"`{kind.__name__}`" for kind, cause in RAISED.items()}
    raised |= {cause: f"`PlayerFault` with limit `{limit}`" for limit, cause in CONFINED.items()}
    yield "| verdict | cause | raised as |"
    yield "|---|---|---|"
    for verdict in Verdict:
        for cause, led_to in VERDICTS.items():
            if led_to is verdict:
                yield f"| `{verdict}` | {cause} | {raised.get(cause, '')} |"


if __name__ == "__main__":
    sys.exit(laws.bring_up_to_date(PAGE, drawn(), COMMAND))
