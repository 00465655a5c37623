"""The graph of a plan as objects: layers, tensors between them, and edges.

It is planex's own graph (:meth:`planex.Engine.draw`); this module only gives it TREx's shape.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from planex.trex.activations import Activation
from planex.trex.engine_plan import EnginePlan
from planex.trex.layer import Layer

_MEMORY = ("memory", "binding")

Box = dict[str, Any]


class PortDesc(NamedTuple):
    """An end of an edge: a layer or a memory node by name, and one of its ports.

    Parameters
    ----------
    layer_name : str
        Name of the layer or of the memory node.
    port : int or None
        Which input or output; None for inputs and outputs of the engine.
    """

    layer_name: str
    port: int | None


class Edge(NamedTuple):
    """A tensor that flows from a layer or a memory node to another one.

    Parameters
    ----------
    src, dst : PortDesc
        Its source and its destination.
    tensor : Activation
        The tensor.
    region_gen : int
        Generation of the memory that it is in.
    """

    src: PortDesc
    dst: PortDesc
    tensor: Activation
    region_gen: int


class LayerNode:
    """A layer as a node.

    Parameters
    ----------
    layer : Layer
        What it is.
    """

    def __init__(self, layer: Layer) -> None:
        self.layer = layer

    def __repr__(self) -> str:
        return f"LayerNode({self.layer.name})"


class MemoryNode(NamedTuple):
    """Memory that contains a tensor, as a node; inputs and outputs of the engine are nodes too.

    Parameters
    ----------
    name : str
        Name of the tensor; with its generation, if it is not an input or output.
    tensor : Activation
        Its contents.
    region_gen : int
        Which generation it is, from 0.
    is_user : bool
        It is an input or output of the engine.
    """

    name: str
    tensor: Activation
    region_gen: int
    is_user: bool


@dataclass
class RegionGeneration:
    """Memory between being written and being written again.

    Parameters
    ----------
    tensor : Activation
        The largest tensor that it contains.
    id : int
        Which generation it is, from 0.
    is_user : bool
        It is an input or output of the engine.
    is_forked : bool
        It has several writers or several readers.
    writers, readers : list of PortDesc
        In execution order.
    """

    tensor: Activation
    id: int
    is_user: bool = False
    is_forked: bool = False
    writers: list[PortDesc] = field(default_factory=list)
    readers: list[PortDesc] = field(default_factory=list)


class Region:
    """Memory of one name, with its generations.

    Parameters
    ----------
    name : str
        Name of the tensor.

    Attributes
    ----------
    generations : list of RegionGeneration
        In execution order.
    """

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.generations: list[RegionGeneration] = []

    def nb_generations(self) -> int:
        """Number of generations.

        Returns
        -------
        int
            Usually 1.
        """
        return len(self.generations)

    def is_placeholder(self) -> bool:
        """Whether it has several generations.

        Returns
        -------
        bool
            True for memory that is written again after it was read.
        """
        return len(self.generations) > 1

    def writers(self, gen_id: int | None = None) -> list[PortDesc]:
        """Its writers.

        Parameters
        ----------
        gen_id : int, optional
            One generation; default: all.

        Returns
        -------
        list of PortDesc
            In execution order.
        """
        return [port for one in self._chosen(gen_id) for port in one.writers]

    def readers(self, gen_id: int | None = None) -> list[PortDesc]:
        """Its readers.

        Parameters
        ----------
        gen_id : int, optional
            One generation; default: all.

        Returns
        -------
        list of PortDesc
            In execution order.
        """
        return [port for one in self._chosen(gen_id) for port in one.readers]

    def _chosen(self, gen_id: int | None) -> Sequence[RegionGeneration]:
        return self.generations if gen_id is None else [self.generations[gen_id]]


class _Graph:
    """planex's graph, and the layers and tensors of the plan that its boxes are."""

    def __init__(
        self, plan: EnginePlan, memory: Literal["none", "forking", "all"], constants: bool
    ) -> None:
        drawing = plan.engine.draw(
            format="json", memory=memory, constants=constants, names="original", depth=0
        )
        layout = json.loads(drawing.data)
        self.boxes: list[Box] = layout["boxes"]
        self.edges = [edge for edge in layout["edges"] if edge["kind"] in ("data", "reuse")]
        self._plan = plan
        self.tensors: dict[str, Activation] = {}
        for layer in plan.all_layers:
            for tensor in (*layer.outputs, *layer.inputs):
                known = self.tensors.get(tensor.name)
                if known is None or (tensor.size_bytes or 0) > (known.size_bytes or 0):
                    self.tensors[tensor.name] = tensor

    def tensor(self, box: Box | None, edge: dict[str, Any]) -> Activation:
        name = box["name"] if box is not None else edge["tensor"]
        found = self.tensors.get(name) or self.tensors.get(edge.get("tensor") or "")
        if found is None:
            found = Activation({"Name": name, "Dimensions": [], "Format/Datatype": ""})
        return found

    def node_name(self, box: Box) -> str:
        if box["kind"] == "memory":
            return f"{box['name']}.{box['generation']}"
        layer = self._plan.layer_of(box.get("layer_id", -1))
        return layer.name if layer is not None else box["name"]

    def end(self, index: int, tensor: str, is_source: bool) -> PortDesc:
        box = self.boxes[index]
        name = self.node_name(box)
        if box["kind"] in _MEMORY:
            return PortDesc(name, 0 if box["kind"] == "memory" else None)
        layer = self._plan.layer_of(box.get("layer_id", -1))
        if layer is None:
            return PortDesc(name, None)
        ports = [one.name for one in (layer.outputs if is_source else layer.inputs)]
        return PortDesc(name, ports.index(tensor) if tensor in ports else 0)


def _generation(box: Box) -> int:
    return int(box.get("generation") or 0)


def regions_factory(plan: EnginePlan) -> list[Region]:
    """The memory of a plan: what contains tensors, and what writes and reads it.

    Parameters
    ----------
    plan : EnginePlan
        The plan.

    Returns
    -------
    list of Region
        In the order of their first use.
    """
    graph = _Graph(plan, "all", constants=True)
    by_box: dict[int, RegionGeneration] = {}
    regions: dict[str, Region] = {}
    for i, box in enumerate(graph.boxes):
        if box["kind"] not in _MEMORY:
            continue
        region = regions.setdefault(box["name"], Region(box["name"]))
        tensor = graph.tensor(box, {})
        by_box[i] = RegionGeneration(tensor, _generation(box), box["kind"] == "binding")
        region.generations.append(by_box[i])
    for edge in graph.edges:
        name = edge.get("tensor") or ""
        for end, other, is_written in (("to", "from", True), ("from", "to", False)):
            generation = by_box.get(edge[end])
            if generation is None or edge[other] in by_box:
                continue
            ports = generation.writers if is_written else generation.readers
            port = graph.end(edge[other], name, is_source=is_written)
            ports.extend([port] * edge["count"])
    for region in regions.values():
        region.generations.sort(key=lambda one: one.id)
        for generation in region.generations:
            generation.is_forked = len(generation.writers) > 1 or len(generation.readers) > 1
    return list(regions.values())


class PlanGraph:
    """The data flow of a plan.

    Parameters
    ----------
    plan : EnginePlan
        The plan.
    include_regions : bool
        All tensors are nodes, not only inputs, outputs and reused memory.
    include_constants : bool
        Include the outputs of constants.
    include_forking_regions : bool
        Tensors with several writers or readers are nodes.

    Attributes
    ----------
    layer_nodes : list of LayerNode
        All layers, constants too.
    memory_nodes : list of MemoryNode
        Tensors that are nodes.
    edges_list : list of Edge
        Between both.

    Examples
    --------
    >>> import planex.trex as trex
    >>> from planex.trex.graphing import PlanGraph
    >>> graph = PlanGraph(trex.EnginePlan("examples/engines/resnet18-a100-qat"))
    >>> len(graph.layer_nodes), len(graph.memory_nodes), len(graph.edges_list)
    (35, 2, 44)
    """

    def __init__(
        self,
        plan: EnginePlan,
        include_regions: bool = False,
        include_constants: bool = False,
        include_forking_regions: bool = False,
    ) -> None:
        self.include_regions = include_regions
        self.include_constants = include_constants
        self.include_forking_regions = include_forking_regions
        self._plan = plan
        memory: Literal["none", "forking", "all"] = (
            "all" if include_regions else "forking" if include_forking_regions else "none"
        )
        graph = _Graph(plan, memory, include_constants)
        self.layer_nodes = [LayerNode(layer) for layer in plan.all_layers]
        self.memory_nodes: list[MemoryNode] = []
        self.edges_list: list[Edge] = []
        written = {edge["to"] for edge in graph.edges}
        # Constants without a writer are nodes only if all memory is.
        left_out = {
            i
            for i, box in enumerate(graph.boxes)
            if box["kind"] == "memory" and i not in written and not include_regions
        }
        for i, box in enumerate(graph.boxes):
            if box["kind"] in _MEMORY and i not in left_out:
                is_user = box["kind"] == "binding"
                node = graph.node_name(box), graph.tensor(box, {}), _generation(box), is_user
                self.memory_nodes.append(MemoryNode(*node))
        for edge in graph.edges:
            if edge["from"] in left_out:
                continue
            name = edge.get("tensor") or ""
            ends = [graph.boxes[edge[end]] for end in ("from", "to")]
            held = next((box for box in reversed(ends) if box["kind"] in _MEMORY), None)
            made = Edge(
                graph.end(edge["from"], name, is_source=True),
                graph.end(edge["to"], name, is_source=False),
                graph.tensor(held, edge),
                _generation(held) if held is not None else 0,
            )
            self.edges_list += [made] * edge["count"]

    @property
    def regions(self) -> list[Region]:
        """The memory behind it, see :class:`Region`."""
        return regions_factory(self._plan)
