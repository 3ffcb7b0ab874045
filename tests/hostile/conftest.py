"""A folder of its own for every test that writes something hostile."""

from pathlib import Path

import pytest


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (folder := tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(folder)
    return folder
