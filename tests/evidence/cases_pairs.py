"""Placement rules of ONNX Runtime, and of both engines, that planex advise judges by."""

from __future__ import annotations

import numpy as np
import onnx
from cases_quantized import activated
from editing import nodes_of, pair, small
from onnx import TensorProto, helper, numpy_helper

from models import QUANTIZED_DB, Advised, Broken, Case, Graph, Quantized

# ONNX Runtime wants uint8 throughout; OpenVINO takes it as well as int8.
MIDDLE, ZERO = np.uint8(128), np.uint8(0)
BOTH = ("openvino", "onnxruntime")
ORT = ("onnxruntime",)


def chain(gap: bool = False, has_output_pair: bool = True) -> Graph:
    """Three quantized 3 × 3 convolutions; the second reads floats, or the last writes them."""
    graph = Graph(1, 32, 112, 112)
    graph.pair("x", 0.03, MIDDLE)
    for place in range(3):
        graph.add("Relu", graph.conv(graph.tip, 32, 32, small=True))
        is_last = place == 2
        if not (gap and place == 0) and (has_output_pair or not is_last):
            graph.pair(graph.tip, 0.03, ZERO)
    graph.add("GlobalAveragePool", graph.tip)
    return graph


def attention(pairs: str) -> Graph:
    """Four heads of 64 for 256 tokens. Pairs are on what all products read, on what those with
    weights read, or nowhere: "all", "weighted", "none"."""
    tokens, width, heads = 256, 256, 4
    graph = Graph(1, tokens, width)
    start = "x" if pairs == "none" else graph.pair("x", 0.03, MIDDLE)

    def head(order: list[int]) -> str:
        weight = graph.normal(width, width)
        graph.add("MatMul", start, weight if pairs == "none" else graph.small(weight, 1))
        graph.add("Reshape", graph.tip, np.array([1, tokens, heads, width // heads]))
        graph.add("Transpose", graph.tip, perm=order)
        return graph.pair(graph.tip, 0.06, MIDDLE) if pairs == "all" else graph.tip

    query, key, value = head([0, 2, 1, 3]), head([0, 2, 3, 1]), head([0, 2, 1, 3])
    graph.add("Mul", graph.add("MatMul", query, key), np.float32((width / heads) ** -0.5))
    weights = graph.add("Softmax", graph.tip, axis=-1)
    if pairs == "all":
        weights = graph.pair(weights, 1 / 255, ZERO)
    graph.add("Transpose", graph.add("MatMul", weights, value), perm=[0, 2, 1, 3])
    graph.add("Reshape", graph.tip, np.array([1, tokens, width]))
    return graph


def normalized(quantized: bool) -> Graph:
    """A product, a LayerNormalization of its result, and another product, in uint8."""
    rows, width = 512, 256
    graph = Graph(rows, width)
    graph.pair("x", 0.03, MIDDLE)
    product = graph.add("MatMul", graph.tip, graph.small_weight(width, width, axis=1))
    read = graph.pair(product, 0.05, MIDDLE) if quantized else product
    scale, bias = np.ones(width, np.float32), np.zeros(width, np.float32)
    graph.add("LayerNormalization", read, scale, bias)
    graph.pair(graph.tip, 0.03, MIDDLE)
    graph.add("MatMul", graph.tip, graph.small_weight(width, width, axis=1))
    return graph


def read_thrice(pairs: int) -> Graph:
    """Three quantized 1 × 1 convolutions that read one tensor, by a pair each, or one for all."""
    graph = Graph(1, 64, 112, 112)
    graph.conv(graph.pair("x", 0.03, MIDDLE), 64, 64, 1, small=True)
    tensor = graph.add("Relu", graph.tip)
    shared = graph.pair(tensor, 0.02, ZERO) if pairs == 1 else None
    ends = []
    for index in range(3):
        start = shared or graph.pair(tensor, 0.02 + 0.001 * index, ZERO)
        ends.append(graph.pair(graph.conv(start, 64, 16, 1, small=True), 0.03, MIDDLE))
    graph.pair(graph.add("Concat", *ends, axis=1), 0.03, MIDDLE)
    graph.add("GlobalAveragePool", graph.tip)
    return graph


def summed() -> Graph:
    """Three residual blocks of which the additions read the skip paths in float."""
    graph = Graph(1, 64, 112, 112)
    tensor = "x"
    for _ in range(3):
        graph.conv(graph.pair(tensor, 0.03, MIDDLE), 64, 64, 1, small=True)
        graph.pair(graph.add("Relu", graph.tip), 0.02, ZERO)
        inner = graph.pair(graph.conv(graph.tip, 64, 64, 1, small=True), 0.02, MIDDLE)
        tensor = graph.add("Add", inner, tensor)
    graph.pair(tensor, 0.03, MIDDLE)
    graph.add("GlobalAveragePool", graph.tip)
    return graph


def flattened() -> Graph:
    """A quantized convolution, a pooling, a Flatten and a quantized product, one pair behind."""
    graph = Graph(1, 64, 56, 56)
    graph.conv(graph.pair("x", 0.03, MIDDLE), 64, 64, 1, small=True)
    graph.add("MaxPool", graph.add("Relu", graph.tip), kernel_shape=[2, 2], strides=[2, 2])
    data = graph.pair(graph.add("Flatten", graph.tip), 0.02, ZERO)
    weight = graph.small_weight(64 * 28 * 28, 64, axis=1)
    graph.add("Gemm", data, weight, graph.normal(64, scale=0.1))
    graph.pair(graph.tip, 1.0, MIDDLE)
    return graph


def averaged() -> Graph:
    """Two quantized convolutions joined, an average of both in float, a convolution."""
    graph = Graph(1, 64, 112, 112)
    start = graph.pair("x", 0.03, MIDDLE)
    parts = []
    for _ in range(2):
        graph.add("Relu", graph.conv(start, 64, 64, 1, small=True))
        parts.append(graph.pair(graph.tip, 0.02, ZERO))
    graph.add("GlobalAveragePool", graph.add("Concat", *parts, axis=1))
    graph.conv(graph.pair(graph.tip, 0.01, ZERO), 128, 64, 1, small=True)
    graph.pair(graph.tip, 0.02, MIDDLE)
    return graph


def pair_inside() -> Graph:
    """Three quantized convolutions with a pair between each and its Relu, too."""
    graph = Graph(1, 32, 112, 112)
    graph.pair("x", 0.03, MIDDLE)
    for _ in range(3):
        graph.pair(graph.conv(graph.tip, 32, 32, small=True), 0.03, MIDDLE)
        graph.pair(graph.add("Relu", graph.tip), 0.03, ZERO)
    graph.add("GlobalAveragePool", graph.tip)
    return graph


def scored(has_pair: bool = True) -> Graph:
    """A quantized product and a Softmax of it, with a pair between them or not."""
    graph = Graph(512, 256)
    graph.pair("x", 0.03, MIDDLE)
    graph.add("MatMul", graph.tip, graph.small_weight(256, 1024, axis=1))
    if has_pair:
        graph.pair(graph.tip, 0.06, MIDDLE)
    graph.add("Softmax", graph.tip, axis=-1)
    return graph


def upward(quantized: bool) -> Graph:
    """A convolution and a transposed one, both quantized or neither."""
    graph = Graph(1, 64, 7, 7)
    start = graph.pair("x", 0.03, MIDDLE) if quantized else "x"
    graph.add("Relu", graph.conv(start, 64, 256, 1, small=quantized))
    weight = graph.normal(256, 256, 2, 2, scale=0.05)
    data = graph.pair(graph.tip, 0.03, ZERO) if quantized else graph.tip
    strides = {"kernel_shape": [2, 2], "strides": [2, 2]}
    graph.add("ConvTranspose", data, graph.small(weight, 1) if quantized else weight, **strides)
    return graph


def branching() -> onnx.ModelProto:
    """A convolution, and one in each body of an If that its caller's values decide."""
    graph = Graph(1, 32, 112, 112)
    tensor = graph.add("Relu", graph.conv("x", 32, 32))
    largest = graph.add("ReduceMax", "x", keepdims=0)
    condition = graph.add("Greater", largest, np.float32(-100))

    def body(name: str) -> onnx.GraphProto:
        weight = numpy_helper.from_array(graph.normal(32, 32, 3, 3), f"{name}.weight")
        words = {"pads": [1] * 4, "name": name}
        node = helper.make_node("Conv", [tensor, weight.name], [f"{name}.made"], **words)
        out = helper.make_tensor_value_info(f"{name}.made", TensorProto.FLOAT, None)
        return helper.make_graph([node], name, [], [out], [weight])

    bodies = {"then_branch": body("one"), "else_branch": body("other")}
    graph.add("If", condition, **bodies)
    return graph.model()


def quantize_bodies(model: onnx.ModelProto) -> None:
    """Weights in both bodies, behind a pair of the tensor that they read."""
    graph = model.graph
    (node,) = nodes_of(graph, "If")
    bodies = [attribute.g for attribute in node.attribute]
    (tensor,) = {nodes_of(body, "Conv")[0].input[0] for body in bodies}
    made_by = {name: one.op_type for one in graph.node for name in one.output}
    paired = tensor
    if made_by[tensor] != "DequantizeLinear":
        paired = pair(graph, node, tensor, 0.03, ZERO)
    for body in bodies:
        (conv,) = nodes_of(body, "Conv")
        conv.input[0] = paired
        small(body, conv, 1, 0)


def placed(
    rule: str,
    model: str,
    change: str,
    before,
    after=Advised(),  # noqa: B008 (a frozen dataclass)
    engines: tuple[str, ...] = ORT,
    same_db: float = QUANTIZED_DB,
    **more,
) -> Case:
    words = {"before": before, "after": after, "engines": engines, "same_db": same_db}
    return Case(rule, model=model, change=change, kind="placement", **words, **more)


IMAGE = "channels of 112 × 112"
TARGET = "planex advise --apply"

CASES = [
    placed(
        "weighted-inputs",
        f"three quantized 3 × 3 convolutions, 32 {IMAGE}; nothing quantizes what the second reads",
        f"{TARGET} --data: a pair on it",
        lambda: chain(gap=True).model(),
        Advised(has_data=True),
        BOTH,
    ),
    placed(
        "attention-in-float",
        "attention of four heads of 64, 256 tokens, with Q/DQ on query, key, softmax and value",
        "none on them",
        lambda: attention("all").model(),
        lambda: attention("weighted").model(),
        BOTH,
        known_by="hand",
        about="results",
        float_model=lambda: attention("none").model(),
    ),
    placed(
        "normalization-in-float",
        "a quantized product, LayerNormalization and a quantized product, 512 × 256",
        f"{TARGET}: no pair before the normalization",
        lambda: normalized(True).model(),
        same_db=20.0,
    ),
    placed(
        "control-flow-in-float",
        f"a convolution, and one in each body of an If, 32 {IMAGE}; Q/DQ of the bodies' weights, "
        "and of the tensor that they read",
        "planex quantize: bodies stay in float",
        Broken(quantize_bodies),
        Quantized(),
        ORT,
        known_by="quantize",
        float_model=branching,
    ),
    placed(
        "one-pair-per-tensor",
        f"three quantized 1 × 1 convolutions that read one tensor, 64 {IMAGE}",
        f"{TARGET}: one pair in place of three",
        lambda: read_thrice(3).model(),
    ),
    placed(
        "no-output-pair",
        "a quantized product, 512 × 256 × 1024, and a Softmax with a pair before it",
        f"{TARGET}: no pair before the Softmax",
        lambda: scored().model(),
        engines=("openvino",),
        same_db=20.0,
    ),
    placed(
        "quantized-output",
        f"three quantized 3 × 3 convolutions, 32 {IMAGE}; the last writes floats",
        f"{TARGET} --data: a pair behind the last",
        lambda: chain(has_output_pair=False).model(),
        Advised(has_data=True),
    ),
    placed(
        "operation-between-pairs",
        f"three residual blocks of quantized 1 × 1 convolutions, 64 {IMAGE}; additions read the "
        "skip paths in float",
        f"{TARGET}: both inputs of the additions by pairs",
        lambda: summed().model(),
        # What the additions read of the skip paths is rounded then.
        same_db=20.0,
    ),
    placed(
        "pool-after-pair",
        "a quantized 1 × 1 convolution, 64 channels of 56 × 56, 2 × 2 max pooling, Flatten and a "
        "quantized product, with a pair behind the Flatten",
        f"{TARGET} --data: one before the pooling, too",
        lambda: flattened().model(),
        Advised(has_data=True),
    ),
    placed(
        "average-pool-pair",
        f"two quantized 1 × 1 convolutions joined, the average of each of 128 {IMAGE}, a "
        "quantized convolution",
        f"{TARGET} --data: a pair before the average, too",
        lambda: averaged().model(),
        Advised(has_data=True),
        same_db=20.0,
    ),
    placed(
        "no-pair-inside-convolution",
        f"three quantized 3 × 3 convolutions, 32 {IMAGE}, with a pair between each and its Relu",
        f"{TARGET}: none between",
        lambda: pair_inside().model(),
        engines=BOTH,
        same_db=20.0,
    ),
    placed(
        "unsigned-throughout",
        f"three quantized 3 × 3 convolutions with a Relu behind each, 32 {IMAGE}, int8",
        f"{TARGET}: uint8",
        lambda: activated(np.int8(0)).model(),
    ),
    placed(
        "transposed-convolution-in-float",
        "a 1 × 1 convolution and a 2 × 2 transposed one, both quantized, 256 channels of 7 × 7",
        "planex quantize --target onnxruntime: the transposed one in float",
        lambda: upward(True).model(),
        Quantized(),
        known_by="quantize",
        float_model=lambda: upward(False).model(),
    ),
]
