#!/usr/bin/env python3
"""Checks that files which are compiled together don't take each other's names.

CMake joins the sources of a folder (planex_compile_by_folder() in cmake/PlanexTargets.cmake), so
the unnamed namespaces of its files are one. Two types of a name don't compile; two functions of a
name are overloads, and a call may silently go to the other file's. So a name is defined in the
unnamed namespace of one file only, and in no header of the module's namespace.
"""

from __future__ import annotations

import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A folder with fewer sources shares its unit with the other small ones of its target.
MIN_UNIT = 5
# Folders inside another module's folder that are targets of their own.
OWN_TARGETS = ("render/xlsx", "graph/layout", "drive/openvino_driver")

NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.M)
# The code is formatted, so what starts a line stands directly in the namespace.
TYPE = re.compile(r"^(?:class|struct|enum class|enum|union) (\w+)(?!.*;$)", re.M)
CONSTANT = re.compile(
    r"^(?:inline )?(?:constexpr|constinit|const|static) [^(;{=]*?(\w+)(?:\[\])? ?[={]", re.M
)
FUNCTION = re.compile(
    r"^(?!using|class|struct|enum|template|namespace|return|else|case|default|public|private)"
    r"(?:[\w:<>,&*\[\]]+[ &*]+)+(\w+)\(",
    re.M,
)


def target_of(path: pathlib.Path) -> str:
    folder = path.relative_to(ROOT / "src").as_posix()
    for own in OWN_TARGETS:
        if folder.startswith(own + "/"):
            return own
    return folder.split("/")[0]


Unit = tuple[str, str]  # a target, and a folder or what its small ones are together


def units_of(files: list[pathlib.Path]) -> dict[pathlib.Path, Unit]:
    """The unit that each source is compiled in."""
    counts = collections.Counter(path.parent for path in files)

    def unit_of(path: pathlib.Path) -> Unit:
        is_large = counts[path.parent] >= MIN_UNIT
        return target_of(path), str(path.parent) if is_large else "small folders"

    return {path: unit_of(path) for path in files}


def names_in(text: str) -> set[str]:
    return {match[1] for kind in (TYPE, CONSTANT, FUNCTION) for match in kind.finditer(text)}


def without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*", "", text)


def main() -> int:
    files = [
        path
        for path in sorted((ROOT / "src").rglob("*.cc"))
        if not path.name.endswith(("_test.cc", "_bench.cc"))
    ]
    units = units_of(files)
    defined: dict[tuple[Unit, str, str], list[str]] = collections.defaultdict(list)
    for path in files:
        text = without_comments(path.read_text())
        namespace = NAMESPACE.findall(text)
        for body in re.findall(r"^namespace \{\n(.*?)^\} +$", text, re.M | re.S):
            for name in names_in(body):
                key = (units[path], "::".join(namespace), name)
                if str(path.relative_to(ROOT)) not in defined[key]:
                    defined[key].append(str(path.relative_to(ROOT)))
    headers: dict[tuple[str, str], dict[str, str]] = collections.defaultdict(dict)
    for path in sorted((ROOT / "src").rglob("*.h")):
        if "_test_" in path.name:
            continue
        text = without_comments(path.read_text())
        for namespace in NAMESPACE.findall(text):
            for name in names_in(text):
                headers[(target_of(path), namespace)][name] = str(path.relative_to(ROOT))
    problems = []
    for ((target, _), namespace, name), places in sorted(defined.items()):
        if len(places) > 1:
            problems.append(f"{name}: defined in the unnamed namespaces of {', '.join(places)}")
        header = headers[(target, namespace)].get(name)
        if header:
            problems.append(f"{name}: of {header}, and again in {places[0]}")
    for problem in problems:
        print(f"check_unity: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
