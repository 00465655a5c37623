"""Rings: folders, or Python modules, that need each other in a circle.

An arrow says who needs whom, and where the first file says so. Of each knot one ring is reported,
the shortest through its first name.
"""

from __future__ import annotations

import ast
import collections
import dataclasses
import pathlib
import posixpath
from collections.abc import Iterable, Iterator


@dataclasses.dataclass(frozen=True, order=True)
class Place:
    file: str
    line: int


class Arrows:
    """Who needs whom; the first place of each arrow is kept."""

    def __init__(self) -> None:
        self._places: dict[str, dict[str, Place]] = collections.defaultdict(dict)

    def add(self, tail: str, head: str, place: Place) -> None:
        if tail != head:
            self._places[tail].setdefault(head, place)

    def rings(self) -> Iterator[list[tuple[str, str, Place]]]:
        """A ring of each knot: its arrows in their order."""
        for knot in self._knots():
            yield self._shortest(min(knot), set(knot))

    def _shortest(self, start: str, knot: set[str]) -> list[tuple[str, str, Place]]:
        came_from = {start: ""}
        waiting = collections.deque([start])
        while waiting:
            tail = waiting.popleft()
            for head, place in sorted(self._places[tail].items()):
                if head == start:
                    ring = [(tail, head, place)]
                    while came_from[tail]:
                        before = came_from[tail]
                        ring.append((before, tail, self._places[before][tail]))
                        tail = before
                    return ring[::-1]
                if head in knot and head not in came_from:
                    came_from[head] = tail
                    waiting.append(head)
        return []

    def _knots(self) -> Iterator[list[str]]:
        """Tarjan's strongly connected components of more than one name, without recursion."""
        index: dict[str, int] = {}
        low: dict[str, int] = {}
        path: list[str] = []
        on_path: set[str] = set()
        for root in sorted(self._places):
            if root in index:
                continue
            calls = [(root, iter(sorted(self._places[root])))]
            while calls:
                name, heads = calls[-1]
                if name not in index:
                    index[name] = low[name] = len(index)
                    path.append(name)
                    on_path.add(name)
                head = next(heads, None)
                if head is not None:
                    if head not in index:
                        calls.append((head, iter(sorted(self._places.get(head, {})))))
                    elif head in on_path:
                        low[name] = min(low[name], index[head])
                    continue
                calls.pop()
                if calls:
                    caller = calls[-1][0]
                    low[caller] = min(low[caller], low[name])
                if low[name] == index[name]:
                    knot = path[path.index(name) :]
                    del path[len(path) - len(knot) :]
                    on_path.difference_update(knot)
                    if len(knot) > 1:
                        yield knot


def python_arrows(root: pathlib.Path, package: str, files: Iterable[str]) -> Arrows:
    """Of the modules of `package` (its folder): what each imports when it is loaded. An import
    inside a function is made later, and one for the type checker never."""
    modules = {module_name(file, package): file for file in files}
    arrows = Arrows()
    for module, file in modules.items():
        is_package = file.endswith("__init__.py")
        tree = ast.parse((root / file).read_text("utf-8"), file)
        for node in loaded(tree.body):
            for target in imported(node, module, is_package):
                head = target if target in modules else target.rpartition(".")[0]
                # A package that gathers its modules is loaded before each of them.
                if head in modules and not modules[head].endswith("__init__.py"):
                    arrows.add(module, head, Place(file, node.lineno))
    return arrows


def module_name(file: str, package: str) -> str:
    name = posixpath.splitext(posixpath.relpath(file, posixpath.dirname(package)))[0]
    return name.replace("/", ".").removesuffix(".__init__")


def loaded(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    for node in body:
        match node:
            case ast.Import() | ast.ImportFrom():
                yield node
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield from loaded(node.orelse)
            case ast.If():
                yield from loaded([*node.body, *node.orelse])
            case ast.Try():
                handlers = [line for handler in node.handlers for line in handler.body]
                yield from loaded([*node.body, *handlers, *node.orelse, *node.finalbody])


def imported(node: ast.Import | ast.ImportFrom, module: str, is_package: bool) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    base = module.split(".")
    if node.level > 0:
        base = base[: len(base) - node.level + is_package]
    source = ".".join([*base, *filter(None, [node.module])]) if node.level > 0 else node.module
    yield from (f"{source}.{alias.name}" for alias in node.names)
