"""Arguments in the core's form: pairs of texts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import cast

PathLike = str | os.PathLike[str]

Scalar = str | bytes | bool | int | float | os.PathLike[str]
Value = Scalar | Iterable[Scalar] | None
Options = list[tuple[str, str | bytes]]

#: Options of the program by their names, with the values that a caller gave.
Given = tuple[tuple[str, object], ...]


def _text(value: Scalar) -> str | bytes:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, bytes):
        return value
    if isinstance(value, os.PathLike):
        return os.fsencode(value)
    return str(value)


def options(**values: Value) -> Options:
    """One pair per value; several for a list, none for None. ``no_rule`` is ``no-rule``."""
    result: Options = []
    for name, value in values.items():
        if value is None:
            continue
        single = isinstance(value, str | bytes | bool | int | float | os.PathLike)
        for one in [value] if single else value:  # type: ignore[union-attr]
            result.append((name.replace("_", "-"), _text(one)))  # type: ignore[arg-type]
    return result


def pairs(given: Given) -> Options:
    """The same for names that are those of the program. A mapping has ``name=value`` for each."""
    result: Options = []
    for name, value in given:
        if isinstance(value, Mapping):
            value = [f"{key}={_element(one)}" for key, one in value.items()]
        result += options(**{name: value})  # type: ignore[arg-type]
    return result


def _element(value: object) -> str:
    """``8x3x224x224`` of dimensions."""
    return value if isinstance(value, str) else "x".join(map(str, cast("Iterable[int]", value)))


def path(value: str | bytes | os.PathLike[str]) -> bytes:
    """A path in the system's form, whatever its encoding."""
    return os.fsencode(value)
