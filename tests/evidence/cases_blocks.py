"""Placement rules of INT4 weights."""

from __future__ import annotations

import numpy as np
import onnx
from cases_pairs import BOTH, placed
from editing import constant, drop_unread, insert, nodes_of, set_constant
from onnx import TensorProto, helper

from models import Broken, Graph, Quantized

BLOCK = 64
INT4 = Quantized(("--to", "int4", "--block-size", str(BLOCK)), has_data=False)


def products(depth: int = 2048, width: int = 2048, layers: int = 3) -> Graph:
    """Products of one row, bound by reading their weights."""
    graph = Graph(1, depth, opset=21)
    for place in range(layers):
        if place > 0:
            # Not a Relu, before which ONNX Runtime reads no blocks.
            graph.add("Tanh", graph.tip)
        rows = depth if place == 0 else width
        graph.add("MatMul", graph.tip, graph.normal(rows, width, scale=rows**-0.5))
    return graph


def with_convolution() -> Graph:
    """A convolution, and what a product makes of the averages of its picture added to it."""
    graph = Graph(1, 64, 56, 56, opset=21)
    picture = graph.add("Relu", graph.conv("x", 64, 64))
    graph.add("Flatten", graph.add("GlobalAveragePool", picture))
    graph.add("MatMul", graph.tip, graph.normal(64, 64, scale=0.01))
    graph.add("Reshape", graph.tip, np.array([1, 64, 1, 1]))
    graph.add("Add", picture, graph.tip)
    return graph


def in_blocks(graph: onnx.GraphProto, reader: onnx.NodeProto, axis: int, block: int) -> None:
    """The float weight of a node becomes INT4 with a scale for each block along the axis, of which
    the last need not be full."""
    name = reader.input[1]
    data = constant(graph, name)
    count = -(-data.shape[axis] // block)
    starts = np.arange(count) * block
    scale = np.maximum.reduceat(np.abs(data), starts, axis=axis) / 7
    spread = np.repeat(scale, block, axis=axis).take(np.arange(data.shape[axis]), axis=axis)
    whole = np.clip(np.round(data / spread), -7, 7).astype(np.int64)
    tensor = helper.make_tensor(
        f"{name}.int4", TensorProto.INT4, data.shape, whole.reshape(-1).tolist()
    )
    graph.initializer.append(tensor)
    set_constant(graph, f"{name}.scale", scale.astype(np.float32))
    words = [tensor.name, f"{name}.scale"]
    made = helper.make_node(
        "DequantizeLinear", words, [f"{name}.floats"], axis=axis, block_size=block
    )
    reader.input[1] = insert(graph, reader, made)
    drop_unread(graph, name)


def start_anew(model: onnx.ModelProto, floats: Graph) -> list[onnx.NodeProto]:
    """The products of the float model, which takes the place of the quantized one."""
    model.graph.CopyFrom(floats.model().graph)
    return nodes_of(model.graph, "MatMul")


def across(model: onnx.ModelProto) -> None:
    """Blocks of values that are not summed up."""
    for product in start_anew(model, products()):
        in_blocks(model.graph, product, 1, BLOCK)


DEPTH = 2000  # no multiple of the block


def broken_off(model: onnx.ModelProto) -> None:
    for product in start_anew(model, products(DEPTH)):
        in_blocks(model.graph, product, 0, BLOCK)


def small_convolution(model: onnx.ModelProto) -> None:
    (conv,) = nodes_of(model.graph, "Conv")
    in_blocks(model.graph, conv, 1, BLOCK)


ACROSS = (
    "three products of one row, 2048 × 2048, INT4 in blocks of values that are not summed up",
    "planex quantize --to int4: blocks of values that are",
    Broken(across),
    INT4,
)
BROKEN_OFF = (
    f"three products of one row, {DEPTH} × 2048 and 2048 × 2048, INT4; the last block of the "
    "first is not full",
    "planex quantize --to int4: the first in float",
    Broken(broken_off),
    INT4,
)

CASES = [
    placed(
        "weights-in-blocks",
        *ACROSS,
        same_db=10.0,
        known_by="quantize",
        float_model=lambda: products().model(),
    ),
    placed(
        "weights-in-blocks",
        *ACROSS,
        ("openvino",),
        known_by="quantize",
        about="refused",
        float_model=lambda: products().model(),
        message="Incompatible MatMul matrix dimension",
    ),
    placed(
        "whole-blocks",
        *BROKEN_OFF,
        ("openvino",),
        known_by="quantize",
        about="refused",
        float_model=lambda: products(DEPTH).model(),
        message=r"dimension of X at axis 0 \(2000\) cannot be divided by block_size \(64\)",
    ),
    placed(
        "products-only",
        "a 3 × 3 convolution, 64 channels of 56 × 56, and a product, weights of both in INT4",
        "planex quantize --to int4: the convolution in float",
        Broken(small_convolution),
        INT4,
        BOTH,
        known_by="quantize",
        about="results",
        float_model=lambda: with_convolution().model(),
    ),
]
