"""What lint says of quantized models, against the engines' own rules: both sides, real engines."""

from __future__ import annotations

import json
import pathlib
import sys

import numpy as np
import onnx
import pytest

ROOT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "evidence"))

from models import Graph  # noqa: E402

SHORT = ["--", "--duration-ms", "20", "--profile-ms", "40", "--warmup", "1"]
INT8, UINT8, MIDDLE = np.int8(0), np.uint8(0), np.uint8(128)
C, SIZE = 16, 40


@pytest.fixture(scope="module")
def linted(planex, drivers_python, tmp_path_factory):
    """Builds with an engine, measures, and lints: the findings, by rule."""
    folder = tmp_path_factory.mktemp("lint")

    def run(name: str, graph: Graph, engine: str, *outputs: str) -> dict[str, list[dict]]:
        path = folder / f"{name}.onnx"
        onnx.save(graph.model(*outputs), path)
        out = folder / f"{name}-{engine}"
        python = [] if engine == "openvino" else ["--python", drivers_python]
        planex("process", path, "-o", out, "--engine", engine, *python, *SHORT)
        document = json.loads(planex("lint", out, "--format", "json").stdout)
        found: dict[str, list[dict]] = {}
        for finding in document["findings"]:
            found.setdefault(finding["rule"], []).append(finding)
        return found

    return run


def chain(between: str, zero, *, count: int = 3, only: int | None = None) -> Graph:
    """Quantized convolutions; before the quantizer of each, or of one, stands an operation."""
    graph = Graph(1, C, SIZE, SIZE)
    graph.pair("x", 0.03, MIDDLE if isinstance(zero, np.uint8) else INT8)
    for index in range(count):
        graph.conv(graph.tip, C, C, small=True)
        op = between if only in (None, index) else "Relu"
        if op == "BatchNormalization":
            words = [np.abs(graph.normal(C, scale=1)) + 0.5 for _ in range(4)]
            graph.add(op, graph.tip, *words)
        elif op:
            graph.add(op, graph.tip)
        graph.pair(graph.tip, 0.03, zero)
    graph.add("GlobalAveragePool", graph.tip)
    return graph


@pytest.mark.parametrize(
    ("name", "graph", "because", "cure"),
    [
        ("relu", chain("Relu", INT8), "an activation is between it and", "zero point 0"),
        (
            "sigmoid",
            chain("Sigmoid", UINT8, count=4, only=2),
            "an activation is between",
            "Sigmoid",
        ),
        ("norm", chain("BatchNormalization", UINT8), "a BatchNormalization", "Fold Batch"),
    ],
)
def test_onnxruntime_names_what_keeps_a_pair_apart(linted, name, graph, because, cure):
    found = linted(name, graph, "onnxruntime")
    undone = found["quantization-undone"]
    assert any(because in one["message"] for one in undone), undone
    if name != "sigmoid":
        assert any(cure in one["fix"] for one in undone), undone
    for rule in ("conversions-in-a-row", "conversion-over-3-percent"):
        for one in found.get(rule, []):
            assert "write what" not in one["fix"] and "if it can" not in one["fix"], one


def test_one_of_four_is_enough(linted):
    (finding,) = linted("one", chain("Sigmoid", UINT8, count=4, only=2), "onnxruntime")[
        "quantization-undone"
    ]
    assert finding["message"].startswith("1 of 4 layers that the model quantizes runs in FP32")


def test_the_cure_makes_it_silent(linted):
    found = linted("cured", chain("Relu", UINT8), "onnxruntime")
    assert "quantization-undone" not in found
    # OpenVINO has no such rule: INT8 whatever the zero point.
    assert "quantization-undone" not in linted("int8", chain("Relu", INT8), "openvino")


def readers() -> Graph:
    """One quantized tensor, read by two convolutions and two operations in float."""
    graph = Graph(1, C, SIZE, SIZE)
    graph.conv(graph.pair("x", 0.03, MIDDLE), C, C, small=True)
    tensor = graph.pair(graph.add("Relu", graph.tip), 0.03, UINT8)
    parts = [graph.pair(graph.conv(tensor, C, C, small=True), 0.03, MIDDLE) for _ in range(2)]
    parts += [graph.add("Erf", tensor), graph.add("Softplus", tensor)]
    graph.add("Concat", *parts, axis=1)
    graph.add("GlobalAveragePool", graph.tip)
    return graph


def test_copies_that_onnxruntime_makes_are_no_finding(linted, drivers_python):
    found = linted("readers", readers(), "onnxruntime")
    assert not [
        one
        for one in found.get("tensor-converted-twice", [])
        if "DequantizeLinear" in one["message"] or "duplicated" in one["message"]
    ]


def gate(kind: str) -> Graph:
    """What stands behind a convolution is one subgraph that quantizes, and adds nothing."""
    graph = Graph(1, 32, SIZE, SIZE)
    graph.pair("x", 0.03, INT8)
    for _ in range(3):
        tensor = graph.conv(graph.tip, 32, 32, small=True)
        graph.add("HardSigmoid", tensor, alpha=1 / 6, beta=0.5)
        if kind == "product":
            graph.add("Mul", tensor, graph.tip)
        graph.pair(graph.tip, 0.03, INT8)
    graph.conv(graph.tip, 32, 32, small=True)
    graph.add("GlobalAveragePool", graph.tip)
    return graph


@pytest.mark.parametrize("kind", ["alone", "product"])
def test_openvino_has_no_addition_in_a_gate(linted, kind):
    assert "quantized-layer-writes-float" not in linted(f"gate-{kind}", gate(kind), "openvino")


def decoder(gives_cache: bool, past: int = 512) -> tuple[Graph, list[str]]:
    heads, width = 4, 32
    every = heads * width
    graph = Graph(1, 1, every)
    parts = {}
    for name in "qkv":
        graph.add("MatMul", "x", graph.normal(every, every), name=f"{name}_proj")
        graph.add("Reshape", graph.tip, np.array([1, -1, heads, width]))
        parts[name] = graph.add("Transpose", graph.tip, perm=[0, 2, 1, 3])
        if name != "q":
            graph.inputs[f"past_{name}"] = (1, heads, past, width)
            words = (f"past_{name}", parts[name])
            parts[name] = graph.add("Concat", *words, axis=2, name=f"present_{name}")
    turned = graph.add("Transpose", parts["k"], perm=[0, 1, 3, 2])
    graph.add("Softmax", graph.add("MatMul", parts["q"], turned))
    graph.add("Transpose", graph.add("MatMul", graph.tip, parts["v"]), perm=[0, 2, 1, 3])
    graph.add("Reshape", graph.tip, np.array([1, 1, every]))
    return graph, [graph.tip, *((parts["k"], parts["v"]) if gives_cache else ())]


@pytest.mark.parametrize("engine", ["onnxruntime", "openvino"])
def test_caches_that_are_copied(linted, engine):
    graph, outputs = decoder(True)
    (finding,) = linted("decoder", graph, engine, *outputs)["kv-cache-copied"]
    assert finding["message"].startswith("2 caches are read and written in full to add 1 position")
    assert finding["estimated_ms"] > 0
    named = {"onnxruntime": "GroupQueryAttention", "openvino": "MakeStateful"}[engine]
    assert named in finding["fix"]
    graph, outputs = decoder(False)
    assert "kv-cache-copied" not in linted("inner", graph, engine, *outputs)


def dynamic(tokens: int = 64, width: int = 64) -> Graph:
    """Two products as ONNX Runtime's dynamic quantizer writes them."""
    graph = Graph(1, tokens, width)
    for _ in range(2):
        data = graph.normal(width, width)
        step = np.float32(np.abs(data).max() / 127)
        whole = np.clip(np.round(data / step), -127, 127).astype(np.int8)
        small = graph.add("DynamicQuantizeLinear", graph.tip, count=3)
        _, scale, zero = graph.outs()
        graph.add("Cast", graph.add("MatMulInteger", small, whole, zero, INT8), to=1)
        graph.add("Mul", graph.tip, graph.add("Mul", scale, step))
        graph.add("Relu", graph.tip)
    return graph


def test_onnxruntime_quantizes_inside_a_product(planex, drivers_python, tmp_path):
    path = tmp_path / "dynamic.onnx"
    onnx.save(dynamic().model(), path)
    out = tmp_path / "built"
    words = ["--engine", "onnxruntime", "--python", drivers_python]
    planex("process", path, "-o", out, *words, *SHORT)
    rows = planex("layers", out, "--columns", "type,precision,compute_precision", "--format", "csv")
    assert "DynamicQuantizeMatMul,FP32,INT8" in rows.stdout
    document = json.loads(planex("explain", "quantization", out, "--format", "json").stdout)
    assert document["totals"]["fell_back"]["count"] == 0
    assert document["totals"]["requested"]["count"] == 2
    assert not [row for row in document["layers"] if row["advice"]]
    found = json.loads(planex("lint", out, "--format", "json").stdout)["findings"]
    assert "quantization-undone" not in {one["rule"] for one in found}


def skipping() -> Graph:
    """A convolution that its quantizer and an addition in float read."""
    graph = Graph(1, C, SIZE, SIZE)
    graph.pair("x", 0.03, UINT8)
    wide = graph.conv(graph.tip, C, C, small=True)
    graph.conv(graph.pair(wide, 0.03, UINT8), C, C, small=True)
    graph.add("Add", graph.add("Sigmoid", graph.tip), wide)
    return graph


def test_onnxruntime_names_what_else_reads_a_convolution(linted):
    undone = linted("skipping", skipping(), "onnxruntime")["quantization-undone"]
    assert any("layers other than its quantizer read its output" in f["message"] for f in undone)
    assert not any("See planex explain quantization" in one["fix"] for one in undone)


def biased(behind: str) -> Graph:
    """Products with a bias in float, and something behind that is no quantizer."""
    graph = Graph(64, 64)
    for _ in range(2):
        start = graph.pair(graph.tip, 0.03, UINT8)
        weight = graph.small_weight(64, 64)
        graph.add("Add", graph.add("MatMul", start, weight), graph.normal(64, scale=0.1))
        if behind == "Add":
            graph.add("Add", graph.tip, start)
        else:
            graph.add(behind, graph.tip)
    return graph


@pytest.mark.parametrize("behind", ["Add", "Erf"])
def test_onnxruntime_has_no_gemm_with_a_bias_in_float(linted, behind):
    undone = linted(f"biased-{behind}", biased(behind), "onnxruntime")["quantization-undone"]
    (message,) = [one["message"] for one in undone]
    assert "its bias is in float" in message
    assert "convolution" not in message


def residual(add: str) -> Graph:
    """A quantized convolution whose output an addition takes in float, before a Relu."""
    graph = Graph(1, C, SIZE, SIZE)
    start = graph.add("Sigmoid", graph.conv("x", C, C))
    wide = graph.conv(graph.pair(start, 0.03, UINT8), C, C, small=True)
    tensor = graph.add("Add", wide, start) if add else wide
    graph.pair(graph.add("Relu", tensor), 0.03, INT8)
    return graph


@pytest.mark.parametrize("add", ["add", ""])
def test_onnxruntime_adds_inside_a_convolution_in_float(linted, add):
    (finding,) = linted(f"sum-{add}", residual(add), "onnxruntime")["quantization-undone"]
    assert ("an addition reads what it writes" in finding["message"]) == bool(add), finding
    assert ("an activation is between it and" in finding["message"]) != bool(add), finding
