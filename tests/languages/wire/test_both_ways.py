"""What one side says the other side understands: events, questions, actions and chombo through every dialect; and no
tile is in it before that seat may see it."""

import base64
import contextlib
import functools
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jantaku.players.bots.caller import Caller
from jantaku.players.bots.dice import Dice
from jantaku.players.bots.shanten import Shanten
from jantaku.table.ground.errors import BadInput, PlayerFault, PlayerUnreadable
from jantaku.table.ground.port import Choice, Player, Question
from jantaku.table.judge.judge import Judge
from jantaku.table.languages.wire import native
from jantaku.table.languages.wire.dialect import Heard
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.languages.wire.majiang_reader import MajiangReader, MajiangReader2015
from jantaku.table.languages.wire.mjai_reader import MjaiReader, MjsonpReader
from jantaku.table.languages.wire.native import Native, read_table
from jantaku.table.languages.wire.reader import Reader
from jantaku.table.riichi import events, ruleset
from jantaku.table.riichi.actions import PASS, RON, Call, Discard, Noten, Pass, RiichiAction, Ron, Tenpai, Tsumo
from jantaku.table.riichi.events import ChomboDraw, HanchanStart
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.rules import Rules
from tests.kit.careless import careless_game
from tests.kit.cases import cases
from tests.languages.wire.driving import MAJIANG, game_of, question, tell

READERS: dict[str, Callable[[], Reader]] = {
    "majiang": MajiangReader,
    "majiang-2015": lambda: MajiangReader2015(MAJIANG),
    **dict.fromkeys(("mjai", "mjai-actions", "mjai-lines", "mjai-lines-actions"), lambda: MjaiReader(MAJIANG)),
    "mjsonp": lambda: MjsonpReader(MAJIANG),
}
RULES = {
    "majiang": MAJIANG,
    "tenhou": ruleset.resolve("tenhou").rules,
    "at once": ruleset.with_settings(MAJIANG, {"dora.minkan_opens": "at-once", "tiles.red_m": "2"}),
}


def played(rules: Rules, seed: int, *players: Player) -> RiichiGame:
    """A whole game between these players, by default between some that win, declare and call."""
    seats = rules.game.players
    game = game_of(str(seed), rules, seed % seats)
    seated = players or (Shanten(), Caller(seed=seed), Shanten(), Dice(seed=seed))[:seats]
    Judge(game, seated, mode="inline").run()
    return game


@functools.cache
def whole(rules: str, seed: int) -> RiichiGame:
    return played(RULES[rules], seed)


def comparable(event: events.Event) -> Any:
    """What a dialect can say of an event: of results what is paid, of the end the points."""
    match event:
        case events.Win():
            return events.Win, event.seat, event.source, event.tile, event.deltas
        case events.Ryukyoku():
            return events.Ryukyoku, event.reason, event.hands, event.deltas
        case events.HanchanEnd() | events.HanchanStart() | events.KyokuStart():
            return type(event), *(getattr(event, "scores", ()) or ())
    return event


def read_back(name: str, game: RiichiGame, player: int) -> set[type]:
    """The kinds of what a seat was told of a game, all of which it reads back, with what it may not see left out."""
    dialect, reader = DIALECTS[name].side(), READERS[name]()
    heard = [game.masked(index, player) for index in range(len(game.events))]
    data = b"".join(map(dialect.tell, heard))
    read = [event for line in data.splitlines() for event in reader.read(line).events]
    # All but Majiang's count players from the first dealer, so there the end has another order.
    ours, theirs = (list(map(comparable, some)) for some in (heard, read))
    if name not in ("majiang", "majiang-2015"):
        ours[-1] = theirs[-1] = ()
    assert theirs == ours
    return set(map(type, heard))


@pytest.mark.parametrize("rules", list(RULES))
@pytest.mark.parametrize("name", list(DIALECTS))
def test_a_seat_reads_back_all_that_it_was_told(name: str, rules: str) -> None:
    kinds = set().union(*(read_back(name, whole(rules, seed), seed) for seed in range(3)))
    assert {events.MeldCall, events.OwnKan, events.Dora, events.Win, events.Ryukyoku, events.Riichi} <= kinds


class Spy(Shanten):
    """Says what it plays in a dialect, now and then something else than it would, and looks at what is understood."""

    def __init__(self, name: str, seed: int) -> None:
        super().__init__()
        self.said: set[type] = set()
        self._chance = random.Random(seed)
        self._dialect, self._reader = DIALECTS[name].side(), READERS[name]()
        self._replies = 0
        self._wrote: list[str] = []
        """The lines in which the reader said the last option, without their numbers."""
        self._shown = ""
        """The last option as the dialect shows it to a person."""

    def hear(self, event: Any) -> None:
        super().hear(event)
        self._read(self._dialect.tell(event))

    def answer(self, question: Question) -> Any:
        option = super().answer(question)
        if self._chance.random() < 0.1:
            option = self._chance.choice(question.options)
        if not isinstance(option, Tenpai | Noten):
            assert self._understood(question, option) == option
            assert " ".join(self._wrote) == self._shown
            self.said.add(type(option))
        return option

    def _understood(self, question: Question, option: Any) -> Any:
        """What the dialect makes of the reply that the reader writes for `option`; all other messages get none."""
        dialect = self._dialect
        talk = dialect.ask(question)
        sent = next(talk)
        self._wrote, self._shown = [], dialect.written(option)
        try:
            while True:
                self._read(sent)
                while self._replies < dialect.due - 1:
                    self._replies += 1
                    talk.send(Heard(self._reader.write(None, self._replies).strip(), dialect.due))
                self._replies = dialect.due
                line = self._reader.write(option, self._replies).strip()
                self._wrote.append(json.dumps(_without_number(json.loads(line)), separators=(",", ":")))
                sent = talk.send(Heard(line, dialect.due))
        except StopIteration as end:
            return end.value

    def _read(self, data: bytes) -> None:
        for line in data.splitlines():
            self._reader.read(line)


def _without_number(reply: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in reply.items() if key != "seq"}


@pytest.mark.parametrize("name", ["majiang", "majiang-2015", "mjai", "mjai-lines", "mjsonp"])
def test_every_option_of_a_game_can_be_replied_with(name: str) -> None:
    """What our own programs write for an option is understood as that option."""
    spies = [Spy(name, seed) for seed in range(4)]
    played(MAJIANG, 29, *spies)
    assert {Discard, Call, Ron, Pass, Tsumo} - set().union(*(spy.said for spy in spies)) == set()


class Listed(Shanten):
    """Says every option that a message of `mjai-lines-actions` lists, and compares them with what it may do."""

    def __init__(self) -> None:
        super().__init__()
        self.listed: set[str] = set()
        self._dialect = DIALECTS["mjai-lines-actions"].side()

    def hear(self, event: Any) -> None:
        super().hear(event)
        self._dialect.tell(event)

    def answer(self, question: Question) -> Any:
        option = super().answer(question)
        if not isinstance(option, Tenpai | Noten):
            self._compare(question)
        return option

    def _compare(self, question: Question) -> None:
        asked = json.loads(next(self._dialect.ask(question)).splitlines()[-1])
        barred = asked.get("cannot_dahai", ())
        assert ("possible_actions" in asked) != ("cannot_dahai" in asked)
        listed = asked.get("possible_actions", [])
        said = {json.dumps(line) for line in listed}
        assert len(said) == len(listed), "each is listed once"
        written = {self._dialect.written(option).partition("} {")[0] for option in question.options}
        lines = [json.loads(text if text.endswith("}") else text + "}") for text in written]
        assert said == {json.dumps(line) for line in lines if line["type"] not in ("dahai", "none")}
        assert not {line.get("pai") for line in lines if line["type"] == "dahai"} & set(barred)
        self.listed |= {line["type"] for line in listed} | ({"barred"} if barred else set())


def test_all_that_may_be_done_is_listed_and_nothing_else() -> None:
    players = [Listed() for _ in range(4)]
    played(MAJIANG, 29, *players)
    listed = set().union(*(player.listed for player in players))
    assert {"hora", "reach", "pon", "chi"} <= listed


# --- any bytes

LINES = st.one_of(
    st.binary(max_size=60),
    st.text(max_size=60).map(str.encode),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["dapai", "fulou", "gang", "hule", "seq", "type", "data", "actor", "pai", "consumed", "x"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=8,
    ).map(lambda value: json.dumps(value).encode()),
    st.builds(
        lambda key, value: json.dumps({key: value}).encode(),
        st.sampled_from(["dapai", "fulou", "gang", "option", "action"]),
        st.text(alphabet="mpsz0123456789-+=_*,", max_size=9),
    ),
    st.builds(
        lambda kind, pai, tiles: json.dumps(
            {"type": kind, "pai": pai, "consumed": tiles, "target": 0, "tsumogiri": True}
        ).encode(),
        st.sampled_from(["dahai", "reach", "chi", "pon", "daiminkan", "ankan", "kakan", "hora", "none"]),
        st.sampled_from(["1m", "5mr", "E", "?", ""]),
        st.lists(st.sampled_from(["1m", "2m", "5mr", "E"]), max_size=5),
    ),
)


@pytest.mark.long
@pytest.mark.parametrize("name", [*DIALECTS, "native"])
@given(line=LINES, own=st.booleans())
def test_any_bytes_are_an_action_or_a_named_fault(name: str, line: bytes, own: bool) -> None:
    dialect = Native() if name == "native" else DIALECTS[name].side()
    start = events.HanchanStart(("a", "b", "c", "d"), 0, MAJIANG, 0)
    deal = events.KyokuStart(0, 0, 0, 0, 0, (25000,) * 4, 0, (tuple(range(13)), None, None, None))
    tell(dialect, start, deal, events.Draw(0, 5))
    put = question(Discard(5, tsumogiri=True, riichi=True), Discard(0)) if own else question(RON, PASS)
    talk = dialect.ask(put)
    next(talk)
    understood: Any = None
    for _ in range(dialect.due + 2):
        try:
            talk.send(Heard(line, dialect.due))
        except StopIteration as end:
            understood = end.value
        except PlayerFault as fault:
            understood = fault
            break
    assert understood is None or isinstance(understood, RiichiAction | PlayerFault)


@pytest.mark.parametrize("name", list(DIALECTS))
@given(line=LINES)
def test_a_table_that_says_nonsense_is_told_so(name: str, line: bytes) -> None:
    reader = READERS[name]()
    with contextlib.suppress(BadInput):
        reader.read(line)


# --- our own words


def test_native_lines_carry_every_event_of_a_game() -> None:
    game, dialect = played(MAJIANG, 5), Native()
    for index in range(len(game.events)):
        event = game.masked(index, 2)
        assert native.read_table(dialect.tell(event)) == (0, event)


def test_native_lines_carry_questions_and_whatever_is_answered() -> None:
    dialect = Native()
    put = Question(9, 2, Choice((RON, PASS), PASS), 1.5, 0.1)
    talk = dialect.ask(put)
    number, read = native.read_table(next(talk))
    assert read == put and number == 2
    with pytest.raises(StopIteration) as answer:
        talk.send(Heard(native.write_answer(number, put, RON), dialect.due))
    assert answer.value.value is RON
    for given_back, result in ((Discard(3), Discard(3)), (RON, RON)):
        talk = dialect.ask(put)
        number, _ = native.read_table(next(talk))
        with pytest.raises(StopIteration) as answer:
            talk.send(Heard(native.write_answer(number, put, given_back), dialect.due))
        assert answer.value.value == result


@cases(
    "line, fault, words",
    (lambda n, q: native.write_fault(n, ValueError("no")), PlayerFault, "ValueError: no"),
    (lambda n, q: native.write_answer(n, q, ("m1", 5)), PlayerUnreadable, "is not an action"),
    (lambda n, q: msgspec.json.encode({"number": n, "option": 2}), PlayerUnreadable, "no option 2"),
    (lambda n, q: msgspec.json.encode({"number": n, "action": ["Fly", {}]}), PlayerUnreadable, "cannot be read"),
)
def test_native_faults_are_told_apart(line: Any, fault: type[Exception], words: str) -> None:
    dialect, put = Native(), Question(9, 2, Choice((RON, PASS), PASS))
    talk = dialect.ask(put)
    number, _ = native.read_table(next(talk))
    with pytest.raises(fault, match=words):
        talk.send(Heard(line(number, put), dialect.due))


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """What player 1 hears of a kyoku that ends so. Nobody pays anything by M.League's rules."""
    game = careless_game(tmp_path_factory.mktemp("one"), "mleague", {"game.length": "one"}, one_of=12)
    assert isinstance(game.events[-2], ChomboDraw)
    return [game.masked(index, 1) for index in range(len(game.events))]


@pytest.mark.parametrize("name", list(DIALECTS))
def test_a_dialect_names_who_it_was(name: str, heard: list[Any]) -> None:
    dialect, reader = DIALECTS[name].side(), READERS[name]()
    data = b"".join(dialect.tell(event) for event in heard)
    read = [event for line in data.splitlines() for event in reader.read(line).events]
    assert [event for event in read if isinstance(event, ChomboDraw)] == [heard[-2]]


def test_a_python_player_in_a_process_of_its_own_hears_it(heard: list[Any]) -> None:
    side = Native()
    assert isinstance(heard[0], HanchanStart)
    told = [read_table(line)[1] for event in heard for line in side.tell(event).splitlines()]
    assert told[-2] == heard[-2]


SPOKEN = {**{name: known.side for name, known in DIALECTS.items()}, "native": Native}
PUBLIC = {"dapai", "fulou", "gang", "kaigang", "hule", "pingju"}
PUBLIC |= {"dahai", "chi", "pon", "daiminkan", "ankan", "kakan", "dora", "reach", "reach_accepted", "hora", "ryukyoku"}
PUBLIC |= {"end_kyoku", "end_game", "start_game", "Discard", "Riichi", "Call", "Kan", "Dora", "Win", "Ryukyoku"}
PUBLIC |= {"Chombo", "HanchanStart", "HanchanEnd", "kaiju"}


@pytest.fixture(scope="module")
def game() -> RiichiGame:
    played = game_of("41")
    Judge(played, [Shanten(), Caller(seed=1), Shanten(), Caller(seed=2)], mode="inline").run()
    return played


def messages(line: bytes) -> Iterator[tuple[str, Any]]:
    """(kind, content) of everything in a line, whatever the dialect; the record in a `jieju` item by item."""
    told = json.loads(line)
    for one in told if isinstance(told, list) else [told]:
        if "event" in one:
            yield one["event"][0], one["event"][1]
            continue
        kind = one.get("type") or next(key for key in one if key != "seq")
        content = one if "type" in one and "data" not in one else one.get("data", one.get(kind))
        if kind == "jieju":
            for item in (item for kyoku in content.get("log", ()) for item in kyoku):
                yield next(iter(item.items()))
            continue
        yield kind, content


def hidden(kind: str, content: Any, seat: int, player: int) -> list[Any]:
    """What a message holds in places that are not for this seat: `seat` in the kyoku, `player` as mjai counts."""
    if kind in ("zimo", "gangzimo"):
        return [content["p"]] if content["l"] != seat else []
    if kind == "Draw":
        return [content["tile"]] if content["seat"] != seat else []
    if kind == "tsumo":
        return [content["pai"]] if content["actor"] != player else []
    if kind == "qipai":
        return [hand for owner, hand in enumerate(content["shoupai"]) if owner != seat]
    if kind == "KyokuStart":
        return [hand for owner, hand in enumerate(content["hands"]) if owner != seat]
    if kind == "request_action":
        return unseen(json.loads(base64.b64decode(content["observation"])), seat, player)
    if kind == "start_kyoku":
        return [tile for owner, hand in enumerate(content["tehais"]) if owner != player for tile in hand]
    assert kind in PUBLIC, f"{kind} is a message that this test does not know"
    return []


def unseen(observation: Any, seat: int, player: int) -> list[Any]:
    """The same of what a request tells once more."""
    assert observation["player_id"] == player
    events = [json.loads(text) for text in observation["events"]]
    told = [one for event in events for one in hidden(event["type"], event, seat, player)]
    return told + [tile for owner, hand in enumerate(observation["hands"]) if owner != player for tile in hand]


@pytest.mark.parametrize("name", list(SPOKEN))
@pytest.mark.parametrize("player", [0, 3])
def test_hands_and_draws_of_the_others_are_never_told(game: RiichiGame, name: str, player: int) -> None:
    dialect, looked_at = SPOKEN[name](), 0
    kyoku = dealer = -1
    for index in range(len(game.events)):
        # What waits in a batch belongs to the kyoku of its own deal, which comes first in the batch.
        for line in dialect.tell(game.masked(index, player)).splitlines():
            for kind, content in messages(line):
                if kind in ("qipai", "KyokuStart", "start_kyoku"):
                    kyoku = content.get("jushu", content.get("kyoku", 0) - (kind == "start_kyoku"))
                    dealer = (game.first_dealer + kyoku) % 4
                found = hidden(kind, content, (player - dealer) % 4, (player - game.first_dealer) % 4)
                assert set(map(str, found)) <= {"", "None", "?"}, (kind, content)
                looked_at += len(found)
    assert looked_at > 100
