"""The worth of options: each is played out from the same made-up pasts."""

import json

import pytest

from jantaku.table.arena.forks.review import OptionsWorth, options_worth
from jantaku.table.play.seating.roster import adviser
from jantaku.table.riichi.line import read_line
from tests.kit.command import Jantaku
from tests.riichi.line import CLAIM, OWN

WINS = (
    "jtk1 tenhou;game.length=tonpu E4 honba=0 sticks=0 left=65 indicators=z7 E25000/z1 S25000/z2 W25000/z3 N25000/z4 "
    "hand=p5s456z555666777+p5 ask=E/draw"
)


def worth(line: str, bot: str = "shanten", pasts: int = 12) -> OptionsWorth:
    return options_worth(read_line(line), adviser(bot), pasts=pasts)


def test_a_win_is_worth_more_than_throwing_its_tile_away() -> None:
    best, *others = worth(WINS).options
    assert best.option == {"hule": "-"} and (best.behind, best.margin) == (0, 0)
    assert len(others) > 5 and all(one.behind > 5 for one in others)


@pytest.mark.parametrize("line", [OWN, CLAIM])
def test_every_option_is_played_out_and_the_same_each_time(line: str) -> None:
    first = worth(line, pasts=6)
    assert first == worth(line, pasts=6)
    assert len({one.number for one in first.options}) == len(read_line(line).choice.options) == len(first.options)
    points = [one.points for one in first.options]
    assert points == sorted(points, reverse=True)


def test_options_that_are_the_same_play_on_the_same_way() -> None:
    """Which of two equal tiles is thrown away, that from the hand or the one just drawn, changes nothing for bots that
    do not look."""
    line = OWN.replace("hand=m8p3s3599z3+p5", "hand=m8p5s3599z3+p5")
    told = {json.dumps(one.option): one.points for one in worth(line, "caller").options}
    assert told['{"dapai": "p5"}'] == told['{"dapai": "p5_"}']


def test_facts_print_the_worth_of_options_with_the_bot_that_it_hangs_on(jantaku: Jantaku) -> None:
    ran = jantaku("show", CLAIM, "--facts", "--worth", "6", "--by", "caller")
    assert (ran.code, ran.err) == (0, "")
    *_, head, first, second = ran.out.rstrip().splitlines()
    assert head == "  worth in final points, if caller plays all seats from 6 made-up pasts:"
    assert {first.split()[0], second.split()[0]} == {"pass", "chi"} and " ± " in second and second.endswith(" behind")
    told = json.loads(jantaku("show", CLAIM, "--facts", "--worth", "6", "--by", "caller", "--json").out)["worth"]
    assert (told["by"], told["pasts"], len(told["options"])) == ("caller", 6, 2)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--by", "shanten"], "--by needs --worth, for example --worth 100"),
        (["--worth", "5", "--by", "shanten,caller"], "--by: 2 bots given; allowed is one"),
        (["--worth", "5", "--by", "ws:alice"], "--by ws:alice: that seat waits for a client"),
        (["--worth", "4"], "--worth"),
    ],
)
def test_a_wish_for_a_worth_that_cannot_be_is_refused(jantaku: Jantaku, words: list[str], said: str) -> None:
    ran = jantaku("show", CLAIM, "--facts", *words)
    assert ran.code == 2 and said in ran.err and "Traceback" not in ran.err
