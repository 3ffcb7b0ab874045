"""What a journal says, and when it is on disk: texts that are made once come to the bytes that a JSON encoder writes of
the same, and a turn is written when it is over. What a notebook shows of a record."""

import re
from collections.abc import Iterator, Sequence
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jantaku.table.drawing.faces import faces_of
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.game import Game
from jantaku.table.ground.port import Answer, Verdict
from jantaku.table.judge.judge import Judge
from jantaku.table.languages.facts import fact_of
from jantaku.table.languages.majiang.items import LINES, Encoder, item_of
from jantaku.table.languages.majiang.paifu import paifu_of, paifu_text
from jantaku.table.languages.majiang.rule import Item, reply
from jantaku.table.play.seating.roster import enlist
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.journal.digest import BEGINNING
from jantaku.table.records.journal.header import Header
from jantaku.table.records.journal.lines import FORMAT
from jantaku.table.records.journal.read import Record
from jantaku.table.records.journal.sealed import growing
from jantaku.table.records.journal.writer import Journal, replies_by
from jantaku.table.records.journal.writer import JournalWriter as AnyJournal
from jantaku.table.records.replay.outcomes import outcomes
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.notation import parse_meld
from jantaku.table.riichi.pieces.seats import player_of
from jantaku.table.riichi.pieces.tiles import NAMES, TILES
from jantaku.table.riichi.points.yaku import HandValue
from jantaku.table.riichi.ruleset import preset, with_settings
from tests.kit.toy import ToyWords

SEATS = st.integers(0, 3)
TILE = st.integers(0, TILES - 1)
MELDS = st.sampled_from([parse_meld(text) for text in ("m12-3", "p505=", "z1111", "s999+9", "m4444-")])
HANDS = st.lists(TILE, min_size=13, max_size=14).map(tuple)
FOUR = st.tuples(*[st.integers(-48000, 100000)] * 4)
DISCARDS = st.builds(events.TileDiscard, SEATS, TILE, st.booleans(), st.booleans())
EVENTS = st.one_of(
    st.builds(events.KyokuStart, SEATS, st.just(1), SEATS, SEATS, SEATS, FOUR, TILE, st.tuples(*[HANDS] * 4)),
    st.builds(events.Draw, SEATS, TILE | st.none(), st.booleans()),
    DISCARDS,
    st.builds(events.Riichi, SEATS),
    st.builds(events.MeldCall, SEATS, MELDS.filter(lambda meld: meld.is_open and meld.added is None)),
    st.builds(events.OwnKan, SEATS, st.just(parse_meld("z1111"))),
    st.builds(events.Dora, TILE),
    st.builds(
        events.Win,
        *(SEATS, SEATS | st.none(), TILE, HANDS, st.tuples(MELDS), st.integers(0, 2), st.none() | st.tuples(TILE)),
        *(st.just(HandValue((("断幺九", 1),), 30, 1)), st.just(1000), FOUR),
    ),
    st.builds(events.Ryukyoku, st.just(events.DrawReason.EXHAUSTIVE), st.tuples(*[HANDS | st.none()] * 4), FOUR),
    st.builds(events.HanchanEnd, FOUR, st.permutations(range(1, 5)).map(tuple), FOUR),
)
ACTIONS = st.sampled_from([actions.PASS, actions.RON, actions.TSUMO, actions.KYUUSHU, actions.NOTEN]) | st.one_of(
    st.builds(actions.Discard, TILE, st.booleans(), st.booleans()),
    st.builds(actions.Call, MELDS),
    st.builds(actions.Kan, MELDS),
)
# Between two microseconds lies a half that either rounding may take: those are left out.
SECONDS = st.builds(lambda micros, off: (micros + off) / 1e6, st.integers(1, 10**12), st.floats(-0.4, 0.4))
ANSWERS = st.builds(
    Answer,
    *(SEATS, st.integers(0, 10**6), ACTIONS, st.sampled_from(list(Verdict)), SECONDS | st.just(0.0)),
    *(st.none() | SECONDS | st.just(float("inf")), st.just("") | st.text()),
)


def told(turn: int, answers: Sequence[Answer]) -> Item:
    return {"turn": turn, "answers": [_told(answer) for answer in answers]}


def _told(answer: Answer) -> Item:
    line: Item = {"seat": answer.seat, "question": answer.question, "reply": reply(answer.action)}
    line |= {"verdict": answer.verdict, "used": round(answer.used, 6)}
    if answer.allowed is not None:
        line["allowed"] = round(answer.allowed, 6)
    return line | ({"reason": answer.reason} if answer.reason else {})


@given(st.integers(0, 10**6), st.lists(ANSWERS, min_size=1, max_size=4))
@example(1, [Answer(0, 4, actions.PASS, Verdict.OK)])
@example(2**14, [Answer(3, 2**16 + 3, actions.PASS, Verdict.OK_MARGIN, 2**14 / 1e6, 1e9)])
def test_answers_are_written_as_an_encoder_writes_them(turn: int, answers: list[Answer]) -> None:
    for _ in range(2):  # the second time everything is known
        pieces: list[bytes] = []
        replies_by(reply).tell(turn, answers, pieces)
        assert b"".join(pieces) == msgspec.json.encode(told(turn, answers)) + b"\n"


@pytest.mark.long
@given(st.lists(EVENTS, max_size=20))
def test_the_line_that_is_known_of_an_event_is_the_one_that_an_encoder_writes(stream: list[events.Event]) -> None:
    some, every = Encoder(), Encoder()
    for event in stream:
        line = LINES.get(event) or msgspec.json.encode(some.encode(event)) + b"\n"
        assert line == msgspec.json.encode(every.encode(event)) + b"\n"


def test_all_draws_and_discards_without_riichi_are_known() -> None:
    assert {type(event) for event in LINES} == {events.Draw, events.TileDiscard}
    assert len(LINES) == 4 * (4 * TILES + 2)  # two hidden draws a seat
    assert not any(event.riichi for event in LINES if isinstance(event, events.TileDiscard))


# --- of whole games


class Kept:
    def __init__(self) -> None:
        self.lines: list[tuple[int | None, Sequence[Any]]] = []

    def events(self, new: Sequence[Any]) -> None:
        self.lines.append((None, new))

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        self.lines.append((turn, answers))


def header(game: RiichiGame) -> Header:
    return Header(FORMAT, "", "riichi", {}, "s", 0, game.events[0].names, game.first_dealer)


def game_of(number: int, rules: str = "showa") -> RiichiGame:
    short = with_settings(preset(rules), {"game.length": "tonpu"})
    return RiichiGame(short, walls_from("writing", number, short), ("dice", "caller", "shanten", "雀"))


def played(game: RiichiGame, *watches: Any) -> None:
    players = [entrant.make(7 + seat) for seat, entrant in enumerate(enlist(["dice", "caller", "shanten", "caller"]))]
    Judge(game, players, mode="inline", watches=watches).run()


def expected(game: RiichiGame, kept: Kept) -> Iterator[Item]:
    """The lines of a journal but the first, by an encoder with a whole board."""
    board, walls = Board(), iter(game.walls)
    for turn, what in kept.lines:
        if turn is not None:
            yield told(turn, what)
            continue
        for event in what:
            if isinstance(event, events.KyokuStart):
                wall = next(walls)
                yield {"wall": "".join(NAMES[tile] for tile in wall.tiles), "dice": wall.dice}
            if isinstance(event, events.HanchanEnd):
                item = Encoder().encode(event)
            else:
                item = item_of(fact_of(event, board))
                event.apply(board)
            if item is not None:
                yield item


@pytest.mark.parametrize("buffered", [False, True])
@pytest.mark.parametrize("number", range(3))
def test_a_journal_says_all_that_happened(tmp_path: Path, number: int, buffered: bool) -> None:
    game, kept = game_of(number, "tenhou"), Kept()
    journal = Journal(tmp_path / "game.jsonl", header(game), game, buffered=buffered)
    played(game, journal, kept)
    journal.close()
    _, *lines = (tmp_path / "game.jsonl").read_bytes().splitlines()
    lines = [line for line in lines if not line.startswith(BEGINNING)]
    made = [msgspec.json.encode(line) for line in expected(game, kept)]
    made[-1] = msgspec.json.encode(Encoder(decimals=False).encode(game.events[-1]))  # tenhou rounds
    assert lines == made


@pytest.mark.parametrize("rules", ["tenhou", "showa"])
def test_a_paifu_as_text_is_the_paifu_encoded(rules: str) -> None:
    game = game_of(1, rules)
    extra = {"seed": "s"}
    for stream in (game.events[:], game.events[:1], []):
        told_of = paifu_of(stream, game.rules, "雀", extra)
        assert paifu_text(stream, game.rules, "雀", extra) == msgspec.json.encode(told_of)
    played(game)
    assert any(isinstance(event, events.Dora | events.Riichi) for event in game.events)
    for stop in (len(game.events), len(game.events) - 1, 100):
        stream = game.events[:stop]
        assert paifu_text(stream, game.rules, "雀") == msgspec.json.encode(paifu_of(stream, game.rules, "雀"))


# --- when it is on disk


class OnDisk:
    """A watch beside a journal: what is in its file after each turn."""

    def __init__(self, path: Path, game: RiichiGame) -> None:
        self._path, self._game = path, game
        self.turns = self.answered = 0
        self._told = 0

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        self.turns = turn
        self.answered += 1
        if len(self._game.events) == self._told:
            self._look()

    def events(self, new: Sequence[Any]) -> None:
        self._told += len(new)
        self._look()

    def _look(self) -> None:
        content = growing(self._path)
        assert content.endswith(b"\n")
        assert content.count(b'\n{"turn":') == self.answered


def test_after_each_turn_all_of_it_is_on_disk(tmp_path: Path) -> None:
    game = game_of(0)
    journal = Journal(tmp_path / "game.jsonl", header(game), game)
    on_disk = OnDisk(tmp_path / "game.jsonl", game)
    played(game, journal, on_disk)
    assert on_disk.turns > 100
    journal.close()


class Writes:
    def __init__(self) -> None:
        self.texts: list[bytes] = []

    def write(self, text: bytes) -> int:
        self.texts.append(text)
        return len(text)

    def close(self) -> None:
        pass


class Paper(type(Path())):  # type: ignore[misc]  # a path of this system
    writes: Any

    def open(self, mode: str = "r", buffering: int = -1, **_: Any) -> Any:
        assert (mode, buffering) == ("xb", 0)
        return self.writes


def on_paper(writes: Any, game: Any = None, **options: Any) -> AnyJournal:
    path = Paper("paper")
    path.writes = writes
    head = header(game_of(0))
    return AnyJournal(path, head, lambda event: [{"event": event}], lambda action: action, game=game, **options)


ONE = [Answer(0, 4, "a", Verdict.OK)]


def test_a_turn_is_one_write() -> None:
    writes, game = Writes(), Game(4, ToyWords(4), [1])
    journal = on_paper(writes, game)
    journal.events([1])
    game.events.append(2)
    journal.answers(1, ONE)
    assert len(writes.texts) == 2  # the header and the first event
    journal.events([2])
    assert [text.count(b"\n") for text in writes.texts] == [1, 1, 2]


def test_answers_that_led_to_nothing_are_written_at_once() -> None:
    writes, game = Writes(), Game(4, ToyWords(4), [1])
    journal = on_paper(writes, game)
    journal.events([1])
    journal.answers(1, ONE)
    assert writes.texts[-1].startswith(b'{"turn":1,')


def test_without_the_game_answers_wait_for_nothing() -> None:
    writes = Writes()
    journal = on_paper(writes)
    journal.answers(1, ONE)
    assert writes.texts[-1].startswith(b'{"turn":1,')


def test_a_buffered_journal_is_written_in_large_pieces_and_the_rest_at_its_end() -> None:
    writes, game = Writes(), Game(4, ToyWords(4), [])
    journal = on_paper(writes, game, buffered=True)
    for turn in range(1000):
        game.events.append(turn)
        journal.answers(turn, ONE)
        journal.events([turn])
    assert 2 <= len(writes.texts) <= 5
    journal.close()
    text = b"".join(writes.texts)
    assert text.count(b'{"turn":') == text.count(b'{"event":') == 1000


class Full(Writes):
    """A disk with room for so many bytes: it takes a part first and complains only then."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room

    def write(self, text: bytes) -> int:
        part = text[: self.room]
        if not part:
            raise OSError(28, "No space left on device")
        self.room -= len(part)
        return super().write(part)


def test_what_fits_on_a_full_disk_is_written_before_it_is_told() -> None:
    disk = Full(2000)
    journal = on_paper(disk)
    with pytest.raises(BadInput, match="No space left"):
        journal.events([0] * 1000)
    assert sum(map(len, disk.texts)) == 2000
    journal.close()  # what did not fit is not tried again


def test_a_disk_that_is_full_at_the_end_is_told_in_a_line() -> None:
    journal = on_paper(Full(2000), buffered=True)
    journal.events([0] * 1000)
    with pytest.raises(BadInput, match="paper: the journal cannot be written: No space left on device"):
        journal.close()


def test_a_journal_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    path, game = tmp_path / "game.jsonl", game_of(0)
    path.write_bytes(b"old")
    with pytest.raises(BadInput, match=r"game.jsonl: the journal cannot be written: File exists"):
        Journal(path, header(game), game)
    assert path.read_bytes() == b"old"


def test_a_game_that_has_not_begun_leaves_no_file(tmp_path: Path) -> None:
    game = game_of(0)
    journal = Journal(tmp_path / "game.jsonl", header(game), game)
    assert (tmp_path / "game.jsonl").exists()
    journal.close()
    assert not (tmp_path / "game.jsonl").exists()


def rows(html: str) -> list[list[str]]:
    return [
        [unescape(re.sub("<[^>]*>", "", cell)) for cell in re.findall("<t[hd].*?</t[hd]>", row)]
        for row in re.findall("<tr>.*?</tr>", html)
    ]


def test_every_kyoku_has_the_points_at_its_deal_and_says_how_it_ended(record: Record) -> None:
    heads, *kyoku, end = rows(record._repr_html_())
    assert heads == ["kyoku", *record.names, "how it ended"] and len(kyoku) == len(record.log)
    points = [[int(cell.replace(",", "")) for cell in row[1:5]] for row in kyoku]
    assert record.final is not None and record.final.ranks is not None
    assert end[1:5] == [f"{s:,}{r}." for s, r in zip(record.final.scores, record.final.ranks, strict=True)]
    for (before, now), outcome, facts, row in zip(pairwise(points), outcomes(record), record.log, kyoku, strict=False):
        assert outcome is not None
        dealer = facts[0].dealer  # type: ignore[union-attr]
        for seat, gain in enumerate(outcome.gains):
            player = player_of(seat, dealer)
            assert now[player] - before[player] == gain
        for seat in outcome.winners:
            assert f"{record.names[player_of(seat, dealer)]}: {outcome.ended}" in row[5]


def test_what_strangers_wrote_is_text_and_players_have_their_faces(record: Record) -> None:
    names = ("<b>x", *record.names[1:])
    html = msgspec.structs.replace(record, names=names, title="</style><script>")._repr_html_()
    assert "<b>" not in html and "<script" not in html and html.count("</style>") == 1
    assert all(f'class="face {face.classes}"' in html for face in faces_of(names).values())


def test_a_record_of_three_that_breaks_off_is_shown_so_far(record: Record) -> None:
    html = msgspec.structs.replace(record, final=None, log=[record.log[0][:5]])._repr_html_()
    assert rows(html)[-1][-1] == "not at all" and "end" not in html.split("<tbody>")[1]


def test_what_read_any_returns_is_shown_with_its_notes(game_folder: Path) -> None:
    read = read_any(game_folder / "game-0000.json")
    assert msgspec.structs.replace(read, notes=["<i>noted"])._repr_html_().endswith("<p>&lt;i&gt;noted</p></div>")
