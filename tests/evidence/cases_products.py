"""Rules about matrix products, attention and convolutions that share what they read."""

from __future__ import annotations

import numpy as np

from models import Case, Graph

TOKENS, WIDTH, HEADS = 128, 256, 4


def projections(merged: bool, tokens: int, opset: int = 17) -> Graph:
    """Query, key and value of one tensor, as three products or as one."""
    graph = Graph(1, tokens, WIDTH, opset=opset)
    weights = [graph.normal(WIDTH, WIDTH) for _ in range(3)]
    if merged:
        product = graph.add("MatMul", "x", np.concatenate(weights, axis=1))
        graph.add("Split", product, np.array([WIDTH] * 3), count=3, axis=2)
        parts = graph.outs()
    else:
        parts = [graph.add("MatMul", "x", weight) for weight in weights]
    graph.outputs = [graph.add("Relu", part) for part in parts]
    return graph


def attention(is_one_operation: bool) -> Graph:
    """Four heads over 128 tokens."""
    graph = projections(False, TOKENS, opset=23)
    queries, keys, values = graph.outputs
    if is_one_operation:
        counts = {"q_num_heads": HEADS, "kv_num_heads": HEADS}
        mixed = graph.add("Attention", queries, keys, values, **counts, scale=0.125)
    else:
        shape = np.array([1, TOKENS, HEADS, WIDTH // HEADS])
        orders = [[0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]]
        parts = [
            graph.add("Transpose", graph.add("Reshape", part, shape), perm=order)
            for part, order in zip([queries, keys, values], orders, strict=True)
        ]
        scores = graph.add("Mul", graph.add("MatMul", parts[0], parts[1]), np.float32(0.125))
        mixed = graph.add("MatMul", graph.add("Softmax", scores, axis=-1), parts[2])
        turned = graph.add("Transpose", mixed, perm=[0, 2, 1, 3])
        mixed = graph.add("Reshape", turned, np.array([1, TOKENS, WIDTH]))
    graph.add("MatMul", mixed, graph.normal(WIDTH, WIDTH))
    graph.outputs = []
    return graph


def attention_by_columns(is_turned: bool) -> Graph:
    """Scores of keys times queries, with the softmax over their columns, or in the plain form."""
    tokens = 4 * TOKENS
    graph = projections(False, tokens)
    names = dict(zip("qkv", graph.outputs, strict=True))
    shape = np.array([1, tokens, HEADS, WIDTH // HEADS])
    rows, columns = [0, 2, 1, 3], [0, 2, 3, 1]
    orders = dict(
        zip("qkv", (columns, rows, columns) if is_turned else (rows, columns, rows), strict=True)
    )
    parts = {
        name: graph.add("Transpose", graph.add("Reshape", tensor, shape), perm=orders[name])
        for name, tensor in names.items()
    }
    first, second = ("k", "q") if is_turned else ("q", "k")
    product = graph.add("MatMul", parts[first], parts[second])
    scores = graph.add("Mul", product, np.float32(0.125))
    shares = graph.add("Softmax", scores, axis=-2 if is_turned else -1)
    mixed = graph.add("MatMul", *((parts["v"], shares) if is_turned else (shares, parts["v"])))
    turned = graph.add("Transpose", mixed, perm=[0, 3, 1, 2] if is_turned else rows)
    mixed = graph.add("Reshape", turned, np.array([1, tokens, WIDTH]))
    graph.add("MatMul", mixed, graph.normal(WIDTH, WIDTH))
    graph.outputs = []
    return graph


def rows(batch: int) -> Graph:
    graph = Graph(batch, 1024)
    graph.add("MatMul", "x", graph.normal(1024, 4096))
    graph.add("Relu", graph.tip)
    graph.add("MatMul", graph.tip, graph.normal(4096, 1024))
    return graph


def heads(merged: bool, image: int = 56) -> Graph:
    """Three heads of a detector, behind a convolution that takes less time than they do."""
    graph = Graph(1, 16, image, image)
    graph.conv("x", 16, 64, 1)
    features = graph.add("Relu", graph.tip)
    counts = [4, 8, 2]
    weights = [graph.normal(count, 64, 3, 3) for count in counts]
    biases = [graph.normal(count, scale=0.1) for count in counts]
    pads = [1] * 4
    if merged:
        joined = [np.concatenate(part) for part in (weights, biases)]
        conv = graph.add("Conv", features, *joined, pads=pads)
        graph.add("Split", conv, np.array(counts), count=3, axis=1)
        parts = graph.outs()
    else:
        parts = [
            graph.add("Conv", features, weight, bias, pads=pads)
            for weight, bias in zip(weights, biases, strict=True)
        ]
    graph.outputs = [graph.add("Sigmoid", part) for part in parts]
    return graph


CASES = [
    Case(
        rule="products-share-input",
        engines=("openvino",),
        model="projections to query, key and value, 256 × 256 each, of one token",
        change="one MatMul with the weights side by side, and a Split",
        before=lambda: projections(False, 1).model(),
        after=lambda: projections(True, 1).model(),
    ),
    Case(
        rule="attention-not-fused",
        engines=("onnxruntime",),
        model="an attention of four heads over 128 tokens, with its projections",
        change="one Attention operation (opset 23)",
        before=lambda: attention(False).model(),
        after=lambda: attention(True).model(),
    ),
    Case(
        rule="attention-not-fused",
        engines=("openvino",),
        model="an attention of four heads over 512 tokens, with its projections; keys times "
        "queries, and the softmax over columns",
        change="the plain form: queries times keys, and the softmax over the last axis",
        before=lambda: attention_by_columns(True).model(),
        after=lambda: attention_by_columns(False).model(),
    ),
    Case(
        rule="convolutions-share-input",
        engines=("openvino", "onnxruntime"),
        model="three 3 × 3 convolutions of 4, 8 and 2 channels that read 64, 56 × 56",
        change="one Conv with the weights side by side, and a Split",
        before=lambda: heads(False).model(),
        after=lambda: heads(True).model(),
    ),
    Case(
        rule="weights-bound-product",
        engines=("openvino", "onnxruntime"),
        model="products of one row with 1024 × 4096 and 4096 × 1024 weights",
        change="eight requests as one batch; times are those of one request",
        before=lambda: rows(1).model(),
        after=lambda: rows(8).model(),
        requests=8,
    ),
]
