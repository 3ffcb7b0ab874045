"""What a notebook shows, in a browser: readable where the notebook is dark or light, and nothing beside it changes."""

from pathlib import Path

import pytest

from jantaku.table.records.convert.readers import read_any
from tests.kit.chromium import Browser
from tests.records.view.chromium import IN_A_BROWSER
from tests.records.view.test_shell import violations

pytestmark = IN_A_BROWSER
OUTPUT = """<!doctype html><html lang="en" {html}><title>notebook</title><body {body}><main><h1>Notebook</h1>
<table id="other"><tr><td>1</td></tr></table>{shown}</main></body></html>"""
LIGHT, DARK = "rgb(255, 253, 247)", "rgb(22, 48, 42)"


@pytest.mark.parametrize("system", ["light", "dark"])
@pytest.mark.parametrize(
    ("html", "body", "ground"),
    [
        ("", 'data-jp-theme-light="false"', DARK),
        ("", 'data-jp-theme-light="true"', LIGHT),
        ("", 'class="vscode-dark"', DARK),
        ("", 'class="vscode-light"', LIGHT),
        ('theme="dark"', "", DARK),
        ("", "", ""),
    ],
)
@pytest.mark.peer
def test_it_is_dark_where_the_notebook_is_and_else_as_the_system(
    browser: Browser,
    game_folder: Path,
    tmp_path: Path,
    peer_modules: Path,
    system: str,
    html: str,
    body: str,
    ground: str,
) -> None:
    shown = read_any(game_folder / "game-0000.jsonl")._repr_html_()
    (tmp_path / "notebook.html").write_text(OUTPUT.format(html=html, body=body, shown=shown))
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": system}])
    browser.open((tmp_path / "notebook.html").as_uri(), 900, 700)
    seen = browser.ask("getComputedStyle(document.querySelector('.jantaku')).backgroundColor")
    assert seen == (ground or {"light": LIGHT, "dark": DARK}[system])
    assert browser.ask("getComputedStyle(document.querySelector('#other td')).textAlign") in ("start", "left")
    assert violations(browser, peer_modules) == []
    browser.call("Emulation.setEmulatedMedia", features=[])
