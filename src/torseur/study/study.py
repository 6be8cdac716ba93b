"""A study from its description to its result: samples drawn, computed where chosen, kept."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final
from zipfile import BadZipFile

import numpy as np

from torseur.errors import ModelError, SolveError
from torseur.output import known_ending, replacing, writable, writable_folder
from torseur.study.block import SampleBlock, computed, joined
from torseur.study.cluster import Keep, Piece, Task, computed_on_cluster
from torseur.study.design import nominal, samples
from torseur.study.result_files import ENDINGS, read_result
from torseur.study.study_description import Study
from torseur.study.study_reading import read_study
from torseur.study.study_result import StudyResult
from torseur.words.sentence import say

Array = np.ndarray
_TRIED = 8  # samples of which one must be able to start
_PROBE = 16  # rows by which the time of a row is told before blocks are sent
_NAME = re.compile(r"rows-(\d+)-(\d+)\.npz")


def study(
    source: str | os.PathLike[str] | Mapping[str, Any] | Study,
    *,
    out: str | os.PathLike[str] | None = None,
    scheduler: str | None = None,
    workers: int | None = None,
    threads: int | None = None,
    block: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> StudyResult:
    """Run a study, given as a file, as a dict of the same form, or as a study that was read.

    `out` is a file to write (.nc, .csv, .parquet); finished blocks are saved beside it, so that an
    interrupted study continues from there. The study runs on `threads` threads; with `workers`, on
    as many local processes; with `scheduler`, the address of a Dask scheduler, on its workers.
    `block` is the number of samples computed at once; by default it follows from measured times.
    None of these options changes the numbers.
    """
    described = read_study(source)
    _check(out, workers, block)
    known = None if out is None else _stored_result(Path(out), described)
    if known is not None:
        return known
    rows = samples(described)
    reference, template = _reference(described, rows)
    task = Task(described, rows, reference, template, block)
    journal = None if out is None else Journal(Path(f"{out}.parts"), described.digest)
    parts = {} if journal is None else _usable(journal, len(rows))

    def keep(start: int, outcome: SampleBlock) -> None:
        parts[start] = outcome
        if journal is not None:
            journal.keep(start, outcome)
        if progress is not None:
            progress(float(sum(len(x.scalars) for x in parts.values())))

    where = {"scheduler": scheduler, "workers": workers}
    _compute(task, _missing(parts, len(rows)), keep, threads, where)
    whole = joined([parts[start] for start in sorted(parts)])
    result = StudyResult(described, rows, whole)
    if out is not None:
        result.save(Path(out))
    if journal is not None:
        journal.close()
    return result


def _check(out: Any, workers: int | None, block: int | None) -> None:
    """Reject wrong options before anything is computed."""
    if out is not None:
        known_ending(writable(out), ENDINGS, str(out))
    for name, value in (("workers", workers), ("block", block)):
        if value is not None and value < 1:
            raise ModelError("study", say("{name} must be at least 1, got {value}.", name, value))


def _stored_result(path: Path, described: Study) -> StudyResult | None:
    """Result stored in a file, if it is complete and of the same study."""
    result = read_result(path) if path.suffix.lower() == ".nc" and path.is_file() else None
    if result is None or result.texts["digest"] != described.digest:
        return None
    return StudyResult(described, result.rows, result.outputs)


def _reference(described: Study, rows: Array) -> tuple[Array, SampleBlock]:
    """The sample that moves with every block: the nominal one, or the first that can start."""
    failed: ModelError | SolveError | None = None
    for values in (nominal(described), *rows[:_TRIED]):
        try:
            return values, computed(described, values[np.newaxis], values)
        except (ModelError, SolveError) as error:
            failed = failed or error
    assert failed is not None, "there is a nominal sample"
    raise failed


def _usable(journal: Journal, count: int) -> dict[int, SampleBlock]:
    """The blocks of the journal, each row once."""
    result, until = dict[int, SampleBlock](), 0
    for start, block in sorted(journal.blocks(), key=lambda x: x[0]):
        stop = start + len(block.scalars)
        if until <= start and stop <= count:
            result[start], until = block, stop
    return result


def _missing(parts: Mapping[int, SampleBlock], count: int) -> list[Piece]:
    """Rows between the parts, before and after them."""
    starts = sorted(parts)
    ends = (start + len(parts[start].scalars) for start in starts)
    pieces = zip((0, *ends), (*starts, count), strict=True)
    return [(end, start) for end, start in pieces if end < start]


def _compute(
    task: Task, missing: list[Piece], keep: Keep, threads: int | None, where: dict[str, Any]
) -> None:
    if where["scheduler"] is None and where["workers"] is None:
        task.computed_here(missing, keep, threads)
        return
    if not missing:
        return
    # a few rows here tell how long one takes
    start, stop = missing[0]
    end = min(start + _PROBE, stop)
    size = task.timed(start, end, keep, 1)
    left = [(end, stop)] if end < stop else []
    computed_on_cluster(task, [*left, *missing[1:]], keep, size=size, **where)


# --- journal -------------------------------------------------------------------------------------
#
# Finished blocks are stored beside the result, so that an interrupted study continues. The journal
# of `result.nc` is the folder `result.nc.parts`; each block is a file that is written atomically.


@final
@dataclass(frozen=True)
class Journal:
    """The blocks of one study; those of another in the same folder are passed over."""

    folder: Path
    digest: str

    def keep(self, start: int, block: SampleBlock) -> None:
        """The block that begins with the row `start`."""
        writable_folder(self.folder, create=True)
        stop = start + len(block.scalars)
        with replacing(self.folder / f"rows-{start}-{stop}.npz") as place:
            np.savez(
                place,
                digest=np.array(self.digest),
                scalars=block.scalars,
                curves=block.curves,
                t=block.t,
                texts=np.array(json.dumps([list(block.reasons.items()), dict(block.units)])),
            )

    def blocks(self) -> Iterator[tuple[int, SampleBlock]]:
        """Blocks that were finished before, with their first rows."""
        for path in sorted(self.folder.glob("rows-*.npz")):
            named = _NAME.fullmatch(path.name)
            block = self._read(path) if named else None
            if named and block is not None and len(block.scalars) == int(named[2]) - int(named[1]):
                yield int(named[1]), block

    def _read(self, path: Path) -> SampleBlock | None:
        """A block of this study; None for another, or for one that is damaged."""
        try:
            with np.load(path, allow_pickle=False) as file:
                if str(file["digest"]) != self.digest:
                    return None
                reasons, units = json.loads(str(file["texts"]))
                known = {int(k): str(x) for k, x in reasons}
                return SampleBlock(file["scalars"], file["curves"], file["t"], known, units)
        except (OSError, ValueError, KeyError, BadZipFile):
            return None

    def close(self) -> None:
        """Its own files are taken away, when the result is written."""
        for path in self.folder.glob("rows-*.npz"):
            if _NAME.fullmatch(path.name):
                path.unlink(missing_ok=True)
        with suppress(OSError):
            self.folder.rmdir()
