"""`jantaku bots`: every player that is installed, even where one of them cannot be loaded."""

import sys
from importlib.metadata import EntryPoint, EntryPoints

import pytest
from click.testing import CliRunner

from jantaku.table.cli.commands import bots
from jantaku.table.ground.installation import pip_install
from tests.kit.cases import kept_cases

OURS = {
    "tsumogiri": "jantaku.players.bots.tsumogiri:Tsumogiri",
    "shanten": "jantaku.players.bots.shanten:Shanten",
}


def listed(monkeypatch: pytest.MonkeyPatch, **installed: str) -> list[str]:
    """What the command prints when these are the entry points."""

    def entry_points(*, group: str) -> EntryPoints:
        return EntryPoints(EntryPoint(name, value, group) for name, value in installed.items())

    monkeypatch.setattr(bots, "entry_points", entry_points)
    ran = CliRunner().invoke(bots.command, [])
    assert (ran.exit_code, ran.exception) == (0, None)
    return ran.output.splitlines()


def test_every_bot_is_listed_by_name_with_what_it_says_of_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = listed(monkeypatch, **OURS)
    assert first.startswith("shanten: Lowers its shanten by the widest ukeire")
    assert first.endswith("(jantaku.players.bots.shanten:Shanten)")
    assert second.startswith("tsumogiri: Discards what it draws")


def test_bots_of_another_game_and_faulty_ones_stand_under_their_own_headings(monkeypatch: pytest.MonkeyPatch) -> None:
    others = {
        "crash": "jantaku.players.broken.crash:Crash",
        "daifugo-weakest": "jantaku.table.daifugo.players:DaifugoWeakest",
    }
    lines = [line.partition(":")[0] for line in listed(monkeypatch, **others, **OURS)]
    assert lines == [
        *("shanten", "tsumogiri", "", "大富豪 (jantaku play --game daifugo)", "daifugo-weakest", ""),
        *("faulty on purpose; seat one to see what the table does with such a bot", "crash"),
    ]


def test_a_bot_that_needs_an_extra_says_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    monkeypatch.delitem(sys.modules, "jantaku.table.learn.nets", raising=False)
    (line,) = listed(monkeypatch, student="jantaku.table.learn.nets:Student")
    need = f"observations for nets need numpy, which is not installed: {pip_install('learn')}"
    assert line == f"student: {need} (jantaku.table.learn.nets:Student)"


class Wordy:
    """Thinks twice, and then
    discards.

    No list has room for this.
    """

    def answer(self, question: object) -> None: ...


def test_what_a_bot_says_of_itself_is_not_cut_where_its_line_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    place = f"{__name__}:{Wordy.__name__}"
    assert listed(monkeypatch, wordy=place) == [f"wordy: Thinks twice, and then discards. ({place})"]


@kept_cases("value, reason")
def test_a_bot_that_does_not_load_says_why_hides_no_other(
    monkeypatch: pytest.MonkeyPatch, value: str, reason: str
) -> None:
    lines = listed(monkeypatch, **OURS, bad=value)
    assert lines[0].startswith(f"bad: {reason}")
    assert len(lines) == 3


def test_without_any_bot_it_says_how_to_get_some(monkeypatch: pytest.MonkeyPatch) -> None:
    (line,) = listed(monkeypatch)
    assert "jantaku.players" in line
    assert pip_install() in line
