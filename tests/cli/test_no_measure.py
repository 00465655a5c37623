"""Times of a cold inference, or of the host that starts a device's layers: nothing follows."""

from __future__ import annotations

import json

import pytest


def cold_trace():
    """ONNX Runtime's trace of the first inference alone."""
    events = [
        {
            "cat": "Session",
            "pid": 1,
            "tid": 1,
            "dur": 900,
            "ts": 1,
            "ph": "X",
            "name": "session_initialization",
            "args": {},
        }
    ]
    start = 2000
    for index, (name, kind, micros) in enumerate(
        [("conv1", "Conv", 30000), ("relu", "Relu", 80), ("fc", "Gemm", 200)]
    ):
        events.append(
            {
                "cat": "Node",
                "pid": 1,
                "tid": 1,
                "dur": micros,
                "ts": start,
                "ph": "X",
                "name": f"{name}_kernel_time",
                "args": {
                    "op_name": kind,
                    "provider": "CPUExecutionProvider",
                    "node_index": str(index),
                    "output_size": "1024",
                    "activation_size": "1024",
                    "parameter_size": "0",
                    "input_type_shape": [{"float": [1, 256]}],
                    "output_type_shape": [{"float": [1, 256]}],
                },
            }
        )
        start += micros + 5
    run = {"cat": "Session", "pid": 1, "tid": 1, "dur": start - 1980, "ts": 1990, "ph": "X"}
    return [*events, {**run, "name": "model_run", "args": {}}]


@pytest.fixture(params=["cold", "host"])
def trace(request, root, tmp_path):
    if request.param == "host":
        return root / "tests/data/onnxruntime/placement/segmenter.json"
    path = tmp_path / "cold.json"
    path.write_text(json.dumps(cold_trace()), "utf-8")
    return path


def test_no_verb_concludes_from_such_times(planex, trace):
    summary = json.loads(planex("summary", trace, "--format", "json").stdout)
    assert summary["conclusion"]["headline"].startswith(
        "The layer times do not represent the engine"
    )
    speed = json.loads(planex("explain", "speed", trace, "--format", "json").stdout)
    assert speed["no_measure"]
    assert speed["layers_time_ms"] is None
    assert speed["total"]["bound_ms"] is None
    assert all(
        layer["time_ms"] is None and layer["headroom_ms"] is None for layer in speed["layers"]
    )
    lint = json.loads(planex("lint", trace, "--format", "json").stdout)
    assert lint["estimated_ms"] is None
    assert all(action["estimated_ms"] is None for action in lint["actions"])
    # What is said instead: measure again.
    assert lint["actions"][0]["kind"] == "measure-again"
    text = planex("explain", "speed", trace).stdout
    assert "the layer times do not represent the engine" in " ".join(text.split())


def test_a_single_cold_inference_has_no_throughput(planex, tmp_path):
    path = tmp_path / "cold.json"
    path.write_text(json.dumps(cold_trace()), "utf-8")
    summary = json.loads(planex("summary", path, "--format", "json").stdout)
    assert summary["time"]["throughput_per_s"] is None
    assert "inferences/s" not in planex("summary", path).stdout
