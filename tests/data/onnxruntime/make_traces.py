"""Writes a small model, and runs it with ONNX Runtime: a trace and the optimised model.

    python make_traces.py FOLDER

needs onnxruntime, onnx and numpy. README.md says which versions made the files here.
"""

from __future__ import annotations

import pathlib
import sys

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper, save

RUNS = 4


def value(name: str, dims: list, kind: int = TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, dims)


def make_control_flow():
    """Convolutions that get a blocked layout, nodes without names, inputs that are left out, a loop
    and a conditional whose branches take turns."""
    random = np.random.default_rng(1)

    def weight(name: str, *dims: int):
        return numpy_helper.from_array(random.standard_normal(dims).astype(np.float32), name)

    node = helper.make_node
    body = helper.make_graph(
        [
            node("Add", ["v_in", "one"], ["v_out"], name="body_add"),
            node("Identity", ["c_in"], ["c_out"]),
        ],
        "body",
        [
            value("i", [], TensorProto.INT64),
            value("c_in", [], TensorProto.BOOL),
            value("v_in", [1, 8]),
        ],
        [value("c_out", [], TensorProto.BOOL), value("v_out", [1, 8])],
    )
    then_branch = helper.make_graph(
        [node("Sigmoid", ["l"], ["t"], name="then_Sigmoid")], "then", [], [value("t", [1, 8])]
    )
    else_branch = helper.make_graph([node("Tanh", ["l"], ["e"])], "else", [], [value("e", [1, 8])])
    nodes = [
        node("Conv", ["x", "w", "b"], ["c1"], name="conv1", pads=[1, 1, 1, 1]),
        node("Relu", ["c1"], ["r1"], name="relu1"),
        node("Conv", ["r1", "w2"], ["c2"], pads=[1, 1, 1, 1]),
        node("Add", ["c2", "r1"], ["a1"], name="add1"),
        node("Relu", ["a1"], ["r2"]),
        node("Clip", ["r2", "", "six"], ["k"], name="clip"),
        node("GlobalAveragePool", ["k"], ["g"]),
        node("Flatten", ["g"], ["f"]),
        node("Gemm", ["f", "w3", "b3"], ["fc"], name="fc", transB=1),
        node("Loop", ["n", "", "fc"], ["l"], name="myloop", body=body),
        node("If", ["cond"], ["y"], name="myif", then_branch=then_branch, else_branch=else_branch),
    ]
    graph = helper.make_graph(
        nodes,
        "control-flow",
        [value("x", ["N", 3, 16, 16]), value("cond", [], TensorProto.BOOL)],
        [value("y", ["N", 8])],
        [
            weight("w", 8, 3, 3, 3),
            weight("b", 8),
            weight("w2", 8, 8, 3, 3),
            weight("w3", 8, 8),
            weight("b3", 8),
            weight("one", 1),
            numpy_helper.from_array(np.array(6, np.float32), "six"),
            numpy_helper.from_array(np.array(3, np.int64), "n"),
        ],
    )
    opsets = [helper.make_opsetid("", 17)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="planex")


def make_products():
    """One of each kind of product that ONNX Runtime has kernels of its own for, side by side."""
    random = np.random.default_rng(3)
    node = helper.make_node
    weights = []

    def weight(name: str, *dims: int, kind=np.float32) -> str:
        data = random.standard_normal(dims) * 0.1
        if kind != np.float32:
            data = random.integers(-5, 5, dims)
        weights.append(numpy_helper.from_array(np.asarray(data, kind), name))
        return name

    def scalar(name: str, data, kind) -> str:
        weights.append(numpy_helper.from_array(np.array(data, kind), name))
        return name

    def quantized(name: str, tensor: str) -> list:
        return [
            node("QuantizeLinear", [tensor, "s", "zu"], [f"{name}_q"], name=f"{name}_q"),
            node("DequantizeLinear", [f"{name}_q", "s", "zu"], [f"{name}_d"], name=f"{name}_d"),
        ]

    scalar("s", 0.1, np.float32)
    scalar("zu", 128, np.uint8)
    scalar("zi", 0, np.int8)
    ours = "com.microsoft"
    nodes = [
        node("Conv", ["x", weight("cw", 16, 4, 3, 3)], ["c"], name="conv", pads=[1] * 4, group=2),
        node("Relu", ["c"], ["cr"], name="relu"),
        node("ConvTranspose", ["cr", weight("tw", 16, 4, 2, 2)], ["up"], name="up", strides=[2, 2]),
        *quantized("qx", "x"),
        node("DequantizeLinear", [weight("qw", 16, 8, 3, 3, kind=np.int8), "s", "zi"], ["qwd"]),
        node("Conv", ["qx_d", "qwd"], ["qc"], name="qconv", pads=[1] * 4),
        *quantized("qy", "qc"),
        node("Transpose", ["b"], ["bt"], name="turn", perm=[0, 2, 1]),
        node("MatMul", ["a", "bt"], ["mm"], name="matmul"),
        node("Einsum", ["mm", "e"], ["ein"], name="einsum", equation="bij,bjk->bik"),
        node("Gemm", ["g", weight("gw", 5, 12)], ["fc"], name="gemm", transB=1),
        node(
            "LSTM",
            ["r", weight("lw", 2, 64, 8), weight("lr", 2, 64, 16)],
            ["l"],
            name="lstm",
            hidden_size=16,
            direction="bidirectional",
        ),
        node(
            "GRU",
            ["r", weight("uw", 1, 48, 8), weight("ur", 1, 48, 16)],
            ["u"],
            name="gru",
            hidden_size=16,
        ),
        node("MultiHeadAttention", ["q", "k", "v"], ["mha"], name="mha", num_heads=4, domain=ours),
        node(
            "Attention",
            ["q", weight("aw", 32, 96), weight("ab", 96)],
            ["att"],
            name="attention",
            num_heads=4,
            domain=ours,
        ),
        node(
            "GroupQueryAttention",
            ["gq", "gk", "gk", "past", "past", "length", "total"],
            ["gqa", "keys", "values"],
            name="gqa",
            num_heads=4,
            kv_num_heads=2,
            domain=ours,
        ),
    ]
    # Of what comes between nobody tells the dims, so that only the trace has them.
    inputs = [
        value("x", ["N", 8, 10, 10]),
        value("a", [3, 8, 16]),
        value("b", [3, 12, 16]),
        value("e", [3, 12, 5]),
        value("g", [7, 12]),
        value("r", [6, 2, 8]),
        value("q", [2, 9, 32]),
        value("k", [2, 11, 32]),
        value("v", [2, 11, 32]),
        value("gq", [1, 1, 64]),
        value("gk", [1, 1, 32]),
        value("past", [1, 2, 7, 16]),
        value("length", [1], TensorProto.INT32),
        value("total", [1], TensorProto.INT32),
    ]
    names = ["up", "qy_d", "ein", "fc", "l", "u", "mha", "att", "gqa", "keys", "values"]
    outputs = [value(name, None) for name in names]
    graph = helper.make_graph(nodes, "products", inputs, outputs, weights)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(ours, 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="planex")


def random_input(tensor, random, batch: int):
    dims = [dim.dim_value or batch for dim in tensor.type.tensor_type.shape.dim]
    if tensor.type.tensor_type.elem_type == TensorProto.INT32:
        return np.full(dims, {"length": 7, "total": 8}[tensor.name], np.int32)
    return random.standard_normal(dims).astype(np.float32)


def run(folder: pathlib.Path, name: str, model, level, feeds) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.onnx"
    save(model, path)
    options = onnxruntime.SessionOptions()
    options.enable_profiling = True
    options.profile_file_prefix = str(folder / name)
    options.optimized_model_filepath = str(folder / f"{name}.optimized.onnx")
    options.intra_op_num_threads = 1
    options.graph_optimization_level = level
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    for index in range(RUNS):
        session.run(None, feeds(index))
    print(session.end_profiling(), "by ONNX Runtime", onnxruntime.__version__)


def main(folder: pathlib.Path) -> None:
    levels = onnxruntime.GraphOptimizationLevel
    x = np.random.default_rng(2).standard_normal((1, 3, 16, 16)).astype(np.float32)
    run(
        folder,
        "control-flow",
        make_control_flow(),
        levels.ORT_ENABLE_ALL,
        lambda index: {"x": x, "cond": np.array(index % 2 == 0)},
    )
    products = make_products()
    random = np.random.default_rng(4)
    feeds = {tensor.name: random_input(tensor, random, 2) for tensor in products.graph.input}
    # Without blocked layouts, which depend on the processor.
    run(
        folder.with_name(folder.name + "-products"),
        "products",
        products,
        levels.ORT_ENABLE_EXTENDED,
        lambda index: feeds,
    )


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
