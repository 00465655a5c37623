"""Data sets: the layers of many engines as Parquet files, which other tools read with a glob."""

from __future__ import annotations

import concurrent.futures
import contextlib
import hashlib
import json
import os
import pathlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from planex import _core, _progress
from planex._engine import Engine
from planex._errors import NotFoundError, PlanexError
from planex._open import find, open
from planex._options import PathLike

if TYPE_CHECKING:
    import duckdb
    import pandas
    import polars
    import pyarrow

_INSTALL = "pip install 'planex-explorer[parquet]'"
# A larger file is identified by size and date only: hashing it takes longer than reading the
# engine.
_HASHED_BYTES = 64 * 1024 * 1024
# These contain no engine; a folder that also has other files is searched.
_NO_ENGINE = {".css", ".html", ".ipynb", ".md", ".parquet", ".pdf", ".png", ".py", ".sh", ".svg"}
_STATE = "planex.dataset-state/1"
_KEYS = (
    "engine",
    "engine_name",
    "model",
    "model_sha256",
    "build",
    "device",
    "producer",
    "producer_version",
    "batch_size",
    "time_basis",
    "date",
    "git",
)
_ERRORS = ("engine", "code", "message", "file", "json_pointer", "hint")

Json = dict[str, Any]
# Name, Arrow type, value as in JSON.
Key = list[Any]


class Built(NamedTuple):
    """Result of :meth:`Dataset.build`."""

    #: Engines in the data set now.
    engines: int
    #: Engines that were read.
    read: int
    #: Engines that had not changed.
    kept: int
    #: Engines that no longer exist.
    removed: int
    #: Engines that can't be read, one row each in :attr:`Dataset.errors`.
    errors: int


class Dataset:
    """The layers of all engines below a folder: one row per layer, with keys.

    :meth:`build` writes a Parquet file for each engine, and reads only engines whose files have
    changed since. Needs pyarrow, the extra ``parquet``.

    The keys are ``engine`` (its path relative to the folder), ``engine_name``, ``model``,
    ``model_sha256``, ``build`` (command or builder options), ``device``, ``producer``,
    ``producer_version``, ``batch_size``, ``time_basis``, ``date`` and ``git``. Values that the
    files do not record are null. The other columns are those of the table ``work_layers``; a
    field's metadata has its unit.

    Parameters
    ----------
    folder : path
        The folder to search, with its subfolders.
    store : path, optional
        The folder for the data set's files; else ``.planex-dataset`` in `folder`.

    Examples
    --------
    >>> import planex, tempfile
    >>> dataset = planex.Dataset("examples/engines", store=tempfile.mkdtemp())
    >>> dataset.build().engines
    10
    >>> dataset.build().read
    0
    >>> len(dataset.to_arrow().column("engine").unique())
    10
    """

    def __init__(self, folder: PathLike, store: PathLike | None = None) -> None:
        self.folder = pathlib.Path(folder)
        if not self.folder.is_dir():
            raise NotFoundError("there is no such folder", file=str(folder))
        self.store = pathlib.Path(store) if store else self.folder / ".planex-dataset"

    def __repr__(self) -> str:
        return f"<planex.Dataset {self.folder}>"

    # --- Building ---------------------------------------------------------------------------------

    def build(
        self,
        *,
        workers: int | None = None,
        progress: Callable[[int, int], object] | Literal["auto"] | None = "auto",
    ) -> Built:
        """Brings the data set up to date.

        An engine that can't be read becomes a row of :attr:`errors`. Work finished before an
        interruption is not repeated.

        Parameters
        ----------
        workers : int, optional
            Threads; default: one per processor.
        progress : callable, "auto" or None
            Called with the number of finished folders and of all folders; "auto" shows progress in
            a notebook and on a terminal.

        Returns
        -------
        Built
            Number of engines in total, read, kept, and unreadable.

        Raises
        ------
        NotFoundError
            pyarrow is not installed.

        Examples
        --------
        >>> import planex, tempfile
        >>> dataset = planex.Dataset("examples/engines", store=tempfile.mkdtemp())
        >>> dataset.build()
        Built(engines=10, read=10, kept=0, removed=0, errors=0)
        """
        _parquet()
        for name in ("layers", "state"):
            (self.store / name).mkdir(parents=True, exist_ok=True)
        folders = dict(self._folders())
        before = self._states()
        gone = [state for folder, state in before.items() if folder not in folders]
        for state in gone:
            self._remove(state)
        read = kept = removed = 0
        removed += sum(len(state["engines"]) for state in gone)
        states: list[Json] = []
        with contextlib.ExitStack() as stack:
            if progress == "auto":
                progress = _counts(stack.enter_context(_progress.line("data set")))
            pool = stack.enter_context(
                concurrent.futures.ThreadPoolExecutor(workers or os.cpu_count())
            )
            tasks = [
                pool.submit(self._folder, folder, folders[folder], before.get(folder))
                for folder in sorted(folders)
            ]
            try:
                for done, task in enumerate(concurrent.futures.as_completed(tasks), 1):
                    state, is_new = task.result()
                    states.append(state)
                    if is_new:
                        read += len(state["engines"])
                    else:
                        kept += len(state["engines"])
                    if progress is not None:
                        progress(done, len(tasks))
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        errors = [error for state in states for error in state["errors"]]
        self._write_errors(sorted(errors, key=lambda error: str(error["engine"])))
        return Built(read + kept, read, kept, removed, len(errors))

    def _folders(self) -> Iterator[tuple[str, list[str]]]:
        """Each folder with files that could belong to an engine, and the folders in it."""
        store = self.store.resolve()
        for folder, below, files in os.walk(self.folder):
            below[:] = [one for one in below if (pathlib.Path(folder) / one).resolve() != store]
            if any(pathlib.PurePath(file).suffix.lower() not in _NO_ENGINE for file in files):
                yield os.path.relpath(folder, self.folder), list(below)

    def _states(self) -> dict[str, Json]:
        states = {}
        for file in (self.store / "state").glob("*.json"):
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                state = json.loads(file.read_text(encoding="utf-8"))
                if state["schema"] == _STATE:
                    states[state["folder"]] = state
        return states

    def _state_file(self, folder: str) -> pathlib.Path:
        return self.store / "state" / f"{_short(folder)}.json"

    def _remove(self, state: Json) -> None:
        for name in state["engines"].values():
            (self.store / "layers" / name).unlink(missing_ok=True)
        self._state_file(state["folder"]).unlink(missing_ok=True)

    def _folder(self, folder: str, below: list[str], before: Json | None) -> tuple[Json, bool]:
        """The state of a folder, and whether its engines were read for it."""
        place = self.folder / folder
        files = _stamps(place)
        keys = self._more_keys(folder)
        if before is not None and self._is_current(before, place, files, keys):
            return before, False
        hashes = {name: _hash(place / name) for name in files}
        if before is not None:
            self._remove(before)
        state: Json = {
            "schema": _STATE,
            "planex": _core.version(),
            "folder": folder,
            "files": {name: [*stamp, hashes[name]] for name, stamp in files.items()},
            "keys": keys,
            "engines": {},
            "errors": [],
        }
        for path, engine in self._engines(place, below):
            name = os.path.relpath(path, self.folder)
            if isinstance(engine, Engine):
                file = f"{_short(name)}.parquet"
                self._write_layers(self.store / "layers" / file, name, place, engine, keys)
                state["engines"][name] = file
            else:
                values = (getattr(engine, key, None) for key in _ERRORS[1:])
                state["errors"].append(dict(zip(_ERRORS, (name, *values), strict=True)))
        # Written last: without it, the folder is not finished.
        text = json.dumps(state, ensure_ascii=True)
        _replace(self._state_file(folder), lambda file: file.write_text(text, encoding="utf-8"))
        return state, True

    def _more_keys(self, folder: str) -> list[Key]:
        """Keys of the engines in a folder in addition to the common ones."""
        return []

    def _is_current(
        self, state: Json, place: pathlib.Path, files: dict[str, list[int]], keys: list[Key]
    ) -> bool:
        if state["planex"] != _core.version() or state["files"].keys() != files.keys():
            return False
        if state.get("keys", []) != keys:
            return False
        if not all((self.store / "layers" / file).is_file() for file in state["engines"].values()):
            return False
        for name, stamp in files.items():
            *known, digest = state["files"][name]
            if known == stamp:
                continue
            # Written again, perhaps with the same content.
            if known[0] != stamp[0] or digest is None or _hash(place / name) != digest:
                return False
        return True

    def _engines(
        self, place: pathlib.Path, below: list[str]
    ) -> Iterator[tuple[str, Engine | PlanexError]]:
        """The engines of a folder, without its subfolders."""
        if not below:
            try:
                engine = open(place)
            except PlanexError:
                pass  # Several engines, or none, or a bad one.
            else:
                yield str(place), engine
                return
        for row in find(place):
            first = pathlib.Path(os.path.relpath(row.path, place)).parts[:1]
            if first and first[0] in below:
                continue
            try:
                yield row.path, open(row.path)
            except PlanexError as error:
                yield row.path, error

    # --- Files ------------------------------------------------------------------------------------

    def _write_layers(
        self, file: pathlib.Path, name: str, place: pathlib.Path, engine: Engine, more: list[Key]
    ) -> None:
        import pyarrow

        table = engine.work_layers
        values = _keys(name, place, engine)
        keys = [[key, "int64" if key == "batch_size" else "string", values[key]] for key in _KEYS]
        columns = table.to_arrow()
        arrays, fields = [], []
        for key, kind, value in [*keys, *more]:
            scalar = pyarrow.scalar(value, kind)
            arrays.append(pyarrow.repeat(scalar, len(table)))
            fields.append(pyarrow.field(key, scalar.type))
        for field in columns.schema:
            column = table.schema[field.name]
            said = {"unit": column.unit, "description": column.description}
            arrays.append(columns.column(field.name))
            fields.append(field.with_metadata({key: text for key, text in said.items() if text}))
        whole = pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields))
        _replace(file, lambda path: _parquet().write_table(whole, path, compression="zstd"))

    def _write_errors(self, errors: list[Json]) -> None:
        import pyarrow

        schema = pyarrow.schema([(key, pyarrow.string()) for key in _ERRORS])
        table = pyarrow.Table.from_pylist(errors, schema=schema)
        _replace(self.store / "errors.parquet", lambda path: _parquet().write_table(table, path))

    # --- Reading ----------------------------------------------------------------------------------

    @property
    def glob(self) -> str:
        """The glob for other tools: ``duckdb.sql(f"FROM '{dataset.glob}'")``,
        ``polars.scan_parquet(dataset.glob)``."""
        return str(self.store / "layers" / "*.parquet")

    @property
    def files(self) -> list[pathlib.Path]:
        """The Parquet files, one per engine."""
        return sorted((self.store / "layers").glob("*.parquet"))

    @property
    def errors(self) -> list[Json]:
        """Engines that can't be read: engine, code, message, file, json_pointer and hint."""
        file = self.store / "errors.parquet"
        rows: list[Json] = _parquet().read_table(file).to_pylist() if file.exists() else []
        return rows

    def to_arrow(self) -> pyarrow.Table:
        """All layers as a pyarrow table.

        Returns
        -------
        pyarrow.Table
            A row for each layer; a field's metadata has its unit.

        Raises
        ------
        NotFoundError
            It contains no engine, or was not built.

        Examples
        --------
        >>> import planex, tempfile
        >>> dataset = planex.Dataset("examples/engines", store=tempfile.mkdtemp())
        >>> built = dataset.build()
        >>> dataset.to_arrow().schema.field("median_ms").metadata[b"unit"]
        b'ms'
        """
        files = self.files
        if not files:
            raise NotFoundError("the data set is empty", file=str(self.store), hint="build() it")
        # A parent folder called a=b is not a column.
        table = _parquet().read_table([str(file) for file in files], partitioning=None)
        return table

    def to_pandas(self) -> pandas.DataFrame:
        """All layers as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            A row for each layer.

        Examples
        --------
        >>> import planex, tempfile
        >>> dataset = planex.Dataset("examples/engines", store=tempfile.mkdtemp())
        >>> built = dataset.build()
        >>> sorted(dataset.to_pandas()["producer"].unique())
        ['onnxruntime', 'openvino', 'tensorrt']
        """
        return self.to_arrow().to_pandas()

    def to_polars(self) -> polars.DataFrame:
        """All layers as a polars data frame.

        Returns
        -------
        polars.DataFrame
            A row for each layer.

        Examples
        --------
        >>> import planex, tempfile
        >>> dataset = planex.Dataset("examples/engines", store=tempfile.mkdtemp())
        >>> built = dataset.build()
        >>> dataset.to_polars()["engine"].n_unique()
        10
        """
        import polars

        return polars.from_arrow(self.to_arrow())

    def sql(self, query: str) -> duckdb.DuckDBPyRelation:
        """The rows of a DuckDB query over ``layers`` and ``errors``. Needs duckdb.

        Parameters
        ----------
        query : str
            A statement in DuckDB's SQL.

        Returns
        -------
        duckdb.DuckDBPyRelation
            Its rows: ``.df()``, ``.pl()``, ``.fetchall()``.

        Examples
        --------
        >>> import planex, tempfile
        >>> dataset = planex.Dataset("examples/engines", store=tempfile.mkdtemp())
        >>> built = dataset.build()
        >>> query = "SELECT count(DISTINCT engine) FROM layers WHERE family = 'convolution'"
        >>> dataset.sql(query).fetchall()[0][0] > 2
        True
        """
        import duckdb

        connection = duckdb.connect()
        for name, path in (("layers", self.glob), ("errors", str(self.store / "errors.parquet"))):
            quoted = path.replace("'", "''")
            connection.execute(f"CREATE VIEW {name} AS FROM read_parquet('{quoted}')")
        return connection.sql(query)


def _counts(line: _progress.Line) -> Callable[[int, int], object]:
    return lambda done, total: line.show("data set:", done / total, f"{done} of {total} folders")


def _parquet() -> Any:
    try:
        import pyarrow.parquet
    except ImportError:
        raise NotFoundError("pyarrow is not installed", hint=_INSTALL) from None
    return pyarrow.parquet


def _short(name: str) -> str:
    """A file's name for a path of any length and any bytes."""
    return hashlib.sha256(os.fsencode(name)).hexdigest()[:24]


def _stamps(folder: pathlib.Path) -> dict[str, list[int]]:
    """Size and date of the files of a folder."""
    stamps = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_file():
                state = entry.stat()
                stamps[entry.name] = [state.st_size, state.st_mtime_ns]
    return stamps


def _hash(file: pathlib.Path) -> str | None:
    if file.stat().st_size > _HASHED_BYTES:
        return None
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _replace(file: pathlib.Path, write: Callable[[pathlib.Path], object]) -> None:
    """All or nothing: another process may read it meanwhile, or the program may be ended."""
    part = file.with_name(file.name + ".part")
    write(part)
    part.replace(file)


def _keys(name: str, place: pathlib.Path, engine: Engine) -> Json:
    about = engine.engine.to_pylist()[0]
    manifest = _manifest(place, {str(row["file"]) for row in engine.files})
    model = manifest.get("model")
    model = model if isinstance(model, dict) else {}
    said = {
        section: {row["key"]: row["value"] for row in engine.metadata if row["section"] == section}
        for section in ("model_options", "build_options")
    }
    commands = manifest.get("commands")
    build = commands or said["build_options"]
    git = manifest.get("git")
    values = {
        "engine": name,
        "engine_name": about["name"],
        "model": model.get("path") or said["model_options"].get("Model"),
        "model_sha256": model.get("sha256"),
        "build": json.dumps(build, ensure_ascii=False) if build else None,
        "time_basis": engine.summary().to_dict()["time"].get("share_basis"),
        "date": manifest.get("date"),
        "git": git.get("commit") if isinstance(git, dict) else git,
    }
    for key in ("device", "producer", "producer_version", "batch_size"):
        values[key] = about[key]
    # A manifest can contain anything instead of a text.
    return {
        key: value if key == "batch_size" or isinstance(value, str) else None
        for key, value in values.items()
    }


def _manifest(place: pathlib.Path, files: set[str]) -> Json:
    """What planex process wrote about the engine; empty if it does not belong to these files."""
    with contextlib.suppress(OSError, ValueError, TypeError, AttributeError, KeyError):
        for file in place.glob("*manifest.json"):
            manifest = json.loads(file.read_text(encoding="utf-8"))
            named = {os.path.realpath(place / one["file"]) for one in manifest["artefacts"]}
            if named & {os.path.realpath(one) for one in files}:
                return manifest  # type: ignore[no-any-return]
    return {}
