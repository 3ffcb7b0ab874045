"""What setup.cfg promises of the installed project is there; and what a `peer` test does without its peer."""

import configparser
from importlib import import_module
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("package", ["table", "players"])
def test_the_types_of_the_packages_are_for_others_too(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()
    assert "py.typed" in SETUP["options.package_data"][package].split()


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
