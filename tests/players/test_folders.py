"""Bots as arenas pack them: folders and zips are started as they would be there, and a bad one is one line."""

import json
import os
import shutil
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from jantaku.players.adapters.process import Launch
from jantaku.players.folders import archive
from jantaku.players.folders.needs import needs_of
from jantaku.table.arena.match import fingerprint as fingerprints
from jantaku.table.arena.match.fingerprint import fingerprint
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.seating.roster import enlist
from tests.kit.cases import cases, kept_cases, text_of
from tests.kit.command import Jantaku
from tests.players.driving import needs_bwrap, no_program_is_left
from tests.players.packages import wheel

BOT = """import json, os, sys
{first}
me = int(sys.argv[1])
assert os.environ["AKAGI_PLAYER_ID"] == str(me) and "PYTHONPATH" not in filter(os.environ.get, os.environ)
for line in sys.stdin:
    last = json.loads(line)[-1]
    mine = last["type"] == "tsumo" and last["actor"] == me
    reply = {{"type": "dahai", "actor": me, "pai": last["pai"], "tsumogiri": True}} if mine else {{"type": "none"}}
    print(json.dumps(reply), flush=True)
"""
MORTAL = """import json, os, sys
me = int(sys.argv[-1])
assert os.environ["MORTAL_CFG"] == os.path.abspath("config.toml")
for line in sys.stdin:
    event = json.loads(line)
    if event["type"] == "tsumo" and event["actor"] == me and event.get("can_act", True):
        print(json.dumps({"type": "dahai", "actor": me, "pai": event["pai"], "tsumogiri": True}), flush=True)
    elif event.get("can_act", True):
        print('{"type": "none"}', flush=True)
"""


@pytest.fixture(autouse=True)
def _nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """After every test all programs have ended; nobody else's cache is looked into."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    yield
    no_program_is_left()


def folder(tmp_path: Path, first: str = "", name: str = "mine", **files: str) -> Path:
    """A bot's folder; `first` are the first lines of its program, `files` what else is in it."""
    home = tmp_path / name
    home.mkdir()
    (home / "bot.py").write_text(BOT.format(first=first))
    for file, text in files.items():
        (home / file.replace("_toml", ".toml").replace("_txt", ".txt")).write_text(text)
    return home


def packed(home: Path, inside: str = "") -> Path:
    """A zip of a bot's folder, or of a folder `inside` with its files."""
    file = home.with_suffix(".zip")
    with zipfile.ZipFile(file, "w") as written:
        for one in home.iterdir():
            written.write(one, inside + one.name)
    return file


def launch(spec: str) -> Launch:
    made = enlist([spec])[0].make
    assert isinstance(made, Launch)
    return made


def refused(spec: str) -> str:
    with pytest.raises(BadInput) as error:
        enlist([spec])
    assert "\n" not in str(error.value)
    return str(error.value)


def left(tmp_path: Path) -> list[Path]:
    return [one for one in (tmp_path / "cache").rglob("*") if one.is_file()]


def test_a_folder_a_zip_and_mortals_lines_sit_at_one_table(jantaku: Jantaku, tmp_path: Path) -> None:
    mine, mortal = folder(tmp_path), tmp_path / "net"
    mortal.mkdir()
    (mortal / "mortal.py").write_text(MORTAL)
    (mortal / "config.toml").touch()
    inside = packed(folder(tmp_path, name="theirs"), inside="theirs-1.0/")
    players = f"folder:{mine},folder:{inside},folder:{mortal},shanten"
    ran = jantaku("play", "--players", players, "--length", "one", "--seed", "7", "--out", str(tmp_path / "out"))
    assert ran.code == 0 and "faults" not in ran.out
    for name in ("mine", "theirs", "net"):
        assert name in ran.out


def test_what_a_zip_becomes_is_kept_and_named_by_its_content(tmp_path: Path) -> None:
    file = packed(folder(tmp_path))
    first = launch(f"folder:{file}").terms.cwd
    assert launch(f"folder:{file}").terms.cwd == first and first is not None
    assert Path(first).is_relative_to(tmp_path / "cache" / "jantaku")
    (tmp_path / "mine" / "more.txt").touch()
    assert launch(f"folder:{packed(tmp_path / 'mine')}").terms.cwd != first


def test_what_was_cut_short_is_made_again(tmp_path: Path) -> None:
    file = packed(folder(tmp_path))
    home = Path(launch(f"folder:{file}").terms.cwd or "")
    (home / "bot.py").unlink()
    home.with_suffix(".ready").unlink()
    assert (Path(launch(f"folder:{file}").terms.cwd or "") / "bot.py").is_file()


def test_a_fingerprint_is_that_of_all_files(tmp_path: Path) -> None:
    home = folder(tmp_path, weights_txt="1")
    spec, zipped = f"folder:{home}", f"folder:{packed(home)}"
    before, packed_before = fingerprint(spec), fingerprint(zipped)
    (home / "weights.txt").write_text("2")
    assert before != fingerprint(spec)
    packed(home)
    assert packed_before != fingerprint(zipped)


def test_a_folder_is_read_for_its_print_as_far_as_a_zip_may_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = folder(tmp_path)
    before = fingerprint(f"folder:{home}")
    (home / "again").symlink_to(home, target_is_directory=True)
    made_there = home.joinpath(".git", *["deeper"] * 60)
    made_there.mkdir(parents=True)
    (made_there / "object").touch()
    assert fingerprint(f"folder:{home}") == before
    deep = home.joinpath(*["deeper"] * 60)
    deep.mkdir(parents=True)
    with pytest.raises(BadInput, match="mine: is nested more than 50 deep; leave in it what the bot needs"):
        fingerprint(f"folder:{home}")
    shutil.rmtree(home / "deeper")
    monkeypatch.setattr(fingerprints, "MOST_FILES", 0)
    with pytest.raises(BadInput, match="mine: has more than 0 files"):
        fingerprint(f"folder:{home}")


def test_a_bot_is_started_for_every_game_unless_its_terms_say_otherwise(tmp_path: Path) -> None:
    home = folder(tmp_path)
    assert launch(f"folder:{home}").terms.restart == "always"
    assert launch(f"folder:{home}?restart=next-kyoku").terms.restart == "next-kyoku"


# --- what is no bot


@cases(
    "names, told",
    ((), "mine has no entry point: bot.py or mortal.py, in it or in its only folder; it is empty"),
    (("README.md",), "mine has no entry point: bot.py or mortal.py, in it or in its only folder; it has README.md"),
    (("a.zip",), "in it or in its only folder; unpack a.zip, which is in it"),
)
def test_a_folder_or_zip_without_an_entry_point_is_one_line_and_nothing_is_left(
    tmp_path: Path, names: tuple[str, ...], told: str
) -> None:
    home = tmp_path / "mine"
    home.mkdir()
    for name in names:
        (home / name).touch()
    assert told in refused(f"folder:{home}")
    assert told.replace("mine has", "mine.zip has") in refused(f"folder:{packed(home)}")
    assert left(tmp_path) == []


def test_what_is_not_there_and_what_is_no_zip_is_one_line(tmp_path: Path) -> None:
    assert "there is no folder or zip" in refused(f"folder:{tmp_path / 'nobody'}")
    (tmp_path / "bot.py").write_text("import sys")
    assert "cannot be unpacked: File is not a zip file" in refused(f"folder:{tmp_path / 'bot.py'}")
    assert "cwd: a bot that is a folder starts in that folder" in refused(f"folder:{folder(tmp_path)}?cwd=.")
    assert "dialect: 'mjay' is not known" in refused(f"folder:{tmp_path / 'mine'}?dialect=mjay")
    assert left(tmp_path) == []


def zip_with(tmp_path: Path, entry: str | zipfile.ZipInfo, content: bytes = b"") -> Path:
    file = tmp_path / "bad.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as written:
        written.writestr("bot.py", "")
        written.writestr(entry, content)
    return file


@pytest.mark.parametrize("name", ["../out.py", "a/../../out.py", "/tmp/out.py", "..\\out.py", "C:out.py"])
def test_a_zip_that_climbs_out_of_its_folder_is_refused(tmp_path: Path, name: str) -> None:
    told = refused(f"folder:{zip_with(tmp_path, name)}")
    assert "points outside its folder; nothing was unpacked" in told
    assert left(tmp_path) == [] and not list(tmp_path.rglob("out.py"))


@pytest.mark.parametrize(("kind", "told"), [(stat.S_IFLNK, "is a link"), (stat.S_IFIFO, "is no file")])
def test_a_zip_with_a_link_or_a_device_is_refused(tmp_path: Path, kind: int, told: str) -> None:
    entry = zipfile.ZipInfo("passwd")
    entry.external_attr = (kind | 0o777) << 16
    assert told in refused(f"folder:{zip_with(tmp_path, entry, b'/etc/passwd')}")
    assert left(tmp_path) == []


def test_a_zip_that_unpacks_to_too_much_or_too_many_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST", 1 << 20)
    file = zip_with(tmp_path, "zeros", bytes(1 << 21))
    assert file.stat().st_size < 1 << 14
    assert "unpacks to 0.0 GiB; a bot's zip may have" in refused(f"folder:{file}")
    monkeypatch.setattr(archive, "MOST_FILES", 1)
    assert "has 2 files; a bot's zip may have 1" in refused(f"folder:{file}")
    assert left(tmp_path) == []


def test_a_zip_whose_entries_say_less_than_they_hold_is_refused(tmp_path: Path) -> None:
    file = zip_with(tmp_path, "zeros", bytes(5000))
    told = (5000).to_bytes(4, "little")
    file.write_bytes(file.read_bytes().replace(told, (5).to_bytes(4, "little")))
    assert "cannot be unpacked: Bad CRC-32" in refused(f"folder:{file}")
    assert left(tmp_path) == []


def test_a_zip_that_is_damaged_or_holds_a_file_where_a_folder_is_one_line(tmp_path: Path) -> None:
    file = zip_with(tmp_path, "bot.py/inside.py", b"1")
    assert "player bad:" in refused(f"folder:{file}")
    whole = packed(folder(tmp_path)).read_bytes()
    file.write_bytes(whole[:-30])
    assert "cannot be unpacked" in refused(f"folder:{file}")
    file.write_bytes(whole.replace(b"import", b"improt"))
    assert "cannot be unpacked: Bad CRC-32" in refused(f"folder:{file}")
    assert left(tmp_path) == []


def test_a_zip_that_is_nested_too_deep_is_refused(tmp_path: Path) -> None:
    """Python could not even remove what came of it."""
    name = "a/" * 50 + "x.py"
    assert "is nested more than 50 deep; nothing was unpacked" in refused(f"folder:{zip_with(tmp_path, name)}")
    assert left(tmp_path) == []


def test_a_folder_that_is_nested_deeper_than_python_recurses_is_read(tmp_path: Path) -> None:
    place = folder(tmp_path)
    for _ in range(4):
        place = place.joinpath(*"a" * 300)
        place.mkdir(parents=True)
    (place / "x.py").write_text("import numpy")
    try:
        assert needs_of(tmp_path / "mine").packages == ("numpy",)
    finally:
        while place != tmp_path:  # what removes the folders of tests recurses
            for file in [one for one in place.iterdir() if not one.is_dir()]:
                file.unlink()
            place.rmdir()
            place = place.parent


# --- what a folder needs


def wheels(tmp_path: Path) -> Path:
    """A folder with a wheel of a package, as a place that pip can look in without a network."""
    (place := tmp_path / "wheels").mkdir()
    return wheel(place).parent


@pytest.mark.long
def test_what_a_folder_names_is_installed_once_into_an_environment_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels(tmp_path)))
    home = folder(tmp_path, "import jantaku_lucky", requirements_txt="# mine\njantaku-lucky==1.0  # why not\n")
    words = launch(f"folder:{home}").command
    told = capfd.readouterr().err
    assert "player mine: makes its environment, only this time: jantaku-lucky==1.0 (from requirements.txt)" in told
    assert "player mine: Installing collected packages: jantaku-lucky\n" in told
    assert Path(words[0]).is_relative_to(tmp_path / "cache" / "jantaku" / "environments")
    other = folder(tmp_path, name="other", pyproject_toml='project.dependencies = ["jantaku-lucky==1.0"]')
    monkeypatch.delenv("PIP_FIND_LINKS")
    player = enlist([f"folder:{home}", f"folder:{other}"])[1].make
    assert isinstance(player, Launch) and player.command == words
    assert capfd.readouterr().err == ""
    project = home / "requirements.txt"
    project.write_text("jantaku-lucky==2.0")
    error = refused(f"folder:{home}")
    assert "its environment cannot be made: pip: ERROR: " in error and "jantaku-lucky==2.0" in error
    assert len(list((tmp_path / "cache" / "jantaku" / "environments").iterdir())) == 2


@pytest.mark.long
@kept_cases("file, text, told")
def test_what_cannot_be_installed_is_one_line(tmp_path: Path, file: str, text: str, told: str) -> None:
    assert told in refused(f"folder:{folder(tmp_path, **{file: text})}")
    assert left(tmp_path) == []


@pytest.mark.parametrize("file", ["manifest_toml", "settings_toml", "pyproject_toml"])
def test_a_number_of_5001_digits_is_one_line(tmp_path: Path, file: str) -> None:
    home = folder(tmp_path, **{"manifest_toml": "", file: f"x = {'9' * 5001}"})
    assert "is not valid TOML: a number has more than 4,200 digits" in refused(f"folder:{home}")


def test_a_version_of_python_with_5001_digits_is_one_line(tmp_path: Path) -> None:
    home = folder(tmp_path, pyproject_toml=f'project.requires-python = ">=3,>={"9" * 5001}"')
    assert "is not a version of Python" in refused(f"folder:{home}")


@pytest.mark.parametrize("name", ["settings.toml", "manifest.toml", "pyproject.toml", "requirements.txt"])
def test_a_file_that_is_a_link_out_of_the_folder_is_not_read(tmp_path: Path, name: str) -> None:
    """What it says would be handed to the bot, which must not see it in the sandbox."""
    (tmp_path / "mine.toml").write_text('token = "secret"')
    home = folder(tmp_path, manifest_toml='[settings.token]\ntype = "string"')
    (home / name).unlink(missing_ok=True)
    (home / name).symlink_to(tmp_path / "mine.toml")
    told = refused(f"folder:{home}")
    assert f"{name}: is a link to outside the bot's folder" in told and "secret" not in told
    (home / name).unlink()
    (home / "own.toml").touch()
    (home / name).symlink_to("own.toml")
    launch(f"folder:{home}")


# --- settings of Akagi's bots

MANIFEST = text_of("cases/players/folders_manifest.toml")


def test_an_akagi_bot_finds_its_settings(tmp_path: Path) -> None:
    home = folder(tmp_path, manifest_toml=MANIFEST, settings_toml='style = "aggressive"\n')
    terms = launch(f"folder:{home}?arg.temperature=0.5").terms
    file = Path(terms.env["AKAGI_BOT_CONFIG"])
    assert json.loads(file.read_text()) == {"style": "aggressive", "temperature": 0.5}
    assert file.is_absolute() and str(file) in terms.bind
    assert stat.S_IMODE(os.stat(tmp_path / "cache" / "jantaku" / "settings").st_mode) == 0o700


@cases(
    "option, told",
    ("arg.temperature=3", "args: temperature = '3': allowed is from 0.1 up to 2"),
    ("arg.temperature=hot", "a float is needed"),
    ("arg.style=wild", "args: style = 'wild': allowed are aggressive, balanced"),
    ("arg.stile=wild", "there is no setting stile; did you mean style?"),
)
def test_a_setting_that_a_bot_does_not_take_is_one_line(tmp_path: Path, option: str, told: str) -> None:
    assert told in refused(f"folder:{folder(tmp_path, manifest_toml=MANIFEST)}?{option}")


def test_a_bot_that_plays_with_three_only_is_refused(tmp_path: Path) -> None:
    home = folder(tmp_path, manifest_toml='[bot]\nsupported_modes = ["3p"]')
    assert "the bot plays 3p, but this is a table of 4p" in refused(f"folder:{home}")
    assert "has no manifest.toml with settings" in refused(f"folder:{folder(tmp_path, name='plain')}?arg.a=1")


@needs_bwrap
def test_a_folder_plays_in_the_sandbox_and_finds_its_settings_there(jantaku: Jantaku, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    first = "json.load(open(os.environ['AKAGI_BOT_CONFIG'])); assert not os.access('.', os.W_OK)"
    home = folder(tmp_path, first, manifest_toml=MANIFEST)
    players = f"folder:{packed(home)}?sandbox=on,shanten,shanten,shanten"
    ran = jantaku("play", "--players", players, "--length", "one", "--seed", "7", "--out", str(tmp_path / "out"))
    assert ran.code == 0 and "fault" not in ran.out + ran.err
