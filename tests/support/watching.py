"""Waits for what another process does, in place of a time by which it should have done it."""

from __future__ import annotations

import os
import pathlib
import time


def wait_until(condition, what: str, process=None):
    """What `condition` gives once it is true; fails where `process` ends before.

    There is no limit of time, as a machine may be slow."""
    while True:
        if found := condition():
            return found
        if process is not None:
            assert process.poll() is None, f"ended before {what}"
        time.sleep(0.01)


def processor_seconds(pid: int) -> float:
    """What a process has used of the processors, 0 where it is no more."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def processes_with(*words: str | os.PathLike) -> dict[int, bytes]:
    """The command lines in which all of `words` are, by process; not our own."""
    found = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            line = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if all(os.fsencode(str(word)) in line for word in words):
            found[int(entry.name)] = line
    return found
