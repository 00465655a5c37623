"""`planex cast` without data: what the file becomes, and what an older trtexec command does."""

from __future__ import annotations

import json
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

SHAPE = (1, 3, 8, 8)


def value(name, shape, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def write(path, nodes, constants, inputs, outputs, opset=13):
    initializers = [numpy_helper.from_array(array, name) for name, array in constants.items()]
    graph = helper.make_graph(nodes, path.stem, inputs, outputs, initializers)
    opsets = [helper.make_opsetid("", opset)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), path)
    return path


@pytest.fixture
def model(tmp_path):
    """Two convolutions, a residual sum and classes."""
    draw = np.random.default_rng(3)

    def weights(*shape):
        return draw.normal(0, 1 / np.sqrt(np.prod(shape[1:])), shape).astype("float32")

    nodes = [
        helper.make_node("Conv", ["x", "w1"], ["c1"], "conv1", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c1"], ["r1"], "relu1"),
        helper.make_node("Conv", ["r1", "w2"], ["c2"], "conv2", pads=[1, 1, 1, 1]),
        helper.make_node("Add", ["c2", "r1"], ["s"], "sum"),
        helper.make_node("GlobalAveragePool", ["s"], ["p"], "pool"),
        helper.make_node("Flatten", ["p"], ["f"], "flatten"),
        helper.make_node("MatMul", ["f", "w3"], ["logits"], "head"),
        helper.make_node("Softmax", ["logits"], ["y"], "softmax", axis=1),
    ]
    constants = {"w1": weights(8, 3, 3, 3), "w2": weights(8, 8, 3, 3), "w3": weights(8, 4)}
    path = tmp_path / "model.onnx"
    return write(path, nodes, constants, [value("x", SHAPE)], [value("y", (1, 4))])


@pytest.fixture
def cast(planex):
    """cast(*words): the document."""

    def run(*words):
        return json.loads(planex("cast", *words, "--format", "json").stdout)

    return run


def refused(planex_bin, *words):
    done = subprocess.run(
        [planex_bin, "cast", *map(str, words)], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr


def types_of(path):
    """Of each tensor, as ONNX's own inference has it."""
    model = onnx.shape_inference.infer_shapes(onnx.load(path), strict_mode=True)
    graph = model.graph
    types = {tensor.name: tensor.data_type for tensor in graph.initializer}
    for one in [*graph.input, *graph.output, *graph.value_info]:
        types[one.name] = one.type.tensor_type.elem_type
    return types


def kept(told):
    return {one["node"]: one["rule"] for one in told["kept"]}


@pytest.mark.parametrize(
    ("to", "kind", "opset"),
    [("fp16", TensorProto.FLOAT16, 13), ("bf16", TensorProto.BFLOAT16, 22)],
)
def test_a_model_is_cast(cast, model, tmp_path, to, kind, opset):
    output = tmp_path / "small.onnx"
    told = cast(model, "--to", to, "-o", output)
    onnx.checker.check_model(onnx.load(output), full_check=True)
    types = types_of(output)
    assert types["x"] == types["y"] == TensorProto.FLOAT
    assert {types[name] for name in ("w1", "c1", "r1", "s", "logits")} == {kind}
    assert told["schema"] == "planex.cast/1" and told["type"] == to
    assert (told["small_node_count"], told["added_cast_count"]) == (8, 2)
    assert (told["opset_before"], told["opset"]) == (13, opset)
    assert told["kept"] == [] and told["converted_tensor_count"] == 3
    assert told["saved_bytes"] == 2 * (8 * 3 * 9 + 8 * 8 * 9 + 8 * 4)
    assert any("not measured" in note for note in told["notes"])
    assert json.loads((tmp_path / "small.onnx.cast.json").read_text("utf-8")) == told
    before = output.read_bytes()
    cast(model, "--to", to, "-o", output)
    assert output.read_bytes() == before


def test_halves_compute_nearly_the_same(cast, model, tmp_path):
    """By ONNX's own evaluator."""
    cast(model, "--to", "fp16", "-o", tmp_path / "small.onnx")
    x = np.random.default_rng(1).normal(0, 1, SHAPE).astype("float32")
    (expected,) = ReferenceEvaluator(onnx.load(model)).run(None, {"x": x})
    (got,) = ReferenceEvaluator(onnx.load(tmp_path / "small.onnx")).run(None, {"x": x})
    assert got.dtype == np.float32
    assert 0 < np.abs(got - expected).max() < 2e-3


def test_inputs_and_outputs(cast, model, tmp_path):
    output = tmp_path / "small.onnx"
    assert cast(model, "--to", "fp16", "--io", "small", "-o", output)["small_io"] == ["x", "y"]
    types = types_of(output)
    assert types["x"] == types["y"] == TensorProto.FLOAT16
    assert "Cast" not in {node.op_type for node in onnx.load(output).graph.node}
    assert cast(model, "--to", "fp16", "--io", "x", "-o", output)["small_io"] == ["x"]
    types = types_of(output)
    assert (types["x"], types["y"]) == (TensorProto.FLOAT16, TensorProto.FLOAT)


def test_nodes_that_stay(cast, planex, model, tmp_path):
    output = tmp_path / "small.onnx"
    words = [model, "--to", "fp16", "-o", output]
    told = cast(*words, "--keep", "conv2", "--keep-op", "Softmax", "--keep", "*lat*")
    assert kept(told) == {"conv2": "asked", "softmax": "asked", "flatten": "asked"}
    types = types_of(output)
    assert types["w2"] == types["c2"] == TensorProto.FLOAT
    assert types["w1"] == TensorProto.FLOAT16
    told = cast(*words, "--only", "conv1", "--only", "#2")
    assert told["small_node_count"] == 2 and set(kept(told).values()) == {"not-asked"}
    text = planex("cast", *words, "--keep", "conv2").stdout
    assert "asked  Conv  conv2: you named it to stay in float" in text
    assert "7 nodes cast, 1 node in float" in text


def test_layers_as_trtexec_named_them(cast, model, tmp_path):
    words = [model, "--to", "fp16", "-o", tmp_path / "small.onnx"]
    told = cast(*words, "--layerPrecisions", "conv*:fp32,conv1:fp16,gone:fp32")
    assert kept(told) == {"conv2": "asked"}
    assert any('"gone"' in note for note in told["notes"])
    told = cast(*words, "--layer-output-types", "head:fp32,softmax:fp32")
    assert set(kept(told)) == {"head", "softmax"}


def test_half_layers_of_an_int8_model(cast, tmp_path):
    """What has Q/DQ stays INT8; the convolution without them becomes half, as do the scales."""
    draw = np.random.default_rng(5)
    node = helper.make_node
    nodes = [
        node("QuantizeLinear", ["x", "sx", "zero"], ["xq"], "q"),
        node("DequantizeLinear", ["xq", "sx", "zero"], ["xd"], "dq"),
        node("DequantizeLinear", ["wq", "sw", "zeros"], ["wd"], "weight", axis=0),
        node("Conv", ["xd", "wd"], ["c1"], "int8"),
        node("Relu", ["c1"], ["r1"], "relu"),
        node("Conv", ["r1", "w2"], ["y"], "half"),
    ]
    constants = {
        "sx": np.float32(0.02),
        "zero": np.int8(0),
        "wq": draw.integers(-127, 127, (4, 3, 1, 1)).astype("int8"),
        "sw": draw.uniform(0.001, 0.01, 4).astype("float32"),
        "zeros": np.zeros(4, "int8"),
        "w2": draw.normal(0, 1, (2, 4, 1, 1)).astype("float32"),
    }
    constants = {name: np.asarray(array) for name, array in constants.items()}
    path = tmp_path / "int8.onnx"
    write(path, nodes, constants, [value("x", SHAPE)], [value("y", (1, 2, 8, 8))])
    output = tmp_path / "mixed.onnx"
    told = cast(path, "--to", "fp16", "-o", output)
    onnx.checker.check_model(onnx.load(output), full_check=True)
    types = types_of(output)
    assert told["opset"] == 19, "the first with scales in half"
    assert (types["xq"], types["wq"]) == (TensorProto.INT8, TensorProto.INT8)
    assert {types[name] for name in ("xd", "wd", "c1", "w2")} == {TensorProto.FLOAT16}
    assert types["x"] == types["y"] == TensorProto.FLOAT
    x = draw.normal(0, 1, SHAPE).astype("float32")
    before = onnx.load(path)
    # The first opset whose Q/DQ the evaluator has; they mean the same.
    before.opset_import[0].version = 19
    (expected,) = ReferenceEvaluator(before).run(None, {"x": x})
    (got,) = ReferenceEvaluator(onnx.load(output)).run(None, {"x": x})
    assert np.abs(got - expected).max() < 0.02 * np.abs(expected).max()
    told = cast(path, "--to", "fp16", "--only", "half", "-o", output)
    types = types_of(output)
    assert (types["c1"], types["w2"]) == (TensorProto.FLOAT, TensorProto.FLOAT16)


def test_what_branches_hold_stays(cast, tmp_path):
    node = helper.make_node
    branches = [
        helper.make_graph([node(kind, ["h"], [kind])], kind, [], [value(kind, (1, 4))])
        for kind in ("Sigmoid", "Tanh")
    ]
    nodes = [
        node("MatMul", ["x", "w"], ["h"], "fc"),
        node("If", ["b"], ["i"], "if", then_branch=branches[0], else_branch=branches[1]),
        node("MatMul", ["i", "v"], ["y"], "head"),
    ]
    inputs = [value("x", (1, 4)), value("b", (), TensorProto.BOOL)]
    constants = {"w": np.eye(4, dtype="float32"), "v": np.eye(4, dtype="float32")}
    path = write(tmp_path / "if.onnx", nodes, constants, inputs, [value("y", (1, 4))])
    told = cast(path, "--to", "fp16", "-o", tmp_path / "small.onnx")
    onnx.checker.check_model(onnx.load(tmp_path / "small.onnx"), full_check=True)
    assert kept(told) == {"if": "subgraph"}
    assert any("If, Loop and Scan" in note for note in told["notes"])


# --- Commands of older versions


def test_a_command_is_moved(cast, planex, model, tmp_path):
    output = tmp_path / "new.onnx"
    command = (
        f"trtexec --onnx={model} --fp16 --precisionConstraints=obey --layerPrecisions=conv2:fp32 "
        "--layerOutputTypes=conv2:fp32 --inputIOFormats=fp16:chw --outputIOFormats=fp32:chw "
        "--workspace=2048 --useCudaGraph --saveEngine=model.engine"
    )
    told = cast("--from-trtexec", command, "-o", output)
    assert told["old_command"] == command
    assert told["new_command"] == (
        f"trtexec --onnx={output} --memPoolSize=workspace:2048 --saveEngine=model.engine"
    )
    assert kept(told) == {"conv2": "asked"}
    types = types_of(output)
    assert (types["x"], types["y"]) == (TensorProto.FLOAT16, TensorProto.FLOAT)
    changes = {one["option"].split("=")[0]: one["change"] for one in told["options"]}
    assert changes == {
        "--onnx": "replaced",
        "--fp16": "removed",
        "--precisionConstraints": "removed",
        "--layerPrecisions": "removed",
        "--layerOutputTypes": "removed",
        "--inputIOFormats": "removed",
        "--outputIOFormats": "removed",
        "--workspace": "replaced",
        "--useCudaGraph": "removed",
        "--saveEngine": "kept",
    }
    text = planex("cast", "--from-trtexec", command, "-o", output).stdout
    assert text.endswith(f"for TensorRT 11\n{told['new_command']}\n")


def test_int8_without_pairs_is_lost(cast, model, tmp_path):
    command = f"trtexec --onnx={model} --best --calib=a.cache"
    told = cast("--from-trtexec", command, "-o", tmp_path / "new.onnx")
    changes = {one["option"].split("=")[0]: one for one in told["options"]}
    assert changes["--best"]["change"] == changes["--calib"]["change"] == "lost"
    assert "planex quantize" in changes["--calib"]["why"]
    assert told["type"] == "fp16"


def test_a_command_without_small_types_leaves_the_model(cast, planex, model, tmp_path):
    command = f"trtexec --onnx={model} --minTiming=2"
    told = cast("--from-trtexec", command)
    assert told["new_command"] == f"trtexec --onnx={model}"
    assert told["type"] is None and told["output"] is None
    assert "stays as it is" in planex("cast", "--from-trtexec", command).stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.onnx"]


def test_only_named_layers_without_a_flag_for_all(cast, model, tmp_path):
    command = f"trtexec --onnx={model} --precisionConstraints=obey --layerPrecisions=conv1:fp16"
    told = cast("--from-trtexec", command, "-o", tmp_path / "new.onnx")
    assert told["type"] == "fp16" and told["small_node_count"] == 1
    told = cast("--from-trtexec", command.replace("=obey", "=none"), "-o", tmp_path / "new.onnx")
    assert any("without --precisionConstraints" in note for note in told["notes"])


# --- What is wrong


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--to", "fp16", "--keep", "conv3"], 3, 'did you mean "conv'),
        (["--to", "fp16", "--only", "#99"], 3, "#99"),
        (["--to", "fp16", "--io", "z"], 3, 'the model has no input or output "z"'),
        ([], 2, "--to is required"),
        (["--to", "int8"], 2, "fp16"),
        (["--to", "fp16", "--keep-below", "40"], 2, "needs --data"),
        (["--to", "fp16", "--margin", "2"], 2, "margin"),
        (["--to", "fp16", "--layerPrecisions", "conv1=fp16"], 2, "it has no type"),
        (["--from-trtexec", "trtexec --fp16"], 2, "names no model"),
        (["--from-trtexec", "trtexec --onnx=a --inputIOFormats=fp16:chw,fp16:chw"], 2, "2 formats"),
    ],
)
def test_refused(planex_bin, model, tmp_path, words, code, said):
    got, words = refused(planex_bin, model, *words, "-o", tmp_path / "out.onnx")
    assert (got, said in words) == (code, True), (got, words)
    assert not list(tmp_path.glob("out*"))


def test_the_model_is_not_overwritten(planex_bin, model):
    before = model.read_bytes()
    code, words = refused(planex_bin, model, "--to", "fp16", "-o", model)
    assert code == 2 and "overwrite" in words
    assert model.read_bytes() == before
    code, words = refused(planex_bin, model, "--to", "fp16")
    assert code == 2 and "-o" in words
    code, words = refused(planex_bin, model.parent / "none.onnx", "--to", "fp16", "-o", "x.onnx")
    assert code == 3 and "none.onnx" in words
