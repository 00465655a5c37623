"""Plans beside one another: layers in pairs, and what each plan is."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from planex._engines import compare
from planex.trex._elsewhere import __getattr__ as __getattr__
from planex.trex.activations import create_activations
from planex.trex.engine_plan import EnginePlan, summary_dict
from planex.trex.misc import stack_dicts

__all__ = [
    "aligned_layers",
    "aligned_merge_plans",
    "compare_engines_summaries_tbl",
    "get_plans_names",
    "match_layers",
]

Pair = tuple[int | None, int | None]


def get_plans_names(plans: Sequence[EnginePlan]) -> list[str]:
    """Names of plans; if two are the same, all have their position behind them.

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
    """One frame of two plans, a row per pair.

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
        of both, ``plan1 name``, ``plan2 name``.
    """
    rows = []
    for pair in matched_indices_pairs:
        sides = [
            None if row is None else plan.df.iloc[row].to_dict()
            for plan, row in zip((plan1, plan2), pair, strict=True)
        ]
        times = [float("nan") if one is None else one["latency.avg_time"] for one in sides]
        row: dict[str, object] = {
            "type": next(one["type"] for one in sides if one is not None),
            "avg_time (1)": times[0],
            "avg_time (2)": times[1],
            "speedup (2)": times[0] / times[1] if times[1] else float("nan"),
        }
        for title, key in (
            ("in-p", "precision"),
            ("out-p", "output_precision"),
            ("tactic", "tactic"),
        ):
            for number, one in enumerate(sides, 1):
                row[f"{title} ({number})"] = "" if one is None else one[key]
        for number, one in enumerate(sides, 1):
            row[f"formats ({number})"] = "" if one is None else _formats(one)
        for number, one in enumerate(sides, 1):
            row[f"plan{number} name"] = "" if one is None else one["Name"]
        rows.append(row)
    return pd.DataFrame(rows)


def _formats(row: dict[str, object]) -> str:
    inputs, outputs = create_activations(row)
    sides = (", ".join(one.format for one in side) for side in (inputs, outputs))
    return "in: {}\nout: {}".format(*sides)


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
                        float("nan") if known is None else known["latency.avg_time"]
                    ),
                }
            )
        frames.append(pd.DataFrame(rows, columns=["id", "name", "type", "latency.avg_time"]))
    return frames[0], frames[1]


def compare_engines_summaries_tbl(
    plans: Sequence[EnginePlan], orientation: str = "vertical"
) -> pd.DataFrame:
    """What plans are, how they ran, where, and how they were built, side by side.

    ``Average time`` is the sum of the layers' mean times; ``Latency`` is the time of a whole
    inference: least, greatest, mean, median, 99th percentile.

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
        raise ValueError(f"orientation is vertical or horizontal, not {orientation!r}")
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
