"""What the README shows is run here as it stands."""

import re
import shlex
from pathlib import Path

import pytest

from tests.kit.command import Jantaku

pytest_plugins = ["pytester"]

README = (Path(__file__).parent.parent / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of one language, in order."""
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


@pytest.mark.timeout(240)
def test_every_jantaku_command_of_the_readme_works(
    jantaku: Jantaku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mybot.py").write_text(next(block for block in blocks("python") if "Follower" in block))
    for name, block in zip(("myrules.toml", "table.toml"), blocks("toml"), strict=True):
        (tmp_path / name).write_text(block)
    lines = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("jantaku ")]
    assert len(lines) >= 10
    for line in lines:
        ran = jantaku(*shlex.split(line, comments=True)[1:])
        assert ran.code == 0, (line, ran)


def test_the_pytest_examples_of_the_readme_pass(pytester: pytest.Pytester) -> None:
    bot, _, plugin = blocks("python")
    pytester.makepyfile(mybot=bot, test_mybot=plugin)
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=3)


def test_the_test_of_the_readme_passes() -> None:
    source = next(block for block in blocks("python") if "def test_" in block)
    namespace: dict[str, object] = {}
    exec(compile(source, "README.md", "exec"), namespace)
    test = namespace["test_a_slow_bot_is_cut_off"]
    assert callable(test)
    test()


def test_every_script_and_folder_that_the_readme_names_exists() -> None:
    root = Path(__file__).parent.parent
    for name in re.findall(r"scripts/(\w+)", README):
        assert (root / "scripts" / name).exists(), name
    for name in ("table/judge", "table/riichi", "table/record", "table/match", "table/cli", "players/broken"):
        assert (root / name).is_dir()
