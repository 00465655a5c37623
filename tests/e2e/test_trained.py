"""A real net that was trained with quantizing in the loop (tests/data/glyphs)."""

from __future__ import annotations

import json

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

PREPARATION = ["--prep", "color=gray,signed"]


@pytest.fixture
def glyphs(root, driver):
    return root / "tests/data/glyphs"


def bits(path):
    """The bytes of all scales, and of all weights of convolutions."""
    model = onnx.load(path)
    constants = {tensor.name: tensor for tensor in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type == "Constant":
            constants[node.output[0]] = node.attribute[0].t
        elif node.op_type == "Identity" and node.input[0] in constants:
            constants[node.output[0]] = constants[node.input[0]]
    scales, weights = set(), []
    for node in model.graph.node:
        inputs = [constants.get(name) for name in node.input]
        if node.op_type in ("QuantizeLinear", "DequantizeLinear"):
            scales.add(numpy_helper.to_array(inputs[1]).astype("float32").tobytes())
        weights += [one.raw_data for one in inputs if one is not None and len(one.dims) == 4]
    return scales, sorted(weights)


def applied(planex, glyphs, output, *words):
    model = glyphs / "glyphs.qat.onnx"
    words = [*words, "--apply", "-o", output, "--format", "json"]
    return json.loads(planex("advise", model, *words).stdout)


def outputs(planex, glyphs, subject):
    """Of the subject against the net as it was trained."""
    words = [glyphs / "glyphs.qat.onnx", subject, "--data", glyphs / "judge", *PREPARATION]
    told = planex("accuracy", *words, "--samples", 72, "--outputs-only", "--format", "json")
    return json.loads(told.stdout)


@pytest.mark.parametrize("target", ["openvino", "tensorrt", "tensorrt-rtx"])
def test_advice_keeps_what_was_trained(planex, glyphs, target, tmp_path):
    output = tmp_path / "out.onnx"
    told = applied(planex, glyphs, output, "--target", target)
    # TensorRT-RTX takes it as it is: its scales are scalars.
    assert (told["applied_count"] > 0) == (target != "tensorrt-rtx")
    onnx.checker.check_model(onnx.load(output), full_check=True)
    before, weights = bits(glyphs / "glyphs.qat.onnx")
    after, kept = bits(output)
    assert after <= before
    assert kept == weights
    (simulated,) = outputs(planex, glyphs, output)["simulated"]
    assert simulated["top1_ratio"] >= 71 / 72
    # A skip that reads its neighbour's pair is rounded once more.
    assert simulated["sqnr_db"] > 28


def test_data_gives_what_training_left_out(planex, glyphs, tmp_path):
    output = tmp_path / "out.onnx"
    told = applied(planex, glyphs, output, "--data", glyphs / "judge", *PREPARATION)
    assert told["applied_count"] == len(told["advice"]) > 0
    sums = [one for one in told["advice"] if one["rule"] == "residual-both"]
    assert len(sums) == 8  # Two of each of four blocks.
    before, _ = bits(glyphs / "glyphs.qat.onnx")
    fresh = {
        np.float32(one["scale"]).tobytes()
        for one in told["advice"]
        if one["scale_source"] == "data"
    }
    after, _ = bits(output)
    assert fresh and after - before <= fresh
    assert outputs(planex, glyphs, output)["simulated"][0]["top1_ratio"] >= 71 / 72


def test_is_not_quantized_again(planex, glyphs, tmp_path):
    words = ["--data", glyphs / "judge", *PREPARATION, "-o", tmp_path / "out.onnx"]
    said = planex("quantize", glyphs / "glyphs.qat.onnx", *words, code=3).stderr
    assert "planex advise" in said
    assert not list(tmp_path.iterdir())
