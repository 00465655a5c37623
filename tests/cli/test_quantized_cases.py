"""What is said of quantized models that their engine runs otherwise than they ask."""

from __future__ import annotations

import json

import pytest

from unmet import unmet


@pytest.fixture
def case(data):
    """case("15-…"): the folder of one of the measured cases."""

    def find(name: str):
        folder = data / "cases" / name
        if not folder.is_dir():
            unmet(f"no {folder}")
        return folder

    return find


def explained(planex, *words) -> dict:
    return json.loads(planex("explain", "quantization", *words, "--format", "json").stdout)


def causes(document) -> set[str]:
    return {row["cause"] for row in document["layers"] if row["cause"]}


def advice(document) -> str:
    return " ".join({row["advice"] or "" for row in document["layers"]})


def test_rtx_computes_convolutions_in_int8_behind_scalar_scales_alone(planex, case):
    folder = case("14-rtx-list-scale")
    document = explained(planex, folder / "qcnn_res_scale1.build.log")
    assert document["verdict"] == "undone"
    assert document["totals"]["fell_back"]["count"] == 8
    assert all("list of one value" in cause for cause in causes(document))
    assert "Make the scales and zero points of all Q/DQ pairs scalars" in advice(document)
    assert "matrix products only" not in json.dumps(document)
    sibling = explained(planex, folder / "scalar.build.log")
    assert sibling["totals"]["fell_back"]["count"] == 0
    assert "list of one value" not in json.dumps(sibling)


def test_onnxruntime_keeps_a_convolution_before_a_relu_in_float(planex, case):
    document = explained(planex, case("15-ort-relu-before-quantizer"))
    assert document["totals"]["fell_back"]["count"] == 8
    behind = [
        row["cause"] for row in document["layers"] if "an activation stands" in str(row["cause"])
    ]
    assert len(behind) == 7, "the eighth is followed by more than an activation"
    assert "uint8 with zero point 0" in advice(document)


def test_onnxruntime_fuses_equal_types_only(planex, case):
    folder = case("04-ort-quantized")
    words = [folder / "signed.trace.json", "--model", folder / "signed.onnx"]
    document = explained(planex, *words)
    assert document["totals"]["fell_back"]["count"] == 8
    assert any("it reads INT8 and its quantizer writes UINT8" in one for one in causes(document))
    assert "fold BatchNormalization" in advice(document)


def test_weights_that_are_expanded_are_said_to_be(planex, case):
    document = explained(planex, case("16-ort-int4"))
    assert document["verdict"] == "weights-expanded"
    assert "89.7 % of Σ layers" in document["headline"]
    assert "MatMulNBits" in advice(document)
    fp4 = explained(planex, case("17-rtx-fp4") / "fp4.build.log")
    assert fp4["verdict"] == "weights-expanded"
    assert "float at every inference" in fp4["headline"]


@pytest.mark.parametrize("engine", ["ort", "openvino"])
def test_fp8_on_a_processor_is_emulated(planex, case, engine):
    document = explained(planex, case("18-fp8-on-cpu") / engine)
    assert document["totals"]["requested"]["count"] == 2
    (cause,) = causes(document)
    assert "has no FP8 products" in cause


def test_quantizers_behind_convolutions_that_compute_in_float_are_of_one_cause(planex, case):
    log = case("14-rtx-list-scale") / "after-advise.build.log"
    document = json.loads(planex("lint", log, "--format", "json").stdout)
    findings = document["findings"]
    (cause,) = [one for one in findings if one["rule"] == "float-conv-of-quantized-weights"]
    alone = [one for one in findings if one["rule"] == "quantizer-kernel-alone"]
    behind = [one for one in alone if "engine's input" not in one["message"]]
    assert behind and all(one["folded_into"] == findings.index(cause) for one in behind)
