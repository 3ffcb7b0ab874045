"""What a browser may do with our pages is said by them and by the headers that they come with."""

import re
from http.client import HTTPConnection
from pathlib import Path

import pytest

from jantaku.table.daifugo.rooms import server as daifugo
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.view.guard import digest
from jantaku.table.records.view.page import ASSETS, Book, page
from jantaku.table.records.view.riichi import viewed
from jantaku.table.serve.net.web import Page, WebServer
from jantaku.table.serve.riichi import server as riichi
from tests.records.view.pages import serving

MARKUP = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|\beval\(|Function\("
)
FOLDERS = (Path(str(ASSETS)), Path(daifugo.__file__).parents[1] / "pages", Path(riichi.__file__).parents[1] / "pages")


def directives(policy: str) -> dict[str, list[str]]:
    return {words[0]: words[1:] for words in (part.split() for part in policy.split(";"))}


def test_no_script_of_ours_makes_markup_of_text() -> None:
    scripts = [path for folder in FOLDERS for path in folder.rglob("*.js") if path.parent.name != "lib"]
    assert len(scripts) > 10
    assert [path.name for path in scripts if MARKUP.search(path.read_text("utf-8"))] == []


def test_an_exported_page_allows_exactly_the_scripts_and_styles_in_it(game_folder: Path) -> None:
    made = page(Book([viewed(read_any(game_folder / "game-0000.jsonl").record).entry()]))
    text = made.content.decode()
    assert f'<meta http-equiv="Content-Security-Policy" content="{made.policy}">' in text
    assert text.index("Content-Security-Policy") < min(text.index("<style"), text.index("<script"))
    allowed = directives(made.policy)
    assert allowed["default-src"] == allowed["connect-src"] == ["'none'"]
    assert "unsafe" not in made.policy
    for tag, directive in (("script", "script-src"), ("style", "style-src")):
        found = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert len(found) > 1
        assert [digest(content) for content in found] == allowed[directive]


def assert_guarded(headers: dict[str, str]) -> None:
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    if "html" in headers["content-type"]:
        told = directives(headers["content-security-policy"])
        assert told["default-src"] == told["frame-ancestors"] == ["'none'"]
        assert "unsafe" not in headers["content-security-policy"]


def asked(port: int, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection("127.0.0.1", port)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return response.status, {name.lower(): value for name, value in response.getheaders()}, content


@pytest.mark.parametrize("pages", [riichi.pages(), daifugo.pages()], ids=["riichi", "daifugo"])
def test_every_page_of_a_server_comes_with_its_policy(pages: dict[str, Page]) -> None:
    with WebServer(lambda arrival, line: None, pages, "127.0.0.1", 0) as server:
        for path in pages:
            status, headers, content = asked(server.port, path)
            assert (status, content) == (200, pages[path].content)
            assert_guarded(headers)
        status, _, content = asked(server.port, "/watch/?token=secret")
        assert status == 403 and b"#token=" in content


def test_what_the_viewer_serves_on_this_machine_comes_with_its_policy(game_folder: Path) -> None:
    record = read_any(game_folder / "game-0000.json").record
    with serving(viewed(record)) as server:
        for path in ("/", "/record/0.json"):
            status, headers, _ = asked(server.server_port, path)
            assert status == 200
            assert_guarded(headers)
            for host in ("evil.example", f"evil.example:{server.server_port}", ""):
                assert asked(server.server_port, path, Host=host)[0] == 403
