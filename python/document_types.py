#!/usr/bin/env python3
"""Writes what the Python package knows of documents, from the schemas that planex prints.

    document_types.py PLANEX FOLDER

PLANEX is the program. The folder gets documents.pyi, types: engine.summary()["time"] and
engine.summary().time, for mypy and editors; _rows.py, which says which lists are rows, so that an
empty one is a table with columns, too; and _topics.py, the topics of Engine.explain().
"""

from __future__ import annotations

import functools
import json
import keyword
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

# What the package hands out beside the topics of explain, and what verbs that run models return;
# the others are of the program alone.
DOCUMENTS = ("archive", "compare", "doctor", "lint", "summary", "sweep", "timing", "verify")

# Attributes of every document: members of these names are items only.
TAKEN = {"get", "items", "keys", "values", "to_dict", "to_json"}

SIMPLE = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}

MARK = "Made by python/document_types.py from planex schema."

Schema = dict[str, Any]


def printed(*words: str) -> str:
    command = [sys.argv[1], "schema", *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@functools.cache
def schema(document: str) -> Schema:
    parsed: Schema = json.loads(printed(document))
    return parsed


@functools.cache
def topics() -> list[str]:
    """Those of explain that are about an engine: planex.explain-memory/2 is that of memory."""
    return re.findall(r"^planex\.explain-(.+)/", printed("--documents"), re.M)


def documents() -> list[str]:
    verbs = json.loads(printed("--verbs"))["verbs"]
    of_verbs = (name for verb in verbs for name in verb["documents"])
    return sorted([*DOCUMENTS, *of_verbs, *(f"explain-{topic}" for topic in topics())])


def pascal(name: str) -> str:
    """ExplainSpeed for explain-speed."""
    return "".join(part.capitalize() for part in name.replace("_", "-").split("-"))


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


# --- Types ----------------------------------------------------------------------------------------


class Types:
    """Classes by name, in the order in which they are met."""

    def __init__(self) -> None:
        self.classes: dict[str, str] = {}

    def of(self, value: Schema, owner: str, key: str) -> str:
        """The type of a member. An object without a name gets that of its owner and its own."""
        if "$ref" in value:
            return str(value["$ref"].rsplit("/", 1)[1])
        if "const" in value:
            return f"Literal[{quoted(value['const'])}]"
        if "enum" in value:
            words = [word for word in value["enum"] if word is not None]
            null = ["None"] if len(words) < len(value["enum"]) else []
            return " | ".join([f"Literal[{', '.join(map(quoted, words))}]", *null])
        if "anyOf" in value:
            kinds = [self.of(one, owner, key) for one in value["anyOf"]]
            return " | ".join(sorted(kinds, key="None".__eq__))
        kinds = value["type"]
        names = [self.one(kind, value, owner, key) for kind in self.kinds(kinds)]
        return " | ".join(dict.fromkeys(names))

    @staticmethod
    def kinds(kinds: str | list[str]) -> list[str]:
        return [kinds] if isinstance(kinds, str) else kinds

    def one(self, kind: str, value: Schema, owner: str, key: str) -> str:
        if kind == "array":
            items = value.get("items", {})
            inner = self.of(items, owner, key)
            return f"Rows[{inner}]" if is_object(items) else f"list[{inner}]"
        if kind == "object":
            if "properties" not in value:
                return "Document"
            name = owner + pascal(key)
            self.add(name, value)
            return name
        return SIMPLE[kind]

    def add(self, name: str, value: Schema) -> None:
        """A class with a member for each property, as attribute and as item."""
        if name in self.classes:
            return
        self.classes[name] = ""  # Its place: before those that it names itself.
        members = {
            key: (self.of(one, name, key), one) for key, one in value.get("properties", {}).items()
        }
        lines = [f"class {name}(_Typed):"]
        lines += [f'    """{sentence(value)}"""', ""] if sentence(value) else []
        for key, (kind, one) in members.items():
            if key.isidentifier() and not keyword.iskeyword(key) and key not in TAKEN:
                lines.append(f"    {key}: {kind}")
                lines += [f'    """{sentence(one)}"""'] if sentence(one) else []
        by_type: dict[str, list[str]] = {}
        for key, (kind, _) in members.items():
            by_type.setdefault(kind, []).append(quoted(key))
        for kind, keys in by_type.items():
            # One alone is no overload.
            lines += ["    @overload"] if len(by_type) > 1 else []
            lines.append(
                f"    def __getitem__(self, key: Literal[{', '.join(keys)}]) -> {kind}: ..."
            )
        self.classes[name] = "\n".join(lines) + "\n\n"


def is_object(value: Schema) -> bool:
    return "$ref" in value or "properties" in value


def sentence(value: Schema) -> str:
    """What it is, and its unit."""
    text = str(value.get("description", "")).replace("\\", "\\\\").replace('"""', "'''")
    unit = value.get("unit")
    return f"{text} ({unit})" if unit and unit not in ("count",) else text


STUB = f'''\
# {MARK}
# Fewer keys than any text, and no attribute but these:
# mypy: disable-error-code="override,misc"
"""The types of documents, for type checkers and editors.

Members are attributes and items; those that have the name of a method, or of a word of Python, are
items alone. A member that a document does not have is an error here already.
"""

from typing import Literal, overload

from planex._document import Document, Rows

class _Typed(Document):
    # A document without a type has every attribute; these have theirs.
    __getattr__: None  # type: ignore[assignment]

'''


def stub() -> str:
    types = Types()
    for document in documents():
        whole = schema(document)
        types.add(pascal(document), whole)
        for name, value in whole.get("$defs", {}).items():
            types.add(name, value)
    return STUB + "".join(types.classes.values())


# --- Rows -----------------------------------------------------------------------------------------


def lists(value: Schema, whole: Schema, path: str, seen: tuple[str, ...]) -> Iterator[Any]:
    """Each list of objects below a value: its path from the document on, and its columns."""
    if "$ref" in value:
        name = value["$ref"].rsplit("/", 1)[1]
        if name in seen:
            return
        value, seen = whole["$defs"][name], (*seen, name)
    for one in value.get("anyOf", []):
        yield from lists(one, whole, path, seen)
    for key, one in value.get("properties", {}).items():
        below = f"{path}.{key}" if path else key
        items = one.get("items")
        if items is not None and is_object(items):
            yield below, columns(items, whole)
            yield from lists(items, whole, below, seen)
        elif items is None:
            yield from lists(one, whole, below, seen)


def columns(items: Schema, whole: Schema) -> list[str]:
    if "$ref" in items:
        items = whole["$defs"][items["$ref"].rsplit("/", 1)[1]]
    return list(items["properties"])


def rows() -> str:
    known = {
        schema(document)["$id"]: dict(lists(schema(document), schema(document), "", ()))
        for document in documents()
    }
    text = f'''\
# {MARK}
"""Lists of objects in documents, by their path, and the members of these objects."""

COLUMNS: dict[str, dict[str, str]] = {{
'''
    for name, paths in known.items():
        text += f"    {quoted(name)}: {{\n"
        for path, names in paths.items():
            text += f"        {quoted(path)}: {quoted(' '.join(names))},\n"
        text += "    },\n"
    return text + "}\n"


# --- Topics ---------------------------------------------------------------------------------------

TOPICS = f'''\
# {MARK}
"""What Engine.explain() explains, and what it returns."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, Protocol, cast, overload

if TYPE_CHECKING:
    from planex import documents
    from planex._document import Document

P = ParamSpec("P")
'''

METHOD = '''

class Method(Protocol[P]):
    """A method of Engine; an Engine has it as Explain."""

    def __get__(self, engine: object, kind: type | None = None) -> Explain[P]: ...


def by_topic(method: Callable[Concatenate[Any, Topic, P], Document]) -> Method[P]:
    """The method as it is, with a type for each topic."""
    return cast("Method[P]", method)
'''

OVERLOAD = """\
    @overload
    def __call__(
        self, topic: {}, *args: P.args, **kwargs: P.kwargs
    ) -> {}: ...
"""


def topic_types() -> str:
    words = [quoted(topic) for topic in topics()]
    text = f"{TOPICS}\nTopic = Literal[{', '.join(words)}]\n\n\nclass Explain(Protocol[P]):\n"
    for topic in topics():
        result = f"documents.{pascal(f'explain-{topic}')}"
        text += OVERLOAD.format(f"Literal[{quoted(topic)}]", result)
    return text + OVERLOAD.format("Topic", "Document") + METHOD


def main(program: str, folder: str) -> None:
    made = pathlib.Path(folder)
    made.mkdir(parents=True, exist_ok=True)
    (made / "documents.pyi").write_text(stub(), "utf-8")
    (made / "_rows.py").write_text(rows(), "utf-8")
    (made / "_topics.py").write_text(topic_types(), "utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
