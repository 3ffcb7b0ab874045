"""Every reader of foreign bytes, with samples of its input, and the only errors that it may raise."""

import gzip
import json
import tempfile
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from websockets.server import ServerProtocol

from jantaku.table.arena.match import matchfile
from jantaku.table.arena.match.figures.summary import summary
from jantaku.table.daifugo import neof5
from jantaku.table.daifugo import rules as daifugo_rules
from jantaku.table.daifugo.journals import record as daifugo
from jantaku.table.ground import settings
from jantaku.table.ground.errors import BadInput, PlayerFault
from jantaku.table.ground.port import Question
from jantaku.table.languages.wire.dialect import Dialect, Heard
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.languages.wire.native import Native
from jantaku.table.play import config
from jantaku.table.play.seating.spec import terms_of
from jantaku.table.records.convert.readers import FORMATS, read_any, write_any
from jantaku.table.records.journal.lines import content_of
from jantaku.table.records.journal.read import load
from jantaku.table.records.replay.verify import verify
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.serve.net.admission import NotAdmitted as TurnedAway
from jantaku.table.serve.net.admission import arrival_of
from jantaku.table.serve.net.limits import Limits

RULES = ruleset.resolve("majiang").rules
Errors = tuple[type[BaseException], ...]
_TENHOU = Path(__file__).parents[2] / "tests" / "data" / "games" / "tenhou.jsonl.gz"


class Reader(NamedTuple):
    """`read` takes any bytes; `raises` are the only errors it may raise. `samples` are valid."""

    samples: Callable[[], Sequence[bytes]]
    read: Callable[[bytes], object]
    raises: Errors = (BadInput,)
    packed: bool = False
    """Whether it unpacks gzip."""


# --- samples


@cache
def _played() -> tuple[bytes, bytes]:
    from jantaku.table.cli.main import main  # the shortest way to a whole record

    with tempfile.TemporaryDirectory() as folder:
        words = ["play", "--length", "one", "--threads", "inline", "--seed", "3", "--quiet", "--out", folder]
        try:
            main([*words, "--players", "caller,shanten,caller,shanten"])
        except SystemExit:
            return tuple(  # type: ignore[return-value]
                (Path(folder) / name).read_bytes() for name in ("game-0000.jsonl", "game-0000.json")
            )
    raise AssertionError("the command has not ended")


@cache
def _of_daifugo() -> bytes:
    from jantaku.table.cli.main import main

    with tempfile.TemporaryDirectory() as folder:
        words = ["play", "--game", "daifugo", "--seed", "3", "--threads", "inline", "--quiet", "--out", folder]
        try:
            main([*words, "--players", "dice,dice,dice,dice,dice", "--set", "series.rounds=2"])
        except SystemExit:
            return (Path(folder) / "game-0000.jsonl").read_bytes()
    raise AssertionError("the command has not ended")


@cache
def _converted(form: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.json"
        path.write_bytes(_played()[1])
        read = read_any(path)
        return write_any(read.record, form)[0]  # type: ignore[arg-type]


def _journals() -> list[bytes]:
    return [_played()[0]]


def _of_tenhou() -> list[bytes]:
    lines = gzip.decompress(_TENHOU.read_bytes()).splitlines()
    return [json.loads(line)["xml"].encode() for line in lines[:2]]


def _records() -> list[bytes]:
    return [*_played(), *(_converted(form) for form in FORMATS if form not in ("journal", "paifu"))]


def _tomls() -> list[bytes]:
    rules = ruleset.FILES.to_toml(RULES, "majiang").encode()
    table = b'[table]\nplayers = ["dice", "dice", "dice", "dice"]\nseed = 7\n[clock]\nturn = 5.0\n[rules.ron]\n'
    match = b'[match]\nformat = "1v3"\nplayers = ["dice", "caller"]\nsets = 2\\n'
    match += b"[stop]\nci = 0.05\n[resources]\ndice = { cpus = 1 }\n"
    player = b'[[player]]\nbot = "exec:cat"\nname = "a"\nenv = { A = "1" }\nclock.turn = 2.0\n' * 4
    return [rules, table, match, player]


def _requests() -> list[bytes]:
    plain = b"GET /play/club?name=a&key=b HTTP/1.1\r\nHost: localhost:8766\r\nOrigin: http://localhost:8766\r\n"
    upgrade = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    return [plain + b"\r\n", plain + upgrade + b"Sec-WebSocket-Version: 13\r\nUser-Agent: x\r\n\r\n"]


def _of_neof5() -> list[bytes]:
    return [
        b'{"Kind":"Put","Cards":"S3 H3"}', b'{"Kind":"Put","Cards":"Jo C4 D5"}', b'{"Kind":"Put","Cards":""}',
        b'{"Kind":"Tweet","Message":"hello"}', b'{"Kind":"Start"}',
        b'{"YourNum":0,"Kind":"ProcessTurn","Teban":0,"IsKakumei":false,"PlayerInfo":[{"Name":"a","HavingCardCount":2,'
        b'"Ranking":2,"OrderOfFinish":0}],"Deck":"S3 H3",'
        b'"Ba":["D4"],"Yama":"","History":["0-[D4]","/"]}',
    ]  # fmt: skip


@cache
def _told(dialect: str) -> list[bytes]:
    """Return all lines sent to a client of that dialect in a kyoku, up to the first question."""
    game, tongue = _game(), DIALECTS[dialect].side()
    return [line for n in range(len(game.events)) if (line := tongue.tell(game.masked(n, 0)))]


def _dealt(dialect: str) -> list[bytes]:
    return [b"".join(_told(dialect))]


def _replies(dialect: str) -> list[bytes]:
    if dialect == "majiang":
        return [b'{"dapai":"m1_","seq":3}', b'{"gang":"m1111","seq":3}', b'{"hule":"-","seq":3}', b'{"seq":3}']
    if dialect == "majiang-2015":
        return [b'{"type":"dapai","data":"m1_"}', b'{"type":"gang","data":"m1111"}', b'{"type":"","data":null}']
    discard = b'{"type":"dahai","actor":0,"pai":"1m","tsumogiri":false}'
    return [
        discard,
        b'{"type":"none"}',
        b'{"type":"ankan","actor":0,"consumed":["1m","1m","1m","1m"]}',
        b'{"type":"reach","actor":0}',
    ]


def _game() -> RiichiGame:
    return RiichiGame(RULES, walls_from("23", 0, RULES), ("a", "b", "c", "d"), 0)


# --- readers


def _in_file(use: Callable[[Path], object], name: str = "hostile.json") -> Callable[[bytes], None]:
    def read(content: bytes) -> None:
        with tempfile.TemporaryDirectory(prefix="jantaku-fuzz-") as folder:
            path = Path(folder) / name
            path.write_bytes(content)
            use(path)

    return read


def _verified(path: Path) -> None:
    record = load(path)
    verify(record, record.rules or RULES)


def _carried(path: Path) -> None:
    record = read_any(path).record
    for form in FORMATS:
        write_any(record, form)


def _of_other_game(path: Path) -> None:
    record = daifugo.load(path)
    daifugo.verify(record, record.rules)


def _summarised(content: bytes) -> None:
    summary(content, 0, "hostile")


def _answering(make: Callable[[], Dialect]) -> Callable[[bytes], None]:
    """Return a reader for which each line is a reply to the first question of a game."""

    def read(content: bytes) -> None:
        game, tongue = _game(), make()
        for number in range(len(game.events)):
            tongue.tell(game.masked(number, 0))
        turn = game.turn()
        assert turn is not None
        talk = tongue.ask(Question(1, 0, turn.choice))
        next(talk)
        for line in content.split(b"\n"):
            try:
                talk.send(Heard(line, tongue.due))
            except StopIteration:
                return

    return read


def _heard(dialect: str) -> Callable[[bytes], None]:
    """Return a reader for which each line is a message to one of our clients. Contradictions between messages are not
    checked."""

    def read(content: bytes) -> None:
        reader = DIALECTS[dialect].reader("majiang")
        for line in content.splitlines():
            reader.read(line)

    return read


def _arrived(content: bytes) -> None:
    """Read the head of a request, as the server's connection does."""
    protocol = ServerProtocol()
    protocol.receive_data(content)
    protocol.receive_eof()
    for request in protocol.events_received():
        arrival_of(request, "127.0.0.1", Limits())  # type: ignore[arg-type]


def _requested(content: bytes) -> None:
    neof5.parse_request(content.decode(errors="replace"))


def _told_to_a_client(content: bytes) -> None:
    shown = neof5.parse_message(content)
    if isinstance(shown, neof5.Snapshot):
        neof5.board_of(shown)


def _set(content: bytes) -> None:
    texts = settings.split_texts(content.decode(errors="replace").split("\n"), "--set")
    ruleset.with_settings(RULES, texts)


READERS: dict[str, Reader] = {
    "journals": Reader(_journals, _in_file(_verified, "game-0000.jsonl"), packed=True),
    "牌譜 of 1.x": Reader(lambda: [_played()[1]], _in_file(_verified), packed=True),
    "牌譜 of 2015": Reader(lambda: [_converted("2015")], _in_file(_verified), packed=True),
    "logs of mjai": Reader(lambda: [_converted("mjai")], _in_file(_carried, "game.mjson"), packed=True),
    "logs of tenhou.net/6": Reader(lambda: [_converted("tenhou6")], _in_file(_carried), packed=True),
    "logs of Tenhou": Reader(_of_tenhou, _in_file(_carried), packed=True),
    "records of any format": Reader(_records, _in_file(_carried), packed=True),
    "packed files": Reader(_records, _in_file(content_of), packed=True),
    "journals of daifugo": Reader(lambda: [_of_daifugo()], _in_file(_of_other_game)),
    "journals for statistics": Reader(_journals, _summarised),
    "rule files": Reader(_tomls, _in_file(lambda path: ruleset.resolve(str(path)), "rules.toml")),
    "rule files of daifugo": Reader(
        lambda: [daifugo_rules.FILES.to_toml(daifugo_rules.FILES.preset("strict"), "strict").encode()],
        _in_file(lambda path: daifugo_rules.FILES.resolve(str(path)), "rules.toml"),
    ),
    "table files": Reader(_tomls, _in_file(config.load, "table.toml")),
    "match files": Reader(_tomls, _in_file(lambda path: matchfile.read(str(path), {}), "match.toml")),
    "settings of the command line": Reader(lambda: [b"ron.max_winners=1\ngame.uma=[1,2,3,4]"], _set),
    "players of the command line": Reader(
        lambda: [b"exec:node bot.js?dialect=mjai&clock.turn=3&name=x", b"a:B?isolate=process"],
        lambda content: terms_of(content.decode(errors="replace")),
    ),
    **{
        f"replies in {name}": Reader(partial(_replies, name), _answering(known.side), (PlayerFault,))
        for name, known in DIALECTS.items()
    },
    "replies of isolated bots": Reader(
        lambda: [
            b'{"number":1,"option":0}',
            b'{"number":1,"action":["Discard",{"tile":3}]}',
            b'{"number":1,"raised":"x"}',
        ],
        _answering(Native),
        (PlayerFault,),
    ),
    **{f"what a client is told in {name}": Reader(partial(_dealt, name), _heard(name)) for name in DIALECTS},
    "requests of neof5": Reader(_of_neof5, _requested, (neof5.Refused,)),
    "messages of neof5": Reader(_of_neof5, _told_to_a_client),
    "histories of neof5": Reader(
        lambda: [b"0-[S3 H3]\n1-PASS\n/\n2-AGARI"],
        lambda content: neof5.parse_history(content.decode(errors="replace").split("\n")),
    ),
    "heads of requests": Reader(_requests, _arrived, (TurnedAway,)),
}
