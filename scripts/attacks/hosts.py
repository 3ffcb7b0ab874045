"""Attacks by odd hosts: the bytes are the same for any hash seed, locale, time zone, Python flags, closed streams and
limits."""

import hashlib
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from jantaku.table.arena.match.figures.summary import print_of
from scripts.attacks.kit.attack import Attack, Failed, attack
from scripts.attacks.kit.command import environment, jantaku

WORDS = (
    "play",
    "--seed",
    "5",
    "--length",
    "tonpu",
    "--players",
    "shanten,caller,dice,tsumogiri",
    "--threads",
    "inline",
)

ENVIRONMENTS: dict[str, Mapping[str, str | None]] = {
    **{
        f"hash seed {seed}": {"PYTHONHASHSEED": seed} for seed in ("0", "1", "2", "42", "12345", "4294967295", "random")
    },
    **{
        f"locale {name}": {"LC_ALL": name, "LANG": name}
        for name in (
            "C",
            "POSIX",
            "C.UTF-8",
            "en_US.UTF-8",
            "ja_JP.EUC-JP",
            "tr_TR.UTF-8",
            "de_DE.ISO-8859-1",
            "no_SUCH",
        )
    },
    **{
        f"time zone {name or 'empty'}": {"TZ": name}
        for name in (
            "UTC",
            "Asia/Tokyo",
            "America/St_Johns",
            "Pacific/Kiritimati",
            "Asia/Kathmandu",
            "",
            "No/Such",
            ":/dev/null",
        )
    },
    "no HOME": {"HOME": None},
    "HOME that is not there": {"HOME": "/no/such"},
    "no PATH": {"PATH": None},
    "TMPDIR that is not there": {"TMPDIR": "/no/such", "TEMP": "/no/such"},
    "a dumb terminal": {"TERM": "dumb"},
    "a terminal of nonsense": {"TERM": "\x1b[2J", "COLUMNS": "-5", "LINES": "nan"},
    "a terminal of one column": {"COLUMNS": "1"},
    "forced colours": {"FORCE_COLOR": "1", "COLUMNS": "40"},
    "no colours": {"NO_COLOR": "1"},
    "an encoding of ASCII": {"PYTHONIOENCODING": "ascii:strict"},
    "an encoding of UTF-16": {"PYTHONIOENCODING": "utf-16"},
    "no UTF-8 mode": {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
    "unbuffered": {"PYTHONUNBUFFERED": "1"},
    "debug allocators": {"PYTHONMALLOC": "debug"},
    "digits limited": {"PYTHONINTMAXSTRDIGITS": "640"},
    "plain Python": {"JANTAKU_PURE": "1"},
    "2,000 variables": {f"VARIABLE_{n}": "x" * 100 for n in range(2000)},
    "BLAS with eight threads": {"OPENBLAS_NUM_THREADS": "8", "OMP_NUM_THREADS": "8"},
}
PYTHONS: dict[str, tuple[str, ...]] = {
    "-O": ("-O",),
    "-OO": ("-OO",),
    "-B": ("-B",),
    "-s": ("-s",),
    "-b": ("-b",),
    "-bb": ("-bb",),
    "-u": ("-u",),
    "-X dev": ("-X", "dev"),
    "-W error": ("-W", "error"),
    "-X utf8=0": ("-X", "utf8=0"),
    "-X warn_default_encoding": ("-X", "warn_default_encoding", "-W", "error::EncodingWarning"),
    "-X int_max_str_digits=640": ("-X", "int_max_str_digits=640"),
    "-X faulthandler": ("-X", "faulthandler"),
    "-R": ("-R",),
}
THREADS = ("per-turn", "resident")
NARROW = {
    "no standard input": "exec 0<&-",
    "no standard output": "exec 1>&-",
    "no standard error": "exec 2>&-",
    "no streams at all": "exec 0<&- 1>&- 2>&-",
    "standard output that is full": "exec 1>/dev/full",
    "standard error that is full": "exec 2>/dev/full",
    "32 open files": "ulimit -n 32",
    "a small stack": "ulimit -s 256",
    "no core files": "ulimit -c 0",
    "no file size": "ulimit -f 0",
    "small files": "ulimit -f 8",
    "little memory": "ulimit -v 3000000",
    "few seconds of CPU": "ulimit -t 60",
    "a file mask that forbids all": "umask 777",
    "the lowest priority": "renice -n 19 $$ >/dev/null 2>&1",
    "SIGPIPE ignored": "trap '' PIPE",
    "SIGINT ignored": "trap '' INT",
    "SIGCHLD ignored": "trap '' CHLD",
}


def attacks() -> Iterator[Attack]:
    for name, changes in ENVIRONMENTS.items():
        yield attack(f"a game with {name} has the same bytes", under, changes, ())
    for name, flags in PYTHONS.items():
        yield attack(f"a game under python {name} has the same bytes", under, {}, flags)
    for mode in THREADS:
        yield attack(f"a game with --threads {mode} has the same bytes", in_mode, mode)
    for name, words in NARROW.items():
        yield attack(f"a game with {name} ends in order", narrow, words).but(quick=name == "SIGCHLD ignored")
    yield Attack("a game in a folder that has been removed ends in order", removed)


def under(folder: Path, changes: Mapping[str, str | None], flags: tuple[str, ...]) -> None:
    """The command succeeds with the bytes of an undisturbed game. Output to the terminal may differ."""
    reference = _bytes_of(folder / "reference")
    ran = jantaku(*WORDS, "--out", "out", cwd=folder, env=changes, python=flags)
    if ran.code or "Traceback" in ran.err:
        raise ran.failed(f"exit code {ran.code}")
    if _digest(folder / "out") != reference:
        raise Failed(f"other bytes with {dict(list(changes.items())[:3])} {' '.join(flags)}")


def in_mode(folder: Path, mode: str) -> None:
    """The decisions are the same in every mode; the 牌譜 contains no times."""
    jantaku(*WORDS[:-2], "--threads", mode, "--out", "out", cwd=folder).fine()
    _bytes_of(folder / "reference")
    names = ("out", "reference/out")
    if len({(folder / name / "game-0000.json").read_bytes() for name in names}) != 1:
        raise Failed(f"another 牌譜 in {mode}")


@cache
def _bytes_of(folder: Path) -> str:
    folder.mkdir()
    jantaku(*WORDS, "--out", "out", cwd=folder).fine()
    return _digest(folder / "out")


def _digest(folder: Path) -> str:
    """Return the digest of the 牌譜, and of the journal's events without times."""
    journal = (folder / "game-0000.jsonl").read_bytes()
    return hashlib.sha256((folder / "game-0000.json").read_bytes() + print_of(journal).encode()).hexdigest()


def narrow(folder: Path, words: str) -> None:
    """The command succeeds, or refuses in one line; no defect, no hang, and the journal, if there is one, can be
    read."""
    script = f'{words}; exec "$0" -B -m jantaku "$@"'  # -B: no truncated or unreadable bytecode
    ran = subprocess.run(
        ["bash", "-c", script, sys.executable, *WORDS, "--out", "out"],
        cwd=folder, env=environment({}), capture_output=True, timeout=25, check=False,
    )  # fmt: skip
    text = (ran.stdout + ran.stderr).decode(errors="replace")
    if ran.returncode not in (0, 2, -25) or "defect of jantaku" in text or "Traceback" in text:
        raise Failed(f"exit code {ran.returncode} after `{words}`: {text.strip()[-600:]!r}")
    if list(folder.glob("out/*.part")):
        raise Failed(f"half a file is left after `{words}`")
    for journal in folder.glob("out/*.jsonl"):
        if journal.stat().st_size:
            journal.chmod(0o644)
            jantaku("verify", journal, cwd=folder).sound()


def removed(folder: Path) -> None:
    """The working folder is gone, so that nothing can be written."""
    script = 'mkdir gone; cd gone; rmdir ../gone; exec "$0" -m jantaku "$@"'
    ran = subprocess.run(
        ["bash", "-c", script, sys.executable, *WORDS],
        cwd=folder, env=environment({}), capture_output=True, timeout=25, check=False,
    )  # fmt: skip
    text = (ran.stdout + ran.stderr).decode(errors="replace")
    if ran.returncode != 2 or "Traceback" in text or len(text.strip().splitlines()) != 1:
        raise Failed(f"exit code {ran.returncode}: {text.strip()[-600:]!r}")
