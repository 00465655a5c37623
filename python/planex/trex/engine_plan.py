"""Plans: the layers of an engine, their times and sizes."""

from __future__ import annotations

import json
import os
import pathlib
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from planex._engine import Engine
from planex._open import open as open_engine
from planex.trex._mode import compatibility
from planex.trex.activations import Activation, open_records, read_formats
from planex.trex.df_preprocessing import filter_by_layer, fix_df
from planex.trex.layer import Layer, fold_no_ops
from planex.trex.parser import read_sections, sections_of

__all__ = ["EnginePlan", "print_summary", "summary_dict"]

PathLike = str | os.PathLike[str]

_MIB = 1024 * 1024


class EnginePlan:
    """An engine in TREx's form: a frame with one row per layer, and objects for layers and tensors.

    Parameters
    ----------
    graph_file : path or list of dict
        The layers that TensorRT wrote (JSON), or anything else that :func:`planex.open` reads; or
        layers in memory.
    profiling_file : path, optional
        Times of layers. Without it the plan has no times, unless `graph_file` is a folder with a
        profile.
    profiling_metadata_file, build_metadata_file : path, optional
        Files about the device, the measurement and the build.
    name : str, optional
        Default: the graph's file name.
    profile_id : int, optional
        The optimization profile; default: the first.

    Attributes
    ----------
    df : pandas.DataFrame
        A row per layer that runs, in execution order. ``latency.*_time`` are in ms,
        ``latency.pct_time`` is in percent of all profiled layers, sizes are in bytes.
    layers, all_layers, constants : list of Layer
        Layers of `df`; these and constants; constants.
    bindings : list of str
        Names of inputs and outputs.
    device_properties, performance_summary, builder_cfg : dict
        Contents of the metadata files.
    total_runtime : float
        Sum of mean times, ms; NaN if there are no times.
    total_act_size, total_weights_size : float
        Bytes of tensors, once per use; of weights.
    layer_ids : list of int
        For each row of `df`, its ``layer_id`` in the tables of `engine`.
    engine : planex.Engine
        The same engine with everything that planex knows about it.

    Raises
    ------
    planex.PlanexError
        A file is missing or can't be read.
    ValueError
        No layer is left, or (with :func:`compatibility`) there are only names or a log.

    Examples
    --------
    >>> import planex.trex as trex
    >>> plan = trex.EnginePlan("examples/engines/resnet18-a100-qat")
    >>> len(plan.df), round(plan.total_runtime, 3)
    (35, 1.096)
    """

    def __init__(
        self,
        graph_file: PathLike | Sequence[Mapping[str, Any]],
        profiling_file: PathLike | None = None,
        profiling_metadata_file: PathLike | None = None,
        build_metadata_file: PathLike | None = None,
        name: str | None = None,
        profile_id: int | None = None,
    ) -> None:
        given: dict[str, Any] = {"profile": profiling_file, "profile_index": profile_id}
        if isinstance(graph_file, (str, os.PathLike)):
            self.engine = open_engine(graph_file, **given)
            self.name = name or pathlib.Path(graph_file).name
            # A single file contains no times, whatever is next to it.
            has_times = profiling_file is not None or pathlib.Path(graph_file).suffix != ".json"
        else:
            self.engine = open_records(graph_file, **given)
            self.name = name or ""
            has_times = profiling_file is not None
        detail = self.engine.engine.to_pylist()[0]["detail"]
        advice = (
            f"{self.name} does not describe its layers: rebuild the engine with "
            "--profilingVerbosity=detailed and write its layers with --exportLayerInfo"
        )
        if compatibility() and detail != "full":
            raise ValueError(advice)
        if detail == "names-only":
            warnings.warn(advice, stacklevel=2)
        if not has_times:
            warnings.warn(f"{self.name} has no times of layers", stacklevel=2)

        self.bindings: list[str] = [row["name"] for row in self.engine.bindings.to_pylist()]
        records = [_Record(row) for row in self.engine.layers.to_pylist()]
        _read_records(self.engine, records)
        # Over everything that was profiled, including records that are not rows.
        profiled_ms = sum(one.row["mean_ms"] or 0 for one in records) if has_times else 0
        records = [one for one in records if one.row["role"] in ("work", "noop", "constant")]
        if not records:
            raise ValueError(f"{self.name} has no layers")
        _disambiguate(records)
        layers = [Layer(one.raw) for one in records]
        self.layer_ids = [one.row["layer_id"] for one in records if one.row["role"] == "work"]
        # For every record that the graph can contain, folded or not.
        self._layers_by_id = {
            one.row["layer_id"]: layer for one, layer in zip(records, layers, strict=True)
        }
        self.df = _frame(records, layers, profiled_ms)
        self.all_layers: list[Layer] = fold_no_ops(layers, self.bindings)
        self.constants = [one for one in self.all_layers if one.type == "Constant"]
        self.layers = [one for one in self.all_layers if one.type != "Constant"]

        folder = {} if self._is_file(graph_file) else sections_of(self.engine)
        measured = read_sections(profiling_metadata_file) or folder
        built = read_sections(build_metadata_file) or folder
        self.device_properties: dict[str, Any] = dict(measured.get("device_information", {}))
        self.performance_summary: dict[str, Any] = dict(measured.get("performance_summary", {}))
        self.builder_cfg: dict[str, Any] = {
            **built.get("model_options", {}),
            **built.get("build_options", {}),
        }
        self.total_act_size = _total(self.df["total_io_size_bytes"])
        self.total_weights_size = _total(self.df["weights_size"])
        self.total_runtime = _total(self.df["latency.avg_time"])

    @staticmethod
    def _is_file(graph_file: object) -> bool:
        return not isinstance(graph_file, (str, os.PathLike)) or pathlib.Path(graph_file).is_file()

    def __repr__(self) -> str:
        return f"<planex.trex.EnginePlan {self.name}: {len(self.df)} layers>"

    def get_layers_by_type(self, layer_type: str) -> pd.DataFrame:
        """The layers of a type, with its attributes as columns ``attr.*``.

        Parameters
        ----------
        layer_type : str
            ``Convolution``, ``PointWise``, ``Reformat``, ...

        Returns
        -------
        pandas.DataFrame
            A copy; empty if there are no such layers.

        See Also
        --------
        planex.trex.filter_by_layer : The columns.
        """
        return filter_by_layer(self.df, layer_type)

    def as_dataframe(self) -> pd.DataFrame:
        """A copy of `df`.

        Returns
        -------
        pandas.DataFrame
            Changing it does not change the plan.
        """
        return self.df.copy()

    def layer_of(self, layer_id: int) -> Layer | None:
        """The layer with this ``layer_id`` in the tables of `engine`, or None.

        Parameters
        ----------
        layer_id : int
            As in :attr:`layer_ids`.

        Returns
        -------
        Layer or None
            The layer, folded or not.
        """
        return self._layers_by_id.get(layer_id)

    def find(self, layer_name: str) -> Layer | None:
        """The layer with this name, or None.

        Parameters
        ----------
        layer_name : str
            The whole name.

        Returns
        -------
        Layer or None
            The layer.
        """
        return next((one for one in self.layers if one.name == layer_name), None)

    def get_bindings(self) -> tuple[list[Activation], list[Activation]]:
        """Inputs and outputs of the engine, each in the order of `bindings`.

        Returns
        -------
        tuple of lists of Activation
            Inputs, and outputs.
        """
        read: dict[str, Activation] = {}
        written: dict[str, Activation] = {}
        for layer in self.layers:
            for tensor in layer.inputs:
                read.setdefault(tensor.name, tensor)
            for tensor in layer.outputs:
                written.setdefault(tensor.name, tensor)
        inputs = [read[name] for name in self.bindings if name in read and name not in written]
        return inputs, [written[name] for name in self.bindings if name in written]

    def summary(self) -> None:
        """Prints what :func:`print_summary` prints."""
        print_summary(self)


class _Record:
    """A record of the layer file: planex's row for it, and its contents in the file."""

    def __init__(self, row: dict[str, Any]) -> None:
        self.row = row
        self.inputs: list[dict[str, Any]] = []
        self.outputs: list[dict[str, Any]] = []
        subtype = row["subtype"] or row["raw_type"] or ""
        kind = row["type"] or ""
        # planex reports what a kgen kernel does; TREx only has its family.
        if kind.endswith("(kgen)"):
            kind = "kgen"
        # TREx has one word for each; other producers have their own.
        kind = {"noop": "NoOp", "constant": "Constant"}.get(row["role"], kind)
        self.raw: dict[str, Any] = {
            "Name": row["name"].replace("\x1e", "+").replace("\x1f", "+"),
            "LayerType": subtype,
            "Inputs": self.inputs,
            "Outputs": self.outputs,
            "ParameterType": kind,
        }
        if row["tactic"] is not None:
            self.raw["TacticName"] = row["tactic"]
        if row["stream"] is not None:
            self.raw["StreamId"] = row["stream"]


def _read_records(engine: Engine, records: Sequence[_Record]) -> None:
    by_id = {one.row["layer_id"]: one for one in records}
    names = {row["tensor_id"]: row["name"] for row in engine.tensors.to_pylist()}
    ports = engine.ports.to_pylist()
    for port in ports:
        if port["direction"] == "constant":
            continue
        record = by_id[port["layer_id"]]
        side = record.inputs if port["direction"] == "input" else record.outputs
        raw = {
            "Name": names.get(port["tensor_id"], ""),
            "Dimensions": list(port["dims"] or []),
            "Format/Datatype": port["raw_format"] or "",
        }
        if port["location"] is not None:
            raw["Location"] = port["location"]
        side.append(raw)
    read_formats(port["raw_format"] or "" for port in ports)
    for row in engine.attributes.to_pylist():
        text, kind = row["value"], row["value_type"]
        value = text if kind == "string" else json.loads(text)
        if row["key"] == "Metadata" and isinstance(value, str):
            value = value.replace("\x1e", "+").replace("\x1f", "+")
        by_id[row["layer_id"]].raw.setdefault(row["key"], value)


def _disambiguate(records: Sequence[_Record]) -> None:
    """No two layers have the same name: the second gets the suffix _2, and so on."""
    seen: Counter[str] = Counter()
    for record in records:
        name = record.raw["Name"]
        seen[name] += 1
        if seen[name] > 1:
            record.raw["Name"] = f"{name}_{seen[name]}"


def _frame(records: Sequence[_Record], layers: Sequence[Layer], profiled_ms: float) -> pd.DataFrame:
    nothing = 0.0 if compatibility() else float("nan")
    rows = []
    for record, layer in zip(records, layers, strict=True):
        known = record.row
        if known["role"] != "work":
            continue
        row = dict(record.raw)
        times = known if profiled_ms else {}
        mean = times.get("mean_ms")
        if compatibility():
            sizes = layer.total_io_size_bytes, layer.weights_size, layer.total_footprint_bytes
        else:
            sizes = known["io_bytes"], known["weight_bytes"], known["footprint_bytes"]
        row["precision"] = layer.precision
        row["total_io_size_bytes"], row["weights_size"], row["total_footprint_bytes"] = sizes
        row["latency.pct_time"] = nothing if mean is None else 100 * mean / profiled_ms
        row["latency.avg_time"] = nothing if mean is None else mean
        for column, source in (("median_time", "median_ms"), ("time", "total_ms")):
            value = times.get(source)
            row[f"latency.{column}"] = nothing if value is None else value
        if not compatibility():
            row["macs"], row["gemm_k"] = known["macs"], known["gemm_k"]
        rows.append(row)
    frame = pd.DataFrame(rows)
    return fix_df(frame)


def _total(column: pd.Series) -> float:
    total = column.sum(min_count=1)
    return float("nan") if pd.isna(total) else total.item() if hasattr(total, "item") else total


def summary_dict(plan: EnginePlan) -> dict[str, str]:
    """The main figures of a plan, as text.

    Parameters
    ----------
    plan : EnginePlan
        What it is about.

    Returns
    -------
    dict
        Inputs, Outputs, Average time (ms), Layers, Weights and Activations (MiB).
    """

    def mebibytes(size: float) -> str:
        unit = "MB" if compatibility() else "MiB"
        return f"{size / _MIB:.1f} {unit}" if size == size else "not known"

    inputs, outputs = plan.get_bindings()
    time = plan.total_runtime
    return {
        "Inputs": "\n".join(map(str, inputs)),
        "Outputs": "\n".join(map(str, outputs)),
        "Average time": f"{time:.3f} ms" if time == time else "not known",
        "Layers": str(len(plan.df)),
        "Weights": mebibytes(plan.total_weights_size),
        "Activations": mebibytes(plan.total_act_size),
    }


def print_summary(plan: EnginePlan) -> None:
    """Prints the main figures, the device, the builder's options and the measurement.

    Parameters
    ----------
    plan : EnginePlan
        What it is about.
    """
    sections: dict[str, Mapping[str, Any]] = {
        "Model": summary_dict(plan),
        "Device Properties": plan.device_properties,
        "Builder Configuration": plan.builder_cfg,
        "Performance Summary": plan.performance_summary,
    }
    for title, section in sections.items():
        print(f"{title}:")
        for key, value in section.items():
            print(f"\t{key}: {value}")
