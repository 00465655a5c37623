"""Models of `planex quantize --to fp8|int4`: NVIDIA's TensorRT-RTX builds them without a GPU, and
its engines have these types; ONNX Runtime runs them as ONNX's evaluator does."""

from __future__ import annotations

import json
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

SHAPE = (4, 32, 128)
RUN = """
import sys, numpy, onnxruntime
options = onnxruntime.SessionOptions()
options.log_severity_level = 3
# Optimized, Q and DQ of weights are folded in another order.
options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
session = onnxruntime.InferenceSession(sys.argv[1], options, ["CPUExecutionProvider"])
numpy.save(sys.argv[3], session.run(None, {"x": numpy.load(sys.argv[2])})[0])
"""


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """model.onnx: two products with a bias and a residual sum, as in a transformer's block."""
    folder = tmp_path_factory.mktemp("formats")
    draw = np.random.default_rng(5)

    def weight(name, *shape):
        data = draw.normal(0, 1 / np.sqrt(shape[0]), shape).astype("float32")
        return numpy_helper.from_array(data, name)

    node = helper.make_node
    nodes = [
        node("MatMul", ["x", "w1"], ["m1"], "up"),
        node("Add", ["m1", "b1"], ["a1"], "bias"),
        node("Relu", ["a1"], ["r"], "relu"),
        node("MatMul", ["r", "w2"], ["m2"], "down"),
        node("Add", ["m2", "x"], ["y"], "sum"),
    ]
    graph = helper.make_graph(
        nodes,
        "block",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, SHAPE)],
        [weight("w1", 128, 256), weight("w2", 256, 128), weight("b1", 256)],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, folder / "model.onnx")
    np.save(folder / "samples.npy", draw.normal(0, 1, (8, *SHAPE)).astype("float32"))
    return folder


# What is asked for, types in the engine, and how near ONNX Runtime is to ONNX's evaluator: a value
# on the border of two steps goes either way, as sums are in another order.
CASES = {
    "fp8": (["--to", "fp8"], "FP8", 40),
    "int4": (["--to", "int4"], "INT4", 100),
    "int4-64": (["--to", "int4", "--block-size", "64"], "INT4", 100),
    "int4-channel": (["--to", "int4", "--block-size", "channel"], "INT4", 100),
}


@pytest.fixture(scope="session", params=CASES)
def quantized(request, planex, folder):
    pytest.importorskip("ml_dtypes")
    words, dtype, near_db = CASES[request.param]
    path = folder / f"{request.param}.onnx"
    command = ["quantize", folder / "model.onnx", *words, "--target", "tensorrt-rtx", "-o", path]
    if dtype == "FP8":
        command += ["--data", folder / "samples.npy"]
    told = json.loads(planex(*command, "--format", "json").stdout)
    assert told["layers"] == ["up", "down"]
    onnx.checker.check_model(onnx.load(path), full_check=True)
    return path, dtype, near_db


def test_tensorrt_rtx_builds_it(planex, drivers_python, quantized, tmp_path):
    path, dtype, _ = quantized
    words = ["--engine", "tensorrt-rtx", "--python", drivers_python]
    planex("process", path, *words, "-o", tmp_path / "run")
    query = "SELECT dtype FROM ports WHERE direction <> 'output'"
    rows = json.loads(planex("query", tmp_path / "run", query, "--format", "json").stdout)["rows"]
    assert rows.count([dtype]) >= 2


def test_onnxruntime_agrees_with_the_evaluator(drivers_python, folder, quantized, tmp_path):
    path, _, near_db = quantized
    sample = np.load(folder / "samples.npy")[0]
    np.save(tmp_path / "x.npy", sample)
    words = [drivers_python, "-c", RUN, path, tmp_path / "x.npy", tmp_path / "y.npy"]
    subprocess.run(list(map(str, words)), check=True, capture_output=True, text=True)
    (expected,) = ReferenceEvaluator(onnx.load(path)).run(None, {"x": sample})
    error = ((np.load(tmp_path / "y.npy") - expected).astype("float64") ** 2).sum()
    signal = (expected.astype("float64") ** 2).sum()
    assert error <= signal * 10 ** (-near_db / 10)


def chain_with_pairs(path, scale_shape):
    """Two convolutions with Q/DQ in INT8; the scales of their inputs have this shape."""
    draw = np.random.default_rng(9)
    scales = {"s": np.full(scale_shape, 0.02, "float32"), "z": np.zeros(scale_shape, "int8")}
    scales |= {"ws": np.full(64, 0.002, "float32"), "wz": np.zeros(64, "int8")}
    nodes, tensor = [], "x"
    for name in ("first", "second"):
        scales[f"{name}.int"] = draw.integers(-127, 128, (64, 64, 3, 3)).astype("int8")
        node = helper.make_node
        nodes += [
            node("QuantizeLinear", [tensor, "s", "z"], [f"{name}.q"]),
            node("DequantizeLinear", [f"{name}.q", "s", "z"], [f"{name}.dq"]),
            node("DequantizeLinear", [f"{name}.int", "ws", "wz"], [f"{name}.w"], axis=0),
            node("Conv", [f"{name}.dq", f"{name}.w"], [f"{name}.c"], name, pads=[1] * 4),
            node("Relu", [f"{name}.c"], [f"{name}.y"], f"{name}.relu"),
        ]
        tensor = f"{name}.y"
    graph = helper.make_graph(
        nodes,
        "chain",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, (1, 64, 16, 16))],
        [helper.make_tensor_value_info(tensor, TensorProto.FLOAT, (1, 64, 16, 16))],
        [numpy_helper.from_array(value, name) for name, value in scales.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, path)


def types_of_convolutions(planex, drivers_python, model, run):
    planex("process", model, "--engine", "tensorrt-rtx", "--python", drivers_python, "-o", run)
    query = "SELECT precision, count(*) FROM layers WHERE raw_type = 'correlation' GROUP BY 1"
    return dict(json.loads(planex("query", run, query, "--format", "json").stdout)["rows"])


def test_tensorrt_rtx_wants_scalar_scales(planex, drivers_python, tmp_path):
    """What the rule scalar-scale says, and that its edit is enough."""
    model, better = tmp_path / "list.onnx", tmp_path / "scalar.onnx"
    chain_with_pairs(model, (1,))
    types = types_of_convolutions(planex, drivers_python, model, tmp_path / "list")
    assert types == {"FP32": 2}
    command = ["advise", model, "--target", "tensorrt-rtx", "--apply", "-o", better]
    told = json.loads(planex(*command, "--format", "json").stdout)
    assert [one["action"] for one in told["advice"]] == ["scalar-scale"] * 2
    onnx.checker.check_model(onnx.load(better), full_check=True)
    types = types_of_convolutions(planex, drivers_python, better, tmp_path / "scalar")
    assert types == {"INT8": 2}
