"""Docstrings say what a caller needs: numpydoc's own checks, over everything that is public.

Their examples are run here: objects say that they are of `planex`, not of the file that they are
in, and so doctest finds neither all of them nor their methods by itself.
"""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator

import pytest
from numpydoc.validate import validate

import planex

# What numpydoc asks for and this package does not have:
#   SS05   summaries say what a function does ("Opens an engine"), not what to tell it
#   ES01, SA01, EX01  an extended summary, cross references, an example, even where they are no help
#   PR08, RT04  words of choices stand at the beginning of a description, as they are written
#   GL01, GL02, SS06  the first line begins beside the quotes; a property's fits on two
LEFT_OUT = {"ES01", "EX01", "GL01", "GL02", "PR08", "RT04", "SA01", "SS05", "SS06"}


def public() -> Iterator[tuple[str, object]]:
    for name in planex.__all__:
        value = getattr(planex, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            yield f"planex.{name}", value
        if inspect.isclass(value):
            own = [base for base in value.__mro__ if base.__module__.startswith("planex")]
            for member, method in (one for base in own for one in vars(base).items()):
                if member[0] != "_" and isinstance(method, property | type(public)):
                    yield f"planex.{name}.{member}", method


PUBLIC = dict(public())


def is_made_by_the_package(name: str) -> bool:
    """Classes whose constructor nobody else calls."""
    value = PUBLIC[name]
    made_by_users = (planex.Dataset, planex.RayExecutor, planex.Sweep)
    return inspect.isclass(value) and value not in made_by_users


@pytest.mark.parametrize("name", PUBLIC)
def test_docstring(name):
    left_out = LEFT_OUT | ({"PR01"} if is_made_by_the_package(name) else set())
    wrong = [error for error in validate(name)["errors"] if error[0] not in left_out]
    assert not wrong


def test_everything_that_does_something_has_an_example():
    """A property is an example of itself; an error is raised and not made."""
    without = [
        name
        for name, value in PUBLIC.items()
        if inspect.isfunction(value)
        # They take OpenVINO and seconds, or a model of their own.
        and name.removeprefix("planex.")
        not in ("advise", "clean", "optimize", "process", "quantize", "search", "sweep")
        and ">>>" not in (value.__doc__ or "")
    ]
    assert not without


FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
EXAMPLES = [name for name, value in PUBLIC.items() if ">>>" in (value.__doc__ or "")]


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name):
    text = inspect.getdoc(PUBLIC[name])
    assert text is not None
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    assert test.examples
    said: list[str] = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append)
    assert not said, "".join(said)


def test_methods_have_examples_that_run():
    assert {"planex.Engine.lint", "planex.Table.to_pandas", "planex.Dataset.build"} <= {*EXAMPLES}
