"""Programs held against the card: ours are clean in every dialect, and each seeded defect fails its own check."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.check.conform.client import ITEMS, Check, SpokenTo, examined, kept
from jantaku.table.ground.errors import BadInput
from jantaku.table.judge.timing import Clock
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.play.roster import Entrant, enlist
from jantaku.table.riichi.ruleset import preset
from scripts.environments import PYTHON
from tests.check.conform.programs import Program, entrant, sound
from tests.kit.command import Jantaku

CLOCK = Clock(turn=30, reaction=30)
RULES = preset("tenhou")
FEW = ("riichi", "unknown-fields", "unknown-messages")


def checks(one: Entrant, *items: str, hanchan: int = 1) -> dict[str, Check]:
    return {check.name: check for check in examined(SpokenTo(one, CLOCK), RULES, hanchan, items or FEW)}


def failed(found: dict[str, Check]) -> list[str]:
    return [name for name, check in found.items() if check.status == "failed"]


@pytest.mark.parametrize("dialect", list(DIALECTS))
def test_our_own_program_is_clean_in_every_dialect(dialect: str) -> None:
    found = checks(entrant(dialect))
    assert failed(found) == [], found
    assert found["riichi"].status == "passed"


def test_every_item_is_played() -> None:
    found = checks(entrant("mjai"), *ITEMS)
    assert failed(found) == [], found
    assert [found[item].status for item in ITEMS] == ["passed"] * len(ITEMS)


def spoiling(dialect: str, spoil: Callable[[dict[str, Any]], object]) -> Callable[[], Program]:
    """A sound program whose replies are changed."""

    def made() -> Program:
        program = sound(dialect)

        def spoiled(line: bytes) -> bytes:
            said = program(line)
            if not said:
                return said
            reply = json.loads(said)
            changed = spoil(reply)
            return json.dumps(reply if changed is None else changed).encode() + b"\n"

        return spoiled

    return made


def test_a_reply_that_lacks_what_is_needed_fails_with_the_line_and_what_the_card_says() -> None:
    found = checks(entrant("mjai", spoiling("mjai", lambda reply: reply.pop("pai", None) and None)), "riichi")
    assert failed(found) == ["riichi", "reply-dahai"]
    assert found["reply-dahai"].evidence[0].endswith(": it has no pai")
    assert any(line.startswith("← ") for line in found["riichi"].evidence)


def test_a_reply_that_no_card_knows_fails() -> None:
    found = checks(entrant("mjai", spoiling("mjai", lambda reply: {**reply, "type": "sing"})), "riichi")
    assert "replies" in failed(found)
    assert '"sing"' in found["replies"].evidence[0]


def test_a_program_that_repeats_no_number_is_noted() -> None:
    found = checks(entrant("majiang", spoiling("majiang", lambda reply: reply.pop("seq") and None)), "riichi")
    assert found["numbers"].status == "noted"
    assert failed(found) == []


def breaking_at(word: bytes) -> Callable[[], Program]:
    """A sound program that breaks where it hears a word."""

    def made() -> Program:
        program = sound("mjai")

        def strict(line: bytes) -> bytes:
            if word in line:
                raise BadInput("what is that?")
            return program(line)

        return strict

    return made


@pytest.mark.parametrize(("word", "item"), [(b'"shiny":{', "unknown-fields"), (b'"type":"shiny"', "unknown-messages")])
def test_a_program_that_bears_nothing_unknown_fails_that_check(word: bytes, item: str) -> None:
    found = checks(entrant("mjai", breaking_at(word)))
    assert failed(found) == [item]
    assert "what is that?" in "\n".join((found[item].about, *found[item].evidence))


def test_what_fails_without_anything_unknown_does_not_count_against_bearing_it() -> None:
    found = checks(entrant("mjai", breaking_at(b'"reach_accepted"')))
    assert failed(found) == ["riichi"]


def test_a_dialect_in_which_everything_is_replied_to_has_no_unknown_message() -> None:
    assert checks(entrant("mjsonp"), "unknown-messages")["unknown-messages"].status == "not reached"


def test_what_speaks_no_dialect_is_refused() -> None:
    (bot,) = enlist(["dice"])
    with pytest.raises(BadInput, match=r"dice speaks no dialect: .* `jantaku exam`"):
        SpokenTo(bot, CLOCK)


def test_the_record_has_every_line_by_check(tmp_path: Path) -> None:
    candidate = SpokenTo(entrant("majiang"), CLOCK)
    found = list(examined(candidate, RULES, 0, ("riichi",)))
    kept(tmp_path / "out", found, candidate.entries())
    report = json.loads((tmp_path / "out" / "report.json").read_bytes())
    lines = [json.loads(line) for line in (tmp_path / "out" / "transcript.jsonl").read_bytes().splitlines()]
    assert [one["name"] for one in report] == [check.name for check in found]
    assert {line["check"] for line in lines} == {"riichi"}
    assert lines[0]["by"] == "table" and lines[0]["line"].startswith('{"kaiju":')
    assert any(line["by"] == "player" for line in lines)


def test_the_command_takes_a_program_and_says_what_it_found(jantaku: Jantaku, tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    program.write_text('import sys\nfor line in sys.stdin:\n    print(\'{"type": "hora"}\', flush=True)\n')
    spec = f"exec:{PYTHON} {program}?dialect=mjai"
    ran = jantaku("conform", spec, "--item", "kyuushu", "--json", "--out", str(tmp_path / "out"))
    found = {one["name"]: one for one in map(json.loads, ran.out.splitlines())}
    assert ran.code == 1
    assert found["kyuushu"]["status"] == "failed"
    assert (tmp_path / "out" / "transcript.jsonl").is_file()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "give either a program or --card DIALECT"),
        (("dice", "--card", "mjai"), "give either a program or --card DIALECT"),
        (("dice",), "dice speaks no dialect"),
        (("--card", "mjay"), "did you mean mjai"),
        (("exec:true?dialect=mjai", "--item", "kan"), "is not ready"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(jantaku: Jantaku, words: tuple[str, ...], told: str) -> None:
    ran = jantaku("conform", *words)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert told in ran.err
