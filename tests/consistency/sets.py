"""Which engines there are: every folder and log at hand, and the generated ones."""

from __future__ import annotations

import pathlib

# What a log may be called; folders with several have an engine in each.
LOGS = (".log", ".txt", ".log.gz")


def _folders(root: pathlib.Path):
    for folder in sorted([root, *root.rglob("*")]):
        if not folder.is_dir() or not any(path.is_file() for path in folder.iterdir()):
            continue
        # A search: verbs take its best engine, and a report shows the first, too. Both follow.
        if not (folder / "optimize.json").exists():
            yield folder


def real(roots: dict[str, pathlib.Path]) -> dict[str, pathlib.Path]:
    """By id, what PLAN may be. A folder is one, and each log of a folder that has several.

    Nothing here knows an engine by name: what is put into the folders is taken."""
    found = {}
    for label, root in roots.items():
        if not root.is_dir():
            continue
        for folder in _folders(root):
            if folder == root:
                continue
            name = f"{label}/{folder.relative_to(root)}"
            found[name] = folder
            logs = [path for path in sorted(folder.iterdir()) if path.name.endswith(LOGS)]
            if len(logs) > 1:
                found |= {f"{name}/{path.name}": path for path in logs}
    return found
