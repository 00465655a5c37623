"""A run of a sweep as a task of any executor: a function of values, which gives values.

The process that calls :func:`do` may be on another machine. It sees no folder of the sweep, and the
model only if the two share a disk; what it writes is in a folder of its own until it is sent back.
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
    """What a worker is to do."""

    #: A run; None: list the runs and how they stand, with this worker's engines.
    run: str | None
    #: The model where it was asked for, and the SHA-256 of its files by their names beside it.
    model: str
    hashes: Mapping[str, str]
    #: Options of the program, and what follows the dashes.
    words: tuple[str, ...]
    flags: tuple[str, ...]
    #: The engine's Python is the worker's own.
    is_own_python: bool
    #: For a list: run.json of the runs there are.
    records: Mapping[str, bytes]
    #: The version of planex that asks.
    version: str
    #: Another one each time: some schedulers take equal tasks for the same, and one that failed for
    #: done.
    nonce: str


@dataclasses.dataclass(frozen=True)
class Answer:
    """What became of it."""

    #: What it wrote, by path from the folder of the sweep.
    files: Files = dataclasses.field(default_factory=dict)
    #: What it printed.
    out: str = ""
    #: Why there is neither.
    error: str | None = None
    #: The worker doesn't see the model, and it wasn't sent.
    needs_model: bool = False


def do(task: Task, content: Mapping[str, bytes] | None) -> Answer:
    """Does it. `content`: the model's files; None: look where they are said to be.

    No error of the run is an exception: an exception is always that the task itself got lost.
    """
    version = _core.version()
    if version != task.version:
        return Answer(error=f"a worker has planex {version}, and planex {task.version} asks")
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
            words += [f"--run={task.run}", "--json-progress", "--end-with-parent"]
        # The model's place is the same for all workers that it was sent to: the manifest has it.
        code, out, said = _program.run([*words, "--", *task.flags], folder=root)
        if task.run is None:
            return Answer(out=out) if code == 0 else Answer(error=said)
        files = _read(root / "sweep", f"cells/{task.run}")
        if f"cells/{task.run}/run.json" not in files:
            return Answer(error=said.strip() or f"planex ended with code {code}")
        return Answer(files=files, out=said)


def _model(task: Task, content: Mapping[str, bytes] | None, folder: pathlib.Path) -> str | None:
    """Where the model is for this worker: where it was, or in `folder`, from its parent on."""
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
