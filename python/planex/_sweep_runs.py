"""The runs of a sweep, placed by an executor.

The folder of the sweep is the only state: what a worker sends back is stored there, as a whole, and
what is there is not requested again. So it does not matter which side is killed, or when.
"""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import dataclasses
import json
import os
import pathlib
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from planex import _core, _program, _sweep_task
from planex._errors import ExternalToolError

#: An executor, or a function that creates one: a pool whose process was killed accepts no more
#: tasks.
Executor = concurrent.futures.Executor | Callable[[], concurrent.futures.Executor]

_Future = concurrent.futures.Future[_sweep_task.Answer]

# Maximum deaths of a worker during one run: other programs on the machine can cause some, but not
# this many.
_TRIES = 4
# Tasks queued at an executor that does not report its number of workers.
_AHEAD = 1000


@dataclasses.dataclass(frozen=True)
class Order:
    """The sweep as arguments of the program."""

    model: pathlib.Path
    folder: pathlib.Path
    words: tuple[str, ...]
    flags: tuple[str, ...]
    #: The engine's Python is that of the process that does a run.
    is_own_python: bool
    is_fresh: bool

    def command(self, *more: str) -> list[str]:
        """The program with this sweep, here."""
        words = ["sweep", str(self.model), f"--output={self.folder}", *self.words]
        if self.is_own_python:
            words.append(f"--python={sys.executable}")
        return [*words, *more, "--", *self.flags]

    def ask(self, *more: str) -> str:
        """What it prints."""
        code, out, said = _program.run(self.command(*more))
        if code != 0:
            raise _program.error(code, said)
        return out


@dataclasses.dataclass
class _Run:
    #: CELL/N; None: asks what there is to do.
    id: str | None
    inputs: Mapping[str, Any]
    tries: int = 0
    #: A worker that had it cannot access the model.
    needs_model: bool = False


class Runs:
    """Does the unfinished part of a sweep; call :meth:`do` once."""

    def __init__(
        self, order: Order, executor: Executor, progress: Callable[[int, int], object] | None
    ) -> None:
        self._order = order
        self._make: Callable[[], concurrent.futures.Executor] | None = None
        if isinstance(executor, concurrent.futures.Executor):
            self._executor = executor
        else:
            self._make = executor
            self._executor = executor()
        self._progress = progress
        self._hashes: dict[str, str] = {}
        self._content: dict[str, bytes] | None = None
        self._shared: Any = None
        self._waiting: collections.deque[_Run] = collections.deque()
        # One of these killed the shared pool: run alone, each shows whether it was the one.
        self._suspects: collections.deque[_Run] = collections.deque()
        self._flying: dict[_Future, _Run] = {}
        self._done = self._total = 0
        #: Members of `inputs` in which workers differ from the one that was asked first.
        self.differences: set[str] = set()
        #: Notes about the engines for the user, each once.
        self.notes: dict[str, None] = {}

    def do(self) -> None:
        """Does it; finished runs are kept, whatever is raised."""
        # Options are checked, and sweep.json is written, on the user's machine.
        listed = json_lines(self._order.ask("--list-runs"))
        if self._order.model.is_file():
            self._hashes = dict(next(listed)["inputs"]["model"])
        # A worker has the engines, whose versions are inputs: it reports what is up to date.
        self._waiting.append(_Run(None, {}))
        try:
            while self._waiting or self._suspects or self._flying:
                self._launch()
                finished, _ = concurrent.futures.wait(
                    self._flying, return_when=concurrent.futures.FIRST_COMPLETED
                )
                for future in finished:
                    # A task that broke its pool took the others with it.
                    if future in self._flying:
                        self._land(future)
        finally:
            for future in self._flying:
                future.cancel()
            if self._make:
                self._executor.shutdown(wait=not self._flying, cancel_futures=True)

    # --- Out --------------------------------------------------------------------------------------

    def _launch(self) -> None:
        if self._suspects:
            if not self._flying:
                self._submit(self._suspects.popleft())
            return
        # Pools use this name: with as many tasks as workers, all tasks that are lost when one dies
        # had been started.
        limit = getattr(self._executor, "_max_workers", None) or _AHEAD
        while self._waiting and len(self._flying) < limit:
            self._submit(self._waiting.popleft())

    def _submit(self, run: _Run) -> None:
        order = self._order
        task = _sweep_task.Task(
            run=run.id,
            model=os.path.abspath(order.model),
            hashes=self._hashes,
            words=order.words,
            flags=order.flags,
            is_own_python=order.is_own_python,
            records=dict(_records(order.folder)) if run.id is None else {},
            version=_core.version(),
            nonce=uuid.uuid4().hex,
        )
        try:
            future = self._executor.submit(_sweep_task.do, task, self._model_for(run))
        except concurrent.futures.BrokenExecutor as error:
            self._replace_pool(run, error)
        else:
            self._flying[future] = run

    def _model_for(self, run: _Run) -> Any:
        """The model's files, or the executor's reference to them; None: the worker can access
        them."""
        if not run.needs_model:
            return None
        if self._content is None:
            folder = self._order.model.parent
            self._content = {name: (folder / name).read_bytes() for name in self._hashes}
            self._shared = _share(self._executor, self._content)
        # The place where it was stored may have died with the worker.
        return self._content if run.tries else self._shared

    # --- Back -------------------------------------------------------------------------------------

    def _land(self, future: _Future) -> None:
        run = self._flying.pop(future)
        try:
            answer = future.result()
        except concurrent.futures.BrokenExecutor as error:
            self._replace_pool(run, error)
        except Exception as error:
            # The task itself raises nothing: the executor lost it, and reports that in its own
            # words.
            self._lose(run, f"{type(error).__name__}: {error}", self._waiting)
        else:
            self._take(run, answer)

    def _take(self, run: _Run, answer: _sweep_task.Answer) -> None:
        if answer.needs_model:
            run.needs_model = True
            self._waiting.appendleft(run)
        elif answer.error is not None:
            if run.id is None:
                raise ExternalToolError("a worker can't sweep", context=answer.error)
            self._lose(run, answer.error, self._waiting)
        elif run.id is None:
            self._plan(answer.out, run.needs_model)
        else:
            self._place(run.id, answer.files)
            self.notes |= {line["note"]: None for line in json_lines(answer.out) if "note" in line}
            record = json.loads(answer.files[f"cells/{run.id}/run.json"])
            self._compare(run.inputs, record["inputs"])
            self._end(run.id, is_failed=record["state"] != "done")

    def _plan(self, listed: str, needs_model: bool) -> None:
        for line in json_lines(listed):
            if self._order.is_fresh or line["state"] != "done":
                self._waiting.append(_Run(line["run"], line["inputs"], needs_model=needs_model))
        self._total = len(self._waiting)

    def _end(self, run: str, *, is_failed: bool) -> None:
        self._done += 1
        if is_failed:
            self._drop(run.rpartition("/")[0])
        if self._progress is not None:
            self._progress(self._done, self._total)

    def _drop(self, cell: str) -> None:
        """What failed once fails again, which can take minutes."""
        before = len(self._waiting) + len(self._suspects) + len(self._flying)
        for queue in (self._waiting, self._suspects):
            kept = [run for run in queue if _cell_of(run) != cell]
            queue.clear()
            queue.extend(kept)
        for future, run in list(self._flying.items()):
            if _cell_of(run) == cell and future.cancel():
                del self._flying[future]
        self._total -= before - len(self._waiting) - len(self._suspects) - len(self._flying)

    def _compare(self, planned: Mapping[str, Any], done: Mapping[str, Any]) -> None:
        self.differences |= {key for key in {*planned, *done} if planned.get(key) != done.get(key)}

    def _place(self, run: str, files: Mapping[str, bytes]) -> None:
        """All of its files at once: another process may read the folder, or the program may be
        ended."""
        target = self._order.folder / "cells" / run
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self._order.folder, prefix=".planex-") as name:
            arriving = pathlib.Path(name)
            for path, data in files.items():
                _sweep_task.write(arriving, path, data)
            # A folder can only replace an empty one.
            if target.exists():
                target.rename(arriving / "before")
            (arriving / "cells" / run).rename(target)

    # --- What is lost -----------------------------------------------------------------------------

    def _lose(self, run: _Run, why: str, queue: collections.deque[_Run]) -> None:
        run.tries += 1
        if run.tries < _TRIES:
            queue.appendleft(run)
        elif run.id is None:
            raise ExternalToolError("the executor completes no task", context=why)
        else:
            words = f"given up after {run.tries} workers: {why}"
            self._order.ask(f"--only-run={run.id}", f"--failed={words}")
            self._end(run.id, is_failed=True)

    def _replace_pool(self, run: _Run, error: BaseException) -> None:
        """A broken pool fails all its tasks, one of which is the cause."""
        if self._make is None:
            raise ExternalToolError(
                "the pool is broken: one of its processes died",
                context=str(error),
                hint="finished runs are kept; with a function that creates the pool "
                "(executor=lambda: ProcessPoolExecutor(2)) a sweep goes on",
            ) from error
        for future in list(self._flying):
            if future.done() and not future.cancelled() and future.exception() is None:
                self._land(future)
        lost = [run, *self._flying.values()]
        self._flying.clear()
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._executor = self._make()
        if len(lost) == 1:
            self._lose(run, "its process died", self._suspects)
        else:
            self._suspects.extend(lost)


def _share(executor: concurrent.futures.Executor, content: dict[str, bytes]) -> Any:
    """A reference to the content in a task, so that a large model is sent once and not with each
    task; the content itself where the executor does not support references."""
    if (share := getattr(executor, "share", None)) is not None:
        return share(content)
    # Dask's executor has no public access to its client.
    if (scatter := getattr(getattr(executor, "_client", None), "scatter", None)) is not None:
        return scatter([content], broadcast=True)[0]
    return content


def _cell_of(run: _Run) -> str:
    return (run.id or "").rpartition("/")[0]


def json_lines(text: str) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        with contextlib.suppress(ValueError):
            if isinstance(value := json.loads(line), dict):
                yield value


def _records(folder: pathlib.Path) -> Iterator[tuple[str, bytes]]:
    """run.json of the existing runs."""
    for file in folder.glob("cells/*/*/run.json"):
        yield file.relative_to(folder).as_posix(), file.read_bytes()
