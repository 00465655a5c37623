"""Opening engines, and finding them."""

from __future__ import annotations

import json
from collections.abc import Iterable

from planex import _core
from planex._document import Rows, table_rows
from planex._engine import Engine, PathLike
from planex._options import options
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
        A layer file, a folder, an archive (.planex, .zip, .tea), or what names of files have in
        common.
    model : path, optional
        The ONNX model it was made of.
    name : str, optional
        Name to show; else that of its file or folder.
    graph, profile, times, metadata, log, nsight, accuracy : path, optional
        Files that are called something else than what is found.
    profile_index : int, optional
        The optimization profile to show; else the first.
    run : int, optional
        Of a log of several runs the one to show, from 1; else the last of those that tell most.
    within : iterable of path
        Folders: what lies elsewhere is not there, whatever links and names in files lead to it.
        Without any, every file can be read.

    Returns
    -------
    Engine
        Read, completed and linted: what follows is quick.

    Raises
    ------
    NotFoundError
        A file is missing.
    BadInputError
        A file is not what it should be: `file`, `json_pointer` and `byte_offset` say where.
    UnsupportedError
        It is of a kind that planex does not read.
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
    """The engines below some folders, a row each: ``path``, ``engine``, ``device``, ``latency_ms``,
    ``layers_ms``, ``layer_count``, ``finding_count``, and ``error`` where it can't be read.

    Parameters
    ----------
    *folders : path
        Where to look; else here.
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
