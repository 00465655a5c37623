#!/usr/bin/env python3
"""Which groups of tests there are, and which of them a change needs (tools/test_groups.toml).

  tools/test_groups.py list test|all    ids, in the order in which they run
  tools/test_groups.py title ID
  tools/test_groups.py base             the commit since which all is one change; nothing if unknown
  tools/test_groups.py touched          "ID MINUTES HOW" of each group beyond `make test` that the
                                        change since the base touches; HOW is needed (the base was
                                        named, and the table names the group), likely (the base was
                                        guessed) or perhaps (nobody knows better)

The base is PLANEX_CI_BASE where it is set; else what a pull or merge request is compared with
(GITHUB_BASE_REF, CI_MERGE_REQUEST_DIFF_BASE_SHA) or what a push went on from
(CI_COMMIT_BEFORE_SHA); else the newest commit on the first-parent history that was committed
twelve hours before the last one, or earlier: what came since is one change. A base that is not
there, a shallow clone, and a history without such a commit leave it unknown: then all groups are
touched.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
ONE_CHANGE_SECONDS = 12 * 3600


def table() -> dict:
    return tomllib.loads((ROOT / "tools/test_groups.toml").read_text("utf-8"))


def groups(of: str | None = None) -> list[str]:
    return [name for name, group in table()["groups"].items() if of is None or group["in"] == of]


def row_of(path: str, folders: dict) -> str | None:
    """The longest row that the path is, or is in."""
    parts = path.split("/")
    for count in range(len(parts), 0, -1):
        row = "/".join(parts[:count])
        if row in folders:
            return row
    return None


def touched_by(paths: list[str] | None, data: dict) -> dict[str, str]:
    """The groups, each "needed", by a row that names it, or "perhaps", as all are.

    Without paths the change is unknown."""
    beyond = [name for name, group in data["groups"].items() if group["in"] == "all"]
    found: dict[str, str] = {} if paths is not None else dict.fromkeys(beyond, "perhaps")
    for path in paths or []:
        row = row_of(path, data["folders"])
        named = data["folders"][row] if row is not None else "all"
        for name in beyond if named == "all" else named:
            if named != "all":
                found[name] = "needed"
            else:
                found.setdefault(name, "perhaps")
    return {name: found[name] for name in beyond if name in found}


def git(*words: str, root: pathlib.Path = ROOT) -> str | None:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def named_base(environment=os.environ) -> str | None:
    """What those who start the tests say the change is compared with."""
    branch = environment.get("GITHUB_BASE_REF")
    names = [
        environment.get("PLANEX_CI_BASE"),
        f"origin/{branch}" if branch else None,
        environment.get("CI_MERGE_REQUEST_DIFF_BASE_SHA"),
        environment.get("CI_COMMIT_BEFORE_SHA"),
    ]
    # A new branch has zeros.
    return next((name for name in names if name and name.strip("0")), None)


def base(environment=os.environ, root: pathlib.Path = ROOT) -> str | None:
    """The commit that a change is compared with, None where that is not known."""
    if name := named_base(environment):
        # What is named and is not there leaves the change unknown: better all than too little.
        return git("merge-base", "--", name, "HEAD", root=root) or None
    if git("rev-parse", "--is-shallow-repository", root=root) != "false":
        return None
    history = git("log", "--first-parent", "--format=%H %ct", "HEAD", root=root)
    commits = [line.split() for line in (history or "").splitlines()]
    for commit, seconds in commits:
        if int(seconds) <= int(commits[0][1]) - ONE_CHANGE_SECONDS:
            return commit
    return None


def changed_paths(since: str | None, root: pathlib.Path = ROOT) -> list[str] | None:
    """What a change has touched, committed or not; moved files by both names."""
    if since is None:
        return None
    changed = git("diff", "--name-only", "--no-renames", since, "--", root=root)
    new = git("ls-files", "--others", "--exclude-standard", root=root)
    if changed is None or new is None:
        return None
    return [*changed.splitlines(), *new.splitlines()]


def main(words: list[str]) -> int:
    match words:
        case ["list", ("test" | "all") as of]:
            print("\n".join(groups("test" if of == "test" else None)))
        case ["title", name]:
            print(table()["groups"][name]["title"])
        case ["base"]:
            print(base() or "")
        case ["touched"]:
            data = table()
            for name, how in touched_by(changed_paths(base()), data).items():
                word = "likely" if how == "needed" and named_base() is None else how
                print(name, data["groups"][name]["minutes"], word)
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
