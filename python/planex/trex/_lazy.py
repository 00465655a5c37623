"""Packages that charts and notebooks need: imported on first use."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any


def package(name: str) -> Any:
    """A module of the extra ``trex``.

    Raises
    ------
    ImportError
        It is not installed; the message says how to install it.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        top = name.partition(".")[0]
        raise ImportError(f"this needs {top}: pip install 'planex-explorer[trex]'") from error


def has_notebook() -> bool:
    """Whether rich output can be shown: IPython is installed and runs this code."""
    if importlib.util.find_spec("IPython") is None:
        return False
    return package("IPython").get_ipython() is not None


def display(shown: object) -> None:
    """Shows something in a notebook, or prints it elsewhere.

    Parameters
    ----------
    shown : object
        A table, a drawing, a text, ...
    """
    try:
        from IPython.display import display as show
    except ImportError:
        print(shown)
    else:
        show(shown)


def show_figure(figure: Any, is_wanted: bool) -> Any:
    """Shows a plotly figure if requested, and returns it."""
    if is_wanted:
        figure.show()
    return figure
