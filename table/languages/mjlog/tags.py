"""The tags of a Tenhou log (mjlog), an XML file: safely read, also as far as a broken file goes."""

import re
from collections.abc import Mapping
from typing import NamedTuple
from xml.etree import ElementTree

from jantaku.table.ground.errors import BadInput

_NAME = re.compile(r"([A-Za-z]+)(\d{1,3})?")
_NUMBER = re.compile(r"-?\d{1,9}")
_REFUSED = ("<!DOCTYPE", "<!ENTITY")
_MOST = 100_000
"""The most tags of a log; a hanchan has some 1,500."""


class Tag(NamedTuple):
    """One tag: `<D39/>` has the name D and the number 39."""

    name: str
    number: int | None
    attributes: Mapping[str, str]

    def ints(self, name: str) -> list[int]:
        """Return a comma-separated attribute; empty if it is missing. Raises BadInput for other text."""
        text = self.attributes.get(name)
        parts = text.split(",") if text else []
        for part in parts:
            if not _NUMBER.fullmatch(part):
                raise BadInput(f"<{self.name}> {name}: “{part[:20]}” is no number")
        return [int(part) for part in parts]

    def some(self, name: str, least: int) -> list[int]:
        """Do the same; BadInput as well if there are fewer than `least` numbers."""
        found = self.ints(name)
        if len(found) < least:
            raise BadInput(f"<{self.name}> {name}: {len(found)} numbers; {least} are expected")
        return found

    def one(self, name: str, below: int) -> int:
        """Return an attribute that is one number, from 0 and less than `below`. Raises BadInput for any other."""
        found = self.ints(name)
        if len(found) != 1 or not 0 <= found[0] < below:
            told = self.attributes.get(name, "nothing")[:20]
            raise BadInput(f"<{self.name}> {name}: {told}; a number from 0 to {below - 1} is expected")
        return found[0]


class Tags(NamedTuple):
    """The tags of a log in order. `broken` says where the file breaks off; empty if it is whole."""

    all: list[Tag]
    broken: str


class _Collector:
    """Takes the tags from the parser."""

    def __init__(self) -> None:
        self.tags: list[Tag] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if len(self.tags) == _MOST:
            raise BadInput(f"more than {_MOST} tags; no game has so many")
        if (name := _NAME.fullmatch(tag)) is not None:
            self.tags.append(Tag(name[1], int(name[2]) if name[2] else None, dict(attributes)))

    def close(self) -> None:
        """The parser demands it."""


def tags_of(content: bytes) -> Tags:
    """Read the tags of an XML file. Raises BadInput if it is not XML, or has a document type or entities: a log has
    none, and they are how XML reads other files and grows without bounds."""
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise BadInput(f"not a log of Tenhou: it is not UTF-8 ({error.reason})") from None
    for word in _REFUSED:
        if word in text:
            raise BadInput(f"not a log of Tenhou: it has {word}…>, which none has")
    collector = _Collector()
    parser = ElementTree.XMLParser(target=collector, encoding="utf-8")
    try:
        parser.feed(text)
    except ElementTree.ParseError as error:
        raise BadInput(f"not a log of Tenhou: no XML ({error})") from None
    try:
        parser.close()
    except ElementTree.ParseError as error:
        return Tags(collector.tags, str(error))
    return Tags(collector.tags, "")
