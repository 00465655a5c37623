"""Placement rules: models whose Q/DQ stand elsewhere, and the same as the rule has them."""

from __future__ import annotations

import numpy as np
from cases_quantized import pooled, residual

from models import QUANTIZED_DB, Advised, Case, Graph


def branches(pairs: int) -> Graph:
    """Three quantized 1 × 1 convolutions that read one tensor, by a pair each, or one for all."""
    graph = Graph(1, 64, 112, 112)
    graph.conv(graph.pair("x"), 64, 64, 1, small=True)
    tensor = graph.add("Relu", graph.tip)
    shared = graph.pair(tensor, 0.02) if pairs == 1 else None
    ends = []
    for index in range(3):
        # Scales of their own, as a quantizer for each reader calibrates them.
        start = shared or graph.pair(tensor, 0.02 + 0.001 * index)
        ends.append(graph.conv(start, 64, 16, 1, small=True))
    joined = graph.add("Concat", *ends, axis=1)
    graph.add("GlobalAveragePool", joined)
    return graph


def gated(pair_inside: bool) -> Graph:
    """Three quantized convolutions with x · Sigmoid(x) behind each."""
    graph = Graph(1, 32, 112, 112)
    tensor = graph.pair("x")
    for _ in range(3):
        tensor = graph.conv(tensor, 32, 32, small=True)
        if pair_inside:
            tensor = graph.pair(tensor, 0.04)
        tensor = graph.add("Mul", tensor, graph.add("Sigmoid", tensor))
        tensor = graph.pair(tensor, 0.03)
    graph.add("GlobalAveragePool", tensor)
    return graph


def normalized(quantized: bool) -> Graph:
    """A product, a LayerNormalization of its result, and another product."""
    graph = Graph(1, 256, 256)
    start = graph.pair("x")
    product = graph.add("MatMul", start, graph.small_weight(256, 256))
    read = graph.pair(product, 0.03) if quantized else product
    scale, bias = np.ones(256, np.float32), np.zeros(256, np.float32)
    graph.add("LayerNormalization", read, scale, bias)
    graph.add("MatMul", graph.pair(graph.tip, 0.03), graph.small_weight(256, 256))
    return graph


def placed(rule: str, model: str, change: str, before, after, same_db=QUANTIZED_DB) -> Case:
    return Case(
        rule=rule,
        engines=("openvino",),
        model=model,
        change=change,
        before=before,
        after=after,
        same_db=same_db,
        kind="placement",
    )


CASES = [
    placed(
        "one-pair-per-tensor",
        "three quantized 1 × 1 convolutions that read one tensor, 64 channels of 112 × 112",
        "planex advise --apply: one pair in place of three",
        lambda: branches(3).model(),
        Advised(),
    ),
    placed(
        "residual-both",
        "three residual blocks of quantized 1 × 1 convolutions, 64 channels of 112 × 112, batch 4",
        "Q/DQ on both inputs of each addition",
        lambda: residual(False, False, batch=4).model(),
        lambda: residual(True, True, batch=4).model(),
    ),
    placed(
        "pool-after-pair",
        "3 × 3 max pooling between two quantized 1 × 1 convolutions, 64 channels of 112 × 112, "
        "batch 8",
        "planex advise --apply: the pair before the pooling",
        lambda: pooled("MaxPool", False).model(),
        Advised(),
    ),
    placed(
        "average-pool-pair",
        "3 × 3 average pooling between two quantized 1 × 1 convolutions, 64 channels of "
        "112 × 112, batch 8",
        "a pair before the pooling, too",
        lambda: pooled("AveragePool", False).model(),
        lambda: pooled("AveragePool", True).model(),
        # One rounding more, as the rule says: at some cost in accuracy.
        same_db=20.0,
    ),
    placed(
        "pair-after-product",
        "three quantized 3 × 3 convolutions with x · Sigmoid(x) behind each, 32 channels of "
        "112 × 112",
        "no pair between convolution and activation",
        lambda: gated(True).model(),
        lambda: gated(False).model(),
    ),
    placed(
        "normalization-in-float",
        "a quantized product, LayerNormalization and a quantized product, 256 × 256",
        "no pair before the normalization",
        lambda: normalized(True).model(),
        lambda: normalized(False).model(),
        # The pair that goes rounded what the normalization reads: that much results change.
        same_db=20.0,
    ),
]
