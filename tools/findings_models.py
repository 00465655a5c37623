"""Small models of many kinds, from fixed seeds: tools/findings_sample.py draws of their engines."""

from __future__ import annotations

import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tests/evidence"))

from models import Graph

HALF = np.float16


def normalized(graph: Graph, channels: int) -> str:
    """BatchNormalization, as an export leaves it that folds nothing."""
    ones = np.ones(channels, np.float32)
    values = [graph.normal(channels, scale=0.1) for _ in range(2)]
    return graph.add("BatchNormalization", graph.tip, ones, *values, ones)


def resnet() -> onnx.ModelProto:
    graph = Graph(1, 3, 96, 96)
    graph.conv("x", 3, 32, 7, strides=[2, 2])
    normalized(graph, 32)
    graph.add("Relu", graph.tip)
    tensor = graph.add("MaxPool", graph.tip, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    channels = 32
    for width, stride in ((32, 1), (64, 2), (128, 2)):
        skip = tensor
        graph.conv(tensor, channels, width, strides=[stride, stride])
        normalized(graph, width)
        graph.conv(graph.add("Relu", graph.tip), width, width)
        inner = normalized(graph, width)
        if stride > 1:
            graph.conv(skip, channels, width, 1, strides=[stride, stride])
            skip = normalized(graph, width)
        tensor = graph.add("Relu", graph.add("Add", inner, skip))
        channels = width
    graph.add("Flatten", graph.add("GlobalAveragePool", tensor))
    graph.add("Gemm", graph.tip, graph.normal(100, 128), graph.normal(100), transB=1)
    return graph.model()


def quantized_resnet(zero, *, is_placed: bool, batch: int = 1, image: int = 56) -> onnx.ModelProto:
    """Q/DQ where engines fuse them, or before every product alone with a scale for each reader."""
    graph = Graph(batch, 32, image, image)
    counter = iter(range(1000))

    def pair(tensor: str) -> str:
        step = 0 if is_placed else next(counter)
        return graph.pair(tensor, 0.03 + 0.0005 * step, zero)

    graph.conv(pair("x"), 32, 64, small=True)
    tensor = graph.add("Relu", graph.tip)
    for _ in range(3):
        start = pair(tensor)
        graph.conv(start, 64, 64, 1, small=True)
        graph.add("Relu", graph.tip)
        graph.conv(pair(graph.tip), 64, 64, small=True)
        inner = pair(graph.tip) if is_placed else graph.tip
        graph.add("Add", inner, start if is_placed else tensor)
        tensor = graph.add("Relu", graph.tip)
    kernel = {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1] * 4}
    tensor = graph.add("MaxPool", pair(tensor) if is_placed else tensor, **kernel)
    ends = [
        graph.conv(pair(tensor) if not is_placed else tensor, 64, 32, 1, small=True)
        for _ in range(2)
    ]
    joined = graph.add("Concat", *ends, axis=1)
    graph.conv(pair(joined), 64, 64, small=True)
    graph.add("Flatten", graph.add("GlobalAveragePool", graph.add("Relu", graph.tip)))
    graph.add("Gemm", pair(graph.tip), graph.small_weight(10, 64), transB=1)
    return graph.model()


def detector(*, small: bool = False, image: int = 128) -> onnx.ModelProto:
    """A pyramid of two levels; boxes and scores in one tensor."""
    graph = Graph(1, 3, image, image)

    def block(tensor: str, inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> str:
        start = graph.pair(tensor, 0.04) if small else tensor
        conv = graph.conv(start, inputs, outputs, kernel, small=small, strides=[stride, stride])
        if small:
            conv = graph.pair(conv, 0.05)
        return graph.add("Mul", conv, graph.add("Sigmoid", conv))

    tensor = block("x", 3, 16, 2)
    tensor = block(tensor, 16, 32, 2)
    split = graph.add("Split", tensor, np.array([16, 16]), count=2, axis=1)
    halves = [split, graph.outs()[1]]
    kept = block(halves[1], 16, 16)
    fine = block(graph.add("Concat", *halves, kept, axis=1), 48, 64, kernel=1)
    coarse = block(fine, 64, 128, 2)
    scales = np.array([1, 1, 2, 2], np.float32)
    wide = graph.add("Resize", coarse, "", scales, mode="nearest")
    fine = block(graph.add("Concat", wide, fine, axis=1), 192, 64, kernel=1)
    parts = []
    for tensor, channels in ((fine, 64), (coarse, 128)):
        boxes = graph.conv(block(tensor, channels, 32), 32, 4, 1)
        scores = graph.conv(block(tensor, channels, 32), 32, 20, 1)
        joined = graph.add("Concat", boxes, scores, axis=1)
        parts.append(graph.add("Reshape", joined, np.array([1, 24, -1])))
    graph.add("Concat", *parts, axis=2)
    both = graph.add("Split", graph.tip, np.array([4, 20]), count=2, axis=1)
    boxes, scores = both, graph.outs()[1]
    scaled = graph.add("Mul", boxes, np.float32(8))
    joined = graph.add("Concat", scaled, graph.add("Sigmoid", scores), axis=1)
    graph.add("Transpose", joined, perm=[0, 2, 1])
    return graph.model()


def attend(
    graph: Graph, tensor: str, tokens: int, width: int, heads: int, linear, past=None
) -> str:
    size = width // heads
    parts = []
    for order in ([0, 2, 1, 3], [0, 2, 3, 1] if past is None else [0, 2, 1, 3], [0, 2, 1, 3]):
        part = graph.add(
            "Reshape", linear(tensor, width, width), np.array([1, tokens, heads, size])
        )
        parts.append(graph.add("Transpose", part, perm=order))
    if past is not None:
        parts[1] = graph.add("Concat", past[0], parts[1], axis=2)
        parts[2] = graph.add("Concat", past[1], parts[2], axis=2)
        graph.outputs += [parts[1], parts[2]]
        parts[1] = graph.add("Transpose", parts[1], perm=[0, 1, 3, 2])
    scores = graph.add("Div", graph.add("MatMul", parts[0], parts[1]), np.float32(size**0.5))
    mixed = graph.add("MatMul", graph.add("Softmax", scores, axis=-1), parts[2])
    turned = graph.add("Transpose", mixed, perm=[0, 2, 1, 3])
    return graph.add("Reshape", turned, np.array([1, tokens, width]))


def layer_norm(graph: Graph, tensor: str, width: int) -> str:
    ones, zeros = np.ones(width, np.float32), np.zeros(width, np.float32)
    return graph.add("LayerNormalization", tensor, ones, zeros)


def gelu(graph: Graph, tensor: str) -> str:
    erf = graph.add("Erf", graph.add("Div", tensor, np.float32(2**0.5)))
    grown = graph.add("Mul", tensor, graph.add("Add", erf, np.float32(1)))
    return graph.add("Mul", grown, np.float32(0.5))


def transformer(
    kind: str = "float", tokens: int = 64, width: int = 128, past: int = 0, opset: int = 17
):
    """Two blocks, whose products are in float or quantized in one of several ways."""
    graph = Graph(1, tokens, width, opset=opset)
    heads = 4

    def linear(tensor: str, inputs: int, outputs: int) -> str:
        data = graph.normal(inputs, outputs, scale=inputs**-0.5)
        bias = graph.normal(outputs, scale=0.1)
        if kind == "dynamic":
            names = graph.add("DynamicQuantizeLinear", tensor, count=3)
            small, scale, zero = names, *graph.outs()[1:]
            step = np.float32(np.abs(data).max() / 127)
            whole = np.clip(np.round(data / step), -127, 127).astype(np.int8)
            product = graph.add("MatMulInteger", small, whole, zero, np.int8(0))
            product = graph.add("Cast", product, to=TensorProto.FLOAT)
            product = graph.add("Mul", product, graph.add("Mul", scale, step))
        elif kind == "int4":
            block = 32
            parts = data.reshape(inputs // block, block, outputs)
            steps = (np.abs(parts).max(axis=1) / 7).astype(np.float32)
            whole = np.clip(np.round(parts / steps[:, None]), -7, 7).reshape(inputs, outputs)
            name = f"k{len(graph.constants)}"
            graph.constants.append(
                helper.make_tensor(name, TensorProto.INT4, whole.shape, whole.astype(int).flatten())
            )
            weight = graph.add("DequantizeLinear", name, steps, axis=0, block_size=block)
            product = graph.add("MatMul", tensor, weight)
        elif kind == "static":
            steps = (np.abs(data).max(axis=0) / 127).astype(np.float32)
            whole = np.clip(np.round(data / steps), -127, 127).astype(np.int8)
            weight = graph.add("DequantizeLinear", whole, steps, np.zeros(outputs, np.int8), axis=1)
            product = graph.add("MatMul", graph.pair(tensor, 0.03), weight)
        else:
            product = graph.add("MatMul", tensor, data)
        return graph.add("Add", product, bias)

    tensor = "x"
    for index in range(2):
        caches = None
        if past:
            caches = (f"past_key_{index}", f"past_value_{index}")
            graph.inputs |= {name: (1, heads, past, width // heads) for name in caches}
        mixed = attend(
            graph, layer_norm(graph, tensor, width), tokens, width, heads, linear, caches
        )
        tensor = graph.add("Add", tensor, linear(mixed, width, width))
        inner = gelu(graph, linear(layer_norm(graph, tensor, width), width, 4 * width))
        tensor = graph.add("Add", tensor, linear(inner, 4 * width, width))
    last = layer_norm(graph, tensor, width)
    return graph.model(*([last, *graph.outputs] if past else []))


def half_cnn() -> onnx.ModelProto:
    """FP16 between Casts, with a normalization in FP32."""
    graph = Graph(1, 16, 64, 64)

    def conv(tensor: str, inputs: int, outputs: int) -> str:
        weight, bias = graph.normal(outputs, inputs, 3, 3), graph.normal(outputs, scale=0.1)
        conv = graph.add("Conv", tensor, weight.astype(HALF), bias.astype(HALF), pads=[1] * 4)
        return graph.add("Relu", conv)

    tensor = conv(graph.add("Cast", "x", to=TensorProto.FLOAT16), 16, 32)
    tensor = conv(tensor, 32, 32)
    wide = graph.add("Cast", tensor, to=TensorProto.FLOAT)
    ones, zeros = np.ones(32, np.float32), np.zeros(32, np.float32)
    graph.add("InstanceNormalization", wide, ones, zeros)
    tensor = conv(graph.add("Cast", graph.tip, to=TensorProto.FLOAT16), 32, 64)
    tensor = conv(tensor, 64, 64)
    graph.add("Cast", graph.add("GlobalAveragePool", tensor), to=TensorProto.FLOAT)
    return graph.model()


def keras() -> onnx.ModelProto:
    """Channels last at the edges and around some operations, padding and scaling of their own."""
    graph = Graph(1, 112, 112, 3)
    graph.add("Mul", "x", np.float32(1 / 127.5))
    graph.add("Sub", graph.tip, np.float32(1))
    graph.add("Transpose", graph.tip, perm=[0, 3, 1, 2])
    graph.add("Pad", graph.tip, np.array([0, 0, 3, 3, 0, 0, 3, 3]), np.float32(0))
    graph.conv(graph.tip, 3, 32, 7, strides=[2, 2], pads=[0] * 4)
    normalized(graph, 32)
    graph.add("Relu", graph.tip)
    graph.add("Pad", graph.tip, np.array([0, 0, 1, 1, 0, 0, 1, 1]), np.float32(0))
    tensor = graph.add("MaxPool", graph.tip, kernel_shape=[3, 3], strides=[2, 2])
    for _ in range(2):
        graph.conv(tensor, 32, 32, group=32)
        normalized(graph, 32)
        graph.add("Clip", graph.tip, np.float32(0), np.float32(6))
        graph.conv(graph.tip, 32, 32, 1)
        inner = normalized(graph, 32)
        turned = graph.add("Transpose", inner, perm=[0, 2, 3, 1])
        scaled = graph.add("Mul", turned, graph.normal(32, scale=1.0))
        back = graph.add("Transpose", scaled, perm=[0, 3, 1, 2])
        tensor = graph.add("Add", tensor, back)
    graph.add("Pad", tensor, np.array([0, 0, 1, 1, 0, 0, 1, 1]), mode="reflect")
    graph.conv(graph.add("Elu", graph.tip), 32, 16, pads=[0] * 4)
    graph.add("Transpose", graph.tip, perm=[0, 2, 3, 1])
    return graph.model()


def group_norm(graph: Graph, channels: int, groups: int) -> str:
    """Of one InstanceNormalization between Reshapes, as PyTorch exports it."""
    tensor = graph.tip
    shape = graph.add("Shape", tensor)
    flat = graph.add("Reshape", tensor, np.array([0, groups, -1]))
    ones, zeros = np.ones(groups, np.float32), np.zeros(groups, np.float32)
    normal = graph.add("InstanceNormalization", flat, ones, zeros)
    back = graph.add("Reshape", normal, shape)
    scaled = graph.add("Mul", back, graph.normal(channels, 1, 1, scale=1.0))
    return graph.add("Add", scaled, graph.normal(channels, 1, 1, scale=0.1))


def unet() -> onnx.ModelProto:
    """GroupNormalization in pieces, SiLU, skips, a transposed convolution; a step as input."""
    graph = Graph(1, 8, 64, 64)
    graph.inputs["step"] = (1, 32)

    def block(tensor: str, inputs: int, outputs: int) -> str:
        graph.conv(tensor, inputs, outputs)
        group_norm(graph, outputs, 8)
        silu = graph.add("Mul", graph.tip, graph.add("Sigmoid", graph.tip))
        step = graph.add("Gemm", "step", graph.normal(outputs, 32), graph.normal(outputs), transB=1)
        wide = graph.add("Reshape", step, np.array([1, outputs, 1, 1]))
        return graph.add("Add", silu, wide)

    fine = block("x", 8, 32)
    coarse = graph.conv(fine, 32, 32, strides=[2, 2])
    coarse = block(coarse, 32, 64)
    up = graph.add("ConvTranspose", coarse, graph.normal(64, 32, 2, 2), strides=[2, 2])
    joined = block(graph.add("Concat", up, fine, axis=1), 64, 32)
    graph.conv(joined, 32, 8)
    return graph.model()


def lstm_unrolled(steps: int = 12) -> onnx.ModelProto:
    graph = Graph(1, steps, 64)
    width = 128
    inner, outer = (
        graph.constant(graph.normal(64, 4 * width)),
        graph.constant(graph.normal(width, 4 * width)),
    )
    bias = graph.constant(graph.normal(4 * width, scale=0.1))
    state = cell = graph.constant(np.zeros((1, width), np.float32))
    for step in range(steps):
        here = graph.add("Gather", "x", np.array(step), axis=1)
        gates = graph.add(
            "Add", graph.add("MatMul", here, inner), graph.add("MatMul", state, outer)
        )
        graph.add("Split", graph.add("Add", gates, bias), np.array([width] * 4), count=4, axis=1)
        parts = graph.outs()
        opened = [graph.add("Sigmoid", part) for part in parts[:3]]
        kept = graph.add("Mul", opened[0], cell)
        cell = graph.add("Add", kept, graph.add("Mul", opened[1], graph.add("Tanh", parts[3])))
        state = graph.add("Mul", opened[2], graph.add("Tanh", cell))
    graph.add("MatMul", state, graph.normal(width, 16))
    return graph.model()


def lstm_operation() -> onnx.ModelProto:
    graph = Graph(20, 1, 64)
    width = 128
    weights = [graph.normal(1, 4 * width, 64), graph.normal(1, 4 * width, width)]
    graph.add("LSTM", "x", *weights, hidden_size=width)
    graph.add("Squeeze", graph.tip, np.array([1]))
    graph.add("MatMul", graph.tip, graph.normal(width, 16))
    return graph.model()


def mobile(*, quantized: bool = False, image: int = 96) -> onnx.ModelProto:
    """Depthwise convolutions, squeeze and excitation, HardSwish; quantized in int8 all through."""
    graph = Graph(1, 3, image, image)

    def conv(tensor: str, inputs: int, outputs: int, kernel: int, **attributes) -> str:
        start = graph.pair(tensor, 0.04) if quantized else tensor
        return graph.conv(start, inputs, outputs, kernel, small=quantized, **attributes)

    tensor = graph.add("HardSwish", conv("x", 3, 16, 3, strides=[2, 2]))
    for stride, width in ((1, 16), (2, 24), (1, 24)):
        wide = graph.add("HardSwish", conv(tensor, width if stride == 1 else 16, 64, 1))
        deep = graph.add("Relu", conv(wide, 64, 64, 3, group=64, strides=[stride, stride]))
        mean = graph.add("GlobalAveragePool", deep)
        gate = graph.add("Relu", conv(mean, 64, 16, 1))
        gate = graph.add("HardSigmoid", conv(gate, 16, 64, 1), alpha=1 / 6, beta=0.5)
        narrow = conv(graph.add("Mul", deep, gate), 64, width, 1)
        tensor = graph.add("Add", tensor, narrow) if stride == 1 else narrow
    graph.add("Flatten", graph.add("GlobalAveragePool", tensor))
    graph.add("Gemm", graph.tip, graph.normal(100, 24), transB=1)
    return graph.model()


def grouped() -> onnx.ModelProto:
    """ResNeXt-like, with a shuffle of channels."""
    graph = Graph(2, 32, 48, 48)
    tensor = "x"
    for _ in range(3):
        graph.add("Relu", graph.conv(tensor, 32, 64, 1))
        graph.add("Relu", graph.conv(graph.tip, 64, 64, group=8))
        parts = graph.add("Reshape", graph.tip, np.array([2, 8, 8, 48, 48]))
        turned = graph.add("Transpose", parts, perm=[0, 2, 1, 3, 4])
        flat = graph.add("Reshape", turned, np.array([2, 64, 48, 48]))
        tensor = graph.add("Add", tensor, graph.conv(flat, 64, 32, 1))
    graph.add("AveragePool", tensor, kernel_shape=[2, 2], strides=[2, 2])
    return graph.model()


def recommender() -> onnx.ModelProto:
    """Several inputs, wide layers of one row, products that share what they read."""
    graph = Graph(1, 256)
    graph.inputs["user"] = (1, 64)
    graph.inputs["item"] = (1, 64)
    joined = graph.add("Concat", "x", "user", "item", axis=1)
    graph.add("MatMul", joined, graph.normal(384, 1024, scale=0.05))
    tensor = graph.add("Relu", graph.tip)
    ends = []
    for _ in range(3):
        part = graph.add("MatMul", tensor, graph.normal(1024, 512, scale=0.03))
        ends.append(graph.add("MatMul", graph.add("Relu", part), graph.normal(512, 1, scale=0.04)))
    graph.outputs = [graph.add("Sigmoid", end) for end in ends]
    return graph.model()


def branches() -> onnx.ModelProto:
    """If with a convolution in either branch, and a Loop around a product."""
    graph = Graph(1, 16, 32, 32)
    weights = {name: graph.constant(graph.normal(16, 16, 3, 3)) for name in ("one", "other")}
    bodies = {}
    for name, weight in weights.items():
        node = helper.make_node(
            "Conv", ["x", weight], [f"{name}.y"], name=f"{name}_conv", pads=[1] * 4
        )
        out = helper.make_tensor_value_info(f"{name}.y", TensorProto.FLOAT, [1, 16, 32, 32])
        bodies[name] = helper.make_graph([node], name, [], [out])
    mean = graph.add("ReduceMean", "x", keepdims=0)
    graph.add("Greater", mean, np.float32(0))
    graph.add("If", graph.tip, then_branch=bodies["one"], else_branch=bodies["other"])
    flat = graph.add("Flatten", graph.add("GlobalAveragePool", graph.add("Relu", graph.tip)))
    square = graph.constant(graph.normal(16, 16))
    floats, boolean = TensorProto.FLOAT, TensorProto.BOOL
    body = helper.make_graph(
        [
            helper.make_node("MatMul", ["state", square], ["product"], name="loop_matmul"),
            helper.make_node("Tanh", ["product"], ["next"], name="loop_tanh"),
            helper.make_node("Identity", ["go"], ["go_on"], name="loop_go"),
        ],
        "body",
        [
            helper.make_tensor_value_info("turn", TensorProto.INT64, []),
            helper.make_tensor_value_info("go", boolean, []),
            helper.make_tensor_value_info("state", floats, [1, 16]),
        ],
        [
            helper.make_tensor_value_info("go_on", boolean, []),
            helper.make_tensor_value_info("next", floats, [1, 16]),
        ],
    )
    graph.add("Loop", np.array(5), np.array(True), flat, body=body)
    return graph.model()


def operator_form() -> onnx.ModelProto:
    """QLinearConv and QLinearMatMul."""
    graph = Graph(1, 16, 56, 56)
    step, zero = np.float32(0.03), np.uint8(128)
    tensor = graph.add("QuantizeLinear", "x", step, zero)
    channels = 16
    for width in (32, 32, 64):
        data = graph.normal(width, channels, 3, 3)
        steps = (np.abs(data).reshape(width, -1).max(axis=1) / 127).astype(np.float32)
        whole = np.round(data / steps.reshape(-1, 1, 1, 1)).astype(np.int8)
        words = [step, zero, whole, steps, np.zeros(width, np.int8), step, zero]
        tensor = graph.add("QLinearConv", tensor, *words, pads=[1] * 4)
        channels = width
    graph.add("GlobalAveragePool", graph.add("DequantizeLinear", tensor, step, zero))
    return graph.model()


def one_product() -> onnx.ModelProto:
    graph = Graph(8, 512)
    graph.add("MatMul", "x", graph.normal(512, 512))
    return graph.model()


def one_convolution() -> onnx.ModelProto:
    graph = Graph(1, 3, 224, 224)
    graph.conv("x", 3, 16)
    return graph.model()


def volumes() -> onnx.ModelProto:
    """3-D and 1-D convolutions, upsampling, argmax."""
    graph = Graph(1, 4, 16, 32, 32)
    weight = graph.normal(16, 4, 3, 3, 3)
    graph.add("LeakyRelu", graph.add("Conv", "x", weight, pads=[1] * 6), alpha=0.1)
    graph.add("Conv", graph.tip, graph.normal(32, 16, 3, 3, 3), pads=[1] * 6, strides=[2] * 3)
    graph.add("PRelu", graph.tip, graph.normal(32, 1, 1, 1, scale=0.1))
    rows = graph.add("ReduceMean", graph.tip, axes=[3, 4], keepdims=0)
    graph.add("Conv", rows, graph.normal(32, 32, 3), pads=[1, 1])
    graph.add("Softmax", graph.tip, axis=1)
    return graph.model()


def enhancer() -> onnx.ModelProto:
    """Convolutions between transposes and DepthToSpace, a residual over all of it."""
    graph = Graph(1, 3, 64, 64)
    first = graph.add("LeakyRelu", graph.conv("x", 3, 48), alpha=0.2)
    tensor = first
    for _ in range(2):
        ends = [tensor]
        for _ in range(3):
            joined = ends[0] if len(ends) == 1 else graph.add("Concat", *ends, axis=1)
            conv = graph.conv(joined, 48 + 16 * (len(ends) - 1), 16)
            ends.append(graph.add("LeakyRelu", conv, alpha=0.2))
        graph.conv(graph.add("Concat", *ends, axis=1), 96, 48, 1)
        tensor = graph.add("Add", tensor, graph.add("Mul", graph.tip, np.float32(0.2)))
    graph.conv(graph.add("Add", tensor, first), 48, 12)
    graph.add("DepthToSpace", graph.tip, blocksize=2)
    return graph.model()


def windows() -> onnx.ModelProto:
    """Attention over windows of a picture, as Swin has it, between convolutions."""
    graph = Graph(1, 3, 64, 64)
    tensor = graph.conv("x", 3, 64, 4, strides=[4, 4], pads=[0] * 4)
    graph.add("Reshape", tensor, np.array([1, 64, 2, 8, 2, 8]))
    graph.add("Transpose", graph.tip, perm=[0, 2, 4, 3, 5, 1])
    tokens = graph.add("Reshape", graph.tip, np.array([4, 64, 64]))
    qkv = graph.add("MatMul", layer_norm(graph, tokens, 64), graph.normal(64, 192))
    graph.add("Reshape", qkv, np.array([4, 64, 3, 4, 16]))
    graph.add("Transpose", graph.tip, perm=[2, 0, 3, 1, 4])
    graph.add("Split", graph.tip, np.array([1, 1, 1]), count=3, axis=0)
    query, key, value = [graph.add("Squeeze", part, np.array([0])) for part in graph.outs()]
    scores = graph.add("MatMul", query, graph.add("Transpose", key, perm=[0, 1, 3, 2]))
    scores = graph.add("Add", scores, graph.normal(1, 4, 64, 64, scale=0.1))
    mixed = graph.add("MatMul", graph.add("Softmax", scores, axis=-1), value)
    graph.add("Transpose", mixed, perm=[0, 2, 1, 3])
    graph.add("Reshape", graph.tip, np.array([4, 64, 64]))
    tokens = graph.add("Add", tokens, graph.add("MatMul", graph.tip, graph.normal(64, 64)))
    graph.add("Reshape", tokens, np.array([1, 2, 2, 8, 8, 64]))
    graph.add("Transpose", graph.tip, perm=[0, 5, 1, 3, 2, 4])
    graph.add("Reshape", graph.tip, np.array([1, 64, 16, 16]))
    graph.conv(graph.add("Relu", graph.tip), 64, 32)
    return graph.model()


SIGNED, UNSIGNED = np.int8(0), np.uint8(0)

# Name → maker, and words of `planex process` for OpenVINO.
MODELS = {
    "resnet": (resnet, ()),
    "resnet-bf16": (resnet, ("--precision", "bf16")),
    "qdq-placed-signed": (lambda: quantized_resnet(SIGNED, is_placed=True), ()),
    "qdq-placed-unsigned": (lambda: quantized_resnet(UNSIGNED, is_placed=True), ()),
    "qdq-each-reader": (lambda: quantized_resnet(SIGNED, is_placed=False), ()),
    "qdq-each-reader-large": (
        lambda: quantized_resnet(UNSIGNED, is_placed=False, batch=4, image=112),
        (),
    ),
    "detector": (detector, ()),
    "detector-qdq": (lambda: detector(small=True), ()),
    "transformer": (transformer, ()),
    "transformer-int4": (lambda: transformer("int4", opset=21), ()),
    "transformer-dynamic": (lambda: transformer("dynamic"), ()),
    "transformer-qdq": (lambda: transformer("static"), ()),
    "decoder-step": (lambda: transformer(tokens=1, width=256, past=256), ()),
    "half-cnn": (half_cnn, ()),
    "keras": (keras, ()),
    "unet": (unet, ()),
    "lstm-unrolled": (lstm_unrolled, ()),
    "lstm-operation": (lstm_operation, ()),
    "mobile": (mobile, ()),
    "mobile-qdq": (lambda: mobile(quantized=True), ()),
    "grouped": (grouped, ()),
    "recommender": (recommender, ()),
    "if-loop": (branches, ()),
    "operator-form": (operator_form, ()),
    "one-product": (one_product, ()),
    "one-convolution": (one_convolution, ()),
    "volumes": (volumes, ()),
    "enhancer": (enhancer, ()),
    "windows": (windows, ()),
}
