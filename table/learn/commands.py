"""`jantaku samples`: training samples of many records, as files of arrays."""

import os
import shutil
from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import click
import msgspec
import numpy as np

from jantaku.table.cli.commands.many import ins_and_out
from jantaku.table.cli.main import OK, UNDECIDED
from jantaku.table.cli.options import CommandOptions, PartWord, RuleOptions, option, rules
from jantaku.table.cli.say import say
from jantaku.table.cli.screen import Screen, bar
from jantaku.table.ground.clock import now
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.files import bytes_of
from jantaku.table.ground.installation import told, version
from jantaku.table.learn.encoders import encoder_of
from jantaku.table.learn.samples import FoundSamples, ReadSamples, SampleRows, Samples, held_by, joined
from jantaku.table.play.parts import ANEW, NAMED, PartFile, PartOf, digest_of, part_in, seal
from jantaku.table.records.journal.lines import LARGEST
from jantaku.table.riichi.ruleset import FILES, digest

EPILOG = """IN: records of any format that `jantaku convert` reads, folders of matches and games, trees of records. OUT
is a new folder; it gets files 00000.npz, 00001.npz, … with the arrays obs, mask, label, game, kyoku, player, last,
gain, points and rank, and about.json, which says what they are.

\b
  jantaku samples matches/2025-08-01 samples
  jantaku samples logs/ samples --encoder mortal-3 --seed 1 --workers 2
  jantaku samples logs/ mine --player alice

Exit code: 0 all records are read; 1 some only up to the point where the rules do not fit them; 2 some could not be
read.
"""
ABOUT = "about.json"
MOST = 10_000
"""Samples in a file, if they are not too large."""
LEVEL = 1
"""How hard files are compressed: planes are nearly all zeros, and the usual 6 takes longer than to write them."""


class SamplesOptions(CommandOptions):
    paths: tuple[Path, ...] = ins_and_out()
    encoder: str = option("Encoder: jantaku-1, mortal-1, mortal-2 or mortal-3.", "NAME", default="jantaku-1")
    rows: int | None = option(
        "Samples in a file.  [default: 10,000, or as many as fit in 128 MB]", "N", type=click.IntRange(1)
    )
    seed: int | None = option("Shuffle records and samples; equal seeds give equal files.", "N", type=click.IntRange(0))
    workers: int = option("Read records in N more processes.", "N", type=click.IntRange(0), default=0)
    player: str | None = option("Only decisions of the player with this name.", "NAME")
    ruling: RuleOptions = rules("Rules of records that do not name theirs.")
    part: PartOf | None = option("Read every N-th record from the I-th on; see `collect`.", "I/N", type=PartWord())


@SamplesOptions.command(epilog=EPILOG)
def samples_command(options: SamplesOptions) -> int:
    """Write what seats saw, could do and did in the records IN to files of arrays in the folder OUT: samples for
    training a net. What a seat answered is no sample where the record does not make it certain.

    A folder that is there already is never written to.
    """
    *sources, target = options.paths
    if not sources:
        raise BadInput(f"Missing argument 'OUT': name the folder to write after {target}")
    given, part = options.ruling.foreign(FILES), options.part
    batch = options.rows or min(MOST, held_by(encoder_of(options.encoder)) // 2)
    if os.path.lexists(target) and (part is None or not _is_part(target, part)):
        raise BadInput(f"{target} exists already; name a new folder")
    samples = Samples(
        [str(source) for source in sources],
        encoder=options.encoder,
        seed=options.seed,
        workers=options.workers,
        batch=batch if part is None else max(1, batch // part.of),  # `collect` holds a file of each part
        rules=given,
        player=options.player,
        part=(0, 1) if part is None else (part.number - 1, part.of),
    )
    if part is None:
        return write(samples, samples, target)
    part.refuse_more_than(len(samples.files), "records")
    asked = f"{options.player or ''}|{'' if given is None else digest(given)}"
    return write_part(samples, target, part, _Asked(options.seed, batch, asked))


def save(path: Path, rows: SampleRows) -> None:
    """Write what `numpy.savez_compressed` writes, less compressed."""
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=LEVEL) as whole:
        for name, array in msgspec.structs.asdict(rows).items():
            with whole.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, array, allow_pickle=False)


class _Asked(msgspec.Struct):
    """What all parts of a whole were asked alike."""

    seed: int | None
    batch: int
    asked: str


class _About(msgspec.Struct):
    """What `collect` reads of the `about.json` of a part."""

    jantaku: str
    encoder: str
    records: list[str]
    whole: _Asked
    told: list[tuple[int, str, bool]]


def _is_part(folder: Path, part: PartOf) -> bool:
    known = part_in(folder)
    return known is not None and known.own == part


def write_part(samples: Samples, target: Path, part: PartOf, asked: _Asked) -> int:
    """Write a part to a new folder, which is there whole or not at all; return the exit code. One that is there stays
    if it is of the same records."""
    records = [str(path) for path in samples.files]
    if target.exists():
        about = _about(target)
        if (about.records, about.whole, about.encoder) != (records, asked, samples.encoder.name):
            raise BadInput(f"{target} holds part {part} of other samples; give another folder")
        say(f"{target}: part {part} is there already", err=True)
        return OK
    work = target.with_name(f"{target.name}.part")
    shutil.rmtree(work, ignore_errors=True)
    code = write(samples, samples.unshuffled(), work, asked)
    PartFile(part.number, part.of, len(records)).write(work)
    seal(work, *sorted(path.name for path in work.glob("*.npz")), ABOUT)
    work.rename(target)
    return code


def _about(folder: Path) -> _About:
    try:
        return msgspec.json.decode(bytes_of(folder / ABOUT, LARGEST), type=_About)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{folder / ABOUT}: does not describe a part: {error}; {ANEW}") from None


def collected(folders: Sequence[Path], out: Path | None) -> int:
    """Put parts together as one machine would have written the whole; return the exit code. BadInput if they do not
    fit."""
    parts: dict[int, Path] = {}
    first, of = _about(folders[0]), 0
    for folder in folders:
        known, about = part_in(folder), _about(folder)
        if known is None or (about.records, about.whole, about.encoder) != (first.records, first.whole, first.encoder):
            raise BadInput(f"{folder}: is not a part of the samples in {folders[0]}; leave it out")
        if about.jantaku != version():
            raise BadInput(f"{folder}: was made by jantaku {about.jantaku}, not {version()}; collect with that version")
        for name, wanted in known.digests.items():
            if digest_of(folder / name) != wanted:
                raise BadInput(f"{folder / name}: has changed since the part was over; {ANEW}")
        if known.of != (of := of or known.of):
            raise BadInput(f"{folder}: is part {known.own}, and {folders[0]} is one of {of}; leave it out")
        parts.setdefault(known.part - 1, folder)
    missing = [PartOf(number + 1, of) for number in range(of) if number not in parts]
    if missing or out is None:
        say(f"{len(parts)} of {of} parts are finished")
        say(*(f"part {part} is missing: give its command with --part {part}" for part in missing[:NAMED]), err=True)
        return UNDECIDED if missing else OK
    if os.path.lexists(out):
        raise BadInput(f"{told(out)} exists already; name a new folder")
    samples = Samples([], encoder=first.encoder, seed=first.whole.seed, batch=first.whole.batch)
    samples.files = [Path(name) for name in first.records]
    streams = [_of_part(parts[number]) for number in range(of)]
    return write(samples, samples.joined_parts(partial(_interleaved, streams)), out)


def _interleaved(streams: Sequence[Generator[ReadSamples, int, None]], order: Sequence[int]) -> FoundSamples:
    """Yield the records in this order: the n-th of all is in part n modulo the number of parts."""
    for stream in streams:
        next(stream)
    for place, number in enumerate(order):
        yield number, streams[place % len(streams)].send(number)


def _of_part(folder: Path) -> Generator[ReadSamples, int, None]:
    """Yield what a part read of the record whose number is sent: its next rows, if they are of that record."""
    said = {number: (text, is_read) for number, text, is_read in _about(folder).told}
    files = iter(sorted(folder.glob("*.npz")))
    held: SampleRows | None = None
    found = ReadSamples(None)
    while True:
        number = yield found
        own: list[SampleRows] = []
        while held is not None or (held := _loaded(files)) is not None:
            others = np.flatnonzero(held.game != number)
            count = int(others[0]) if len(others) else len(held)
            if count:
                own.append(held.taken(slice(count)))
            if count < len(held):
                held = held.taken(slice(count, None))
                break
            held = None
        found = ReadSamples(joined(own) if own else None, *said.get(number, ()))


def _loaded(files: Iterator[Path]) -> SampleRows | None:
    path = next(files, None)
    if path is None:
        return None
    with np.load(path) as arrays:
        return SampleRows(*[arrays[name] for name in SampleRows.__struct_fields__])


def write(samples: Samples, found: Iterable[SampleRows], target: Path, asked: _Asked | None = None) -> int:
    """Write what is `found` to a new folder, with a bar on a terminal; return the exit code. `asked`: of a part."""
    target.mkdir(parents=True)
    screen, begun, rows, files = Screen(err=True), now(), 0, 0
    with bar(screen, shown=screen.is_terminal) as drawn:
        task = drawn.add_task("records", total=len(samples.files))
        for files, one in enumerate(found, 1):
            save(target / f"{files - 1:05}.npz", one)
            rows += len(one)
            drawn.update(task, completed=samples.read)
    say(*(f"left out: {said}" for said in samples.said), err=True)
    if not rows and asked is None:
        target.rmdir()
        raise BadInput(f"{len(samples.files)} records hold no sample; nothing was written")
    about = {
        "jantaku": version(),
        "encoder": samples.encoder.name,
        "shape": samples.encoder.shape,
        "numbers": samples.encoder.numbers,
        "fields": SampleRows.__struct_fields__,
        "rows": rows,
        "records": [str(path) for path in samples.files],
        "left out": samples.said,
    }
    if asked is not None:
        about |= {"whole": asked, "told": samples.told}
    (target / ABOUT).write_bytes(msgspec.json.format(msgspec.json.encode(about)) + b"\n")
    pace = round(rows / max(now() - begun, 1e-9))
    say(
        f"{target}: {rows:,} samples of {len(samples.files):,} records in {files:,} files ({pace:,} a second)", err=True
    )
    return samples.code
