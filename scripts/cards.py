"""Draws the cards of all dialects, of net play and of 大富豪: `python -m scripts.cards` updates docs/conform.md and
table/check/conform/cards."""

import sys
from collections.abc import Iterator, Mapping

from jantaku.table.check.conform.card import FOLDER, Card, filed, made
from jantaku.table.check.conform.troubles import TROUBLES, Consequence
from jantaku.table.check.conform.words import MANNERS
from jantaku.table.languages.wire.dialects import DIALECTS
from scripts.laws import ROOT, bring_up_to_date

PAGE = ROOT / "docs" / "conform.md"
COMMAND = "scripts.cards"


def drawn(cards: Mapping[str, Card]) -> str:
    """Return the cards in short, as Markdown: what each one is, and the consequence of every bad reply."""
    spoken = {name: card for name, card in cards.items() if name in DIALECTS}
    groups = [spoken, *({name: card} for name, card in cards.items() if name not in DIALECTS)]
    parts = [_overview(cards), *(part(group) for group in groups for part in (_troubles, _messages))]
    return "\n\n".join("\n".join(part) for part in parts)


def _overview(cards: Mapping[str, Card]) -> Iterator[str]:
    yield "| card | version | how replies find their messages | end |"
    yield "|---|---|---|---|"
    for name, card in cards.items():
        link = f"[`{name}`](../table/check/conform/cards/{name}.json)"
        yield f"| {link} | {card.version} | {card.matching} | {card.end} |"


def _troubles(cards: Mapping[str, Card]) -> Iterator[str]:
    yield f"| what comes instead of the reply | {' | '.join(cards)} |"
    yield f"|---|{'---|' * len(cards)}"
    rows = dict.fromkeys((name, one.comes) for card in cards.values() for name, one in card.troubles.items())
    for name, comes in sorted(rows, key=_place):
        cells = [_outcome(card.troubles.get(name)) for card in cards.values()]
        yield f"| {comes} | {' | '.join(cells)} |"


def _place(row: tuple[str, str]) -> int:
    return [*TROUBLES].index(row[0]) if row[0] in TROUBLES else 0


def _outcome(outcome: Consequence | None) -> str:
    if outcome is None:
        return ""
    told = [f"`{outcome.verdict}`: {outcome.played}"]
    told += [f"{outcome.stale} stale"] if outcome.stale else []
    told += [f"the next is `{outcome.next}`"] if outcome.next != "ok" else []
    told += [f"`{answer}`" for answer in outcome.answered]
    return "<br>".join(told)


def _messages(cards: Mapping[str, Card]) -> Iterator[str]:
    yield "| message | when | in | may be answered with |"
    yield "|---|---|---|---|"
    kinds = dict.fromkeys((kind, message.when) for card in cards.values() for kind, message in card.messages.items())
    for kind, when in kinds:
        inside = {name: card.messages[kind] for name, card in cards.items() if kind in card.messages}
        inside = {name: message for name, message in inside.items() if message.when == when}
        answers = dict.fromkeys(answer for message in inside.values() for answer in message.answers)
        yield f"| `{kind}` | {when} | {', '.join(inside)} | {' '.join(f'`{answer}`' for answer in answers)} |"


def main() -> int:
    """Update cards and page; return 1 if they were not up to date."""
    cards, changed = {name: made(name) for name in MANNERS}, 0
    FOLDER.mkdir(exist_ok=True)
    for name in cards:
        path = FOLDER / f"{name}.json"
        text = filed(name, cards)
        changed |= not path.is_file() or path.read_bytes() != text
        path.write_bytes(text)
    return bring_up_to_date(PAGE, drawn(cards), COMMAND) | changed


if __name__ == "__main__":
    sys.exit(main())
