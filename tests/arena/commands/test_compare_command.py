"""`jantaku compare` as a person uses it: forks, whole hanchan, and what it refuses."""

import json
import re
from html import escape, unescape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from jantaku.table.arena.comparing.folder import comparison
from jantaku.table.arena.comparing.results import Comparison
from jantaku.table.arena.forks.stages import Probe
from jantaku.table.arena.match.figures.statistics import Figures, Interval, PlayerFigures
from jantaku.table.arena.match.figures.stops import Results, Sprt
from jantaku.table.ground.errors import BadInput
from tests.kit.cases import cases
from tests.kit.command import Jantaku, Ran

QUICK = ("--length", "one", "--workers", "0", "--seed", "7", "--hanchan", "4", "--confirm", "never")
SAYS = "as the sequential test says; the interval by itself, 0.7000 ± 0.8000 ranks in whole hanchan, leaves it open"
LOTS = """
import random

from jantaku.players.base import RiichiPlayer


class Mine(RiichiPlayer):
    listens = False

    def answer(self, question):
        return random.SystemRandom().choice(question.options)


class Drawing(RiichiPlayer):
    listens = False

    def answer(self, question):
        return random.choice(question.options)


class Broken(RiichiPlayer):
    def __init__(self):
        raise OSError("no weights")

    def answer(self, question): ...
"""

SAME = """
from jantaku.players.bots.tsumogiri import Tsumogiri


class Same(Tsumogiri):
    pass
"""


@pytest.fixture
def here(cwd: Path) -> Path:
    """A working folder with bots that draw lots."""
    (cwd / "lots.py").write_text(LOTS, "utf-8")
    return cwd


def told(ran: Ran) -> dict[str, object]:
    assert ran.code == 0, ran.err
    found: dict[str, object] = json.loads(ran.out)
    return found


def files(folder: Path) -> dict[str, bytes]:
    names = ("compare.json", "forks.jsonl", "decisions.jsonl", "results.json")
    return {name: (folder / name).read_bytes() for name in names}


def test_two_bots_are_compared_by_forks_and_decisions_are_told(jantaku: Jantaku, here: Path) -> None:
    ran = jantaku("compare", "tsumogiri", "shanten", *QUICK, "--out", "out")
    assert ran.code == 0, ran.err
    assert "shanten" in ran.out and "no verdict: shanten plays" in ran.out and "What wins most:" in ran.out
    decisions = [json.loads(line) for line in (here / "out" / "decisions.jsonl").read_bytes().splitlines()]
    ranks = [one["rank"] for one in decisions]
    assert ranks == sorted(ranks, reverse=True) and ranks[0] > 0


def test_the_page_of_what_changed_leads_to_every_decision_with_both_choices(jantaku: Jantaku, here: Path) -> None:
    assert jantaku("compare", "tsumogiri", "shanten", *QUICK, "--out", "out").code == 0
    report, games = ((here / "out" / name).read_text("utf-8") for name in ("report.html", "games.html"))
    book = json.loads(games.partition('<script id="book" type="application/json">')[2].partition("</script>")[0])
    decisions = [json.loads(line) for line in (here / "out" / "decisions.jsonl").read_bytes().splitlines()]
    best = decisions[0]
    rows = re.findall(r'<tr><th scope="row"><a href="games.html#([^"]*)">([^<]*)</a></th>(.*?)</tr>', report)
    links = [{key: int(value) for key, value in parse_qsl(unescape(link))} for link, _, _ in rows]
    assert rows[0][1].startswith(f"{best['rank']:+.3f}") and best["hand"] in rows[0][2]
    record = book["records"][links[0]["r"] - 1]
    assert record["head"]["file"] == f"hanchan {best['game']}" and record["head"]["review"] == "shanten"
    position = f"#k={best['kyoku']}&e={best['event']}"
    assert (links[0]["k"], links[0]["e"]) == (best["kyoku"], best["event"]) and escape(position) in rows[0][2]
    for one in decisions[:12]:
        record = next(each for each in book["records"] if each["head"]["file"] == f"hanchan {one['game']}")
        answer = _answers_at(record["items"], one)[one["player"]]
        assert (answer["reply"], answer["review"]["reply"]) == (one["played"], one["said"])
        assert answer["review"]["worth"] == one["points"]
    review = f"out/reviews/game-{best['game']:04d}.review.jsonl"
    assert jantaku("view", f"{review}{position}", "--export", "one.html").code == 0


def _answers_at(items: list[dict[str, Any]], one: dict[str, Any]) -> dict[int, dict[str, Any]]:
    """The answers by player that a page shows for that position: those of the turn that its events belong to."""
    kyoku, events, found = 0, 0, {}
    for item in items:
        if "qipai" in item:
            kyoku, events = kyoku + 1, 0
        if kyoku == one["kyoku"] and "answers" in item and events <= one["event"]:
            found = {answer["seat"]: answer for answer in item["answers"]}
        events += not item.keys() & {"answers", "wall"}
    return found


def test_a_bot_against_itself_differs_nowhere_even_if_it_draws_lots(jantaku: Jantaku, here: Path) -> None:
    for bot in ("dice", "lots.py:Drawing"):
        found = told(jantaku("compare", bot, bot, *QUICK, "--json", "--out", f"out-{bot[:4]}"))
        assert "no difference to measure" in str(found["verdict"])


@pytest.mark.long
def test_what_was_killed_goes_on_and_ends_alike_whoever_works(jantaku: Jantaku, here: Path) -> None:
    words = ("compare", "dice", "shanten", *QUICK, "--baseline", "base")
    told(jantaku(*words, "--json", "--out", "whole"))
    whole = files(here / "whole")
    (here / "half").mkdir()
    (here / "half" / "compare.json").write_bytes(whole["compare.json"])
    first, second, *_ = whole["forks.jsonl"].splitlines(keepends=True)
    (here / "half" / "forks.jsonl").write_bytes(second + first[:-20])
    told(jantaku(*words, "--json", "--out", "half", "--workers", "2"))
    assert files(here / "half") == whole


@pytest.mark.long
def test_games_of_a_baseline_are_kept_and_more_are_played_where_they_are_missing(jantaku: Jantaku, here: Path) -> None:
    words = ("compare", "dice", "shanten", "--length", "one", "--workers", "0", "--confirm", "never", "--json")
    told(jantaku(*words, "--hanchan", "2", "--baseline", "base", "--out", "a"))
    before = (here / "base" / "records" / "game-0001.jsonl").read_bytes()
    found = told(jantaku(*words, "--hanchan", "3", "--baseline", "base", "--out", "b"))
    assert found["screening"]["hanchan"] == 3  # type: ignore[index]
    assert found["screening"]["rank"]["half"] is None, "so few state no interval"  # type: ignore[index]
    assert (here / "base" / "records" / "game-0001.jsonl").read_bytes() == before


def test_whole_hanchan_are_played_where_they_are_asked_for(jantaku: Jantaku, here: Path) -> None:
    words = ("compare", "dice", "tsumogiri", "--length", "one", "--workers", "0", "--seed", "7", "--hanchan", "4")
    found = told(jantaku(*words, "--confirm", "always", "--sets", "5", "--json", "--out", "out"))
    assert found["confirmation"]["figures"]["sets"] == 5  # type: ignore[index]
    again = told(jantaku(*words, "--confirm", "always", "--sets", "5", "--json", "--out", "out"))
    assert again["confirmation"] == found["confirmation"]


@pytest.mark.long
def test_another_player_is_compared_by_whole_hanchan_and_forks_alone_tell_nothing(jantaku: Jantaku, here: Path) -> None:
    common = ("--length", "one", "--workers", "0", "--seed", "7", "--baseline", "base")
    words = ("compare", "tsumogiri", "shanten", *common)
    found = told(jantaku(*words, "--sets", "20", "--json", "--out", "a"))
    assert found["screening"] is None and (here / "a" / "forks.jsonl").read_bytes() == b""
    assert found["probe"]["hanchan"] == 1 and found["probe"]["differing"] / found["probe"]["kyoku"] > 0.6  # type: ignore[index]
    assert str(found["verdict"]).endswith("in whole hanchan")
    again = told(jantaku(*words, "--sets", "20", "--json", "--out", "b"))  # whose baseline is there
    assert {**again, "cpu": 0} == {**found, "cpu": 0}
    never = told(jantaku(*words, "--hanchan", "4", "--confirm", "never", "--json", "--out", "c"))
    assert str(never["verdict"]).startswith("no verdict: shanten plays differently in")


def test_a_small_change_is_asked_about_first_and_then_forked(jantaku: Jantaku, here: Path) -> None:
    words = ("compare", "shanten", "scripts.planted:Late?arg.tiles=5", "--length", "one", "--workers", "0")
    found = told(jantaku(*words, "--seed", "7", "--hanchan", "3", "--json", "--out", "out"))
    assert found["probe"]["hanchan"] == 2 and found["screening"]["hanchan"] == 3  # type: ignore[index]


@cases(
    "words, said",
    (("lots.py:Mine", "dice"), "Mine is not reproducible"),
    (("tsumogiri", "lots.py:Broken"), "no weights"),
    (("tsumogiri", "nobody"), "nobody"),
    (("tsumogiri", "ws:friend"), "every fork needs its own player"),
    (("tsumogiri", "dice", "--until", "tomorrow"), "allowed are decided and ci=WIDTH"),
)
def test_what_cannot_be_compared_is_one_line(jantaku: Jantaku, here: Path, words: tuple[str, ...], said: str) -> None:
    ran = jantaku("compare", *words, *QUICK, "--out", "out")
    assert ran.code == 2
    assert said in ran.err and len(ran.err.strip().splitlines()) == 1


def test_a_baseline_of_other_rules_or_players_or_none_is_refused_and_stays(jantaku: Jantaku, here: Path) -> None:
    told(jantaku("compare", "lots.py:Drawing", "dice", *QUICK, "--json", "--baseline", "base", "--out", "a"))
    kept = (here / "base" / "journal.jsonl").read_bytes()
    words = ("compare", "lots.py:Drawing", "dice", *QUICK, "--baseline", "base", "--out", "b")
    assert "rules.ron.max_winners" in jantaku(*words, "--set", "ron.max_winners=1").err
    assert "is the baseline of lots.py:Drawing" in jantaku("compare", "tsumogiri", *words[2:]).err
    (here / "lots.py").write_text(LOTS + "# changed\n", "utf-8")
    assert "the code of Drawing-1 has changed" in jantaku(*words).err
    assert (here / "base" / "journal.jsonl").read_bytes() == kept
    (here / "other").mkdir()
    (here / "other" / "notes.txt").touch()
    ran = jantaku("compare", "tsumogiri", "dice", *QUICK, "--baseline", "other", "--out", "c")
    assert ran.code == 2 and "is not a baseline" in ran.err


def test_a_program_reads_what_the_command_has_told(jantaku: Jantaku, here: Path) -> None:
    said = told(jantaku("compare", "caller", "dice", *QUICK, "--out", "c", "--json"))
    found = comparison("c")
    assert (list(found.names), found.verdict) == ([said["a"], said["b"]], said["verdict"])
    assert found.screening is not None and found.screening.hanchan == 4 and found.confirmation is None
    assert len(found.decisions) == len(said["decisions"])  # type: ignore[arg-type]
    report, shown = Path("c/report.html").read_text("utf-8"), found._repr_html_()
    kinds = re.compile("<h2>Kinds of decisions.*?</section>")
    assert kinds.findall(report) == kinds.findall(shown) != []
    assert "games.html" not in shown and shown.startswith('<div class="jantaku">')


def test_where_no_comparison_is_finished_that_is_said(here: Path) -> None:
    with pytest.raises(BadInput, match="nowhere: holds no finished comparison: jantaku compare A B --out nowhere"):
        comparison("nowhere")
    (here / "c").mkdir()
    for name, content in {"results.json": "{}", "forks.jsonl": "", "decisions.jsonl": ""}.items():
        (here / "c" / name).write_text(content)
    with pytest.raises(BadInput, match=r"results.json: is not what a comparison writes: Object missing"):
        comparison(here / "c")


@pytest.mark.parametrize(("half", "told"), [(0.2, "by 0.7000 ± 0.2000 ranks, in whole hanchan"), (0.8, SAYS)])
def test_a_verdict_says_whether_the_interval_or_the_sequential_test_gives_it(half: float, told: str) -> None:
    rates = (None, None, None, None, None, None, None)
    nothing = PlayerFigures("b", 9, Interval(1.8, half), Interval(0, 1), (), *rates, {})
    test = Sprt(2.5, 2.4, 3.0, -2.9, 2.9, "H1")
    whole = Results("", "1v3", "seed", "", 7, "", test, Figures(9, 36, 0, (nothing,), ()))
    found = Comparison(names=("a", "b"), seats=4, probe=Probe(), found=None, confirmation=whole, out="out")
    assert found.verdict.startswith("b is better than a") and found.verdict.endswith(told)
