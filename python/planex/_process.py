"""Running engines: a model in, an engine with its times out."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import pathlib
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Literal, cast

from planex import _core, _progress
from planex._document import Document
from planex._engine import Engine, PathLike
from planex._errors import NotFoundError
from planex._open import open
from planex._options import options, path

if TYPE_CHECKING:
    from planex import documents

#: Told of the engine, the phase (read, compile, warmup, time, profile, write) and how much of it is
#: done, from 0 to 1.
Progress = Callable[[str, str, float], object]

_PROGRAMS = pathlib.Path(__file__).parent / "bin"
_INSTALL = "pip install 'planex-explorer[openvino]'"


def openvino_libraries() -> pathlib.Path | None:
    """Where OpenVINO's own wheel has its libraries; None where it is not installed."""
    spec = importlib.util.find_spec("openvino")
    if spec is None or spec.origin is None:
        return None
    folder = pathlib.Path(spec.origin).parent / "libs"
    return folder if folder.is_dir() else None


# The environment belongs to the whole process.
_environment_lock = threading.Lock()


@contextlib.contextmanager
def _openvino_in_reach() -> Iterator[None]:
    """The driver finds OpenVINO beside this package by itself, elsewhere only if it is told."""
    libraries = openvino_libraries()
    if libraries is None:
        raise NotFoundError("OpenVINO is not installed", hint=_INSTALL)
    if libraries.resolve() == (_PROGRAMS / "../../openvino/libs").resolve():
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


def _phases(line: _progress.Line) -> Progress:
    return lambda engine, phase, done: line.show(f"{engine}: {phase}", done)


def process(
    model: PathLike,
    output: PathLike = ".",
    *,
    engine: str = "openvino",
    shapes: Mapping[str, Iterable[int]] | None = None,
    threads: int | None = None,
    precision: Literal["fp32", "bf16", "fp16"] | None = None,
    launcher: Iterable[str] = (),
    flags: Iterable[str] = (),
    progress: Progress | Literal["auto"] | None = "auto",
) -> Engine:
    """Compiles a model, profiles it on this machine, and opens the engine.

    Parameters
    ----------
    model : path
        The model, as ONNX.
    output : path
        The folder for the engine's files; made where it is missing.
    engine : str
        The engine to build with: openvino.
    shapes : mapping, optional
        Dimensions by input: ``{"input": (8, 3, 224, 224)}``.
    threads : int, optional
        Threads of one inference; else 1.
    precision : str, optional
        For what the model does not quantize; else fp32.
    launcher : iterable of str
        Words before every command, such as ``["ssh", "host"]``.
    flags : iterable of str
        For the engine's own driver, as they are.
    progress : callable, "auto" or None
        Told of what is being done; "auto" shows it in a notebook and on a terminal. An exception in
        it, and Ctrl-C, stop the work.

    Returns
    -------
    Engine
        What was measured. What the user should know of it is a warning.

    Raises
    ------
    NotFoundError
        The model or the engine is missing.
    ExternalToolError
        The engine failed: `context` has its words.
    """
    more = list(flags)
    for name, dims in (shapes or {}).items():
        more += ["--shape", f"{name}={'x'.join(str(size) for size in dims)}"]
    if threads is not None:
        more += ["--threads", str(threads)]
    if precision is not None:
        more += ["--precision", precision]
    given = options(
        model=path(model),
        output=path(output),
        engine=engine,
        launcher=list(launcher),
        flag=more,
        program_dir=_PROGRAMS,
    )
    is_here = engine == "openvino" and not list(launcher)
    with contextlib.ExitStack() as stack:
        if is_here:
            stack.enter_context(_openvino_in_reach())
        if progress == "auto":
            line = stack.enter_context(_progress.line(engine))
            progress = _phases(line)
        outcome = json.loads(_core.process(given, progress))
    for note in outcome["notes"]:
        warnings.warn(note, stacklevel=2)
    return open(pathlib.Path(output) / f"{outcome['name']}.graph.json")


def doctor(path_or_model: PathLike) -> documents.Doctor:
    """Which files of an engine were found, which are missing, and the command that makes them; of a
    model, which engines are here and what would run it.

    Parameters
    ----------
    path_or_model : path
        As for :func:`open`, or an ONNX model.

    Returns
    -------
    Document
        planex.doctor/1.

    Examples
    --------
    >>> import planex
    >>> planex.doctor("examples/engines/resnet18-a100-qat").producer
    'TensorRT 8.2–8.4'
    """
    given = options(path=path(path_or_model), program_dir=_PROGRAMS)

    def render(format: str) -> str:
        return _core.call(None, "doctor", [*given, ("format", format)]).decode()

    return cast("documents.Doctor", Document(json.loads(render("json")), render))
