"""What setup.cfg promises of the installed project is there; and what a `peer` test does without its peer."""

import configparser
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from hashlib import sha256
from importlib import import_module
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from jantaku.table.ground.installation import EXTRAS
from jantaku.table.riichi.ruleset import PRESETS
from scripts import environments, licences
from scripts.installed import tried
from tests import conftest
from tests.kit.cases import cases

ROOT = Path(__file__).parents[1]
SETUP = configparser.ConfigParser()
SETUP.read(ROOT / "setup.cfg", "utf-8")
WEIGHTS = {".safetensors", ".onnx", ".npz", ".npy", ".h5", ".pt", ".pth", ".pkl", ".pickle", ".bin", ".ckpt", ".joblib"}
"""Endings of files that hold what a net learned."""
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
    assert "riichi/presets/*.toml" in SETUP["options.package_data"]["jantaku.table"].split()


@cases("package, folder", ("jantaku", "src/jantaku"), ("jantaku.table", "table"), ("jantaku.players", "players"))
def test_the_types_of_the_packages_are_for_others_too(package: str, folder: str) -> None:
    assert (ROOT / folder / "py.typed").is_file()
    assert "py.typed" in SETUP["options.package_data"][package].split()


def test_every_package_that_is_needed_has_a_lower_bound() -> None:
    needed = SETUP["options"]["install_requires"].split()
    assert needed and all(re.fullmatch(r"[a-z-]+>=[\d.]+(,<\d+)?", one) for one in needed), needed


@pytest.mark.long
@pytest.mark.slow
def test_the_pure_wheel_plays_in_a_folder_with_files_of_its_names(tmp_path: Path) -> None:
    """In an environment of its own, which finds all other packages in this one; in `scripts.wheels` it does not."""
    env, dist = tmp_path / "env", tmp_path / "dist"
    venv.create(env, symlinks=True)
    bring = [sys.executable, "-m", "pip", "--python", str(env / "bin" / "python"), "install", "--no-deps", "--no-index"]
    subprocess.run([*bring, "--quiet", "--no-compile", str(_pure_wheel(tmp_path / "source", dist))], check=True)
    (found,) = env.glob("lib/python*/site-packages")
    (found / "others.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    texts = {path.name for path in found.glob("jantaku-*.dist-info/**/*")}
    assert {"LICENSE", "LICENSES.txt", "mypyc.txt", "noto-serif-cjk.txt"} <= texts
    assert not [*found.glob("jantaku/**/*.safetensors"), *found.glob("jantaku/table/removed.py")]
    assert tried(env / "bin" / "python").troubles == []


def _pure_wheel(source: Path, dist: Path) -> Path:
    """Built from a copy: building leaves files behind."""
    for package in ("src", "table", "players"):
        shutil.copytree(
            ROOT / package, source / package, ignore=shutil.ignore_patterns("*.so", "*.so.json", "__pycache__")
        )
    for file in ("setup.py", "setup.cfg", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, source)
    shutil.copytree(ROOT / "docs" / "licences", source / "docs" / "licences")
    (removed := source / "build" / "lib" / "jantaku" / "table" / "removed.py").parent.mkdir(parents=True)
    removed.touch()  # by a build before
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


def test_the_versions_of_python_are_the_same_wherever_they_are_named() -> None:
    versions = environments.supported()
    assert len(versions) > 1 and SETUP["options"]["python_requires"] == f">={versions[0]}"
    workflow = yaml.safe_load((ROOT / "docs" / "release.yml").read_text("utf-8"))
    inputs = [step.get("with", {}) for step in workflow["jobs"]["files"]["steps"]]
    assert [one["python-version"].split() for one in inputs if "python-version" in one] == [versions]
    installing = (ROOT / "docs" / "installing.md").read_text("utf-8")
    assert f"CPython {', '.join(versions[:-1])} or {versions[-1]}" in installing


def test_the_first_interpreter_that_works_is_found_or_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, script in enumerate(("exit 127", "echo /the/python", "echo /another")):
        command = tmp_path / str(number) / "python3.99"
        command.parent.mkdir()
        command.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        command.chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join(str(tmp_path / str(number)) for number in range(3)))
    found = environments.interpreters(["3.99", "3.98"])
    assert found == {"3.99": Path("/the/python")}
    assert environments.told_missing({"3.99", "3.98"} - set(found)).endswith(": Python 3.98")


@pytest.mark.parametrize(("tag", "code"), [(f"v{SETUP['metadata']['version']}", 0), ("v0.0.0", 1), ("v", 1)])
def test_the_workflow_of_a_release_refuses_a_tag_that_is_not_the_version(tag: str, code: int) -> None:
    workflow = yaml.safe_load((ROOT / "docs" / "release.yml").read_text("utf-8"))
    commands = {step["name"]: step["run"] for step in workflow["jobs"]["files"]["steps"] if "run" in step}
    env = {**os.environ, "GITHUB_REF_NAME": tag}
    ran = subprocess.run(["bash", "-c", commands["Is the tag the version?"]], cwd=ROOT, env=env, capture_output=True)
    assert ran.returncode == code
    for module in re.findall(r"python -m (\S+)", " ".join(commands.values())):
        assert import_module(module).__doc__


def test_the_workflow_of_a_forge_runs_what_must_pass_on_every_python() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8"))
    (job,) = workflow["jobs"].values()
    assert job["strategy"]["matrix"]["python"] == environments.supported()
    assert [step["run"] for step in job["steps"] if "run" in step][-1] == ".ci/run"
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    assert set(workflow[True]) == {"push", "pull_request"}  # YAML 1.1 takes the key `on` for true


def test_every_page_that_the_page_on_security_leads_to_is_there() -> None:
    page = (ROOT / "SECURITY.md").read_text("utf-8")
    linked = re.findall(r"\]\(([^)#]+)", page)
    assert "docs/trust.md" in linked and all((ROOT / one).is_file() for one in linked)


def test_every_package_that_is_named_has_the_licence_that_the_page_tells() -> None:
    page = licences.PAGE.read_text("utf-8")
    told = licences.named(page)
    named = {Requirement(one).name for one in SETUP["options"]["install_requires"].split()}
    named |= {Requirement(one).name for extra in SETUP["options.extras_require"].values() for one in extra.split()}
    assert named - told.keys() == set()
    for name in named:
        with contextlib.suppress(PackageNotFoundError):
            assert told[name] == licences.licence(name), "run python -m scripts.licences"
    assert licences.UNKNOWN not in page and "GPL" not in page.split("## With")[0]


def test_every_file_of_weights_is_told_with_what_it_learned_from_and_its_licence() -> None:
    page = licences.PAGE.read_text("utf-8").partition("## Weights of nets")[2].partition("<!--")[0]
    rows = {row[0]: row for row in re.findall(r"^\| `(\S+)`(.*) \| (.+) \| (.+) \| (.+) \|$", page, re.MULTILINE)}
    folders = ("docs", "players", "scripts", "table", "tests")
    files = [file for folder in folders for file in (ROOT / folder).rglob("*") if file.suffix in WEIGHTS]
    assert {str(file.relative_to(ROOT)) for file in files if "node_modules" not in file.parts} == rows.keys() != set()
    for name, (_, told, games, program, terms) in rows.items():
        assert f"SHA-256 `{sha256((ROOT / name).read_bytes()).hexdigest()[:16]}`" in told
        assert "jantaku match" in games and "MIT" in terms
        assert all((ROOT / file).is_file() for file in re.findall(r"`([\w/]+\.py)`", program)) and ".py`" in program


def test_every_extra_is_told_where_installing_is() -> None:
    page = (ROOT / "docs" / "installing.md").read_text("utf-8")
    assert [extra for extra in SETUP["options.extras_require"] if f"`{extra}`" not in page] == []


def test_the_page_of_licences_has_every_package_of_npm() -> None:
    page = licences.PAGE.read_text("utf-8")
    for folder in licences.FROM_NPM:
        asked = json.loads((ROOT / folder / "package.json").read_text("utf-8"))
        named = [name for kind in asked if kind.endswith("ependencies") for name in asked[kind]]
        assert set(named) - licences.named(page).keys() == set()


def test_the_extra_all_brings_what_every_other_brings_and_the_tests_have_what_they_test() -> None:
    extras = {name: set(needs.split()) for name, needs in SETUP["options.extras_require"].items()}
    wings = {need for name in EXTRAS for need in extras[name]}
    assert set(extras) == {*EXTRAS, "all", "docs", "test"} and extras["all"] == wings
    untested = set(extras["parquet"])
    assert wings - untested <= extras["test"]
    assert not {Requirement(need).name for need in wings} & {
        Requirement(need).name for need in SETUP["options"]["install_requires"].split()
    }
