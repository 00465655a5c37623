"""What is said of quantized models that their engine runs otherwise than they ask."""

from __future__ import annotations

import json

import pytest


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
        row["cause"]
        for row in document["layers"]
        if "an activation is between" in str(row["cause"])
    ]
    assert len(behind) == 4, "three add before the activation, one is quantized behind more"
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
    assert "converts them to float in every inference" in fp4["headline"]


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


def linted(planex, *words) -> dict:
    return json.loads(planex("lint", *words, "--format", "json").stdout)


def of_rule(document: dict, rule: str) -> list[dict]:
    return [finding for finding in document["findings"] if finding["rule"] == rule]


# What a fix says that no longer asks for anything of the kind.
FALSE_OF_PAIRS = ("as FP32 NCHW if it can", "write what", "run in FP16", "write FP32")


@pytest.mark.parametrize(
    ("words", "because", "cure"),
    [
        (["15-ort-relu-before-quantizer"], "an activation is between", "zero point 0"),
        (["18-fp8-on-cpu/ort"], "has no FP8 products", "quantize to INT8"),
        (["18-fp8-on-cpu/openvino"], "has no FP8 products", "quantize to INT8"),
        (["16-ort-int4"], "converted to float in every inference", "MatMulNBits"),
    ],
)
def test_findings_name_the_engine_s_own_rule(planex, case, words, because, cure):
    """Pairs, conversions and weights beside a layer in float: one cause, one thing to do."""
    name, *inner = words[0].split("/")
    document = linted(planex, case(name).joinpath(*inner))
    found = of_rule(document, "quantization-undone")
    assert any(because in finding["message"] and cure in finding["fix"] for finding in found)
    for finding in document["findings"]:
        if finding["rule"] in ("conversions-in-a-row", "conversion-over-3-percent"):
            assert not any(text in finding["fix"] for text in FALSE_OF_PAIRS), finding
    edits = [action for action in document["actions"] if action["kind"] == "edit"]
    assert len([action for action in edits if cure in action["what"]]) == 1


def test_each_rule_that_keeps_layers_in_float_is_a_finding(planex, case):
    document = linted(planex, case("15-ort-relu-before-quantizer"))
    messages = [finding["message"] for finding in of_rule(document, "quantization-undone")]
    # By their causes: an activation, an addition with one, no quantizer.
    assert sorted(message[:6] for message in messages) == ["1 of 8", "3 of 8", "4 of 8"]
    folder = case("04-ort-quantized")
    mixed = linted(planex, folder / "signed.trace.json", "--model", folder / "signed.onnx")
    if any(
        entry["id"] == "quantization-undone" and entry["status"] != "skipped"
        for entry in mixed["rules"]
    ):
        (finding,) = of_rule(mixed, "quantization-undone")
        assert "8 of 16 layers" in finding["message"] and "uint8 throughout" in finding["fix"]


def test_one_layer_runs_and_two_are_both(planex, case):
    (int4,) = of_rule(linted(planex, case("16-ort-int4")), "quantization-undone")
    assert int4["message"].startswith("the only layer that the model quantizes runs in FP32:")
    (fp8,) = of_rule(linted(planex, case("18-fp8-on-cpu") / "ort"), "quantization-undone")
    assert fp8["message"].startswith("both layers that the model quantizes run in FP32,")


def test_weights_of_rtx_products_have_the_table_s_cure(planex, case):
    (finding,) = of_rule(
        linted(planex, case("17-rtx-fp4") / "fp4.build.log"), "quantization-undone"
    )
    assert (
        "a separate kernel converts its weights to float in every inference" in finding["message"]
    )
    assert "keep these weights in FP16" in finding["fix"]


def test_proof_and_certainty_are_one_fact(planex, data):
    """Over engines of all makers: what nothing shows stands behind, without a place."""
    folders = [folder for folder in (data / "engines").iterdir() if folder.is_dir()]
    seen = set()
    for folder in folders:
        document = linted(planex, folder)
        for action in document["actions"]:
            if action["kind"] == "measure-again":
                continue
            finding = document["findings"][action["findings"][0]]
            followed = finding["proof"] in ("measured", "recorded")
            seen.add((followed, action["certainty"]))
            if followed:
                assert action["certainty"] in ("proven", "likely"), action["what"]
            else:
                shows = action["estimated_ms"] is not None or finding["savings"]
                assert action["certainty"] == ("likely" if shows else "not-proven"), action["what"]
            assert (action["rank"] is None) == (action["certainty"] == "not-proven")
    assert {(True, "proven"), (False, "likely"), (False, "not-proven")} <= seen
