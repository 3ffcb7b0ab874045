"""What is on the screen of the viewer, and what has to be there."""

import json
from typing import Any

from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import meld_text
from jantaku.table.riichi.pieces.tiles import NAMES
from tests.kit.cases import text_of
from tests.kit.chromium import Browser, BrowserPage

DESK, PHONE = (1280, 900), (390, 844)
STATE = "document.getElementById('live-state').dataset.state"
"""Of the connection to a running table."""
IN_SIGHT = """(one => {
    const {x, y, width, height} = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
})"""
"""Whether the middle of an element is in the window and nothing lies over it."""
SCREEN = text_of("pages/screen.js")


def expected(board: Board) -> list[dict[str, Any]]:
    seats = []
    for seat, hand in enumerate(board.hands):
        river = board.rivers[seat]
        seats.append(
            {
                "hand": sorted(NAMES[tile] for tile in hand.tiles),
                "river": [NAMES[tile] for tile in river.tiles],
                "melds": [meld_text(meld) for meld in hand.melds],
                "bent": len(river.sideways),
                "called": len(river.called_by),
                "score": f"{board.scores[seat]:,}",
                "stick": board.deposited[seat],
            }
        )
    return seats


def shown(browser: Browser) -> list[dict[str, Any]]:
    seats: list[dict[str, Any]] = browser.ask(SCREEN)
    return seats


def wait_for(browser: BrowserPage, condition: str) -> None:
    """Wait until the page has come so far; it is looked at whenever the screen changes."""
    browser.ask(
        f"""new Promise(done => {{
            const look = () => ({condition}) && done(observer.disconnect());
            const observer = new MutationObserver(look);
            observer.observe(document, {{attributes: true, childList: true, subtree: true, characterData: true}});
            look();
        }})"""
    )


def wait_for_position(browser: Browser, position: str) -> None:
    wait_for(browser, f"document.getElementById('table').dataset.position === '{position}'")


def type_token(browser: Browser, token: str) -> None:
    """Type the operator's token into the form of the page, which then is loaded again."""
    wait_for(browser, "document.querySelector('input[type=password]')")
    browser.ask(f"document.querySelector('input[type=password]').value = {json.dumps(token)}")
    browser.leave("document.querySelector('input[type=password]').form.requestSubmit()")
