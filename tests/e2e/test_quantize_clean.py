"""`quantize` and `search` say where `planex clean` would take away much of the model."""

from __future__ import annotations

import json

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, save_model

pytestmark = pytest.mark.usefixtures("driver")

CHANNELS = 8
LAYERS = 4


def save(path, *, is_spelled_out):
    """Convolutions; as Keras exports them, each between two Transpose nodes, or plain."""
    draw = np.random.default_rng(3)
    nodes, constants, tensor = [], [], "x"
    for number in range(LAYERS):
        kernel = draw.normal(0, 0.2, (CHANNELS, CHANNELS, 3, 3)).astype("float32")
        constants.append(numpy_helper.from_array(kernel, f"w{number}"))
        read, made = tensor, f"t{number}"
        if is_spelled_out:
            nodes.append(helper.make_node("Transpose", [read], [f"in{number}"], perm=[0, 3, 1, 2]))
            read, made = f"in{number}", f"c{number}"
        nodes.append(
            helper.make_node("Conv", [read, f"w{number}"], [made], f"conv{number}", pads=[1] * 4)
        )
        if is_spelled_out:
            nodes += [
                helper.make_node("Transpose", [made], [f"back{number}"], perm=[0, 2, 3, 1]),
                helper.make_node("Identity", [f"back{number}"], [f"t{number}"]),
            ]
        tensor = f"t{number}"
    shape = [1, 12, 12, CHANNELS] if is_spelled_out else [1, CHANNELS, 12, 12]
    graph = helper.make_graph(
        nodes,
        "spelled_out",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(tensor, TensorProto.FLOAT, shape)],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    save_model(model, path)
    samples = np.random.default_rng(5).normal(0, 1, (16, *shape[1:])).astype("float32")
    np.save(path.with_suffix(".npy"), samples)


@pytest.mark.parametrize("verb", [["quantize"], ["search", "--float-layers", "1"]], ids=["q", "s"])
def test_cleaning_is_offered_where_it_takes_much_away(planex, tmp_path, verb):
    model = tmp_path / "model.onnx"
    save(model, is_spelled_out=True)
    words = [*verb, model, "--data", model.with_suffix(".npy"), "--method", "minmax"]
    done = planex(*words, "-o", tmp_path / "q.onnx", "--format", "json")
    (note,) = [one for one in json.loads(done.stdout)["notes"] if "planex clean" in one]
    assert "instead of 16" in note
    # The command that it names works, and afterwards there is nothing to offer.
    cleaned = tmp_path / "model.clean.onnx"
    planex("clean", model, "-o", cleaned)
    words[words.index(model)] = cleaned
    done = planex(*words, "-o", tmp_path / "again.onnx", "--format", "json")
    assert not [one for one in json.loads(done.stdout)["notes"] if "planex clean" in one]


def test_cleaning_is_not_offered_for_a_plain_model(planex, tmp_path):
    model = tmp_path / "model.onnx"
    save(model, is_spelled_out=False)
    words = ["quantize", model, "--data", model.with_suffix(".npy"), "--method", "minmax"]
    done = planex(*words, "-o", tmp_path / "q.onnx", "--format", "json")
    assert "planex clean" not in done.stdout
