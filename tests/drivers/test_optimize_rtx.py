"""`planex optimize --engine tensorrt-rtx` with NVIDIA's real package and no GPU: steps are made and
built, and what they gain is predicted, never proven."""

from __future__ import annotations

import json

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Four products, whose weights are nearly all that it reads."""
    folder = tmp_path_factory.mktemp("model")
    draw = np.random.default_rng(5)
    weights = [draw.normal(0, 0.03, (1024, 1024)).astype("float32") for _ in range(4)]
    nodes, last = [], "x"
    for place in range(4):
        nodes.append(helper.make_node("MatMul", [last, f"w{place}"], [f"h{place}"], f"fc{place}"))
        nodes.append(helper.make_node("Relu", [f"h{place}"], [f"r{place}"], f"relu{place}"))
        last = f"r{place}"
    constants = [numpy_helper.from_array(w, f"w{place}") for place, w in enumerate(weights)]
    values = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [8, 1024]) for name in ("x", last)
    ]
    graph = helper.make_graph(nodes, "products", values[:1], values[1:], constants)
    opsets = [helper.make_opsetid("", 19)]
    path = folder / "products.onnx"
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=9), path)
    np.savez(folder / "samples.npz", x=draw.normal(0, 1, (16, 8, 1024)).astype("float32"))
    return path


@pytest.fixture
def optimize(planex, planex_bin, drivers_python, model, tmp_path):
    if not (planex_bin.parent / "planex-openvino").exists():
        pytest.skip("no planex-openvino beside planex")

    def run(*words, code=0):
        command = ["optimize", model, "--engine", "tensorrt-rtx", "--python", drivers_python]
        return planex(*command, *words, "-o", tmp_path / "best", code=code, timeout=900)

    return run


def record(folder):
    return json.loads((folder / "optimize.json").read_text("utf-8"))


def test_gains_are_predicted_never_proven(optimize, planex, model, tmp_path):
    words = ["--data", model.parent / "samples.npz", "--goal", "10dB"]
    text = optimize(*words).stdout
    told = record(tmp_path / "best")
    assert told["is_measured"] is False and told["predicted_device"] == "L4"
    # Nothing that reads as a measurement.
    for key in ("change_ratio", "low_ratio", "high_ratio"):
        assert told[key] is None and all(step[key] is None for step in told["steps"])
    assert told["first"]["median_ms"] is None and told["best"]["median_ms"] is None
    assert {step["state"] for step in told["steps"]}.isdisjoint(
        {"kept", "not-faster", "not-confirmed", "dropped"}
    )
    head = text.splitlines()[0]
    assert "predicted, not measured (L4)" in head and "proven" not in text
    # INT8 reads a quarter of the weights.
    (step,) = [step for step in told["steps"] if step["id"] == "int8"]
    assert step["state"] == "predicted", step
    assert -0.8 < step["predicted_ratio"] < -0.2
    assert "int8" in told["kept"] and told["predicted_ratio"] < -0.2
    # An option leaves the layers' work alone: nothing is predicted of it, with the reason.
    (option,) = [step for step in told["steps"] if step["id"] == "builder-level=5"]
    assert option["state"] == "not-predicted"
    assert option["predicted_ratio"] is None and option["why_not_predicted"]
    # What is kept builds, and stands beside the first.
    assert (tmp_path / "best/model.onnx").exists()
    assert "layers" in planex("summary", tmp_path / "best/best").stdout
    assert (tmp_path / "best/report.html").exists()


def test_another_device_can_be_named(optimize, tmp_path):
    optimize("--try", "clean", "--device", "A100 80GB SXM")
    assert record(tmp_path / "best")["predicted_device"].startswith("A100")


def test_nothing_to_gain_is_said(optimize, tmp_path):
    text = optimize("--try", "clean").stdout
    told = record(tmp_path / "best")
    assert told["kept"] == [] and told["predicted_ratio"] is None
    assert "nothing is predicted to be faster; nothing was measured" in text
