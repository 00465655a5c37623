"""Running engines: a model in, an engine with its times out."""

from __future__ import annotations

import contextlib
import json
import sys
import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal, cast

from planex import _core
from planex._document import Document
from planex._engine import Engine
from planex._open import open
from planex._options import PathLike, options, path
from planex._run import PROGRAMS, Progress, openvino_in_reach, run

if TYPE_CHECKING:
    from planex import documents


def process(
    model: PathLike,
    output: PathLike = ".",
    *,
    engine: str = "openvino",
    shapes: Mapping[str, Iterable[int]] | None = None,
    threads: int | None = None,
    precision: str | None = None,
    launcher: Iterable[str] = (),
    flags: Iterable[str] = (),
    program: PathLike | None = None,
    python: PathLike | None = None,
    progress: Progress | Literal["auto"] | None = "auto",
) -> Engine:
    """Compiles a model with an engine, measures it, and opens the result.

    Parameters
    ----------
    model : path
        The model, as ONNX.
    output : path
        The folder for the engine's files; created if missing.
    engine : str
        The engine to build with: openvino, trtexec, tensorrt, tensorrt-rtx or onnxruntime.
    shapes : mapping, optional
        Dimensions by input: ``{"input": (8, 3, 224, 224)}``.
    threads : int, optional
        Threads per inference; default: 1.
    precision : str, optional
        Precision of everything that the model does not quantize: fp32, bf16, fp16, and others for
        older TensorRT.
    launcher : iterable of str
        Words before every command, such as ``["ssh", "host"]``. Files go in and out through it.
    flags : iterable of str
        Flags passed unchanged to the engine's own program.
    program : path, optional
        The engine's own program, such as trtexec, if not the one on the PATH.
    python : path, optional
        The Python that has the engine's package; default: this one, or ``python3`` with a launcher.
    progress : callable, "auto" or None
        Called with the current progress; "auto" shows it in a notebook and on a terminal. An
        exception in it, or Ctrl-C, stops the work.

    Returns
    -------
    Engine
        The measured engine. Notes for the user are warnings.

    Raises
    ------
    NotFoundError
        The model or the engine is missing.
    ExternalToolError
        The engine failed: `context` has its words.
    """
    words = list(launcher)
    if python is None and not words:
        python = sys.executable
    given = options(
        model=path(model),
        output=path(output),
        engine=engine,
        launcher=words,
        shape=[f"{name}={'x'.join(map(str, dims))}" for name, dims in (shapes or {}).items()],
        threads=threads,
        precision=precision,
        flag=list(flags),
        program=None if program is None else path(program),
        python=None if python is None else path(python),
    )
    is_here = engine == "openvino" and not words
    with contextlib.ExitStack() as stack:
        if is_here:
            stack.enter_context(openvino_in_reach())
        outcome = json.loads(run("process", given, progress, engine))
    for note in outcome["notes"]:
        warnings.warn(note, stacklevel=2)
    return open(outcome["engine"])


def doctor(path_or_model: PathLike) -> documents.Doctor:
    """Which files of an engine were found, which are missing, and the command that creates them;
    for a model, which engines are installed and what would run it.

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
    given = options(path=path(path_or_model), program_dir=PROGRAMS)

    def render(format: str) -> str:
        return _core.call(None, "doctor", [*given, ("format", format)]).decode()

    return cast("documents.Doctor", Document(json.loads(render("json")), render))
