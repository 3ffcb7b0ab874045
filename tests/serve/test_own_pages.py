"""Pages of the operator's own beside the rooms: what is served, and what never is."""

from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from jantaku.table.daifugo.rooms.server import pages
from jantaku.table.ground.errors import BadInput
from jantaku.table.serve.net import web
from jantaku.table.serve.net.web import pages_in
from tests.daifugo.rooms.guests import SHORT, house_of
from tests.kit.command import Jantaku


def folder(tmp_path: Path, **files: str) -> Path:
    """A folder of pages; `__` in a name is a slash, `_` a dot."""
    home = tmp_path / "site"
    for name, text in files.items():
        file = home / name.replace("__", "/").replace("_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return home


def test_the_files_of_a_folder_are_served_at_their_paths(tmp_path: Path) -> None:
    home = folder(tmp_path, index_html="<p>雀", js__main_js="1", _hidden="secret", _git__config="secret")
    found = pages_in(home, {"/watch/"})
    assert set(found) == {"/", "/index.html", "/js/main.js"}
    assert found["/"].kind == "text/html; charset=utf-8" and found["/js/main.js"].kind.startswith("text/javascript")
    with house_of(SHORT, beside=found) as house:
        at = house.url("").replace("ws:", "http:")
        with urlopen(f"{at}/index.html") as first, urlopen(f"{at}/js/main.js") as script:
            assert (first.read().decode(), script.read()) == ("<p>雀", b"1")
        for path in ("/.hidden", "/js/../../secret.txt", "/.git/config"):
            with pytest.raises(HTTPError, match="400"):
                urlopen(f"{at}{path}")


def test_what_lies_outside_the_folder_is_not_served(tmp_path: Path) -> None:
    home = folder(tmp_path, a_html="1")
    (tmp_path / "secret.txt").write_text("secret")
    (home / "link.txt").symlink_to(tmp_path / "secret.txt")
    (home / "above").symlink_to(tmp_path)
    assert set(pages_in(home, ())) == {"/a.html"}


def test_a_folder_that_cannot_be_served_is_one_line(
    tmp_path: Path, jantaku: Jantaku, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = jantaku("daifugo", "--port", "0", "--pages", str(tmp_path / "none"))
    assert ran.code == 2 and ran.err.startswith("jantaku: --pages: there is no folder ")
    (tmp_path / "site").mkdir()
    with pytest.raises(BadInput, match="site is empty"):
        pages_in(tmp_path / "site", ())
    taken = folder(tmp_path, daifugo__sit_js="mine")
    with pytest.raises(BadInput, match=r"the server has a page of its own at /daifugo/sit\.js"):
        pages_in(taken, pages())
    monkeypatch.setattr(web, "MOST_FILES", 0)
    with pytest.raises(BadInput, match="more than 64 MiB or 0 files"):
        pages_in(taken, ())
