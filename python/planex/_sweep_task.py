"""A run of a sweep as a task for any executor: a function from values to values.

The process that calls :func:`do` can be on another machine. It cannot access the folder of the
sweep, and the model only if the two share a disk; it writes into its own folder until the files are
sent back.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import os
import pathlib
import sys
import tempfile
from collections.abc import Mapping

from planex import _core, _program

#: Files by their path, as ``planex sweep`` writes them.
Files = dict[str, bytes]

_DIGEST_BYTES = 1 << 20


@dataclasses.dataclass(frozen=True)
class Task:
    """A task for a worker."""

    #: A run; None: list the runs and their states, with this worker's engines.
    run: str | None
    #: The model's path at the caller, and the SHA-256 of its files by their names next to it.
    model: str
    hashes: Mapping[str, str]
    #: Options of the program, and the arguments after the dashes.
    words: tuple[str, ...]
    flags: tuple[str, ...]
    #: The engine's Python is the worker's own.
    is_own_python: bool
    #: For a list: run.json of the existing runs.
    records: Mapping[str, bytes]
    #: The version of the calling planex.
    version: str
    #: Different each time: some schedulers treat equal tasks as one, and a failed one as done.
    nonce: str


@dataclasses.dataclass(frozen=True)
class Answer:
    """The result of a task."""

    #: Files that it wrote, by path relative to the folder of the sweep.
    files: Files = dataclasses.field(default_factory=dict)
    #: What it printed.
    out: str = ""
    #: Why there is neither.
    error: str | None = None
    #: The worker cannot access the model, and it wasn't sent.
    needs_model: bool = False


def do(task: Task, content: Mapping[str, bytes] | None) -> Answer:
    """Executes the task. `content`: the model's files; None: read them from the given path.

    Errors of the run are not exceptions: an exception always means that the task itself got lost.
    """
    version = _core.version()
    if version != task.version:
        return Answer(
            error=f"a worker has planex {version}, but the caller has planex {task.version}"
        )
    with tempfile.TemporaryDirectory(prefix="planex-sweep-") as name:
        root = pathlib.Path(name)
        model = _model(task, content, root / "model")
        if model is None:
            return Answer(needs_model=True)
        for path, data in task.records.items():
            write(root / "sweep", path, data)
        words = ["sweep", model, "--output=sweep", *task.words]
        if task.is_own_python:
            words.append(f"--python={sys.executable}")
        if task.run is None:
            words.append("--list-runs")
        else:
            words += [f"--only-run={task.run}", "--json-progress", "--end-with-parent"]
        # The model's path is the same for all workers that it was sent to: the manifest contains
        # it.
        code, out, said = _program.run([*words, "--", *task.flags], folder=root)
        if task.run is None:
            return Answer(out=out) if code == 0 else Answer(error=said)
        files = _read(root / "sweep", f"cells/{task.run}")
        if f"cells/{task.run}/run.json" not in files:
            return Answer(error=said.strip() or f"planex ended with code {code}")
        return Answer(files=files, out=said)


def _model(task: Task, content: Mapping[str, bytes] | None, folder: pathlib.Path) -> str | None:
    """The model's path for this worker: the original one, or in `folder`, starting with its
    parent."""
    if content is not None:
        for path, data in content.items():
            write(folder, path, data)
        return f"{folder.name}/{os.path.basename(task.model)}"
    beside = pathlib.Path(task.model).parent
    same = all(_digest_now(beside / name) == digest for name, digest in task.hashes.items())
    return task.model if same else None


def _digest_now(file: pathlib.Path) -> str | None:
    try:
        state = file.stat()
        return _digest(file, state.st_size, state.st_mtime_ns)
    except OSError:
        return None


# A worker does many runs of one model.
@functools.lru_cache(maxsize=256)
def _digest(file: pathlib.Path, size: int, date: int) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while part := stream.read(_DIGEST_BYTES):
            digest.update(part)
    return digest.hexdigest()


def write(folder: pathlib.Path, path: str, data: bytes) -> None:
    file = folder / path
    if ".." in file.parts or not file.is_relative_to(folder):
        raise ValueError(f"a file outside of its folder: {path}")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


def _read(folder: pathlib.Path, path: str) -> Files:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in (folder / path).rglob("*")
        if file.is_file()
    }
