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


def residual(skip: bool, own: bool) -> Graph:
    """Three residual blocks; Q/DQ on the skip path, on the addition's other input, or not."""
    graph = Graph(1, CHANNELS, IMAGE, IMAGE)
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


def quantized_input(by_caller: bool) -> Graph:
    """Quantized convolutions at the input; with the quantizer in the model, or before it."""
    graph = Graph(1, 32, 112, 112)
    words = [np.float32(INPUT_SCALE), np.uint8(INPUT_ZERO)]
    tensor = "x"
    if by_caller:
        graph.input_type = TensorProto.UINT8
    else:
        tensor = graph.add("QuantizeLinear", "x", *words)
    graph.add("DequantizeLinear", tensor, *words)
    graph.conv(graph.tip, 32, 32, small=True)
    graph.add("Relu", graph.tip)
    graph.pair(graph.tip, 0.05, np.uint8(0))
    graph.conv(graph.tip, 32, 8, small=True)
    graph.pair(graph.tip, 0.05, np.uint8(128))
    return graph


def activated(zero: np.generic) -> Graph:
    """Quantized convolutions, each with a Relu between it and its quantizer."""
    graph = Graph(1, 32, 112, 112)
    graph.pair("x", INPUT_SCALE, np.uint8(INPUT_ZERO) if zero.dtype == np.uint8 else None)
    for _ in range(3):
        graph.conv(graph.tip, 32, 32, small=True)
        graph.pair(graph.add("Relu", graph.tip), 0.03, zero)
    graph.add("GlobalAveragePool", graph.tip)
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
        rule="conversion-over-3-percent",
        engines=("onnxruntime",),
        model="two quantized 3 × 3 convolutions behind the input, 32 channels of 112 × 112",
        change="the caller gives uint8; the quantizer is dropped from the model",
        before=lambda: quantized_input(False).model(),
        after=lambda: quantized_input(True).model(),
        quantized_input=(INPUT_SCALE, INPUT_ZERO),
        same_db=QUANTIZED_DB,
    ),
]
