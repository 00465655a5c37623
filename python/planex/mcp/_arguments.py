"""Arguments of tools that are verbs: names, types, words, defaults and descriptions are those that
the program gives to the options of its verbs (_tools.json, made with the wheel)."""

from __future__ import annotations

import difflib
import functools
import inspect
import json
import pathlib
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

import planex
from planex._errors import UsageError
from planex._options import Given

Json = dict[str, Any]

#: What a server decides for its clients. A client that could choose a program could run anything.
WITHHELD = {"explain": {"may_measure": False}}

# What is different for an assistant: an answer is cut into pages, so all rows are in it; a drawing
# is there to find slow layers; a topic that was not said is a mistake.
_REQUIRED: Any = inspect.Parameter.empty
_DEFAULTS: dict[str, Json] = {
    "explain": {"topic": _REQUIRED, "all": True},
    "compare": {"all": True},
    "draw": {"by": "heat"},
}


@functools.cache
def _told() -> Json:
    file = pathlib.Path(planex.__file__).parent / "_tools.json"
    told: Json = json.loads(file.read_text("utf-8"))
    return told


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that was probably meant."""
    found = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return found[0] if found else None


def check_names(tool: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Checks that a tool has all these arguments.

    Raises
    ------
    UsageError
        It does not have one of them.
    """
    names = list(known)
    for name in given:
        if name in names:
            continue
        near = nearest(name, names)
        listed = f"arguments are {', '.join(names)}" if names else "it has no arguments"
        raise UsageError(
            f"{tool} has no argument {json.dumps(name)}",
            hint=f"did you mean {near}?" if near else listed,
        )


def _initial(one: Json) -> Any:
    """The verb's own default, as its type."""
    if one["type"] == "flag":
        return bool(one["is_inverse"])
    if one["is_list"] or one["initial"] is None:
        return None
    if one["type"] == "word":
        return one["initial"] if one["initial"] in one["words"] else None
    if one["type"] in ("integer", "number", "ratio", "seconds"):
        number = float(one["initial"])
        return int(number) if one["type"] == "integer" else number
    return one["initial"]


def _type(one: Json) -> Any:
    kind: Any
    if one["is_mapping"]:
        # Dimensions of an input, or a severity.
        kind = str | list[int] if "DIMS" in one["metavar"] else str
        return dict[str, kind]
    words = one["words"]
    kind = {
        "flag": bool,
        "integer": int,
        "number": float,
        "ratio": float | str,
        "seconds": float,
        "path": str,
        "text": int | str if one["metavar"] in ("COUNT", "N") else str,
        # "8" is a word, and 8 as good.
        "word": Literal[tuple([*words, *(int(word) for word in words if word.isdigit())])],
    }[one["type"]]
    return list[kind] if one["is_list"] else kind


def parameter(name: str, kind: Any, default: Any, description: str) -> inspect.Parameter:
    """An argument of a tool; None as its default means that it can be left out."""
    if default is None:
        kind = kind | None
    # A word of Python can be no parameter: `try`.
    named = f"{name}_"
    said = Field(description=description, alias=name)
    return inspect.Parameter(
        named, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, said]
    )


class Verb:
    """A verb as a tool."""

    def __init__(self, name: str, **defaults: Any) -> None:
        told = _told()[name]
        self.name = name
        self.summary: str = told["summary"]
        self._defaults = _DEFAULTS.get(name, {}) | defaults
        self._fixed = WITHHELD.get(name, {})
        self._all: dict[str, Json] = {one["name"]: one for one in told["arguments"]}
        self.arguments = {
            name: one
            for name, one in self._all.items()
            if not one["starts"] and name not in self._fixed
        }

    def signature(
        self, first: Iterable[inspect.Parameter] = (), last: Iterable[inspect.Parameter] = ()
    ) -> inspect.Signature:
        """The verb's own arguments, with those of the server before and after them."""
        own = [
            parameter(name, _type(one), self._default(name), one["description"])
            for name, one in self.arguments.items()
        ]
        return inspect.Signature([*first, *own, *last])

    def _default(self, name: str) -> Any:
        if name in self._defaults:
            return self._defaults[name]
        one = self.arguments[name]
        return _REQUIRED if one["is_required"] else _initial(one)

    def files(self, given: Mapping[str, Any]) -> dict[str, str]:
        """What is done with the files that the given arguments name, by argument."""
        named = {name: self.arguments[name]["file"] for name in given}
        return {name: role for name, role in named.items() if role}

    def options(self, given: Mapping[str, Any]) -> Given:
        """The program's options. What it does by itself is left out: an option can need others."""
        found: list[tuple[str, object]] = []
        for name, value in {**given, **self._fixed}.items():
            one = self._all[name]
            if value is None or (value == _initial(one) and name not in self._fixed):
                continue
            found.append((one["option"], not value if one["is_inverse"] else value))
        return tuple(found)
