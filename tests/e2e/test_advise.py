"""`planex advise` on models, with the real OpenVINO.

ResNet-18 in the placements of examples/resnet18, and a small network with the Q/DQ of a training:
scales that no rule gives.
"""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

pytestmark = pytest.mark.usefixtures("driver")

QUICK = ["--", "--duration-ms", "200", "--profile-ms", "400", "--rounds", "3"]
SHAPE = (1, 3, 32, 32)
CHANNELS = 16


# --- ResNet-18 --------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def resnets(root, tmp_path_factory):
    folder = tmp_path_factory.mktemp("resnets")
    script = root / "examples/resnet18/make_resnet18.py"
    words = [sys.executable, script, "--variant", "all", "--batch", "1", "-o", folder]
    subprocess.run(words, check=True, capture_output=True)
    draw = np.random.default_rng(1)
    np.savez(folder / "samples.npz", input=draw.normal(0, 1, (2, 3, 224, 224)).astype("float32"))
    return folder


@pytest.fixture(scope="session")
def naive_run(planex, resnets):
    """The naive placement, built and measured."""
    run = resnets / "run"
    planex("process", resnets / "resnet18-qdq-naive.onnx", "-o", run, *QUICK)
    return run


@pytest.fixture(scope="session")
def edited(planex, resnets, naive_run):
    """The document of all advice applied to the naive placement."""
    return json.loads(
        planex(
            *["advise", resnets / "resnet18-qdq-naive.onnx", "--timed", naive_run],
            *["--apply", "-o", resnets / "edited.onnx", "--data", resnets / "samples.npz"],
            *["--format", "json"],
        ).stdout
    )


def figures(planex, run):
    """Layers, layers that write floats, bytes that are written."""
    told = json.loads(
        planex(
            *["query", run, "--format", "json"],
            "SELECT count(*), sum(output_precision IN ('FP32', 'FP16', 'BF16')), "
            "sum(output_bytes) FROM layers WHERE role = 'work'",
        ).stdout
    )
    return tuple(told["rows"][0])


def test_orders_the_placements(planex, resnets):
    counts = {}
    for name in ("naive", "residual", "residual-gap", "shared"):
        told = json.loads(
            planex("advise", resnets / f"resnet18-qdq-{name}.onnx", "--format", "json").stdout
        )
        counts[name] = len(told["advice"])
        assert told["target"] == "openvino"
        assert all(one["gain_high_ms"] is None for one in told["advice"])
        assert all("--timed" in one["gain_reason"] for one in told["advice"])
    assert counts["naive"] > counts["residual"] > counts["residual-gap"] > counts["shared"]
    # The pair of the last layer, which may as well stand before the Flatten.
    assert counts["shared"] == 1


def test_all_advice_makes_the_best_placement(planex, resnets, naive_run, edited):
    before = figures(planex, naive_run)
    assert before[:2] == (35, 20)
    run = resnets / "edited-run"
    planex("process", resnets / "edited.onnx", "-o", run, *QUICK)
    layers, float_layers, written = figures(planex, run)
    # 26 layers and two that write floats with VNNI or AMX, 25 and one with AVX2.
    assert layers in (25, 26)
    assert float_layers <= 2
    assert written <= 3.0e6
    assert edited["applied_count"] == len(edited["advice"])
    # The forecast is of the structure, and of this engine.
    assert edited["as_measured"]["layer_count"] == before[0]
    assert edited["as_measured"]["float_layer_count"] == before[1]
    assert edited["as_measured"]["written_bytes"] == before[2]
    assert abs(edited["forecast"]["layer_count"] - layers) <= 2
    assert abs(edited["forecast"]["float_layer_count"] - float_layers) <= 2
    assert edited["forecast"]["written_bytes"] == pytest.approx(written, rel=0.05)
    onnx.checker.check_model(onnx.load(resnets / "edited.onnx"), full_check=True)


def test_gains_are_ranges_of_layers_that_are_there(planex, naive_run, edited, valid_advise):
    valid_advise(edited)
    times = dict(
        json.loads(
            planex(
                *["query", naive_run, "--format", "json"],
                "SELECT name, coalesce(corrected_ms, median_ms) FROM layers WHERE role = 'work'",
            ).stdout
        )["rows"]
    )
    assert edited["advice"]
    for one in edited["advice"]:
        assert one["gain_reason"] is None, one
        # At least: less than nothing where what does the same in INT8 takes longer.
        assert one["gain_low_ms"] <= one["gain_high_ms"]
        assert one["gain_high_ms"] >= 0
        assert one["gain_high_ms"] == pytest.approx(
            sum(layer["gain_high_ms"] for layer in one["layers"])
        )
        for layer in one["layers"]:
            # Without what other programs did to it.
            assert 0 <= layer["time_ms"] <= times[layer["layer"]] * (1 + 1e-9)
            assert layer["gain_high_ms"] <= layer["time_ms"] * (1 + 1e-9)
    assert 0 < edited["gain_high_ms"] <= sum(times.values())
    # What lint finds of the same layers has the edit that mends it.
    assert any("quantized-layer-writes-float" in one["findings"] for one in edited["advice"])
    again = edited["advice"][0]
    assert again["action"] == "move"
    assert again["edit"].startswith("move the pair from")


@pytest.fixture(scope="session")
def valid_advise(schema_of):
    import jsonschema

    return lambda document: jsonschema.validate(document, schema_of("advise"))


def test_lint_names_the_command(planex, naive_run):
    told = json.loads(planex("lint", naive_run, "--format", "json").stdout)
    rules = {rule["id"]: rule for rule in told["rules"]}
    fired = {finding["rule"] for finding in told["findings"]}
    assert "quantized-layer-writes-float" in fired
    for rule in ("quantized-layer-writes-float", "float-layer-between-quantized"):
        assert rules[rule]["command"] == "planex advise MODEL.onnx --apply -o OUT.onnx"
    assert rules["conv-no-tensor-core"]["command"] is None
    assert "planex advise MODEL.onnx --apply -o OUT.onnx" in planex("lint", naive_run).stdout


def test_an_engine_of_another_model_is_refused(planex, resnets, naive_run, qat):
    said = planex("advise", qat / "qat.onnx", "--timed", naive_run, code=3).stderr
    assert "stem from nodes" in said
    assert resnets.name in said or "run" in said


def test_a_float_model_is_sent_to_quantize(planex, resnets, tmp_path):
    model = resnets / "resnet18-fp32.onnx"
    told = json.loads(planex("advise", model, "--format", "json").stdout)
    assert told["pair_count"] == 0
    assert {one["scale_source"] for one in told["advice"]} == {"data"}
    assert any("planex quantize" in note for note in told["notes"])
    said = planex("advise", model, "--apply", "-o", tmp_path / "out.onnx", code=3).stderr
    assert "planex quantize" in said
    assert not list(tmp_path.iterdir())


# --- Trained scales ---------------------------------------------------------------------------


class Training:
    """A network as quantization-aware training leaves it: pairs with scales of their own.

    Weights of one kind are integers with a DQ, of the other floats with a pair, as the exporters of
    the training frameworks write either.
    """

    def __init__(self):
        self.draw = np.random.default_rng(11)
        self.nodes, self.constants, self.float_nodes, self.float_constants = [], [], [], []
        self.scales = {}

    def constant(self, name, value):
        self.constants.append(numpy_helper.from_array(value, name))
        return name

    def node(self, kind, inputs, output, **attributes):
        made = helper.make_node(kind, inputs, [output], output, **attributes)
        self.nodes.append(made)

    def both(self, kind, inputs, float_inputs, output, **attributes):
        self.node(kind, inputs, output, **attributes)
        self.float_nodes.append(
            helper.make_node(kind, float_inputs, [output], output, **attributes)
        )

    def pair(self, tensor, label, scale):
        """A pair of `tensor`, with its own copy of the scale: inside blocks as a list of one."""
        shape = (1,) if label.endswith(".p") else ()
        scale = np.full(shape, scale, "float32")
        self.scales[label] = scale.tobytes()
        taken = [
            self.constant(f"{label}.scale", scale),
            self.constant(f"{label}.zero", np.zeros(shape, "int8")),
        ]
        self.node("QuantizeLinear", [tensor, *taken], f"{label}.q")
        self.node("DequantizeLinear", [f"{label}.q", *taken], f"{label}.dq")
        return f"{label}.dq"

    def weight(self, name, value, is_integer):
        """Per channel; scales are a little off the largest value, as training leaves them."""
        self.float_constants.append(numpy_helper.from_array(value, name))
        largest = np.abs(value).reshape(len(value), -1).max(axis=1)
        scale = (largest * self.draw.uniform(0.9, 1.05, len(value)) / 127).astype("float32")
        self.scales[name] = scale.tobytes()
        taken = [
            self.constant(f"{name}.scale", scale),
            self.constant(f"{name}.zero", np.zeros(len(value), "int8")),
        ]
        if is_integer:
            shape = (-1,) + (1,) * (value.ndim - 1)
            integers = np.clip(np.round(value / scale.reshape(shape)), -127, 127).astype("int8")
            quantized = self.constant(f"{name}.int", integers)
        else:
            self.constant(name, value)
            quantized = f"{name}.q"
            self.node("QuantizeLinear", [name, *taken], quantized, axis=0)
        self.node("DequantizeLinear", [quantized, *taken], f"{name}.dq", axis=0)
        return f"{name}.dq"

    def conv(self, source, reads, name, inputs, relu=True):
        value = self.draw.normal(0, np.sqrt(2 / (inputs * 9)), (CHANNELS, inputs, 3, 3))
        weight = self.weight(f"{name}.weight", value.astype("float32"), name.endswith("1"))
        output = f"{name}.sum" if relu else name
        self.both("Conv", [reads, weight], [source, f"{name}.weight"], output, pads=[1] * 4)
        if relu:
            self.both("Relu", [output], [output], name)

    def models(self):
        wide = 9.1 / 127
        self.conv("x", self.pair("x", "x.a", 3.05 / 127), "stem1", 3)
        self.both("MaxPool", ["stem1"], ["stem1"], "pool", kernel_shape=[2, 2], strides=[2, 2])
        source = "pool"
        for block in ("a", "b"):
            # One pair for each reader, of one scale: the exporter put them there.
            reads = self.pair(source, f"{source}.conv", wide)
            skip = self.pair(source, f"{source}.skip", wide)
            self.conv(source, reads, f"{block}.1", CHANNELS)
            inner = self.pair(f"{block}.1", f"{block}.1.p", 8.7 / 127)
            self.conv(f"{block}.1", inner, f"{block}.2", CHANNELS, relu=False)
            self.both("Add", [f"{block}.2", skip], [f"{block}.2", source], f"{block}.add")
            self.both("Relu", [f"{block}.add"], [f"{block}.add"], f"{block}.out")
            source, wide = f"{block}.out", wide * 1.71
        self.conv(source, self.pair(source, f"{source}.last", wide), "y", CHANNELS, relu=False)
        return self.model(self.nodes, self.constants), self.model(
            self.float_nodes, self.float_constants
        )

    @staticmethod
    def model(nodes, constants):
        graph = helper.make_graph(
            nodes,
            "trained",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, SHAPE)],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, (1, CHANNELS, 16, 16))],
            constants,
        )
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


@pytest.fixture(scope="session")
def qat(tmp_path_factory):
    """qat.onnx, float.onnx and samples.npz."""
    folder = tmp_path_factory.mktemp("qat")
    quantized, floats = Training().models()
    onnx.save(quantized, folder / "qat.onnx")
    onnx.save(floats, folder / "float.onnx")
    draw = np.random.default_rng(3)
    samples = draw.normal(0, 1, (16, *SHAPE[1:])).clip(-3, 3).astype("float32")
    np.savez(folder / "samples.npz", x=samples)
    return folder


def bits(model):
    """The bytes of all scales and integer weights: how often each occurs."""
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    scales, weights = [], {}
    for node in model.graph.node:
        if node.op_type in ("QuantizeLinear", "DequantizeLinear"):
            scales.append(constants[node.input[1]].astype("float32").tobytes())
    for name, value in constants.items():
        if name.endswith((".int", ".weight")):
            weights[name] = value.tobytes()
    return set(scales), weights


def simulated_db(planex, folder, subject):
    told = json.loads(
        planex(
            *["accuracy", folder / "float.onnx", subject, "--outputs-only", "--format", "json"],
            *["--data", folder / "samples.npz"],
        ).stdout
    )
    return told["simulated"][0]["sqnr_db"]


@pytest.mark.parametrize("target", ["openvino", "tensorrt", "tensorrt-rtx"])
def test_trained_scales_stay_bit_by_bit(planex, qat, target, tmp_path):
    """Without data nothing is quantized that was not, and with it new scales come beside them."""
    output = tmp_path / "out.onnx"
    told = json.loads(
        planex(
            *["advise", qat / "qat.onnx", "--target", target, "--apply", "-o", output],
            *["--format", "json"],
        ).stdout
    )
    assert told["applied_count"] > 0
    before, weights = bits(onnx.load(qat / "qat.onnx"))
    model = onnx.load(output)
    onnx.checker.check_model(model, full_check=True)
    after, kept = bits(model)
    # Not one scale that was not trained.
    assert after <= before
    assert kept == weights
    trained = trained_scales()
    assert {trained[name.removesuffix(".int")] for name in weights} <= after
    lost = simulated_db(planex, qat, qat / "qat.onnx") - simulated_db(planex, qat, output)
    assert lost <= 0.2
    beside = json.loads((tmp_path / "out.onnx.advise.json").read_text("utf-8"))
    assert beside == told


def trained_scales():
    training = Training()
    training.models()
    return training.scales


def test_new_scales_come_from_data(planex, qat, tmp_path):
    output = tmp_path / "out.onnx"
    told = json.loads(
        planex(
            *["advise", qat / "qat.onnx", "--apply", "-o", output, "--format", "json"],
            *["--data", qat / "samples.npz"],
        ).stdout
    )
    assert told["applied_count"] == len(told["advice"])
    assert told["calibration_count"] == 16
    fresh = [one["scale"] for one in told["advice"] if one["scale_source"] == "data"]
    assert fresh and all(scale > 0 for scale in fresh)
    before, weights = bits(onnx.load(qat / "qat.onnx"))
    after, kept = bits(onnx.load(output))
    assert kept == weights
    assert after - before == {np.float32(scale).tobytes() for scale in fresh} - before
    # The same again: the same bytes.
    again = tmp_path / "again.onnx"
    planex(
        *["advise", qat / "qat.onnx", "--apply", "-o", again],
        *["--data", qat / "samples.npz", "--threads", "2"],
    )
    assert again.read_bytes() == output.read_bytes()
    # Nothing is left to say of it.
    assert json.loads(planex("advise", output, "--format", "json").stdout)["advice"] == []


def test_measures_before_and_after(planex, qat, tmp_path):
    told = json.loads(
        planex(
            *["advise", qat / "qat.onnx", "--apply", "-o", tmp_path / "out.onnx"],
            *["--measure", "--runs", "1", "--format", "json"],
        ).stdout
    )
    measured = told["measurement"]
    assert measured["run_count"] == 1
    assert measured["before"]["layer_count"] == told["as_measured"]["layer_count"]
    assert measured["after"]["latency_ms"] > 0
    assert measured["after"]["written_bytes"] <= measured["before"]["written_bytes"]
    assert told["engine"] == "a local run"


# --- What if, and what is refused ---------------------------------------------------------------


def test_what_if_of_a_float_block(planex, resnets, tmp_path):
    """One convolution of the quantized network is float: what would INT8 gain?"""
    model = onnx.load(resnets / "resnet18-qdq-shared.onnx")
    name = "layer3.1.conv2"
    to_float(model, name)
    path, run = tmp_path / "mixed.onnx", tmp_path / "run"
    onnx.save(model, path)
    planex("process", path, "-o", run, *QUICK)
    told = json.loads(
        planex("advise", path, "--timed", run, "--what-if", name, "--format", "json").stdout
    )
    (block,) = told["what_if"]
    assert block["nodes"] == [name]
    assert block["gain_reason"] is None
    assert block["gain_low_ms"] <= block["gain_high_ms"]
    assert block["gain_high_ms"] > 0
    assert [layer["effect"] for layer in block["layers"]] == ["int8"]
    assert any("float weights" in note for note in told["notes"])
    text = planex("advise", path, "--timed", run, "--what-if", name).stdout
    assert f"{name} in INT8" in text and "conversion" in text
    said = planex("advise", path, "--timed", run, "--what-if", "layer3.1.conv9", code=3).stderr
    assert "layer3.1.conv" in said.split("conv9", 1)[1]


def to_float(model, name):
    """Takes the pairs of a convolution, and dequantizes its weight for good."""
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    makers = {output: node for node in model.graph.node for output in node.output}
    conv = next(node for node in model.graph.node if node.name == name)
    conv.input[0] = makers[makers[conv.input[0]].input[0]].input[0]
    dequantize = makers[conv.input[1]]
    integers, scale = (constants[part] for part in dequantize.input[:2])
    value = (integers * scale.reshape(-1, 1, 1, 1)).astype("float32")
    model.graph.initializer.append(numpy_helper.from_array(value, f"{name}.float"))
    conv.input[1] = f"{name}.float"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--apply"], 2, "--output"),
        (["--what-if", "y"], 2, "--timed"),
        (["--data", "nowhere"], 2, "--apply"),
        (["--target", "tensort"], 2, "tensorrt"),
        (["--method", "best"], 2, "best"),
        (["--measure"], 2, "--apply"),
    ],
)
def test_what_is_wrong_is_said(planex, qat, words, code, said):
    assert said in planex("advise", qat / "qat.onnx", *words, code=code).stderr


def test_the_model_is_not_overwritten(planex, qat):
    before = (qat / "qat.onnx").read_bytes()
    words = ["advise", qat / "qat.onnx", "--apply", "-o", qat / "qat.onnx"]
    assert "overwrite" in planex(*words, code=2).stderr
    assert (qat / "qat.onnx").read_bytes() == before


def test_formats(planex, qat):
    rows = planex("advise", qat / "qat.onnx", "--format", "csv").stdout.splitlines()
    told = json.loads(planex("advise", qat / "qat.onnx", "--format", "json").stdout)
    assert len(rows) == 1 + len(told["advice"])
    assert rows[0].startswith("action,rule,tensor")
    assert planex("advise", qat / "qat.onnx", "--format", "markdown").stdout.startswith("| action")
    text = planex("advise", qat / "qat.onnx").stdout
    assert told["advice"][0]["edit"].split()[0] in text
