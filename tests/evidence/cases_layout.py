"""Rules about padding, transposes and copies into another layout."""

from __future__ import annotations

import numpy as np

from models import Case, Graph


def padded_pool(folded: bool) -> Graph:
    """12.8 MB between a convolution of few channels and the pooling."""
    graph = Graph(4, 8, 112, 112)
    graph.conv("x", 8, 64, 1)
    graph.add("Relu", graph.tip)
    if not folded:
        graph.add("Pad", graph.tip, np.array([0, 0, 1, 1, 0, 0, 1, 1]), np.float32(0))
    pads = [1] * 4 if folded else [0] * 4
    graph.add("MaxPool", graph.tip, kernel_shape=[3, 3], strides=[2, 2], pads=pads)
    return graph


def turned_input(turned: bool) -> Graph:
    """Channels last at the input, as Keras has them; what reads it takes channels first only."""
    graph = Graph(*((1, 112, 112, 16) if turned else (1, 16, 112, 112)))
    if turned:
        graph.add("Transpose", "x", perm=[0, 3, 1, 2])
    graph.add("DepthToSpace", graph.tip, blocksize=2)
    return graph


def pictures(*, turned_in: bool, turned_out: bool) -> Graph:
    """Two convolutions; with the caller's tensors in channels last or first."""
    graph = Graph(*((1, 112, 112, 16) if turned_in else (1, 16, 112, 112)))
    if turned_in:
        graph.add("Transpose", "x", perm=[0, 3, 1, 2])
    graph.conv(graph.tip, 16, 32)
    graph.conv(graph.add("Relu", graph.tip), 32, 32)
    if turned_out:
        graph.add("Transpose", graph.tip, perm=[0, 2, 3, 1])
    return graph


def hard_swish(is_one_operation: bool) -> Graph:
    graph = Graph(1, 32, 56, 56)
    tensor = "x"
    for _ in range(3):
        tensor = graph.conv(tensor, 32, 32)
        if is_one_operation:
            tensor = graph.add("HardSwish", tensor)
        else:
            gate = graph.add("HardSigmoid", tensor, alpha=1 / 6, beta=0.5)
            tensor = graph.add("Mul", tensor, gate)
    graph.add("GlobalAveragePool", tensor)
    return graph


CASES = [
    Case(
        rule="padding-as-a-layer",
        engines=("openvino", "onnxruntime"),
        model="1 × 1 convolution, Relu, Pad of zeros, max pooling, 64 channels of 112 × 112, "
        "batch 4",
        change="pads of the MaxPool in place of the Pad",
        before=lambda: padded_pool(False).model(),
        after=lambda: padded_pool(True).model(),
    ),
    Case(
        rule="transpose-as-a-layer",
        engines=("openvino", "onnxruntime"),
        model="Transpose of the input from channels last, DepthToSpace, 16 channels of 112 × 112",
        change="the input in channels first, given so by the caller",
        before=lambda: turned_input(True).model(),
        after=lambda: turned_input(False).model(),
        turned_inputs={0: (0, 3, 1, 2)},
    ),
    Case(
        rule="reformat-changes-layout",
        engines=("openvino",),
        model="two 3 × 3 convolutions, 112 × 112",
        change="the caller's tensors in channels last: Transposes in the model in place of "
        "PrePostProcessor",
        before=lambda: pictures(turned_in=False, turned_out=False).model(),
        after=lambda: pictures(turned_in=True, turned_out=True).model(),
        turned_inputs={0: (0, 2, 3, 1)},
        turned_outputs={0: (0, 3, 1, 2)},
    ),
    Case(
        rule="layout-round-trip",
        engines=("openvino",),
        model="three 3 × 3 convolutions with x · HardSigmoid(x) behind each, 32 channels of "
        "56 × 56",
        change="HardSwish in place of the two operations",
        before=lambda: hard_swish(False).model(),
        after=lambda: hard_swish(True).model(),
    ),
]
