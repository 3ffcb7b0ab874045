"""Slips and hostile input on the command line: one line that says what to do, exit code 2, nothing written."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from jantaku.table.cli.main import main
from jantaku.table.serve.transport import close_all
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
SLIPS = [
    # words of the command line
    ("plya", "No such command 'plya'; did you mean play? the commands are play, match, "),
    ("exma dice", "No such command 'exma'; did you mean exam?"),
    ("frobnicate", "No such command 'frobnicate'; the commands are play, match, "),
    ("--versoin", "Did you mean '--version'?"),
    ("play --seeed 1", "Did you mean one of: '--seed', '--set'?"),
    ("play dice,dice,dice,dice", "did you mean --players dice,dice,dice,dice? it is written jantaku play [OPTIONS]"),
    ("play --players dice,dice,dice", "--players: 3 given; a riichi table seats 4"),
    ("play --players dice,dice,dice,dice,dice", "--players: 5 given; a riichi table seats 4"),
    ("play --rules tenhu", "did you mean tenhou? the presets are tenhou, "),
    ("play --rules tenhou.toml", "tenhou.toml: there is no such file; the preset is called tenhou"),
    ("play --rules g", "g: is a folder, and a file is wanted"),
    ("play --set ron.max_winner=2", "there is no key ron.max_winner; did you mean ron.max_winners?"),
    ("play --set ron.max_winners=9", "ron.max_winners = 9 is not allowed; allowed: a whole number from 1 to 3"),
    ("play --set ron.max_winners", "'ron.max_winners' is not of the form KEY=VALUE, for example ron.max_winners=1"),
    ("play --set ron=2", "[ron] is a table, its keys are ron.max_winners, "),
    ("play --length hanchn", "'hanchn' is not known; did you mean hanchan?"),
    ("play --games 0", "'--games': 0 is not in the range 1<=x<=1000000"),
    ("play --games many", "'--games': 'many' is not a valid whole number"),
    ("play --limit 5s", "'--limit': '5s' is not a valid number"),
    ("play --limit 0", "'--limit': 0.0 is not in the range 0.001<=x<=86400"),
    ("play --threads inline --limit 3", "--threads inline cannot keep a clock: leave --limit away, or use per-turn or"),
    ("play --threads inlin", "'inlin' is not known; did you mean inline?"),
    ("play --game riche", "'riche' is not known; did you mean riichi?"),
    ("play --out g", "g holds game-0000.json already; give a new or empty folder"),
    ("play --out mybot.py", "mybot.py is a file; a folder is needed"),
    ("play --config nope.toml", "nope.toml: there is no such file"),
    ("play --config bot.js", "bot.js: is not valid TOML: "),
    ("play mybot.py dice dice dice", "did you mean --players mybot.py,dice,dice,dice? it is written jantaku play"),
    ("play --players mybot.py dice dice dice", "did you mean --players mybot.py,dice,dice,dice? it is written"),
    # files of another kind
    (
        "play --config ron.toml",
        "[ron] is a rule: put it below [rules] as ron.max_winners, or give the rule file by --rul",
    ),
    ("play --config rules.toml", "that is a rule file: use --rules FILE, or write table.rules = FILE"),
    ("play --config match.toml", "that is a match file: use jantaku match FILE"),
    ("play --config swiss.toml", "that is a tournament file: use jantaku tournament FILE"),
    ("play --config rule.toml", "there is no key rule; did you mean [rules]?"),
    ("play --config odd.toml", "there is no key odd; the keys are [table], [clock], [rules], [[player]]"),
    ("play --rules table.toml", "table.toml: that is a table file: use --config FILE"),
    ("play --rules match.toml", "match.toml: that is a match file: use jantaku match FILE"),
    ("match table.toml", "table.toml: that is a table file: use --config FILE, of jantaku play and serve"),
    ("match swiss.toml", "that is a tournament file: use jantaku tournament FILE"),
    ("match ron.toml", "[ron] is a rule: put it below [rules] as ron.max_winners, or give the rule file by --rules"),
    ("match odd.toml", "the keys are [match], [clock], [stop], [rules], [[player]]"),
    ("tournament match.toml", "that is a match file: use jantaku match FILE"),
    ("serve --config match.toml", "that is a match file: use jantaku match FILE"),
    # links
    (
        "show https://tenhou.net/0/?log=x",
        "https://tenhou.net/0/?log=x: that is a link and no file; save its log to a file",
    ),
    (
        "stats http://tenhou.net/0/?log=2009060321gm-00b9-0000-3d6d5ae1&tw=1",
        "that is a link and no file; save what https://tenhou.net/0/log/?2009060321gm-00b9-0000-3d6d5ae1 sends to",
    ),
    ("view http://h/a.json", "http://h/a.json: that is a link and no file; save its log to a file, and name that"),
    ("verify https://tenhou.net/6/#json={}", "that is a link with the log in it; write it to a file, and name that"),
    # records
    ("play --kyoku 2", "give it with --from FILE"),
    ("play --from g", "g is a folder; name its files: "),
    ("play --from d/game-0000.jsonl", "is a record of 大富豪"),
    ("play --from bot.js", "bot.js: no record: it is not JSON, and no XML; formats are journal, paifu, 2015"),
    ("play --from nope.json", "nope.json: there is no such file"),
    ("play --from g/game-0000.json --turn 999", "has no turn 999 in kyoku 1; that kyoku has "),
    ("play --from g/game-0000.json --kyoku 9", "has no turn 1 in kyoku 9; it has 1 kyoku"),
    ("view empty", "empty: there is no record in this folder or below it (files that end with "),
    ("view d/game-0000.jsonl g/game-0000.json", "and g/game-0000.json one of riichi; a page shows one game"),
    ("convert d/game-0000.jsonl x.json", "a record of 大富豪, read only by jantaku verify, view, show, stats"),
    ("view g/game-0000.json --read-as mjay", "'mjay' is not known; did you mean mjai?"),
    ("view g/game-0000.json --export g", "g exists already; nothing was overwritten"),
    ("view g/game-0000.json --export no/x.html", "no/x.html cannot be written: there is no folder no"),
    ("show g", "g is a folder; name its files: "),
    ("show d/game-0000.jsonl --kyoku 99", "has no round 99; it has "),
    ("show g/game-0000.json --turn 999", " turns"),
    ("show g/game-0000.json --kyoku 7", "has no kyoku 7; it has 1"),
    ("convert g out.json", "several records are written to a folder; name the format with --write-as (journal, "),
    ("convert g g x --write-as mjai", "would both become x/game-0000.mjson; convert them to two folders"),
    ("convert g g --write-as journal", "g/game-0000.jsonl exists already; nothing was overwritten"),
    ("convert g mybot.py --write-as mjai", "mybot.py/game-0000.mjson cannot be written: "),
    ("convert nope x.mjson", "nope: there is no such file"),
    ("convert g", "Missing argument 'OUT': name the file or folder to write after g"),
    ("convert nope x.parquet", "nope: there is no such file"),
    ("convert g x.csv --line", "--line: x.csv has no columns; a table of decisions ends with .parquet"),
    ("convert g no/x.parquet", "no/x.parquet cannot be written: there is no folder no"),
    ("convert d x.parquet", "a record of 大富豪, read only by jantaku verify, view, show, stats"),
    ("convert g full.parquet", "full.parquet exists already; nothing was overwritten"),
    ("convert g/game-0000.json x.parquet --set ron.max_winners=1", "--set changes the rules that --rules names"),
    ("convert g/game-0000.json", "Missing argument 'OUT'"),
    (
        "convert g/game-0000.json x.foo",
        "say with --write-as which format is meant (journal, paifu, 2015, mjai, tenhou6)",
    ),
    ("convert g/game-0000.json g/game-0000.jsonl", "g/game-0000.jsonl exists already; nothing was overwritten"),
    ("convert g/game-0000.json no/x.mjson", "no/x.mjson cannot be written: there is no folder no"),
    ("convert g/game-0000.json a.json b.json", "a.json: there is no such file"),
    ("verify .", ". is a folder; there is no record in it"),
    ("stats d g", "g/game-0000.jsonl is a record of riichi, read only by jantaku "),
    ("stats d --report d", "--report: d exists already; nothing was overwritten"),
    ("stats nope", "nope: there is no such file"),
    ("stats empty", "empty: there is no record in this folder or below it (files that end with"),
    ("serve --netplay 0", "--netplay was removed; the same messages come over WebSocket"),
    ("mcp", "mcp was removed; seat a program with a prompt by exec:"),
    ("league new a.league", "league was removed; jantaku tournament lets many bots meet"),
    ("conform exec:a", "conform was removed; jantaku exam seats programs as well, and says what is wrong"),
    ("facts g/game-0000.json", "facts was removed; type jantaku show FILE --facts"),
    ("draw m123", "draw was removed; type jantaku show 'HAND' --svg"),
    ("decisions g x.parquet", "decisions was removed; type jantaku convert FILE OUT.parquet"),
    ("show g/game-0000.json --worth 5", "--worth: only with --facts"),
    ("show g/game-0000.json --facts --svg", "--facts and --svg exclude each other; give one of them"),
    ("show d/game-0000.jsonl --facts", "is a record of 大富豪, which has no --facts; riichi has them"),
    # matches and exams
    ("match --format 2v1", "'2v1' is not known; did you mean 2v2? allowed: seats, 1v3, 2v2, round-robin, gauntlet"),
    ("match --players dice,shanten", "given are 2: dice, shanten; for two there are the formats 1v3 and 2v2"),
    (
        "match --players daifugo-greedy,daifugo-weakest,dice,dice",
        "jantaku play --game daifugo plays it, and jantaku stats DIR then says who is better",
    ),
    (
        "match --game daifugo",
        "has no --game: matches and exams are of riichi. Players of daifugo play by jantaku ",
    ),
    (
        "exam dice --game=daifugo",
        "has no --game: matches and exams are of riichi. Players of daifugo play by ",
    ),
    ("match --gamez 3", "No such option '--gamez'"),
    ("match dice,shanten --format 1v3", "name players after --players: --players dice,shanten"),
    ("match --until ci", "--until ci: allowed is ci=WIDTH, for example ci=0.05"),
    ("match --sprt 2.4", "--sprt: '2.4' is not of the form KEY=VALUE, for example rank1=2.45"),
    ("match --sprt elo0=0", "there is no elo0; the keys are rank0, rank1, alpha, beta, least"),
    (
        "match --players ws:a?listen=127.0.0.1:0,dice,dice,dice --workers 2",
        "ws: players connect to this process; leave --workers",
    ),
    ("match --resume g", "g: holds no match: there is no match.json"),
    ("match short.toml", "there is no key match.length; length is game.length under [rules] here"),
    ("gate mybot.py", "Missing argument 'OLD'"),
    ("gate mybot.py dice dice", "(dice); it is written jantaku gate [OPTIONS] NEW OLD"),
    ("gate mybott.py dice", "there is no file mybott.py; did you mean mybot.py?"),
    ("gate mybot.py dice --margin 3", "3.0 is not in the range 0.01<=x<=1.5"),
    ("match bot.js", "bot.js: is not valid TOML"),
    ("exam dice --item furitne", "'furitne' is not known; did you mean furiten?"),
    ("exam dice dice", "(dice); it is written jantaku exam [OPTIONS] BOT"),
    ("exam daifugo-greedy", "it plays daifugo, but this is a table of riichi"),
    ("play --game daifugo --players shanten,dice", "it plays riichi, but this is a table of daifugo"),
    ("play --game daifugo --title x", "--title is for riichi"),
    ("daifugo --com shanten", "it plays riichi, but this is a table of daifugo"),
]
PLAYERS = [
    ("shantn", "did you mean shanten? the players are allround, "),
    ("Shanten", "did you mean shanten?"),
    ("dice dice dice dice", "separate players by commas: dice,dice,dice,dice"),
    ("mybot", "name a bot in your own file by the file: mybot.py, or mybot.py:Class"),
    ("./mybot", "by the file: ./mybot.py, or ./mybot.py:Class"),
    ("mybot.Follower", "did you mean mybot.py:Follower?"),
    ("mybot.pyc", "write your own as module:Class or FILE.py:Class"),
    ("mybot:Folower", "mybot has no Folower; it has Follower"),
    ("mybot.py:Folower", "mybot.py has no Folower; it has Follower"),
    ("MyBot:Follower", "module MyBot here or among the installed packages; did you mean mybot.py:Follower?"),
    ("./mybot:Follower", "name a bot in a file by the file: ./mybot.py:Follower"),
    ("mybot.py:Follower:x", "write one colon between file and class: mybot.py:Follower"),
    (":Follower", "write the file in front: FILE.py:Follower"),
    ("mybott.py", "there is no file mybott.py; did you mean mybot.py?"),
    ("mybott:Follower?isolate=process", "did you mean mybot.py:Follower?"),
    ("g", "it is a folder; name a bot by its file: g/FILE.py:Class"),
    ("two.py", "it holds several players; write two.py:A or two.py:B"),
    ("two:C", "two has no C; it has A, B"),
    ("half.py", "importing half.py failed: SyntaxError: "),
    ("needs.py", "importing needs.py failed (needs.py line 1): ModuleNotFoundError: No module named 'nosuch'"),
    ("python mybot.py", "name a bot in Python by its file alone: mybot.py"),
    ("sh bot.js?dialect=mjai", "write exec: before a program: exec:sh bot.js"),
    ("exec node bot.js", "write exec: before a program: exec:node bot.js"),
    ("bot.js", "write exec: before a program: exec:node bot.js"),
    ("./bot.js", "write exec: before a program: exec:node ./bot.js"),
    ("exec:", "does not name a program; write for example exec:node bot.js"),
    ("exec:./bot.js", "there is no program ./bot.js, or it is not executable; write exec:node ./bot.js"),
    ("exec:nosuch bot.js", "there is no program nosuch, or it is not executable"),
    ("exec:sh bot.js?dialect=mjaii", "dialect: 'mjaii' is not known; did you mean mjai?"),
    ("exec:sh bot.js?dialekt=mjai", "there is no key dialekt; did you mean dialect?"),
    ("exec:sh bot.js?restart=often", 'allowed: "never", "next-kyoku", "next-game" or "always"'),
    ("exec:sh bot.js?cwd=/nowhere", "cwd: there is no folder /nowhere"),
    ("mybot:Follower?cwd=/nowhere&isolate=process", "cwd: there is no folder /nowhere"),
    ("shanten?name", "write options after a ?, separated by &: shanten?name=deep&isolate=process"),
    ("shanten&name=a", "write options after a ?, separated by &"),
    ("shanten?name=a?isolate=process", "separate options by &, not by a second ?: …&isolate=…"),
    ("shanten?isolate=yes", 'isolate = "yes" is not allowed; allowed: "none" or "process"'),
    ("shanten?clock.turn=fast", 'clock.turn = "fast" is not allowed; allowed: a number from 0 to 86400'),
    ("shanten?clock=3", "[clock] is a table, its keys are clock.turn, "),
    ("ws:", "names nobody; write for example ws:alice"),
    ("ws://127.0.0.1:9/play/x", "an address is not a player; write ws:NAME for a client that connects to this table"),
    ("http://127.0.0.1:9", "an address is not a player; write ws:NAME for a client that connects to this table"),
    ("ws:a?listen=here", "listen: 'here' is not HOST:PORT, as 127.0.0.1:"),
    ("daifugo-greedy", "it plays daifugo, but this is a table of riichi"),
]


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


@pytest.mark.long
@pytest.mark.parametrize(("words", "said"), SLIPS)
def test_a_slip_is_answered_with_what_to_write(
    jantaku: Jantaku, records: Path, monkeypatch: pytest.MonkeyPatch, words: str, said: str
) -> None:
    monkeypatch.chdir(records)
    before = sorted(records.rglob("*"))
    ran = jantaku(*words.split())
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran
    if "Parquet needs pyarrow" in ran.err:  # that is said first, where it is so
        pytest.importorskip("pyarrow.parquet", reason="the extra “parquet” is not installed")
    assert said in ran.err
    assert sorted(records.rglob("*")) == before, "nothing was written"


@pytest.mark.parametrize(("player", "said"), PLAYERS)
def test_a_slip_in_a_players_name_is_answered_with_what_to_write(
    jantaku: Jantaku, records: Path, monkeypatch: pytest.MonkeyPatch, player: str, said: str
) -> None:
    monkeypatch.chdir(records)
    ran = jantaku("play", "--players", f"{player},dice,dice,dice")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran
    assert ran.err.startswith("jantaku: player ") and said in ran.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("play", "--players", ""), "player : the players are allround, "),
        (("play", "--rules", ""), '"" is no preset and no file'),
        (("serve", "--players", ""), "--players: 1 given; a riichi table seats 4"),
        (("daifugo", "--rules", ""), '"" is no preset and no file'),
        (("exam", "dice", "--rules", ""), '"" is no preset and no file'),
        (("serve", "--host", "\udcff"), "'\\udcff' is no name or address of a machine"),
    ],
)
def test_an_empty_or_unreadable_word_is_not_taken_for_none(
    jantaku: Jantaku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = jantaku(*words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran
    assert said in ran.err and list(tmp_path.iterdir()) == []


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
