"""What setup.cfg promises of the installed project is there; and what a `peer` test does without its peer."""

import configparser
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from scripts.installed import checks
from table.riichi.ruleset import PRESETS
from tests import conftest

ROOT = Path(__file__).parents[1]
SETUP = configparser.ConfigParser()
SETUP.read(ROOT / "setup.cfg", "utf-8")
ENTRY_POINTS = {
    name.strip(): place.strip()
    for group in SETUP["options.entry_points"].values()
    for name, place in (line.split("=") for line in group.strip().splitlines())
}


@pytest.mark.parametrize("name", ENTRY_POINTS)
def test_every_entry_point_leads_to_something_that_can_be_called(name: str) -> None:
    module, _, attribute = ENTRY_POINTS[name].partition(":")
    found = import_module(module)
    assert callable(getattr(found, attribute)) if attribute else found.__doc__  # a plugin is a module


def test_every_preset_has_its_file_and_is_installed_with_the_package() -> None:
    presets = ROOT / "table" / "riichi" / "presets"
    assert {path.stem for path in presets.iterdir()} == set(PRESETS)
    assert "riichi/presets/*.toml" in SETUP["options.package_data"]["table"].split()


@pytest.mark.parametrize("package", ["jantaku", "table", "players"])
def test_the_types_of_the_packages_are_for_others_too(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()
    assert "py.typed" in SETUP["options.package_data"][package].split()


def test_every_package_that_is_needed_has_a_lower_bound() -> None:
    needed = SETUP["options"]["install_requires"].split()
    assert needed and all(re.fullmatch(r"[a-z-]+>=[\d.]+(,<\d+)?", one) for one in needed), needed


def test_changelog_and_citation_tell_of_the_version_that_setup_cfg_names() -> None:
    released = re.search(r"^## (\d\S*) - (\S+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert released
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert (cited["version"], str(cited["date-released"])) == released.groups()
    assert SETUP["metadata"]["version"] == cited["version"]
    assert SETUP["metadata"]["license"] == cited["license"]


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_the_pure_wheel_plays_in_a_folder_with_files_of_its_names(tmp_path: Path) -> None:
    """In an environment of its own, which finds all other packages in this one. scripts/wheels does it without that."""
    env, dist = tmp_path / "env", tmp_path / "dist"
    venv.create(env, symlinks=True)
    bring = [sys.executable, "-m", "pip", "--python", str(env / "bin" / "python"), "install", "--no-deps", "--no-index"]
    subprocess.run([*bring, "--quiet", "--no-compile", str(_pure_wheel(tmp_path / "source", dist))], check=True)
    (found,) = env.glob("lib/python*/site-packages")
    (found / "others.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    assert [check for check in checks(env / "bin" / "python") if check.trouble] == []


def _pure_wheel(source: Path, dist: Path) -> Path:
    """Built from a copy: building leaves files behind."""
    for package in ("jantaku", "table", "players"):
        shutil.copytree(
            ROOT / package, source / package, ignore=shutil.ignore_patterns("*.so", "*.so.json", "__pycache__")
        )
    for file in ("setup.py", "setup.cfg", "pyproject.toml", "README.md", "LICENSE", "pytest_jantaku.py"):
        shutil.copy(ROOT / file, source)
    command = [sys.executable, "setup.py", "--quiet", "bdist_wheel", "--dist-dir", str(dist)]
    env = {**os.environ, "JANTAKU_PURE": "1"}
    built = subprocess.run(command, cwd=source, env=env, capture_output=True, text=True)
    if "invalid command 'bdist_wheel'" in built.stderr:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(
            "this setuptools builds no wheel: pip install -e .[test]"
        )
    assert built.returncode == 0, built.stderr
    (wheel,) = dist.iterdir()
    return wheel


@pytest.mark.parametrize(("ci", "outcome"), [("true", pytest.fail.Exception), ("", pytest.skip.Exception)])
def test_a_peer_test_without_node_is_skipped_but_fails_in_ci(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, ci: str, outcome: type[BaseException]
) -> None:
    conftest.pytest_runtest_setup(request.node)  # this test is not marked, so nothing happens
    monkeypatch.setenv("CI", ci)
    monkeypatch.setenv("PATH", "")
    request.node.add_marker("peer")
    with pytest.raises(outcome, match="node is not on the PATH"):
        conftest.pytest_runtest_setup(request.node)
