"""`planex cast` with data, with the real OpenVINO: measured ranges, and what rounding costs.

What a cast model computes is done here a second time, node by node, with ONNX's own evaluator.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

pytestmark = pytest.mark.usefixtures("driver")

SHAPE = (1, 3, 8, 8)
SAMPLES = 6


def write(path, nodes, constants, output, shape=(1, 8, 6, 6)):
    graph = helper.make_graph(
        nodes,
        path.stem,
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in constants.items()],
    )
    opsets = [helper.make_opsetid("", 13)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), path)
    return path


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """model.onnx: two convolutions and classes; tall.onnx: values beyond those of float16;
    offset.onnx: a difference of two like numbers; and samples.npz."""
    folder = tmp_path_factory.mktemp("cast")
    draw = np.random.default_rng(7)
    node = helper.make_node

    def weights(*shape):
        return draw.normal(0, 1 / np.sqrt(np.prod(shape[1:])), shape).astype("float32")

    nodes = [
        node("Conv", ["x", "w1"], ["c1"], "conv1", pads=[1, 1, 1, 1]),
        node("Relu", ["c1"], ["r1"], "relu1"),
        node("Conv", ["r1", "w2"], ["c2"], "conv2", pads=[1, 1, 1, 1]),
        node("Add", ["c2", "r1"], ["s"], "sum"),
        node("GlobalAveragePool", ["s"], ["p"], "pool"),
        node("Flatten", ["p"], ["f"], "flatten"),
        node("MatMul", ["f", "w3"], ["logits"], "head"),
        node("Softmax", ["logits"], ["y"], "softmax", axis=1),
    ]
    constants = {"w1": weights(8, 3, 3, 3), "w2": weights(8, 8, 3, 3), "w3": weights(8, 4)}
    write(folder / "model.onnx", nodes, constants, "y", (1, 4))
    nodes = [
        node("Conv", ["x", "w1"], ["c1"], "conv1", pads=[1, 1, 1, 1]),
        node("Mul", ["c1", "large"], ["l"], "grow"),
        node("Abs", ["l"], ["a"], "size"),
        node("Mul", ["a", "small"], ["z"], "shrink"),
        node("Conv", ["z", "w2"], ["c2"], "conv2"),
    ]
    constants |= {"large": np.float32(60_000), "small": np.float32(1 / 60_000)}
    write(folder / "tall.onnx", nodes, constants, "c2")
    nodes = [
        node("Conv", ["x", "w1"], ["c1"], "conv1", pads=[1, 1, 1, 1]),
        node("Add", ["c1", "far"], ["o"], "away"),
        node("Sub", ["o", "far"], ["b"], "back"),
        node("Conv", ["b", "w2"], ["c2"], "conv2"),
    ]
    write(folder / "offset.onnx", nodes, constants | {"far": np.float32(512)}, "c2")
    samples = draw.normal(0, 1, (SAMPLES, *SHAPE[1:])).astype("float32")
    np.savez(folder / "samples.npz", x=samples)
    return folder


@pytest.fixture
def cast(planex, folder, tmp_path):
    """cast(MODEL, *words): the document of a cast to out.onnx on the samples."""

    def run(model, *words):
        words = [folder / f"{model}.onnx", "--data", folder / "samples.npz", *words]
        output = ["-o", tmp_path / "out.onnx", "--format", "json"]
        return json.loads(planex("cast", *words, *output).stdout)

    return run


def rounded(array, kind):
    """As a tensor of that type holds it."""
    if kind == TensorProto.FLOAT16:
        return array.astype("float16").astype("float32")
    assert kind == TensorProto.BFLOAT16
    bits = array.astype("float32").view("uint32")
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view("float32")


def tensors_of(path, x, kind=None):
    """All tensors of a float model; with `kind` each is rounded to it, x as well."""
    model = onnx.load(path)
    known = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer} | {"x": x}
    if kind is not None:
        known = {name: rounded(array, kind) for name, array in known.items()}
    for node in model.graph.node:
        inputs = [helper.make_tensor_value_info(name, 1, None) for name in node.input]
        outputs = [helper.make_tensor_value_info(name, 1, None) for name in node.output]
        graph = helper.make_graph([node], "one", inputs, outputs)
        one = helper.make_model(graph, opset_imports=model.opset_import)
        (made,) = ReferenceEvaluator(one).run(None, {name: known[name] for name in node.input})
        known[node.output[0]] = made if kind is None else rounded(made, kind)
    return known


def sqnr_db(reference, subject):
    reference, subject = reference.astype("float64"), subject.astype("float64")
    return 10 * np.log10((reference**2).sum() / ((subject - reference) ** 2).sum())


@pytest.mark.parametrize(
    ("to", "kind"), [("fp16", TensorProto.FLOAT16), ("bf16", TensorProto.BFLOAT16)]
)
def test_the_loss_is_that_of_rounding_each_tensor(planex, cast, folder, tmp_path, to, kind):
    told = cast("model", "--to", to)
    assert (told["sample_count"], told["judge_count"]) == (SAMPLES, SAMPLES)
    samples = np.load(folder / "samples.npz")["x"][:, None]
    exact = [tensors_of(folder / "model.onnx", x) for x in samples]
    coarse = [tensors_of(folder / "model.onnx", x, kind) for x in samples]

    def expected(name):
        return sqnr_db(*(np.stack([one[name] for one in side]) for side in (exact, coarse)))

    (output,) = told["simulated"]
    assert output["tensor"] == "logits" and output["row_count"] == SAMPLES
    # Sums in another order flip a rounding now and then.
    assert output["sqnr_db"] == pytest.approx(expected("logits"), abs=1.5)
    words = [folder / "model.onnx", tmp_path / "out.onnx", "--data", folder / "samples.npz"]
    layers = json.loads(planex("accuracy", *words, "--format", "json").stdout)["layers"]
    (layer,) = (one for one in layers if one["tensor"] == "c1")
    assert layer["simulated_db"] == pytest.approx(expected("c1"), abs=0.3)


def test_ranges_are_those_of_numpy(cast, folder):
    told = cast("model", "--to", "fp16")
    seen = {one["tensor"]: one for one in told["tensors"]}
    samples = np.load(folder / "samples.npz")["x"][:, None]
    tensors = [tensors_of(folder / "model.onnx", x) for x in samples]
    assert set(seen) == {"x", "c1", "r1", "c2", "s", "p", "f", "logits", "y"}
    for name, one in seen.items():
        values = np.stack([made[name] for made in tensors])
        assert one["max"] == pytest.approx(values.max(), rel=1e-4), name
        assert one["min"] == pytest.approx(values.min(), rel=1e-4, abs=1e-7), name
        largest = np.abs(values).max() / (0.9 * 65504)
        assert one["limit_ratio"] == pytest.approx(largest, rel=1e-4), name
        assert one["is_small"] == (name != "x")


def test_what_overflows_stays(planex, cast, folder, tmp_path):
    told = cast("tall", "--to", "fp16")
    kept = {one["node"]: one["rule"] for one in told["kept"]}
    assert kept == {"grow": "weight-range", "size": "value-range", "shrink": "value-range"}
    assert told["simulated"][0]["sqnr_db"] > 50 and told["simulated"][0]["inf_count"] == 0
    # Without the data nobody knows of the node between.
    output = tmp_path / "blind.onnx"
    planex("cast", folder / "tall.onnx", "--to", "fp16", "--margin", "1", "-o", output)
    words = [folder / "tall.onnx", output, "--data", folder / "samples.npz", "--format", "json"]
    lost = json.loads(planex("accuracy", *words).stdout)["simulated"][0]
    assert lost["nan_count"] + lost["inf_count"] > 0
    # bfloat16 has the range of float32.
    kept = {one["rule"] for one in cast("tall", "--to", "bf16")["kept"]}
    assert "value-range" not in kept


def test_nodes_are_kept_until_the_outputs_are_good(cast):
    told = cast("offset", "--to", "fp16")
    assert told["kept"] == [] and told["simulated"][0]["sqnr_db"] < 25
    assert told["keep_below_db"] is None and told["tries"] == []
    told = cast("offset", "--to", "fp16", "--keep-below", "45")
    kept = {one["node"]: one["rule"] for one in told["kept"]}
    assert set(kept) == {"away", "back"} and set(kept.values()) == {"loss"}
    assert told["simulated"][0]["sqnr_db"] > 45
    assert [one["is_taken"] for one in told["tries"]] == [True]
    back = next(one for one in told["tensors"] if one["tensor"] == "b")
    assert back["sqnr_db"] > 45 and back["is_small"] is False
    told = cast("offset", "--to", "bf16", "--keep-below", "200")
    assert told["simulated"][0]["is_equal"], "nothing is left to round"


def test_same_bytes_and_valid(planex, cast, folder, tmp_path):
    made = []
    for threads in ("1", "1", "2"):
        cast("offset", "--to", "fp16", "--keep-below", "45", "--threads", threads)
        made.append((tmp_path / "out.onnx").read_bytes())
    assert made[0] == made[1] == made[2]
    onnx.checker.check_model(onnx.load(tmp_path / "out.onnx"), full_check=True)
    words = ["cast", folder / "offset.onnx", "--to", "fp16", "--data", folder / "samples.npz"]
    text = planex(*words, "--keep-below", "45", "-o", tmp_path / "out.onnx").stdout
    assert "nodes that cost most, tried in float" in text and "kept in float" in text
    assert "nearest to the type's limit" in text


def test_an_int8_model_with_half_layers(planex, folder, tmp_path):
    """quantize leaves a convolution in float, cast makes it half; INT8 stays INT8."""
    samples = ["--data", folder / "samples.npz"]
    words = [*samples, "--method", "minmax", "--keep", "conv2", "-o", tmp_path / "int8.onnx"]
    planex("quantize", folder / "model.onnx", *words)
    words = [*samples, "--to", "fp16", "-o", tmp_path / "mixed.onnx", "--format", "json"]
    told = json.loads(planex("cast", tmp_path / "int8.onnx", *words).stdout)
    model = onnx.load(tmp_path / "mixed.onnx")
    onnx.checker.check_model(model, full_check=True)
    types = {one.name: one.data_type for one in model.graph.initializer}
    assert types["w2"] == TensorProto.FLOAT16
    assert TensorProto.INT8 in types.values()
    pairs = [node for node in model.graph.node if node.op_type == "DequantizeLinear"]
    assert {types[node.input[1]] for node in pairs} == {TensorProto.FLOAT16}
    assert told["opset"] == 19
    assert told["simulated"][0]["sqnr_db"] > 40, "against the INT8 model"


def test_bad_data(planex_bin, folder, tmp_path):
    np.save(tmp_path / "data.npy", np.full((2, *SHAPE[1:]), np.nan, "f4"))
    words = ["cast", folder / "model.onnx", "--to", "fp16", "--data", tmp_path / "data.npy"]
    done = subprocess.run(
        [planex_bin, *words, "-o", tmp_path / "out.onnx"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 3 and "NaN" in done.stderr
    assert not list(tmp_path.glob("out*"))


def test_a_stop_leaves_nothing(planex_bin, folder, tmp_path):
    scratch, output = tmp_path / "tmp", tmp_path / "out.onnx"
    scratch.mkdir()
    words = ["cast", folder / "model.onnx", "--to", "fp16", "--data", folder / "samples.npz"]
    with subprocess.Popen(
        [planex_bin, *words, "-o", output],
        env={**os.environ, "TMPDIR": str(scratch)},
        stderr=subprocess.PIPE,
    ) as run:
        deadline = time.monotonic() + 60
        while not list(scratch.rglob("samples.json")) and time.monotonic() < deadline:
            time.sleep(0.005)
        run.send_signal(signal.SIGTERM)
        run.communicate(timeout=60)
    assert run.returncode != 0
    assert not output.exists() and not list(scratch.iterdir())
