"""The report of a match, one file that needs nothing else."""

import math
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jantaku.table.arena.match.figures.games import LISTED, PlayedGames
from jantaku.table.arena.match.figures.statistics import Interval
from jantaku.table.arena.match.figures.stops import Sprt
from jantaku.table.arena.match.figures.summary import TimeLine, Times
from jantaku.table.arena.match.figures.tally import MatchTally
from jantaku.table.arena.match.figures.timing import seconds, timing
from jantaku.table.arena.match.report.plots import BAND_FROM, NAME_IN_PLOT, _even, course_plot
from jantaku.table.arena.match.report.report import Content, write_report
from jantaku.table.arena.match.report.results import match_results
from jantaku.table.drawing.columns import shortened
from jantaku.table.drawing.faces import faces_of
from jantaku.table.ground.errors import BadInput
from jantaku.table.records.view.guard import digest, policy
from tests.arena.match.matches import line
from tests.kit.cases import cases
from tests.kit.command import Jantaku
from tests.records.view.conftest import browser as browser

NAMES = ("new & <bold>", "old")
LINES = [line(game, game // 4, [NAMES[game % 4 != n] for n in range(4)], (2, 1, 3, 4)) for game in range(40)]
TALLY = MatchTally(NAMES)
for one in LINES:
    TALLY.add(one)
TIMES = [TimeLine(0, (*NAMES, *NAMES), tuple(Times(0.4, {"1.0e-03": 99, "3.0e-01": 1}) for _ in range(4)))]


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.tags: set[str] = set()
        self.text = ""
        self.plotted: list[str] = []
        self._plot = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self._plot += tag == "svg"
        self.loads += [
            str(value) for name, value in attrs if name in ("src", "href") and not str(value).startswith("#")
        ]

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._plot:
            self.plotted.append(data.strip())

    def handle_endtag(self, tag: str) -> None:
        self._plot -= tag == "svg"


def listed(folder: Path) -> PlayedGames:
    games = PlayedGames()
    for one in LINES:
        games.add_line(one, folder / "my records" / f"game-{one.game:04d}.jsonl")
    return games


def written(folder: Path) -> str:
    content = Content({"seed": "7"}, TALLY.points, TALLY.figures(), timing(TIMES, NAMES), listed(folder))
    assert write_report(folder / "report.html", content) == ""
    return (folder / "report.html").read_text("utf-8")


def test_the_report_loads_nothing_and_runs_nothing(tmp_path: Path) -> None:
    reader = Reader()
    reader.feed(written(tmp_path))
    assert reader.loads == [] and "script" not in reader.tags and "svg" in reader.tags


def test_the_report_shows_players_by_their_names_whatever_is_in_them(tmp_path: Path) -> None:
    reader = Reader()
    reader.feed(written(tmp_path))
    assert reader.text.count(NAMES[0]) >= 4 and "bold" not in reader.tags


@cases("name", r"$\foo$", r"$\frac{$", "雀鬼の弟子", "_left", "@0@", "</style><b>", "\x1b[2J\u202e", "🀄" * 30)
def test_a_name_is_the_same_text_in_plots_whatever_is_in_it(tmp_path: Path, name: str) -> None:
    names = (name, "other")
    tally = MatchTally(names)
    for game in range(8):
        tally.add(line(game, game // 4, [names[game % 4 != n] for n in range(4)], (2, 1, 3, 4)))
    times = [msgspec.structs.replace(TIMES[0], players=(*names, *names))]
    content = Content({"seed": name}, tally.points, tally.figures(), timing(times, names), PlayedGames())
    write_report(tmp_path / "report.html", content)
    reader = Reader()
    reader.feed((tmp_path / "report.html").read_text("utf-8"))
    assert reader.plotted.count(shortened(name, NAME_IN_PLOT)) == 3, "ranks, points and times"
    assert not {"b", "script"} & reader.tags


def test_the_report_allows_its_one_style_sheet_and_nothing_else(tmp_path: Path) -> None:
    text = written(tmp_path)
    (style,) = re.findall("<style>(.*?)</style>", text, re.DOTALL)
    assert f'content="{policy(styles=[digest(style)])}"' in text and "style=" not in text


def test_the_report_has_the_means_with_their_intervals(tmp_path: Path) -> None:
    text = written(tmp_path)
    for player in TALLY.figures().players:
        assert player.rank.text(3) in text
    assert re.search(r"<td>1 ms</td><td>300 ms</td>", text), "median and 99 %"


def test_equal_matches_have_equal_reports(tmp_path: Path) -> None:
    (tmp_path / "again").mkdir()
    assert written(tmp_path) == written(tmp_path / "again")


def test_hanchan_whose_records_are_there_are_linked_from_where_the_report_is(tmp_path: Path) -> None:
    (tmp_path / "my records").mkdir()
    (tmp_path / "my records" / "game-0007.jsonl").touch()
    reader = Reader()
    reader.feed(written(tmp_path))
    assert reader.loads == ["my%20records/game-0007.jsonl"]
    assert "jantaku view my records/game-0000.jsonl" in reader.text


def test_a_long_list_of_hanchan_is_cut_but_for_those_with_a_fault_or_without_a_result() -> None:
    games = PlayedGames()
    for game in range(2 * LISTED):
        played = line(game, game, NAMES * 2, () if game == LISTED + 7 else (1, 2, 3, 4))
        games.add_line(msgspec.structs.replace(played, faults=({"late": game == LISTED + 3}, {}, {}, {})), Path("x"))
    assert games.total == 2 * LISTED
    assert [game.number for game in games.shown] == [*range(LISTED), LISTED + 3, LISTED + 7]


def test_the_report_begins_with_the_verdict(tmp_path: Path) -> None:
    reader = Reader()
    reader.feed(written(tmp_path))
    assert reader.text.index("Undecided: ") < reader.text.index("Results")


def test_the_curve_of_a_sequential_test_is_drawn_with_its_bounds(tmp_path: Path) -> None:
    content = Content({}, TALLY.points, TALLY.figures(), timing(TIMES, NAMES), listed(tmp_path))
    test = Sprt(2.5, 2.4, 1.5, -2.94, 2.94, "")
    path = tmp_path / "report.html"
    write_report(path, msgspec.structs.replace(content, test=test, course=[0.0, 0.5, 1e9, 1.5]))
    reader = Reader()
    reader.feed(path.read_text("utf-8"))
    assert {"H1: mean rank 2.4", "H0: mean rank 2.5", "log likelihood ratio"} <= set(reader.plotted)


@pytest.mark.parametrize(("points", "dots"), [(1, 1), (2, 2), (BAND_FROM, 0)])
def test_a_course_of_few_points_is_seen(points: int, dots: int) -> None:
    """A line through a single point is nothing to look at."""
    course = [*range(1, points + 1)], [Interval(1500.0 + n, 20.0) for n in range(points)]
    assert course_plot("rating", {"dice": course}, "hanchan", "points", 1500.0).count("<circle") == dots


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.integers(2, 10))
@example(879609.9999999999, 1e-06, 7)
def test_ticks_are_few_round_numbers_between_the_ends(low: float, span: float, most: int) -> None:
    ticks, high = _even(low, low + span, most), low + span
    slack = span * 1e-6 + 2 * math.ulp(max(abs(low), abs(high)))  # of a tick's own last digit
    assert len(ticks) <= most and all(low - slack <= tick <= high + slack for tick in ticks)


def test_what_stands_in_a_plot_stands_where_its_value_is() -> None:
    course = [10, 20], [Interval(-1.0, None), Interval(1.0, None)]
    drawn = ElementTree.fromstring(course_plot("points", {"dice": course}, "hanchan", "mean points"))
    inner = next(one for one in drawn.iter("svg") if one is not drawn)
    face = faces_of(["dice"])["dice"].classes
    line = next(one for one in inner.iter("polyline") if one.get("class") == f"line {face}")
    (x1, y1), (x2, y2) = (map(float, point.split(",")) for point in (line.get("points") or "").split())
    width, height = (float(inner.get(name) or 0) for name in ("width", "height"))
    assert [x1, x2] == pytest.approx([width / 2, width], abs=0.1)
    # The axis goes from -0.1 to 1.1: by where the curve ends.
    assert [y1, y2] == pytest.approx([height * 2.1 / 1.2, height * 0.1 / 1.2], abs=0.1)


def test_a_report_takes_its_colours_from_a_light_or_a_dark_style_sheet(tmp_path: Path) -> None:
    text = written(tmp_path)
    (style,) = re.findall("<style>(.*?)</style>", text, re.DOTALL)
    assert "light-dark(" in style and "@media print" in style
    drawn = "".join(re.findall("<svg.*?</svg>", text, re.DOTALL))
    assert "#" not in drawn, "no colour stands in a drawing"
    for kind in set(" ".join(re.findall('class="(.*?)"', drawn)).split()):
        assert f".{kind} " in style or f".{kind}," in style or f".{kind}{{" in style, kind


def test_without_results_there_is_no_report(tmp_path: Path) -> None:
    nothing = Content({}, {}, None, (), PlayedGames())
    assert write_report(tmp_path / "report.html", nothing) == "no report without a result"
    assert not (tmp_path / "report.html").exists()


def test_times_are_written_for_people() -> None:
    assert [seconds(value) for value in (2.5, 0.0012, 0.000034)] == ["2.5 s", "1.2 ms", "34 µs"]


def test_a_program_reads_what_stats_tells_and_a_notebook_shows_the_report(jantaku: Jantaku, tmp_path: Path) -> None:
    folder = str(tmp_path / "m")
    words = ("--players", "dice,tsumogiri,dice,tsumogiri", "--length", "one", "--threads", "inline", "--workers", "0")
    assert jantaku("match", *words, "--sets", "5", "--seed", "3", "--out", folder, "--quiet").code == 0
    found = match_results(folder)
    told = msgspec.json.decode(jantaku("stats", folder, "--json").out)
    assert msgspec.json.decode(msgspec.json.encode(found.figures)) == told["figures"]
    assert found.said == "20 kyoku in 5 sets"
    assert found.verdict in " ".join(jantaku("stats", folder).out.split()) and found.unit == "kyoku"
    shown, report = found._repr_html_(), (tmp_path / "m" / "report.html").read_text("utf-8")
    for heading in ("Results", "Who against whom", "Ranks", "Play"):
        part = re.compile(f"<h2>{heading}</h2>.*?</section>")
        assert part.findall(shown) == part.findall(report) != [], heading
    assert "Games</h2>" not in shown and "href" not in shown


def test_where_there_are_no_results_that_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="name a folder or file with records"):
        match_results()
    with pytest.raises(BadInput, match="there is no record in this folder"):
        match_results(tmp_path)
