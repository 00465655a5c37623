"""Rules about quantized models: where Q/DQ stand."""

from __future__ import annotations

import numpy as np
from onnx import TensorProto

from models import QUANTIZED_DB, Advised, Case, Graph

CHANNELS, IMAGE, BATCH = 64, 112, 8


def pooled(kind: str, pair_before: bool) -> Graph:
    """A pooling between two quantized convolutions; 26 MB in float, which no cache near holds."""
    graph = Graph(BATCH, CHANNELS, IMAGE, IMAGE)
    graph.conv(graph.pair("x"), CHANNELS, CHANNELS, 1, small=True)
    tensor = graph.add("Relu", graph.tip)
    if pair_before:
        tensor = graph.pair(tensor, 0.02)
    graph.add(kind, tensor, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    # An average is no value of the scale before it: its own pair stays.
    if not pair_before or kind != "MaxPool":
        graph.pair(graph.tip, 0.02)
    graph.conv(graph.tip, CHANNELS, CHANNELS, 1, small=True)
    graph.add("GlobalAveragePool", graph.tip)
    return graph


def residual(skip: bool, own: bool, batch: int = 1) -> Graph:
    """Three residual blocks; Q/DQ on the skip path, on the addition's other input, or not."""
    graph = Graph(batch, CHANNELS, IMAGE, IMAGE)
    graph.conv(graph.pair("x"), CHANNELS, CHANNELS, 1, small=True)
    tensor = graph.add("Relu", graph.tip)
    for _ in range(3):
        start = graph.pair(tensor, 0.02)
        graph.add("Relu", graph.conv(start, CHANNELS, CHANNELS, 1, small=True))
        inner = graph.conv(graph.pair(graph.tip, 0.02), CHANNELS, CHANNELS, 1, small=True)
        if own:
            inner = graph.pair(inner, 0.03)
        tensor = graph.add("Relu", graph.add("Add", inner, start if skip else tensor))
    graph.conv(graph.pair(tensor, 0.02), CHANNELS, CHANNELS, 1, small=True)
    graph.add("GlobalAveragePool", graph.tip)
    return graph


INPUT_SCALE, INPUT_ZERO = 0.03, 128


# The zero point in the middle of uint8: ONNX Runtime leaves these as they are, and turns some of
# int8 into uint8.
MIDDLE = np.uint8(128)


def activated(zero: np.generic) -> Graph:
    """Quantized convolutions, each with a Relu between it and its quantizer."""
    graph = Graph(1, 32, 112, 112)
    graph.pair("x", INPUT_SCALE, np.uint8(INPUT_ZERO) if zero.dtype == np.uint8 else None)
    for _ in range(3):
        graph.conv(graph.tip, 32, 32, small=True)
        graph.pair(graph.add("Relu", graph.tip), 0.03, zero)
    graph.add("GlobalAveragePool", graph.tip)
    return graph


def integer_convolutions(dynamic: bool) -> Graph:
    """What ONNX Runtime's quantizer makes with dynamic quantization, or Q/DQ pairs."""
    graph = Graph(1, 32, 112, 112)
    tensor = "x"
    for index in range(3):
        data = graph.normal(32, 32, 3, 3)
        step = np.float32(np.abs(data).max() / 127)
        whole = np.clip(np.round(data / step), -127, 127).astype(np.int8)
        if dynamic:
            graph.add("DynamicQuantizeLinear", tensor, count=3)
            small, scale, zero = graph.outs()
            name = f"ConvInteger_{index}"
            sums = graph.add("ConvInteger", small, whole, zero, pads=[1] * 4, name=name)
            floats = graph.add("Cast", sums, to=TensorProto.FLOAT)
            product = graph.add("Mul", floats, graph.add("Mul", scale, step))
        else:
            weight = graph.add("DequantizeLinear", whole, step, np.int8(0))
            product = graph.add("Conv", graph.pair(tensor, 0.03), weight, pads=[1] * 4)
        tensor = graph.add("Relu", product)
    graph.add("GlobalAveragePool", tensor)
    return graph


def residual_sums(skip: bool) -> Graph:
    """Residual blocks as ONNX Runtime fuses them; Q/DQ on the skip paths or not."""
    graph = Graph(1, CHANNELS, IMAGE, IMAGE)

    def conv(tensor: str) -> str:
        return graph.conv(tensor, CHANNELS, CHANNELS, 1, small=True)

    # An Elu, which ONNX Runtime has in float alone, so that the first skip path begins in float.
    tensor = graph.add("Elu", graph.pair(conv(graph.pair("x", INPUT_SCALE, MIDDLE)), 0.02, MIDDLE))
    zero = MIDDLE
    for _ in range(3):
        start = graph.pair(tensor, 0.02, zero)
        graph.add("Relu", conv(start))
        inner = graph.pair(conv(graph.pair(graph.tip, 0.02, np.uint8(0))), 0.03, MIDDLE)
        tensor = graph.add("Relu", graph.add("Add", inner, start if skip else tensor))
        zero = np.uint8(0)
    graph.pair(conv(graph.pair(tensor, 0.02, zero)), 0.03, MIDDLE)
    graph.add("GlobalAveragePool", graph.tip)
    return graph


def rescaled_pool(scale: float) -> Graph:
    """A max pooling between pairs: 0.02 before it, `scale` behind it."""
    graph = Graph(4, CHANNELS, IMAGE, IMAGE)
    graph.conv(graph.pair("x", INPUT_SCALE, MIDDLE), CHANNELS, CHANNELS, 1, small=True)
    graph.pair(graph.add("Relu", graph.tip), 0.02, np.uint8(0))
    graph.add("MaxPool", graph.tip, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    graph.conv(graph.pair(graph.tip, scale, np.uint8(0)), CHANNELS, CHANNELS, 1, small=True)
    graph.add("GlobalAveragePool", graph.pair(graph.tip, 0.03, MIDDLE))
    return graph


def activation_apart(is_apart: bool) -> Graph:
    """1 × 1 convolutions with a LeakyRelu behind each; with a pair between the two or not, whose
    zero point is not 0: such a pair OpenVINO takes into no convolution."""
    graph = Graph(1, CHANNELS, 56, 56)
    zero = np.uint8(110)
    tensor = graph.pair("x", INPUT_SCALE, zero)
    for _ in range(4):
        tensor = graph.conv(tensor, CHANNELS, CHANNELS, 1, small=True)
        if is_apart:
            tensor = graph.pair(tensor, 0.04, zero)
        tensor = graph.pair(graph.add("LeakyRelu", tensor), 0.03, zero)
    graph.add("GlobalAveragePool", tensor)
    return graph


CASES = [
    Case(
        rule="quantization-undone",
        engines=("onnxruntime",),
        model="three quantized 3 × 3 convolutions with a Relu behind each, 32 channels of "
        "112 × 112, int8",
        change="uint8 with zero point 0 behind the Relus",
        before=lambda: activated(np.int8(0)).model(),
        after=lambda: activated(np.uint8(0)).model(),
        same_db=QUANTIZED_DB,
    ),
    Case(
        rule="float-layer-between-quantized",
        engines=("openvino",),
        model="3 × 3 max pooling between two quantized 1 × 1 convolutions, 64 channels of "
        "112 × 112, batch 8",
        change="the Q/DQ pair before the pooling in place of the one behind it",
        before=lambda: pooled("MaxPool", False).model(),
        after=lambda: pooled("MaxPool", True).model(),
        same_db=QUANTIZED_DB,
    ),
    Case(
        rule="quantized-layer-writes-float",
        engines=("openvino",),
        model="three residual blocks of quantized 1 × 1 convolutions, 64 channels of 112 × 112; "
        "Q/DQ on the skip paths",
        change="Q/DQ on the additions' other inputs, too",
        before=lambda: residual(True, False).model(),
        after=lambda: residual(True, True).model(),
        same_db=QUANTIZED_DB,
    ),
    Case(
        rule="activation-read-in-two-precisions",
        engines=("openvino",),
        model="three residual blocks of quantized 1 × 1 convolutions, 64 channels of 112 × 112",
        change="planex advise --apply",
        before=lambda: residual(False, False).model(),
        after=Advised(),
        same_db=QUANTIZED_DB,
    ),
    Case(
        rule="qdq-before-activation",
        engines=("openvino",),
        model="four quantized 1 × 1 convolutions with a LeakyRelu behind each, 64 channels of "
        "56 × 56; pairs before and behind it",
        change="no pair between convolution and LeakyRelu",
        before=lambda: activation_apart(True).model(),
        after=lambda: activation_apart(False).model(),
        same_db=20.0,  # one rounding fewer
    ),
    Case(
        rule="quantization-undone",
        engines=("openvino",),
        model="three dynamically quantized 3 × 3 convolutions (ConvInteger), 32 channels of "
        "112 × 112",
        change="static quantization, in Q/DQ pairs",
        before=lambda: integer_convolutions(True).model(),
        after=lambda: integer_convolutions(False).model(),
        same_db=20.0,  # scales of the samples' own against fixed ones
    ),
    Case(
        rule="activation-read-in-two-precisions",
        engines=("onnxruntime",),
        model="three residual blocks of quantized 1 × 1 convolutions, 64 channels of 112 × 112",
        change="the additions read the quantized tensors of the skip paths",
        before=lambda: residual_sums(False).model(),
        after=lambda: residual_sums(True).model(),
        same_db=QUANTIZED_DB,
    ),
    Case(
        rule="float-layer-between-quantized",
        engines=("onnxruntime",),
        model="3 × 3 max pooling between Q/DQ pairs of two scales and between quantized 1 × 1 "
        "convolutions, 64 channels of 112 × 112, batch 4",
        change="one scale before and behind the pooling",
        before=lambda: rescaled_pool(0.021).model(),
        after=lambda: rescaled_pool(0.02).model(),
        same_db=QUANTIZED_DB,
    ),
]
