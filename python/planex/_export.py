"""planex-export: the program that ``planex export --format parquet`` and ``arrow`` call.

    planex-export --format parquet [--output FILE | --folder FOLDER] [--table TABLE]... -- path=run/

An engine is a word ``path=…`` and the options after it: name, model, graph, profile, times,
metadata, log, nsight, accuracy, profile-index, run, as in planex_open.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pathlib
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING

from planex import _core
from planex._engine import Engine
from planex._engines import Engines
from planex._errors import EXIT_CODES, IoError, NotFoundError, PlanexError, UsageError
from planex._options import Options

if TYPE_CHECKING:
    import pyarrow


def _engines(words: Sequence[str]) -> list[Engine]:
    given: list[Options] = []
    for word in words:
        name, equals, value = word.partition("=")
        if name == "path":
            given.append([])
        if not equals or not given:
            raise UsageError(f"{word} is not an option of an engine", hint="path=run/")
        given[-1].append((name, os.fsencode(value)))
    return [Engine(_core.open(options)) for options in given]


def _table(engines: Sequence[Engine], names: Sequence[str], name: str) -> pyarrow.Table:
    """A table of one engine, or of several with their names in front. The core stores the unit and
    description of each column in its metadata."""
    import pyarrow

    tables = []
    for engine, label in zip(engines, names, strict=True):
        table = pyarrow.table(engine.table(name))
        if len(engines) > 1:
            labels = pyarrow.repeat(pyarrow.scalar(label, pyarrow.large_string()), len(table))
            field = pyarrow.field("engine", labels.type, metadata={"description": "The engine"})
            table = table.add_column(0, field, labels)
        tables.append(table)
    whole = pyarrow.concat_tables(tables)
    about = {**(whole.schema.metadata or {}), b"planex": _core.version().encode()}
    return whole.replace_schema_metadata(about)


def _write(table: pyarrow.Table, format: str, file: IO[bytes]) -> None:
    if format == "parquet":
        import pyarrow.parquet

        pyarrow.parquet.write_table(table, file, compression="zstd")
        return
    import pyarrow.ipc

    with pyarrow.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


class _Files:
    """Files that appear all at once, or not at all."""

    def __init__(self) -> None:
        self._waiting: list[tuple[pathlib.Path, pathlib.Path]] = []

    def open(self, path: pathlib.Path) -> IO[bytes]:
        # A link is kept: its target is written.
        target = pathlib.Path(os.path.realpath(path))
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:50]}.", dir=target.parent)
        part = pathlib.Path(name)
        self._waiting.append((part, target))
        if target.exists():
            shutil.copymode(target, part)
        else:
            mask = os.umask(0)
            os.umask(mask)
            part.chmod(0o666 & ~mask)
        return os.fdopen(handle, "wb")

    def finish(self) -> None:
        while self._waiting:
            part, target = self._waiting[-1]
            part.replace(target)
            self._waiting.pop()

    def drop(self) -> None:
        for part, _ in self._waiting:
            part.unlink(missing_ok=True)


class _Stopped(BaseException):
    """A signal requested the end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextlib.contextmanager
def _io_errors(path: str | None) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise IoError(f"can't write the file: {error.strerror or error}", file=path) from None


def _check_inputs(engines: Sequence[Engine], paths: Sequence[pathlib.Path]) -> None:
    inputs = {os.path.realpath(str(row["file"])) for engine in engines for row in engine.files}
    for path in paths:
        if os.path.realpath(path) in inputs:
            raise UsageError(
                "the output would overwrite an input file",
                file=str(path),
                hint="choose another name for -o",
            )


def _export(given: argparse.Namespace, files: _Files) -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        hint = "python3 -m pip install 'planex-explorer[parquet]'"
        raise NotFoundError("pyarrow is not installed", hint=hint) from None
    names: list[str] = given.table or ["layers"]
    paths = []
    if given.folder is not None:
        folder = pathlib.Path(given.folder)
        with _io_errors(given.folder):
            folder.mkdir(parents=True, exist_ok=True)
        paths = [folder / f"{name}.{given.format}" for name in names]
    elif given.output is not None:
        paths = [pathlib.Path(given.output)]
    engines = _engines(given.engine)
    labels = Engines(engines).names
    _check_inputs(engines, paths)
    if not paths:
        with _io_errors(None):
            _write(_table(engines, labels, names[0]), given.format, sys.stdout.buffer)
            sys.stdout.buffer.flush()
        return
    for name, path in zip(names, paths, strict=True):
        table = _table(engines, labels, name)
        with _io_errors(str(path)), files.open(path) as file:
            _write(table, given.format, file)
    with _io_errors(str(paths[0])):
        files.finish()


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes tables. Returns the exit status, like the command line."""
    parser = argparse.ArgumentParser(
        prog="planex-export", description="Write tables of engines for `planex export`."
    )
    parser.add_argument("--format", choices=("parquet", "arrow"), required=True)
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--output", metavar="FILE")
    place.add_argument("--folder", metavar="FOLDER")
    parser.add_argument("--table", action="append")
    parser.add_argument("engine", metavar="path=PLAN", nargs="+")
    given = parser.parse_args(arguments)
    files = _Files()

    def stop(number: int, frame: object) -> None:
        raise _Stopped(number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, stop)
    try:
        _export(given, files)
    except PlanexError as error:
        print(f"error: {error}".replace("\n", "\n  "), file=sys.stderr)
        # Unwritten output is not retried when Python exits.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_CODES[error.code]
    except _Stopped as stopped:
        files.drop()
        signal.signal(stopped.number, signal.SIG_DFL)
        os.kill(os.getpid(), stopped.number)
    finally:
        files.drop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
