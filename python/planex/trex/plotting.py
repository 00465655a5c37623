"""Charts by plotly, which is installed with the extra ``trex``."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import pandas as pd

from planex.trex._lazy import package, show_figure
from planex.trex.colors import (
    GRID_COLOR,
    NVDA_GREEN,
    UNKNOWN_KEY_COLOR,
    default_pallete,
    layer_colormap,
    precision_colormap,
)
from planex.trex.misc import stack_dataframes
from planex.trex.notebook import display_df

__all__ = [
    "GRID_COLOR",
    "NVDA_GREEN",
    "UNKNOWN_KEY_COLOR",
    "create_layout",
    "default_pallete",
    "layer_colormap",
    "plotly_bar2",
    "plotly_hist",
    "plotly_pie",
    "plotly_pie2",
    "precision_colormap",
    "rotate_columns",
    "stacked_bars",
    "stacked_tabular",
    "stacked_tabular_df",
    "trex_base_layout",
]

Frames: TypeAlias = pd.DataFrame | Mapping[str, pd.DataFrame]
Colors = Mapping[str, str]

_CLEAR = "rgba(0, 0, 0, 0)"
_PATTERNS = ("", "/", ".", "x", "-", "\\", "+", "|")
_NOT_KNOWN = "not known"


def trex_base_layout(fig: Any, gridcolor: str | None = None) -> None:
    """Gives a figure a transparent background and lines in one color.

    Parameters
    ----------
    fig : plotly.graph_objects.Figure
        It is changed.
    gridcolor : str, optional
        Color of the lines.
    """
    axis = {"gridcolor": gridcolor or GRID_COLOR}
    fig.update_layout(xaxis=axis, yaxis=axis, plot_bgcolor=_CLEAR, paper_bgcolor=_CLEAR)


def create_layout(
    title: str,
    size: tuple[int | None, int | None],
    x_title: str,
    y_title: str,
    orientation: str,
    show_axis_ticks: tuple[bool, bool] = (True, True),
) -> Any:
    """A layout for bars.

    Parameters
    ----------
    title : str
        Heading of the chart.
    size : tuple
        Width and height in pixels; None: the available space.
    x_title, y_title : str
        Titles of names and values; swapped for horizontal bars.
    orientation : str
        ``v``: vertical bars; ``h``: horizontal bars.
    show_axis_ticks : tuple of bool
        Whether the horizontal and the vertical axis have labels.

    Returns
    -------
    plotly.graph_objects.Layout
        With lines across the bars only.
    """
    lies = orientation == "h"
    titles = (y_title, x_title) if lies else (x_title, y_title)
    axes = [
        {
            "title": {"text": text},
            "showticklabels": has_labels,
            "gridcolor": GRID_COLOR,
            "showgrid": has_lines,
        }
        for text, has_labels, has_lines in zip(
            titles, show_axis_ticks, (lies, not lies), strict=True
        )
    ]
    return package("plotly.graph_objects").Layout(
        title={"text": title, "x": 0.5, "xanchor": "center"},
        width=size[0],
        height=size[1],
        xaxis=axes[0],
        yaxis=axes[1],
        plot_bgcolor=_CLEAR,
        legend={"x": 0.99, "xanchor": "right", "y": 0.99, "yanchor": "top"},
    )


def plotly_bar2(
    df: Frames,
    title: str,
    values_col: str,
    names_col: str,
    orientation: str = "v",
    color: str | None = None,
    size: tuple[int | None, int | None] = (None, None),
    use_slider: bool = False,
    colormap: Colors | None = None,
    show_axis_ticks: tuple[bool, bool] = (False, True),
    showlegend: bool = False,
    xaxis_title: str | None = None,
    yaxis_title: str | None = None,
    do_show: bool = True,
) -> Any:
    """Bars.

    Parameters
    ----------
    df : pandas.DataFrame or mapping of str to pandas.DataFrame
        One row per bar; several frames, by name, are shown side by side.
    title : str
        Heading of the chart.
    values_col, names_col : str
        Columns: lengths and names of bars.
    orientation : str
        ``v``: vertical bars; ``h``: horizontal bars.
    color : str, optional
        A column: numbers are shown by a scale, everything else by `colormap`.
    size : tuple
        Width and height in pixels.
    use_slider : bool
        Show a part of the chart, with a slider to choose it.
    colormap : mapping, optional
        Colors by value of `color`.
    show_axis_ticks : tuple of bool
        Whether the horizontal and the vertical axis have labels.
    showlegend : bool
        Show the colors of several frames.
    xaxis_title, yaxis_title : str, optional
        Titles of names and values, if not the columns' names.
    do_show : bool
        Show it, not only return it.

    Returns
    -------
    plotly.graph_objects.Figure
        A trace per frame, with a bar per row, in the order of the rows.

    Examples
    --------
    >>> import planex.trex as trex
    >>> from planex.trex import plotting
    >>> plan = trex.EnginePlan("examples/engines/resnet18-a100-qat")
    >>> types = trex.group_count(plan.df, "type")
    >>> figure = plotting.plotly_bar2(types, "Layers", "count", "type", do_show=False)
    >>> dict(zip(figure.data[0].x, figure.data[0].y))
    {'Convolution': 21, 'Pooling': 2, 'Reformat': 12}
    """
    go = package("plotly.graph_objects")
    layout = create_layout(
        title,
        size,
        x_title=xaxis_title or names_col,
        y_title=yaxis_title or values_col,
        orientation=orientation,
        show_axis_ticks=show_axis_ticks,
    )
    fig = go.Figure(layout=layout)
    frames: Mapping[Any, pd.DataFrame] = df if isinstance(df, Mapping) else {None: df}
    for name, frame in frames.items():
        fig.add_trace(
            _bars(frame, name, values_col, names_col, orientation, color, colormap, showlegend)
        )
    # Names that look like numbers are still names.
    (fig.update_xaxes if orientation == "v" else fig.update_yaxes)(type="category")
    if use_slider:
        fig.update_xaxes(rangeslider_visible=True)
    return show_figure(fig, do_show)


def _bars(
    frame: pd.DataFrame,
    name: str | None,
    values_col: str,
    names_col: str,
    orientation: str,
    color: str | None,
    colormap: Colors | None,
    showlegend: bool,
) -> Any:
    values, names = _numbers(frame[values_col]), frame[names_col].tolist()
    x, y = (names, values) if orientation == "v" else (values, names)
    digits = ".4f" if pd.api.types.is_float_dtype(frame[values_col]) else ""
    number = f"%{{value:{digits}}}" if digits else "%{value}"
    shown = [f"{names_col}: %{{{'x' if orientation == 'v' else 'y'}}}", f"{values_col}: {number}"]
    more: dict[str, Any] = {}
    if color is not None:
        shown.append(f"{color}: %{{customdata}}")
        more["marker"], more["customdata"] = _marker(frame[color], color, colormap)
    return package("plotly.graph_objects").Bar(
        x=x,
        y=y,
        orientation=orientation,
        # Missing values have no bar and no text.
        text=values,
        texttemplate=number,
        hovertemplate="<br>".join(shown) + "<extra></extra>",
        name=name,
        showlegend=showlegend,
        **more,
    )


def _marker(
    column: pd.Series, title: str, colormap: Colors | None
) -> tuple[dict[str, Any], list[Any]]:
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        numbers = _numbers(column)
        scaled = [math.nan if value is None else value for value in numbers]
        return {"color": scaled, "colorbar": {"title": {"text": title}}}, numbers
    keys = _categories(column)
    return {"color": colors_of(keys, colormap)}, keys


def _categories(column: pd.Series) -> list[str]:
    return [
        _NOT_KNOWN if value is None or (isinstance(value, float) and value != value) else str(value)
        for value in column
    ]


def colors_of(keys: Sequence[Any], colormap: Colors | None) -> list[str]:
    """Colors of categories; without a map, in the order of their first occurrence."""
    if colormap is None:
        last = len(default_pallete) - 1
        order = dict.fromkeys(keys)
        colormap = {key: default_pallete[min(i, last)] for i, key in enumerate(order)}
    return [_color(colormap, key) for key in keys]


def _markers(colors: Sequence[str]) -> list[dict[str, Any]]:
    """Markers in these colors; those of the same color are distinguished by a pattern."""
    return [
        {"color": color, "pattern": {"shape": _PATTERNS[colors[:i].count(color) % len(_PATTERNS)]}}
        for i, color in enumerate(colors)
    ]


def _color(colormap: Colors, key: Any) -> str:
    try:
        return colormap[key]
    except KeyError:
        return UNKNOWN_KEY_COLOR


def _numbers(column: pd.Series) -> list[Any]:
    """Numbers, with None for missing values."""
    values: list[Any] = column.tolist()
    if not pd.api.types.is_numeric_dtype(column):
        return values
    return [None if pd.isna(value) else value for value in values]


def rotate_columns(df: pd.DataFrame) -> pd.DataFrame:
    """A frame with its last column in front.

    Parameters
    ----------
    df : pandas.DataFrame
        Any frame.

    Returns
    -------
    pandas.DataFrame
        With the same columns.
    """
    columns = df.columns.tolist()
    return df[columns[-1:] + columns[:-1]]


def stacked_tabular_df(
    bar_names: Sequence[str],
    df_list: Sequence[pd.DataFrame],
    names_col: str,
    values_col: str,
    empty_symbol: object = 0,
) -> pd.DataFrame:
    """Frames side by side.

    Parameters
    ----------
    bar_names : sequence of str
        Names of the frames.
    df_list : sequence of pandas.DataFrame
        Each has the two columns.
    names_col, values_col : str
        The columns to match rows by, and to show.
    empty_symbol : object
        Placeholder where a frame does not have the name.

    Returns
    -------
    pandas.DataFrame
        One row per name, one column per frame; names come first, in a column named like the values.
    """
    stacked = stack_dataframes(df_list, names_col, values_col, empty_symbol)
    df = pd.DataFrame.from_dict(stacked, orient="index", columns=list(bar_names))
    df[values_col] = list(stacked)
    return rotate_columns(df)


def stacked_tabular(*args: Any, **kwargs: Any) -> None:
    """Shows the frame from :func:`stacked_tabular_df`.

    Parameters
    ----------
    *args, **kwargs
        As for :func:`stacked_tabular_df`.
    """
    display_df(stacked_tabular_df(*args, **kwargs))


def stacked_bars(
    title: str,
    bar_names: Sequence[str],
    df_list: Sequence[pd.DataFrame],
    names_col: str,
    values_col: str,
    empty_symbol: object = 0,
    colormap: Colors | None = None,
    display_tbl: bool = True,
    fig: Any = None,
    xaxis_title: str | None = None,
    yaxis_title: str | None = None,
) -> Any:
    """A bar per frame, with a piece per name.

    Parameters
    ----------
    title : str
        Heading of the chart.
    bar_names : sequence of str
        Names of the bars.
    df_list : sequence of pandas.DataFrame
        Each has the two columns.
    names_col, values_col : str
        Columns: names and lengths of the pieces.
    empty_symbol : object
        Placeholder where a frame does not have the name.
    colormap : mapping, optional
        Colors by name.
    display_tbl : bool
        Also show the same as a table.
    fig : plotly.graph_objects.Figure, optional
        Add the bars to it and don't show it.
    xaxis_title, yaxis_title : str, optional
        Titles of bars and values.

    Returns
    -------
    plotly.graph_objects.Figure
        A trace per name.
    """
    go = package("plotly.graph_objects")
    stacked = stack_dataframes(df_list, names_col, values_col, empty_symbol)
    given = fig
    if fig is None:
        fig = go.Figure()
        trex_base_layout(fig)
    colors = colors_of(list(stacked), colormap)
    for (name, values), marker in zip(stacked.items(), _markers(colors), strict=True):
        numbers = [None if pd.isna(value) else value for value in values]
        fig.add_trace(
            go.Bar(
                name=str(name),
                x=list(bar_names),
                y=numbers,
                text=numbers,
                texttemplate="%{text:.4f}",
                marker=marker,
            )
        )
    fig.update_layout(
        title={"text": title, "x": 0.5},
        barmode="stack",
        showlegend=True,
        uniformtext={"minsize": 8, "mode": "hide"},
        xaxis={"title": {"text": xaxis_title}},
        yaxis={"title": {"text": yaxis_title or values_col}},
    )
    show_figure(fig, given is None)
    if display_tbl:
        stacked_tabular(bar_names, df_list, names_col, values_col, empty_symbol)
    return fig


def plotly_hist(
    df: pd.DataFrame,
    title: str,
    values_col: str,
    xaxis_title: str,
    color: str,
    colormap: Colors | None = None,
    do_show: bool = True,
) -> Any:
    """Histogram of values.

    Parameters
    ----------
    df : pandas.DataFrame
        The rows to count.
    title : str
        Heading of the chart.
    values_col : str
        A column of numbers; rows without one are left out.
    xaxis_title : str
        Title of the numbers.
    color : str
        A column: pieces of bars.
    colormap : mapping, optional
        Colors by value of `color`.
    do_show : bool
        Show it, not only return it.

    Returns
    -------
    plotly.graph_objects.Figure
        A trace per value of `color`.
    """
    go = package("plotly.graph_objects")
    known = df[df[values_col].notna()]
    fig = go.Figure(
        layout={
            "title": {"text": title},
            "template": "simple_white",
            "xaxis": {"title": {"text": xaxis_title}},
            "yaxis": {"title": {"text": "count"}},
            "legend": {"title": {"text": color}},
            "bargap": 0.05,
            "barmode": "relative",
        }
    )
    categories = pd.Series(_categories(known[color]), index=known.index)
    keys = list(dict.fromkeys(categories))
    for key, marker in zip(keys, _markers(colors_of(keys, colormap)), strict=True):
        values = _numbers(known[values_col][categories == key])
        fig.add_trace(
            go.Histogram(
                x=values,
                name=key,
                marker=marker,
                nbinsx=len(df),
                bingroup="all",
                showlegend=True,
            )
        )
    return show_figure(fig, do_show)


def plotly_pie(
    df: pd.DataFrame,
    title: str,
    values: str,
    names: str,
    colormap: Colors | None = None,
    do_show: bool = True,
) -> Any:
    """Parts of a whole.

    Parameters
    ----------
    df : pandas.DataFrame
        A row per part.
    title : str
        Heading of the chart.
    values, names : str
        Columns: sizes and names of the parts.
    colormap : mapping, optional
        Colors by name.
    do_show : bool
        Show it, not only return it.

    Returns
    -------
    plotly.graph_objects.Figure
        One trace.
    """
    fig = package("plotly.graph_objects").Figure(data=[_pie(df, title, values, names, colormap)])
    fig.update_traces(hole=0, textposition="auto")
    fig.update_layout(title={"text": title, "x": 0.5}, font={"size": 20})
    return show_figure(fig, do_show)


def plotly_pie2(
    title: str,
    charts: Sequence[tuple[pd.DataFrame, str, str, str]],
    max_cols: int = 3,
    colormap: Colors | None = None,
    do_show: bool = True,
) -> Any:
    """Parts of several wholes, as rings.

    Parameters
    ----------
    title : str
        Heading of all.
    charts : sequence of tuple
        For each ring the frame, the heading, and the columns of values and of names.
    max_cols : int
        Maximum number of rings per row.
    colormap : mapping, optional
        Colors by name.
    do_show : bool
        Show it, not only return it.

    Returns
    -------
    plotly.graph_objects.Figure
        A trace per ring.
    """
    columns = max(1, min(max_cols, len(charts)))
    rows = max(1, math.ceil(len(charts) / columns))
    fig = package("plotly.subplots").make_subplots(
        rows=rows,
        cols=columns,
        specs=[[{"type": "domain"}] * columns] * rows,
        subplot_titles=[chart[1] for chart in charts],
    )
    for i, (df, subtitle, values, names) in enumerate(charts):
        row, column = divmod(i, columns)
        fig.add_trace(_pie(df, subtitle, values, names, colormap), row + 1, column + 1)
    fig.update_layout(title={"text": title, "x": 0.5}, font={"size": 20})
    return show_figure(fig, do_show)


def _pie(df: pd.DataFrame, title: str, values: str, names: str, colormap: Colors | None) -> Any:
    labels = _categories(df[names])
    digits = ":.1f" if pd.api.types.is_float_dtype(df[values]) else ""
    return package("plotly.graph_objects").Pie(
        labels=labels,
        values=_numbers(df[values]),
        name=title,
        hole=0.4,
        marker={
            "colors": colors_of(df[names].tolist(), colormap),
            "line": {"color": GRID_COLOR, "width": 1},
        },
        texttemplate=f"%{{value{digits}}}",
        textposition="inside",
        hoverinfo="label+percent",
    )
