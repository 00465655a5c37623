"""Opening engines, and finding them."""

from __future__ import annotations

import json
from collections.abc import Iterable

from planex import _core
from planex._document import Rows, table_rows
from planex._engine import Engine
from planex._options import PathLike, options
from planex._options import path as _path


def open(
    path: PathLike,
    *,
    model: PathLike | None = None,
    name: str | None = None,
    graph: PathLike | None = None,
    profile: PathLike | None = None,
    times: PathLike | None = None,
    metadata: PathLike | None = None,
    log: PathLike | None = None,
    nsight: PathLike | None = None,
    accuracy: PathLike | None = None,
    profile_index: int | None = None,
    run: int | None = None,
    within: Iterable[PathLike] = (),
) -> Engine:
    """Opens an engine.

    Parameters
    ----------
    path : path
        A layer file, a folder, an archive (.planex, .zip, .tea), or the common start of file names.
    model : path, optional
        The ONNX model that it was built from.
    name : str, optional
        Name to show; default: that of its file or folder.
    graph, profile, times, metadata, log, nsight, accuracy : path, optional
        Files with names that planex would not find.
    profile_index : int, optional
        The optimization profile to show; default: the first.
    run : int, optional
        For a log of several runs: the one to show, from 1; default: the last of the most
        informative ones.
    within : iterable of path
        Folders: files elsewhere are treated as missing, even if links or names in files point to
        them. By default, every file can be read.

    Returns
    -------
    Engine
        Read, completed and linted: further calls are fast.

    Raises
    ------
    NotFoundError
        A file is missing.
    BadInputError
        A file is not what it should be: `file`, `json_pointer` and `byte_offset` say where.
    UnsupportedError
        It is a kind of file that planex does not read.
    UsageError
        There are several engines under this path; :func:`find` lists them.

    Examples
    --------
    >>> import planex
    >>> engine = planex.open("examples/engines/resnet18-a100-qat")
    >>> planex.open("examples/engines/no-such")
    Traceback (most recent call last):
        ...
    planex.NotFoundError: examples/engines/no-such: ...
    """
    return Engine(
        _core.open(
            options(
                path=_path(path),
                model=model,
                name=name,
                graph=graph,
                profile=profile,
                times=times,
                metadata=metadata,
                log=log,
                nsight=nsight,
                accuracy=accuracy,
                profile_index=profile_index,
                run=run,
                within=[_path(folder) for folder in within],
            )
        )
    )


def find(*folders: PathLike, within: Iterable[PathLike] = ()) -> Rows:
    """The engines below some folders, one row per engine: ``path``, ``engine``, ``device``,
    ``latency_ms``, ``layers_ms``, ``layer_count``, ``finding_count``, and ``error`` where it can't
    be read.

    Parameters
    ----------
    *folders : path
        Where to look; default: the current folder.
    within : iterable of path
        As for :func:`open`.

    Returns
    -------
    Rows
        By path.

    Raises
    ------
    NotFoundError
        There is no such folder.

    Examples
    --------
    >>> import planex
    >>> found = planex.find("examples/engines")
    >>> found[1].path, found[1].layer_count
    ('examples/engines/resnet18-a100-qat', 35)
    """
    given = options(
        path=[_path(folder) for folder in folders or (".",)],
        within=[_path(folder) for folder in within],
    )
    return table_rows(json.loads(_core.call(None, "list", given)))
