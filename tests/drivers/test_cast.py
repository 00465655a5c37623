"""Models of `planex cast` in engines that take types from the model alone: NVIDIA's TensorRT-RTX
builds them (without a GPU), ONNX Runtime runs them."""

from __future__ import annotations

import json
import pathlib
import subprocess

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKELETONS = ROOT / "tests/quantize/models"
OCR_SHAPE = (1, 3, 48, 192)
# Of an engine's tensors, as planex names types.
NAMES = {"fp16": "FP16", "bf16": "BF16"}
RUN = """
import sys, numpy, onnxruntime
options = onnxruntime.SessionOptions()
options.log_severity_level = 3
session = onnxruntime.InferenceSession(sys.argv[1], options, ["CPUExecutionProvider"])
data = numpy.load(sys.argv[2])
made = session.run(None, {one.name: data[one.name] for one in session.get_inputs()})
numpy.savez(sys.argv[3], *[numpy.asarray(one, "float32") for one in made])
"""


@pytest.fixture(scope="session")
def nets(models, tmp_path_factory):
    """The models of the other tests; ocr: PP-OCR's direction classifier, whose file here has no
    weights, with random ones."""
    folder = tmp_path_factory.mktemp("nets")
    net = onnx.load(SKELETONS / "ppocr-cls.onnx", load_external_data=False)
    draw = np.random.default_rng(1)
    constants = [
        attribute.t
        for node in net.graph.node
        if node.op_type == "Constant"
        for attribute in node.attribute
    ]
    for tensor in [*net.graph.initializer, *constants]:
        if tensor.data_location != onnx.TensorProto.EXTERNAL:
            continue
        if len(tensor.dims) > 1:
            values = draw.normal(0, 1 / np.sqrt(np.prod(tensor.dims[1:])), tensor.dims)
        else:
            # Variances among them.
            values = draw.uniform(0.5, 1.5, tensor.dims)
        tensor.CopyFrom(numpy_helper.from_array(values.astype("float32"), tensor.name))
    # The file calls all its dimensions "?", which TensorRT takes for one of one size.
    for dim, size in zip(net.graph.input[0].type.tensor_type.shape.dim, OCR_SHAPE, strict=True):
        dim.dim_value = size
    onnx.save(net, folder / "ocr.onnx")
    return {
        "resnet": (models / "resnet.onnx", []),
        "words": (models / "words.onnx", ["--shape", "ids=2x6"]),
        "ocr": (folder / "ocr.onnx", []),
    }


def cast(planex, model, to, output, *words):
    done = planex("cast", model, "--to", to, *words, "-o", output, "--format", "json")
    onnx.checker.check_model(onnx.load(output), full_check=True)
    return json.loads(done.stdout)


def build(planex, python, model, folder, words):
    """(name, type, type that it writes) of each layer of the engine."""
    words = ["process", model, "--engine", "tensorrt-rtx", "--python", python, *words]
    planex(*words, "-o", folder)
    columns = ["--columns", "name,precision,output_precision", "--format", "json"]
    rows = json.loads(planex("layers", folder, *columns).stdout)["rows"]
    assert rows
    return rows


@pytest.mark.parametrize("to", ["fp16", "bf16"])
@pytest.mark.parametrize("name", ["resnet", "words", "ocr"])
def test_the_engine_has_the_types_of_the_model(planex, drivers_python, nets, tmp_path, name, to):
    model, shapes = nets[name]
    told = cast(planex, model, to, tmp_path / "small.onnx")
    assert told["small_node_count"] >= 5
    before = build(planex, drivers_python, model, tmp_path / "before", shapes)
    after = build(planex, drivers_python, tmp_path / "small.onnx", tmp_path / "after", shapes)
    assert not any(NAMES[to] in row for row in before)
    wide = [row for row in after if NAMES[to] not in row[1:] and "FP32" in row[1:]]
    assert len(wide) <= len(after) / 10, wide


def test_a_layer_that_is_kept_is_float_in_the_engine(planex, drivers_python, nets, tmp_path):
    model, shapes = nets["resnet"]
    words = ["--keep", "conv1"]
    told = cast(planex, model, "fp16", tmp_path / "all.onnx")
    assert told["kept"] == []
    told = cast(planex, model, "fp16", tmp_path / "kept.onnx", *words)
    assert [one["node"] for one in told["kept"]] == ["conv1"]
    rows = build(planex, drivers_python, tmp_path / "all.onnx", tmp_path / "1", shapes)
    kept = build(planex, drivers_python, tmp_path / "kept.onnx", tmp_path / "2", shapes)

    def count(rows):
        return sum(row[1:].count("FP32") for row in rows)

    assert count(kept) > count(rows), (rows, kept)


def run_onnxruntime(python, model, data, output):
    words = [python, "-c", RUN, model, data, output]
    subprocess.run(list(map(str, words)), check=True, capture_output=True, text=True)
    return list(np.load(output).values())


@pytest.mark.parametrize("name", ["resnet", "words", "ocr"])
def test_onnxruntime_runs_it_and_comes_near(planex, drivers_python, nets, tmp_path, name):
    model, shapes = nets[name]
    cast(planex, model, "fp16", tmp_path / "half.onnx")
    draw = np.random.default_rng(2)
    (one,) = onnx.load(model).graph.input
    shape = [dim.dim_value for dim in one.type.tensor_type.shape.dim]
    if shapes:
        shape = [int(dim) for dim in shapes[1].split("=")[1].split("x")]
    values = draw.integers(0, 4, shape)
    if one.type.tensor_type.elem_type == onnx.TensorProto.FLOAT:
        values = draw.normal(0, 1, shape).astype("float32")
    np.savez(tmp_path / "data.npz", **{one.name: values})
    data = tmp_path / "data.npz"
    expected = run_onnxruntime(drivers_python, model, data, tmp_path / "float.npz")
    got = run_onnxruntime(drivers_python, tmp_path / "half.onnx", data, tmp_path / "half.npz")
    for one, other in zip(expected, got, strict=True):
        assert one.shape == other.shape
        error = ((one - other).astype("float64") ** 2).sum()
        assert error < 1e-4 * (one.astype("float64") ** 2).sum(), "40 dB"
