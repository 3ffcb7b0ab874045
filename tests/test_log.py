"""Log lines: quiet by default, bound to what they are about, for people or as JSON."""

import io
import json
import threading
from collections.abc import Iterator

import pytest

from table import log


@pytest.fixture(autouse=True)
def _quiet_again() -> Iterator[None]:
    yield
    log.configure()


def test_nothing_below_a_warning_is_logged_unless_asked_for() -> None:
    stream = io.StringIO()
    log.configure(stream=stream)
    log.logger(table=1).info("quiet")
    assert stream.getvalue() == ""
    log.logger(table=1).warning("loud")
    assert "loud" in stream.getvalue()


def test_a_human_line_off_a_terminal_has_no_colours() -> None:
    stream = io.StringIO()
    log.configure("info", stream=stream)
    log.logger(table=1, seat=2).info("stale")
    assert "table=1" in stream.getvalue() and "seat=2" in stream.getvalue() and "\x1b" not in stream.getvalue()


def test_what_is_bound_is_there_in_another_thread() -> None:
    stream = io.StringIO()
    log.configure("debug", json=True, stream=stream)
    logger = log.logger(table=4, seat=2)
    thread = threading.Thread(target=lambda: logger.debug("asked", turn=41))
    thread.start()
    thread.join()
    line = json.loads(stream.getvalue())
    assert (line["table"], line["seat"], line["turn"], line["level"], line["event"]) == (4, 2, 41, "debug", "asked")


def test_a_json_line_can_hold_anything_and_an_exception() -> None:
    stream = io.StringIO()
    log.configure("info", json=True, stream=stream)
    try:
        raise KeyError("x")
    except KeyError:
        log.logger().exception("fault", thing=threading.Event)
    line = json.loads(stream.getvalue())
    assert "KeyError" in line["exception"] and "Event" in line["thing"]


def test_an_unconfigured_stream_is_standard_error_at_that_moment(capsys: pytest.CaptureFixture[str]) -> None:
    log.logger().warning("here")
    assert "here" in capsys.readouterr().err
