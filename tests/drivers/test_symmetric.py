"""`planex advise --target tensorrt-rtx` of what its parser refuses: zero points, INT32 biases."""

from __future__ import annotations

import json
import pathlib
import sys

import numpy as np
import onnx
import pytest

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "evidence"))

import feeding  # noqa: E402
from models import Graph  # noqa: E402

C, SIZE = 16, 24


def weight(graph: Graph, zero: np.generic) -> str:
    """DequantizeLinear of a weight, with a scale and the zero point for each output channel."""
    data = graph.normal(C, C, 3, 3)
    kind = np.iinfo(zero.dtype)
    room = min(int(kind.max) - int(zero), int(zero) - int(kind.min) or 127)
    step = np.abs(data).reshape(C, -1).max(axis=1) / room
    whole = np.round(data / step.reshape(-1, 1, 1, 1)) + int(zero)
    small = np.clip(whole, kind.min, kind.max).astype(zero.dtype)
    zeros = np.full(C, zero, zero.dtype)
    return graph.add("DequantizeLinear", small, step.astype(np.float32), zeros, axis=0)


def net(zero: np.generic, of_weights: np.generic | None = None, *, int_bias=False) -> Graph:
    """Two convolutions between Q/DQ; zero points are those of activations and of weights."""
    graph = Graph(1, C, SIZE, SIZE)
    tensor = graph.pair("x", 0.03, zero)
    for _ in range(2):
        kernel = weight(graph, np.int8(0) if of_weights is None else of_weights)
        bias = graph.normal(C, scale=0.1)
        if int_bias:
            whole = np.round(bias / 0.001).astype(np.int32)
            step, zeros = np.full(C, 0.001, np.float32), np.zeros(C, np.int32)
            bias = graph.add("DequantizeLinear", whole, step, zeros, axis=0)
        graph.add("Conv", tensor, kernel, bias, pads=[1] * 4)
        tensor = graph.pair(graph.add("Relu", graph.tip), 0.03, zero)
    graph.add("GlobalAveragePool", tensor)
    return graph


# Name: the model, whether the parser refuses it, and how near the advised one must be (dB).
NETS = {
    "uint8 around 128": (lambda: net(np.uint8(128)), True, None),
    "uint8 around 0": (lambda: net(np.uint8(0)), False, 25),
    "int8 around 5": (lambda: net(np.int8(5)), True, 25),
    "weights around 128": (lambda: net(np.int8(0), np.uint8(128)), True, None),
    "weights around 100": (lambda: net(np.int8(0), np.uint8(100)), True, 30),
    # ONNX Runtime rounds a float bias to steps of its own.
    "bias of INT32": (lambda: net(np.int8(0), int_bias=True), True, 60),
}


@pytest.mark.parametrize("name", NETS)
def test_tensorrt_rtx_builds_what_advise_makes(planex, drivers_python, tmp_path, name):
    make, is_refused, least_db = NETS[name]
    before, after = tmp_path / "before.onnx", tmp_path / "after.onnx"
    onnx.save(make().model(), before)
    build = ["--engine", "tensorrt-rtx", "--python", drivers_python]
    target = ["--target", "tensorrt-rtx"]
    built = planex("process", before, "-o", tmp_path / "built", *build, code=None)
    assert (built.returncode != 0) == is_refused, built.stderr

    document = json.loads(planex("advise", before, *target, "--format", "json").stdout)
    kind = "float-bias" if "bias" in name else "symmetric"
    assert kind in {one["action"] for one in document["advice"]}
    planex("advise", before, *target, "--apply", "-o", after)
    planex("process", after, "-o", tmp_path / "advised", *build)
    rows = planex("layers", tmp_path / "advised", "--columns", "type,precision", "--format", "csv")
    assert rows.stdout.count("correlation,INT8") == 2, rows.stdout
    again = json.loads(planex("advise", after, *target, "--format", "json").stdout)
    assert not {"symmetric", "float-bias"} & {one["action"] for one in again["advice"]}

    # ONNX Runtime takes both: the values.
    draw = np.random.default_rng(3)
    feeds = {"x": draw.normal(0, 1, (1, C, SIZE, SIZE)).clip(-3, 3).astype(np.float32)}
    if "around 0" in name:
        feeds["x"] = np.abs(feeds["x"])
    first, second = (
        np.asarray(feeding.by_onnxruntime(drivers_python, path, feeds)[0]).ravel()
        for path in (before, after)
    )
    if least_db is None:
        assert np.array_equal(first, second)
        return
    lost = np.square(first - second).sum()
    assert lost == 0 or 10 * np.log10(np.square(first).sum() / lost) > least_db


def test_other_targets_keep_what_they_take(planex, tmp_path):
    for name in ("uint8 around 128", "bias of INT32"):
        path = tmp_path / "net.onnx"
        onnx.save(NETS[name][0]().model(), path)
        for target in ("openvino", "onnxruntime"):
            words = ["--target", target, "--format", "json"]
            document = json.loads(planex("advise", path, *words).stdout)
            assert not {"symmetric", "float-bias"} & {one["action"] for one in document["advice"]}
        asked = json.loads(
            planex("advise", path, "--target", "tensorrt", "--format", "json").stdout
        )
        assert {"symmetric", "float-bias"} & {one["action"] for one in asked["advice"]}
