"""Edits by which a rule is broken in a model that follows it."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import helper, numpy_helper


def nodes_of(graph: onnx.GraphProto, op: str) -> list[onnx.NodeProto]:
    return [node for node in graph.node if node.op_type == op]


def constant(graph: onnx.GraphProto, name: str) -> np.ndarray | None:
    found = [tensor for tensor in graph.initializer if tensor.name == name]
    return numpy_helper.to_array(found[0]) if found else None


def set_constant(graph: onnx.GraphProto, name: str, data: np.ndarray) -> str:
    """In place of the one of that name, if there is one."""
    for tensor in [tensor for tensor in graph.initializer if tensor.name == name]:
        graph.initializer.remove(tensor)
    graph.initializer.append(numpy_helper.from_array(np.asarray(data), name))
    return name


def drop_unread(graph: onnx.GraphProto, name: str) -> None:
    if not any(name in node.input for node in graph.node):
        for tensor in [tensor for tensor in graph.initializer if tensor.name == name]:
            graph.initializer.remove(tensor)


def insert(graph: onnx.GraphProto, before: onnx.NodeProto, node: onnx.NodeProto) -> str:
    """What the node writes."""
    graph.node.insert([one.output[0] for one in graph.node].index(before.output[0]), node)
    return node.output[0]


def small(graph: onnx.GraphProto, reader: onnx.NodeProto, place: int, axis: int | None) -> None:
    """A constant of floats that the node reads becomes int8 behind DequantizeLinear: with a scale
    for each channel along the axis, or one for all."""
    name = reader.input[place]
    data = constant(graph, name)
    others = None if axis is None else tuple(i for i in range(data.ndim) if i != axis)
    spread = np.abs(data).max(axis=others, keepdims=True) / 127
    set_constant(graph, f"{name}.int8", np.round(data / spread).astype(np.int8))
    scale = spread.astype(np.float32).reshape(() if axis is None else -1)
    words = [f"{name}.int8", set_constant(graph, f"{name}.scale", scale)]
    words.append(set_constant(graph, f"{name}.zero", np.zeros(scale.shape, np.int8)))
    more = {} if axis is None else {"axis": axis}
    made = helper.make_node("DequantizeLinear", words, [f"{name}.floats"], **more)
    reader.input[place] = insert(graph, reader, made)
    drop_unread(graph, name)


def pair(
    graph: onnx.GraphProto, before: onnx.NodeProto, tensor: str, scale: float, zero: np.generic
) -> str:
    """Q/DQ of the tensor, in front of a node."""
    words = [
        set_constant(graph, f"{tensor}.scale", np.float32(scale)),
        set_constant(graph, f"{tensor}.zero", zero),
    ]
    made = [f"{tensor}.whole", f"{tensor}.paired"]
    insert(graph, before, helper.make_node("QuantizeLinear", [tensor, *words], made[:1]))
    return insert(graph, before, helper.make_node("DequantizeLinear", [made[0], *words], made[1:]))
