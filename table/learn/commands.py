"""`jantaku samples`: training samples of many records, as files of arrays."""

import os
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import click
import msgspec
import numpy as np

from jantaku.table.cli.commands.many import ins_and_out
from jantaku.table.cli.options import CommandOptions, RuleOptions, option, rules
from jantaku.table.cli.say import say
from jantaku.table.cli.screen import Screen, bar
from jantaku.table.ground.clock import now
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import version
from jantaku.table.learn.encoders import encoder_of
from jantaku.table.learn.samples import SampleRows, Samples, held_by
from jantaku.table.riichi.ruleset import FILES

EPILOG = """IN: records of any format that `jantaku convert` reads, folders of matches and games, trees of records. OUT
is a new folder; it gets files 00000.npz, 00001.npz, … with the arrays obs, mask, label, game, kyoku, player, last,
gain, points and rank, and about.json, which says what they are.

\b
  jantaku samples matches/2025-08-01 samples
  jantaku samples logs/ samples --encoder mortal-3 --seed 1 --workers 2
  jantaku samples logs/ mine --player alice

Exit code 0 if all went in, 1 if some records only up to where the rules do not fit them, 2 if some could not be read.
"""
ABOUT = "about.json"
MOST = 10_000
"""Samples in a file, if they are not too large."""
LEVEL = 1
"""How hard files are compressed: planes are nearly all zeros, and the usual 6 takes longer than to write them."""


class SamplesOptions(CommandOptions):
    """The command's options."""

    paths: tuple[Path, ...] = ins_and_out()
    encoder: str = option("Which numbers: jantaku-1, mortal-1, mortal-2 or mortal-3.", "NAME", default="jantaku-1")
    rows: int | None = option(
        "Samples in a file. Without it 10,000, but no more than 128 MB hold.", "N", type=click.IntRange(1)
    )
    seed: int | None = option("Shuffle records and samples; equal seeds give equal files.", "N", type=click.IntRange(0))
    workers: int = option("Read records in N more processes.", "N", type=click.IntRange(0), default=0)
    player: str | None = option("Only what the player of this name did.", "NAME")
    ruling: RuleOptions = rules("Rules of records that do not tell theirs.")


@SamplesOptions.command(epilog=EPILOG)
def samples_command(options: SamplesOptions) -> int:
    """Write what seats saw, could do and did in the records IN to files of arrays in the folder OUT: samples for
    training a net. What a seat answered is no sample where the record does not make it certain.

    A folder that is there already is never written to.
    """
    *sources, target = options.paths
    if not sources:
        raise BadInput(f"Missing argument 'OUT': behind {target} stands the folder to write to")
    if os.path.lexists(target):
        raise BadInput(f"{target} exists already; name a new folder")
    given = options.ruling.foreign(FILES)
    samples = Samples(
        [str(source) for source in sources],
        encoder=options.encoder,
        seed=options.seed,
        workers=options.workers,
        batch=options.rows or min(MOST, held_by(encoder_of(options.encoder)) // 2),
        rules=given,
        player=options.player,
    )
    return write(samples, target)


def save(path: Path, rows: SampleRows) -> None:
    """Write what `numpy.savez_compressed` writes, less compressed."""
    with ZipFile(path, "w", ZIP_DEFLATED, compresslevel=LEVEL) as whole:
        for name, array in msgspec.structs.asdict(rows).items():
            with whole.open(f"{name}.npy", "w", force_zip64=True) as file:
                np.lib.format.write_array(file, array, allow_pickle=False)


def write(samples: Samples, target: Path) -> int:
    """Write all samples to a new folder, with a bar on a terminal; return the exit code."""
    target.mkdir(parents=True)
    screen, begun, rows, files = Screen(err=True), now(), 0, 0
    with bar(screen, shown=screen.is_terminal) as drawn:
        task = drawn.add_task("records", total=len(samples.files))
        for files, one in enumerate(samples, 1):
            save(target / f"{files - 1:05}.npz", one)
            rows += len(one)
            drawn.update(task, completed=samples.read)
    say(*(f"left out: {said}" for said in samples.said), err=True)
    if not rows:
        target.rmdir()
        raise BadInput(f"there is no sample in {len(samples.files)} records; nothing was written")
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
    (target / ABOUT).write_bytes(msgspec.json.format(msgspec.json.encode(about)) + b"\n")
    pace = round(rows / max(now() - begun, 1e-9))
    say(
        f"{target}: {rows:,} samples of {len(samples.files):,} records in {files:,} files ({pace:,} a second)", err=True
    )
    return samples.code
