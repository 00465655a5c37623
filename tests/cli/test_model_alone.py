"""A model that no engine was compiled from: what it is, and nothing that only an engine has."""

from __future__ import annotations

import json
import shutil

import pytest

onnx = pytest.importorskip("onnx")
np = pytest.importorskip("numpy")
helper = onnx.helper


def weights(name: str, *dims: int):
    values = np.random.default_rng(1).standard_normal(dims).astype("f4")
    return onnx.numpy_helper.from_array(values, name)


def value(name: str, shape):
    return helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, shape)


def save(path, nodes, inputs, outputs, initializers, **more):
    graph = helper.make_graph(nodes, "graph", inputs, outputs, initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, path, **more)
    return path


def convolutional(path, batch="batch", **more):
    """Two convolutions and a head, without shapes between, as PyTorch exports them."""
    nodes = [
        helper.make_node("Conv", ["x", "w1"], ["a"], "stem", pads=[1, 1, 1, 1], strides=[2, 2]),
        helper.make_node("Relu", ["a"], ["b"], "act"),
        helper.make_node("Conv", ["b", "w2"], ["c"], "body"),
        helper.make_node("GlobalAveragePool", ["c"], ["d"], "pool"),
        helper.make_node("Flatten", ["d"], ["e"], "flat"),
        helper.make_node("Gemm", ["e", "w3"], ["y"], "head", transB=1),
    ]
    initializers = [weights("w1", 8, 3, 3, 3), weights("w2", 16, 8, 1, 1), weights("w3", 10, 16)]
    inputs, outputs = [value("x", [batch, 3, 32, 32])], [value("y", [batch, 10])]
    return save(path, nodes, inputs, outputs, initializers, **more)


MACS = 8 * 16 * 16 * 27 + 16 * 16 * 16 * 8 + 10 * 16
WEIGHT_BYTES = 4 * (8 * 27 + 16 * 8 + 160)


@pytest.fixture
def summary(planex, valid):
    def read(*words):
        return valid(planex("summary", *words, "--format", "json").stdout, "summary")

    return read


def test_the_graph_and_its_work(planex, summary, tmp_path):
    model = convolutional(tmp_path / "net.onnx")
    found = summary(model)
    assert found["engine"]["producer"] == "onnx"
    assert found["engine"]["detail"] == "model"
    assert found["layer_count"] == 6
    assert found["macs"] == MACS
    assert found["weight_bytes"] == WEIGHT_BYTES
    assert found["inputs"][0]["dims"] == [-1, 3, 32, 32]
    assert found["by_type"][0]["type"] == "Conv"
    assert [d["code"] for d in found["diagnostics"]] == ["batch-assumed"]


def test_what_an_engine_chooses_is_null(summary, planex, tmp_path):
    found = summary(convolutional(tmp_path / "net.onnx"))
    assert found["time"]["layers_median_ms"] is None
    assert found["time"]["end_to_end"] is None
    assert found["reformats"] is None
    assert [group["precision"] for group in found["by_precision"]] == [None]
    assert found["conclusion"]["headline"] == "A model, not an engine."
    commands = [piece["command"] for piece in found["missing"]]
    assert any(c.startswith("planex process") and "--shape x=1x3x32x32" in c for c in commands)
    assert any(c.startswith("trtexec --onnx=") and "--shapes=x:1x3x32x32" in c for c in commands)


def test_targets_would_quantize(summary, tmp_path):
    plan = summary(convolutional(tmp_path / "net.onnx"))["model_plan"]
    assert plan["product_count"] == 3
    assert plan["pair_count"] == 0 and plan["quantized_count"] == 0
    layers = {target["target"]: target["layers"] for target in plan["targets"]}
    # As planex quantize --target does.
    assert list(layers) == ["tensorrt", "tensorrt-rtx", "openvino", "onnxruntime"]
    assert (layers["tensorrt"], layers["openvino"]) == (3, 3)
    for target in plan["targets"]:
        assert target["layers"] > 0 and target["tensors"] > 0
        assert target["edits"] is None, "there are no Q/DQ to edit"


def test_q_dq_that_are_there(summary, tmp_path):
    """The first convolution reads both quantized, the second its weights alone."""
    scale = onnx.numpy_helper.from_array(np.float32(0.1), "s")
    zero = onnx.numpy_helper.from_array(np.int8(0), "z")
    stored = [
        onnx.numpy_helper.from_array(np.ones((8, 3, 3, 3), "i1"), "w1q"),
        onnx.numpy_helper.from_array(np.ones((4, 8, 1, 1), "i1"), "w2q"),
    ]
    nodes = [
        helper.make_node("QuantizeLinear", ["x", "s", "z"], ["xq"], "q"),
        helper.make_node("DequantizeLinear", ["xq", "s", "z"], ["xd"], "dq"),
        helper.make_node("DequantizeLinear", ["w1q", "s", "z"], ["w1"], "dw1"),
        helper.make_node("DequantizeLinear", ["w2q", "s", "z"], ["w2"], "dw2"),
        helper.make_node("Conv", ["xd", "w1"], ["a"], "first"),
        helper.make_node("Conv", ["a", "w2"], ["y"], "second"),
    ]
    model = save(
        tmp_path / "qdq.onnx", nodes, [value("x", [1, 3, 8, 8])], [value("y", None)],
        [scale, zero, *stored],
    )  # fmt: skip
    plan = summary(model)["model_plan"]
    assert plan["product_count"] == 2
    assert (plan["quantized_count"], plan["partly_quantized_count"]) == (1, 1)
    assert (plan["pair_count"], plan["quantized_weight_count"]) == (1, 2)
    for target in plan["targets"]:
        assert target["layers"] is None and target["edits"] is not None


@pytest.mark.parametrize("verb", ["layers", "lint", "draw", "report", "export", "doctor"])
def test_every_verb_takes_it(planex, tmp_path, verb):
    model = convolutional(tmp_path / "net.onnx")
    words = {
        "draw": ["-o", tmp_path / "net.svg"],
        "report": ["-o", tmp_path / "net.html"],
        "export": ["-o", tmp_path / "net.plan.json"],
    }
    result = planex(verb, model, *words.get(verb, []))
    if verb == "lint":
        assert "nothing is compiled" in planex("lint", model, "--format", "json").stdout
    if verb == "layers":
        assert "stem" in result.stdout and "Conv" in result.stdout


def test_branches_are_not_summed_up(summary, tmp_path):
    """As in a detector whose If picks a large or a small head: 66 or 524, and never 590."""

    def branch(name, columns):
        return helper.make_graph(
            [helper.make_node("MatMul", ["x", f"{name}_w"], [f"{name}_y"], f"{name}_mm")],
            name, [], [value(f"{name}_y", [4, columns])], [weights(f"{name}_w", 8, columns)],
        )  # fmt: skip

    nodes = [
        helper.make_node(
            "If", ["c"], ["y"], "pick", then_branch=branch("t", 3), else_branch=branch("e", 50)
        ),
        helper.make_node("MatMul", ["x", "w"], ["z"], "after"),
    ]
    flag = helper.make_tensor_value_info("c", onnx.TensorProto.BOOL, [])
    outputs = [value("y", None), value("z", None)]
    model = save(
        tmp_path / "if.onnx", nodes, [value("x", [4, 8]), flag], outputs, [weights("w", 8, 2)]
    )
    found = summary(model)
    assert found["layer_count"] == 2
    assert found["macs"] == 4 * 8 * 2
    assert found["layers_without_flops"] == 1, "so that the sum is a lower bound"


def test_external_data_need_not_be_there(summary, tmp_path):
    model = convolutional(
        tmp_path / "net.onnx", save_as_external_data=True, location="net.bin", size_threshold=0
    )
    (tmp_path / "net.bin").unlink()
    found = summary(model)
    assert found["macs"] == MACS
    assert found["weight_bytes"] == WEIGHT_BYTES


def test_a_folder_with_a_model_alone(summary, tmp_path):
    convolutional(tmp_path / "net.onnx")
    assert summary(tmp_path)["engine"]["detail"] == "model"


def test_beside_an_engine_the_engine_is_shown(summary, engines, tmp_path):
    run = tmp_path / "run"
    shutil.copytree(engines / "mobilenetv2-trt10.1-fp16", run)
    convolutional(run / "other.onnx")
    assert summary(run)["engine"]["detail"] == "full"


def test_a_model_before_engines_is_theirs(planex, engines, tmp_path):
    model = convolutional(tmp_path / "net.onnx")
    run = engines / "mobilenetv2-trt10.1-fp16"
    said = planex("summary", model, run).stdout
    assert said == planex("summary", run, "--model", model).stdout
    both = planex("summary", model, model).stdout
    assert both.count("A model, not an engine.") == 2


def test_times_of_an_engine_are_none_of_a_model(planex, tmp_path):
    model = convolutional(tmp_path / "net.onnx")
    times = tmp_path / "elsewhere.json"
    times.write_text(json.dumps([{"startMs": 0, "endMs": 1, "latencyMs": 1, "computeMs": 1}]))
    error = planex("summary", model, "--times", times, code=3).stderr
    assert "is a model, not an engine" in error


def test_what_is_left_open_says_so(summary, tmp_path):
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"], "mm")]
    model = save(
        tmp_path / "open.onnx", nodes, [value("x", ["n", "length", 8])], [value("y", None)],
        [weights("w", 8, 4)],
    )  # fmt: skip
    found = summary(model)
    assert found["macs"] is None
    assert "open-inputs" in [d["code"] for d in found["diagnostics"]]


def test_a_hundred_thousand_nodes(summary, tmp_path):
    nodes = [helper.make_node("Relu", [f"t{i}"], [f"t{i + 1}"], f"relu{i}") for i in range(100_000)]
    model = save(tmp_path / "long.onnx", nodes, [value("t0", [1, 4])], [value("t100000", None)], [])
    found = summary(model)
    assert found["layer_count"] == 100_000
    assert found["flops"] == 400_000


def copies(summary, model, target="openvino"):
    (found,) = [t for t in summary(model)["model_plan"]["targets"] if t["target"] == target]
    return [found[f"layout_copies_{where}"] for where in ("at_inputs", "inside", "at_outputs")]


def between(path, *between_nodes, last="Conv"):
    """A convolution, `between_nodes` from a to b, and another one."""
    nodes = [
        helper.make_node("Conv", ["x", "w1"], ["a"], "first", pads=[1, 1, 1, 1]),
        *between_nodes,
        helper.make_node(last, ["b", "w2"] if last == "Conv" else ["b"], ["y"], "second"),
    ]
    shape = onnx.numpy_helper.from_array(np.array([1, 2, -1], "i8"), "shape")
    back = onnx.numpy_helper.from_array(np.array([1, 8, 32, 32], "i8"), "back")
    initializers = [weights("w1", 8, 3, 3, 3), weights("w2", 16, 8, 1, 1), shape, back]
    return save(path, nodes, [value("x", [1, 3, 32, 32])], [value("y", None)], initializers)


def test_copies_into_the_layout_of_convolutions(planex, summary, tmp_path):
    """tests/drivers/test_layout_forecast.py holds the forecast to engines that are built."""
    relu = between(tmp_path / "relu.onnx", helper.make_node("Relu", ["a"], ["b"]))
    assert copies(summary, relu) == [1, 0, 1]
    assert copies(summary, relu, "tensorrt-rtx") == [1, None, 1]
    assert copies(summary, relu, "tensorrt") == copies(summary, relu, "onnxruntime") == [None] * 3
    text = planex("summary", relu, env={"COLUMNS": "200"}).stdout
    assert "openvino: likely copies 1 input and 1 output into another layout" in text
    # Groups of channels are normalized in the model's own order.
    nodes = [
        helper.make_node("Reshape", ["a", "shape"], ["flat"]),
        helper.make_node("Softmax", ["flat"], ["even"]),
        helper.make_node("Reshape", ["even", "back"], ["b"]),
    ]
    assert copies(summary, between(tmp_path / "groups.onnx", *nodes)) == [1, 2, 1]
    pooled = between(
        tmp_path / "pooled.onnx", helper.make_node("Relu", ["a"], ["b"]), last="GlobalAveragePool"
    )
    assert copies(summary, pooled) == [1, 0, 0], "one pixel is the same in both layouts"


def test_copies_that_no_engine_showed_are_not_forecast(summary, tmp_path):
    turned = [
        helper.make_node("Transpose", ["a"], ["t"], perm=[0, 2, 3, 1]),
        helper.make_node("Transpose", ["t"], ["b"], perm=[0, 3, 1, 2]),
    ]
    assert copies(summary, between(tmp_path / "turned.onnx", *turned)) == [None] * 3
    odd = helper.make_node("LRN", ["a"], ["b"], size=3)
    assert copies(summary, between(tmp_path / "odd.onnx", odd)) == [None] * 3
