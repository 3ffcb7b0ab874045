"""`jantaku tournament` as a person uses it."""

import json
from pathlib import Path

import pytest

from tests.kit.cases import cases
from tests.kit.command import Jantaku

BOT = "from jantaku.players.bots.dice import Dice\n\n\nclass Bot(Dice):\n    pass\n"
NAMES = ("alice", "bob", "carol", "dave", "erin")
QUICK = ("--length", "one", "--threads", "inline", "--workers", "0", "--seed", "5")


@pytest.fixture
def class_of_bots(cwd: Path) -> Path:
    """A folder of bots that are all called Bot, as of a class; the working folder."""
    (cwd / "bots").mkdir()
    for name in NAMES:
        (cwd / "bots" / f"{name}.py").write_text(BOT)
    return cwd


def test_a_folder_of_bots_plays_a_tournament_under_names_of_files(jantaku: Jantaku, class_of_bots: Path) -> None:
    ran = jantaku("tournament", "bots/*.py", *QUICK, "--rounds", "2", "--out", "t")
    assert (ran.code, ran.err) == (0, "")
    plan, mode, *_ = ran.out.splitlines()
    assert mode.startswith("threads inline (--threads per-turn: a DiscardEvent ")
    assert plan == "Swiss of 5: 2 rounds of 1 table, 1 out, 4 kyoku each, 8 kyoku in all"
    assert "8 of 8 kyoku, round 2 of 2" in ran.out and "8 kyoku, walls shared, seed 5" in ran.out
    results = json.loads(Path("t/results.json").read_text())
    assert {one["name"] for one in results["standings"]} == set(NAMES)
    page = Path("t/report.html").read_text("utf-8")
    assert "Round 2" in page and 'href="records/game-0004.jsonl"' in page and "Who against whom" in page


def test_bots_may_stand_one_after_another_as_a_shell_names_them(jantaku: Jantaku, class_of_bots: Path) -> None:
    words = [f"bots/{name}.py" for name in NAMES]
    ran = jantaku("tournament", "--players", *words, "--plan", "--format", "round-robin", "--seed", "5")
    assert ran == (0, "round-robin of 5: every two meet in 12 hanchan, 16 each, 20 hanchan in all\n", "")
    assert not Path("tournaments").exists()


def test_a_plan_that_is_only_near_what_was_asked_for_says_so(jantaku: Jantaku, class_of_bots: Path) -> None:
    ran = jantaku("tournament", "bots/*.py", "--plan", "--format", "round-robin", "--hanchan", "20")
    assert ran.code == 0
    assert ran.err == "20 hanchan were asked for; the nearest that can be planned evenly is 16\n"


def test_a_knock_out_from_a_file_prints_tables_as_json_and_for_people(jantaku: Jantaku, class_of_bots: Path) -> None:
    Path("june.toml").write_text(
        '[tournament]\nformat = "knock-out"\nhanchan = 4\nseed = 5\nthreads = "inline"\nworkers = 0\n'
    )
    ran = jantaku("tournament", "june.toml", "bots/*.py", "--length", "one", "--out", "t", "--json")
    told = json.loads(ran.out)
    assert ran.code == 0 and [len(one["tables"]) for one in told["results"]["rounds"]] == [1, 1]
    assert [one["name"] for one in told["results"]["standings"][:4]] == [
        one["name"] for one in told["results"]["rounds"][1]["tables"][0]["players"]
    ]
    again = jantaku("tournament", "--resume", "t", "--workers", "0")
    assert again.code == 0 and "round 1 sat out: " in again.out and "round 2 table 1: " in again.out
    assert "Bracket" in Path("t/report.html").read_text("utf-8")


def test_a_changed_bot_cannot_go_on_and_nothing_is_lost(jantaku: Jantaku, class_of_bots: Path) -> None:
    assert jantaku("tournament", "bots/*.py", *QUICK, "--rounds", "1", "--out", "t", "--quiet").code == 0
    before = {path: path.read_bytes() for path in Path("t").rglob("*") if path.is_file()}
    Path("bots/bob.py").write_text(f"{BOT}# better\n")
    ran = jantaku("tournament", "--resume", "t")
    assert ran.code == 2 and ran.err.count("\n") == 1
    assert "the code of player bob has changed; a tournament plays one version of a bot: play a changed one" in ran.err
    assert {path: path.read_bytes() for path in Path("t").rglob("*") if path.is_file()} == before


@cases(
    "words, says",
    (("bots/alice.py", "bots/bob.py"), "a tournament needs 4 or more, a table of them; given are 2: bots/alice.py"),
    (("nobody/*.py",), "nobody/*.py: there is no such file in nobody"),
    (("bots/*.py", "--format", "knock-out", "--rounds", "2"), "a knock-out has as many rounds as it takes"),
    (("bots/*.py", "--format", "kockout"), "did you mean knock-out?"),
    (("a.toml", "b.toml"), "b.toml: a tournament has one file; a.toml is given already"),
    (("--resume", "bots"), "holds no tournament: there is no tournament.json"),
)
def test_what_cannot_be_played_is_refused_in_a_line(
    jantaku: Jantaku, class_of_bots: Path, words: tuple[str, ...], says: str
) -> None:
    ran = jantaku("tournament", *words)
    assert ran.code == 2 and ran.err.count("\n") == 1 and says in ran.err and ran.out == ""
    assert sorted(path.name for path in class_of_bots.iterdir()) == ["bots"]


def test_a_tournament_and_a_match_do_not_go_on_in_each_others_folder(jantaku: Jantaku, class_of_bots: Path) -> None:
    assert jantaku("tournament", "bots/*.py", *QUICK, "--rounds", "1", "--out", "t", "--quiet").code == 0
    ran = jantaku("match", "--resume", "t")
    assert ran.code == 2 and "but a tournament: jantaku tournament --resume" in ran.err
    ran = jantaku("tournament", "bots/*.py", *QUICK, "--out", "t")
    assert ran.code == 2 and "already; go on with that one by jantaku tournament --resume" in ran.err
    assert jantaku("stats", "t").code == 0


def test_a_tournament_and_stats_of_it_say_the_same_the_standings_last(jantaku: Jantaku, class_of_bots: Path) -> None:
    """Of equal mean ranks the one with more points stands first in both."""
    deep = "from jantaku.players.bots.dice import Dice\nimport json\n\n\nclass Bot(Dice):\n"
    deep += "    def answer(self, question):\n"
    (class_of_bots / "bots" / "alice.py").write_text(f"{deep}        return json.loads('{{' * 3)\n")
    ran = jantaku("tournament", "bots/*.py", *QUICK, "--hanchan", "24", "--out", "t")
    told = jantaku("stats", "t").out
    assert ran.code == 0
    verdict = told[told.index("Undecided") : told.index(" kyoku in ")].rsplit("\n", 1)[0]
    assert verdict in ran.out and "± is half of the 95 % interval by wall sets" in ran.out
    first = json.loads(Path("t/results.json").read_text())["standings"][0]["name"]
    assert verdict.replace("\n", " ").startswith(f"Undecided whether {first} is better than")
    assert ran.out.index("alice: gone") < ran.out.index("all faults: t/faults.txt") < ran.out.index("place")
    assert "alice.py" in ran.err and "/json/" not in ran.err and ran.err.count("\n") < 10
    assert "/json/decoder.py" in Path("t/faults.txt").read_text()


def test_a_line_whose_result_was_changed_by_hand_is_named_at_the_start(jantaku: Jantaku, class_of_bots: Path) -> None:
    assert jantaku("tournament", "bots/*.py", *QUICK, "--rounds", "2", "--out", "t", "--quiet").code == 0
    journal = Path("t/journal.jsonl")
    lines = journal.read_text().splitlines()
    third = json.loads(lines[2])
    changed = {key: third[key][::-1] for key in ("ranks", "points")}
    journal.write_text("\n".join([*lines[:2], json.dumps(third | changed), *lines[3:], ""]))
    Path("t/results.json").unlink()
    ran = jantaku("tournament", "--resume", "t", "--workers", "0")
    told = "t/journal.jsonl line 3: ranks, points differ from records/game-0001.jsonl; the record is right: "
    assert (ran.code, ran.err.count("\n")) == (2, 1) and told in ran.err
    journal.write_text("\n".join([*lines[:2], *lines[3:], ""]))
    assert jantaku("tournament", "--resume", "t", "--workers", "0").code == 0
    assert journal.read_text().splitlines() == lines
