"""Options played out in worlds: what they are worth, from what the seat sees alone; and bots at fault in it."""

import json
import re

import pytest

from jantaku.players.base import RiichiPlayer
from jantaku.players.bots.shanten import Shanten
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Question
from jantaku.table.play import playouts
from jantaku.table.play.playouts import OptionWorth, Playouts
from jantaku.table.riichi.actions import NOTEN
from jantaku.table.riichi.line import line_of, read_line
from jantaku.table.riichi.world import Worlds, copy_of
from tests.kit.command import Jantaku
from tests.riichi.line import CLAIM, OWN, THREE

WINS = (
    "jtk1 tenhou;game.length=tonpu E4 honba=0 sticks=0 left=65 indicators=z7 E25000/z1 S25000/z2 W25000/z3 N25000/z4 "
    "hand=p5s456z555666777+p5 ask=E/draw"
)


def worth(line: str, bot: str = "shanten", worlds: int = 12, seed: str = "1") -> tuple[OptionWorth, ...]:
    played = Playouts(read_line(line), bot, seed)
    played.play(worlds, decide=False)
    assert not played.faults
    return played.options


def test_a_win_is_worth_more_than_throwing_its_tile_away() -> None:
    best, *others = worth(WINS)
    assert best.option == {"hule": "-"} and (best.behind, best.margin) == (0, 0)
    assert len(others) > 5 and all(one.behind > 5 for one in others)


def test_playing_ends_when_one_option_leads() -> None:
    played = Playouts(read_line(WINS))
    played.play(1000)
    assert playouts.LOOKS <= played.worlds < 200 and str(played.best) == "Tsumo"
    in_parts = Playouts(read_line(WINS))
    while not in_parts.decided:
        in_parts.play(in_parts.worlds + 16)
    assert in_parts.options == played.options


@pytest.mark.parametrize("bot", ["shanten", "allround", "dice"])
@pytest.mark.parametrize("line", [OWN, CLAIM, THREE])
def test_every_option_is_played_out_and_the_same_each_time(line: str, bot: str) -> None:
    first = worth(line, bot, worlds=6)
    assert first == worth(line, bot, worlds=6) != worth(line, bot, worlds=6, seed="2")
    assert len({one.number for one in first}) == len(read_line(line).choice.options) == len(first)
    points = [one.points for one in first]
    assert points == sorted(points, reverse=True)


def test_options_that_are_the_same_play_on_the_same_way() -> None:
    """Which of two equal tiles is thrown away, that from the hand or the one just drawn, changes nothing for bots that
    do not look."""
    line = OWN.replace("hand=m8p3s3599z3+p5", "hand=m8p5s3599z3+p5")
    told = {json.dumps(one.option): one.points for one in worth(line, "caller")}
    assert told['{"dapai": "p5"}'] == told['{"dapai": "p5_"}']


@pytest.mark.parametrize("line", [OWN, CLAIM])
def test_hidden_tiles_change_nothing(line: str) -> None:
    """On tables where all that is hidden lies differently, the seat's own board tells the same line: all that playouts
    get."""
    position, hidden = read_line(line), set[str]()
    for number in range(5):
        table = Worlds(position, "hidden").draw(number).kyoku().board
        hidden.add(str(table))
        seen = copy_of(table, position.seat)
        seen.rules = position.rules
        told = line_of(seen, position.choice, seat=position.seat, missed=position.missed)
        assert told == position.line
    assert len(hidden) == 5


class Odd(RiichiPlayer):
    remembers = False
    reseed = None
    deed = ""

    def answer(self, question: Question) -> Action:
        if self.deed == "raise":
            raise ValueError("no idea")
        if self.deed == "leave":
            raise SystemExit(3)
        return NOTEN if self.deed == "cheat" else question.default


class Hears(Odd):
    remembers = False
    reseed = None

    def hear(self, event: object) -> None:
        """Would have to hear what came before."""


@pytest.mark.parametrize(
    ("deed", "fault"),
    [
        ("raise", "Odd raised ValueError: no idea"),
        ("leave", "Odd raised SystemExit: 3"),
        ("cheat", "Odd: an answer that is not among the options"),
    ],
)
def test_a_bot_at_fault_is_named_and_counted_and_the_default_is_played(
    deed: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def played() -> Playouts:
        one = Playouts(read_line(CLAIM), lambda seed: Odd())
        one.play(3, decide=False)
        return one

    good = played()
    monkeypatch.setattr(Odd, "deed", deed)
    bad = played()
    assert bad.options == good.options and not good.faults
    (told,) = bad.faults
    assert told.startswith(fault) and bad.faults[told] > 10
    assert (" (test_playouts.py line " in told) == (deed != "cheat")


class Reseeder(RiichiPlayer):
    remembers = False

    def answer(self, question: Question) -> Action:
        return question.default

    def reseed(self, seed: int) -> None:
        raise ValueError("no lots")


def test_a_bot_that_raises_while_it_draws_lots_anew_is_to_blame() -> None:
    played = Playouts(read_line(CLAIM), lambda seed: Reseeder())
    played.play(2, decide=False)
    (fault,) = played.faults
    assert fault.startswith("Reseeder raised ValueError: no lots (test_playouts.py line ") and played.faults[fault] >= 8


@pytest.mark.parametrize("options", [[], [NOTEN]])
def test_other_options_than_the_question_has_are_refused_with_those_it_has(options: list[Action]) -> None:
    allowed = ", ".join(map(str, read_line(CLAIM).choice.options))
    with pytest.raises(BadInput, match=rf"^options: .* given; allowed are, at least one: {re.escape(allowed)}$"):
        Playouts(read_line(CLAIM), options=options)


def test_after_the_last_look_no_option_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """More looks than the interval counts would be wrong more often than it says."""
    monkeypatch.setattr(playouts, "_LAST_LOOK", playouts.LOOKS // 2)
    played = Playouts(read_line(WINS))
    played.play(3 * playouts.LOOKS)
    assert played.worlds == 3 * playouts.LOOKS and not played.decided


def test_a_slow_answer_is_counted_and_used(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(0, 10**6, 2))
    monkeypatch.setattr(playouts, "now", lambda: next(seconds))
    played = Playouts(read_line(CLAIM), "caller")
    played.play(1, decide=False)
    assert list(played.slow) == ["Caller: an answer that took longer than 1 s"] and not played.faults
    monkeypatch.undo()
    assert played.options == worth(CLAIM, "caller", worlds=1)


def test_no_playout_begins_when_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([0.0, *[1.0] * 10**5])
    monkeypatch.setattr(playouts, "now", lambda: next(seconds))
    played = Playouts(read_line(CLAIM))
    played.play(100, seconds=0.5)
    assert played.worlds == 0 and played.best == read_line(CLAIM).choice.options[0]


def test_a_bot_that_has_to_hear_the_past_is_refused_in_a_line() -> None:
    with pytest.raises(BadInput, match=r"^Hears has to hear what came before, so it cannot .*remembers = False"):
        Playouts(read_line(CLAIM), lambda seed: Hears())


class Clever(Shanten):
    """Inherits what a class has to say itself."""


def test_a_bot_that_inherits_what_its_class_has_to_say_itself_is_told_so() -> None:
    with pytest.raises(
        BadInput,
        match=r"whose class says itself remembers = False and reseed \(what it inherits of these does not count\)",
    ):
        Playouts(read_line(CLAIM), lambda seed: Clever())


@pytest.mark.long
def test_a_position_that_no_kyoku_leads_to_is_refused_in_a_line(jantaku: Jantaku) -> None:
    """Four winds of one kind have ended it."""
    line = (
        "jtk1 tenhou E1 honba=0 sticks=0 left=65 indicators=z7 E25000/z1 S25000/z1 W25000/z1 N25000/z1 "
        "hand=m123p456s789z2255+z5 ask=E/draw"
    )
    ran = jantaku("show", line, "--facts", "--worth", "5")
    refused = "jantaku: position line: found no kyoku that leads to this position, in 400 tries\n"
    assert (ran.code, ran.out, ran.err) == (2, "", refused)


def test_facts_print_the_worth_of_options_with_the_bot_that_it_hangs_on(jantaku: Jantaku) -> None:
    ran = jantaku("show", CLAIM, "--facts", "--worth", "6", "--by", "caller")
    assert (ran.code, ran.err) == (0, "")
    *_, head, first, second = ran.out.rstrip().splitlines()
    assert head == "  worth in final points, if caller plays all seats in 6 worlds:"
    assert {first.split()[0], second.split()[0]} == {"pass", "chi"} and " ± " in second and second.endswith(" behind")
    told = json.loads(jantaku("show", CLAIM, "--facts", "--worth", "6", "--by", "caller", "--json").out)["worth"]
    assert (told["by"], told["worlds"], len(told["options"])) == ("caller", 6, 2)


def test_facts_refuse_a_bot_that_cannot_play_on(jantaku: Jantaku) -> None:
    ran = jantaku("show", CLAIM, "--facts", "--worth", "6", "--by", "exec:true")
    assert ran.code == 2 and ran.err.startswith("jantaku: ") and ran.err.count("\n") == 1
    ran = jantaku("show", CLAIM, "--facts", "--worth", "6", "--by", "ws:a")
    assert ran.code == 2 and ran.err.endswith("name a bot that is there, such as shanten or FILE.py:Class\n")
