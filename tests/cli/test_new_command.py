"""`jantaku new`: what it writes plays, passes its test, overwrites nothing. `import jantaku` works beside anything."""

import errno
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import jantaku as facade
from jantaku.table.ground import installation
from tests.kit.cases import kept_cases
from tests.kit.command import Jantaku

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.usefixtures("cwd")


def test_a_full_disk_leaves_no_half_of_a_bot(jantaku: Jantaku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, text: str, encoding: str) -> int:
        if path.name == "test_my_bot.py":
            path.write_bytes(text.encode(encoding)[:100])
            raise OSError(errno.ENOSPC, "No space left on device")
        return path.write_bytes(text.encode(encoding))

    monkeypatch.setattr(Path, "write_text", full)
    ran = jantaku("new", "my_bot.py")
    said = "jantaku: test_my_bot.py cannot be written: No space left on device; nothing was written\n"
    assert (ran.code, ran.err, list(tmp_path.iterdir())) == (2, said, [])


@pytest.mark.long
def test_the_first_bot_plays_and_is_sound(jantaku: Jantaku, tmp_path: Path) -> None:
    wrote = jantaku("new", "my_bot.py")
    assert (wrote.code, wrote.out.splitlines()[0]) == (0, "wrote my_bot.py and test_my_bot.py")
    assert "class MyBot(RiichiPlayer)" in (tmp_path / "my_bot.py").read_text()
    commands = re.findall(r"jantaku (.*)", wrote.out)
    assert [command.split()[0] for command in commands] == ["play", "exam"]
    for command in commands:
        ran = jantaku(*command.split())
        assert ran.code == 0, ran
    assert "illegal" not in ran.out and "gone" not in ran.out


@pytest.mark.long
def test_the_first_test_passes_and_fails_when_the_bot_is_broken(jantaku: Jantaku, pytester: pytest.Pytester) -> None:
    assert jantaku("new", str(pytester.path / "careful.py")).code == 0
    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=3)
    bot = pytester.path / "careful.py"
    bot.write_text(bot.read_text().replace("if win :=", "if not (win :="), "utf-8")
    bot.write_text(bot.read_text().replace("Tsumo, Ron):", "Tsumo, Ron)):"), "utf-8")
    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(failed=3)


@kept_cases("file, told")
def test_nothing_is_overwritten_and_no_wrong_name_taken(jantaku: Jantaku, tmp_path: Path, file: str, told: str) -> None:
    (tmp_path / "mybot.py").write_text("mine")
    (tmp_path / "test_second.py").write_text("mine")
    before = sorted(tmp_path.iterdir())
    ran = jantaku("new", file)
    assert ran.code == 2 and told in ran.err and ran.err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before and (tmp_path / "mybot.py").read_text() == "mine"


def test_every_name_that_the_facade_offers_is_there() -> None:
    assert all(hasattr(facade, name) for name in facade.__all__)


def test_jantaku_is_imported_beside_files_and_folders_of_its_names(tmp_path: Path) -> None:
    """Python looks beside the script first: there are a folder with a checkout of that name, and modules of ours."""
    (tmp_path / "jantaku").mkdir()
    for name in ("table", "players"):
        (tmp_path / f"{name}.py").write_text(f"NAME = {name!r}")
    imports = "import table, players\nfrom jantaku import RiichiPlayer\n"
    (tmp_path / "script.py").write_text(f"{imports}print(table.NAME, players.NAME, RiichiPlayer.__module__)")
    env = {**os.environ, "PYTHONPATH": installation.HOME}
    ran = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("table players jantaku.players.base\n", "")


@pytest.mark.long
@pytest.mark.slow
def test_tools_that_go_by_folders_find_in_src_what_python_imports(jantaku: Jantaku, tmp_path: Path) -> None:
    """Editors, type checkers and import-linter run nothing, and so see no path that is set at run time."""
    assert facade.__path__ == [os.path.join(installation.HOME, "jantaku")]
    assert jantaku("new", str(tmp_path / "mybot.py")).code == 0
    env = {**os.environ, "MYPYPATH": installation.HOME}
    mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "mybot.py"]
    ran = subprocess.run(mypy, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert ran.stdout == "Success: no issues found in 1 source file\n", ran.stdout + ran.stderr
