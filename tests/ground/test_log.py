"""Log lines: quiet by default, bound to what they are about, for people or as JSON."""

import io
import json
import logging
import re
import shlex
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import structlog
from structlog.testing import capture_logs

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground import log
from jantaku.table.ground.port import Player
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.ruleset import preset, with_settings
from jantaku.table.testing import slow
from jantaku.table.testing.hampered import release_all
from tests.kit.command import Jantaku
from tests.kit.processes import run_python

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _quiet_again() -> Iterator[None]:
    yield
    structlog.reset_defaults()


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


def test_no_name_is_a_command_to_the_terminal() -> None:
    stream = io.StringIO()
    log.configure("info", stream=stream)
    log.logger(player="a\x1b[31m").info("fault", reason="b\x07\n c")
    assert "player=a\\x1b[31m" in stream.getvalue()
    assert stream.getvalue()[:-1].isprintable() and stream.getvalue()[-1] == "\n"


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


@pytest.mark.long
def test_a_program_that_configured_structlog_before_the_import_finds_it_unchanged() -> None:
    program = """if True:
        import structlog
        structlog.configure(processors=[structlog.processors.JSONRenderer()])
        before = structlog.get_config(), list(structlog.get_config()["processors"])
        from jantaku.table.judge.judge import Judge
        import jantaku.table.cli.main, jantaku.table.arena.match.processes, jantaku.table.testing.plugin
        assert (structlog.get_config(), structlog.get_config()["processors"]) == before
        from jantaku.table.ground.log import logger
        logger(seat=2).info("theirs")
    """
    ran = run_python(program)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, '{"seat": 2, "event": "theirs"}\n', "")


@pytest.mark.parametrize("words", [("--help",), ("play", "--length", "one", "--threads", "per-turn", "--quiet")])
def test_a_command_that_logs_nothing_imports_no_structlog(words: tuple[str, ...], tmp_path: Path) -> None:
    program = f"""if True:
        import sys
        from jantaku.table.cli.main import main
        try:
            main({list(words)})
        except SystemExit as end:
            assert not end.code
        assert "structlog" not in sys.modules
    """
    ran = run_python(program, cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize("configured", ["structlog.configure(processors=[structlog.processors.JSONRenderer()])", ""])
def test_the_first_line_that_is_written_is_as_was_chosen_or_as_a_players_code_has_chosen(configured: str) -> None:
    program = f"""if True:
        import sys
        from jantaku.table.ground import log
        log.configure("warning", json=True)
        late = log.logger(seat=2)
        late.debug("quiet")
        assert "structlog" not in sys.modules and log.tells(late, "warning") and not log.tells(late, "info")
        import structlog
        {configured}
        late.warning("first")
        log.logger(seat=3).warning("second")
    """
    ran = run_python(program)
    assert ran.returncode == 0
    told = ran.stdout if configured else ran.stderr
    assert [word in told for word in ("quiet", "first", "second")] == [False, True, True]
    assert bool(ran.stdout) is bool(configured)


def test_where_lower_levels_are_asked_for_structlog_is_there_before_a_game() -> None:
    program = """if True:
        import sys
        from jantaku.table.ground import log
        log.configure("info")
        assert "structlog" in sys.modules
    """
    assert run_python(program).returncode == 0


def test_capture_logs_leaves_the_quiet_behind_where_nothing_had_been_logged_before() -> None:
    program = """if True:
        from structlog.testing import capture_logs
        from jantaku.table.ground.log import logger
        with capture_logs() as entries:
            logger(seat=1).info("fault")
        assert [entry["event"] for entry in entries] == ["fault"]
        logger(seat=1).info("quiet")
    """
    ran = run_python(program)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_importing_configures_nothing_where_nobody_has() -> None:
    program = """if True:
        import structlog
        import jantaku.table.judge.judge, jantaku.table.cli.main, jantaku.table.arena.match.processes
        import jantaku.table.testing.plugin, jantaku.players.base
        assert not structlog.is_configured()
    """
    ran = run_python(program)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")


def test_without_a_configuration_only_warnings_are_logged_and_to_stderr(
    capsys: pytest.CaptureFixture[str],
) -> None:
    structlog.reset_defaults()
    log.logger().info("quiet")
    log.logger().warning("loud")
    printed = capsys.readouterr()
    assert printed.out == "" and "quiet" not in printed.err and "loud" in printed.err


def test_capture_logs_sees_every_line_and_leaves_the_quiet_behind(capsys: pytest.CaptureFixture[str]) -> None:
    structlog.reset_defaults()
    with capture_logs() as entries:
        log.logger(seat=1).info("fault")
    assert entries == [{"seat": 1, "event": "fault", "log_level": "info"}]
    log.logger(seat=1).info("fault")
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("level", "told"), [("debug", True), ("info", False), ("error", False)])
def test_whether_turns_are_told_is_asked_of_whoever_configured_structlog(level: log.Level, told: bool) -> None:
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(number))
    assert log.tells(log.logger(), "debug") is told
    theirs = logging.getLogger("theirs")
    theirs.setLevel(number)
    structlog.configure(wrapper_class=structlog.stdlib.BoundLogger, logger_factory=lambda *_: theirs)
    assert log.tells(log.logger(), "debug") is told


def test_capture_logs_sees_a_bot_that_is_cut_off_by_its_keys() -> None:
    structlog.reset_defaults()
    rules = with_settings(preset("tenhou"), {"game.length": "one"})
    names = ("slow", "b", "c", "d")
    players: list[Player] = [slow(Tsumogiri(), seconds=60), Tsumogiri(), Tsumogiri(), Tsumogiri()]
    clock = Clock(turn=0.1, reaction=0.1, margin=0.0)
    with capture_logs() as entries:
        Judge(RiichiGame(rules, walls_from("7", 0, rules), names), players, clock=clock).run()
    release_all()
    fault = next(entry for entry in entries if entry["event"] == "fault")
    about = ("kyoku", "turn", "seat", "player", "question", "verdict", "allowed")
    assert [fault[key] for key in about] == [1, 1, 0, "slow", 4, "silent", 0.1]
    assert fault["used"] >= 0.1


@pytest.mark.parametrize("page", ["README.md", "docs/README.ja.md"])
def test_a_page_shows_a_turn_as_the_command_above_it_logs_it(page: str, jantaku: Jantaku, cwd: Path) -> None:
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", (ROOT / page).read_text("utf-8"), re.DOTALL | re.MULTILINE)
    (command,) = (line for _, block in blocks for line in block.splitlines() if "--log debug" in line)
    (sample,) = (block for _, block in blocks if block.startswith("event made "))
    for kind, block in blocks:
        if kind == "toml":
            Path("table.toml").write_text(block, "utf-8")
    ran = jantaku(*shlex.split(command)[1:], "--out", "records")
    turn = re.search(r"turn=\d+", sample)
    assert ran.code == 0 and turn is not None
    logged = [line for line in ran.err.splitlines() if turn[0] in line.split()]
    assert [_without_times(line.partition("] ")[2]) for line in logged] == [
        _without_times(line) for line in sample.splitlines()
    ]


def _without_times(line: str) -> str:
    return re.sub(r"ms=[0-9.]+", "ms=…", " ".join(line.split()))


def test_what_a_process_does_is_told_in_every_line_of_any_thread_and_not_behind_it() -> None:
    stream = io.StringIO()
    log.configure("info", json=True, stream=stream)
    with log.context(game=7):
        thread = threading.Thread(target=lambda: log.logger(table=1).info("inside"))
        thread.start()
        thread.join()
        log.logger(game=3).info("its own")
    log.logger().info("behind")
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line.get("game") for line in lines] == [7, 3, None]


def test_every_line_of_a_hanchan_of_a_match_says_which(jantaku: Jantaku, tmp_path: Path) -> None:
    (tmp_path / "raises.py").write_text("class Raises:\n    def answer(self, question): raise ValueError\n")
    words = ("--format", "1v3", "--sets", "1", "--length", "one", "--workers", "0", "--out", str(tmp_path / "m"))
    ran = jantaku("match", "--players", f"{tmp_path}/raises.py,dice", *words, "--log", "info", "--log-json")
    lines = [json.loads(line) for line in ran.err.splitlines() if line.startswith("{")]
    assert {line["game"] for line in lines if "table" in line} == {0, 1, 2, 3}
