"""How what is missing is installed: for the Python that runs, as jantaku itself was installed there."""

import shlex
import sys

import pytest

from table import installation
from table.installation import ROOT, pip_install

PYTHON = "/opt/my python/bin/python3"


@pytest.fixture(autouse=True)
def _python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", PYTHON)


def test_an_extra_of_a_checkout_is_installed_from_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.chdir(ROOT)
    assert pip_install("report") == f"'{PYTHON}' -m pip install -e '.[report]'"
    assert pip_install() == f"'{PYTHON}' -m pip install -e ."
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert pip_install("report") == f"'{PYTHON}' -m pip install -e {shlex.quote(f'{ROOT}[report]')}"


def test_the_python_of_a_folder_is_named_as_one_types_it_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "executable", f"{ROOT}/.venv/bin/python")
    assert pip_install("ray") == ".venv/bin/python -m pip install -e '.[ray]'"


def test_an_extra_of_what_was_installed_is_installed_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "_IS_CHECKOUT", False)
    assert pip_install("parquet") == f"'{PYTHON}' -m pip install 'jantaku[parquet]'"
    assert pip_install(package="pytest") == f"'{PYTHON}' -m pip install pytest"


def test_a_python_without_pip_is_filled_by_uv(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the environments of `uv tool install`."""
    monkeypatch.setattr(installation, "_IS_CHECKOUT", False)
    monkeypatch.setattr(installation, "find_spec", lambda name: None)
    assert pip_install("ray") == f"uv pip install --python '{PYTHON}' 'jantaku[ray]'"
