"""The plan of a match: what its digest says, and its formats and seatings, in which everybody meets the same walls."""

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from jantaku.table.arena.match.formats import Format, Seatings, check_pool, seatings_of, set_size
from jantaku.table.arena.match.matchfile import read
from jantaku.table.arena.match.plan import MatchPlan, plan_of
from jantaku.table.arena.match.processes import Processes
from jantaku.table.arena.match.records import places_in
from jantaku.table.arena.match.store import refuse_other
from jantaku.table.ground.errors import BadInput
from tests.arena.match.matches import contents, play_match, small_plan
from tests.kit.cases import cases, kept_cases

PICKS = "tests.arena.match.bots:Picks"


def plan_from(folder: Path, text: str) -> MatchPlan:
    (folder / "match.toml").write_text(f'[match]\nformat = "1v3"\nsets = 3\nseed = 5\n{text}')
    plan = plan_of(read(str(folder / "match.toml"), {}))
    return msgspec.structs.replace(plan, version="1", fingerprints=("", ""))


def players(args: str = "") -> str:
    first = '[[player]]\nbot = "dice"\nname = "a"\nisolate = "process"\nenv = { X = "1" }\n'
    return f'{first}{args}[[player]]\nbot = "tsumogiri"\n'


def test_a_plan_without_arguments_has_the_digest_of_before_there_were_any(tmp_path: Path) -> None:
    plan = plan_from(tmp_path, f"[clock]\nstart = 10\n{players()}")
    assert plan.digest == "f8f7de4006689427"
    assert b"args" not in plan.encoded()


def test_arguments_are_part_of_the_digest_in_whatever_order_they_stand(tmp_path: Path) -> None:
    words = ("a = 1, b = 2", "b = 2, a = 1", "a = 1, b = 3")
    one, same, other = (plan_from(tmp_path, players(f"args = {{ {args} }}\n")) for args in words)
    assert one.digest == same.digest != other.digest
    assert msgspec.json.decode(one.encoded(), type=MatchPlan) == one


def test_workers_make_bots_with_their_arguments(tmp_path: Path) -> None:
    plan = small_plan([f"{PICKS}?arg.number=3", "dice"])
    play_match(tmp_path / "here", plan)
    play_match(tmp_path / "workers", plan, Processes(plan, places_in(tmp_path / "workers", plan), 2))
    assert contents(tmp_path / "workers") == contents(tmp_path / "here")
    other = small_plan([PICKS, "dice"])
    play_match(tmp_path / "other", other)
    records = {name for name in contents(tmp_path / "here") if name.startswith("records")}
    assert records and all(contents(tmp_path / "other")[name] != contents(tmp_path / "here")[name] for name in records)


def test_a_match_goes_on_only_with_the_arguments_that_it_began_with(tmp_path: Path) -> None:
    plan = small_plan([f"{PICKS}?arg.number=3&name=new", "dice"])
    play_match(tmp_path / "match", plan)
    refuse_other(tmp_path / "match", plan)
    with pytest.raises(BadInput, match=r"Picks\?arg\.number=3&name=new.* there, .*Picks\?arg\.number=4"):
        refuse_other(tmp_path / "match", small_plan([f"{PICKS}?arg.number=4&name=new", "dice"]))


def test_a_challenger_and_a_champion_of_one_name_are_told_apart(tmp_path: Path) -> None:
    plan = small_plan([f"{PICKS}?isolate=process&cwd=tests&name=Picks", PICKS])
    assert plan.sides == f"challenger Picks-1 ({PICKS}?cwd=tests) against champion Picks-2 ({PICKS})"
    plan = small_plan([f"{PICKS}?arg.number=3", f"{PICKS}?isolate=process&env.PYTHONPATH=old&env.KEY=x"])
    assert plan.sides == (
        f"challenger Picks(3) ({PICKS}?arg.number=3) against champion Picks ({PICKS}?env.PYTHONPATH=old)"
    )
    assert small_plan(["dice", "caller", "shanten", "tsumogiri"], format="seats").sides == ""


@kept_cases("form, players, choice, games")
def test_a_set_has_as_many_games_as_its_format_asks(form: Format, players: int, choice: Seatings, games: int) -> None:
    assert set_size(form, players, choice) == games
    assert len(set(seatings_of(form, players, choice, 1, 0))) == games


@cases("form, players", ("seats", 4), ("1v3", 2), ("2v2", 2), ("round-robin", 6), ("gauntlet", 5))
def test_in_a_set_every_player_sits_equally_often_on_every_place(form: Format, players: int) -> None:
    seatings = seatings_of(form, players, "rotated", 1, 0)
    for player in range(players):
        places = Counter(place for seating in seatings for place, sits in enumerate(seating) if sits == player)
        assert len(places) == 4 and len(set(places.values())) == 1


def test_in_a_round_robin_every_two_players_meet_equally_often() -> None:
    meetings = Counter(
        (a, b) for seating in seatings_of("round-robin", 6, "rotated", 1, 0) for a in seating for b in seating if a < b
    )
    assert len(meetings) == 15 and len(set(meetings.values())) == 1


def test_the_gauntlet_is_run_by_the_first_player() -> None:
    assert all(0 in seating for seating in seatings_of("gauntlet", 6, "all", 1, 0))


def test_single_seatings_differ_from_set_to_set_and_not_from_run_to_run() -> None:
    drawn = [seatings_of("1v3", 2, "one", 7, number)[0] for number in range(200)]
    assert drawn == [seatings_of("1v3", 2, "one", 7, number)[0] for number in range(200)]
    challenger = Counter(seating.index(0) for seating in drawn)
    assert all(30 <= challenger[place] <= 70 for place in range(4))


@cases(
    "form, players, words",
    ("seats", ["a", "b", "c"], "needs 4; given are 3: a, b, c"),
    ("round-robin", ["a", "b", "c"], "needs a pool of 4 or more; given are 3"),
    ("gauntlet", [], "needs a pool of 4 or more; given are 0: none"),
    ("1v3", ["a", "b", "c"], "needs 2, challenger and champion; given are 3"),
    ("2v2", ["a"], "needs 2, challenger and champion; given are 1"),
)
def test_a_pool_of_the_wrong_size_is_refused(form: Format, players: list[str], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        check_pool(form, players)
