"""The ladder of docs/results: its page is what its figures say, and nothing is written in part."""

import json
import shutil
from pathlib import Path

import msgspec
import pytest

from jantaku.table.riichi.pieces.seats import SEATS
from scripts.laws import ROOT
from scripts.results.__main__ import PLACE, main
from scripts.results.plan import Played, Row, read_plan

PLAN = """
seed = "a test"
rules = "tenhou"
pt = "houou-7"
watch = ["dice beside shanten"]
[beside.shanten]
dice = 2
tsumogiri = 2
"""


def _place(folder: Path, text: str = PLAN) -> Path:
    place = folder / "place"
    place.mkdir()
    (place / "plan.toml").write_text(text, "utf-8")
    return place


def _files(place: Path) -> dict[str, bytes]:
    return {str(path.relative_to(place)): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}


def test_picture_and_page_are_drawn_from_the_figures(tmp_path: Path) -> None:
    for name in ("plan.toml", "figures.json"):
        (tmp_path / name).write_bytes((PLACE / name).read_bytes())
    assert main(["--draw", "--place", str(tmp_path)]) == 0
    for name in ("index.md", "ladder.svg"):
        assert (tmp_path / name).read_bytes() == (PLACE / name).read_bytes(), "run `python -m scripts.results --draw`"


def test_a_plan_played_twice_gives_the_same_page(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    place, found = _place(tmp_path), []
    for run in ("first", "second"):
        assert main(["--place", str(place), "--out", str(tmp_path / run)]) == 0
        found.append(_files(place))
        played = json.loads(found[-1]["figures.json"])
        for row in played["rows"]:  # the clock alone may tell two runs apart
            row["times"] = [1, 2]
        found[-1]["figures.json"] = json.dumps(played).encode()
        (place / "figures.json").unlink()
    first, second = found
    assert set(first) == {
        "plan.toml",
        "figures.json",
        "ladder.svg",
        "index.md",
        *(f"games/dice-beside-shanten-{number}.json" for number in range(1, SEATS + 1)),
    }
    assert {name for name in first if first[name] != second[name]} <= {"index.md"}
    apart = [
        (one, other)
        for one, other in zip(first["index.md"].splitlines(), second["index.md"].splitlines(), strict=True)
        if one != other
    ]
    assert all(b"| none |" in one for one, _ in apart)  # rows of the table of times


def test_a_second_run_plays_nothing_and_keeps_every_byte(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    place = _place(tmp_path)
    assert main(["--place", str(place), "--out", str(tmp_path / "out")]) == 0
    before = _files(place)
    shutil.rmtree(tmp_path / "out")
    assert main(["--place", str(place), "--out", str(tmp_path / "out")]) == 0
    assert _files(place) == before
    assert not list((tmp_path / "out").iterdir())
    capfd.readouterr()
    assert main(["--place", str(place), "--again", "1"]) == 0
    assert capfd.readouterr().out.count("4 hanchan, the same ranks") == 2


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('seed = "a test"', "seed = 3", "seed"),
        ("dice = 2", "dice = 1", "dice"),
        ("dice = 2", "dicey = 2", "no bot dicey"),
        ("dice = 2", "shanten = 2", "beside.shanten.shanten"),
        ('pt = "houou-7"', 'pt = "houou-70"', "houou-70"),
        ('pt = "houou-7"', 'pt = "3,2,1"', "a game of 4 players needs 4"),
        ("dice beside shanten", "dice beside dice", "there is no row"),
        ('rules = "tenhou"', 'rules = "tenhou"\nspeed = 3', "speed"),
        ("[beside.shanten]", "[beside.shanten", "line 6"),
        ("[beside.shanten]", "[beside.majiang-ai-0000]", "another one that comes along"),
    ],
)
def test_a_wrong_plan_is_refused_in_one_line(
    old: str, new: str, said: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    place = _place(tmp_path, PLAN.replace(old, new))
    assert main(["--place", str(place), "--out", str(tmp_path / "out")]) == 2
    shown = capfd.readouterr().err
    assert shown.startswith("results: ")
    assert shown.count("\n") == 1
    assert said in shown
    assert [path.name for path in place.iterdir()] == ["plan.toml"]


def test_a_row_of_another_version_is_not_drawn(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    place = _place(tmp_path, (PLACE / "plan.toml").read_text("utf-8"))
    played = json.loads((PLACE / "figures.json").read_bytes())
    row = next(one for one in played["rows"] if one["origin"])
    row["origin"] = "0123456789ab"
    (place / "figures.json").write_text(json.dumps(played))
    assert main(["--draw", "--place", str(place)]) == 2
    assert f"lacks “{row['name']} beside" in capfd.readouterr().err
    assert not (place / "index.md").exists()


def test_another_match_in_the_folder_of_a_row_is_refused(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    place, out = _place(tmp_path), tmp_path / "out"
    assert main(["--place", str(place), "--out", str(out)]) == 0
    (place / "figures.json").unlink()
    (place / "plan.toml").write_text(PLAN.replace("a test", "another test"), "utf-8")
    capfd.readouterr()
    assert main(["--place", str(place), "--out", str(out)]) == 2
    assert "another match than the plan" in capfd.readouterr().err


def test_what_one_row_is_ahead_of_another_is_measured_on_common_walls() -> None:
    def row(ranks: str) -> Row:
        return Row("a", "b", len(ranks) // SEATS, ranks, {}, {}, (1.0, 1.0), "", "", "")

    one, other = row("1111" * 9 + "4444"), row("2222" * 4 + "3333" * 4)
    step = one.ahead_of(other)
    assert (step.mean, step.decided) == (1.5, True)
    assert one.ahead_of(None).mean == pytest.approx(2.5 - 1.3)
    assert one.rank.mean == pytest.approx(1.3)


def test_the_plan_of_the_tree_names_bots_that_are_known() -> None:
    plan = read_plan(PLACE / "plan.toml")
    assert plan.ground == "shanten"
    assert isinstance(Played(plan.seed, ()), Played)


@pytest.mark.parametrize("page", ["README.md", "docs/README.ja.md"])
def test_the_first_page_has_the_figures_of_the_ladder(page: str) -> None:
    played = msgspec.json.decode((PLACE / "figures.json").read_bytes(), type=Played)
    text = (ROOT / page).read_text("utf-8")
    for name in ("allround", "majiang-ai"):
        assert played.named(f"{name} beside shanten").rank.text(2) in text
