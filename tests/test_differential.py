"""The differential check: recorded games of others come out of our engine as they were, and what differs is found."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jantaku.table.ground.port import Choice
from jantaku.table.languages.facts import DrawFact, WinFact
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.pieces.melds import MeldKind, ankan, daiminkan, kakan, pon
from jantaku.table.riichi.pieces.tiles import TILE
from scripts import differential
from scripts.corpora import record as recorded
from scripts.corpora.comparing import menu
from scripts.corpora.following import follow
from scripts.corpora.record import NOTHING, Decision, GameRecord, KyokuRecord, Offer
from tests.kit.cases import cases
from tests.kit.games import (
    FILES,
    MAJIANG,
    RIICHIENV,
    SCRIPT,
    TENHOU,
    THREE,
    difference,
    ended,
    everything,
    first,
    lines,
    records,
    wins,
    with_deal,
    with_decision,
    with_fact,
    with_kyoku,
)

# --- games of others ---------------------------------------------------------------------------


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.partition(".")[0])
def test_recorded_games_come_out_as_they_were(file: Path) -> None:
    """Events, values, deltas, options where listed, starts of kyoku and the end: S-30 to S-132 at once."""
    assert records(file)
    assert [found for record in records(file) if (found := follow(record)[1])] == []


def test_a_menu_of_three_that_is_another_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """T-24: a north may be set aside at that moment, and the menus given apart say it may not."""
    game = next(line for line in lines(THREE) if "menus" in line)
    menus = game.pop("menus")
    (games := tmp_path / "games.jsonl").write_text(json.dumps(game), "utf-8")
    (apart := tmp_path / "menus.jsonl").write_text(json.dumps({"id": game["id"], "kyoku": menus}), "utf-8")
    assert differential.main([str(games), "--menus", str(apart)]) == 0
    count = sum(len(asked) for kyoku in menus for asked in kyoku.values())
    assert f"{count} menus 0 different" in capsys.readouterr().out
    asked = next(said for kyoku in menus for play in kyoku.values() for said in play.values() if "nukidora" in said)
    asked.remove("nukidora")
    apart.write_text(json.dumps({"id": game["id"], "kyoku": menus}), "utf-8")
    assert differential.main([str(games), "--menus", str(apart)]) == 1
    assert "may no more; got it may nukidora" in capsys.readouterr().out
    apart.write_text("[]", "utf-8")
    assert differential.main([str(games), "--menus", str(apart)]) == 2
    assert "no collection of menus" in capsys.readouterr().err


def test_a_menu_names_a_kakan_by_the_tile_that_is_added_and_an_ankan_by_its_kind() -> None:
    """A red five may be added to a pon of plain ones or be in it; all four of an ankan are laid down anyway."""
    plain, red = TILE["p5"], TILE["p0"]
    added, under = kakan(pon(plain, 1, plain, plain), red), kakan(pon(plain, 1, plain, red), plain)
    four = ankan(plain, plain, plain, red)
    for meld, word in ((added, "kakan:5pr"), (under, "kakan:5p"), (four, "ankan:5p")):
        assert menu(Choice((actions.Kan(meld), actions.PASS), actions.PASS)) == {word}
    claim = actions.Call(daiminkan(red, 1, plain, plain, plain))
    assert menu(Choice((claim, actions.PASS), actions.PASS)) == {"daiminkan"}


def on_kan(kyoku: KyokuRecord, kind: MeldKind) -> bool:
    last = next(fact for fact in reversed(kyoku.facts) if not isinstance(fact, WinFact))
    return bool(wins(kyoku)) and isinstance(last, events.OwnKan) and last.meld.kind == kind


def pao(kyoku: KyokuRecord, *, tsumo: bool) -> bool:
    return any(win.liable and (win.source is None) is tsumo for win in wins(kyoku))


def several_nagashi(_: GameRecord, kyoku: KyokuRecord) -> bool:
    end = kyoku.facts[-1]
    return isinstance(end, DrawFact) and end.reason == "nagashi" and sum(delta > 0 for delta in end.deltas or ()) > 1


def kan_in_a_row(_: GameRecord, kyoku: KyokuRecord) -> bool:
    pairs = zip(kyoku.facts, kyoku.facts[1:], strict=False)
    return any(isinstance(one, events.Draw) and one.rinshan and isinstance(two, events.OwnKan) for one, two in pairs)


def declared_tile_ronned(_: GameRecord, kyoku: KyokuRecord) -> bool:
    discards = [fact for fact in kyoku.facts if isinstance(fact, events.TileDiscard)]
    return bool(wins(kyoku)) and bool(discards) and discards[-1].riichi and wins(kyoku)[0].source == discards[-1].seat


def below_zero(record: GameRecord, _: KyokuRecord) -> bool:
    return record.rules.game.tobi and record.final is not None and min(record.final.scores) < 0


RARE: dict[str, Callable[[GameRecord, KyokuRecord], bool]] = {
    "double ron": lambda _, kyoku: len(wins(kyoku)) == 2,
    "triple ron": lambda _, kyoku: len(wins(kyoku)) == 3,
    "several win with honba or sticks on the table": lambda _, kyoku: (
        len(wins(kyoku)) > 1 and bool(kyoku.deal.honba or kyoku.deal.sticks)
    ),
    "robbed kakan": lambda _, kyoku: on_kan(kyoku, MeldKind.KAKAN),
    "ankan robbed by kokushi": lambda _, kyoku: on_kan(kyoku, MeldKind.ANKAN),
    "nagashi mangan": lambda _, kyoku: ended(kyoku, "nagashi"),
    "nagashi mangan of several": several_nagashi,
    "kyuushu": lambda _, kyoku: ended(kyoku, "kyuushu"),
    "suufon": lambda _, kyoku: ended(kyoku, "suufon"),
    "suucha": lambda _, kyoku: ended(kyoku, "suucha"),
    "suukan": lambda _, kyoku: ended(kyoku, "suukan"),
    "sanchahou": lambda _, kyoku: ended(kyoku, "sanchahou"),
    "pao ron": lambda _, kyoku: pao(kyoku, tsumo=False),
    "pao tsumo": lambda _, kyoku: pao(kyoku, tsumo=True),
    "yakuman at once": lambda _, kyoku: any((win.yakuman or 0) > 1 for win in wins(kyoku)),
    "kan after kan": kan_in_a_row,
    "riichi tile won on": declared_tile_ronned,
    "tobi": below_zero,
    "west entry": lambda record, kyoku: record.rules.game.length == "hanchan" and kyoku.number >= 8,
    "overtime of a tonpu": lambda record, kyoku: record.rules.game.length == "tonpu" and kyoku.number >= 4,
    "tenpai is declared": lambda record, kyoku: (
        record.rules.draw.declare_tenpai and any(decision.tenpai for decision in kyoku.decisions)
    ),
    "options are listed": lambda _, kyoku: any(
        isinstance(offer, Offer) and not offer.is_nothing
        for decision in kyoku.decisions
        for offer in decision.offers.values()
    ),
}


@pytest.mark.parametrize("event", RARE)
def test_the_recorded_games_show_rare_events(event: str) -> None:
    """Without this the excerpts could shrink until the test above says nothing."""
    assert any(RARE[event](record, kyoku) for record, kyoku in everything())


# --- what differs is found ---------------------------------------------------------------------

TAMPERED: dict[str, tuple[Callable[[], GameRecord], str]] = {
    "a draw": (lambda: with_fact(first(TENHOU), 0, 2, tile=TILE["z1"]), "seat 1 draws z1"),
    "a payment": (lambda: with_fact(first(TENHOU), 0, -1, deltas=(1, -1, 0, 0)), "deltas (1 -1 0 0)"),
    "the fu of a win": (lambda: with_fact(won(TENHOU), 0, -1, fu=70), "fu 70"),
    "the yaku of a win": (lambda: with_fact(won(TENHOU), 0, -1, yaku=frozenset()), "yaku {}"),
    "who shows his hand": (lambda: with_fact(drawn(), 0, -1, hands=(None,) * 4), "hands (None None None None)"),
    "honba": (lambda: with_deal(first(TENHOU), 1, honba=9), "honba 9"),
    "an indicator": (lambda: with_deal(first(TENHOU), 0, indicator=TILE["z7"]), "indicators z7"),
    "one more winner": (lambda: twice_won(), "wins; got the kyoku is over"),
    "final scores": (lambda: with_final(tenths=(0, 0, 0, 0)), "final tenths (0, 0, 0, 0)"),
    "ranks": (lambda: with_final(ranks=(4, 4, 4, 4)), "final ranks (4, 4, 4, 4)"),
    "a kyoku less": (lambda: shortened(), "the game is over; got it goes on"),
    "a kyoku more": (lambda: prolonged(), "kyoku; got the game is over after"),
}


def won(file: Path) -> GameRecord:
    """A game whose first kyoku is won, and not with a yakuman."""
    return next(
        record for record in records(file) if (found := wins(record.kyoku[0])) and len(found) == 1 and found[0].fu
    )


def drawn() -> GameRecord:
    """A single kyoku's worth of a game that begins with an exhaustive draw where somebody is tenpai."""
    for file in FILES:
        for record in records(file):
            end = record.kyoku[0].facts[-1]
            if isinstance(end, DrawFact) and end.reason == "exhaustive" and any(end.hands or ()):
                return record
    raise AssertionError("no such game")


def twice_won() -> GameRecord:
    game = won(TENHOU)
    return with_kyoku(game, 0, log=(*game.log[0], game.log[0][-1]))


def with_final(**changes: Any) -> GameRecord:
    game = first(MAJIANG)
    assert game.final is not None
    return msgspec.structs.replace(game, final=msgspec.structs.replace(game.final, **changes))


def shortened() -> GameRecord:
    return recorded.with_kyoku(first(TENHOU), first(TENHOU).kyoku[:-1])


def prolonged() -> GameRecord:
    return recorded.with_kyoku(first(TENHOU), [*first(TENHOU).kyoku, first(TENHOU).kyoku[0]])


@pytest.mark.parametrize("what", TAMPERED)
def test_a_record_that_was_tampered_with_is_found(what: str) -> None:
    tampered, expected = TAMPERED[what]
    assert expected in str(difference(tampered()))


def test_a_reply_that_is_not_offered_is_a_difference() -> None:
    found = difference(with_decision(first(TENHOU), 0, 0, replies={0: actions.TSUMO}))
    assert (found.kyoku, found.event) == (1, 1)
    assert "seat 0 does tsumo" in found.record


def test_a_claim_that_is_not_offered_is_a_difference() -> None:
    found = difference(with_decision(first(TENHOU), 0, 1, replies={1: actions.RON}))
    assert found.record == "seat 1 says ron"


def test_a_defect_of_the_engine_is_a_difference_and_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ValueError("no such seat")

    monkeypatch.setattr(RiichiGame, "act", fail)
    assert difference(first(TENHOU)).engine == "ValueError: no such seat"


def listed(seat_is_asked: bool) -> tuple[GameRecord, int, int, Decision, int]:
    """A game of majiang-core with options: kyoku, decision and seat of a reaction that was asked or was not."""
    for game in records(MAJIANG):
        for number, kyoku in enumerate(game.kyoku):
            plays = [
                fact
                for fact in kyoku.facts
                if isinstance(fact, events.Draw | events.TileDiscard | events.MeldCall | events.OwnKan)
            ]
            for place, (play, decision) in enumerate(zip(plays, kyoku.decisions, strict=True)):
                for seat, offer in decision.offers.items():
                    other = isinstance(play, events.TileDiscard) and seat != play.seat
                    if other and isinstance(offer, Offer) and offer.is_nothing is not seat_is_asked:
                        return game, number, place, decision, seat
    raise AssertionError("no such decision")


def test_an_option_that_the_source_does_not_list_is_a_difference() -> None:
    game, number, place, decision, seat = listed(seat_is_asked=True)
    nothing = {**decision.offers, seat: NOTHING}
    found = difference(with_decision(game, number, place, offers=nothing))
    assert found.record == f"seat {seat} may no more"
    assert found.kyoku == number + 1


def test_an_option_that_the_engine_does_not_offer_is_a_difference() -> None:
    game, number, place, decision, seat = listed(seat_is_asked=False)
    asked = {**decision.offers, seat: Offer(frozenset({actions.RON}))}
    found = difference(with_decision(game, number, place, offers=asked))
    assert found.record == f"seat {seat} may ron"


def test_a_seat_that_was_asked_elsewhere_and_not_here_is_a_difference() -> None:
    game, number, place, decision, seat = listed(seat_is_asked=False)
    found = difference(with_decision(game, number, place, offers={**decision.offers, seat: None}))
    assert found.record == f"seat {seat} is asked"


def test_who_may_declare_tenpai_is_compared() -> None:
    """S-38: with the rule that tenpai must be declared, exactly the tenpai seats that are not in riichi may."""
    for game in records(MAJIANG):
        for number, kyoku in enumerate(game.kyoku):
            place = len(kyoku.decisions) - 1
            if kyoku.decisions[place].may_declare and ended(kyoku, "exhaustive"):
                found = difference(with_decision(game, number, place, may_declare=frozenset({0, 1, 2, 3})))
                assert found.record == "seats [0, 1, 2, 3] may declare tenpai"
                return
    raise AssertionError("no such kyoku")


# --- the command -------------------------------------------------------------------------------


def run(*files: Path, every: bool = False) -> int:
    return differential.main([str(file) for file in files] + ["--all"] * every)


def written(folder: Path, some: Iterable[dict[str, Any]]) -> Path:
    file = folder / "games.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in some), encoding="utf-8")
    return file


def wrong(line: dict[str, Any]) -> dict[str, Any]:
    start = line["xml"].index('owari="') + len('owari="')
    return {**line, "xml": line["xml"][:start] + "1" + line["xml"][start:]}


def test_identical_games_end_with_zero(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(RIICHIENV, SCRIPT) == 0
    out, err = capsys.readouterr()
    said = out.splitlines()
    assert err == "", "nobody watches, so how far it is is not told"
    assert said[0] == f"{RIICHIENV}  10 games  27 kyoku  10 identical"
    assert said[-1] == "TOTAL 15 games 75 kyoku 0 different"


def test_a_different_game_ends_with_one_and_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two, *_ = lines(TENHOU)
    assert run(written(tmp_path, [wrong(one), two, wrong(two)])) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].endswith("1 identical")
    assert said[1].startswith(f"    {one['id']} kyoku ")
    assert "expected final scores" in said[1]
    assert len(said) == 3
    assert said[-1].endswith("2 different")


def test_every_difference_is_told_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two, *_ = lines(TENHOU)
    assert run(written(tmp_path, [wrong(one), wrong(two)]), every=True) == 1
    assert len(capsys.readouterr().out.splitlines()) == 4


@cases(
    "content, told",
    ("no json\n", "line 1"),
    ("{}\n", "unknown keys"),
    ('{"id": "x", "xml": "<GO/>", "walls": []}\n', "line 1"),
    ("[]\n", "line 1"),
)
def test_another_file_is_refused(content: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "other.jsonl"
    file.write_text(content)
    assert run(file) == 2
    said = capsys.readouterr()
    assert str(file) in said.err
    assert told in said.err
    assert "TOTAL" not in said.out


def test_a_broken_gzip_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "half.jsonl.gz"
    file.write_bytes(TENHOU.read_bytes()[:5000])
    assert run(file) == 2
    assert f"{file}: broken after line" in capsys.readouterr().err


def test_a_missing_file_is_told_before_anything_is_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(RIICHIENV, tmp_path / "none.jsonl") == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert f"{tmp_path / 'none.jsonl'}: there is no such file" in said.err


@pytest.mark.parametrize("check", ["custom_lobby", "old_rule", "truncated"])
def test_a_log_that_proves_nothing_is_counted(check: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = {**lines(TENHOU)[0], "check": check}
    assert run(written(tmp_path, [line, lines(TENHOU)[0]])) == 0
    assert "1 games" in (said := capsys.readouterr().out)
    assert "1 skipped" in said
