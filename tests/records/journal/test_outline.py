"""What a notebook shows of a record: every kyoku, what strangers wrote as text, and no more than the record says."""

import re
from html import unescape
from itertools import pairwise
from pathlib import Path

import msgspec

from jantaku.table.drawing.faces import faces_of
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.outcomes import outcomes
from jantaku.table.riichi.pieces.seats import player_of


def rows(html: str) -> list[list[str]]:
    return [
        [unescape(re.sub("<[^>]*>", "", cell)) for cell in re.findall("<t[hd].*?</t[hd]>", row)]
        for row in re.findall("<tr>.*?</tr>", html)
    ]


def test_every_kyoku_has_the_points_at_its_deal_and_says_how_it_ended(record: Record) -> None:
    heads, *kyoku, end = rows(record._repr_html_())
    assert heads == ["kyoku", *record.names, "how it ended"] and len(kyoku) == len(record.log)
    points = [[int(cell.replace(",", "")) for cell in row[1:5]] for row in kyoku]
    assert record.final is not None and record.final.ranks is not None
    assert end[1:5] == [f"{s:,}{r}." for s, r in zip(record.final.scores, record.final.ranks, strict=True)]
    for (before, now), outcome, facts, row in zip(pairwise(points), outcomes(record), record.log, kyoku, strict=False):
        assert outcome is not None
        dealer = facts[0].dealer  # type: ignore[union-attr]
        for seat, gain in enumerate(outcome.gains):
            player = player_of(seat, dealer)
            assert now[player] - before[player] == gain
        for seat in outcome.winners:
            assert f"{record.names[player_of(seat, dealer)]}: {outcome.ended}" in row[5]


def test_what_strangers_wrote_is_text_and_players_have_their_faces(record: Record) -> None:
    names = ("<b>x", *record.names[1:])
    html = msgspec.structs.replace(record, names=names, title="</style><script>")._repr_html_()
    assert "<b>" not in html and "<script" not in html and html.count("</style>") == 1
    assert all(f'class="face {face.classes}"' in html for face in faces_of(names).values())


def test_a_record_of_three_that_breaks_off_is_shown_so_far(record: Record) -> None:
    html = msgspec.structs.replace(record, final=None, log=[record.log[0][:5]])._repr_html_()
    assert rows(html)[-1][-1] == "not at all" and "end" not in html.split("<tbody>")[1]


def test_what_read_any_returns_is_shown_with_its_notes(game_folder: Path) -> None:
    read = read_any(game_folder / "game-0000.json")
    assert msgspec.structs.replace(read, notes=["<i>noted"])._repr_html_().endswith("<p>&lt;i&gt;noted</p></div>")
