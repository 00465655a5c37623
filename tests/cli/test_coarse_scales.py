"""A scale that is wider than what it quantizes is seen without any data."""

import json


def test_one_scale_for_boxes_and_scores(planex, data):
    model = data / "cases/06-joined-outputs/int8.onnx"
    text = planex("advise", model, "--width", 0).stdout
    assert 'scale 1.227 of "/model.22/Concat_3_out_QuantizeLinear_Input" is wider than the ' in text
    assert 'whole range of "/model.22/Sigmoid_out" (0 … 1)' in text
    # Before the rest: no place of Q/DQ brings back what is lost there.
    assert text.index("accuracy: scale") < text.index("pieces of advice")
    (coarse,) = json.loads(planex("advise", model, "--format", "json").stdout)["coarse_scales"]
    assert coarse["part"] == "/model.22/Sigmoid_out" and coarse["step_count"] < 1
    assert coarse["sentence"] in text


def test_the_float_model_has_none(planex, data):
    model = data / "cases/06-joined-outputs/float.onnx"
    assert json.loads(planex("advise", model, "--format", "json").stdout)["coarse_scales"] == []
