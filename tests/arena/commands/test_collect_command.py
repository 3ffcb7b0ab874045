"""`jantaku collect`: parts of a match become what one machine would have written, or nothing is written."""

import random
from pathlib import Path

import pytest

from jantaku.table.arena.match.records import plan_in
from jantaku.table.play.parts import PartFile, PartOf
from tests.arena.match.matches import contents, cut, cut_all, tree
from tests.kit.cases import cases
from tests.kit.command import Jantaku

SETS = 6
FORMATS = {
    "1v3": ("--format", "1v3", "--players", "dice,tsumogiri"),
    "seats": ("--players", "dice,tsumogiri,caller,shanten"),
    "gauntlet": ("--format", "gauntlet", "--players", "dice,tsumogiri,caller,shanten,allround"),
}
QUICK = ("--length", "one", "--workers", "0", "--threads", "inline", "--seed", "5", "--sets", str(SETS), "--quiet")


@pytest.fixture
def whole(jantaku: Jantaku, tmp_path: Path) -> Path:
    """A match that one machine has played."""
    assert jantaku("match", *FORMATS["1v3"], *QUICK, "--out", str(tmp_path / "whole")).code == 0
    return tmp_path / "whole"


@pytest.mark.parametrize("form", FORMATS)
def test_parts_played_apart_become_the_match_of_one_machine(jantaku: Jantaku, tmp_path: Path, form: str) -> None:
    words = ("match", *FORMATS[form], *QUICK)
    assert jantaku(*words, "--out", str(tmp_path / "whole")).code == 0
    parts = [str(tmp_path / f"part-{number}") for number in range(1, 5)]
    for number, part in enumerate(parts, 1):
        assert jantaku(*words, "--part", f"{number}/4", "--out", part).code == 0
    random.Random(1).shuffle(parts)
    ran = jantaku("collect", *parts, "--out", str(tmp_path / "match"), "--quiet")
    assert (ran.code, ran.err) == (0, "")
    assert contents(tmp_path / "match") == contents(tmp_path / "whole")


def test_parts_cut_out_of_a_match_become_that_match_byte_by_byte(jantaku: Jantaku, tmp_path: Path, whole: Path) -> None:
    parts = [str(part) for part in cut_all(whole, tmp_path, 4, SETS)]
    assert jantaku("collect", *reversed(parts), "--out", str(tmp_path / "match"), "--quiet").code == 0
    assert tree(tmp_path / "match") == tree(whole)


def test_what_is_missing_is_named_with_the_command_that_plays_it(jantaku: Jantaku, tmp_path: Path, whole: Path) -> None:
    first, second, *_ = (str(part) for part in cut_all(whole, tmp_path, 3, SETS))
    ran = jantaku("collect", first, second, "--out", str(tmp_path / "match"))
    assert ran.code == 3 and not (tmp_path / "match").exists()
    assert "4 sets of 6 are finished" in ran.out
    command = ran.err.strip().partition("part 3/3 is missing: ")[2].split()
    command[-1] = str(tmp_path / "part-3-again")
    assert jantaku(*command[1:], "--workers", "0").code == 0
    again = ("collect", first, second, command[-1], "--out", str(tmp_path / "match"))
    assert jantaku(*again).code == 0
    assert contents(tmp_path / "match") == contents(whole)


def played(jantaku: Jantaku, folder: Path, of: int, *words: str) -> list[str]:
    """Play all parts; return their folders."""
    parts = [str(folder / f"part-{number}") for number in range(1, of + 1)]
    for number, part in enumerate(parts, 1):
        ran = jantaku(*words, "--part", f"{number}/{of}", "--out", part)
        assert (ran.code, ran.err) == (0, ""), ran
    return parts


def test_the_parts_of_a_gate_give_its_verdict_and_end_where_it_would_end(jantaku: Jantaku, tmp_path: Path) -> None:
    words = ("gate", "dice", "shanten", *QUICK[:-3], "--sets", "30", "--quiet")
    whole = jantaku(*words, "--out", str(tmp_path / "whole"), "--summary", str(tmp_path / "whole.md"))
    parts = played(jantaku, tmp_path, 3, *words)
    summary = tmp_path / "match.md"
    ran = jantaku("collect", *parts, "--out", str(tmp_path / "match"), "--summary", str(summary))
    assert ran.code == whole.code == 1 and "enough: stop the jobs: SPRT accepts H0" in ran.out
    assert contents(tmp_path / "match") == contents(tmp_path / "whole")
    assert summary.read_text("utf-8") == (tmp_path / "whole.md").read_text("utf-8")


def test_a_match_of_parts_ends_by_the_rule_given_to_collect(jantaku: Jantaku, tmp_path: Path, whole: Path) -> None:
    words = (*FORMATS["1v3"], *QUICK[:-3], "--sets", "60", "--quiet")
    stop = ("--sprt", "rank0=2.5,rank1=3.5")
    assert jantaku("match", *words, *stop, "--out", str(tmp_path / "ended")).code == 0
    parts = played(jantaku, tmp_path, 2, "match", *words)
    ran = jantaku("collect", *parts, *stop, "--out", str(tmp_path / "match"))
    assert ran.code == 0 and "enough: stop the jobs: " in ran.out
    assert contents(tmp_path / "match") == contents(tmp_path / "ended")
    assert jantaku("collect", str(whole), "--until", "fast").err.startswith("jantaku: --until fast: allowed is ci=")


def test_the_forks_of_a_comparison_are_played_in_parts(jantaku: Jantaku, tmp_path: Path) -> None:
    words = ("compare", "tsumogiri", "caller", *QUICK[:-3], "--hanchan", "4", "--confirm", "never", "--quiet")
    assert jantaku(*words, "--out", str(tmp_path / "whole")).code == 0
    parts = played(jantaku, tmp_path, 2, *words)
    assert jantaku("collect", *parts, "--out", str(tmp_path / "all"), "--quiet").code == 0
    for name in ("compare.json", "forks.jsonl", "decisions.jsonl", "results.json", "report.html"):
        assert (tmp_path / "all" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert contents(tmp_path / "all" / "baseline") == contents(tmp_path / "whole" / "baseline")
    forks = tmp_path / "part-1" / "forks.jsonl"
    forks.write_bytes(forks.read_bytes().replace(b'"asked":', b'"asked":1', 1))
    ran = jantaku("collect", *parts, "--out", str(tmp_path / "again"))
    assert ran.code == 2 and "forks.jsonl: has changed since the part was over" in ran.err


def test_a_tournament_is_played_in_parts_round_by_round(jantaku: Jantaku, tmp_path: Path) -> None:
    players = "dice,tsumogiri,caller,shanten,dice?name=b,tsumogiri?name=c,caller?name=d,shanten?name=e"
    words = ("tournament", "--players", players, "--rounds", "2", *QUICK[:-3], "--quiet")
    assert jantaku(*words, "--out", str(tmp_path / "whole")).code == 0
    first = played(jantaku, tmp_path / "1", 2, *words)
    alone = jantaku("collect", first[0], "--out", str(tmp_path / "one"))
    assert alone.code == 3 and "part 2/2 is missing: give its command with --part 2/2" in alone.err
    ran = jantaku("collect", *first, "--out", str(tmp_path / "one"))
    assert ran.code == 0 and "1 of 2 rounds are finished; next: --part I/N --after " in ran.out
    second = played(jantaku, tmp_path / "2", 2, *words, "--after", str(tmp_path / "one"))
    assert jantaku("collect", str(tmp_path / "one"), *second, "--out", str(tmp_path / "all")).code == 0
    names = ("tournament.json", "journal.jsonl", "games.sqlite", "results.json")
    assert all((tmp_path / "all" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes() for name in names)


@pytest.mark.parametrize("seed", [(), ("--seed", "3")])
def test_samples_are_read_in_parts(jantaku: Jantaku, tmp_path: Path, whole: Path, seed: tuple[str, ...]) -> None:
    pytest.importorskip("numpy")
    words = ("samples", str(whole / "records"))
    rows = ("--rows", "200", *seed)
    assert jantaku(*words, str(tmp_path / "samples"), *rows).code == 0
    parts = [str(tmp_path / f"part-{number}") for number in (1, 2, 3)]
    for number, part in enumerate(parts, 1):
        for _ in range(2):  # what is there stays
            assert jantaku(*words, part, *rows, "--part", f"{number}/3").code == 0
    assert jantaku("collect", *parts[1:]).code == 3
    assert jantaku("collect", *parts, "--out", str(tmp_path / "all")).code == 0
    assert tree(tmp_path / "all") == tree(tmp_path / "samples")


ASKED = ("match", *FORMATS["1v3"], *QUICK)
NO_SEED = tuple(word for word in ASKED if word not in ("--seed", "5"))


@cases(
    "words, why",
    ((*ASKED, "--part", "0/4"), "0/4 is not a part; allowed are 1/N to N/N"),
    ((*ASKED, "--part", "5/4"), "5/4 is not a part"),
    ((*ASKED, "--part", "half"), "half is not a part"),
    ((*ASKED, "--part", "1/7"), "--part 1/7: there are only 6 wall sets; make at most 6 parts"),
    ((*NO_SEED, "--part", "1/4"), "--part 1/4: all parts need the same seed: give --seed"),
    ((*ASKED, "--part", "1/4", "--until", "ci=0.1"), "give --until or --sprt to jantaku collect"),
    ((*ASKED, "--part", "1/4", "--sprt"), "when a match ends early is decided by all parts together"),
    (("compare", "dice", "caller", *QUICK[:-3], "--part", "1/4"), "give --confirm never"),
    (("compare", "dice", "caller", *QUICK[:-3], "--part", "1/4", "--until", "decided"), "give --hanchan N"),
)
def test_what_a_part_cannot_be_is_one_line(jantaku: Jantaku, tmp_path: Path, words: tuple[str, ...], why: str) -> None:
    ran = jantaku(*words, "--out", str(tmp_path / "part"))
    assert ran.code == 2 and why in ran.err and ran.err.count("\n") == 1, ran.err
    assert not (tmp_path / "part").exists()


def test_a_part_that_is_begun_again_goes_on_and_is_never_another(jantaku: Jantaku, tmp_path: Path, whole: Path) -> None:
    part, other = str(tmp_path / "part"), ("match", *FORMATS["1v3"], *QUICK[:-3], "--sets", "7")
    assert jantaku(*ASKED, "--part", "1/3", "--out", part).code == 0
    before = tree(Path(part))
    assert jantaku(*ASKED, "--part", "1/3", "--out", part).code == 0
    after = tree(Path(part))
    del before["part.json"], after["part.json"], before["timing.json"], after["timing.json"]
    assert before == after
    assert "holds part 1/3 of 6, not 2/3 of 6" in jantaku(*ASKED, "--part", "2/3", "--out", part).err
    assert "holds another match: sets: 6 there, 7 here" in jantaku(*other, "--part", "1/3", "--out", part).err
    assert "holds a whole match, not a part of one" in jantaku(*ASKED, "--part", "1/3", "--out", str(whole)).err


def test_what_cannot_be_collected_is_refused_in_a_line(jantaku: Jantaku, tmp_path: Path, whole: Path) -> None:
    first, *_ = parts = [str(part) for part in cut_all(whole, tmp_path, 2, SETS)]
    (tmp_path / "empty").mkdir()
    for words, why in {
        (first, str(tmp_path / "empty")): "empty: is not a part: it holds none of compare.json, match.json",
        (first, str(tmp_path / "nowhere")): "nowhere: there is no such folder",
        (*parts, "--out", str(whole)): "exists already; name a new folder",
    }.items():
        ran = jantaku("collect", *words)
        assert ran.code == 2 and why in ran.err and ran.err.count("\n") == 1, ran.err


def test_a_part_being_played_counts_as_far_as_its_sets_are_over(jantaku: Jantaku, tmp_path: Path, whole: Path) -> None:
    first, second = cut_all(whole, tmp_path, 2, SETS)
    plan = plan_in(second)
    (second / "match.json").write_bytes(plan.sealed())
    for path in (second / "records").glob("game-0023.*"):  # of the last set, which is not over
        path.unlink()
    ran = jantaku("collect", str(first), str(second), "--out", str(tmp_path / "match"))
    assert (
        ran.code == 3
        and "part 2/2 is not finished, sets to play: 1" in ran.err
        and "5 sets of 6 are finished" in ran.out
    )


def test_ten_thousand_missing_parts_are_named_in_a_few_lines(jantaku: Jantaku, tmp_path: Path, whole: Path) -> None:
    part = cut(whole, tmp_path / "part", PartOf(1, SETS), SETS)
    PartFile(1, 10_000, SETS).write(part)
    ran = jantaku("collect", str(part))
    assert ran.code == 3 and ran.err.count("\n") == 5
