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

NAME = "control-flow"
RUNS = 4


def value(name: str, dims: list, kind: int = TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, dims)


def make_model():
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
        NAME,
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


def main(folder: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    model = folder / f"{NAME}.onnx"
    save(make_model(), model)
    options = onnxruntime.SessionOptions()
    options.enable_profiling = True
    options.profile_file_prefix = str(folder / NAME)
    options.optimized_model_filepath = str(folder / f"{NAME}.optimized.onnx")
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    x = np.random.default_rng(2).standard_normal((1, 3, 16, 16)).astype(np.float32)
    for run in range(RUNS):
        session.run(None, {"x": x, "cond": np.array(run % 2 == 0)})
    print(session.end_profiling(), "by ONNX Runtime", onnxruntime.__version__)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
