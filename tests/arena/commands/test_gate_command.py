"""`jantaku gate` as a person and a CI use it, and the recipes of its documentation."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from scripts.environments import PYTHON
from tests.kit.cases import cases
from tests.kit.command import Jantaku
from tests.kit.pace import SOON

DOCS = Path(__file__).parents[3] / "docs"
QUICK = ("--length", "one", "--threads", "inline", "--workers", "0", "--seed", "7")
BOT = """
from jantaku.players.bots.shanten import Shanten
from jantaku.table.riichi.actions import Ron, Tsumo


class Mine(Shanten):
    wins = True

    def answer(self, question):
        return super().answer(question) if self.wins or not self.find(question, Ron, Tsumo) else question.default
"""
WORSE = BOT.replace("wins = True", "wins = False")
BROKEN = """
from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.riichi.actions import Discard


class Mine(Tsumogiri):
    def answer(self, question):
        if not self.find(question, Discard):
            raise RuntimeError("no such layer")
        return super().answer(question)
"""
"""Passes on everything that it is asked of others' discards, as the bot that it stands for does, but by failing."""


@pytest.fixture
def bots(cwd: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder: a bot, and in folders of their own the same bot and one that takes no win."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    for name, text in (("mine.py", BOT), ("same/mine.py", BOT), ("worse/mine.py", WORSE)):
        (cwd / name).parent.mkdir(exist_ok=True)
        (cwd / name).write_text(text, "utf-8")
    return cwd


@pytest.mark.long
@cases(
    "new, old, words, code, said",
    ("worse/mine.py", "mine.py", "--margin 0.2", 1, "WORSE: mine-new is worse than mine-old ("),
    ("mine.py", "worse/mine.py", "--margin 0.5", 0, "NOT WORSE: mine-new is not worse than mine-old by 0.5 rank ("),
    ("worse/mine.py", "mine.py", "--sets 5", 3, "UNDECIDED: it is undecided whether mine-new is worse than"),
)
def test_the_exit_code_and_the_last_line_are_the_verdict(
    jantaku: Jantaku, bots: Path, new: str, old: str, words: str, code: int, said: str
) -> None:
    files = ("--summary", "gate.md", "--junit", "gate.xml", "--out", "played")
    ran = jantaku("gate", new, old, *QUICK, "--sets", "60", *words.split(), *files)
    assert (ran.code, ran.err) == (code, ""), ran
    last = ran.out.splitlines()[-1]
    assert last.startswith(said)
    assert re.search(r"\(0\.\d{3}( ± 0\.\d{3})? ranks (behind|ahead of) an equal player in \d+ kyoku of \d+ wall", last)
    case = ElementTree.parse("gate.xml").getroot().find("testsuite/testcase")
    assert case is not None and "mine-new is not worse than mine-old" in case.attrib["name"]
    outcome = {1: ["failure"], 0: [], 3: ["skipped"]}[code]
    assert [child.tag for child in case] == outcome
    assert all(child.attrib["message"] == last for child in case)
    told = Path("gate.md").read_text("utf-8")
    assert told.startswith(f"### {'✅❌ ❔'[code]} jantaku gate: ") and "| mean rank | " in told
    points = json.loads(Path("played/results.json").read_text())["figures"]["pairs"][0]["points"]["mean"]
    more = re.search(r"mine\\-new makes (\d+\.\d)( ± \d+\.\d)? points (more|fewer) than mine", told)
    assert more is not None and more[1] == f"{abs(points):.1f}" and (more[3] == "fewer") is (points < 0), told


def test_a_bot_that_has_not_changed_passes_as_soon_as_a_match_may_stop(jantaku: Jantaku, bots: Path) -> None:
    ran = jantaku("gate", "same/mine.py", "mine.py", *QUICK, "--margin", "0.3", "--out", "played")
    told = "(0.000 ± 0.449 ranks ahead of an equal player in 92 kyoku of 23 wall sets)"
    assert ran.code == 0 and ran.out.endswith(f"{told}\n") and "LLR +3.07" in ran.out


@pytest.mark.parametrize("old", ["tsumogiri", "old.py"])
def test_a_bot_that_did_not_play_cannot_pass_even_if_neither_did(jantaku: Jantaku, bots: Path, old: str) -> None:
    for name in ("new.py", "old.py"):
        (bots / name).write_text(BROKEN)
    files = ("--summary", "gate.md", "--junit", "gate.xml", "--out", "played")
    ran = jantaku("gate", "new.py", old, *QUICK, "--margin", "0.3", *files)
    last = ran.out.splitlines()[-1]
    assert ran.code == 4 and re.match(r"FAULTY: new had faults in (\d+) of its \d+ kyoku, in [\d.]+ % of its", last)
    alone = ", tsumogiri in 0 of 12; the match ended before the rank of new was judged ("
    both = ", old in 12 of 12; nothing is compared, because neither plays: fix both; jantaku exam shows what is wrong ("
    assert (alone if old == "tsumogiri" else both) in last and "in 4 kyoku of 1 wall set)" in last
    case = ElementTree.parse("gate.xml").getroot().find("testsuite/testcase")
    assert case is not None and case[0].tag == "failure" and case[0].attrib == {"type": "faulty", "message": last}
    assert Path("gate.md").read_text("utf-8").startswith("### ❌ jantaku gate: faulty\n")


@pytest.mark.long
def test_a_gate_in_json_holds_the_verdict_and_the_results(jantaku: Jantaku, bots: Path) -> None:
    ran = jantaku("gate", "worse/mine.py", "mine.py", *QUICK, "--sets", "60", "--json", "--out", "played")
    told = json.loads(ran.out)
    verdict, results = told["verdict"], told["results"]
    assert (ran.code, verdict["decision"], verdict["test"]["accepted"]) == (1, "worse", "H0")
    assert verdict["rank"] == next(one["rank"] for one in results["figures"]["players"] if one["name"] == "mine-new")
    assert verdict["lead"]["mean"] == pytest.approx(2.5 - verdict["rank"]["mean"])
    assert results == json.loads(Path("played/results.json").read_text("utf-8"))


def test_the_summary_of_a_step_is_added_to_and_shows_names_as_they_are(
    jantaku: Jantaku, bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = bots / "step.md"
    place.write_text("# before\n", "utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(place))
    name = "<b>|*x*"
    assert jantaku("gate", f"mine.py?name={name}", "dice", *QUICK, "--sets", "1", "--out", "played").code == 3
    before, text = place.read_text("utf-8").split("\n", 1)
    assert before == "# before" and r"\<b\>\|\*x\* (new) | dice (old) |" in text and name not in text


def test_a_summary_that_cannot_be_written_to_the_step_does_not_change_the_verdict(
    jantaku: Jantaku, bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(bots / "no" / "step.md"))
    ran = jantaku("gate", "mine.py", "dice", *QUICK, "--sets", "1", "--quiet", "--out", "played")
    assert (ran.code, ran.out) == (3, "") and "cannot be written to " in ran.err


@cases(
    "words, said",
    (("--junit", "mine.py"), "mine.py exists already; nothing is overwritten"),
    (("--summary", "no/gate.md"), "there is no folder no"),
    (("--margin", "0"), "0.0 is not in the range 0.01<=x<=1.5"),
    (("--margin", "big"), "'big' is not a valid number"),
)
def test_a_gate_that_could_not_tell_its_verdict_does_not_begin(
    jantaku: Jantaku, bots: Path, words: tuple[str, ...], said: str
) -> None:
    before = sorted(bots.rglob("*"))
    ran = jantaku("gate", "mine.py", "dice", *QUICK, *words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1) and said in ran.err
    assert sorted(bots.rglob("*")) == before


@pytest.mark.parametrize("bot", ["Late", "Mirrored"])
def test_the_bots_that_the_documentation_tries_a_gate_with_are_sound(jantaku: Jantaku, bot: str) -> None:
    ran = jantaku("exam", f"scripts.planted:{bot}", "--item", "riichi", "--item", "hanchan", "--hanchan", "2")
    assert ran.code == 0, ran


@pytest.fixture
def clone(bots: Path) -> Path:
    """A repository whose last commit makes its bot worse; `base` names the commit before."""
    place = bots / "clone"
    place.mkdir()
    for number, text in enumerate((BOT, WORSE)):
        (place / "mine.py").write_text(text, "utf-8")
        git = ("git", "-c", "user.name=a", "-c", "user.email=a@example.org")
        for words in (("init", "-q"), ("add", "-A"), ("commit", "-qm", str(number)), ("tag", ("base", "tip")[number])):
            subprocess.run((*git, *words), cwd=place, check=True, timeout=SOON)
    return place


def shell(commands: str, place: Path, **env: str) -> "subprocess.CompletedProcess[str]":
    """Runs commands as CI does, where `jantaku` is this one."""
    script = f'jantaku() {{ {PYTHON} -m jantaku "$@"; }}\nset -e\n{commands}'
    flags = " ".join((*QUICK, "--sets", "60", "--margin", "0.2"))
    said = {**os.environ, "BOT": "mine.py:Mine", "BASE": "base", "FLAGS": flags, **env}
    return subprocess.run(["bash", "-c", script], cwd=place, env=said, capture_output=True, text=True, timeout=SOON)


@pytest.mark.long
def test_the_workflow_of_the_documentation_refuses_a_pull_request_that_makes_the_bot_worse(clone: Path) -> None:
    workflow = yaml.safe_load((DOCS / "gate.yml").read_text("utf-8"))
    assert {"on", "permissions", "jobs"} <= {str(key).replace("True", "on") for key in workflow}  # YAML 1.1's on
    steps: list[dict[str, Any]] = workflow["jobs"]["gate"]["steps"]
    commands = {step["name"]: step["run"] for step in steps if "run" in step}
    env = {name for step in steps for name in step.get("env", {})} | set(workflow["env"])
    assert env | {"RUNNER_TEMP"} == set(re.findall(r"\$\{?(\w+)", " ".join(commands.values()))), "each is set"
    del commands["Install jantaku"]
    summary = clone / "step.md"
    *first, last = commands.values()
    assert shell("\n".join(first), clone).returncode == 0
    ran = shell(last, clone, GITHUB_STEP_SUMMARY=str(summary))
    assert (ran.returncode, ran.stderr) == (1, "") and "WORSE: Mine-new is worse than Mine-old" in ran.stdout
    kept = steps[-1]["with"]["path"].split()
    assert all((clone / name).exists() for name in kept) and "jantaku gate: worse" in summary.read_text("utf-8")


@pytest.mark.parametrize("empty", ["JANTAKU", "JANTAKU_COMMIT", ""])
def test_the_workflow_installs_the_commit_of_the_clone_that_is_named_and_else_nothing(clone: Path, empty: str) -> None:
    workflow = yaml.safe_load((DOCS / "gate.yml").read_text("utf-8"))
    assert workflow["env"]["JANTAKU"] == workflow["env"]["JANTAKU_COMMIT"] == "", "whoever copies it fills them in"
    (install,) = (step["run"] for step in workflow["jobs"]["gate"]["steps"] if step.get("name") == "Install jantaku")
    told = ("git", "rev-parse", "base")
    commit = subprocess.run(told, cwd=clone, check=True, capture_output=True, text=True, timeout=SOON).stdout.strip()
    env = {"JANTAKU": str(clone), "JANTAKU_COMMIT": commit, "RUNNER_TEMP": str(clone.parent / "temp")}
    if empty:
        env[empty] = ""
    ran = shell(f'python() {{ echo "python $*"; }}\n{install}', clone, **env)
    place = clone.parent / "temp" / "jantaku"
    if empty:
        assert ran.returncode != 0 and f"{empty}: is empty: fill in" in ran.stderr and not place.exists()
        assert ran.stdout == ""
    else:
        assert (ran.returncode, ran.stdout) == (0, f"python -m pip install {place}\n"), ran
        assert (place / "mine.py").read_text("utf-8") == BOT, "the commit, not the tip"


@pytest.mark.long
def test_the_recipe_for_any_other_ci_runs_as_it_stands(clone: Path) -> None:
    (recipe,) = re.findall(r"```sh\n(.*?)```", (DOCS / "ci.md").read_text("utf-8"), re.DOTALL)
    ran = shell(recipe, clone)
    assert ran.returncode == 1 and "WORSE: Mine-new is worse than Mine-old" in ran.stdout, ran
    assert (clone / "gate.xml").exists() and (clone / "gate.md").exists()
    (clone / "mine.py").write_text(BOT, "utf-8")
    (clone / "gate.xml").unlink()
    (clone / "gate.md").unlink()
    again = shell(recipe.splitlines()[-1], clone, FLAGS=f"{' '.join(QUICK)} --sets 60 --margin 0.5")
    assert again.returncode == 0, again
