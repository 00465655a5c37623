"""Small helpers for frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from planex.trex._mode import compatibility

__all__ = [
    "group_count",
    "group_mean_attr",
    "group_sum_attr",
    "shape_to_str",
    "stack_dataframes",
    "stack_dicts",
]


def _grouped(df: pd.DataFrame, by: str) -> Any:
    # Rows without a value are a group too, so that groups add up to all rows.
    return df.groupby(by, dropna=compatibility())


def group_count(df: pd.DataFrame, grouping_attr: str) -> pd.DataFrame:
    """Number of rows for each value of a column.

    Parameters
    ----------
    df : pandas.DataFrame
        A plan's frame.
    grouping_attr : str
        The column to group by.

    Returns
    -------
    pandas.DataFrame
        `grouping_attr` and ``count``, sorted by the former.
    """
    return _grouped(df, grouping_attr).size().reset_index(name="count")


def group_sum_attr(df: pd.DataFrame, grouping_attr: str, reduced_attr: str) -> pd.DataFrame:
    """The sum of `reduced_attr` for each value of `grouping_attr`, as two columns.

    Parameters
    ----------
    df : pandas.DataFrame
        A plan's frame.
    grouping_attr : str
        The column to group by.
    reduced_attr : str
        The column of numbers.

    Returns
    -------
    pandas.DataFrame
        A row per group.
    """
    return _grouped(df, grouping_attr)[[reduced_attr]].sum(min_count=1).reset_index()


def group_mean_attr(df: pd.DataFrame, grouping_attr: str, reduced_attr: str) -> pd.DataFrame:
    """The mean of `reduced_attr` for each value of `grouping_attr`, as two columns.

    Parameters
    ----------
    df : pandas.DataFrame
        A plan's frame.
    grouping_attr : str
        The column to group by.
    reduced_attr : str
        The column of numbers.

    Returns
    -------
    pandas.DataFrame
        A row per group.
    """
    return _grouped(df, grouping_attr)[[reduced_attr]].mean().reset_index()


def shape_to_str(shape: Sequence[int]) -> str:
    """Dimensions as text.

    Parameters
    ----------
    shape : sequence of int
        Dimensions.

    Returns
    -------
    str
        Without blanks.

    Examples
    --------
    >>> import planex.trex as trex
    >>> trex.shape_to_str([1, 3, 224, 224])
    '[1,3,224,224]'
    """
    return "[" + ",".join(map(str, shape)) + "]"


def stack_dicts(
    dict_list: Sequence[Mapping[str, Any]], empty_placeholder: Any = 0
) -> dict[str, list[Any]]:
    """One list per key, with one element per dictionary.

    Parameters
    ----------
    dict_list : sequence of mapping
        Their keys can differ; the order is that of their first occurrence.
    empty_placeholder : object
        Placeholder where a dictionary does not have the key.

    Returns
    -------
    dict of list
        As long as `dict_list`.
    """
    keys = dict.fromkeys(key for one in dict_list for key in one)
    return {key: [one.get(key, empty_placeholder) for one in dict_list] for key in keys}


def stack_dataframes(
    df_list: Sequence[pd.DataFrame],
    names_col: str,
    values_col: str,
    empty_placeholder: Any = 0,
) -> dict[str, list[Any]]:
    """Frames side by side.

    Parameters
    ----------
    df_list : sequence of pandas.DataFrame
        Each has the two columns.
    names_col, values_col : str
        The columns to match rows by, and to show.
    empty_placeholder : object
        Placeholder where a frame does not have the name.

    Returns
    -------
    dict
        By name, in the order of their first occurrence: one value per frame.
    """
    dicts = [dict(zip(df[names_col], df[values_col], strict=True)) for df in df_list]
    return stack_dicts(dicts, empty_placeholder)
