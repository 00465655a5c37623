"""Helpers for notebooks."""

from __future__ import annotations

import importlib.util
import operator
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pandas as pd

from planex._html import escape
from planex.trex._lazy import display, has_notebook
from planex.trex._lazy import package as _package
from planex.trex.colors import NVDA_GREEN

__all__ = [
    "display",
    "display_df",
    "display_df_dtale",
    "section_header",
    "set_table_display_backend",
    "set_wide_display",
    "table_display_backend",
]

_RANGES = {"equals": operator.eq, "greaterThan": operator.gt, "lessThan": operator.lt}

Highlights = Mapping[str, Mapping[str, Any]]


def section_header(title: str) -> Any:
    """A heading across the page.

    Parameters
    ----------
    title : str
        Its text.

    Returns
    -------
    IPython.display.HTML
        Shown where it is the last line of a cell.
    """
    style = f"background:{NVDA_GREEN};color:white;font-size:2em;padding:20px;text-align:center"
    return _package("IPython.display").HTML(f'<div style="{style}">{escape(title)}</div>')


def set_wide_display(width_pct: int = 90) -> None:
    """Widens the cells of a notebook, for wide tables and charts.

    Parameters
    ----------
    width_pct : int
        Percent of the window.
    """
    rule = f"width: {int(width_pct)}% !important; max-width: none !important;"
    page = f"<style>.container, .jp-Notebook {{ {rule} }}</style>"
    display(_package("IPython.display").HTML(page))


def display_df_dtale(
    df: pd.DataFrame,
    range_highlights: Highlights | None = None,
    nan_display: str = "...",
    precision: int = 4,
    **kwargs: Any,
) -> None:
    """Shows a frame as a table. TREx used D-Tale for this, which planex does not need.

    Parameters
    ----------
    df : pandas.DataFrame
        What is shown.
    range_highlights : mapping, optional
        Colors by column, see :func:`planex.trex.compare_engines.speedup_range_highlights`. Needs
        jinja2, which is installed with notebooks.
    nan_display : str
        Placeholder for missing values, in a table with colors.
    precision : int
        Decimals, in a table with colors.
    **kwargs
        Other parameters of D-Tale; without effect.
    """
    is_plain = not has_notebook() or importlib.util.find_spec("jinja2") is None
    if is_plain or not range_highlights:
        display(df)
        return
    styled = df.reset_index(drop=True).style.format(precision=precision, na_rep=nan_display)
    for column, ranges in range_highlights.items():
        if column in df:
            styled = styled.map(partial(_style, ranges), subset=[column])
    display(styled)


def _style(ranges: Mapping[str, Any], value: float) -> str:
    for name, holds in _RANGES.items():
        rule = ranges.get(name, {})
        if rule.get("active") and holds(value, rule["value"]):
            red, green, blue = (rule["color"][channel] for channel in "rgb")
            return f"background-color: rgba({red}, {green}, {blue}, {rule['color'].get('a', 1)})"
    return ""


#: The function that shows tables: :func:`set_table_display_backend` changes it.
table_display_backend: Callable[..., Any] = display_df_dtale


def set_table_display_backend(tbl_display_fn: Callable[..., Any]) -> None:
    """Chooses the function that :func:`display_df` shows tables with.

    Parameters
    ----------
    tbl_display_fn : callable
        Accepts a frame, and optionally ``range_highlights``.
    """
    global table_display_backend
    table_display_backend = tbl_display_fn


def display_df(df: pd.DataFrame, **kwargs: Any) -> None:
    """Shows a frame as a table.

    Parameters
    ----------
    df : pandas.DataFrame
        What is shown.
    **kwargs
        For the function that shows tables, if it accepts them; see :func:`display_df_dtale`.
    """
    if not kwargs:
        table_display_backend(df)
        return
    try:
        table_display_backend(df, **kwargs)
    except TypeError:
        table_display_backend(df)
