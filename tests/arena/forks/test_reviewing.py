"""Bots asked beside a record: what they hear and are asked, what counts, and what a record must be."""

import json
import re
from pathlib import Path

import msgspec
import pytest

from jantaku.players.broken.stuck import let_all_go
from jantaku.table.arena.commands.review import _asked
from jantaku.table.arena.forks.between import ALONE, Beside
from jantaku.table.arena.forks.course import Course, course_in, course_of
from jantaku.table.arena.forks.review import is_same, reviewed
from jantaku.table.arena.forks.shadow import Shadowed, shadowed
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Verdict
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import Clock
from jantaku.table.play.seating.roster import Entrant, enlist
from jantaku.table.records.convert.readers import Format, ending_of, read_any, write_any
from jantaku.table.records.journal.read import Record, load
from jantaku.table.records.replay.decisions import decisions
from jantaku.table.records.replay.reviewed import ReviewedDecision, agreements, kind_of
from jantaku.table.riichi.ruleset import preset, with_settings
from scripts.environments import PYTHON
from tests.kit.command import Jantaku
from tests.kit.records import PLAYERS

CLIENT = f"exec:{PYTHON} -m jantaku.players.adapters.client --bot shanten --dialect mjai?dialect=mjai"


@pytest.fixture(scope="module")
def record(game_folder: Path) -> Record:
    return load(game_folder / "game-0000.jsonl")


def review(record: Record, by: str, *players: int, beside: Beside = ALONE) -> list[ReviewedDecision]:
    assert record.rules is not None
    (entrant,) = enlist([by])
    return [one.line for one in reviewed(record, record.rules, dict.fromkeys(players or range(4), entrant), beside)]


def bots_seats(record: Record, bot: str) -> list[int]:
    return [seat for seat, name in enumerate(record.names) if name.partition("-")[0] == bot]


@pytest.mark.parametrize("bot", ["shanten", "dice", "caller"])
def test_a_bot_agrees_with_every_decision_of_its_own_game(record: Record, bot: str) -> None:
    """Also one that draws lots: it has the seed that it had."""
    seats = bots_seats(record, bot)
    assert len(seats) == PLAYERS.count(bot)
    lines = review(record, bot, *seats)
    assert len(lines) > 20
    assert [one for one in lines if one.played != one.choice] == []


def test_a_program_in_mjai_agrees_with_the_game_of_its_bot(record: Record) -> None:
    lines = review(
        record, CLIENT, *bots_seats(record, "shanten"), beside=Beside(Clock(turn=20, reaction=20), Mode.RESIDENT)
    )
    assert lines and all(one.agrees for one in lines)


@pytest.mark.long
@pytest.mark.parametrize(("form", "dialect"), [("paifu", ""), ("mjai", "wide"), ("mjai", "riichilab"), ("tenhou6", "")])
def test_a_record_of_any_format_is_reviewed_alike_where_it_tells_what_was_played(
    record: Record, tmp_path: Path, form: Format, dialect: str
) -> None:
    path = tmp_path / f"game{ending_of(form)}"
    path.write_bytes(write_any(record, form, dialect)[0])
    told = review(record, "tsumogiri")
    guessed = review(read_any(path, record.rules).record, "tsumogiri")
    assert [one.choice for one in guessed] == [one.choice for one in told]
    unknown = [one for one in guessed if one.played is None]
    assert 0 < len(unknown) < len(guessed) / 10
    pairs = zip(guessed, told, strict=True)
    assert all(mine.agrees == theirs.agrees for mine, theirs in pairs if mine.agrees is not None)


def test_a_bot_at_fault_has_no_choice_and_is_not_counted(record: Record) -> None:
    lines = review(record, "cheat")
    assert {one.verdict for one in lines} <= {"illegal", "malformed"}
    assert all(one.choice is None and one.agrees is None and one.reason for one in lines)
    assert agreements(lines)["all"].decisions == 0


def test_a_record_that_does_not_fit_the_rules_is_refused_with_the_place(record: Record) -> None:
    wrong = with_settings(preset("tenhou"), {"game.length": "tonpu", "tiles.red_m": "0"})
    (entrant,) = enlist(["tsumogiri"])
    with pytest.raises(BadInput, match=r"cannot be reviewed: .*kyoku 1 event 1: .*tiles\.red_m"):
        list(reviewed(record, wrong, {0: entrant}))


def test_differences_are_played_out_alike_however_often(record: Record) -> None:
    assert record.rules is not None
    (bot,) = enlist(["tsumogiri"])
    twice = [[one.line for one in reviewed(record, record.rules, {2: bot}, worlds=6)] for _ in range(2)]
    assert twice[0] == twice[1]
    worths = [one.worth for one in twice[0] if one.worth is not None]
    assert len(worths) == sum(one.agrees is False for one in twice[0])
    assert any(worths)


@pytest.mark.parametrize("terminal", [True, False])
def test_only_a_terminal_is_shown_how_far_the_review_is(
    record: Record, terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert record.rules is not None
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    found = reviewed(record, record.rules, {2: enlist(["shanten"])[0]})
    assert len(_asked(record, found)) > 20
    assert (f"/{len(record.log)}" in capsys.readouterr().err) is terminal


def test_kinds_and_what_is_the_same() -> None:
    assert kind_of([{"dapai": "m1"}, {"dapai": "m1_*"}]) == "riichi"
    assert kind_of([{"dapai": "m1"}, {"gang": "m1111"}]) == "kan"
    assert kind_of([{}, {"fulou": "m1-23"}, {"hule": "-"}]) == "win"
    assert kind_of([{"dapai": "m1"}, {"dapai": "m2_"}]) == "discard"
    assert is_same({"dapai": "m1_"}, {"dapai": "m1"})
    assert not is_same({"dapai": "m5"}, {"dapai": "m0"})
    assert not is_same({"dapai": "m1"}, {"dapai": "m1*"})
    assert not is_same({}, {"hule": "-"})


def test_the_command_says_how_often_and_where_the_bot_differs(game_folder: Path, jantaku: Jantaku) -> None:
    told = jantaku("review", str(game_folder / "game-0000.jsonl"), "--by", "tsumogiri", "--threads", "inline")
    assert told.code == 0 and not told.err
    assert "kyoku 1: 東一局 0本場\n  turn " in told.out
    assert "tsumogiri would have played the same in " in told.out


def test_its_json_has_the_counts_of_its_decisions(game_folder: Path, jantaku: Jantaku, record: Record) -> None:
    name = record.names[1]
    told = jantaku("review", str(game_folder / "game-0000.json"), "--by", "shanten", "--player", name, "--json")
    whole = json.loads(told.out)
    decisions = msgspec.convert(whole["decisions"], list[ReviewedDecision])
    every = agreements(decisions)["all"]
    counts = {"decisions": every.decisions, "agreed": every.agreed, "share": round(every.share, 4)}
    assert whole["agreement"]["all"] == counts
    assert [one["name"] for one in whole["players"]] == [name]
    assert {one.player for one in decisions} == {1}


def test_its_table_is_that_of_the_decisions_and_the_choice(game_folder: Path, jantaku: Jantaku, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra “parquet” is not installed")
    source, plain, table = str(game_folder / "game-0000.jsonl"), tmp_path / "d.parquet", tmp_path / "r.parquet"
    assert jantaku("convert", source, str(plain)).code == 0
    words = ["--by", "tsumogiri", "--seat", "2", "--threads", "inline", "--json", "--worth", "1"]
    whole = json.loads(jantaku("review", source, *words, "--parquet", str(table)).out)
    rows = parquet.read_table(table).to_pylist()
    names = parquet.read_schema(plain).names
    decided = [row for row in parquet.read_table(plain).to_pylist() if row["player"] == 2]
    assert [{name: row[name] for name in names} for row in rows] == decided
    assert all(row["choice"] in row["options"] and row["by"] == "tsumogiri" for row in rows)
    assert sum(row["agrees"] for row in rows) == whole["agreement"]["all"]["agreed"]
    worths = [row["worth"] for row in rows if row["agrees"] is False]
    assert sum(worths) == pytest.approx(whole["agreement"]["all"]["worth"]) and any(worths)
    assert all(row["worth"] is None for row in rows if row["agrees"] is not False)
    told = jantaku("review", source, "--by", "dice", "--parquet", "d.csv")
    assert (told.code, told.err) == (2, "jantaku: --parquet d.csv: end its name with .parquet\n")


def test_differences_are_listed_by_what_they_cost_each_with_its_place_in_the_viewer(
    game_folder: Path, jantaku: Jantaku, tmp_path: Path
) -> None:
    out = tmp_path / "game.review.jsonl"
    words = ("--by", "tsumogiri", "--seat", "2", "--threads", "inline", "--worth", "1", "--sort", "worth")
    told = jantaku("review", str(game_folder / "game-0000.jsonl"), *words, "--out", str(out))
    assert told.code == 0
    found = re.findall(r"^    ([-+][\d.]+) points, played out: jantaku view '(.*)#k=(\d+)&e=(\d+)'$", told.out, re.M)
    lines = [msgspec.json.decode(line, type=ReviewedDecision) for line in out.read_bytes().splitlines()[1:]]
    worst = sorted((one for one in lines if one.agrees is False), key=lambda one: -(one.worth or 0.0))
    assert found == [(f"{one.worth:+.1f}", str(out), str(one.kyoku), str(one.event)) for one in worst] != []
    sums = re.search(r"its choices win ([-+][\d.]+) points in all, played out in 1 world each by shanten", told.out)
    assert sums and float(sums[1]) == pytest.approx(sum(one.worth or 0.0 for one in worst), abs=0.06)


def test_faults_are_told_once_each_with_their_place(game_folder: Path, jantaku: Jantaku, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "class Broken:\n    def hear(self, event): ...\n    def answer(self, question):\n        return 1 / 0\n"
    )
    told = jantaku("review", str(game_folder / "game-0000.jsonl"), "--by", f"{bot}:Broken", "--seat", "0")
    assert told.code == 0
    first, why = told.err.splitlines()[:2]
    assert first.startswith("Broken: gone ") or first.startswith("Broken: ")
    assert "ZeroDivisionError" in why and "bot.py line 4" in told.err


@pytest.fixture(scope="module")
def course(record: Record) -> Course:
    return course_of(record)


def bot(spec: str) -> Entrant:
    return enlist([spec])[0]


def at_all_seats(spec: str) -> dict[int, Entrant]:
    return dict.fromkeys(range(4), bot(spec))


def test_a_shadow_is_asked_every_decision_that_its_seat_had(record: Record, course: Course) -> None:
    wanted = [(one.kyoku, one.turn, one.player) for one in decisions(record)]
    found = shadowed(course, at_all_seats("tsumogiri"))
    assert [(one.kyoku, one.turn, one.player) for one in found] == wanted
    assert len(wanted) > 100


def test_another_bot_is_asked_about_the_very_same_states(course: Course) -> None:
    found = shadowed(course, at_all_seats("tsumogiri"))
    assert any(one.differs for one in found)
    assert all(one.played in one.choice.options and one.answer.action in one.choice.options for one in found)


def test_a_shadow_of_a_paifu_sees_the_same_questions(game_folder: Path, course: Course) -> None:
    told = shadowed(course, at_all_seats("shanten"))
    guessed = shadowed(course_of(load(game_folder / "game-0000.json")), at_all_seats("shanten"))
    assert [(one.kyoku, one.turn, one.player, one.choice) for one in told] == [
        (one.kyoku, one.turn, one.player, one.choice) for one in guessed
    ]
    assert [one.answer.action for one in told] == [one.answer.action for one in guessed]


def test_only_those_are_asked_that_are_wanted(course: Course) -> None:
    left: set[tuple[int, int]] = set()

    def once_a_kyoku(one: Shadowed) -> None:
        left.add((one.kyoku, one.player))

    found = shadowed(
        course,
        at_all_seats("shanten"),
        wanted=lambda kyoku, turn, player: (kyoku, player) not in left,
        note=once_a_kyoku,
    )
    assert len(found) == len({(one.kyoku, one.player) for one in found}) == 4 * len(course.kyoku)


def test_a_fault_of_a_shadow_is_its_own_and_the_game_goes_on(record: Record, course: Course) -> None:
    found = shadowed(course, at_all_seats("cheat"))
    assert len(found) == len(list(decisions(record)))
    assert {one.answer.verdict for one in found} <= {Verdict.ILLEGAL, Verdict.MALFORMED}
    assert all(one.answer.reason for one in found)


def test_a_bot_that_cannot_be_made_is_said_in_a_line(course: Course, tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text("class Bad:\n    def __init__(self): raise OSError('no weights')\n    def answer(self, q): ...\n")
    with pytest.raises(BadInput, match="no weights"):
        shadowed(course, at_all_seats(f"{file}:Bad"))


def test_bots_in_processes_of_their_own_answer_as_in_this_one(course: Course) -> None:
    inside = shadowed(course, {2: bot("shanten")})
    outside = shadowed(course, {2: bot("shanten?isolate=process")}, Beside(Clock(turn=10, reaction=10), Mode.RESIDENT))
    assert [(one.kyoku, one.turn, one.answer.action) for one in inside] == [
        (one.kyoku, one.turn, one.answer.action) for one in outside
    ]


def test_a_stuck_shadow_is_silent_and_is_not_waited_for_long(course: Course) -> None:
    found = shadowed(course, {0: bot("stuck")}, Beside(Clock(turn=0.01, reaction=0.01, margin=0), Mode.RESIDENT))
    let_all_go()
    assert found[0].answer.verdict is Verdict.SILENT
    assert not any(one.answer.verdict.good for one in found)


def test_a_journal_is_read_by_its_answers_alone_to_the_same_course(game_folder: Path, course: Course) -> None:
    quick = course_in(game_folder / "game-0000.jsonl")
    assert (quick.kyoku, quick.standings, quick.rules) == (course.kyoku, course.standings, course.rules)
    assert quick.begin().events == course.begin().events


@pytest.mark.parametrize("dialect", ["mjai", "majiang"])
def test_a_program_hears_one_story_whatever_it_would_have_done(course: Course, dialect: str) -> None:
    """It is asked until it first differs in a kyoku, and hears the rest as the record has it: also where it would have
    declared riichi, which mjai asks about twice."""
    program = f"exec:{PYTHON} -m jantaku.players.adapters.client --bot shanten --dialect {dialect}?dialect={dialect}"

    def asked(one: Entrant, beside: Beside) -> list[tuple[object, ...]]:
        left: set[tuple[int, int]] = set()

        def leave(found: Shadowed) -> None:
            if found.differs:
                left.add((found.kyoku, found.player))

        seats = {0: one, 1: one}
        found = shadowed(course, seats, beside, lambda kyoku, _, player: (kyoku, player) not in left, leave)
        return [(one.kyoku, one.turn, one.player, one.answer.verdict, one.answer.action) for one in found]

    patient = Beside(Clock(turn=20, reaction=20, start=30), Mode.RESIDENT)
    assert asked(bot(program), patient) == asked(bot("shanten"), ALONE)
