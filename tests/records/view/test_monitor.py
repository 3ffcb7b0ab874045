"""The page of a 大富豪 room in a real browser: hands are for the operator until the round is over."""

import pytest

from tests.daifugo.rooms.guests import SHORT, house_of
from tests.kit.chromium import Browser
from tests.records.view.chromium import IN_A_BROWSER
from tests.records.view.screen import DESK, type_token, wait_for

pytestmark = IN_A_BROWSER


@pytest.mark.long
@pytest.mark.parametrize("operator", ["", "by a link", "by typing"])
def test_the_page_shows_hands_to_the_operator_only_and_hides_the_token(operator: str, browser: Browser) -> None:
    token = "boss & 雀"
    with house_of(SHORT, operator_token=token) as house, house.guest("/play/A/R?name=a") as a:
        a.say({"Kind": "Start"})
        a.until("Thinking")
        address = house.url("/watch/R").replace("ws:", "http:")
        browser.open(address + ("#token=boss+%26+%E9%9B%80" if operator == "by a link" else ""), *DESK)
        if operator == "by typing":
            type_token(browser, token)
            browser.open(address, *DESK)
        wait_for(browser, "document.querySelectorAll('.seat').length === 2")
        assert (browser.ask("document.querySelectorAll('.hand .card').length") > 0) is bool(operator)
        assert "boss" not in browser.ask("location.href")
