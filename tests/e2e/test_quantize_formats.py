"""`planex quantize --to fp8|int4`: what the files hold, and that planex tells the loss that ONNX's
own reference evaluator finds."""

from __future__ import annotations

import json
import subprocess

import ml_dtypes
import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

pytestmark = pytest.mark.usefixtures("driver")

SHAPE = (1, 3, 12, 12)
CLASSES = 10


def weights(draw, *shape):
    return draw.normal(0, 1 / np.sqrt(np.prod(shape[1:])), shape).astype("float32")


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """model.onnx: convolutions of 3 and 32 channels, products over 64 and 128; samples.npy."""
    folder = tmp_path_factory.mktemp("formats")
    draw = np.random.default_rng(11)
    constants = {
        "w1": weights(draw, 32, 3, 3, 3),
        "w2": weights(draw, 64, 32, 3, 3),
        "w3": weights(draw, 128, 64),
        "w4": weights(draw, 128, CLASSES),
        "b3": weights(draw, 128),
    }
    node = helper.make_node
    nodes = [
        node("Conv", ["x", "w1"], ["c1"], "conv1", pads=[1, 1, 1, 1]),
        node("Relu", ["c1"], ["r1"], "relu1"),
        node("Conv", ["r1", "w2"], ["c2"], "conv2"),
        node("GlobalAveragePool", ["c2"], ["p"], "pool"),
        node("Flatten", ["p"], ["f"], "flatten"),
        node("Gemm", ["f", "w3", "b3"], ["g"], "fc", transB=1),
        node("Relu", ["g"], ["r3"], "relu3"),
        node("MatMul", ["r3", "w4"], ["logits"], "head"),
        node("Softmax", ["logits"], ["y"], "softmax", axis=1),
    ]
    graph = helper.make_graph(
        nodes,
        "formats",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, CLASSES))],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, folder / "model.onnx")
    np.save(folder / "samples.npy", draw.normal(0, 1, (24, *SHAPE)).astype("float32"))
    return folder


@pytest.fixture(scope="session")
def quantize(planex, folder):
    """quantize(*words): the document, and the model, which is whole."""

    def run(output, *words, data=True):
        given = ["--data", folder / "samples.npy"] if data else []
        words = [*given, *words, "-o", output, "--format", "json"]
        told = json.loads(planex("quantize", folder / "model.onnx", *words).stdout)
        model = onnx.load(output)
        onnx.checker.check_model(model, full_check=True)
        return told, model

    return run


def constants_of(model):
    return {one.name: one for one in model.graph.initializer}


def dequantizers(model):
    """Nodes by what they make."""
    return {node.output[0]: node for node in model.graph.node if node.op_type == "DequantizeLinear"}


def with_output(model, tensor):
    model.graph.output.append(helper.make_tensor_value_info(tensor, TensorProto.FLOAT, None))
    return ReferenceEvaluator(model)


def sqnr_db(reference, subject):
    reference, subject = reference.astype("float64"), subject.astype("float64")
    return 10 * np.log10((reference**2).sum() / ((subject - reference) ** 2).sum())


def loss_by_reference(folder, model):
    before = with_output(onnx.load(folder / "model.onnx"), "logits")
    after = with_output(model, "logits")
    rows = np.load(folder / "samples.npy")
    reference = np.concatenate([before.run(None, {"x": row})[-1] for row in rows])
    subject = np.concatenate([after.run(None, {"x": row})[-1] for row in rows])
    return sqnr_db(reference, subject)


def loss_by_planex(planex, folder, path):
    words = ["--data", folder / "samples.npy", "--samples", "24", "--format", "json"]
    told = json.loads(planex("accuracy", folder / "model.onnx", path, *words).stdout)
    (output,) = told["simulated"]
    assert output["tensor"] == "logits"
    return output["sqnr_db"]


def test_fp8_for_tensorrt(quantize, folder, tmp_path):
    told, model = quantize(tmp_path / "fp8.onnx", "--to", "fp8", "--target", "tensorrt")
    assert (told["type"], told["weight_bits"], told["block_size"]) == ("fp8", 8, None)
    assert told["layers"] == ["conv2", "fc", "head"], "conv1 has 3 channels"
    assert model.opset_import[0].version == 19
    held = constants_of(model)
    pairs = [node for node in model.graph.node if node.op_type == "QuantizeLinear"]
    assert len(pairs) == len(told["tensors"]) == 3
    told_of = {tensor["tensor"]: tensor for tensor in told["tensors"]}
    for node in pairs:
        point = held[node.input[2]]
        assert point.data_type == TensorProto.FLOAT8E4M3FN
        assert not numpy_helper.to_array(point).astype("float32").any()
        tensor = told_of[node.input[0]]
        assert (tensor["dtype"], tensor["is_unsigned"], tensor["zero_point"]) == ("FP8", None, 0)
        assert tensor["scale"] == pytest.approx(tensor["threshold"] / 448, rel=1e-6)
        assert numpy_helper.to_array(held[node.input[1]]) == np.float32(tensor["scale"])
    for name, axis in (("w2", 0), ("w3", 0), ("w4", 1)):
        before = numpy_helper.to_array(constants_of(onnx.load(folder / "model.onnx"))[name])
        node = dequantizers(model)[f"{name}_dequantized"]
        scale = numpy_helper.to_array(held[node.input[1]])
        others = tuple(place for place in range(before.ndim) if place != axis)
        np.testing.assert_array_equal(scale, np.abs(before).max(others) / np.float32(448))
        stored = held[node.input[0]]
        assert stored.data_type == TensorProto.FLOAT8E4M3FN
        steps = before / np.expand_dims(scale, others)
        expected = steps.astype(ml_dtypes.float8_e4m3fn)
        assert stored.raw_data == expected.tobytes()
    methods = [score["method"] for score in told["scores"]]
    assert methods == ["minmax", "mse", "percentile:99.999", "percentile:99.99"]
    assert told["engine"] == told["engine_to_simulated"] == []


def test_fp8_for_tensorrt_rtx_is_of_products(quantize, tmp_path):
    told, _ = quantize(tmp_path / "fp8.onnx", "--to", "fp8", "--target", "tensorrt-rtx")
    assert told["layers"] == ["fc", "head"]
    rules = {one["rule"] for one in told["decisions"] if one["is_applied"]}
    assert "convolutions-in-half" in rules


def test_fp8_is_simulated_as_onnx_says(planex, quantize, folder, tmp_path):
    """OpenVINO's own way to FP8 rounds twice: it would be some dB off."""
    path = tmp_path / "fp8.onnx"
    _, model = quantize(path, "--to", "fp8", "--target", "tensorrt", "--method", "minmax")
    expected = loss_by_reference(folder, model)
    assert 15 < expected < 45
    assert loss_by_planex(planex, folder, path) == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize("target", ["openvino", "tensorrt", "tensorrt-rtx"])
def test_int4_in_blocks(planex, quantize, folder, tmp_path, target):
    path = tmp_path / "int4.onnx"
    words = ["--to", "int4", "--target", target, "--block-size", "64"]
    told, model = quantize(path, *words)
    assert (told["type"], told["weight_bits"], told["block_size"]) == ("int4", 4, 64)
    assert told["layers"] == ["fc", "head"]
    assert told["tensors"] == []
    assert told["calibration_count"] == 0
    assert told["judge_count"] == 24, "nothing has to be held back"
    assert model.opset_import[0].version == 21
    assert not [node for node in model.graph.node if node.op_type == "QuantizeLinear"]
    held = constants_of(model)
    # w3 is [128, 64], and its second dimension is summed up; w4 is [128, 10], and its first.
    for name, axis, shape in (("w3", 1, [128, 1]), ("w4", 0, [2, 10])):
        node = dequantizers(model)[f"{name}_dequantized"]
        attributes = {one.name: helper.get_attribute_value(one) for one in node.attribute}
        assert attributes == {"axis": axis, "block_size": 64}
        assert list(held[node.input[1]].dims) == shape
        stored = held[node.input[0]]
        assert stored.data_type == TensorProto.INT4
        before = numpy_helper.to_array(constants_of(onnx.load(folder / "model.onnx"))[name])
        assert len(stored.raw_data) == before.size / 2
        scale = np.repeat(numpy_helper.to_array(held[node.input[1]]), 64, axis)
        after = numpy_helper.to_array(stored).astype("float32") * scale
        assert np.abs(after - before).max() <= 0.5001 * scale.max()
        blocks = np.abs(before).reshape(128, 1, 64) if axis else np.abs(before).reshape(2, 64, 10)
        greatest = blocks.max(2 if axis else 1)
        np.testing.assert_allclose(held_array(held, node), greatest / np.float32(7), rtol=1e-6)
    expected = loss_by_reference(folder, model)
    assert loss_by_planex(planex, folder, path) == pytest.approx(expected, abs=0.02)
    (score,) = told["scores"]
    assert score["simulated"][0]["sqnr_db"] == pytest.approx(expected, abs=0.02)


def held_array(held, node):
    return numpy_helper.to_array(held[node.input[1]])


def test_int4_needs_no_data(quantize, tmp_path):
    with_data, _ = quantize(tmp_path / "with.onnx", "--to", "int4")
    without, _ = quantize(tmp_path / "without.onnx", "--to", "int4", data=False)
    assert with_data["layers"] == without["layers"] == ["head"], "64 are half a block"
    assert (tmp_path / "with.onnx").read_bytes() == (tmp_path / "without.onnx").read_bytes()
    assert without["judge_count"] == 0
    assert any("no data" in note for note in without["notes"])
    assert any(one["rule"] == "whole-blocks" for one in without["decisions"])


def test_int4_with_a_scale_for_each_channel(planex, quantize, folder, tmp_path):
    path = tmp_path / "int4.onnx"
    told, model = quantize(path, "--to", "int4", "--block-size", "channel")
    assert told["layers"] == ["fc", "head"]
    assert told["block_size"] is None
    held = constants_of(model)
    sizes = [list(held[node.input[1]].dims) for node in dequantizers(model).values()]
    assert sizes == [[128], [10]]
    expected = loss_by_reference(folder, model)
    assert loss_by_planex(planex, folder, path) == pytest.approx(expected, abs=0.02)


def test_text_says_what_was_done(planex, folder, tmp_path):
    words = ["quantize", folder / "model.onnx", "--data", folder / "samples.npy"]
    fp8 = planex(*words, "--to", "fp8", "--target", "tensorrt", "-o", tmp_path / "a.onnx").stdout
    assert "3 layers in FP8, 3 tensors with a Q/DQ pair, weights per channel" in fp8
    int4 = planex(*words, "--to", "int4", "-o", tmp_path / "b.onnx").stdout
    assert "1 layer with INT4 weights, a scale for each 128 values" in int4
    assert "judged on 24 samples" in int4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--to", "fp8"], "openvino does not support fp8 on a CPU"),
        (["--to", "fp8", "--target", "tensorrt", "--cache", "c"], "--cache can't be combined with"),
        (
            ["--to", "fp8", "--target", "tensorrt", "--method", "kl"],
            "--method kl can't be combined with",
        ),
        (["--to", "int4", "--method", "mse"], "--method can't be combined with --to int4"),
        (["--to", "int4", "--weight-bits", "7"], "--weight-bits can't be combined with --to int4"),
        (["--block-size", "64"], "--block-size can't be combined with --to int8"),
        (
            ["--to", "int4", "--target", "tensorrt", "--block-size", "32"],
            "tensorrt does not accept INT4 weights in blocks of 32",
        ),
        (
            ["--to", "int4", "--target", "tensorrt", "--block-size", "channel"],
            "tensorrt does not accept INT4 weights with a scale per channel",
        ),
        (["--to", "int4", "--block-size", "256"], "a smaller block may help"),
        (["--to", "int2"], "--to"),
    ],
)
def test_what_does_not_go(planex_bin, folder, tmp_path, words, said):
    command = [planex_bin, "quantize", folder / "model.onnx", "-o", tmp_path / "q.onnx", *words]
    command += ["--data", folder / "samples.npy"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode in (2, 3)
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 2
    assert not list(tmp_path.iterdir())


def test_same_bytes_twice_and_on_two_threads(quantize, tmp_path):
    made = set()
    for name, threads in (("a", "1"), ("b", "2")):
        path = tmp_path / f"{name}.onnx"
        quantize(path, "--to", "fp8", "--target", "tensorrt", "--threads", threads)
        made.add(path.read_bytes())
    assert len(made) == 1
