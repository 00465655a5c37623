"""A run as one file: capsules are written and checked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from planex import _core
from planex._document import Document
from planex._options import PathLike, options
from planex._options import path as _path

if TYPE_CHECKING:
    from planex import documents


def archive(
    path: PathLike,
    output: PathLike,
    *,
    with_weights: bool = False,
    redact: bool = False,
    salt: str = "",
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
) -> documents.Archive:
    """Packs all files of an engine into one file, a capsule, which :func:`open` can open.

    Parameters
    ----------
    path : path
        As for :func:`open`.
    output : path
        The capsule; ends in .planex, .tea or .zip.
    with_weights : bool
        Include the weights of the ONNX model; by default only its operations.
    redact : bool
        Replace names of layers, tensors, files, hosts and users by hashes.
    salt : str
        With `redact`: a secret, without which names cannot be guessed by trial.
    model : path, optional
        The ONNX model that the engine was built from.
    name : str, optional
        Name shown for the engine; default: that of its file or folder.
    graph, profile, times, metadata, log, nsight, accuracy : path, optional
        Files with names that planex would not find.
    profile_index : int, optional
        The optimization profile to show; default: the first.
    run : int, optional
        For a log of several runs: the one to show, from 1.

    Returns
    -------
    Document
        planex.archive/1: its contents.

    Raises
    ------
    UsageError
        The output would overwrite a file of the engine, or has a different ending.

    Examples
    --------
    >>> import planex, tempfile, pathlib
    >>> capsule = pathlib.Path(tempfile.mkdtemp()) / "run.planex"
    >>> len(planex.archive("examples/engines/resnet18-a100-qat", capsule).files) > 1
    True
    >>> planex.verify(capsule).is_intact
    True
    >>> len(planex.open(capsule).layers)
    37
    """
    given = options(
        path=_path(path),
        output=_path(output),
        with_weights=with_weights,
        redact=redact,
        salt=salt,
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
    )

    # Once: displaying it must not write it again.
    text = _core.call(None, "archive", given).decode()
    return cast("documents.Archive", Document(json.loads(text), lambda _: text))


def verify(path: PathLike) -> documents.Verify:
    """Verifies a capsule against the hashes in it.

    Parameters
    ----------
    path : path
        A capsule written by :func:`archive`.

    Returns
    -------
    Document
        planex.verify/1: ``is_intact``, and ``members`` with the ``state`` of each.

    Raises
    ------
    BadInputError
        It is not a capsule, or truncated.

    Examples
    --------
    >>> import planex, tempfile, pathlib
    >>> capsule = pathlib.Path(tempfile.mkdtemp()) / "run.planex"
    >>> _ = planex.archive("examples/engines/resnet18-a100-qat", capsule, redact=True)
    >>> {member.state for member in planex.verify(capsule).members}
    {'intact'}
    """
    given = options(path=_path(path))

    def render(format: str) -> str:
        return _core.call(None, "verify", [*given, ("format", format)]).decode()

    return cast("documents.Verify", Document(json.loads(render("json")), render))
