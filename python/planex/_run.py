"""Verbs that run models: samples on disk, OpenVINO in reach, progress."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import pathlib
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

from planex import _core, _progress
from planex._document import Document
from planex._errors import ExternalToolError, NotFoundError, UsageError
from planex._options import Given, Options, PathLike, options, pairs

#: A path as for ``--data``, or samples: each an array, or a mapping of arrays by input.
Samples = PathLike | Iterable[Any]

#: Called with the engine, the phase (read, compile, warmup, time, profile, write) and the finished
#: part of it, from 0 to 1.
Progress = Callable[[str, str, float], object]

PROGRAMS = pathlib.Path(__file__).parent / "bin"
INSTALL = "pip install 'planex-explorer[openvino]'"


def openvino_libraries() -> pathlib.Path | None:
    """Folder of the libraries in OpenVINO's own wheel; None where it is not installed."""
    spec = importlib.util.find_spec("openvino")
    if spec is None or spec.origin is None:
        return None
    folder = pathlib.Path(spec.origin).parent / "libs"
    return folder if folder.is_dir() else None


# The environment belongs to the whole process.
_environment_lock = threading.Lock()


@contextlib.contextmanager
def openvino_in_reach() -> Iterator[None]:
    """The driver finds OpenVINO next to this package by itself, elsewhere only with an option."""
    libraries = openvino_libraries()
    if libraries is None:
        raise NotFoundError("OpenVINO is not installed", hint=INSTALL)
    if libraries.resolve() == (PROGRAMS / "../../openvino/libs").resolve():
        yield
        return
    with _environment_lock:
        before = os.environ.get("LD_LIBRARY_PATH")
        os.environ["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, [str(libraries), before]))
        try:
            yield
        finally:
            if before is None:
                del os.environ["LD_LIBRARY_PATH"]
            else:
                os.environ["LD_LIBRARY_PATH"] = before


def phases(line: _progress.Line) -> Progress:
    return lambda engine, phase, done: line.show(f"{engine}: {phase}", done)


def run(
    verb: str, given: Options, progress: Progress | Literal["auto"] | None, about: str
) -> bytes:
    """What the core answers. `about`: the words of the line that shows progress."""
    with contextlib.ExitStack() as stack:
        if progress == "auto":
            progress = phases(stack.enter_context(_progress.line(about)))
        return _core.run(verb, [*given, *options(program_dir=PROGRAMS)], progress)


def document(verb: str, given: Given, progress: Progress | Literal["auto"] | None) -> Document:
    """The document of a verb of which every model runs here."""
    with contextlib.ExitStack() as stack:
        words = dict(given)
        if words.get("data") is not None:
            words["data"] = stack.enter_context(_on_disk(words["data"]))
        # A saved tensor or a cast needs none of it.
        is_here = openvino_libraries() is not None
        if is_here:
            stack.enter_context(openvino_in_reach())
        try:
            return Document(json.loads(run(verb, pairs(tuple(words.items())), progress, verb)))
        except ExternalToolError as error:
            if is_here:
                raise
            raise NotFoundError("OpenVINO is not installed", hint=INSTALL) from error


@contextlib.contextmanager
def _on_disk(data: Any) -> Iterator[str]:
    """Samples of an iterable as a folder of .npz files; a path unchanged."""
    if isinstance(data, str | os.PathLike):
        yield os.fspath(data)
        return
    with tempfile.TemporaryDirectory(prefix="planex-") as folder:
        count = 0
        for sample in data:
            _write(pathlib.Path(folder) / f"{count:08}", sample)
            count += 1
        if count == 0:
            raise UsageError("data has no samples")
        yield folder


def _write(place: pathlib.Path, sample: object) -> None:
    import numpy as np

    if isinstance(sample, Mapping):
        np.savez(place.with_suffix(".npz"), **sample)
        return
    array = np.asarray(sample)
    if array.dtype.kind not in "fiub":
        raise UsageError(f"a sample has type {array.dtype}, expected numbers")
    np.save(place.with_suffix(".npy"), array)
