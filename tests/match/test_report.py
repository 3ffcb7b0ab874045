"""The HTML report: one file that needs nothing else, with the numbers in it."""

import re
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

from table.match.figures.decision_times import seconds, timing
from table.match.figures.statistics import shortened
from table.match.figures.summary import TimeLine, Times
from table.match.figures.tally import MatchTally
from table.match.report import plots
from table.match.report.report import Content, write_report
from table.view.guard import digest, policy
from tests.match.matches import line

NAMES = ("new & <bold>", "old")
TALLY = MatchTally(NAMES)
for game in range(40):
    TALLY.add(line(game, game // 4, [NAMES[game % 4 != n] for n in range(4)], (2, 1, 3, 4)))
TIMES = [TimeLine(0, (*NAMES, *NAMES), tuple(Times(0.4, {"1.0e-03": 99, "3.0e-01": 1}) for _ in range(4)))]


class Reader(HTMLParser):
    """Collects what a page would load, and its text."""

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


def written(folder: Path) -> str:
    content = Content(" · ".join(NAMES), {"seed": "7"}, TALLY.points, TALLY.figures(), timing(TIMES, NAMES))
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


@pytest.mark.parametrize(
    "name", [r"$\foo$", r"$\frac{$", "雀鬼の弟子", "_left", "@0@", "</style><b>", "\x1b[2J\u202e", "🀄" * 30]
)
def test_a_name_is_the_same_text_in_plots_whatever_is_in_it(tmp_path: Path, name: str) -> None:
    """Warnings are errors in tests: neither a glyph may be missing nor mathematics be read."""
    names = (name, "other")
    tally = MatchTally(names)
    for game in range(8):
        tally.add(line(game, game // 4, [names[game % 4 != n] for n in range(4)], (2, 1, 3, 4)))
    times = [msgspec.structs.replace(TIMES[0], players=(*names, *names))]
    content = Content(name, {"seed": name}, tally.points, tally.figures(), timing(times, names))
    write_report(tmp_path / "report.html", content)
    reader = Reader()
    reader.feed((tmp_path / "report.html").read_text("utf-8"))
    assert reader.plotted.count(shortened(name, plots.NAME)) == 3, "ranks, points and times"
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


def test_without_results_there_is_no_report(tmp_path: Path) -> None:
    assert write_report(tmp_path / "report.html", Content("", {}, {}, None, ())) == "no report without a result"
    assert not (tmp_path / "report.html").exists()


def test_times_are_written_for_people() -> None:
    assert [seconds(value) for value in (2.5, 0.0012, 0.000034)] == ["2.5 s", "1.2 ms", "34 µs"]
