"""Fair play: who gives points away, signals or does not compete is found, and who is honest is left alone."""

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest

from jantaku.table.arena.match.fairness import fairness
from jantaku.table.arena.match.figures.summary import summary
from jantaku.table.arena.match.payments import Conduct, Dealings, TimedReaction, dealings_of, read_dealings
from scripts.fairplay import made_up, named_in
from tests.arena.match.matches import play_match, small_plan
from tests.kit.command import Jantaku


@pytest.mark.parametrize(("players", "hanchan"), [(4, 1500), (8, 2000)])
def test_a_pair_that_gives_away_one_hanchan_of_twenty_is_found_and_nobody_else(players: int, hanchan: int) -> None:
    found = fairness(made_up(np.random.default_rng(4), players, hanchan, given=(1, 2)))
    assert named_in(found) == "p1 to p2"
    (said,) = found.said
    assert said.startswith("p1 paid p2 by ron ") and "look at the records" in said
    assert found.giving[0].repeats > 1.5 * found.giving[0].repeats_expected and len(found.giving[0].worst) == 3


def test_honest_pools_are_left_alone() -> None:
    random = np.random.default_rng(5)
    pools = [made_up(random, int(random.integers(4, 9)), int(random.integers(300, 1000))) for _ in range(12)]
    assert [fairness(pool).said for pool in pools] == [()] * 12


def test_two_who_met_seldom_are_not_judged() -> None:
    found = fairness(made_up(np.random.default_rng(4), 4, 60, given=(1, 2), share=0.5))
    assert found.giving == () and found.said == ()
    assert found.open[0] == "who pays whom: that takes 4 players who met in 100 hanchan each"


def timed(signal: float) -> list[Dealings]:
    """Hanchan in which a discard takes longer before a call of whoever, and 1's before a call of 2's even more."""
    random = np.random.default_rng(6)
    found = []
    for number in range(400):
        reactions = []
        for _ in range(40):
            discarder, asked = random.permutation(4)[:2].tolist()
            called = bool(random.random() < 0.3)
            seconds = random.exponential() * (1 + 0.2 * called + signal * (called and (discarder, asked) == (1, 2)))
            reactions.append(TimedReaction(discarder, asked, (0, "z", 0), float(seconds), called))
        conduct = tuple(Conduct(1, 8, 2, 100, 0) for _ in range(4))
        found.append(Dealings(Path(str(number)), tuple("abcd"), ((0,) * 4,) * 4, conduct, tuple(reactions)))
    return found


def test_who_calls_what_another_discards_slowly_is_found_by_time() -> None:
    assert not fairness(timed(0.0)).said
    (said,) = fairness(timed(2.0)).said
    assert said.startswith("c calls the discards of b rather when they come slow")


def test_who_wins_hardly_ever_or_does_not_answer_does_not_compete() -> None:
    played = made_up(np.random.default_rng(5), 4, 120)
    weak = [
        msgspec.structs.replace(
            one,
            conduct=tuple(
                Conduct(1, 8, 0 if name == "p0" else 2, 100, 30 if name == "p1" else 0) for name in one.players
            ),
        )
        for one in played
    ]
    said = fairness(weak).said
    assert "p0 won 0.0% of its kyoku in 120 hanchan, where the others win 25.0%: it does not compete, whatever the" in (
        " ".join(said)
    )
    assert "p1 left 30.0% of its answers to the default in 120 hanchan: it did not play." in said and len(said) == 2


def test_dealings_are_those_of_the_record(tmp_path: Path) -> None:
    folder = tmp_path / "match"
    play_match(folder, small_plan(["caller", "shanten"], "tonpu", sets=1))
    played = list(read_dealings([folder]))
    assert len(played) == 4
    for one in played:
        content = one.path.read_bytes()
        line, times = summary(content, 0, "it")
        assert [own.wins for own in one.conduct] == [own.wins for own in line.counts]
        assert [own.answers for own in one.conduct] == [sum(own.counts.values()) for own in times.times]
        assert sum(map(sum, one.paid)) == sum(own.wins - own.tsumo for own in line.counts)
        assert one.reactions and all(reaction.discarder != reaction.asked for reaction in one.reactions)
        assert 0 < sum(reaction.called for reaction in one.reactions) <= content.count(b'"reply":{"fulou"')
        assert dealings_of(one.path, content[: content.rindex(b'{"jieju"')]) is None


def test_the_command_says_what_it_found_and_what_it_cannot_tell(jantaku: Jantaku, tmp_path: Path) -> None:
    play_match(tmp_path / "match", small_plan(["shanten", "tsumogiri", "dice", "caller"], format="seats", sets=8))
    ran = jantaku("fairplay", str(tmp_path / "match"))
    assert "Not told: who pays whom" in ran.out.replace("\n", " ") and "32 hanchan of 4 players" in ran.out
    told = json.loads(jantaku("fairplay", str(tmp_path / "match"), "--json").out)
    assert ran.code == (1 if told["said"] else 0) and told["hanchan"] == 32
    assert [player["name"] for player in told["competing"]] == ["shanten", "tsumogiri", "dice", "caller"]


def test_what_is_no_journal_is_refused_by_its_name(jantaku: Jantaku, tmp_path: Path) -> None:
    (tmp_path / "game-0000.jsonl").write_text("nothing\n")
    ran = jantaku("fairplay", str(tmp_path))
    assert ran.code == 2 and f"{tmp_path / 'game-0000.jsonl'}" in ran.err and ran.err.count("\n") == 1
