"""Rules about layers that only convert: quantizers, casts, copies of one tensor."""

from __future__ import annotations

import numpy as np
from cases_placement import branches
from cases_precision import BFLOAT16_DB
from cases_quantized import INPUT_SCALE, INPUT_ZERO, MIDDLE
from onnx import TensorProto

from models import QUANTIZED_DB, Case, Graph

# FP16 rounds to 11 bits of mantissa.
HALF_DB = 50.0


def quantized_input(by_caller: bool, *, image: int, channels: int, is_last: bool = False) -> Graph:
    """A quantized convolution at the input, with the quantizer in the model or before it, where the
    caller gives channels last as well."""
    dims = (image, image, channels) if is_last else (channels, image, image)
    graph = Graph(1, *dims)
    words = [np.float32(INPUT_SCALE), np.uint8(INPUT_ZERO)]
    tensor = "x"
    if by_caller:
        graph.input_type = TensorProto.UINT8
    else:
        tensor = graph.add("QuantizeLinear", "x", *words)
    graph.add("DequantizeLinear", tensor, *words)
    if is_last:
        graph.add("Transpose", graph.tip, perm=[0, 3, 1, 2])
    graph.conv(graph.tip, channels, 8, 1, small=True)
    graph.pair(graph.tip, 0.05, MIDDLE)
    graph.conv(graph.tip, 8, 8, small=True)
    graph.pair(graph.tip, 0.05, MIDDLE)
    graph.add("GlobalAveragePool", graph.tip)
    return graph


def needless_pair(is_there: bool) -> Graph:
    """Elu and Tanh, which ONNX Runtime has in float alone, and a Q/DQ pair between them or not."""
    graph = Graph(1, 64, 112, 112)
    graph.conv(graph.pair("x", INPUT_SCALE, MIDDLE), 64, 64, 1, small=True)
    tensor = graph.add("Tanh", graph.pair(graph.tip, 0.03, MIDDLE))
    for _ in range(3):
        if is_there:
            tensor = graph.pair(tensor, 0.01, MIDDLE)
        tensor = graph.add("Tanh", tensor)
    graph.pair(graph.conv(graph.pair(tensor, 0.01, MIDDLE), 64, 64, 1, small=True), 0.03, MIDDLE)
    graph.add("GlobalAveragePool", graph.tip)
    return graph


def quantized_branches(pairs: int) -> Graph:
    """Quantized 1 × 1 convolutions that read one tensor in float, by a pair each or by one."""
    graph = Graph(1, 64, 112, 112)
    conv = graph.conv(graph.pair("x", INPUT_SCALE, MIDDLE), 64, 64, 1, small=True)
    tensor = graph.add("Tanh", graph.pair(conv, 0.03, MIDDLE))
    shared = graph.pair(tensor, 0.01, MIDDLE) if pairs == 1 else None
    ends = []
    for index in range(6):
        start = shared or graph.pair(tensor, 0.01 + 0.0005 * index, MIDDLE)
        conv = graph.conv(start, 64, 16, 1, small=True, strides=[2, 2])
        ends.append(graph.pair(conv, 0.03, MIDDLE))
    graph.add("GlobalAveragePool", graph.add("Concat", *ends, axis=1))
    return graph


def sigmoids(is_half: bool) -> Graph:
    """Operations that move data, in FP16 or not, between others that the CPU provider has in FP32
    only."""
    graph = Graph(1, 64, 112, 112)
    tensor = graph.add("Cast", "x", to=TensorProto.FLOAT16) if is_half else "x"
    for _ in range(2):
        tensor = graph.add("Sigmoid", graph.add("Concat", tensor, tensor, axis=1))
        tensor = graph.add("Slice", tensor, np.array([32]), np.array([96]), np.array([1]))
    tensor = graph.add("Concat", tensor, tensor, axis=1)
    if is_half:
        tensor = graph.add("Cast", tensor, to=TensorProto.FLOAT)
    graph.add("GlobalAveragePool", tensor)
    return graph


def gates(is_one_operation: bool) -> Graph:
    """Thin convolutions with a hard swish behind each."""
    graph = Graph(1, 32, 112, 112)
    tensor = "x"
    for _ in range(6):
        tensor = graph.conv(tensor, 32, 32, 1)
        if is_one_operation:
            tensor = graph.add("HardSwish", tensor)
        else:
            gate = graph.add("HardSigmoid", tensor, alpha=1 / 6, beta=0.5)
            tensor = graph.add("Mul", tensor, gate)
    graph.add("GlobalAveragePool", graph.conv(tensor, 32, 32, 1))
    return graph


CASES = [
    Case(
        rule="conversion-over-3-percent",
        engines=("openvino",),
        model="two quantized convolutions behind the input, 32 channels of 112 × 112",
        change="the caller gives uint8 with channels last; the quantizer is dropped from the model",
        before=lambda: quantized_input(False, image=112, channels=32).model(),
        after=lambda: quantized_input(True, image=112, channels=32, is_last=True).model(),
        quantized_input=(INPUT_SCALE, INPUT_ZERO),
        turned_inputs={0: (0, 2, 3, 1)},
        same_db=QUANTIZED_DB,
    ),
    Case(
        rule="conversion-over-3-percent",
        engines=("onnxruntime",),
        model="two quantized convolutions behind the input, 64 channels of 224 × 224",
        change="the caller gives uint8; the quantizer is dropped from the model",
        before=lambda: quantized_input(False, image=224, channels=64).model(),
        after=lambda: quantized_input(True, image=224, channels=64).model(),
        quantized_input=(INPUT_SCALE, INPUT_ZERO),
        same_db=QUANTIZED_DB,
    ),
    Case(
        rule="conversions-in-a-row",
        engines=("openvino",),
        model="two quantized convolutions behind the input, 32 channels of 112 × 112",
        change="the caller gives uint8 with channels last; the quantizer is dropped from the model",
        before=lambda: quantized_input(False, image=112, channels=32).model(),
        after=lambda: quantized_input(True, image=112, channels=32, is_last=True).model(),
        quantized_input=(INPUT_SCALE, INPUT_ZERO),
        turned_inputs={0: (0, 2, 3, 1)},
        same_db=QUANTIZED_DB,
    ),
    Case(
        rule="conversions-in-a-row",
        engines=("onnxruntime",),
        model="four Tanh between two quantized 1 × 1 convolutions, 64 channels of 112 × 112, a "
        "Q/DQ pair before each",
        change="no pairs between the Tanh",
        before=lambda: needless_pair(True).model(),
        after=lambda: needless_pair(False).model(),
        same_db=QUANTIZED_DB,
    ),
    Case(
        rule="tensor-converted-twice",
        engines=("openvino",),
        model="three quantized 1 × 1 convolutions that read one tensor, 64 channels of 112 × 112",
        change="one pair in place of three",
        before=lambda: branches(3).model(),
        after=lambda: branches(1).model(),
        same_db=QUANTIZED_DB,
    ),
    Case(
        rule="tensor-converted-twice",
        engines=("onnxruntime",),
        model="six quantized 1 × 1 convolutions that read what a Tanh writes, 64 channels of "
        "112 × 112",
        change="one pair in place of six",
        before=lambda: quantized_branches(6).model(),
        after=lambda: quantized_branches(1).model(),
        same_db=QUANTIZED_DB,
    ),
    Case(
        rule="float32-island",
        engines=("onnxruntime",),
        model="Concat, Sigmoid and Slice, twice, in FP16, 64 channels of 112 × 112",
        change="the model in FP32",
        before=lambda: sigmoids(True).model(),
        after=lambda: sigmoids(False).model(),
        same_db=HALF_DB,
    ),
    Case(
        rule="float32-island",
        engines=("openvino",),
        model="six 1 × 1 convolutions with x · HardSigmoid(x) behind each, 32 channels of "
        "112 × 112, built with --precision bf16",
        change="HardSwish in place of the two operations",
        before=lambda: gates(False).model(),
        after=lambda: gates(True).model(),
        before_words=("--precision", "bf16"),
        after_words=("--precision", "bf16"),
        same_db=BFLOAT16_DB,
    ),
]
