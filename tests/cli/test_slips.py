"""Slips and hostile input on the command line: one line that says what to do, exit code 2, nothing written."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from jantaku.table.cli.main import main
from jantaku.table.serve.transport import close_all
from tests.kit.cases import cases, kept_cases
from tests.kit.command import Jantaku

MONSTERS = {"deep": "[game]\numa = " + "[" * 20_000, "long": "[game]\numa = " + "9" * 5000}
GAME = ("--length", "one", "--threads", "inline", "--seed", "1")
FOLLOWER = """
class Follower:
    def hear(self, event): pass
    def answer(self, question): return question.default
"""
FILES = {
    "mybot.py": FOLLOWER,
    "two.py": FOLLOWER.replace("Follower", "A") + "class B(A): pass\n",
    "half.py": "def answer(:\n",
    "needs.py": "import nosuch\n",
    "short.toml": '[match]\nlength = "tonpu"\n',
    "bot.js": "console.log(1)\n",
    "full.parquet": "mine",
    "table.toml": "[table]\ngames = 1\n[rules]\nron.max_winners = 1\n",
    "match.toml": "[match]\nsets = 1\n",
    "swiss.toml": "[tournament]\nrounds = 1\n",
    "rules.toml": 'preset = "tenhou"\n[ron]\nmax_winners = 1\n',
    "ron.toml": "[ron]\nmax_winners = 1\n",
    "rule.toml": "[rule]\nron.max_winners = 1\n",
    "odd.toml": "[odd]\n",
}
"""What lies in the working folder, besides a record of each game."""


@pytest.mark.parametrize("monster", MONSTERS)
@pytest.mark.parametrize("words", [("rules", "--check"), ("play", "--config"), ("match",), ("play", "--rules")])
def test_a_file_that_nests_or_counts_without_end_is_bad_input(
    jantaku: Jantaku, tmp_path: Path, words: tuple[str, ...], monster: str
) -> None:
    path = tmp_path / "monster.toml"
    path.write_text(MONSTERS[monster], "utf-8")
    ran = jantaku(*words, str(path))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(f"jantaku: {path}: is not valid TOML: ")


@pytest.mark.parametrize("command", ["play", "match", "serve", "daifugo"])
@pytest.mark.parametrize(("folder", "said"), [("", "names no folder"), ("a" * 4000, "File name too long")])
def test_a_folder_that_cannot_be_made_is_bad_input(jantaku: Jantaku, command: str, folder: str, said: str) -> None:
    ran = jantaku(command, *(("--players", "dice,dice,dice,dice") if command == "match" else ()), "--out", folder)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert said in ran.err


def test_a_path_that_is_too_long_only_for_its_records_is_bad_input(jantaku: Jantaku, tmp_path: Path) -> None:
    room = 4096 - len(str(tmp_path)) - 10  # the folder fits, what stands in it does not
    folder = str(tmp_path / "/".join(["a" * 200] * (room // 201))) + "/" + "b" * (room % 201)
    ran = jantaku("play", *GAME, "--out", folder.rstrip("/"))
    assert (ran.code, ran.err.count("\n")) == (2, 1), ran.err
    assert "File name too long" in ran.err


@pytest.fixture
def refused(jantaku: Jantaku, records: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Sequence[str], str], None]:
    """See that a command says that in one line, and writes nothing."""
    monkeypatch.chdir(records)

    def see(words: Sequence[str], said: str) -> None:
        before = sorted(records.rglob("*"))
        ran = jantaku(*words)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran
        if "Parquet needs pyarrow" in ran.err:  # that is said first, where it is so
            pytest.importorskip("pyarrow.parquet", reason="the extra “parquet” is not installed")
        assert said in ran.err
        assert sorted(records.rglob("*")) == before, "nothing was written"

    return see


@pytest.mark.long
@kept_cases("words, said")
def test_a_slip_is_told_what_to_write(refused: Callable[[Sequence[str], str], None], words: str, said: str) -> None:
    refused(words.split(), said)


@kept_cases("words, said")
def test_what_a_command_cannot_do_is_one_line_and_leaves_nothing(
    refused: Callable[[Sequence[str], str], None], words: list[str], said: str
) -> None:
    refused(words, said)


@kept_cases("player, said")
def test_a_slip_in_a_players_name_is_answered_with_what_to_write(
    jantaku: Jantaku, records: Path, monkeypatch: pytest.MonkeyPatch, player: str, said: str
) -> None:
    monkeypatch.chdir(records)
    ran = jantaku("play", "--players", f"{player},dice,dice,dice")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran
    assert ran.err.startswith("jantaku: player ") and said in ran.err


@cases(
    "words, said",
    (("play", "--players", ""), "player : the players are allround, "),
    (("play", "--rules", ""), '"" is neither a preset nor a file'),
    (("serve", "--players", ""), "--players: 1 given; a riichi table seats 4"),
    (("daifugo", "--rules", ""), '"" is neither a preset nor a file'),
    (("exam", "dice", "--rules", ""), '"" is neither a preset nor a file'),
    (("serve", "--host", "\udcff"), "'\\udcff' is not a name or address of a machine"),
)
def test_an_empty_or_unreadable_word_is_not_taken_for_none(
    jantaku: Jantaku, cwd: Path, words: tuple[str, ...], said: str
) -> None:
    ran = jantaku(*words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran
    assert said in ran.err and list(cwd.iterdir()) == []


@pytest.fixture(autouse=True)
def _nobody_listens_afterwards() -> Iterator[None]:
    """A process that waits for clients does so until it ends, and this one goes on."""
    yield
    close_all()


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of riichi, g, and one of 大富豪, d, and some files."""
    place = tmp_path_factory.mktemp("records")
    for name, text in FILES.items():
        (place / name).write_text(text, "utf-8")
    (place / "empty").mkdir()
    for words in (
        ("play", *GAME, "--out", str(place / "g")),
        ("play", "--game", "daifugo", "--set", "series.rounds=1", "--seed", "1", "--out", str(place / "d")),
    ):
        with pytest.raises(SystemExit) as left:
            main(words)
        assert left.value.code == 0
    return place


@pytest.mark.parametrize("command", ["play", "match", "exam"])
def test_help_says_how_a_program_or_a_client_is_named(jantaku: Jantaku, command: str) -> None:
    told = " ".join(jantaku(command, "--help").out.split())
    words = ("exec:",) if command == "exam" else ("FILE.py:Class", "exec:PROGRAM", "ws:NAME", "dialect=mjai")
    assert all(word in told for word in words)


def test_players_under_given_and_made_names_keep_figures_of_their_own(jantaku: Jantaku, tmp_path: Path) -> None:
    players = "dice?name=a-1,shanten?name=a,caller?name=a,tsumogiri"
    words = ("--players", players, "--sets", "1", "--workers", "0", *GAME)
    results = json.loads(jantaku("match", *words, "--json", "--out", str(tmp_path / "m")).out)["results"]
    assert {one["name"]: one["seats"] for one in results["figures"]["players"]} == dict.fromkeys(
        ("a-1", "a-2", "a-3", "tsumogiri"), 4
    )
