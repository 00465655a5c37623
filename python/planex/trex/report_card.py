"""Report cards: charts and tables of one plan.

Related charts are returned as a dictionary, from titles to drawing functions, or as a list to
choose from (see :mod:`planex.trex.interactive`). :meth:`planex.Engine.report` has more.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd

from planex.trex import (
    colors,
    df_preprocessing,
    graphing,
    interactive,
    misc,
    notebook,
    parser,
    plotting,
)
from planex.trex._lazy import display, has_notebook, package, show_figure
from planex.trex.engine_plan import EnginePlan

__all__ = [
    "EnginePlan",
    "colors",
    "df_preprocessing",
    "graphing",
    "interactive",
    "layer_latency_sunburst",
    "misc",
    "notebook",
    "parser",
    "partial",
    "plot_engine_timings",
    "plotting",
    "report_card_convolutions_overview",
    "report_card_convolutions_overview_widget",
    "report_card_draw_plan_graph",
    "report_card_draw_plan_graph_extended",
    "report_card_efficiency_vs_latency_3d",
    "report_card_gemm_MNK",
    "report_card_gemm_MNK_scatter",
    "report_card_memory_footprint",
    "report_card_memory_footprint_widget",
    "report_card_perf_overview",
    "report_card_perf_overview_widget",
    "report_card_perf_scatter",
    "report_card_pointwise_lint",
    "report_card_reformat_overview",
    "report_card_table_view",
]

Views = dict[str, Callable[..., Any]]

_AVG, _PCT = "latency.avg_time", "latency.pct_time"
_FOOTPRINT, _INTENSITY = "total_footprint_bytes", "attr.arithmetic_intensity"
_COMPUTE, _MEMORY, _MACS = "attr.compute_efficiency", "attr.memory_efficiency", "attr.macs"


def report_card_perf_overview(plan: EnginePlan) -> dict[str, Callable[..., Any]]:
    """Where the time of a plan goes.

    Parameters
    ----------
    plan : EnginePlan
        What it is about.

    Returns
    -------
    dict
        Titles to drawing functions; each takes ``title`` and ``do_show`` and returns the figure.

    Examples
    --------
    >>> import planex.trex as trex
    >>> from planex.trex.report_card import report_card_perf_overview
    >>> plan = trex.EnginePlan("examples/engines/resnet18-a100-qat")
    >>> views = report_card_perf_overview(plan)
    >>> figure = views["Latency per layer type (ms)"]("By type", do_show=False)
    >>> round(sum(figure.data[0].x), 5)
    1.09568
    """
    df = plan.df
    per_layer = partial(_per_layer, df, xaxis_title="Layer")
    per_type = partial(
        plotting.plotly_bar2,
        names_col="type",
        color="type",
        colormap=colors.layer_colormap,
        orientation="h",
        show_axis_ticks=(True, True),
    )
    by_precision = {"color": "precision", "colormap": colors.precision_colormap}
    by_output = {"color": "output_precision", "colormap": colors.precision_colormap}
    roll_up = [
        (misc.group_count(df, "precision"), "Layer Count By Precision", "count", "precision"),
        (misc.group_sum_attr(df, "precision", _PCT), "% Latency By Precision", _PCT, "precision"),
    ]
    times = misc.group_sum_attr(df, "type", _AVG), misc.group_sum_attr(df, "type", _PCT)
    return {
        "Latency per layer (%)": partial(per_layer, values_col=_PCT),
        "Latency per layer (ms)": partial(per_layer, values_col=_AVG),
        "Layer latency distribution": partial(
            plotting.plotly_hist,
            df,
            values_col=_PCT,
            xaxis_title="Latency (%)",
            color="type",
            colormap=colors.layer_colormap,
        ),
        "Precision per layer": partial(per_layer, values_col=_AVG, **by_precision),
        "Output precision per layer": partial(per_layer, values_col=_AVG, **by_output),
        "Count per layer type": partial(per_type, misc.group_count(df, "type"), values_col="count"),
        "Latency per layer type (ms)": partial(per_type, times[0], values_col=_AVG),
        "Latency per layer type (%)": partial(per_type, times[1], values_col=_PCT),
        "Precision per layer type": partial(_precision_per_type, plan),
        "Precision rollup": partial(
            plotting.plotly_pie2, charts=roll_up, colormap=colors.precision_colormap
        ),
    }


def _per_layer(df: pd.DataFrame, title: str, values_col: str, **given: Any) -> Any:
    """One bar per layer, colored by type by default."""
    options = {"color": "type", "colormap": colors.layer_colormap, **given}
    return plotting.plotly_bar2(df, title, values_col, "Name", **options)


def _precision_per_type(plan: EnginePlan, title: str, do_show: bool = True) -> Any:
    counts = (
        plan.df.assign(precision=plan.df["precision"].fillna("no input"))
        .groupby(["type", "precision"])
        .size()
        .reset_index(name="count")
    )
    named = f"{title} ({plan.name})"
    return _sunburst(counts, "precision", "count", colors.precision_colormap, named, do_show)


def _sunburst(
    df: pd.DataFrame,
    leaf: str,
    values: str,
    leaf_colors: plotting.Colors | None,
    title: str,
    do_show: bool,
) -> Any:
    """Types in the middle, their layers around them."""
    df = df[df[values].notna()]
    kinds, leaves = list(dict.fromkeys(df["type"])), df[leaf].tolist()
    parents = df["type"].tolist()
    fills = [colors.layer_colormap[kind] for kind in kinds]
    fills += [
        leaf_colors[one] if leaf_colors is not None else colors.layer_colormap[kind]
        for one, kind in zip(leaves, parents, strict=True)
    ]
    go = package("plotly.graph_objects")
    fig = go.Figure(
        go.Sunburst(
            ids=[*kinds, *(f"{kind}/{one}" for kind, one in zip(parents, leaves, strict=True))],
            labels=[*kinds, *leaves],
            parents=[""] * len(kinds) + parents,
            # Types have the sum of their leaves.
            values=[0] * len(kinds) + df[values].tolist(),
            branchvalues="remainder",
            marker={"colors": fills},
            hovertemplate=f"%{{label}}<br>{values}: %{{value}}<extra></extra>",
        )
    )
    fig.update_layout(title={"text": title, "x": 0.5}, font={"size": 15})
    return show_figure(fig, do_show)


def report_card_perf_overview_widget(plan: EnginePlan) -> interactive.InteractiveDiagram_2:
    """Lets the reader choose one of :func:`report_card_perf_overview`.

    Parameters
    ----------
    plan : EnginePlan
        What it is about.

    Returns
    -------
    planex.trex.interactive.InteractiveDiagram_2
        ``.show(title)`` draws another one.
    """
    return interactive.InteractiveDiagram_2(report_card_perf_overview(plan), "Diagram:")


def report_card_convolutions_overview(convs: pd.DataFrame) -> dict[str, Callable[..., Any]]:
    """Time, work and bytes of convolutions.

    Parameters
    ----------
    convs : pandas.DataFrame
        ``plan.get_layers_by_type("Convolution")``.

    Returns
    -------
    dict
        Titles to drawing functions; each takes ``title`` and ``do_show`` and returns the figure.
    """
    convs = convs.copy()
    # They distinguish kinds of convolutions, and are not amounts.
    for column in ("attr.groups", "attr.kernel"):
        if column in convs:
            convs[column] = convs[column].astype(str)
    by_precision = {"color": "precision", "colormap": colors.precision_colormap}

    def bars(values: str, **given: Any) -> partial[Any]:
        return partial(_per_layer, convs, values_col=values, **{"colormap": None, **given})

    views = {
        "Latency per convolution (color = precision)": bars(_PCT, **by_precision),
        "Latency per convolution (color = FMAs)": bars(_PCT, color=_MACS),
        "Latency per convolution (color = data size)": bars(_PCT, color=_FOOTPRINT),
        "Latency per convolution (color = arithmetic intensity)": bars(_PCT, color=_INTENSITY),
        "Latency per convolution (color = compute efficiency)": bars(_PCT, color=_COMPUTE),
        "Latency per convolution (color = group size)": bars(_PCT, color="attr.groups"),
        "Latency per convolution (color = kernel size)": bars(_PCT, color="attr.kernel"),
        "Data footprints": bars(_FOOTPRINT, color=_PCT),
        "Fused Multiply-Accumulate (FMAs)": bars(_MACS, color=_PCT),
        # TREx names these two after the time and the footprint.
        "Arithmetic intensity (color = compute efficiency)": bars(_INTENSITY, color=_COMPUTE),
        "Arithmetic intensity (color = memory efficiency)": bars(_INTENSITY, color=_MEMORY),
        "Compute efficiency (color = latency)": bars(_COMPUTE, color=_PCT),
        "Memory efficiency (color = latency)": bars(_MEMORY, color=_PCT),
    }
    # Other producers record less about their convolutions than TensorRT.
    return {
        title: view
        for title, view in views.items()
        if {view.keywords["values_col"], view.keywords["color"]} <= set(convs.columns)
    }


def report_card_convolutions_overview_widget(
    convs: pd.DataFrame,
) -> interactive.InteractiveDiagram_2 | None:
    """Lets the reader choose one of :func:`report_card_convolutions_overview`.

    Parameters
    ----------
    convs : pandas.DataFrame
        ``plan.get_layers_by_type("Convolution")``.

    Returns
    -------
    planex.trex.interactive.InteractiveDiagram_2 or None
        None if there are no convolutions.
    """
    if convs.empty:
        print("There are no convolutions.")
        return None
    return interactive.InteractiveDiagram_2(report_card_convolutions_overview(convs), "Diagram:")


def report_card_table_view(plan: EnginePlan) -> interactive.InteractiveDiagram:
    """Lets the reader choose a table: all layers, or those of a type.

    Parameters
    ----------
    plan : EnginePlan
        What it is about.

    Returns
    -------
    planex.trex.interactive.InteractiveDiagram
        ``.show(choice)`` shows another one.
    """

    def show(choice: str, _: object) -> pd.DataFrame:
        df = plan.df
        if choice != "All":
            df = plan.get_layers_by_type(choice)
            share, time = df[_PCT].sum(min_count=1), df[_AVG].sum(min_count=1)
            print(f"{len(df)} layers of type {choice}: {share:.2f} % of the time, {time:.5f} ms")
        cleaned = df_preprocessing.clean_for_display(df)
        notebook.display_df(cleaned)
        return cleaned

    types = ["All", *dict.fromkeys(plan.df["type"])]
    return interactive.InteractiveDiagram(show, {one: one for one in types}, "Dataframe")


def report_card_memory_footprint(plan: EnginePlan) -> dict[str, Callable[..., Any]]:
    """Bytes of weights and tensors of each layer, and how they are distributed.

    Parameters
    ----------
    plan : EnginePlan
        What it is about.

    Returns
    -------
    dict
        Titles to drawing functions; each takes ``title`` and ``do_show`` and returns the figure.
    """
    bars = partial(_per_layer, plan.df)
    distribution = partial(
        plotting.plotly_hist,
        plan.df,
        xaxis_title="Size (bytes)",
        color="type",
        colormap=colors.layer_colormap,
    )
    return {
        "Weights footprint per layer": partial(bars, values_col="weights_size"),
        "Activation footprint per layer": partial(bars, values_col="total_io_size_bytes"),
        "Total footprint per layer": partial(bars, values_col=_FOOTPRINT),
        "Weights footprint distribution per layer": partial(
            distribution, values_col="weights_size"
        ),
        "Activations footprint distribution per layer": partial(
            distribution, values_col="total_io_size_bytes"
        ),
        "Total footprint distribution per layer": partial(distribution, values_col=_FOOTPRINT),
    }


def report_card_memory_footprint_widget(plan: EnginePlan) -> interactive.InteractiveDiagram_2:
    """Lets the reader choose one of :func:`report_card_memory_footprint`.

    Parameters
    ----------
    plan : EnginePlan
        What it is about.

    Returns
    -------
    planex.trex.interactive.InteractiveDiagram_2
        ``.show(title)`` draws another one.
    """
    return interactive.InteractiveDiagram_2(report_card_memory_footprint(plan), "Diagram:")


def report_card_draw_plan_graph(
    plan: EnginePlan, engine_name: str | os.PathLike[str]
) -> interactive.InteractiveDiagram:
    """Lets the reader choose how to draw a plan.

    Parameters
    ----------
    plan : EnginePlan
        What is drawn.
    engine_name : path
        The SVG file that is written, without its ending.

    Returns
    -------
    planex.trex.interactive.InteractiveDiagram
        ``.show(choice)`` shows another one.
    """

    def draw(
        _: str, formatter: graphing.LayerFormatter, regions: bool, details: bool, names: bool
    ) -> str:
        graph = graphing.to_dot(
            plan,
            formatter,
            display_regions=regions,
            expand_layer_details=details,
            display_layer_names=names,
        )
        return _show_graph(graph, engine_name)

    by_type, by_precision = graphing.layer_type_formatter, graphing.layer_precision_formatter
    choices = {
        "Color nodes by type": (by_type, False, False, True),
        "Color nodes by type (detailed)": (by_type, True, True, True),
        "Color nodes by precision": (by_precision, False, False, True),
        "Color nodes by precision (detailed)": (by_precision, True, True, True),
        "Minimalistic": (by_type, False, True, False),
    }
    return interactive.InteractiveDiagram(draw, choices, "Color formatting:")


def _show_graph(graph: graphing.DotGraph, engine_name: str | os.PathLike[str]) -> str:
    file = graphing.render_dot(graph, engine_name, "svg")
    display(graph)
    return file


# What the reader can switch: option, label, initial value.
_SWITCHES = (
    ("display_constants", "Constants", False),
    ("expand_layer_details", "Details of layers", True),
    ("display_layer_names", "Names of layers", False),
    ("display_metadata", "Operations of the model", True),
    ("display_regions", "All tensors as boxes", False),
    ("display_forking_regions", "Tensors with several readers as boxes", True),
    ("display_edge_name", "Names of tensors", False),
    ("display_edge_details", "Types and shapes of tensors", True),
)


def report_card_draw_plan_graph_extended(
    plan: EnginePlan, engine_name: str | os.PathLike[str]
) -> interactive.InteractiveDiagram | None:
    """Lets the reader choose everything about a drawing, and save it as SVG or ONNX.

    Outside of a notebook with ipywidgets, this calls :func:`report_card_draw_plan_graph`.

    Parameters
    ----------
    plan : EnginePlan
        What is drawn.
    engine_name : path
        The files that are written, without their endings.

    Returns
    -------
    planex.trex.interactive.InteractiveDiagram or None
        None in a notebook with ipywidgets.
    """
    if not has_notebook() or importlib.util.find_spec("ipywidgets") is None:
        return report_card_draw_plan_graph(plan, engine_name)
    widgets = package("ipywidgets")
    switches = {
        option: widgets.Checkbox(value=value, description=label)
        for option, label, value in _SWITCHES
    }
    by = widgets.Dropdown(options=["Layer Type", "Layer Precision"], description="Layers color")
    latency = widgets.Dropdown(options=list(graphing.latency_types), description="Latency metric")
    renderer = widgets.Dropdown(
        options=list(graphing.layer_node_renderers),
        value="Configurable",
        description="Layer renderer",
    )
    output = widgets.Output()

    def graph() -> graphing.DotGraph:
        formatters = (graphing.layer_type_formatter, graphing.layer_precision_formatter)
        given = {option: switch.value for option, switch in switches.items()}
        return graphing.to_dot(
            plan,
            formatters[by.index],
            latency_type=latency.value,
            layer_node_renderer=graphing.layer_node_renderers[renderer.value],
            **given,
        )

    def on_svg(_: object) -> None:
        with output:
            output.clear_output(wait=True)
            print(_show_graph(graph(), engine_name))

    def on_onnx(_: object) -> None:
        with output:
            output.clear_output(wait=True)
            file = graphing.render_dot(graph(), engine_name, "onnx")
            print(f"{file}: Netron shows it")

    buttons = []
    for label, action in (("Render SVG Graph", on_svg), ("Render ONNX Graph", on_onnx)):
        button = widgets.Button(description=label)
        button.on_click(action)
        buttons.append(button)
    half = len(_SWITCHES) // 2
    boxes = list(switches.values())
    columns = widgets.HBox(
        [
            widgets.VBox([by, latency, renderer]),
            widgets.VBox(boxes[:half]),
            widgets.VBox(boxes[half:]),
        ]
    )
    display(widgets.VBox([columns, widgets.HBox(buttons), output]))
    return None


def report_card_pointwise_lint(plan: EnginePlan) -> pd.DataFrame | None:
    """Number of operations that pointwise layers fuse, and the cost of one.

    Parameters
    ----------
    plan : EnginePlan
        What it is about.

    Returns
    -------
    pandas.DataFrame or None
        ``attr.n_operations``, ``count``, ``latency.pct_time`` and ``per_op_latency``, the percent
        per operation and layer; None if there is no pointwise layer. Operations of layers with
        several are printed.
    """
    layers = plan.get_layers_by_type("PointWise")
    key = "attr.n_operations"
    if layers.empty or key not in layers:
        print("The engine plan has no pointwise layers that list what they fuse.")
        return None
    counts = misc.group_count(layers, key)
    times = misc.group_sum_attr(layers, key, _PCT)
    df = counts.merge(times, on=key)
    operations = (df["count"] * df[key]).astype("float64")
    df["per_op_latency"] = df[_PCT] / operations.where(operations > 0)
    charts = [
        (df, "Pointwise layers by number of operations", "count", key),
        (df, "Latency by number of operations (%)", _PCT, key),
        (df, "Per op latency by number of operations", "per_op_latency", key),
    ]
    plotting.plotly_pie2("Pointwise Statistics", charts)
    for row in layers.to_dict("records"):
        fused = row.get("attr.operations")
        if isinstance(fused, list) and len(fused) > 1:
            print("\n\t".join([row["Name"], *map(str, fused)]))
    return df


def layer_latency_sunburst(df: pd.DataFrame, title: str, do_show: bool = True) -> Any:
    """Types of layers and their layers, by time.

    Parameters
    ----------
    df : pandas.DataFrame
        ``plan.df``.
    title : str
        Heading of the chart.
    do_show : bool
        Show the figure and return None.

    Returns
    -------
    plotly.graph_objects.Figure or None
        Pieces are percents of all profiled layers.
    """
    fig = _sunburst(df, "Name", _PCT, None, title, do_show)
    return None if do_show else fig


def plot_engine_timings(timing_json_file: str | os.PathLike[str], do_show: bool = True) -> Any:
    """Every measured inference.

    Parameters
    ----------
    timing_json_file : path
        From ``--exportTimes``.
    do_show : bool
        Show the figure and return None.

    Returns
    -------
    plotly.graph_objects.Figure or None
        The times, with lines at the median and the 99th percentile.
    """
    engine = parser.open_timing(timing_json_file)
    latencies = parser.latencies_of(engine)
    go = package("plotly.graph_objects")
    fig = go.Figure(
        go.Scattergl(x=list(range(len(latencies))), y=latencies, mode="markers", name="sample")
    )
    plotting.trex_base_layout(fig)
    fig.update_layout(
        title={"text": "Engine Timing Samples", "x": 0.5},
        xaxis={"title": {"text": "Timing Samples"}},
        yaxis={"title": {"text": "Latency (ms)"}},
    )
    row = engine.sql(
        "SELECT median(latency_ms) AS p50, percentile(latency_ms, 99) AS p99 FROM iterations"
    ).to_pylist()[0]
    for name, label, place in (("p50", "median", "bottom right"), ("p99", "p99", "top right")):
        if row[name] is not None:
            text = f"{label} {row[name]:.4f} ms"
            fig.add_hline(row[name], annotation_text=text, annotation_position=place)
    show_figure(fig, do_show)
    return None if do_show else fig


def _scatter(plan: EnginePlan, title: str, size: str | None, color: str, **axes: str) -> Any:
    """Convolutions as dots; those that lack one of the figures are left out."""
    convs = plan.get_layers_by_type("Convolution")
    used = [*axes.values(), color, *([size] if size else [])]
    convs = convs.dropna(subset=used) if not convs.empty else convs
    numbers = {column: convs[column].tolist() for column in used if column in convs}
    sizes = numbers.get(size or "", [])
    largest = max(sizes, default=0)
    marker = {
        "color": numbers.get(color, []),
        "colorbar": {"title": {"text": color}},
        "opacity": 0.7,
        # By area, the largest 18 pixels wide.
        "size": [18 * (one / largest) ** 0.5 for one in sizes] if largest else 9,
    }
    points = {axis: numbers.get(column, []) for axis, column in axes.items()}
    go = package("plotly.graph_objects")
    names = convs["Name"].tolist() if not convs.empty else []
    kind = go.Scatter3d if "z" in axes else go.Scatter
    fig = go.Figure(kind(**points, mode="markers", marker=marker, text=names))
    titles = {f"{axis}axis": {"title": {"text": column}} for axis, column in axes.items()}
    fig.update_layout(title={"text": title, "x": 0.5})
    if "z" in axes:
        fig.update_layout(scene=titles)
    else:
        fig.update_layout(titles)
        plotting.trex_base_layout(fig)
    return fig


def report_card_gemm_MNK(plan: EnginePlan) -> interactive.InteractiveDiagram:
    """Convolutions by the sizes of their matrix products, in three dimensions.

    Parameters
    ----------
    plan : EnginePlan
        What it is about.

    Returns
    -------
    planex.trex.interactive.InteractiveDiagram
        ``.show(choice)`` shows another one.
    """

    def draw(choice: str, color: str) -> Any:
        axes = {"x": "attr.M", "y": "attr.N", "z": "attr.K"}
        return show_figure(_scatter(plan, f"Implicit GEMM {choice}", _AVG, color, **axes), True)

    choices = {
        "MxNxK color=mean time; size=mean time": _AVG,
        "MxNxK color=arithmetic intensity; size=mean time": _INTENSITY,
        "MxNxK color=compute efficiency; size=mean time": _COMPUTE,
        "MxNxK color=memory efficiency; size=mean time": _MEMORY,
    }
    return interactive.InteractiveDiagram(draw, choices, "Diagram")


def report_card_gemm_MNK_scatter(plan: EnginePlan) -> interactive.InteractiveDiagram:
    """Convolutions: time over one size of their matrix products.

    Parameters
    ----------
    plan : EnginePlan
        What it is about.

    Returns
    -------
    planex.trex.interactive.InteractiveDiagram
        ``.show(choice)`` shows another one.
    """

    def draw(choice: str, x: str) -> Any:
        return show_figure(_scatter(plan, choice, None, _FOOTPRINT, x=x, y=_AVG), True)

    choices = {f"{size} vs. Latency (color = footprint)": f"attr.{size}" for size in "MNK"}
    return interactive.InteractiveDiagram(draw, choices, "Diagram")


def report_card_efficiency_vs_latency_3d(plan: EnginePlan, do_show: bool = True) -> Any:
    """Convolutions by both rates and by arithmetic intensity; larger dots take longer.

    Parameters
    ----------
    plan : EnginePlan
        What it is about.
    do_show : bool
        Show the figure and return None.

    Returns
    -------
    plotly.graph_objects.Figure or None
        None if it was shown.
    """
    title = "Compute-efficiency vs Memory-efficiency vs Latency"
    axes = {"x": _COMPUTE, "y": _MEMORY, "z": _INTENSITY}
    fig = show_figure(_scatter(plan, title, _AVG, _FOOTPRINT, **axes), do_show)
    return None if do_show else fig


def report_card_perf_scatter(plan: EnginePlan) -> interactive.InteractiveDiagram:
    """Convolutions: work, bytes and rates over one another; color is time.

    Parameters
    ----------
    plan : EnginePlan
        What it is about.

    Returns
    -------
    planex.trex.interactive.InteractiveDiagram
        ``.show(choice)`` shows another one.
    """

    def draw(choice: str, x: str, y: str, size: str) -> Any:
        return show_figure(_scatter(plan, choice, size, _AVG, x=x, y=y), True)

    choices = {
        "Compute-efficiency vs. FMAs (size = footprint)": (_COMPUTE, _MACS, _FOOTPRINT),
        "Memory-efficiency vs. footprint (size = FMAs)": (_MEMORY, _FOOTPRINT, _MACS),
        "Compute-efficiency vs. memory-efficiency (size = AI)": (_COMPUTE, _MEMORY, _INTENSITY),
        "Memory footprint vs FMAs (size = AI)": (_FOOTPRINT, _MACS, _INTENSITY),
        "Arithmetic-intensity vs. compute-efficiency (size = memory-efficiency)": (
            _INTENSITY,
            _COMPUTE,
            _MEMORY,
        ),
        "Arithmetic-intensity vs. memory-efficiency (size = compute-efficiency)": (
            _INTENSITY,
            _MEMORY,
            _COMPUTE,
        ),
    }
    return interactive.InteractiveDiagram(draw, choices, "Diagram")


def report_card_reformat_overview(plan: EnginePlan) -> interactive.InteractiveDiagram_2 | None:
    """Lets the reader choose: reformats by their origin, as count, time and percent.

    Parameters
    ----------
    plan : EnginePlan
        What it is about.

    Returns
    -------
    planex.trex.interactive.InteractiveDiagram_2 or None
        None if no reformat records its origin.
    """
    reformats = plan.get_layers_by_type("Reformat")
    key = "attr.origin"
    if reformats.empty or key not in reformats:
        print("The engine plan has no reformats with an origin.")
        return None
    bars = partial(
        plotting.plotly_bar2,
        names_col=key,
        color=key,
        orientation="h",
        show_axis_ticks=(True, True),
    )
    choices = {
        "Reformat - Count by origin": partial(
            bars, misc.group_count(reformats, key), values_col="count"
        ),
        "Reformat - Latency by origin": partial(
            bars, misc.group_sum_attr(reformats, key, _AVG), values_col=_AVG
        ),
        "Reformat - Percent latency by origin": partial(
            bars, misc.group_sum_attr(reformats, key, _PCT), values_col=_PCT
        ),
    }
    return interactive.InteractiveDiagram_2(choices, "Diagram:")
