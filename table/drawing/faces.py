"""Faces of players on pages and in plots: a colour each, and with many players a shape."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple
from zlib import crc32

from jantaku.table.drawing.elements import Markup, cell, marked, name_of

COLOURS: Final = 8
"""The classes `c0` to `c7` of the style sheet."""
SHAPES: Final = 3
"""Round, and the classes `k1` and `k2`: square and on a corner; in plots a whole line, dashes and dots."""


class Face(NamedTuple):
    """The numbers of a player's colour and shape."""

    colour: int
    shape: int

    @property
    def classes(self) -> str:
        """The classes of an element in this colour and shape."""
        return f"c{self.colour}" + (f" k{self.shape}" if self.shape else "")


def faces_of(names: Iterable[str]) -> Mapping[str, Face]:
    """Give each player its face, which depends on the names alone: so it is the same on every page of these players. A
    name has a colour of its own, and takes the next that is free if another name has it; versions of a bot (`NAME@2`)
    begin at the same colour. From the ninth player on shapes differ, from the 25th on faces repeat."""
    found: dict[str, Face] = {}
    free = set[Face]()
    for name in sorted(set(names)):
        free = free or {Face(colour, shape) for colour in range(COLOURS) for shape in range(SHAPES)}
        first = crc32(name.partition("@")[0].encode(errors="surrogatepass"))
        wanted = (Face((first + step) % COLOURS, shape) for shape in range(SHAPES) for step in range(COLOURS))
        found[name] = next(face for face in wanted if face in free)
        free.discard(found[name])
    return found


def colours_of(names: Sequence[str], beside: Iterable[str] = ()) -> list[int]:
    """Return the number of each one's colour, on a page that names those `beside` them as well."""
    faces = faces_of([*names, *beside])
    return [faces[name].colour for name in names]


class FacedNames:
    """Names of these players as HTML, with their faces."""

    def __init__(self, names: Iterable[str]) -> None:
        self._faces = faces_of(names)

    def whole(self, name: str) -> Markup:
        """Make a name with its face; it breaks where there is no room."""
        return Markup(self._face(name) + cell(name))

    def short(self, name: str) -> Markup:
        """Make a name with its face; it is cut where there is no room."""
        return Markup(self._face(name) + name_of(name))

    def placed(self, place: int, name: str) -> Markup:
        """Make a name with its face and its place before them."""
        return marked("span", Markup(f"{place}. {self.short(name)}"), class_="kept")

    def crossed(self, names: Sequence[str]) -> tuple[list[Markup], list[Markup]]:
        """Make the heads of the columns and of the rows of a table of each of them against each; of many players the
        columns have the numbers of the rows."""
        sides = [self.short(name) for name in names]
        if len(names) <= COLOURS:
            return sides, sides
        columns = [marked("span", number, title=name) for number, name in enumerate(names, 1)]
        return columns, [self.placed(number, name) for number, name in enumerate(names, 1)]

    def _face(self, name: str) -> Markup:
        return marked("span", "", class_=f"face {self._faces[name].classes}", aria_hidden="true")
