"""What the README, the pages of docs/ and their examples show is run here as it stands."""

import ast
import doctest
import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jantaku.table.judge.judge import Judge
from jantaku.table.records.convert.readers import read_any
from scripts import shown
from scripts.environments import PYTHON
from tests.kit.cases import cases
from tests.kit.command import Jantaku
from tests.kit.games import MAJIANG, TENHOU, lines
from tests.kit.pace import SOON
from tests.records.convert.test_exporters import exported

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "docs" / "examples"
SAMPLE = re.DOTALL | re.MULTILINE
THE_DESIGN = ("DiscardEvent", "wait()", "start()", "join()", "Responses", "per-turn", "jantaku match", "jantaku_table")
SILENT = (
    *("index", "first-bot", "second-bot", "exam", "folders", "statistics", "comparing", "many-machines", "library"),
    *("analysing", "records", "position-line", "viewing", "reviewing", "cookbook", "learning", "daifugo-play"),
    "playouts",
)
"""Pages that show no files."""
PAGES: dict[str, tuple[str, ...]] = {
    "README.md": ("table.toml",),
    "docs/playing.md": ("table.toml",),
    "docs/matches.md": ("matches.toml",),
    "docs/tournaments.md": ("tournament.toml",),
    "docs/rules/index.md": ("myrules.toml",),
    **{f"docs/{page}.md": () for page in SILENT},
}
"""By page, the names of the files that it shows. The Japanese README shows the same commands and files as the other."""


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of one language on a page, in order."""
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)


def commands(page: str) -> list[str]:
    lines = [line.strip() for block in blocks(page, "sh") for line in block.splitlines()]
    return [line for line in lines if line.startswith("jantaku ")]


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_a_page_works(page: str, jantaku: Jantaku, cwd: Path) -> None:
    for folder in (cwd, cwd / "docs" / "examples"):
        shutil.copytree(EXAMPLES, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name, block in zip(PAGES[page], blocks(page, "toml"), strict=True):
        (cwd / name).write_text(block, "utf-8")
    assert commands(page)
    if any(".parquet" in line for line in commands(page)):
        pytest.importorskip("pyarrow.parquet", reason="the extra “parquet” is not installed")
    for line in commands(page):
        line = re.sub(r"--sets \d\d+", "--sets 2", line)  # a reader wants to learn something, a test only that it works
        ran = jantaku(*shlex.split(line.split(" > ")[0], comments=True)[1:])
        assert ran.code == 0, (line, ran)


def test_the_japanese_readme_shows_what_the_english_one_does() -> None:
    """The same sections, commands, files, samples and links; 判定スレッド is the word of the design's author."""
    english, japanese = ((ROOT / page).read_text("utf-8") for page in ("README.md", "docs/README.ja.md"))
    for text in (english, japanese):
        assert text.count("\n## ") == 8 and all(word in text for word in THE_DESIGN)
    assert "判定スレッド" in japanese and "審判" not in japanese
    both = ("README.md", "docs/README.ja.md")
    for language in ("sh", "python"):
        first, second = (blocks(page, language) for page in both)
        assert first and first == second
    typed, told = (re.findall(r"^```\n(jantaku .*?)^```", text, SAMPLE) for text in (english, japanese))
    assert typed == told, "commands that only a reader can run, such as those with programs of their own"
    rules, their_rules = (tomllib.loads(blocks(page, "toml")[0]) for page in both)
    assert rules == their_rules
    samples, others = (
        re.findall(r"^```\n((?:game 0|event made).*?)^```", text, SAMPLE) for text in (english, japanese)
    )
    assert len(samples) == 2 and samples == others
    assert _linked(ROOT / "README.md") == _linked(ROOT / "docs" / "README.ja.md")


def _linked(page: Path) -> set[str]:
    """The pages that a README links to, but for translations."""
    found = re.findall(r"\]\((?!https?:)([^)]+)\)", page.read_text("utf-8"))
    paths = {str((page.parent / link).resolve().relative_to(ROOT)) for link in found}
    return {path for path in paths if not path.startswith(("README", "docs/README", "docs/ja/"))}


def test_the_result_that_the_readme_shows_comes_of_its_seed(jantaku: Jantaku, tmp_path: Path) -> None:
    (sample,) = re.findall(r"^```\n(game 0.*?)^```", (ROOT / "README.md").read_text("utf-8"), SAMPLE)
    result, seed, step = sample.splitlines()
    name = seed.removeprefix("seed ").partition(",")[0]
    ran = jantaku("play", "--seed", name, "--out", str(tmp_path / "records"))
    assert (ran.code, ran.out.splitlines()[0]) == (0, result)
    assert step.startswith("next: .venv/bin/jantaku verify ") and f"seed {name}, records in " in ran.out


def test_the_rules_show_what_one_discard_with_three_claims_comes_to(jantaku: Jantaku, cwd: Path) -> None:
    shutil.copy(EXAMPLES / "three_claims.mjson", cwd)
    page = (ROOT / "docs" / "rules" / "index.md").read_text("utf-8")
    rows = re.findall(
        r"^\| .*?`sanchahou = .*? \| (.+) \| (.+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", page, re.MULTILINE
    )
    lines = [line for line in commands("docs/rules/index.md") if "--from three_claims.mjson" in line]
    assert len(lines) == 4
    for line, (ruling, why, *points) in zip(lines, rows, strict=True):
        ran = jantaku(*shlex.split(line)[1:])
        assert ran.code == 0 and f"ruling='{ruling}' why='{why}'" in ran.err
        came_to = re.findall(r"(\S+) (\d+) \(", ran.out)
        assert dict(came_to) == dict(zip(("tsumogiri", "shanten-1", "shanten-2", "shanten-3"), points, strict=True))


def test_the_pages_show_commands_of_every_kind() -> None:
    words = {line.split()[1] for page in PAGES for line in commands(page)}
    assert {"play", "match", "stats", "exam", "rules", "verify", "show", "view", "convert", "bots"} <= words


def test_the_tests_among_the_examples_pass(pytester: pytest.Pytester) -> None:
    for path in EXAMPLES.glob("*.py"):
        shutil.copy(path, pytester.path)
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=5)


def ran(name: str, *words: str) -> str:
    command = [sys.executable, str(EXAMPLES / name), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=SOON).stdout


def test_a_journal_is_read_with_the_standard_library(game_folder: Path) -> None:
    journal = game_folder / "game-0000.jsonl"
    told = ran("read_journal.py", str(journal))
    wins = sum(line.startswith('{"hule"') for line in journal.read_text("utf-8").splitlines())
    assert told.count(" wins ") == wins > 0
    assert len(re.findall(r"^\S+: \d+ ok", told, re.MULTILINE)) == 4


@cases("page, made, examples", ("docs/library.md", [], 33), ("docs/analysing.md", ["play", "match", "compare"], 24))
def test_what_the_library_answers_on_its_pages_is_true(
    page: str, made: list[str], examples: int, jantaku: Jantaku, cwd: Path
) -> None:
    makers = [shlex.split(line)[1:] for line in commands(page) if " --out " in line]
    assert [words[0] for words in makers] == made
    assert all(jantaku(*words).code == 0 for words in makers)
    session = doctest.DocTestParser().get_doctest("\n".join(blocks(page, "pycon")), {}, page, None, 0)
    assert len(session.examples) == examples, "a line that was the only proof may be gone"
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL | doctest.NORMALIZE_WHITESPACE).run(
        session, out=said.append
    )
    assert "".join(said) == ""


def cells_of(name: str, **smaller: int) -> tuple[list[Any], dict[str, Any]]:
    """Run a notebook, with some assigned values smaller; return what each cell shows, and its names."""
    shown, scope = [], dict[str, Any]()
    for cell in msgspec.json.decode((EXAMPLES / name).read_bytes())["cells"]:
        if cell["cell_type"] == "code":
            *lines, last = ast.parse("".join(cell["source"])).body
            exec(compile(ast.Module(lines, []), name, "exec"), scope)
            scope |= {key: value for key, value in smaller.items() if key in scope}
            assert isinstance(last, ast.Expr)
            shown.append(eval(compile(ast.Expression(last.value), name, "eval"), scope))
    return shown, scope


@pytest.mark.long
def test_the_notebook_runs_from_the_top_and_draws_hands_and_a_table(cwd: Path) -> None:
    shown, scope = cells_of("tour.ipynb")
    assert [thing._repr_svg_()[:5] for thing in shown if hasattr(thing, "_repr_svg_")] == ["<svg "] * 3
    assert any(isinstance(thing, dict) and set(thing) == set(scope["record"].names) for thing in shown)
    tables = [thing._repr_html_() for thing in shown if hasattr(thing, "_repr_html_")]
    assert [table[:21] for table in tables] == ['<div class="jantaku">'] * 3, "record, match and comparison"


@pytest.mark.long
def test_the_notebook_about_training_ends_with_a_verdict(cwd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("pettingzoo", "safetensors"):
        pytest.importorskip(module, reason="the extra “learn” is not installed")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    shutil.copy(EXAMPLES / "train.py", cwd)
    shown, scope = cells_of("train.ipynb", STEPS=60, GAMES=4, SETS=2)
    assert shown[0]["rows"] == 32 and set(shown[2]) == {"early", "late"}
    assert shown[3]._repr_html_().startswith('<div class="jantaku">')
    assert shown[4] in (0, 1, 3) and " late " in scope["verdict"].stdout.splitlines()[-1]


def test_a_table_of_decisions_is_read_as_arrays(game_folder: Path, jantaku: Jantaku, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow.parquet", reason="the extra “parquet” is not installed")
    assert jantaku("convert", str(game_folder), str(tmp_path / "d.parquet")).code == 0
    assert re.search(
        r"'mask': \((\d+), 353\), 'answer': \(\1,\)", ran("read_decisions.py", str(tmp_path / "d.parquet"))
    )


def test_self_play_says_how_fast_it_is() -> None:
    assert re.fullmatch(r"1 hanchan, \d+ decisions/s, [\d.]+ hanchan/s\n", ran("self_play.py", "1"))


def test_a_program_without_jantaku_plays(jantaku: Jantaku, tmp_path: Path) -> None:
    program = f"exec:{PYTHON} {shlex.quote(str(EXAMPLES / 'plain_program.py'))}"
    words = ("--players", f"{program},tsumogiri,tsumogiri,tsumogiri", "--length", "one", "--seed", "7", "--json")
    played = jantaku("play", *words, "--out", str(tmp_path))
    assert played.code == 0
    verdicts = ran("read_journal.py", str(next(tmp_path.glob("*.jsonl")))).splitlines()[-4]
    assert re.fullmatch(r"\S+: \d+ ok", verdicts), verdicts


def test_a_program_with_a_prompt_plays_without_a_fault(jantaku: Jantaku, tmp_path: Path) -> None:
    program = (
        f"exec:{PYTHON} {shlex.quote(str(EXAMPLES / 'model_program.py'))}?dialect=mjai-lines-actions&env.MODEL=echo 5"
    )
    words = ("--players", f"{program},caller,shanten,dice", "--length", "one", "--seed", "7", "--strict")
    played = jantaku("play", *words, "--out", str(tmp_path))
    assert played.code == 0, played


def test_every_example_is_shown_or_linked_on_a_page() -> None:
    pages = "".join(page.read_text("utf-8") for page in EXAMPLES.parent.rglob("*.md"))
    files = [path for path in EXAMPLES.iterdir() if path.is_file() and path.suffix not in (".json", ".ipynb")]
    on_a_page = {path for path in files if f"<!-- examples/{path.name} -->" in pages}
    assert [path.name for path in files if path not in on_a_page and f"](examples/{path.name})" not in pages] == []
    assert [path.name for path in on_a_page if f"\n{shown.example(path)}```\n" not in pages] == [], (
        "python -m scripts.shown"
    )


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_every_script_and_page_that_a_text_names_exists(page: str) -> None:
    """Those of docs/ are held by the build of the site."""
    text = (ROOT / page).read_text("utf-8")
    named = {*re.findall(r"scripts/\w+", text), *re.findall(r"\]\((?!https?:)([^)#]+)", text)}
    assert len(named) > 5
    assert sorted(name for name in named if not (ROOT / name).exists() and not (ROOT / f"{name}.py").exists()) == []


@pytest.mark.parametrize("page", ["first-bot", "playing", "person"])
def test_a_japanese_page_shows_the_same_commands_and_code(page: str) -> None:
    fenced = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
    english, japanese = (fenced.findall((ROOT / "docs" / at / f"{page}.md").read_text("utf-8")) for at in ("", "ja"))
    assert english == japanese != []


def test_the_judge_plays_the_other_game_of_the_library_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    janken = import_module("janken")
    game = janken.Janken()
    result = Judge(game, [janken.Turner(0), janken.Turner(1)], mode="inline").run()
    assert max(game.wins) == 3 and result.ending == "over"
    assert {str(verdict) for seat in result.seats for verdict in seat.verdicts} == {"ok"}


def test_a_policy_is_trained_saved_and_sits_down(jantaku: Jantaku, cwd: Path) -> None:
    shutil.copy(EXAMPLES / "train.py", cwd)
    ran("train.py", "20", "policy.npy")
    players = "train.py:Policy?arg.weights=policy.npy,dice,tsumogiri,caller"
    played = jantaku("match", "--players", players, "--games", "4", "--length", "one", "--out", "match")
    assert played.code == 0, played.err
    assert re.search(r"^Policy\S* .* none *$", played.out, re.MULTILINE)


PAGE = ROOT / "docs" / "my-games.md"
LOGS = ROOT / "tests" / "data" / "logs"
STEP = re.compile(r"^```sh\n((?:jantaku .*\n)+)```\n\n```\n((?:.*\n)*?)```$", re.MULTILINE)
NAMES = "Hanako", "Taro", "Jiro", "Saburo"


@pytest.fixture
def saved(cwd: Path) -> Path:
    """A folder with a game of each site, under the names of the page; Hanako is player 0 of Tenhou's."""
    xml = next(line["xml"] for line in lines(TENHOU) if line["id"] == "2022010120gm-00a9-0000-d7831e29")
    players = " ".join(f'n{player}="{name}"' for player, name in enumerate(NAMES))
    log = cwd / "2022010120gm-00a9-0000-d7831e29.mjlog"
    log.write_text(xml.replace("<UN/>", f"<UN {players}/>", 1), "utf-8")
    soul = exported(read_any(log).record) | {"name": list(NAMES)}
    (cwd / "soul.json").write_text(json.dumps(soul, ensure_ascii=False), "utf-8")
    shutil.copy(LOGS / "complex_nakis_0.tenhou6.json", cwd / "editor.json")
    game = next(line for line in lines(MAJIANG) if line["id"] == "default-300000")
    (cwd / "paipu.json").write_text(json.dumps(game["paipu"], ensure_ascii=False), "utf-8")
    shutil.copy(LOGS / "mortal_two_kyoku.mjson", cwd / "mortal.mjai.jsonl")
    return cwd


def test_every_command_prints_what_the_page_shows(saved: Path, jantaku: Jantaku) -> None:
    page = PAGE.read_text("utf-8")
    steps = STEP.findall(page)
    assert len(steps) == page.count("```sh\njantaku ")
    assert sum(typed.count("\n") for typed, _ in steps) == 12
    for typed, answer in steps:
        said: list[str] = []
        for line in typed.splitlines():
            ran = jantaku(*shlex.split(line)[1:])
            assert ran.code == 0, (line, ran)
            said += (ran.err + ran.out).splitlines()
        printed = iter(said)
        wanted = [line.rstrip() for line in answer.splitlines() if line != "…"]
        missing = [line for line in wanted if not any(line == one.rstrip() for one in printed)]
        assert missing == [], (typed, said)


def test_a_link_is_answered_with_what_to_save(saved: Path, jantaku: Jantaku) -> None:
    page = PAGE.read_text("utf-8")
    (line, answer), *_ = re.findall(r"^```\n(jantaku verify 'http.*)\n```\n\n```\n((?:.*\n)*?)```$", page, re.MULTILINE)
    ran = jantaku(*shlex.split(line)[1:])
    assert (ran.code, ran.err) == (2, answer)


def test_the_program_that_saves_a_game_of_riichienv_is_python() -> None:
    (program,) = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    compile(program, str(PAGE), "exec")
    assert "env.mjai_log" in program
