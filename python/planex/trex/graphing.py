"""Drawings of plans, by planex's own layout: no Graphviz is needed."""

from __future__ import annotations

import os
import pathlib
import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from planex.trex._lazy import package
from planex.trex._mode import compatibility
from planex.trex._plan_graph import (
    Edge,
    LayerNode,
    MemoryNode,
    PlanGraph,
    PortDesc,
    Region,
    RegionGeneration,
    regions_factory,
)
from planex.trex.colors import layer_colormap, precision_colormap
from planex.trex.engine_plan import EnginePlan
from planex.trex.layer import Layer

__all__ = [
    "DotGraph",
    "Edge",
    "LayerFormatter",
    "LayerNode",
    "MemoryNode",
    "OnnxGraph",
    "PlanGraph",
    "PortDesc",
    "Region",
    "RegionGeneration",
    "latency_types",
    "layer_node_formatters",
    "layer_node_renderers",
    "layer_precision_formatter",
    "layer_type_formatter",
    "precision_formatter",
    "regions_factory",
    "render_dot",
    "to_dot",
]


class LayerFormatter:
    """What the color of a layer shows; a parameter of :func:`to_dot`.

    Parameters
    ----------
    by : str
        ``type`` or ``precision``.

    Attributes
    ----------
    by : str
        ``type`` or ``precision``.
    """

    def __init__(self, by: Literal["type", "precision"]) -> None:
        self.by = by

    def __call__(self, layer: Layer) -> dict[str, str]:
        """Graphviz attributes of a layer."""
        by_type = self.by == "type"
        color = layer_colormap[layer.type] if by_type else precision_colormap[layer.precision]
        return {"style": "filled", "fillcolor": color, "tooltip": layer.tooltip()}

    def __repr__(self) -> str:
        return f"LayerFormatter({self.by!r})"


#: Colors by type.
layer_type_formatter = LayerFormatter("type")
#: Colors by the type of the first input.
layer_precision_formatter = LayerFormatter("precision")
precision_formatter = layer_precision_formatter
#: Both, by name.
layer_node_formatters = {
    "layer_type": layer_type_formatter,
    "layer_precision_formatter": layer_precision_formatter,
}
#: Maximum detail of a drawing: names and types; shapes too; everything requested.
layer_node_renderers: dict[str, dict[str, bool]] = {
    "Minimal": {"display_edge_details": False, "expand_layer_details": False},
    "Keras": {"expand_layer_details": False},
    "Configurable": {},
}
#: Times that a drawing can show, the usual one first.
latency_types = ("avg_time", "median_time", "time")

_BASES = {"avg_time": "mean", "median_time": "median", "time": "total"}
# Options without a choice in planex's drawings.
_WITHOUT_EFFECT = frozenset(
    {
        "display_latency",
        "display_region_names",
        "display_region_reuse",
        "layer_node_highlighter",
        "region_formatter",
        "stack_layer_names",
    }
)


class DotGraph:
    """A drawing to be rendered.

    Parameters
    ----------
    plan : EnginePlan
        What is drawn.
    layer_node_formatter : LayerFormatter
        What colors show.
    display_layer_names : bool
        Names of layers.
    display_metadata : bool
        Operations of the model, with the names.
    display_regions, display_forking_regions : bool
        Tensors as boxes: all; those with several writers or readers.
    display_constants : bool
        Constants.
    display_edge_name, display_edge_details : bool
        Names, or types and shapes, on lines.
    expand_layer_details : bool
        Fused operations and parameters.
    latency_type : str
        ``avg_time``, ``median_time`` or ``time``.
    layer_node_renderer : mapping, optional
        One of :data:`layer_node_renderers`: limits the detail, whatever the other options say.
    highlight_layers : sequence of str or int, optional
        Layers to highlight, by name or by their row in the plan's frame.
    remove_disconnected_layers : bool
        Leave out layers without tensors.
    **options
        Other options of TREx have no effect and warn.

    Raises
    ------
    TypeError
        TREx has no such option.
    ValueError
        There is no such latency.
    """

    def __init__(
        self,
        plan: EnginePlan,
        layer_node_formatter: LayerFormatter = layer_type_formatter,
        *,
        display_layer_names: bool = True,
        display_metadata: bool = False,
        display_regions: bool = False,
        display_forking_regions: bool = False,
        display_constants: bool = False,
        display_edge_name: bool = False,
        display_edge_details: bool = True,
        expand_layer_details: bool = False,
        latency_type: str = "avg_time",
        layer_node_renderer: Mapping[str, bool] | None = None,
        highlight_layers: Sequence[str | int] | None = None,
        remove_disconnected_layers: bool = False,
        **options: Any,
    ) -> None:
        if not isinstance(layer_node_formatter, LayerFormatter):
            raise TypeError("colors show the type or the precision: see layer_node_formatters")
        # As TREx spells it.
        display_metadata = options.pop("display_matadata", display_metadata)
        unknown = sorted(options.keys() - _WITHOUT_EFFECT)
        if unknown:
            raise TypeError(f"there is no option {', '.join(unknown)}")
        if options:
            warnings.warn(f"no effect: {', '.join(sorted(options))}", stacklevel=2)
        if latency_type not in _BASES:
            raise ValueError(
                f"latency_type must be one of {', '.join(_BASES)}, not {latency_type!r}"
            )
        rendered = dict(layer_node_renderer or {})
        display_edge_details &= rendered.get("display_edge_details", True)
        expand_layer_details &= rendered.get("expand_layer_details", True)
        details = "shape" if display_edge_details else "none"
        self._plan = plan
        self._given: dict[str, Any] = {
            "by": layer_node_formatter.by,
            "palette": "trex" if compatibility() else "planex",
            "basis": _BASES[latency_type],
            "names": "original" if display_layer_names else "none",
            "sources": display_metadata,
            "memory": (
                "all" if display_regions else "forking" if display_forking_regions else "none"
            ),
            "constants": display_constants,
            "edges": "name" if display_edge_name else details,
            "details": expand_layer_details,
            "connected": remove_disconnected_layers,
            "depth": 0,
        }
        if highlight_layers:
            names = plan.df["Name"]
            exact = "|".join(
                re.escape(one if isinstance(one, str) else names.iloc[one])
                for one in highlight_layers
            )
            self._given["highlight"] = f"^(?:{exact})$"

    @property
    def source(self) -> str:
        """The drawing as Graphviz text (DOT)."""
        return self.render("dot").decode()

    def render(self, output_format: str = "svg") -> bytes:
        """The drawing as a file's content: svg, png, pdf, dot, onnx or json.

        Parameters
        ----------
        output_format : str
            svg, png, pdf, dot, onnx or json.

        Returns
        -------
        bytes
            The file.

        Raises
        ------
        planex.UsageError
            There is no such format.
        """
        given: dict[str, Any] = {**self._given, "format": output_format}
        return self._plan.engine.draw(**given).data

    def _repr_svg_(self) -> str:
        return self.render("svg").decode()


class OnnxGraph:
    """A plan as an ONNX model, for Netron: a node per layer.

    Parameters
    ----------
    plan : EnginePlan
        Whose layers.
    display_forking_regions : bool
        Tensors with several writers or readers are nodes too.

    Attributes
    ----------
    onnx_model : onnx.ModelProto
        The model; needs the package onnx, which planex itself does not need.
    """

    def __init__(self, plan: EnginePlan, display_forking_regions: bool = False) -> None:
        self._data = DotGraph(plan, display_forking_regions=display_forking_regions).render("onnx")

    @property
    def onnx_model(self) -> Any:
        return package("onnx").load_from_string(self._data)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model to a file.

        Parameters
        ----------
        path : path
            The file.
        """
        pathlib.Path(path).write_bytes(self._data)


def to_dot(
    plan: EnginePlan, layer_node_formatter: LayerFormatter = layer_type_formatter, **options: Any
) -> DotGraph:
    """A drawing of a plan; the options are those of :class:`DotGraph`.

    Parameters
    ----------
    plan : EnginePlan
        What is drawn.
    layer_node_formatter : LayerFormatter
        What colors show.
    **options
        Of :class:`DotGraph`.

    Returns
    -------
    DotGraph
        Not rendered yet.

    Examples
    --------
    >>> import planex.trex as trex
    >>> from planex.trex.graphing import layer_precision_formatter, to_dot
    >>> plan = trex.EnginePlan("examples/engines/resnet18-a100-qat")
    >>> to_dot(plan, layer_precision_formatter).source[:7]
    'digraph'
    """
    return DotGraph(plan, layer_node_formatter, **options)


def render_dot(
    dot_graph: DotGraph, engine_name: str | os.PathLike[str], output_format: str = "svg"
) -> str:
    """Writes a drawing to a file.

    Parameters
    ----------
    dot_graph : DotGraph
        From :func:`to_dot`.
    engine_name : path
        The file without its ending.
    output_format : str
        svg, png, pdf, dot, onnx or json: the ending.

    Returns
    -------
    str
        The file.
    """
    file = pathlib.Path(f"{os.fspath(engine_name)}.{output_format}")
    file.write_bytes(dot_graph.render(output_format))
    return str(file)
