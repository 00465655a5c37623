#!/usr/bin/env python3
"""Checks that files which are compiled together don't take each other's names.

CMake joins the sources of a folder (planex_compile_by_folder() in cmake/PlanexTargets.cmake), so
the unnamed namespaces of its files are one. Two types of a name don't compile; two functions of a
name are overloads, and a call may silently go to the other file's. So a name is defined in the
unnamed namespace of one file only, and in no header of the module's namespace. Tests are joined as
the library is, apart from it, and a program of tests has each of them once.
"""

from __future__ import annotations

import collections
import pathlib
import re
import sys
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A folder with fewer sources shares its unit with the other small ones of its target.
MIN_UNIT = 5
# Folders inside another module's folder that are targets of their own.
OWN_TARGETS = ("src/render/xlsx", "src/graph/layout", "src/drive/openvino_driver")
# Whose headers all tests may include.
SUPPORT = "tests/support"

NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.M)
UNNAMED = re.compile(r"^namespace \{\n(.*?)^\} +$", re.M | re.S)
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
TEST = re.compile(r"^TEST(?:_F|_P)?\((\w+),\s*(\w+)\)", re.M)


class Target(NamedTuple):
    folder: str
    is_test: bool


class Unit(NamedTuple):
    target: Target
    folder: str  # or what its small ones are together


def is_test(path: pathlib.Path) -> bool:
    """Whether a source or header is of a program of tests."""
    if re.search(r"(^|_)test[_.]", path.name):
        return True
    file = path.relative_to(ROOT).as_posix()
    return file.startswith("tests/") and not file.startswith(SUPPORT + "/")


def target_of(path: pathlib.Path) -> Target:
    folder = path.parent.relative_to(ROOT).as_posix()
    for own in OWN_TARGETS:
        if (folder + "/").startswith(own + "/"):
            return Target(own, is_test(path))
    return Target("/".join(folder.split("/")[:2]), is_test(path))


def units_of(files: list[pathlib.Path]) -> dict[pathlib.Path, Unit]:
    """The unit that each source is compiled in."""
    counts = collections.Counter((target_of(path), path.parent) for path in files)

    def unit_of(path: pathlib.Path) -> Unit:
        target = target_of(path)
        is_large = counts[(target, path.parent)] >= MIN_UNIT
        return Unit(target, str(path.parent) if is_large else "small folders")

    return {path: unit_of(path) for path in files}


def files_of(ending: str) -> list[pathlib.Path]:
    return [
        path
        for folder in ("src", "fuzz", "tests")
        for path in sorted((ROOT / folder).rglob("*" + ending))
    ]


def names_in(text: str) -> set[str]:
    return {match[1] for kind in (TYPE, CONSTANT, FUNCTION) for match in kind.finditer(text)}


def without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*", "", text)


def relative(path: pathlib.Path) -> str:
    return str(path.relative_to(ROOT))


def find_problems() -> list[str]:
    files = files_of(".cc")
    units = units_of(files)
    defined: dict[tuple[Unit, str, str], list[str]] = collections.defaultdict(list)
    tests: dict[tuple[Target, str, str], list[str]] = collections.defaultdict(list)
    for path in files:
        text = without_comments(path.read_text())
        namespace = "::".join(NAMESPACE.findall(text))
        names = {name for body in UNNAMED.findall(text) for name in names_in(body)}
        for name in names:
            defined[(units[path], namespace, name)].append(relative(path))
        for suite, name in TEST.findall(text):
            tests[(units[path].target, suite, name)].append(relative(path))
    headers: dict[tuple[Target, str], dict[str, str]] = collections.defaultdict(dict)
    for path in files_of(".h"):
        text = without_comments(path.read_text())
        for namespace in NAMESPACE.findall(text):
            for name in names_in(text):
                headers[(target_of(path), namespace)][name] = relative(path)
    problems = []
    for (unit, namespace, name), places in sorted(defined.items()):
        if len(places) > 1:
            problems.append(f"{name}: defined in the unnamed namespaces of {', '.join(places)}")
        seen = [unit.target, unit.target._replace(is_test=False)]
        if unit.target.is_test:
            seen.append(Target(SUPPORT, is_test=False))
        for target in dict.fromkeys(seen):
            header = headers[(target, namespace)].get(name)
            if header:
                problems.append(f"{name}: of {header}, and again in {places[0]}")
    for (_, suite, name), places in sorted(tests.items()):
        if len(places) > 1:
            problems.append(f"test {suite}.{name}: in {', '.join(places)}")
    return problems


def main() -> int:
    problems = find_problems()
    for problem in problems:
        print(f"check_unity: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
