"""The plan of a match: what its digest says, and what it says of its players."""

from pathlib import Path

import msgspec
import pytest

from jantaku.table.arena.match.matchfile import read
from jantaku.table.arena.match.plan import MatchPlan, plan_of
from jantaku.table.arena.match.processes import Processes
from jantaku.table.arena.match.records import places_in
from jantaku.table.arena.match.store import refuse_other
from jantaku.table.ground.errors import BadInput
from tests.arena.match.matches import contents, play_match, small_plan

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
