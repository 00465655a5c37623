"""Placement rules that are about results: how near to the float model's they are."""

from __future__ import annotations

import numpy as np
import onnx
from cases_pairs import BOTH, ORT, placed
from editing import constant, nodes_of, pair, set_constant, small

from models import Broken, Graph, Quantized

OPENVINO = ("openvino",)


def plain(channels: int = 32, image: int = 56, layers: int = 4) -> Graph:
    """Convolutions with a Relu between each two; the last writes the output."""
    graph = Graph(1, channels, image, image)
    for place in range(layers):
        if place > 0:
            graph.add("Relu", graph.tip)
        graph.conv(graph.tip, channels, channels)
    return graph


def biased() -> Graph:
    """Biases of which one is far greater than the others, as folded normalizations have them."""
    graph = Graph(1, 32, 56, 56)
    for _ in range(3):
        bias = graph.normal(32, scale=0.3)
        bias[0] = 40.0
        weight = graph.normal(32, 32, 3, 3)
        # Nothing behind it reads the channel with the great bias.
        weight[:, 0] = 0
        graph.add("Conv", graph.tip, weight, bias, pads=[1] * 4)
        graph.add("Clip", graph.tip, np.float32(-3), np.float32(3))
    graph.conv(graph.tip, 32, 16)
    return graph


def small_biases(model: onnx.ModelProto) -> None:
    for conv in nodes_of(model.graph, "Conv"):
        small(model.graph, conv, 2, None)


def lopsided(model: onnx.ModelProto) -> None:
    """Pairs of uint8 from 0 on become int8, half of which holds nothing."""
    graph = model.graph
    for node in nodes_of(graph, "QuantizeLinear") + nodes_of(graph, "DequantizeLinear"):
        scale, zero = (constant(graph, name) for name in node.input[1:3])
        if zero.dtype == np.uint8 and zero.size == 1 and int(zero.reshape(())) == 0:
            node.input[1] = set_constant(graph, f"{node.input[1]}.int8", scale * (255 / 127))
            node.input[2] = set_constant(graph, f"{node.input[2]}.int8", zero.astype(np.int8))


def one_wide_layer() -> Graph:
    """The second layer reads a tensor of which one channel is 60 times as wide as the others."""
    graph = Graph(1, 32, 56, 56)
    graph.add("Relu", graph.conv("x", 32, 32))
    wide = np.ones((1, 32, 1, 1), np.float32)
    wide[0, 0] = 60
    graph.add("Mul", graph.tip, wide)
    weight = graph.normal(32, 32, 3, 3)
    weight[:, 0] /= 60
    graph.add("Conv", graph.tip, weight, graph.normal(32, scale=0.1), pads=[1] * 4, name="wide")
    graph.conv(graph.add("Relu", graph.tip), 32, 32)
    return graph


def with_zeros() -> Graph:
    """A branch whose Relu lets nothing through on any sample, beside another."""
    graph = Graph(1, 32, 56, 56)
    open_path = graph.add("Relu", graph.conv("x", 32, 32))
    bias = np.full(32, -1000, np.float32)
    shut = graph.add("Conv", "x", graph.normal(32, 32, 3, 3), bias, pads=[1] * 4)
    shut = graph.conv(graph.add("Relu", shut), 32, 32)
    graph.add("Add", graph.conv(open_path, 32, 32), shut)
    return graph


def scales_of_zero(model: onnx.ModelProto) -> None:
    """Of tensors that hold zeros only, as a calibrator writes that divides the range by 255."""
    graph = model.graph
    for node in nodes_of(graph, "QuantizeLinear") + nodes_of(graph, "DequantizeLinear"):
        scale = constant(graph, node.input[1])
        if scale.size == 1 and np.isclose(scale.reshape(()), [1 / 127, 1 / 255]).any():
            node.input[1] = set_constant(graph, f"{node.input[1]}.none", np.zeros_like(scale))


def resized() -> Graph:
    """Two maps joined, one of them enlarged, as in the neck of a detector."""
    graph = Graph(1, 32, 56, 56)
    fine = graph.conv("x", 32, 32)
    coarse = graph.conv(graph.add("Relu", fine), 32, 32, strides=[2, 2])
    sizes = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric"}
    scales = np.array([1, 1, 2, 2], np.float32)
    graph.add("Resize", coarse, "", scales, nearest_mode="floor", **sizes)
    graph.add("Concat", graph.tip, fine, axis=1)
    graph.conv(graph.tip, 64, 32)
    return graph


def signed_behind_resize(model: onnx.ModelProto) -> None:
    graph = model.graph
    for node in nodes_of(graph, "QuantizeLinear") + nodes_of(graph, "DequantizeLinear"):
        zero = constant(graph, node.input[2])
        if zero.dtype == np.uint8 and int(zero.reshape(-1)[0]) == 128:
            node.input[2] = set_constant(graph, f"{node.input[2]}.int8", np.int8(0))


def shifted_weights(model: onnx.ModelProto) -> None:
    """The same weights with a zero point of 3."""
    graph = model.graph
    for node in nodes_of(graph, "DequantizeLinear"):
        whole = constant(graph, node.input[0])
        if whole is None:
            continue
        moved = np.clip(whole.astype(np.int32) + 3, -128, 127).astype(np.int8)
        zero = constant(graph, node.input[2])
        node.input[0] = set_constant(graph, f"{node.input[0]}.moved", moved)
        node.input[2] = set_constant(graph, f"{node.input[2]}.moved", np.full_like(zero, 3))


def in_doubles() -> onnx.ModelProto:
    """A product of doubles beside one of floats."""
    graph = Graph(64, 256)
    graph.add("MatMul", "x", graph.normal(256, 256))
    doubles = graph.add("Cast", graph.add("Relu", graph.tip), to=onnx.TensorProto.DOUBLE)
    graph.add("MatMul", doubles, graph.normal(256, 256).astype(np.float64))
    graph.add("Cast", graph.tip, to=onnx.TensorProto.FLOAT)
    return graph.model()


def quantize_doubles(model: onnx.ModelProto) -> None:
    graph = model.graph
    for product in nodes_of(graph, "MatMul"):
        data = constant(graph, product.input[1])
        if data is not None and data.dtype == np.float64:
            product.input[0] = pair(graph, product, product.input[0], 0.03, np.uint8(0))


CASES = [
    placed(
        "float-bias",
        "four quantized 3 × 3 convolutions, 32 channels of 56 × 56, with biases in int8 of one "
        "scale, and one bias of 40",
        "planex quantize: biases in float",
        Broken(small_biases),
        Quantized(),
        BOTH,
        known_by="quantize",
        about="results",
        float_model=lambda: biased().model(),
    ),
    placed(
        "unsigned-activations",
        "four quantized 3 × 3 convolutions with a Relu between each two, 32 channels of 56 × 56, "
        "int8 behind the Relus",
        "planex quantize: uint8 from 0 on behind them",
        Broken(lopsided),
        Quantized(),
        BOTH,
        known_by="hand",
        about="results",
        float_model=lambda: plain().model(),
    ),
    placed(
        "ends-in-float",
        "four 3 × 3 convolutions, 32 channels of 56 × 56, all quantized",
        "planex quantize --keep of the first and the last",
        Quantized(),
        Quantized(("--keep", "conv_0", "--keep", "conv_6")),
        BOTH,
        known_by="quantize",
        about="results",
        float_model=lambda: plain().model(),
    ),
    placed(
        "by-request",
        "three quantized 3 × 3 convolutions, 32 channels of 56 × 56; the second reads one channel "
        "that is 60 times as wide as the others",
        "planex quantize --keep of the second",
        Quantized(),
        Quantized(("--keep", "wide")),
        BOTH,
        known_by="quantize",
        about="results",
        float_model=lambda: one_wide_layer().model(),
    ),
    placed(
        "positive-scales",
        "two branches of quantized convolutions, in one of which a Relu gives zeros only, with "
        "scale 0",
        "planex quantize: the scale that 1 would have",
        Broken(scales_of_zero),
        Quantized(),
        ORT,
        known_by="hand",
        about="results",
        float_model=lambda: with_zeros().model(),
    ),
    placed(
        "unsigned-behind-resize",
        "three quantized convolutions, 32 channels of 56 × 56, of which the last reads a Concat "
        "that takes a Resize, by int8",
        "planex quantize: uint8 with zero point 128 there",
        Broken(signed_behind_resize),
        Quantized(),
        OPENVINO,
        known_by="quantize",
        about="results",
        float_model=lambda: resized().model(),
    ),
    placed(
        "zero-point-zero",
        "four quantized 3 × 3 convolutions, 32 channels of 56 × 56, weights with zero point 3",
        "planex quantize: weights with zero point 0",
        Broken(shifted_weights),
        Quantized(),
        OPENVINO,
        known_by="hand",
        float_model=lambda: plain().model(),
    ),
    placed(
        "seven-bit-weights",
        "four quantized 3 × 3 convolutions, 32 channels of 56 × 56, weights of 8 bits, without "
        "VNNI (ONEDNN_MAX_CPU_ISA=AVX2)",
        "planex quantize --weight-bits 7",
        Quantized(("--weight-bits", "8")),
        Quantized(("--weight-bits", "7")),
        OPENVINO,
        known_by="hand",
        about="results",
        float_model=lambda: plain().model(),
        environment={"ONEDNN_MAX_CPU_ISA": "AVX2"},
    ),
    placed(
        "floats-only",
        "a product of floats and one of doubles, 64 × 256, with a pair on what that one reads",
        "planex quantize: none there",
        Broken(quantize_doubles),
        Quantized(),
        BOTH,
        known_by="quantize",
        about="refused",
        float_model=in_doubles,
        message=r"Type 'tensor\(double\)' of input parameter|do not have the same element type",
    ),
]
