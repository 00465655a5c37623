"""The served folders: nothing outside of them is read for a client, nor written outside of the one
for what it makes."""

from __future__ import annotations

import os
import pathlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import planex
from planex._errors import IoError, NotFoundError, UsageError

# Number of engines that stay open. One with 100 000 layers takes some hundred megabytes.
_OPEN = 4

Stamp = tuple[tuple[str, int, int], ...]


def stamp_of(files: Sequence[str]) -> Stamp:
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


# How many files list() looks at for models and samples.
_MOST_FILES = 100_000
_PICTURES = (".jpg", ".jpeg", ".png", ".webp")
# In front of a path to samples: what is in the files is not asked (planex quantize --help).
_RAW = "raw:"


class Folders:
    """The folders, and the open engines below them.

    What is below `write` can be read, too: the results of one call are what the next one is about.
    """

    def __init__(
        self,
        folders: Sequence[str | os.PathLike[str]],
        write: str | os.PathLike[str] | None = None,
    ) -> None:
        self.roots: list[pathlib.Path] = []
        for folder in folders:
            root = pathlib.Path(folder)
            if not root.is_dir():
                raise NotFoundError("there is no such folder", file=str(folder))
            real = root.resolve()
            if real not in self.roots:
                self.roots.append(real)
        self.write: pathlib.Path | None = None
        if write is not None:
            try:
                pathlib.Path(write).mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise IoError(f"can't make the folder: {error.strerror}", str(write)) from None
            self.write = pathlib.Path(write).resolve()
            if any(root.is_relative_to(self.write) for root in self.roots):
                raise UsageError(
                    "what is served could be written over", str(write), hint="name a folder below"
                )
            if not self.holds(self.write):
                self.roots.append(self.write)
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

    def shown(self, path: str | os.PathLike[str]) -> str:
        """The same, or the whole path where names would be in several folders."""
        return self.name(path) if len(self.roots) == 1 else str(path)

    def place(self, name: str) -> pathlib.Path:
        """The path that a client's name means.

        Raises
        ------
        UsageError
            It leads out of the folders, or into several of them.
        """
        said = _said(name)
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

    def input(self, name: str) -> str:
        """A file or folder that a verb reads, whatever it is; or samples, as ``raw:DIR``.

        Raises
        ------
        UsageError
            It is outside of the folders, or a link in it leads there.
        """
        before = _RAW if name.startswith(_RAW) else ""
        real = pathlib.Path(os.path.realpath(self.place(name.removeprefix(before))))
        if real.is_dir():
            for folder, folders, files in os.walk(real):
                for one in (*folders, *files):
                    path = os.path.join(folder, one)
                    if os.path.islink(path) and not self.holds(path):
                        raise UsageError(
                            "a link in it leads out of the served folders", file=self.name(path)
                        )
        return before + str(real)

    def output(self, name: str, inputs: Sequence[str], also: Sequence[str] = ()) -> str:
        """A file or folder to write, below the one for that. `also`: what is written with it, where
        ``*`` is its name and ``%`` its name without the ending.

        Raises
        ------
        UsageError
            It is somewhere else, or one of the inputs.
        """
        assert self.write is not None
        said = _said(name, "choose a path below the folder for results")
        # As other tools name it, or below the folder for results.
        places = [*(root / said for root in self.roots), self.write / said]
        reals = [pathlib.Path(os.path.realpath(place)) for place in places]
        inside = [real for real in reals if self.write in real.parents]
        if not inside:
            raise UsageError(
                f"{name} is outside of the folder for results",
                hint=f"choose a path below {self.write}",
            )
        real = inside[0]
        written = [str(real)]
        for other in also:
            stem = str(real.with_suffix(""))
            written.append(other.replace("*", str(real)).replace("%", stem))
        for one in inputs:
            read = pathlib.Path(one.removeprefix(_RAW))
            is_in_folder = read.is_dir() and read in real.parents
            if is_in_folder or str(read) in written:
                raise UsageError(
                    f"{name} would be written over an input", hint="choose another name"
                )
        try:
            real.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise IoError(f"can't make the folder: {error.strerror}", str(real.parent)) from None
        return str(real)

    def open(self, name: str) -> tuple[str, planex.Engine, Stamp]:
        """An open engine, by name: its name, the engine, and the state of its files."""
        place = self.place(name)
        key = str(place)
        with self._lock:
            kept = self._engines.get(key)
            if kept is not None and kept[0] == stamp_of([row[0] for row in kept[0]]):
                self._engines.move_to_end(key)
                return self.name(place), kept[1], kept[0]
        engine = planex.open(place, within=self.roots)
        files = sorted({_on_disk(str(row["file"])) for row in engine.files if row["file"]})
        # New files next to it make it a different engine.
        stamp = stamp_of([*files, str(place if place.is_dir() else place.parent)])
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
                rows.append({"engine_path": self.shown(path)} | row)
        return rows

    def models(self, folder: str) -> dict[str, Any]:
        """The models below a folder, and what can be samples for them."""
        tops = [self.place(folder)] if folder not in ("", ".") else self.roots
        models: list[dict[str, Any]] = []
        samples: list[dict[str, Any]] = []
        seen: set[pathlib.Path] = set()
        count = 0
        for top in tops:
            for place, folders, files in os.walk(top):
                folders.sort()
                count += len(files)
                pictures = 0
                for one in sorted(files):
                    path = pathlib.Path(place, one)
                    ending = path.suffix.lower()
                    if ending not in (".onnx", ".npz", ".npy", *_PICTURES) or path in seen:
                        continue
                    if not self.holds(path) or not path.is_file():
                        continue
                    seen.add(path)
                    row = {"path": self.shown(path), "size_bytes": path.stat().st_size}
                    if ending == ".onnx":
                        models.append(row)
                    elif ending in _PICTURES:
                        pictures += 1
                    else:
                        samples.append(row)
                if pictures:
                    samples.append({"path": self.shown(place), "picture_count": pictures})
                if count > _MOST_FILES:
                    break
        return {"models": models, "samples": samples, "is_complete": count <= _MOST_FILES}


def _said(name: str, hint: str = "list_engines names engines") -> pathlib.PurePath:
    if "\0" in name:
        raise UsageError("a path cannot contain a zero byte")
    said = pathlib.PurePath(name)
    if ".." in said.parts:
        raise UsageError("a path cannot contain ..", hint=hint)
    return said
