"""The served folders: nothing outside of them is read for a client."""

from __future__ import annotations

import os
import pathlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import planex
from planex._errors import NotFoundError, UsageError

# Number of engines that stay open. One with 100 000 layers takes some hundred megabytes.
_OPEN = 4

Stamp = tuple[tuple[str, int, int], ...]


def _stamp(files: Sequence[str]) -> Stamp:
    """A state that changes when one of these files is rewritten."""
    found = []
    for file in files:
        try:
            state = os.stat(file)
        except OSError:
            found.append((file, -1, -1))
        else:
            found.append((file, state.st_size, state.st_mtime_ns))
    return tuple(found)


def _on_disk(file: str) -> str:
    """The file itself, or the archive that contains it: a path below a file is not a folder."""
    place = file
    while place and not os.path.lexists(place):
        shorter = os.path.dirname(place)
        if shorter == place:
            break
        place = shorter
    return place or "."


class Folders:
    """The folders, and the open engines below them."""

    def __init__(self, folders: Sequence[str | os.PathLike[str]]) -> None:
        self.roots: list[pathlib.Path] = []
        for folder in folders:
            root = pathlib.Path(folder)
            if not root.is_dir():
                raise NotFoundError("there is no such folder", file=str(folder))
            real = root.resolve()
            if real not in self.roots:
                self.roots.append(real)
        self._engines: OrderedDict[str, tuple[Stamp, planex.Engine]] = OrderedDict()
        self._lock = threading.Lock()

    def holds(self, path: str | os.PathLike[str]) -> bool:
        """Whether the path is in a served folder, following links."""
        real = pathlib.Path(os.path.realpath(path))
        return any(real.is_relative_to(root) for root in self.roots)

    def name(self, path: str | os.PathLike[str]) -> str:
        """A path in the form for clients: relative to a served folder."""
        for root in self.roots:
            if pathlib.Path(path).is_relative_to(root):
                return str(pathlib.Path(path).relative_to(root))
        return str(path)

    def place(self, name: str) -> pathlib.Path:
        """The path that a client's name means.

        Raises
        ------
        UsageError
            It leads out of the folders, or into several of them.
        """
        if "\0" in name:
            raise UsageError("a path cannot contain a zero byte")
        said = pathlib.PurePath(name)
        if ".." in said.parts:
            raise UsageError("a path cannot contain ..", hint="list_engines names engines")
        # An absolute path is unchanged; whether it is below a root is checked next.
        places = list(dict.fromkeys(root / said for root in self.roots))
        inside = [place for place in places if self.holds(place)]
        if not inside:
            raise UsageError(
                "this path is outside of the served folders", hint="list_engines names engines"
            )
        there = [place for place in inside if place.exists()]
        if len(there) > 1:
            raise UsageError(
                f"{name} is in several folders", hint=" or ".join(str(one) for one in there)
            )
        return (there or inside)[0]

    def open(self, name: str) -> tuple[str, planex.Engine, Stamp]:
        """An open engine, by name: its name, the engine, and the state of its files."""
        place = self.place(name)
        key = str(place)
        with self._lock:
            kept = self._engines.get(key)
            if kept is not None and kept[0] == _stamp([row[0] for row in kept[0]]):
                self._engines.move_to_end(key)
                return self.name(place), kept[1], kept[0]
        engine = planex.open(place, within=self.roots)
        files = sorted({_on_disk(str(row["file"])) for row in engine.files if row["file"]})
        # New files next to it make it a different engine.
        stamp = _stamp([*files, str(place if place.is_dir() else place.parent)])
        with self._lock:
            self._engines[key] = (stamp, engine)
            while len(self._engines) > _OPEN:
                self._engines.popitem(last=False)
        return self.name(place), engine, stamp

    def list(self, folder: str) -> list[dict[str, Any]]:
        """The engines below a folder, by the names that tools accept."""
        tops = [self.place(folder)] if folder not in ("", ".") else self.roots
        rows = []
        for top in tops:
            for found in planex.find(top, within=self.roots):
                row = found.to_dict()
                path = pathlib.Path(row.pop("path"))
                name = self.name(path) if len(self.roots) == 1 else str(path)
                rows.append({"engine_path": name} | row)
        return rows
