"""Small helpers for frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

__all__ = [
    "group_count",
    "group_mean_attr",
    "group_sum_attr",
    "shape_to_str",
    "stack_dataframes",
    "stack_dicts",
]


def group_count(df: pd.DataFrame, grouping_attr: str) -> pd.DataFrame:
    """How many rows there are of each value of a column.

    Returns
    -------
    pandas.DataFrame
        `grouping_attr` and ``count``, sorted by the former.
    """
    return df.groupby(grouping_attr).size().reset_index(name="count")


def group_sum_attr(df: pd.DataFrame, grouping_attr: str, reduced_attr: str) -> pd.DataFrame:
    """The sum of `reduced_attr` for each value of `grouping_attr`, as two columns."""
    return df.groupby(grouping_attr)[[reduced_attr]].sum(min_count=1).reset_index()


def group_mean_attr(df: pd.DataFrame, grouping_attr: str, reduced_attr: str) -> pd.DataFrame:
    """The mean of `reduced_attr` for each value of `grouping_attr`, as two columns."""
    return df.groupby(grouping_attr)[[reduced_attr]].mean().reset_index()


def shape_to_str(shape: Sequence[int]) -> str:
    """Dimensions as text.

    Examples
    --------
    >>> import planex.trex as trex
    >>> trex.shape_to_str([1, 3, 224, 224])
    '[1,3,224,224]'
    """
    return "[" + ",".join(map(str, shape)) + "]"


def stack_dicts(dicts: Sequence[Mapping[str, Any]], empty_placeholder: Any) -> dict[str, list[Any]]:
    """One list per key, an element of it for each dictionary.

    Parameters
    ----------
    dicts : sequence of mapping
        Their keys may differ; the order is that in which they are met first.
    empty_placeholder : object
        Stands where a dictionary does not have the key.
    """
    keys = dict.fromkeys(key for one in dicts for key in one)
    return {key: [one.get(key, empty_placeholder) for one in dicts] for key in keys}


def stack_dataframes(
    df_list: Sequence[pd.DataFrame],
    names_col: str,
    values_col: str,
    empty_placeholder: Any = 0,
) -> pd.DataFrame:
    """Frames side by side.

    Parameters
    ----------
    df_list : sequence of pandas.DataFrame
        Each has the two columns.
    names_col, values_col : str
        What rows are matched by, and what is shown.
    empty_placeholder : object
        Stands where a frame does not have the name.

    Returns
    -------
    pandas.DataFrame
        A row per name, in the order in which they are met first; a column per frame: 0, 1, ...
    """
    dicts = [dict(zip(df[names_col], df[values_col], strict=True)) for df in df_list]
    stacked = stack_dicts(dicts, empty_placeholder)
    frame = pd.DataFrame.from_dict(stacked, orient="index", columns=list(range(len(dicts))))
    return frame.rename_axis(names_col).reset_index()
