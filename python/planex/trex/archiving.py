"""Archives (.tea): an engine and the files about it in one file."""

from __future__ import annotations

import io
import os
import pathlib
import zipfile
from collections.abc import Iterator
from typing import Any, NoReturn, Protocol

from planex._engine import Engine
from planex._open import open as open_engine

__all__ = ["EngineArchive", "get_reader", "get_writer"]

PathLike = str | os.PathLike[str]


class EngineArchive:
    """An archive. :func:`planex.open` reads it like a folder.

    Parameters
    ----------
    archive_filename : path
        An existing file, or a new one.
    override_files : bool
        Written files replace an existing archive. TREx deletes that as soon as this object is
        created, which then can't read it.

    Examples
    --------
    >>> import planex.trex.archiving as archiving, tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "run.tea"
    >>> archive = archiving.EngineArchive(file)
    >>> archive.writef_txt("notes.txt", "batch 8")
    >>> archiving.EngineArchive(file).readf("notes.txt")
    b'batch 8'
    """

    __version__ = "1.0"

    def __init__(self, archive_filename: PathLike, override_files: bool = True) -> None:
        self.archive_filename = os.fspath(archive_filename)
        self.zipf: zipfile.ZipFile | None = None
        self._override = override_files
        self._is_mine = not pathlib.Path(archive_filename).exists()

    def open(self) -> None:
        """Opens it for reading, and for writing new files."""
        self.zipf = zipfile.ZipFile(
            self.archive_filename, "a", compression=zipfile.ZIP_DEFLATED, compresslevel=9
        )

    def close(self) -> None:
        """Writes pending files."""
        if self.zipf is not None:
            self.zipf.close()
            self.zipf = None

    def __enter__(self) -> EngineArchive:
        self.open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _opened(self) -> zipfile.ZipFile:
        if self.zipf is None:
            raise ValueError(f"{self.archive_filename} is not open")
        return self.zipf

    def _begin_writing(self) -> None:
        """Replaces an archive from before this object, once."""
        if self._is_mine:
            return
        if not self._override:
            raise FileExistsError(f"{self.archive_filename} already exists")
        was_open = self.zipf is not None
        self.close()
        pathlib.Path(self.archive_filename).unlink(missing_ok=True)
        self._is_mine = True
        if was_open:
            self.open()

    def writef_txt(self, fname: PathLike, text: str) -> None:
        """Adds a text.

        Parameters
        ----------
        fname : path
            Name in the archive; folders before it are left out.
        text : str
            The file, in UTF-8.

        Raises
        ------
        FileExistsError
            The archive existed before, or contains a file with this name.
        """
        self._write(fname, text.encode())

    def writef_bin(self, fname: PathLike, content: bytes) -> None:
        """Adds bytes; see :meth:`writef_txt`.

        Parameters
        ----------
        fname : path
            Name in the archive; folders before it are left out.
        content : bytes
            The file.
        """
        self._write(fname, bytes(content))

    def _write(self, fname: PathLike, content: bytes) -> None:
        self._begin_writing()
        with self:
            self.writer(fname).write(content)

    def readf(self, fname: PathLike) -> bytes:
        """The content of a file.

        Parameters
        ----------
        fname : path
            Name in the archive; folders before it are left out.

        Returns
        -------
        bytes
            As it was written.

        Raises
        ------
        KeyError
            The archive contains no such file.
        """
        if self.zipf is not None:
            return self.reader(fname).read()
        with zipfile.ZipFile(self.archive_filename) as opened:
            return opened.read(pathlib.PurePath(fname).name)

    def names(self) -> list[str]:
        """The files that it contains.

        Returns
        -------
        list of str
            In the order in which they were written.
        """
        with zipfile.ZipFile(self.archive_filename) as opened:
            return opened.namelist()

    def engine(self) -> Engine:
        """The engine that it describes, as :func:`planex.open` reads it.

        Returns
        -------
        planex.Engine
            With everything that planex knows about it.
        """
        return open_engine(self.archive_filename)

    def writer(self, fname: PathLike) -> _ZipWriter:
        """A writer that adds a file; the archive must be open.

        Parameters
        ----------
        fname : path
            Name in the archive; folders before it are left out.

        Returns
        -------
        object
            With ``write``; works with ``with``.
        """
        self._begin_writing()
        return _ZipWriter(self._opened(), pathlib.PurePath(fname).name)

    def reader(self, fname: PathLike) -> _ZipReader:
        """A reader of a file; the archive must be open.

        Parameters
        ----------
        fname : path
            Name in the archive; folders before it are left out.

        Returns
        -------
        object
            With ``read`` and ``readlines``; works with ``with``.
        """
        return _ZipReader(self._opened(), pathlib.PurePath(fname).name)

    def _needs_tensorrt(self, *_: object) -> NoReturn:
        """Would use TensorRT's own objects, which planex does not load.

        Parameters
        ----------
        *_
            TREx's parameters.

        Raises
        ------
        NotImplementedError
            Always.
        """
        raise NotImplementedError(
            "planex does not load TensorRT; write a build's output with writef_txt and writef_bin"
        )

    archive_build_config = _needs_tensorrt
    archive_timing_cache = _needs_tensorrt
    archive_plan_info = _needs_tensorrt
    Builder = _needs_tensorrt


class _ZipWriter:
    def __init__(self, zipf: zipfile.ZipFile, name: str) -> None:
        self._zipf, self._name = zipf, name

    def __enter__(self) -> _ZipWriter:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def write(self, text: str | bytes) -> None:
        if self._name in self._zipf.namelist():
            raise FileExistsError(f"{self._zipf.filename} already contains a file {self._name}")
        self._zipf.writestr(self._name, text)


class _ZipReader:
    def __init__(self, zipf: zipfile.ZipFile, name: str) -> None:
        self._zipf, self._name = zipf, name

    def __enter__(self) -> _ZipReader:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def read(self) -> bytes:
        return self._zipf.read(self._name)

    def readlines(self) -> Iterator[str]:
        yield from io.StringIO(self.read().decode())


class _Reader(Protocol):
    def read(self, /) -> Any: ...

    def readlines(self, /) -> Any: ...

    def __enter__(self, /) -> Any: ...

    def __exit__(self, /, *_: Any) -> Any: ...


class _Writer(Protocol):
    def write(self, text: Any, /) -> Any: ...

    def __enter__(self, /) -> Any: ...

    def __exit__(self, /, *_: Any) -> Any: ...


def get_writer(tea: EngineArchive | None, fname: PathLike) -> _Writer:
    """A writer of a file: into an open archive, or separately without one.

    Parameters
    ----------
    tea : EngineArchive or None
        The archive.
    fname : path
        The file.

    Returns
    -------
    object
        With ``write``; works with ``with``.
    """
    return tea.writer(fname) if tea is not None else open(fname, "w", encoding="utf-8")


def get_reader(tea: EngineArchive | None, fname: PathLike) -> _Reader:
    """A reader of a file: from an open archive, or separately without one.

    Parameters
    ----------
    tea : EngineArchive or None
        The archive.
    fname : path
        The file.

    Returns
    -------
    object
        With ``read`` and ``readlines``; works with ``with``.
    """
    return tea.reader(fname) if tea is not None else open(fname, encoding="utf-8")
