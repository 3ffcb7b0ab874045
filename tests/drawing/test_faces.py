"""The faces of players: alike on every page of the same players, and told apart on each."""

from hypothesis import given
from hypothesis import strategies as st

from jantaku.table.drawing.elements import marked
from jantaku.table.drawing.faces import COLOURS, SHAPES, FacedNames, colours_of, faces_of

NAMES = st.lists(st.text(), unique=True, max_size=40)


@given(NAMES, st.randoms())
def test_faces_do_not_depend_on_the_order_of_the_names(names: list[str], chance: object) -> None:
    shuffled = list(names)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert faces_of(names) == faces_of(shuffled)


@given(NAMES)
def test_no_two_players_have_one_face_and_up_to_eight_have_colours_of_their_own(names: list[str]) -> None:
    faces = list(faces_of(names).values())
    assert len(set(faces)) == min(len(names), COLOURS * SHAPES)
    if len(names) <= COLOURS:
        assert len({face.colour for face in faces}) == len(names)


def test_a_version_of_a_bot_has_the_colour_of_the_bot() -> None:
    assert colours_of(["mine@2"]) == colours_of(["mine@1"]) == colours_of(["mine"])


def test_one_game_of_many_players_has_the_colours_of_all_of_them() -> None:
    names = [f"student{number:02}" for number in range(20)]
    assert colours_of(names[:4], names) == colours_of(names)[:4]


def test_a_table_of_many_against_each_other_has_numbers_for_heads() -> None:
    names = [f"student{number:02}" for number in range(9)]
    columns, rows = FacedNames(names).crossed(names)
    assert columns[8] == marked("span", 9, title="student08")
    assert ">9. <" in rows[8] and "student08" in rows[8]
    few, sides = FacedNames(names).crossed(names[:8])
    assert "student07" in few[7] and few == sides
