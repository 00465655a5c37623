"""TensorRT-RTX compiles without a GPU: what becomes of a finding is seen, times are not."""

from __future__ import annotations

import numpy as np
from cases_precision import convolutions
from cases_products import attention
from onnx import TensorProto

from models import Advised, Case, Cast, Graph

RTX = ("tensorrt-rtx",)


def quantized(scales_are_lists: bool, by_caller: bool = False) -> Graph:
    """Three quantized convolutions; scales are lists of one value, or scalars."""
    graph = Graph(1, 64, 28, 28)
    scale, zero = np.float32(0.03), np.int8(0)
    words = [np.array([scale]), np.array([zero])] if scales_are_lists else [scale, zero]
    tensor = "x"
    for index in range(3):
        if index == 0 and by_caller:
            graph.input_type = TensorProto.INT8
        else:
            tensor = graph.add("QuantizeLinear", tensor, *words)
        tensor = graph.add("DequantizeLinear", tensor, *words)
        tensor = graph.add("Relu", graph.conv(tensor, 64, 64, small=True))
    graph.add("GlobalAveragePool", tensor)
    return graph


def case(rule: str, model: str, change: str, before, after) -> Case:
    return Case(rule=rule, engines=RTX, model=model, change=change, before=before, after=after)


CASES = [
    case(
        "float-conv-of-quantized-weights",
        "three quantized 3 × 3 convolutions whose scales are lists of one value",
        "planex advise --apply --target tensorrt-rtx: scalar scales",
        lambda: quantized(True).model(),
        Advised(),
    ),
    case(
        "qdq-computed-in-float",
        "three quantized 3 × 3 convolutions whose scales are lists of one value",
        "planex advise --apply --target tensorrt-rtx: scalar scales",
        lambda: quantized(True).model(),
        Advised(),
    ),
    case(
        "quantizer-kernel-alone",
        "three quantized 3 × 3 convolutions with a quantizer at the input",
        "the caller gives INT8; the quantizer is dropped from the model",
        lambda: quantized(False).model(),
        lambda: quantized(False, by_caller=True).model(),
    ),
    case(
        "no-reduced-precision",
        "four 3 × 3 convolutions of 64 channels in FP32",
        "planex cast --to fp16",
        lambda: convolutions().model(),
        Cast("fp16"),
    ),
    case(
        "attention-not-fused",
        "an attention of four heads over 128 tokens in FP32, with its projections",
        "planex cast --to fp16",
        lambda: attention(False).model(),
        Cast("fp16"),
    ),
]
