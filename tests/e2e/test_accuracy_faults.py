"""`planex accuracy` finds who is at fault, with the real OpenVINO.

The models are made here, with a fault planted in each.
"""

from __future__ import annotations

import json
import shlex

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

pytestmark = pytest.mark.usefixtures("driver")

SHAPE = (1, 8, 12, 12)


def conv(draw, name, source, target, channels, inputs=None, size=3):
    """A Conv with its weight and bias."""
    shape = (channels, inputs or channels, size, size)
    weight = draw.normal(0, 1 / np.sqrt(np.prod(shape[1:])), shape).astype("float32")
    pad = size // 2
    node = helper.make_node(
        "Conv", [source, f"{name}.w", f"{name}.b"], [target], name, pads=[pad] * 4
    )
    bias = draw.normal(0, 0.1, channels).astype("float32")
    return node, [
        numpy_helper.from_array(weight, f"{name}.w"),
        numpy_helper.from_array(bias, f"{name}.b"),
    ]


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """chain.onnx: six convolutions with Relu, two residual sums; and samples."""
    folder = tmp_path_factory.mktemp("faults")
    draw = np.random.default_rng(11)
    nodes, constants = [], []
    source = "x"
    for number in range(6):
        node, values = conv(
            draw, f"conv{number}", source, f"c{number}", 16, 8 if number == 0 else 16
        )
        nodes += [node, helper.make_node("Relu", [f"c{number}"], [f"r{number}"], f"relu{number}")]
        constants += values
        source = f"r{number}"
        if number in (2, 4):
            nodes.append(helper.make_node("Add", [source, f"r{number - 1}"], [f"s{number}"]))
            source = f"s{number}"
    nodes.append(helper.make_node("GlobalAveragePool", [source], ["p"], "pool"))
    nodes.append(helper.make_node("Flatten", ["p"], ["y"], "flatten"))
    graph = helper.make_graph(
        nodes,
        "chain",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, 16))],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, folder / "chain.onnx")
    np.savez(folder / "samples.npz", x=draw.normal(0, 1, (16, *SHAPE[1:])).astype("float32"))
    return folder


@pytest.fixture(scope="session")
def quantized(planex, folder):
    """On 7 bits, so that no CPU saturates."""
    planex(
        *["quantize", folder / "chain.onnx", "--data", folder / "samples.npz"],
        *["--method", "minmax", "--weight-bits", "7", "-o", folder / "int8.onnx"],
    )
    return folder / "int8.onnx"


@pytest.fixture
def judged(planex, folder, valid):
    def judge(subject, *words):
        text = planex(
            *["accuracy", folder / "chain.onnx", subject, "--data", folder / "samples.npz"],
            *["--format", "json", *words],
        ).stdout
        return valid(text, "layer-accuracy")

    return judge


def constant(model, name):
    return next(tensor for tensor in model.graph.initializer if tensor.name == name)


def plant_scale(source, tensor, factor, target):
    """Multiplies the scale of the tensor's pair."""
    model = onnx.load(source)
    node = next(
        node
        for node in model.graph.node
        if node.op_type == "QuantizeLinear" and node.input[0] == tensor
    )
    scale = constant(model, node.input[1])
    value = numpy_helper.to_array(scale) * np.float32(factor)
    scale.CopyFrom(numpy_helper.from_array(value.astype("float32"), scale.name))
    onnx.save(model, target)


def quantized_tensors(path):
    return [
        node.input[0] for node in onnx.load(path).graph.node if node.op_type == "QuantizeLinear"
    ]


@pytest.mark.parametrize("place", [0, 3, -1])
@pytest.mark.parametrize("factor", [8, 1 / 8], ids=["coarse", "clipped"])
def test_a_planted_scale_is_named(judged, quantized, tmp_path, place, factor):
    tensor = quantized_tensors(quantized)[place]
    plant_scale(quantized, tensor, factor, tmp_path / "planted.onnx")
    found = judged(tmp_path / "planted.onnx", "--bisect", "--outputs-only")["bisection"]
    assert (found["kind"], found["tensor"]) == ("scale", tensor)
    assert found["scale"] / found["best_scale"] == pytest.approx(factor, rel=0.5)
    assert found["after_db"] > found["before_db"]
    assert found["compile_count"] <= 12


def test_a_planted_weight_is_named(judged, quantized, tmp_path):
    model = onnx.load(quantized)
    integers = constant(model, "conv3.w_quantized")
    values = np.array(numpy_helper.to_array(integers))
    values[:4] = -values[:4]
    integers.CopyFrom(numpy_helper.from_array(values, integers.name))
    onnx.save(model, tmp_path / "planted.onnx")
    found = judged(tmp_path / "planted.onnx", "--bisect", "--outputs-only")["bisection"]
    assert (found["kind"], found["node"]) == ("weight", "conv3")
    assert found["after_db"] > found["before_db"] + 6


def test_without_a_fault_a_layer_is_named(judged, quantized):
    found = judged(quantized, "--bisect", "--outputs-only")["bisection"]
    assert found["kind"] == "layer"
    assert found["node"]
    assert found["after_db"] > found["before_db"]
    # Ranges and outputs of the float model, a halving each, the proof.
    layers = sum(node.op_type == "Conv" for node in onnx.load(quantized).graph.node)
    assert found["compile_count"] <= 4 + np.ceil(np.log2(layers + 2))


def test_layers_alone_lose_less_than_all(judged, quantized):
    told = judged(quantized, "--alone", "all")
    alone = [layer for layer in told["layers"] if layer["alone_simulated_db"] is not None]
    assert {"conv0", "conv5"} <= {layer["node"] for layer in alone}
    whole = told["simulated"][0]["sqnr_db"]
    # Noises may cancel a little.
    assert all(layer["alone_simulated_db"] > whole - 2 for layer in alone)
    # Powers of noise add up, roughly.
    summed = -10 * np.log10(sum(10 ** (-layer["alone_simulated_db"] / 10) for layer in alone))
    assert summed == pytest.approx(whole, abs=6)
    assert all(layer["fault"] == "none" for layer in alone)


def test_none_alone(judged, quantized):
    told = judged(quantized, "--alone", "0")
    assert all(layer["alone_engine_db"] is None for layer in told["layers"])
    assert all(layer["fault"] == "unknown" for layer in told["layers"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--alone", "many"], "expected a number or all"),
        (["--cured", "x.onnx", "--outputs-only"], "layers to run alone"),
        (["--cured", "int8.onnx"], "overwrite"),
    ],
)
def test_wrong_options_are_said(planex, folder, quantized, words, said):
    assert quantized
    done = planex(
        *["accuracy", "chain.onnx", "int8.onnx", "--data", "samples.npz", *words],
        cwd=folder,
        code=2,
    )
    assert said in done.stderr


@pytest.fixture(scope="session")
def saturating(planex, tmp_path_factory):
    """A 1x1 convolution whose products all have one sign: their sums overflow 16 bits."""
    folder = tmp_path_factory.mktemp("saturating")
    draw = np.random.default_rng(3)
    first, values = conv(draw, "first", "x", "c", 32, 8)
    weight = np.full((32, 32, 1, 1), 0.5, "float32")
    weight += draw.uniform(-0.01, 0.01, weight.shape).astype("float32")
    nodes = [
        first,
        helper.make_node("Relu", ["c"], ["r"], "relu"),
        helper.make_node("Clip", ["r", "low", "high"], ["k"], "clip"),
        helper.make_node("Conv", ["k", "sum.w"], ["y"], "sum"),
    ]
    constants = [
        *values,
        numpy_helper.from_array(weight, "sum.w"),
        numpy_helper.from_array(np.float32(0.0), "low"),
        numpy_helper.from_array(np.float32(0.2), "high"),
    ]
    graph = helper.make_graph(
        nodes,
        "saturating",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, 32, *SHAPE[2:]))],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, folder / "model.onnx")
    np.savez(folder / "samples.npz", x=draw.normal(0, 1, (8, *SHAPE[1:])).astype("float32"))
    planex(
        *["quantize", folder / "model.onnx", "--data", folder / "samples.npz"],
        *["--method", "minmax", "--weight-bits", "8", "-o", folder / "int8.onnx"],
    )
    return folder


def test_saturation_is_named_and_cured(planex, valid, saturating):
    words = [saturating / "model.onnx", saturating / "int8.onnx", "--format", "json"]
    words += ["--data", saturating / "samples.npz"]
    if json.loads(planex("accuracy", *words, "--outputs-only").stdout)["has_vnni"]:
        pytest.skip("this CPU adds products of 8 bits in 32: nothing saturates")
    fixed = saturating / "fixed.onnx"
    text = planex("accuracy", *words, "--alone", "all", "--cured", fixed).stdout
    told = valid(text, "layer-accuracy")
    assert told["fault"] in ("engine", "both")
    layers = {layer["node"]: layer for layer in told["layers"]}
    assert layers["sum"]["fault"] == "engine"
    assert layers["sum"]["cause"] == "saturation"
    assert told["cured"]["narrowed"]
    simulated, engine = (told["cured"][side][0]["sqnr_db"] for side in ("simulated", "engine"))
    assert engine > simulated - 1.5
    onnx.checker.check_model(onnx.load(fixed), full_check=True)
    weights = numpy_helper.to_array(
        constant(onnx.load(fixed), told["cured"]["narrowed"][-1] + "_7bit")
    )
    assert np.abs(weights).max() == 63


def extracted(planex, valid, words, target):
    """What --extract tells; its three files are whole, and its command shows the fault again."""
    told = valid(planex("accuracy", *words, "--extract", target).stdout, "layer-accuracy")
    part = told["extracted"]
    stem = str(target).removesuffix(".onnx")
    files = [part["path"], part["reference_path"], part["data_path"]]
    assert files == [f"{stem}.onnx", f"{stem}.float.onnx", f"{stem}.npz"]
    for file in files[:2]:
        model = onnx.load(file)
        onnx.checker.check_model(model, full_check=True)
        assert [value.name for value in model.graph.output] == part["outputs"]
    arrays = np.load(part["data_path"])
    assert set(arrays) == {*part["inputs"], *part["outputs"]}
    command = shlex.split(part["command"])
    assert command[:2] == ["planex", "accuracy"]
    again = json.loads(planex(*command[1:], "--format", "json").stdout)
    for side in ("simulated", "engine"):
        wanted = {one["tensor"]: one["sqnr_db"] for one in part[side]}
        assert {one["tensor"]: one["sqnr_db"] for one in again[side]} == pytest.approx(wanted)
    return told, again


def test_an_engine_fault_is_extracted(planex, valid, saturating, tmp_path):
    words = [saturating / "model.onnx", saturating / "int8.onnx", "--format", "json"]
    words += ["--data", saturating / "samples.npz", "--alone", "all"]
    if json.loads(planex("accuracy", *words).stdout)["has_vnni"]:
        pytest.skip("this CPU adds products of 8 bits in 32: nothing saturates")
    told, again = extracted(planex, valid, words, tmp_path / "fault.onnx")
    part = told["extracted"]
    assert (part["fault"], part["node"]) == ("engine", "sum")
    assert again["fault"] in ("engine", "both")
    assert part["node_count"] < len(onnx.load(saturating / "int8.onnx").graph.node)
    text = planex("accuracy", *words[:2], *words[4:], "--extract", tmp_path / "text.onnx").stdout
    assert f"--data {tmp_path / 'text.npz'}" in text


@pytest.mark.parametrize("place", [1, -2])
def test_a_planted_scale_is_extracted(planex, valid, folder, quantized, tmp_path, place):
    tensor = quantized_tensors(quantized)[place]
    plant_scale(quantized, tensor, 8, tmp_path / "planted.onnx")
    words = [folder / "chain.onnx", tmp_path / "planted.onnx", "--format", "json", "--bisect"]
    words += ["--data", folder / "samples.npz", "--outputs-only"]
    told, again = extracted(planex, valid, words, tmp_path / "fault.onnx")
    part = told["extracted"]
    assert (part["fault"], part["tensor"]) == ("model", tensor)
    subject = onnx.load(part["path"])
    assert [node.input[0] for node in subject.graph.node if node.op_type == "QuantizeLinear"] == [
        tensor
    ]
    assert again["simulated"][0]["sqnr_db"] < 40
    # Float weights: the scale is all that is wrong.
    reference = onnx.load(part["reference_path"])
    assert not [node for node in reference.graph.node if "Quantize" in node.op_type]
    # What is expected is what the part in float makes, also by another runtime.
    arrays = np.load(part["data_path"])
    made = ReferenceEvaluator(reference).run(
        part["outputs"], {name: arrays[name] for name in part["inputs"]}
    )
    for name, value in zip(part["outputs"], made, strict=True):
        np.testing.assert_allclose(value, arrays[name], rtol=1e-3, atol=1e-4)


def test_a_planted_weight_is_extracted(planex, valid, folder, quantized, tmp_path):
    model = onnx.load(quantized)
    integers = constant(model, "conv3.w_quantized")
    values = np.array(numpy_helper.to_array(integers))
    values[:4] = -values[:4]
    integers.CopyFrom(numpy_helper.from_array(values, integers.name))
    onnx.save(model, tmp_path / "planted.onnx")
    words = [folder / "chain.onnx", tmp_path / "planted.onnx", "--format", "json", "--bisect"]
    words += ["--data", folder / "samples.npz", "--outputs-only"]
    told, again = extracted(planex, valid, words, tmp_path / "fault.onnx")
    assert told["extracted"]["node"] == "conv3"
    assert again["simulated"][0]["sqnr_db"] < 15


def test_an_extract_that_has_no_fault_to_go_by(planex, folder, quantized, tmp_path):
    words = [folder / "chain.onnx", quantized, "--data", folder / "samples.npz"]
    words += ["--extract", tmp_path / "x.onnx", "--outputs-only"]
    assert "--bisect" in planex("accuracy", *words, code=2).stderr
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="session")
def signed(planex, tmp_path_factory):
    """Maps of three sizes, joined; what reads them takes int8, which planex would not write."""
    folder = tmp_path_factory.mktemp("signed")
    draw = np.random.default_rng(5)
    nodes, constants = [], []

    def add(name, source, channels, inputs, size=3, stride=1):
        node, values = conv(draw, name, source, f"{name}.out", channels, inputs, size)
        node.attribute.append(helper.make_attribute("strides", [stride, stride]))
        nodes.append(node)
        constants.extend(values)
        return f"{name}.out"

    def enlarge(source, factor):
        name = f"scales{factor}"
        constants.append(numpy_helper.from_array(np.float32([1, 1, factor, factor]), name))
        how = {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
        nodes.append(
            helper.make_node("Resize", [source, "", name], [f"up{factor}"], mode="nearest", **how)
        )
        return f"up{factor}"

    def relu(source):
        nodes.append(helper.make_node("Relu", [source], [f"{source}.relu"]))
        return f"{source}.relu"

    large = relu(add("large", "x", 16, 8))
    middle = relu(add("middle", large, 16, 16, stride=2))
    small = add("small", middle, 16, 16, stride=2)
    joined = [
        enlarge(add("lateral4", small, 16, 16, 1), 4),
        enlarge(add("lateral2", middle, 16, 16, 1), 2),
        add("lateral1", large, 16, 16, 1),
    ]
    nodes.append(helper.make_node("Concat", joined, ["joined"], "join", axis=1))
    add("last", relu(add("reader", "joined", 16, 48)), 8, 16, 1)
    shape = (1, 8, 16, 16)
    graph = helper.make_graph(
        nodes,
        "signed",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("last.out", TensorProto.FLOAT, shape)],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, folder / "model.onnx")
    np.savez(folder / "samples.npz", x=draw.normal(0, 1, (8, *shape[1:])).astype("float32"))
    planex(
        *["quantize", folder / "model.onnx", "--data", folder / "samples.npz"],
        *["--method", "minmax", "--weight-bits", "7", "-o", folder / "int8.onnx"],
    )
    model = onnx.load(folder / "int8.onnx")
    (point,) = [tensor for tensor in model.graph.initializer if tensor.name == "joined_zero_point"]
    assert point.data_type == TensorProto.UINT8 and numpy_helper.to_array(point) == 128
    point.CopyFrom(numpy_helper.from_array(np.int8(0), point.name))
    onnx.save(model, folder / "int8.onnx")
    return folder


def test_a_lost_sign_is_named_and_cured(planex, valid, signed):
    words = [signed / "model.onnx", signed / "int8.onnx", "--format", "json"]
    words += ["--data", signed / "samples.npz"]
    if json.loads(planex("accuracy", *words, "--outputs-only").stdout)["has_vnni"]:
        pytest.skip("this CPU computes such a layer in another way")
    fixed = signed / "fixed.onnx"
    told = valid(planex("accuracy", *words, "--cured", fixed).stdout, "layer-accuracy")
    assert told["fault"] == "engine"
    layers = {layer["node"]: layer for layer in told["layers"]}
    reader = layers["reader"]
    assert (reader["fault"], reader["cause"]) == ("engine", "sign")
    assert reader["alone_simulated_db"] - reader["alone_engine_db"] > 20
    # Most is said against what makes it, and the layers before are not blamed.
    assert all(layers[name]["fault"] in ("none", "unknown") for name in ("large", "small", "last"))
    assert told["cured"]["unsigned_tensors"] == ["joined"]
    assert not told["cured"]["narrowed"]
    simulated, engine = (told["cured"][side][0]["sqnr_db"] for side in ("simulated", "engine"))
    assert engine > simulated - 1.5
    onnx.checker.check_model(onnx.load(fixed), full_check=True)
    text = planex("accuracy", *words[:2], *words[4:]).stdout
    assert "at fault: the engine" in text and "uint8" in text


# --- Outputs that join tensors of different ranges


def joined_models(folder, order):
    """float.onnx, a head that joins boxes of 0 to 300 with scores of 0 to 1; int8.onnx, with a pair
    after the Concat whose scale fits the boxes alone; x.npz.

    `order`: which of the two stands first, and the axis.
    """
    parts, axis = order
    draw = np.random.default_rng(7)
    boxes, box_values = conv(draw, "boxes", "h", "boxes_out", 4, 8, size=1)
    scores, score_values = conv(draw, "scores", "h", "logits", 6, 8, size=1)
    dims = {"boxes": 4, "scores": 6}
    shapes = [[1, 144, dims[part]] if axis == 2 else [1, dims[part], 144] for part in parts]

    def flat(part, source, target):
        nodes = [helper.make_node("Reshape", [source, f"{part}.shape"], [f"{part}.flat"])]
        last = f"{part}.flat"
        if axis == 2:
            nodes.append(helper.make_node("Transpose", [last], [f"{part}.turned"], perm=[0, 2, 1]))
            last = f"{part}.turned"
        if part == "boxes":
            nodes.append(helper.make_node("Abs", [last], ["boxes.abs"]))
            nodes.append(helper.make_node("Mul", ["boxes.abs", "stride"], [target]))
        else:
            nodes.append(helper.make_node("Sigmoid", [last], [target]))
        return nodes

    nodes = [boxes, scores, *flat("boxes", "boxes_out", "boxes.y")]
    nodes += flat("scores", "logits", "scores.y")
    constants = [
        *box_values,
        *score_values,
        numpy_helper.from_array(np.float32(100), "stride"),
        numpy_helper.from_array(np.array([1, 4, 144]), "boxes.shape"),
        numpy_helper.from_array(np.array([1, 6, 144]), "scores.shape"),
    ]
    infos = [
        helper.make_tensor_value_info(f"{part}.y", TensorProto.FLOAT, shape)
        for part, shape in zip(parts, shapes, strict=True)
    ]
    total = [1, 144, 10] if axis == 2 else [1, 10, 144]

    def write(name, last, before, after=(), extra=()):
        graph = helper.make_graph(
            [
                *before,
                *nodes,
                helper.make_node("Concat", [f"{part}.y" for part in parts], [last], axis=axis),
                *after,
            ],
            "joined",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, total)],
            [*constants, *extra],
            value_info=infos,
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.checker.check_model(model, full_check=True)
        onnx.save(model, folder / name)

    write("float.onnx", "y", [helper.make_node("Identity", ["x"], ["h"])])

    def pair(tensor, scale, target):
        return [
            helper.make_node("QuantizeLinear", [tensor, scale, "z"], [f"{tensor}.q"]),
            helper.make_node("DequantizeLinear", [f"{tensor}.q", scale, "z"], [target]),
        ]

    scale = [
        numpy_helper.from_array(np.float32(3), "s"),
        numpy_helper.from_array(np.float32(0.03), "x.s"),
        numpy_helper.from_array(np.int8(0), "z"),
    ]
    pairs = pair("x", "x.s", "h"), pair("joined", "s", "y")
    write("int8.onnx", "joined", *pairs, scale)
    np.savez(folder / "x.npz", x=draw.normal(0, 1, (4, *SHAPE[1:])).astype("float32"))


@pytest.mark.parametrize("order", [(("boxes", "scores"), 1), (("scores", "boxes"), 2)])
def test_a_joined_output_is_judged_by_what_it_hides(planex, tmp_path, order):
    joined_models(tmp_path, order)
    result = planex(
        "accuracy",
        tmp_path / "float.onnx",
        tmp_path / "int8.onnx",
        "--data",
        tmp_path / "x.npz",
        "--bisect",
        "--fail-below",
        20,
        "--format",
        "json",
        code=1,
    )
    document = json.loads(result.stdout)
    (output,) = document["simulated"]
    assert output["sqnr_db"] > 30
    assert output["worst_slice_db"] < 15
    first = 0 if order[0][0] == "scores" else 4
    worst = min(output["slices"], key=lambda part: part["sqnr_db"])
    assert (worst["name"], worst["axis"], worst["first"]) == ("scores.y", order[1], first)
    assert document["fault"] == "model"
    found = document["bisection"]
    assert (found["kind"], found["tensor"], found["part"]) == ("scale", "joined", "scores.y")
    assert found["scale"] == pytest.approx(3)
    assert found["best_scale"] < 0.01
    assert found["after_db"] > found["before_db"] + 20
