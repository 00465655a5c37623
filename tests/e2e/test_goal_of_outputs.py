"""Goals of `planex search`: what a Sigmoid at the end reads, or what it returns."""

import json

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper


@pytest.fixture
def model(tmp_path, planex_bin):
    """Its logits are large: most of what they lose is gone after the Sigmoid."""
    if not (planex_bin.parent / "planex-openvino").exists():
        pytest.skip("no planex-openvino beside planex")
    draw = np.random.default_rng(4)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], "first", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c"], ["r"], "relu"),
        helper.make_node("Conv", ["r", "v"], ["logits"], "second"),
        helper.make_node("Sigmoid", ["logits"], ["mask"], "end"),
    ]
    weights = [
        numpy_helper.from_array(draw.normal(0, 0.3, (16, 3, 3, 3)).astype("float32"), "w"),
        numpy_helper.from_array(draw.normal(6, 4, (1, 16, 1, 1)).astype("float32"), "v"),
    ]
    graph = helper.make_graph(
        nodes,
        "masks",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 3, 16, 16])],
        [helper.make_tensor_value_info("mask", TensorProto.FLOAT, [1, 1, 16, 16])],
        weights,
    )
    opsets = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), tmp_path / "m.onnx")
    np.save(tmp_path / "data.npy", draw.normal(0, 1, (40, 3, 16, 16)).astype("float32"))
    return tmp_path / "m.onnx"


def test_outputs_are_judged_as_they_are_returned(planex, model, tmp_path):
    found = {}
    for goal in ["1dB", "outputs=1dB"]:
        words = ["--data", tmp_path / "data.npy", "--goal", goal, "--format", "json"]
        told = json.loads(planex("search", model, *words, "-o", tmp_path / "q.onnx").stdout)
        (found[goal],) = told["engine"]
    assert found["1dB"]["tensor"] == "logits"
    assert found["outputs=1dB"]["tensor"] == "mask"
    assert found["outputs=1dB"]["sqnr_db"] > found["1dB"]["sqnr_db"] + 3
