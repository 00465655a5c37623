"""Sweeps: one model over a grid, here or on the workers of an executor."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import pathlib
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, cast

from planex import _core, _program, _progress
from planex._dataset import Dataset, Key
from planex._document import Document, Rows
from planex._errors import ExternalToolError, NotFoundError, UsageError
from planex._options import PathLike, options, path
from planex._pictures import Report
from planex._sweep_runs import Executor, Order, Runs, json_lines
from planex._table import Table

if TYPE_CHECKING:
    import duckdb
    import pyarrow

    from planex import documents

Value = str | int | float | bool | Iterable[int]
Vary = Mapping[str, Iterable[Value]] | Iterable[str]
Progress = Callable[[int, int], object]


class Sweep(Dataset):
    """A sweep: builds of one model over a grid, as :func:`sweep` and ``planex sweep`` write them.

    It is also a data set of their layers: in addition to its keys, a row has ``cell`` and
    ``cell_run``, and one column per axis such as ``cell_batch``. New files in the folder are read
    when rows are requested.

    Parameters
    ----------
    folder : path
        The folder of the sweep.
    store : path, optional
        The folder for the data set's files; else ``.planex-dataset`` in `folder`.

    Raises
    ------
    NotFoundError
        It contains no sweep.

    Examples
    --------
    >>> import planex
    >>> sweep = planex.Sweep("tests/data/sweep")
    >>> sweep
    <planex.Sweep tests/data/sweep: 12 cells, 6 failed>
    >>> sweep.cells.to_pandas()[["batch", "threads", "latency_ms"]].dropna().shape
    (6, 3)
    >>> sweep.cliffs[0].work_ratio
    2.0
    """

    def __init__(self, folder: PathLike, store: PathLike | None = None) -> None:
        super().__init__(folder, store)
        given = options(path=path(folder))

        def render(format: str) -> str:
            return _core.call(None, "sweep", [*given, ("format", format)]).decode()

        def cells() -> Table:
            return Table(_core.call_table(None, "sweep", given), "cells")

        self._document = Document(json.loads(render("json")), render, rows=cells)

    @property
    def document(self) -> documents.Sweep:
        """The result of the sweep: planex.sweep/1."""
        return cast("documents.Sweep", self._document)

    @property
    def cells(self) -> Table:
        """One row per cell: its value on each axis, then its figures, or its error."""
        return self._document.to_table()

    @property
    def cliffs(self) -> Rows[documents.SweepCliff]:
        """Steps along an axis that cost more than their work explains, the most expensive first."""
        return self.document.cliffs

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries and lists.

        Returns
        -------
        dict
            What ``planex sweep --format json`` prints.

        Examples
        --------
        >>> import planex
        >>> planex.Sweep("tests/data/sweep").to_dict()["schema"]
        'planex.sweep/1'
        """
        return self._document.to_dict()

    def report(self, path: PathLike | None = None) -> Report:
        """The sweep and the engines of its most informative cells, as one page.

        Parameters
        ----------
        path : path, optional
            A file to write it to.

        Returns
        -------
        Report
            The page.

        Raises
        ------
        PlanexError
            No cell could be built.

        Examples
        --------
        >>> import planex
        >>> "<html" in planex.Sweep("tests/data/sweep").report().html
        True
        """
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "report.html"
            code, _, said = _program.run(["report", str(self.folder), f"--output={file}"])
            if code != 0:
                raise _program.error(code, said)
            page = Report(file.read_text(encoding="utf-8"))
        if path is not None:
            page.save(os.fsdecode(path))
        return page

    def to_arrow(self) -> pyarrow.Table:
        """The layers of all runs as a pyarrow table; new runs are read first.

        Returns
        -------
        pyarrow.Table
            One row per layer and run.

        Raises
        ------
        NotFoundError
            No run is finished.

        Examples
        --------
        >>> import planex, tempfile
        >>> sweep = planex.Sweep("tests/data/sweep", store=tempfile.mkdtemp())
        >>> sorted(sweep.to_arrow().column("cell_batch").unique().to_pylist())
        [1, 2, 4]
        """
        self.build(progress=None)
        return super().to_arrow()

    def sql(self, query: str) -> duckdb.DuckDBPyRelation:
        """Like :meth:`Dataset.sql`; new runs are read first.

        Parameters
        ----------
        query : str
            A statement in DuckDB's SQL, over ``layers`` and ``errors``.

        Returns
        -------
        duckdb.DuckDBPyRelation
            Its rows: ``.df()``, ``.pl()``, ``.fetchall()``.

        Examples
        --------
        >>> import planex, tempfile
        >>> sweep = planex.Sweep("tests/data/sweep", store=tempfile.mkdtemp())
        >>> query = "SELECT count(DISTINCT cell), count(DISTINCT engine) FROM layers"
        >>> sweep.sql(query).fetchall()
        [(6, 18)]
        """
        self.build(progress=None)
        return super().sql(query)

    # --- The data set -----------------------------------------------------------------------------

    def _folders(self) -> Iterator[tuple[str, list[str]]]:
        """Runs of this grid: the folder can also contain those of an earlier one."""
        for folder in self._runs:
            if (self.folder / folder / "run.json").is_file():
                yield folder, []

    @functools.cached_property
    def _runs(self) -> dict[str, list[Key]]:
        """The keys of each run, by its folder."""
        axes = [(f"cell_{axis.name}", _kind(axis["values"])) for axis in self.document.axes]
        runs: dict[str, list[Key]] = {}
        for cell in self.document.cells:
            values: list[Key] = [
                [name, _ARROW[kind], kind(value)]
                for (name, kind), value in zip(axes, cell["values"], strict=True)
            ]
            for run in range(1, self.document.repeats + 1):
                keys: list[Key] = [["cell", _ARROW[str], cell.id], ["cell_run", _ARROW[int], run]]
                runs[f"cells/{cell.id}/{run}"] = keys + values
        return runs

    def _more_keys(self, folder: str) -> list[Key]:
        return self._runs[folder]

    # --- Display ----------------------------------------------------------------------------------

    def __repr__(self) -> str:
        document = self.document
        counts = [f"{len(document.cells)} cells"]
        for count, word in ((document.failed_count, "failed"), (document.pending_count, "to do")):
            counts += [f"{count} {word}"] if count else []
        return f"<planex.Sweep {self.folder}: {', '.join(counts)}>"

    def __str__(self) -> str:
        return str(self._document)

    def _repr_markdown_(self) -> str | None:
        return self._document._repr_markdown_()


_ARROW: dict[type, str] = {int: "int64", float: "float64", str: "string"}


def _kind(values: Iterable[str]) -> type[int] | type[float] | type[str]:
    """The common kind of all values of an axis."""
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            for value in values:
                kind(value)
            return kind
    return str


# --- Sweeping -------------------------------------------------------------------------------------


def sweep(
    model: PathLike,
    folder: PathLike,
    *,
    vary: Vary,
    repeat: int = 3,
    engine: str = "openvino",
    executor: Executor | None = None,
    shapes: Mapping[str, Iterable[int]] | None = None,
    threads: int | None = None,
    precision: str | None = None,
    launcher: Iterable[str] = (),
    flags: Iterable[str] = (),
    program: PathLike | None = None,
    python: PathLike | None = None,
    timeout: float | None = None,
    lock_clocks: bool | int = False,
    fresh: bool = False,
    progress: Progress | Literal["auto"] | None = "auto",
) -> Sweep:
    """Builds and measures a model over a grid, each cell several times, in rounds.

    Runs that are finished in the folder, with the same inputs, are not repeated. With an executor,
    each run is a task, on this machine or others, which need no shared disk; without one,
    everything is done here, one run after the other.

    Parameters
    ----------
    model : path
        The model, as ONNX.
    folder : path
        The folder of the sweep; created if missing.
    vary : mapping, or iterable of str
        Values by axis: ``{"batch": [1, 2], "fp16": [True, False], "shape:input": [(1, 3, 8, 8)]}``;
        or as on the command line: ``["batch=1,2"]``.
    repeat : int
        Builds per cell.
    engine : str
        The engine to build with, if it is not an axis.
    executor : concurrent.futures.Executor or callable, optional
        Where runs are placed: a pool, Dask's ``client.get_executor()``, :class:`RayExecutor`; or a
        function that creates one, which is called again when one of its processes was killed.
    shapes : mapping, optional
        Dimensions by input, in all cells.
    threads : int, optional
        Threads per inference; default: 1.
    precision : str, optional
        Precision of everything that the model does not quantize.
    launcher : iterable of str
        Words before every command of the engine.
    flags : iterable of str
        Flags passed unchanged to the engine's own program.
    program : path, optional
        The engine's own program, such as trtexec; on workers, theirs.
    python : path, optional
        The Python that has the engine's package; default: that of the process that does a run.
    timeout : float, optional
        End a program of the engine that takes longer, in seconds.
    lock_clocks : bool or int
        Lock the clocks while an engine runs, at what the device can sustain or at this many MHz.
    fresh : bool
        Rerun everything, including finished runs.
    progress : callable, "auto" or None
        Called with the number of finished runs and of all runs to do; "auto" shows it in a notebook
        and on a terminal. An exception in it, or Ctrl-C, stops the work.

    Returns
    -------
    Sweep
        The contents of the folder. A cell that can't be built is a row with its error. Notes about
        the engines, and about workers that differ, are warnings.

    Raises
    ------
    NotFoundError
        The model is missing.
    UsageError
        The grid is invalid.
    ExternalToolError
        No cell could be built, or the executor completes no task.
    """
    launched = list(launcher)
    if not launched and not pathlib.Path(os.fsdecode(model)).is_file():
        raise NotFoundError("there is no such model file", file=os.fsdecode(model))
    given: dict[str, object] = {
        "engine": engine,
        "repeat": repeat,
        "threads": threads,
        "precision": precision,
        "launcher": " ".join(launched) or None,
        "program": None if program is None else _anywhere(program),
        "python": None if python is None else _anywhere(python),
        "timeout": timeout,
    }
    words = [f"--{name}={value}" for name, value in given.items() if value is not None]
    if lock_clocks is not False:
        words.append("--lock-clocks" if lock_clocks is True else f"--lock-clocks={lock_clocks}")
    words += [f"--vary={axis}" for axis in _axes(vary)]
    words += [f"--shape={name}={_text(tuple(dims))}" for name, dims in (shapes or {}).items()]
    order = Order(
        model=pathlib.Path(os.fsdecode(model)),
        folder=pathlib.Path(os.fsdecode(folder)),
        words=tuple(words),
        flags=tuple(flags),
        is_own_python=python is None and not launched,
        is_fresh=fresh,
    )
    with contextlib.ExitStack() as stack:
        if progress == "auto":
            progress = _counts(stack.enter_context(_progress.line("sweep")))
        if executor is None:
            notes = _do_here(order, progress)
        else:
            runs = Runs(order, executor, progress)
            runs.do()
            order.ask("--collect")
            notes = list(runs.notes)
            if runs.differences:
                named = ", ".join(sorted(runs.differences))
                notes.append(f"workers differ, so their cells may differ: {named}")
    for note in notes:
        warnings.warn(note, stacklevel=2)
    done = Sweep(folder)
    errors = [cell.error for cell in done.document.cells if cell.state == "failed"]
    if errors and done.document.done_count == 0:
        raise ExternalToolError(
            "no cell could be built",
            file=os.fsdecode(folder),
            context=errors[0],
            hint="see the errors of all cells in planex.Sweep(folder).cells",
        )
    return done


def _do_here(order: Order, progress: Progress | None) -> list[str]:
    """Runs the program; returns its notes."""
    notes: list[str] = []
    talk: list[str] = []

    def tell(line: str) -> None:
        for value in json_lines(line):
            if "note" in value:
                notes.append(value["note"])
            elif progress is not None:
                progress(value["done"], value["total"])
            return
        talk.append(line)

    more = ["--json-progress", *(["--fresh"] if order.is_fresh else [])]
    code, _, _ = _program.run(order.command(*more), tell=tell)
    # A sweep in which all cells failed also has a code, and its errors in the folder.
    if code != 0 and talk:
        raise _program.error(code, "\n".join(talk))
    return notes


def _counts(line: _progress.Line) -> Progress:
    return lambda done, total: line.show("sweep:", done / total, f"{done} of {total} runs")


def _anywhere(program: PathLike) -> str:
    """A path that means the same from every folder; a plain name is searched for by its user."""
    text = os.fsdecode(program)
    return os.path.abspath(text) if os.sep in text else text


def _axes(vary: Vary) -> list[str]:
    if isinstance(vary, str):
        raise UsageError(
            "vary is a single string", hint='vary={"batch": [1, 2]}, or vary=["batch=1,2"]'
        )
    if not isinstance(vary, Mapping):
        return list(vary)
    return [f"{name}={','.join(map(_text, values))}" for name, values in vary.items()]


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, str | int | float):
        text = str(value)
        if "," in text:
            raise UsageError(f"a value of vary contains a comma: {text!r}")
        return text
    return "x".join(map(str, value))
