"""The program of the package, for requests that the core has no function for."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable

from planex import _errors


def program() -> str:
    """The program of this environment, else the one on the PATH."""
    beside = shutil.which("planex", path=str(pathlib.Path(sys.executable).parent))
    return beside or "planex"


def run(
    words: Iterable[str | os.PathLike[str]],
    *,
    folder: pathlib.Path | None = None,
    tell: Callable[[str], object] | None = None,
) -> tuple[int, str, str]:
    """Its exit code, standard output and standard error.

    `tell` is called with each line of standard error as it is printed; an exception there, or
    Ctrl-C, stops the program.
    """
    try:
        process = subprocess.Popen(
            [program(), *words],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if tell else subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except OSError as error:
        raise _errors.ExternalToolError(f"planex can't be started: {error}") from None
    said: list[str] = []
    try:
        if tell is None:
            out, err = process.communicate()
            return process.returncode, out.decode(errors="replace"), err.decode(errors="replace")
        assert process.stderr is not None
        for raw in process.stderr:
            said.append(raw.decode(errors="replace"))
            tell(said[-1].strip())
        return process.wait(), "", "".join(said)
    except BaseException:
        # In a notebook, Ctrl-C only reaches the kernel. On a terminal, planex has already received
        # it, and treats a second one as a request not to wait for cleaning up.
        process.terminate()
        process.wait()
        raise
    finally:
        if process.stderr is not None:
            process.stderr.close()


# A missing file and a bad one have the same code; the message distinguishes them.
_KINDS: dict[int, type[_errors.PlanexError]] = {
    _errors.EXIT_CODES[cls.code]: cls
    for cls in (
        _errors.UsageError,
        _errors.BadInputError,
        _errors.ExternalToolError,
        _errors.CancelledError,
    )
}


def error(code: int, said: str) -> _errors.PlanexError:
    """The exception for a program that ended with `code`, in its own words."""
    words = said.strip().removeprefix("error: ") or f"planex ended with code {code}"
    return _KINDS.get(code, _errors.InternalError)(words)
