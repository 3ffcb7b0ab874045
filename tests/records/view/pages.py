"""Pages of the viewer for tests that look at them: on the disk, and served."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from jantaku.table.records.journal.read import Record
from jantaku.table.records.view.page import Book, Entry, Viewed, page
from jantaku.table.records.view.riichi import viewed
from jantaku.table.records.view.server import PageServer


def exported(folder: Path, shown: Record | Entry, game: str = "riichi") -> str:
    """The address of the page of one game, which is written into a folder."""
    path = folder / "game.html"
    entry = shown if isinstance(shown, Entry) else viewed(shown).entry()
    path.write_bytes(page(Book([entry]), game).content)
    return path.as_uri()


@contextmanager
def serving(shown: Viewed, **more: Any) -> Iterator[PageServer]:
    server = PageServer(0, [shown], **more)
    thread = Thread(target=server.serve_forever, name="page")
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
