"""A study on many processes or machines, by dask.distributed.

Blocks are sent as they are needed, a few for each worker. What a dead worker had is computed again
elsewhere; a block whose workers die again and again is halved, until the row is found by which they
die, which is reported as its reason. Without any worker for long the study ends with an error.
The results come back here, where the journal is: workers need no common folder.
"""

from __future__ import annotations

import logging
import pickle
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from time import perf_counter
from typing import Any, final

import numpy as np

from torseur.errors import ModelError, SolveError
from torseur.packages import package
from torseur.study.block import SampleBlock, computed, joined
from torseur.study.study_description import Study
from torseur.version import __version__
from torseur.words.sentence import say

Array = np.ndarray
ALLOWED_FAILURES = 6  # workers that may die with a block before it is given up; 3 by default
_AHEAD = 3  # blocks that wait for each worker
_PAUSE = (
    2.0  # s before the first block of a worker, so that one that dies of it is known as started
)
_PATIENCE = 90.0  # s without any worker; a new one takes its time on a busy machine
_LOOK = 2.0  # s between looks at the workers
_FETCH = 30.0  # s for a result to come, after which workers are looked after
_CONNECT = 20.0  # s
Keep = Callable[[int, SampleBlock], None]  # first row, outputs
Piece = tuple[int, int]  # first row, row after the last
SECONDS = 0.5  # that a block should take: long beside what is lost around it
_FIRST = 64  # rows of the first block, by which the time of a row is told
_MOST_ROWS = 4096
_MOST_NUMBERS = 1_000_000  # of the states of a block at all samples


def computed_on_cluster(
    task: Task,
    missing: list[Piece],
    keep: Keep,
    *,
    size: int,
    scheduler: str | None = None,
    workers: int | None = None,
) -> None:
    """Compute the missing rows on the workers of a scheduler, or on local processes."""
    with _client(scheduler, workers) as client:
        client.run_on_scheduler(_allow, ALLOWED_FAILURES)
        _require_same_version(client)
        _Sent(client, task, deque(cut(missing, size)), keep).finish()


@final
class _Sent:
    """Blocks on their way."""

    def __init__(self, client: Any, task: Task, waiting: deque[Piece], keep: Keep) -> None:
        self._client, self._task, self._waiting, self._keep = client, task, waiting, keep
        self._payload = pickle.dumps(task.bare)
        self._sent: dict[Any, Piece] = {}
        self._alone: float | None = None  # since when no worker was seen

    def finish(self) -> None:
        """Until nothing waits and nothing is on its way."""
        wait = _dask().wait
        while self._waiting or self._sent:
            self._send()
            try:
                result = wait(list(self._sent), timeout=_LOOK, return_when="FIRST_COMPLETED")
            except TimeoutError:
                continue
            for future in result.done:
                self._receive(future)

    def _send(self) -> None:
        count = len(self._client.nthreads())
        now = time.monotonic()
        self._alone = None if count else self._alone or now
        if self._alone is not None and now - self._alone > _PATIENCE:
            raise SolveError(
                "cluster",
                say("no worker was available for {seconds:g} s.", _PATIENCE),
                "Finished blocks are stored: start workers and run the study again.",
            )
        while self._waiting and len(self._sent) < _AHEAD * max(count, 1):
            start, stop = self._waiting.popleft()
            rows = self._task.rows[start:stop]
            future = self._client.submit(computed_there, self._payload, rows, pure=False)
            self._sent[future] = start, stop

    def _receive(self, future: Any) -> None:
        start, stop = self._sent.pop(future)
        try:
            self._keep(start, future.result(timeout=_FETCH))
        except TimeoutError:  # it was lost with its worker: it is computed again, if there is one
            self._sent[future] = start, stop
        except _dask().KilledWorker:
            if stop - start == 1:
                self._keep(start, self._task.lost(say("all worker processes with this row died.")))
                return
            middle = (start + stop) // 2
            self._waiting.extendleft([(middle, stop), (start, middle)])


def computed_there(payload: bytes, rows: Array) -> SampleBlock:
    """A block, in the process of a worker."""
    _settle()
    return _unpacked(payload).outputs(rows, threads=1)


@lru_cache(maxsize=4)
def _unpacked(payload: bytes) -> Task:
    """The task, made once in each process."""
    result: Task = pickle.loads(payload)
    return result


@cache
def _settle() -> None:
    time.sleep(_PAUSE)


@contextmanager
def _client(scheduler: str | None, workers: int | None) -> Iterator[Any]:
    """A client of the scheduler; without an address, of a cluster of processes made for it."""
    dask = _dask()
    if scheduler is None:
        processes = dask.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,  # that workers die and come back is no news for people
        )
        with processes as cluster, dask.Client(cluster) as client:
            yield client
        return
    try:
        client = dask.Client(scheduler, timeout=_CONNECT)
    except (OSError, ValueError) as error:
        raise ModelError(
            "--scheduler",
            say('no scheduler answers at "{address}": {problem}.', scheduler, error),
            "For instance: tcp://192.168.0.10:8786, where `dask scheduler` runs.",
        ) from None
    with client:
        yield client


def _dask() -> Any:
    """dask.distributed, where it is installed."""
    return package("distributed", "dask", "sweep")


def _allow(count: int, dask_scheduler: Any = None) -> None:
    """On the scheduler: how many workers may die with a block."""
    dask_scheduler.allowed_failures = max(dask_scheduler.allowed_failures, count)


def _version() -> str:
    return __version__


def _require_same_version(client: Any) -> None:
    others = {x for x in client.run(_version).values() if x != __version__}
    if others:
        raise ModelError(
            "cluster",
            say(
                "workers have Torseur {others}, this process has {own}.",
                ", ".join(others),
                __version__,
            ),
            "Install the same version everywhere: numbers would differ.",
        )


# --- rows in blocks ------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class Task:
    """A study with all its rows."""

    study: Study
    rows: Array  # (samples, factors)
    reference: Array  # (factors): moves with every block
    template: SampleBlock  # the outputs of the reference
    block: int | None = None  # rows of a block; None: by the time they take

    def size(self, seconds_a_row: float) -> int:
        """Rows of a block."""
        if self.block is not None:
            return self.block
        model = self.study.model
        numbers = (len(model.coordinates) + len(model.speeds) + 1) * max(len(self.template.t), 1)
        most = max(1, min(_MOST_ROWS, _MOST_NUMBERS // numbers))
        return int(np.clip(SECONDS / max(seconds_a_row, 1e-9), 1, most))

    def computed_here(self, missing: list[Piece], keep: Keep, threads: int | None) -> None:
        """Compute the missing rows block by block; blocks grow until overhead is negligible."""
        size = self.block or _FIRST
        for start, stop in missing:
            while start < stop:
                end = min(start + size, stop)
                size, start = self.timed(start, end, keep, threads), end

    def outputs(self, rows: Array, threads: int | None) -> SampleBlock:
        """The outputs of rows; where they fail as a whole, they are computed one by one."""
        try:
            return computed(self.study, rows, self.reference, threads)
        except (SolveError, ModelError) as error:
            if len(rows) == 1:
                return self.lost(str(error))
        return joined([self.outputs(rows[k : k + 1], threads) for k in range(len(rows))])

    def lost(self, reason: str) -> SampleBlock:
        """One row without numbers."""
        shapes = (x.shape[1:] for x in (self.template.scalars, self.template.curves))
        scalars, curves = (np.full((1, *shape), np.nan) for shape in shapes)
        return replace(self.template, scalars=scalars, curves=curves, reasons={0: reason})

    @property
    def bare(self) -> Task:
        """Task without its rows and without cached values, to be sent to workers."""
        return replace(self, study=replace(self.study), rows=self.rows[:0])

    def timed(self, start: int, end: int, keep: Keep, threads: int | None) -> int:
        """Some rows computed here and kept; by the time they took, the rows of a block."""
        begun, rows = perf_counter(), self.rows[start:end]
        keep(start, self.outputs(rows, threads))
        return self.size((perf_counter() - begun) / len(rows))


def cut(pieces: list[Piece], size: int) -> Iterator[Piece]:
    """Rows cut into blocks of at most `size`."""
    for start, stop in pieces:
        for first in range(start, stop, size):
            yield first, min(first + size, stop)
