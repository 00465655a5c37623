"""Frames of layers: their columns, and which ones to show."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from planex.trex._mode import compatibility
from planex.trex.activations import Activation, create_activations

__all__ = [
    "annotate_convolutions",
    "change_col_order",
    "clean_df",
    "clean_for_display",
    "clean_io",
    "drop_columns",
    "filter_by_layer",
    "fix_df",
    "layer_attributes",
]

_INT_COLUMNS = (
    "Groups",
    "OutMaps",
    "HasBias",
    "HasReLU",
    "AllowSparse",
    "NbInputArgs",
    "NbOutputVars",
    "NbParams",
    "NbLiterals",
)
# Columns of every layer, whatever its type.
_COMMON_COLUMNS = (
    "Name",
    "type",
    "Inputs",
    "Outputs",
    "latency.avg_time",
    "latency.pct_time",
    "total_io_size_bytes",
    "total_footprint_bytes",
    "tactic",
    "subtype",
    "precision",
)
_FIRST_COLUMNS = (
    "Name",
    "type",
    "Inputs",
    "Outputs",
    "latency.avg_time",
    "latency.pct_time",
    "total_footprint_bytes",
    "tactic",
)
_HIDDEN_COLUMNS = ("subtype", "TacticValue", "precision", "total_io_size_bytes")

_PWGEN = {"Operations": "operations", "NbOperations": "n_operations"}
_ATTRIBUTES: dict[str, dict[str, str]] = {
    "Convolution": {
        "Groups": "groups",
        "OutMaps": "out_maps",
        "Stride": "stride",
        "Kernel": "kernel",
        "HasBias": "has_bias",
        "Activation": "activation",
        "HasReLU": "has_relu",
        "Dilation": "dilation",
        **_PWGEN,
    },
    "PointWise": {**_PWGEN, "NbInputArgs": "n_input_args"},
    "Reformat": {"Origin": "origin"},
    "Pooling": {
        "PoolingType": "pooling_type",
        "WindowSize": "window_size",
        "PaddingMode": "padding_mode",
        "Stride": "stride",
    },
    "Scale": {
        "Mode": "mode",
        "Shift": "shift",
        "Scale": "scale",
        "Power": "power",
        "Activation": "activation",
        "ChannelAxis": "ch_axis",
    },
    "Shuffle": {
        "FirstTranspose": "first_transpose",
        "SecondTranspose": "second_transpose",
        "Reshape": "reshape",
    },
    "Resize": {"ResizeMode": "mode", "ResizeScales": "scales", "NNRounding": "scale"},
    "Slice": {"Start": "start", "Stride": "stride", "Size": "size", "Mode": "mode"},
}
#: Per type, the columns for the keys of the layer file.
layer_attributes = {
    kind: {key: f"attr.{name}" for key, name in names.items()}
    for kind, names in _ATTRIBUTES.items()
}
# Keys that older pointwise layers have instead.
_OLD_POINTWISE = {
    "Instructions": "Operations",
    "NbInstructions": "NbOperations",
    "NbInputs": "NbInputArgs",
}


def fix_df(df: pd.DataFrame) -> pd.DataFrame:
    """Converts a frame of layers as in files to the columns of a plan.

    ``LayerType`` becomes ``subtype``, ``ParameterType`` ``type`` and ``TacticName`` ``tactic``;
    ``output_precision`` is added; counts are int32. A frame that was already converted is
    unchanged.

    Parameters
    ----------
    df : pandas.DataFrame
        A row per layer.

    Returns
    -------
    pandas.DataFrame
        A new frame. Values that a layer does not have are missing (0 with
        :func:`planex.trex.compatibility`).
    """
    df = df.copy()
    if "LayerType" in df:
        df = df.rename(columns={"LayerType": "subtype", "TacticName": "tactic"})
        kind = df.pop("ParameterType") if "ParameterType" in df else df["subtype"]
        df["type"] = kind.fillna(df["subtype"])
    if "tactic" not in df:
        df["tactic"] = None
    df["tactic"] = df["tactic"].astype(object).where(df["tactic"].notna(), "TensorRT")
    for column in _INT_COLUMNS:
        if column in df:
            df[column] = (
                df[column].fillna(0).astype("int32")
                if compatibility()
                else _ints(df[column], "Int32")
            )
    for column in ("total_io_size_bytes", "weights_size", "total_footprint_bytes", "macs"):
        if column in df and df[column].isna().any():
            df[column] = _ints(df[column], "Int64")
    if "output_precision" not in df:
        df["output_precision"] = [
            Activation(outputs[0]).precision if outputs else "" for outputs in df["Outputs"]
        ]
    if compatibility():
        kept = df.get("precision")
        df = df.astype(object).where(df.notna(), 0).infer_objects()
        if kept is not None:
            df["precision"] = kept
    return df


def _ints(column: pd.Series, dtype: str) -> pd.Series:
    return pd.to_numeric(column).astype(dtype)


def drop_columns(df: pd.DataFrame, columns: Sequence[str]) -> None:
    """Removes columns from a frame, if it has them.

    Parameters
    ----------
    df : pandas.DataFrame
        It is changed.
    columns : sequence of str
        Their names.
    """
    for column in columns:
        if column in df:
            del df[column]


def clean_io(df: pd.DataFrame) -> None:
    """Replaces ``Inputs`` and ``Outputs`` by short formats.

    Parameters
    ----------
    df : pandas.DataFrame
        Changed in place. Inputs are separated by commas; of outputs only the first is kept, or an
        empty text.
    """
    pairs = [create_activations(row) for row in df[["Inputs", "Outputs"]].to_dict("records")]
    df["Inputs"] = [", ".join(one.format for one in inputs) for inputs, _ in pairs]
    df["Outputs"] = [outputs[0].format if outputs else "" for _, outputs in pairs]


def clean_df(df: pd.DataFrame, inplace: bool = True) -> pd.DataFrame:
    """Replaces tensors by short formats; see :func:`clean_io`.

    Parameters
    ----------
    df : pandas.DataFrame
        A plan's frame.
    inplace : bool
        Change `df` itself.

    Returns
    -------
    pandas.DataFrame
        `df`, or a copy.
    """
    if not inplace:
        df = df.copy()
    clean_io(df)
    if compatibility():
        for column in df.columns[df.isna().any()]:
            # Text columns do not accept numbers directly.
            known = df[column].astype(object)
            df[column] = known.where(df[column].notna(), 0).infer_objects()
    return df


def change_col_order(df: pd.DataFrame) -> pd.DataFrame:
    """A frame with the most important columns first: name, type, formats, times, bytes, tactic.

    Parameters
    ----------
    df : pandas.DataFrame
        A plan's frame.

    Returns
    -------
    pandas.DataFrame
        With the same columns.
    """
    first = [column for column in _FIRST_COLUMNS if column in df]
    return df[first + [column for column in df.columns if column not in first]]


def clean_for_display(df: pd.DataFrame) -> pd.DataFrame:
    """A copy of a plan's frame to show: short formats, few columns, the main ones first.

    Parameters
    ----------
    df : pandas.DataFrame
        A plan's frame.

    Returns
    -------
    pandas.DataFrame
        A copy.

    Examples
    --------
    >>> import planex.trex as trex
    >>> plan = trex.EnginePlan("examples/engines/resnet18-a100-qat")
    >>> trex.clean_for_display(plan.df)["Outputs"][0]
    'Int8 NC/4HW4'
    """
    df = change_col_order(clean_df(df, inplace=False))
    df = df.copy()
    drop_columns(df, _HIDDEN_COLUMNS)
    return df


def filter_by_layer(df: pd.DataFrame, layer_type: str) -> pd.DataFrame:
    """The layers of a type, with that type's attributes in the file as columns ``attr.*``.

    Parameters
    ----------
    df : pandas.DataFrame
        A plan's frame.
    layer_type : str
        ``Convolution``, ``PointWise``, ``Reformat``, ...; types without attributes of their own
        have the common columns.

    Returns
    -------
    pandas.DataFrame
        A copy, with the index of `df`; empty if there are no such layers. Convolutions are
        annotated, see :func:`annotate_convolutions`.
    """
    layers = df[df["type"] == layer_type].copy()
    if layers.empty:
        return layers
    if layer_type == "PointWise":
        for old, new in _OLD_POINTWISE.items():
            if old in layers:
                newer = layers.get(new, layers[old])
                layers[new] = newer.where(layers["subtype"] == "PointWiseV2", layers[old])
    names = layer_attributes.get(layer_type, {})
    kept = [column for column in _COMMON_COLUMNS if column in layers]
    kept += [column for column in names if column in layers]
    if layer_type == "Convolution":
        kept += [column for column in ("Weights", "macs", "gemm_k") if column in layers]
    layers = layers[kept].rename(columns=names)
    if layer_type == "Convolution":
        annotate_convolutions(layers)
    return layers


def annotate_convolutions(convs: pd.DataFrame) -> None:
    """Adds work, rates and the equivalent matrix product to a frame of convolutions.

    Parameters
    ----------
    convs : pandas.DataFrame
        From :func:`filter_by_layer`; it is changed. ``attr.macs`` are multiply-accumulates,
        ``attr.arithmetic_intensity`` is MAC per byte, ``attr.compute_efficiency`` MAC per ms,
        ``attr.memory_efficiency`` bytes per ms; ``attr.M``, ``attr.N`` and ``attr.K`` are the sizes
        of the matrix product.

    Raises
    ------
    ValueError
        Only for a plan with TREx's figures (:func:`planex.trex.compatibility`): a tensor does not
        have four dimensions, or there is no kernel.
    """
    rows = [_convolution(row) for row in convs.to_dict("records")]
    for column in (
        "macs",
        "arithmetic_intensity",
        "compute_efficiency",
        "memory_efficiency",
        "M",
        "N",
        "K",
    ):
        values = [row[column] for row in rows]
        missing = any(value is None for value in values)
        is_count = column in ("macs", "M", "N", "K")
        dtype = ("Int64" if missing else "int64") if is_count else "float64"
        convs[f"attr.{column}"] = (
            pd.array(values, dtype=dtype)
            if is_count
            else [math.nan if value is None else value for value in values]
        )
    drop_columns(convs, ["macs", "gemm_k"])


def _convolution(row: Mapping[Any, Any]) -> dict[str, Any]:
    inputs, outputs = create_activations(row)
    time = row["latency.avg_time"]
    # Frames with TREx's figures, whatever the current setting.
    if "macs" not in row:
        x, y = inputs[0], outputs[0]
        if len(x.shape) != 4 or len(y.shape) != 4:
            raise ValueError(f"{row['Name']}: convolutions must have four dimensions")
        if not isinstance(row.get("attr.kernel"), list) or not row.get("attr.groups"):
            raise ValueError(f"{row['Name']}: the file has no kernel or groups")
        size_in, size_out = x.data_size or 0, y.data_size or 0
        (_, channels, _, _), (batch, maps, height, width) = x.shape, y.shape
        kernel = math.prod(row["attr.kernel"])
        weights = maps * channels * kernel / row["attr.groups"]
        macs = int(batch * height * width * weights)
        moved: float | None = (
            math.prod(x.shape) * size_in + weights * size_in + math.prod(y.shape) * size_out
        )
        m, n, k = batch * height * width, maps, channels * kernel
        return _rates(macs, moved, time, m, n, k)
    footprint, macs_known, depth = (
        None if pd.isna(row[key]) else int(row[key])
        for key in ("total_footprint_bytes", "macs", "gemm_k")
    )
    shape = outputs[0].shape if outputs else []
    positions = shape[0] * math.prod(shape[2:]) if len(shape) > 2 else None
    if positions is not None and positions < 0:
        positions = None
    return _rates(
        macs_known, footprint, time, positions, shape[1] if len(shape) > 1 else None, depth
    )


def _rates(
    macs: int | None,
    moved: float | None,
    time: float,
    m: int | None,
    n: int | None,
    k: int | None,
) -> dict[str, Any]:
    def rate(amount: float | None) -> float | None:
        if time == 0 and compatibility():
            return 0
        return None if amount is None or not time or math.isnan(time) else amount / time

    return {
        "macs": macs,
        "arithmetic_intensity": None if macs is None or not moved else macs / moved,
        "compute_efficiency": rate(macs),
        "memory_efficiency": rate(moved),
        "M": m,
        "N": n,
        "K": k,
    }
