"""A moment of a record as a picture: every tile of the table stands in it, and hidden hands lie face down."""

from pathlib import Path
from xml.etree import ElementTree

from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.view.moment import moment_of
from jantaku.table.records.view.riichi import SIDE, table_svg
from jantaku.table.riichi.pieces.board import Board
from tests.kit.command import Jantaku

SVG = "{http://www.w3.org/2000/svg}"


def test_every_tile_of_the_table_is_drawn_once(game_folder: Path) -> None:
    record = read_any(game_folder / "game-0000.jsonl").record
    for kyoku in range(1, len(record.log) + 1):
        moment = moment_of(record, kyoku, None)
        view = moment.data["views"][0]
        melds = [meld for of_seat in view["melds"] for meld in of_seat]
        hands = sum(sum(letter.isdigit() for letter in each["hand"].split(",")[0]) for each in moment.data["views"])
        shown = hands + sum(sum(letter.isdigit() for letter in meld) for meld in melds)
        shown += sum(map(len, view["rivers"])) + len(view["indicators"])
        drawn = [group.attrib["transform"] for group in ElementTree.fromstring(moment.svg).iter(f"{SVG}g")]
        flat = [move.endswith(")") and "scale" not in move and f" {SIDE // 2}" not in move for move in drawn]
        assert sum(flat) == shown
        assert moment._repr_svg_() == moment.svg


def test_a_hidden_hand_lies_face_down_and_names_are_text() -> None:
    board = Board()
    board.start(0, 0, 0, 0, (25000,) * 4, 4, (range(13), None, None, None))
    picture = table_svg(board, ("<b>", "&", "c\x1b\ud800", "d"), acting=0)
    assert "c\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}" in picture
    assert "&lt;b&gt;" in picture and "<b>" not in picture
    assert picture.count("#d9a441") == 3 * 13
    ElementTree.fromstring(picture)


def test_show_prints_a_picture_of_riichi_alone(jantaku: Jantaku, game_folder: Path) -> None:
    shown = jantaku("show", str(game_folder / "game-0000.jsonl"), "--turn", "5", "--svg")
    assert shown.code == 0 and ElementTree.fromstring(shown.out).tag == f"{SVG}svg"
