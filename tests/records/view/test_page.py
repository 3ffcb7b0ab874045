"""The page without a browser: it is one file, it cannot be broken out of, and what a browser may do with it is said
in it and in its headers."""

import contextlib
import json
import re
import socket
from collections import Counter
from http.client import HTTPConnection
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from jantaku.table.cli.commands.show import command as show
from jantaku.table.cli.commands.view import command as view
from jantaku.table.daifugo.journals.shown import viewed as viewed_series
from jantaku.table.daifugo.rooms import server as daifugo
from jantaku.table.drawing.faces import COLOURS
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.entry import GAMES
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.journal.lines import Line
from jantaku.table.records.view import page as pages
from jantaku.table.records.view.guard import digest
from jantaku.table.records.view.page import ASSETS, Book, Viewed, page
from jantaku.table.records.view.riichi import head_of, stream_of, viewed
from jantaku.table.serve.net.web import Page, WebServer
from jantaku.table.serve.riichi import server as riichi
from tests.kit.cases import kept_cases
from tests.kit.command import Jantaku
from tests.kit.pace import SOON
from tests.records.view.screen import serving
from tests.records.view.series import played

LONGEST = 400


def asset(name: str) -> str:
    return pages.asset(name).read_text("utf-8")


def test_the_page_is_one_file_that_refers_to_no_other(game_folder: Path) -> None:
    text = page(Book([viewed(read_any(game_folder / "game-0000.jsonl").record).entry()])).content.decode()
    assert not re.search(r"<script src=|<link rel=.stylesheet|url\(|@import|https?://(?!www\.w3\.org)", text)
    scripts = [path for path in Path(str(ASSETS)).rglob("*.js") if path.parent.name in ("page", "lib", "riichi")]
    assert text.count("<script") == len(scripts) + 1


def test_a_name_cannot_break_out_of_the_page(game_folder: Path) -> None:
    record = read_any(game_folder / "game-0000.jsonl").record
    evil = "</script><script>alert(1)</script>"
    record.names = (evil, *record.names[1:])
    text = page(Book([viewed(record).entry()])).content.decode()
    assert evil not in text
    told = re.search(r'<script id="book" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert told is not None
    assert json.loads(told[1])["records"][0]["head"]["player"][0] == evil


def test_the_stream_of_a_record_is_its_journal_with_options(game_folder: Path) -> None:
    path = game_folder / "game-0000.jsonl"
    lines = [line for text in path.read_text().splitlines()[1:] if "digest" not in (line := json.loads(text))]
    stream, notes = stream_of(read_any(path).record)
    assert notes == []
    for line in stream:
        for answer in line.get("answers", ()):
            assert answer["reply"] in answer.pop("options")
    assert json.loads(msgspec.json.encode(stream)) == lines


def test_a_record_without_rules_is_shown_without_options_and_says_so(game_folder: Path, tmp_path: Path) -> None:
    paifu = json.loads((game_folder / "game-0000.json").read_text())
    del paifu["jantaku"]
    path = tmp_path / "foreign.json"
    path.write_text(json.dumps(paifu))
    record = read_any(path).record
    assert record.rules is None
    entry = viewed(record).entry()
    assert any("by which rules" in note for note in entry.head["notes"])
    assert entry.items is not None
    assert not any("wall" in item or "answers" in item for item in entry.items)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_text_has_the_contrast_of_wcag_aa(theme: str) -> None:
    text = asset("colours.css") + asset("ground.css") + asset("riichi/board.css")
    paired = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", text)
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", text))
    colours |= {name: light if theme == "light" else dark for name, light, dark in paired}
    grounds = [colours[name] for name in ("page", "panel", "button")]
    if theme == "dark":  # as the table always is
        grounds += [colours["felt"], colours["felt-edge"], "#1b5144"]
    for name in ("text", "quiet", "accent", "plus", "minus", "review", "call"):
        for ground in grounds:
            assert contrast(colours[name], ground) >= 4.5, (name, ground)
    for number in range(COLOURS):
        assert contrast(colours[f"c{number}"], colours["panel"]) >= 4.5
    for name in ("danger", "good"):
        assert contrast("#ffffff", colours[name]) >= 4.5
    assert contrast(colours["on-accent"], colours["accent"]) >= 4.5
    faces = dict(re.findall(r'(INK|RED|GREEN|BLUE) = "(#[0-9a-f]{6})"', asset("riichi/tiles.js")))
    assert len(faces) == 4
    for face in faces.values():
        assert contrast(face, colours["tile"]) >= 4.5
        assert contrast(face, colours["tile-shade"]) >= 4.5


def words_in(name: str) -> list[set[str]]:
    """The keys of the words in a file, in English and in Japanese."""
    text = asset(name)
    parts = (text[text.index(f"    {key}: {{") :].split("\n    },", 1)[0].split("{", 1)[1] for key in ("en", "ja"))
    told = [re.findall(r"(?:^|[,{]) *([\w\"-]+): (?:[\"`\[(\w])", part, re.MULTILINE) for part in parts]
    assert [word for words in told for word, count in Counter(words).items() if count > 1] == []
    return [set(words) for words in told]


@pytest.mark.parametrize("game", GAMES)
def test_both_languages_have_the_same_words(game: str) -> None:
    shared, own = words_in("ground.js"), words_in(f"{game}/words.js")
    assert shared[0] == shared[1] and own[0] == own[1]
    assert len(shared[0] | own[0]) > 40 and not shared[0] & own[0]
    folders = (Path(str(ASSETS)), Path(str(pages.asset(f"{game}/words.js"))).parent)
    code = "".join(path.read_text("utf-8") for folder in folders for path in folder.glob("*.js"))
    used = set(re.findall(r'word(?:\(|: )"(\w+)"', code))
    used |= set(re.findall(r'data-(?:word|label)="(\w+)"', asset("index.html")))
    assert used <= shared[0] | own[0]


def test_no_file_of_the_page_is_longer_than_its_budget() -> None:
    places = (Path(str(ASSETS)), Path(str(pages.asset("daifugo/words.js"))).parent)
    files = [path for place in places for path in place.rglob("*") if path.is_file() and path.parent.name != "lib"]
    lengths = {path.name: path.read_text("utf-8").count("\n") for path in files}
    assert len(lengths) >= 10
    assert {name for name, length in lengths.items() if length > LONGEST} == set()


def test_the_server_gives_the_page_and_its_records_and_nothing_else(game_folder: Path) -> None:
    record = read_any(game_folder / "game-0000.json").record
    made: list[int] = []

    def stream() -> tuple[list[Line], list[str]]:
        made.append(1)
        return stream_of(record)

    with serving(Viewed(head_of(record), stream)) as server:
        connection = HTTPConnection("127.0.0.1", server.server_port)
        answers = {}
        for path in (
            "/",
            "/record/0.json",
            "/record/0.json",
            "/record/1.json",
            "/record/-1.json",
            f"/record/{'9' * 5000}.json",
            "/../setup.cfg",
        ):
            connection.request("GET", path)
            response = connection.getresponse()
            answers[path] = (response.status, response.read())
            if response.status == 404:
                connection.close()
        connection.close()
    assert [status for status, _ in answers.values()] == [200, 200, 404, 404, 404, 404]
    assert "qipai" in json.loads(answers["/record/0.json"][1])[1]
    assert made == [1]


def test_an_export_never_overwrites(game_folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "game.html"
    source = str(game_folder / "game-0000.jsonl")
    done = CliRunner().invoke(view, [source, "--export", str(target)])
    assert done.exit_code == 0, done.output
    assert target.read_text("utf-8").startswith("<!doctype html>")
    again = CliRunner().invoke(view, [source, "--export", str(target)])
    assert isinstance(again.exception, BadInput)


@pytest.mark.parametrize("command", [show, view])
def test_a_contradiction_is_told_and_no_page_is_made(game_folder: Path, tmp_path: Path, command: object) -> None:
    paifu = json.loads((game_folder / "game-0000.json").read_text())
    paifu["log"][1][0]["qipai"]["defen"][0] += 100
    path, target = tmp_path / "bad.json", tmp_path / "bad.html"
    path.write_text(json.dumps(paifu))
    words = [str(path), "--export", str(target)] if command is view else [str(path)]
    done = CliRunner().invoke(command, words)  # type: ignore[arg-type]
    assert isinstance(done.exception, BadInput)
    assert "bad.json kyoku 2 event 1: points" in str(done.exception)
    assert not target.exists()


def test_a_daifugo_series_is_exported_no_page_mixes_games(jantaku: Jantaku, game_folder: Path, tmp_path: Path) -> None:
    record = played(tmp_path, 3, seats=3, letter="B", rounds=2).path
    target, riichi = tmp_path / "series.html", game_folder / "game-0000.jsonl"
    ran = jantaku("view", str(record), "--export", str(target))
    assert (ran.code, ran.out) == (0, f"{target}: 1 record; open it in any browser\n")
    assert "大貧民" in target.read_text("utf-8") and "YAKU" not in target.read_text("utf-8")
    for words, said in (
        ((record, riichi), f"{record} is a record of 大富豪 and {riichi} one of riichi; a page shows one game"),
        ((record, "--read-as", "mjai"), f"--read-as mjai: {record} is a journal of 大富豪"),
    ):
        ran = jantaku("view", *map(str, words), "--export", str(tmp_path / "other.html"))
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1) and said in ran.err


@kept_cases("before, after, said")
def test_a_series_that_contradicts_itself_is_told_with_its_line(
    jantaku: Jantaku, tmp_path: Path, before: str, after: str, said: str
) -> None:
    record = played(tmp_path, 3, seats=3, letter="B", rounds=1).path
    text = record.read_text("utf-8")
    assert before in text
    record.write_text(text.replace(before, after, 1))
    for command in (("view", "--no-browser", str(record)), ("show", str(record)), ("stats", str(tmp_path))):
        ran = jantaku(*command)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert said in ran.err and f"{record} line " in ran.err


def test_a_play_that_the_rules_do_not_allow_ends_the_options_with_a_note(tmp_path: Path) -> None:
    """The record goes on to be shown: what it says is what happened."""
    whole = played(tmp_path, 3, seats=3, letter="A", rounds=1)
    plays = [line.get("play", {}) for _, line in whole.lines]
    place = next(place for place, play in enumerate(plays) if play.get("cards"))
    number = whole.lines[place][0]
    seat = whole.lines[place][1]["play"]["seat"]
    deal = next(line["deal"] for _, line in whole.lines if "deal" in line)
    unlike = " ".join(deal[seat].split()[:5])  # five cards are of one rank in no hand of class A
    last = (number, {"play": {"seat": seat, "cards": unlike}})
    cut = msgspec.structs.replace(whole, lines=[*whole.lines[:place], last])
    stream, notes = viewed_series(cut, cut.rules).stream()
    assert notes == [f"options are unknown from line {number} on: the rules do not allow this play"]
    assert stream[-1] == last[1]


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


NOISE = (
    b"\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    bytes(range(256)),
    bytes.fromhex("16030100a5010000a10303") + bytes(160),  # TLS
    b"GET /" + b"a" * 200_000,
    b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 300 + b"\r\n",
    b"GET / HTTP/1.1\r\nHo",
)


def test_whatever_is_said_to_the_viewers_page_it_lives_on_in_silence(
    game_folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with serving(viewed(read_any(game_folder / "game-0000.json").record)) as server:
        for said in NOISE:
            line = socket.create_connection(("127.0.0.1", server.server_port), SOON)
            with line, contextlib.suppress(OSError):  # it may hang up first
                line.sendall(said)
                line.shutdown(socket.SHUT_WR)
                line.recv(1 << 16)
            assert asked(server.server_port, "/")[0] == 200, said[:80]
    assert capfd.readouterr().err == ""


def test_what_the_viewer_serves_on_this_machine_comes_with_its_policy(game_folder: Path) -> None:
    record = read_any(game_folder / "game-0000.json").record
    with serving(viewed(record)) as server:
        for path in ("/", "/record/0.json"):
            status, headers, _ = asked(server.server_port, path)
            assert status == 200
            assert_guarded(headers)
            for host in ("evil.example", f"evil.example:{server.server_port}", ""):
                assert asked(server.server_port, path, Host=host)[0] == 403
