"""Plans side by side: layers in pairs, and a description of each plan."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

import pandas as pd

from planex._verbs import compare
from planex.trex import colors, interactive, misc, notebook, plotting
from planex.trex._lazy import package, show_figure
from planex.trex._mode import compatibility
from planex.trex.activations import create_activations
from planex.trex.engine_plan import EnginePlan, summary_dict
from planex.trex.misc import stack_dicts

__all__ = [
    "aligned_layers",
    "aligned_merge_plans",
    "compare_engines_layer_details",
    "compare_engines_layer_latencies",
    "compare_engines_overview",
    "compare_engines_summaries_tbl",
    "get_io_dimensions",
    "get_io_formats",
    "get_io_precisions",
    "get_plans_names",
    "match_layers",
    "speedup_range_highlights",
]

Layerlike: TypeAlias = Mapping[Any, Any] | pd.Series
Pair = tuple[int | None, int | None]


def get_plans_names(plans: Sequence[EnginePlan]) -> list[str]:
    """Names of plans; if two are the same, all get their position as a suffix.

    Parameters
    ----------
    plans : sequence of EnginePlan
        What is compared.

    Returns
    -------
    list of str
        One per plan, no two the same.
    """
    names = [plan.name for plan in plans]
    if len(set(names)) == len(names):
        return names
    return [f"{name}.{i}" for i, name in enumerate(names)]


def match_layers(
    plan1: EnginePlan, plan2: EnginePlan, exact_matching: bool
) -> list[tuple[int | None, int | None]]:
    """Pairs the layers of two plans by type and shapes, as TREx does.

    :func:`planex.compare` pairs by names and operations of the model too, which finds more.

    Parameters
    ----------
    plan1, plan2 : EnginePlan
        What is compared.
    exact_matching : bool
        Shapes of all inputs and outputs must be the same, not only those of the first.

    Returns
    -------
    list of tuple
        Rows of the two frames, in execution order; None where there is no partner.
    """
    rule = "exact-shapes" if exact_matching else "first-shapes"
    comparison = compare(plan1.engine, plan2.engine, match=rule)  # type: ignore[arg-type]
    rows1, rows2 = ({id: row for row, id in enumerate(one.layer_ids)} for one in (plan1, plan2))
    pairs: list[Pair] = []
    for pair in comparison.overview.to_dict()["pairs"]:
        first = [rows1.get(one) for one in pair["a_layers"]] or [None]
        second = [rows2.get(one) for one in pair["b_layers"]] or [None]
        pairs += [(a, b) for a in first for b in second if a is not None or b is not None]
    return pairs


def aligned_merge_plans(
    plan1: EnginePlan, plan2: EnginePlan, matched_indices_pairs: Sequence[Pair]
) -> pd.DataFrame:
    """One frame for two plans, one row per pair.

    Parameters
    ----------
    plan1, plan2 : EnginePlan
        What is compared.
    matched_indices_pairs : sequence of tuple
        From :func:`match_layers`.

    Returns
    -------
    pandas.DataFrame
        ``type``, ``avg_time (1)`` and ``(2)`` in ms, ``speedup (2)`` (the first time through the
        second; NaN without a partner), ``in-p``, ``out-p`` (precisions), ``tactic`` and ``formats``
        of both, and the names of the layers in columns with the names of the plans.
    """
    rows = []
    names = get_plans_names((plan1, plan2))
    for pair in matched_indices_pairs:
        sides = [
            None if row is None else plan.df.iloc[row]
            for plan, row in zip((plan1, plan2), pair, strict=True)
        ]
        times = [_no_time() if one is None else one["latency.avg_time"] for one in sides]
        is_pair = all(one is not None for one in sides)
        row: dict[str, object] = {
            "type": next(one["type"] for one in sides if one is not None),
            "avg_time (1)": times[0],
            "avg_time (2)": times[1],
            "speedup (2)": times[0] / times[1] if is_pair and times[1] else math.nan,
        }
        precisions = [("", "") if one is None else get_io_precisions(one) for one in sides]
        for title, end in (("in-p", 0), ("out-p", 1)):
            for number, ends in enumerate(precisions, 1):
                row[f"{title} ({number})"] = ends[end]
        for title, of_layer in (
            ("tactic", lambda layer: layer["tactic"]),
            ("formats", get_io_formats),
        ):
            for number, one in enumerate(sides, 1):
                row[f"{title} ({number})"] = "" if one is None else of_layer(one)
        for name, one in zip(names, sides, strict=True):
            row[name] = "" if one is None else one["Name"]
        rows.append(row)
    return pd.DataFrame(rows)


def _no_time() -> float:
    return 0.0 if compatibility() else math.nan


def get_io_dimensions(layer: Layerlike, use_all_tensors: bool) -> dict[str, list[list[int]]]:
    """The dimensions of a layer's tensors without the first, which usually is the batch.

    Parameters
    ----------
    layer : pandas.Series or mapping
        A row of a plan's frame.
    use_all_tensors : bool
        Include all tensors, not only the first input and output.

    Returns
    -------
    dict
        ``inputs`` and ``outputs``.
    """
    last = None if use_all_tensors else 1
    inputs, outputs = create_activations(layer)
    return {
        "inputs": [one.shape[1:] for one in inputs[:last]],
        "outputs": [one.shape[1:] for one in outputs[:last]],
    }


def get_io_formats(layer: Layerlike) -> str:
    """Formats and shapes of a layer's inputs and outputs, as text.

    Parameters
    ----------
    layer : pandas.Series or mapping
        A row of a plan's frame.

    Returns
    -------
    str
        ``in: …`` and ``out: …``.
    """
    sides = zip(("in", "out"), create_activations(layer), strict=True)
    return "\t".join(
        f"{name}: " + ", ".join(f"{one.format}:{one.shape}" for one in side) for name, side in sides
    )


def get_io_precisions(layer: Layerlike | None) -> tuple[str, str]:
    """Precisions of a layer's inputs and of its outputs, as texts; empty if there is no layer.

    Parameters
    ----------
    layer : pandas.Series, mapping or None
        A row of a plan's frame.

    Returns
    -------
    tuple of str
        Of inputs and of outputs, with commas between them.
    """
    if layer is None:
        return "", ""
    inputs, outputs = (
        ", ".join(one.precision for one in side) for side in create_activations(layer)
    )
    return inputs, outputs


def aligned_layers(
    plan1: EnginePlan,
    plan2: EnginePlan,
    matched_indices_pairs: Sequence[Pair],
    layer_type: str | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Two frames of the same length, the partners in the same row.

    Parameters
    ----------
    plan1, plan2 : EnginePlan
        What is compared.
    matched_indices_pairs : sequence of tuple
        From :func:`match_layers`.
    layer_type : str, optional
        Only pairs of this type.

    Returns
    -------
    tuple of pandas.DataFrame
        ``id`` (position of the pair), ``name``, ``type`` and ``latency.avg_time`` in ms; where
        there is no partner the last three are empty.
    """
    frames = []
    plans = plan1, plan2
    kept = [
        (i, pair)
        for i, pair in enumerate(matched_indices_pairs)
        if layer_type is None
        or any(
            row is not None and plan.df["type"].iloc[row] == layer_type
            for plan, row in zip(plans, pair, strict=True)
        )
    ]
    for side, plan in enumerate(plans):
        rows = []
        for i, pair in kept:
            row = pair[side]
            known = None if row is None else plan.df.iloc[row]
            rows.append(
                {
                    "id": i,
                    "name": "" if known is None else known["Name"],
                    "type": "" if known is None else known["type"],
                    "latency.avg_time": (
                        _no_time() if known is None else known["latency.avg_time"]
                    ),
                }
            )
        frames.append(pd.DataFrame(rows, columns=["id", "name", "type", "latency.avg_time"]))
    return frames[0], frames[1]


def compare_engines_summaries_tbl(
    plans: Sequence[EnginePlan], orientation: str = "vertical"
) -> pd.DataFrame:
    """A description of plans, how and where they ran, and how they were built, side by side.

    ``Average time`` is the sum of the layers' mean times; ``Latency`` is the time of a whole
    inference: minimum, maximum, mean, median, 99th percentile.

    Parameters
    ----------
    plans : sequence of EnginePlan
        What is compared.
    orientation : str
        ``vertical``: a row per figure; ``horizontal``: a row per plan.

    Returns
    -------
    pandas.DataFrame
        Figures that a plan does not have are empty.

    Raises
    ------
    ValueError
        There is no such orientation.
    """
    if orientation not in ("vertical", "horizontal"):
        raise ValueError(f"orientation must be vertical or horizontal, not {orientation!r}")
    figures = [
        {
            **summary_dict(plan),
            **plan.performance_summary,
            **plan.device_properties,
            **plan.builder_cfg,
        }
        for plan in plans
    ]
    stacked = stack_dicts(figures, "")
    frame = pd.DataFrame.from_dict(stacked, orient="index", columns=get_plans_names(plans))
    return frame if orientation == "vertical" else frame.T


_AVG, _PCT = "latency.avg_time", "latency.pct_time"
_THRESHOLD = 0.03


def compare_engines_overview(plans: Sequence[EnginePlan]) -> interactive.InteractiveDiagram_2:
    """Lets the reader choose a chart of two or more plans side by side.

    Figures that a plan does not have are empty, not 0.

    Parameters
    ----------
    plans : sequence of EnginePlan
        What is compared; the last with the first where there is a speed-up.

    Returns
    -------
    planex.trex.interactive.InteractiveDiagram_2
        ``.show(title)`` draws another one.
    """
    names = get_plans_names(plans)
    of_type: dict[str, Any] = {
        "names_col": "type",
        "values_col": _AVG,
        "colormap": colors.layer_colormap,
        "xaxis_title": "Engine",
        "yaxis_title": "Latency (ms)",
        "empty_symbol": math.nan,
    }

    def summed(key: str) -> list[pd.DataFrame]:
        return [misc.group_sum_attr(plan.df, key, _AVG) for plan in plans]

    def rings(frames: list[pd.DataFrame], values: str, key: str) -> Callable[..., Any]:
        charts = [(frame, name, values, key) for frame, name in zip(frames, names, strict=True)]
        return partial(plotting.plotly_pie2, charts=charts, colormap=colors.precision_colormap)

    def counted(key: str) -> list[pd.DataFrame]:
        return [misc.group_count(plan.df, key) for plan in plans]

    def grouped(frames: list[pd.DataFrame], values: str) -> Callable[..., Any]:
        return partial(
            plotting.plotly_bar2,
            df=dict(zip(names, frames, strict=True)),
            values_col=values,
            names_col="type",
            orientation="h",
            show_axis_ticks=(True, True),
            showlegend=True,
        )

    by_type = summed("type")
    throughput = [plan.performance_summary.get("Throughput") for plan in plans]
    choices = {
        "Stacked latencies by layer type": partial(
            _stacked_with_throughput, plans, names, by_type, of_type
        ),
        "Stacked latencies by layer type (BS normalized)": partial(
            plotting.stacked_bars,
            bar_names=names,
            df_list=[
                frame.assign(**{_AVG: frame[_AVG] / _batch(plan)})
                for plan, frame in zip(plans, by_type, strict=True)
            ],
            **of_type,
        ),
        "Layer count comparison": grouped(counted("type"), "count"),
        "Layer-type latency comparison": grouped(by_type, _AVG),
        "Layer latency by precision": partial(
            plotting.stacked_bars,
            bar_names=names,
            df_list=summed("precision"),
            **{**of_type, "names_col": "precision", "colormap": colors.precision_colormap},
        ),
        "Precision counts": rings(counted("precision"), "count", "precision"),
        "Output precision counts": rings(counted("output_precision"), "count", "output_precision"),
        "Precision latency": rings(
            [misc.group_sum_attr(plan.df, "precision", _PCT) for plan in plans], _PCT, "precision"
        ),
    }
    if all(throughput):
        choices["Throughput"] = partial(
            plotting.plotly_bar2,
            pd.DataFrame({"engine": names, "throughput": throughput}),
            values_col="throughput",
            names_col="engine",
            orientation="h",
            show_axis_ticks=(True, True),
            xaxis_title="Engine",
            yaxis_title="Throughput (inferences / sec)",
        )
    return interactive.InteractiveDiagram_2(choices, "Diagram:")


def _batch(plan: EnginePlan) -> float:
    """Number of items per inference; NaN if unknown."""
    size = plan.engine.engine.to_pylist()[0]["batch_size"]
    return math.nan if size is None else float(size)


def _mean_latency(plan: EnginePlan) -> float | None:
    """Mean of whole inferences, ms: the third of the figures that trtexec writes."""
    figures = plan.performance_summary.get("Latency") or []
    return figures[2] if len(figures) > 2 else None


def _stacked_with_throughput(
    plans: Sequence[EnginePlan],
    names: list[str],
    by_type: list[pd.DataFrame],
    of_type: Mapping[str, Any],
    title: str,
) -> Any:
    """Times by type, together with those of whole inferences; then the same as a table."""
    throughput = [plan.performance_summary.get("Throughput") for plan in plans]
    go = package("plotly.graph_objects")
    if all(throughput):
        fig = package("plotly.subplots").make_subplots(specs=[[{"secondary_y": True}]])
    else:
        fig = go.Figure()
    plotting.stacked_bars(title, names, by_type, fig=fig, display_tbl=False, **of_type)
    if all(throughput):
        for label, values, color, is_right in (
            ("Throughput (IPS)", throughput, "#FFBF00", True),
            ("Real Latency", [_mean_latency(plan) for plan in plans], "#DE3163", False),
        ):
            line = {"color": "white", "width": 2}
            marker = {"size": 12, "color": color, "line": line}
            points = go.Scatter(x=names, y=values, name=label, marker=marker, mode="markers")
            fig.add_trace(points, secondary_y=is_right)
        # Beside the second axis.
        fig.update_layout(legend={"x": 1.1})
        fig.update_yaxes(title_text="Throughput (inferences / sec)", secondary_y=True)
    plotting.trex_base_layout(fig)
    show_figure(fig, True)
    table = plotting.stacked_tabular_df(names, by_type, "type", _AVG, math.nan)
    table["speedup"] = table[names[0]] / table[names[-1]]
    print(f'"speedup" is that of "{names[-1]}" over "{names[0]}"')
    notebook.display_df(table, range_highlights=speedup_range_highlights("speedup", _THRESHOLD))
    return fig


def speedup_range_highlights(col_name: str, threshold: float) -> dict[str, dict[str, Any]]:
    """Colors of speed-ups, for :func:`planex.trex.notebook.display_df`.

    Parameters
    ----------
    col_name : str
        The column.
    threshold : float
        What is noise: 0.03 is 3 %.

    Returns
    -------
    dict
        Faster is green, slower is orange, the same is yellow.
    """

    def rule(value: float, *channels: float) -> dict[str, Any]:
        color = dict(zip("rgba", channels, strict=True))
        return {"active": True, "value": value, "color": color}

    return {
        col_name: {
            "active": True,
            "equals": rule(1, 255, 245, 157, 0),
            "greaterThan": rule(1 + threshold, 0, 255, 0, 1),
            "lessThan": rule(1 - threshold, 245, 166, 35, 1),
        }
    }


def compare_engines_layer_latencies(
    plan1: EnginePlan, plan2: EnginePlan, threshold: float, exact_matching: bool
) -> interactive.InteractiveDiagram:
    """Lets the reader choose which pairs of layers to see: a table, the sums, and bars.

    Parameters
    ----------
    plan1, plan2 : EnginePlan
        What is compared.
    threshold : float
        What is noise: 0.03 is 3 %.
    exact_matching : bool
        As for :func:`match_layers`.

    Returns
    -------
    planex.trex.interactive.InteractiveDiagram
        ``.show(choice)`` shows another one.
    """
    names = get_plans_names((plan1, plan2))
    pairs = match_layers(plan1, plan2, exact_matching)
    merged = aligned_merge_plans(plan1, plan2, pairs)
    differs = {
        "Precision Mismatch": (merged["in-p (1)"] != merged["in-p (2)"])
        | (merged["out-p (1)"] != merged["out-p (2)"]),
        "Tactic Mismatch": merged["tactic (1)"] != merged["tactic (2)"],
    }

    def show(choice: str, _: object) -> pd.DataFrame:
        chosen = differs.get(choice, merged["type"] == choice)
        df = merged if choice == "All" else merged[chosen]
        print(f'1: {names[0]}\n2: {names[1]}\n"in-p" are precisions of inputs, "out-p" of outputs')
        notebook.display_df(df, range_highlights=speedup_range_highlights("speedup (2)", threshold))
        sides = dict(
            zip(
                names,
                aligned_layers(plan1, plan2, [pairs[row] for row in df.index]),
                strict=True,
            )
        )
        for name, side in sides.items():
            print(f"{name}: {side[_AVG].sum(min_count=1):.3f} ms")
        plotting.plotly_bar2(
            sides,
            f"Layer Latency Comparison ({choice})",
            values_col=_AVG,
            names_col="id",
            showlegend=True,
        )
        return df

    choices = ["All", *differs, *dict.fromkeys(merged["type"])]
    return interactive.InteractiveDiagram(show, {one: one for one in choices}, "Dataframe")


def compare_engines_layer_details(
    plan1: EnginePlan, plan2: EnginePlan
) -> interactive.InteractiveDiagram:
    """Lets the reader choose a pair of layers, and see what is the same and what differs.

    Parameters
    ----------
    plan1, plan2 : EnginePlan
        What is compared.

    Returns
    -------
    planex.trex.interactive.InteractiveDiagram
        ``.show(choice)`` shows another one.
    """
    names = get_plans_names((plan1, plan2))
    merged = aligned_merge_plans(plan1, plan2, match_layers(plan1, plan2, exact_matching=True))

    def show(_: str, row_id: int) -> pd.DataFrame:
        row = merged.iloc[row_id]
        details: list[dict[str, Any]] = [
            {"attribute": "name", "comparison": "", **{name: row[name] for name in names}}
        ]
        for attribute, column in (
            ("avg_time", "avg_time"),
            ("tactic", "tactic"),
            ("input precision", "in-p"),
            ("output precision", "out-p"),
            ("formats", "formats"),
        ):
            first, second = row[f"{column} (1)"], row[f"{column} (2)"]
            is_time = column == "avg_time"
            verdict = row["speedup (2)"] if is_time else ["Different", "Same"][first == second]
            values = dict(zip(names, (first, second), strict=True))
            details.append({"attribute": attribute, "comparison": verdict, **values})
        table = pd.DataFrame(details)
        notebook.display_df(table)
        return table

    choices = {f"{i}: {kind}": i for i, kind in enumerate(merged["type"])}
    return interactive.InteractiveDiagram(show, choices, "Choose Layer:")
