"""`planex quantize --target onnxruntime`: what the real ONNX Runtime makes of such a model."""

from __future__ import annotations

import collections
import json
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

node = helper.make_node

SHORT = ["--", "--duration-ms", "20", "--profile-ms", "20", "--warmup", "1"]

# Runs a model; writes what it gives for the samples.
RUN = """
import sys, numpy, onnxruntime
options = onnxruntime.SessionOptions()
options.log_severity_level = 4
options.intra_op_num_threads = 1
options.optimized_model_filepath = sys.argv[1] + ".optimized"
session = onnxruntime.InferenceSession(sys.argv[1], options, ["CPUExecutionProvider"])
found = [session.run(None, {"x": sample[None]}) for sample in numpy.load(sys.argv[2])]
outputs = [output.name for output in session.get_outputs()]
joined = {name: numpy.concatenate(parts) for name, parts in zip(outputs, zip(*found))}
numpy.savez(sys.argv[3], **joined)
"""


class Net:
    """A float net that grows at its end; `tip` is the tensor there."""

    def __init__(self, channels: int = 16, size: int = 16):
        self.nodes, self.constants, self.outputs = [], [], []
        self.tip, self.dims = "x", (1, channels, size, size)
        self.draw = np.random.default_rng(7)

    def constant(self, data) -> str:
        name = f"k{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(data), name))
        return name

    def weight(self, *dims) -> str:
        spread = (dims[0] / np.prod(dims)) ** 0.5
        return self.constant(self.draw.normal(0, spread, dims).astype("float32"))

    def add(self, op: str, *inputs: str, **attributes) -> str:
        name = f"{op.lower()}{len(self.nodes)}"
        self.nodes.append(node(op, list(inputs or [self.tip]), [name], name, **attributes))
        self.tip = name
        return name

    def conv(self, read="", *, into=16, out=16, kernel=3, norm=True, act="", **more) -> str:
        """Conv, BatchNormalization, an activation: each where it is asked for."""
        inputs = [read or self.tip, self.weight(out, into // more.get("group", 1), kernel, kernel)]
        if not norm:
            inputs.append(self.constant(self.draw.normal(0, 0.1, out).astype("float32")))
        self.add("Conv", *inputs, pads=[kernel // 2] * 4, **more)
        if norm:
            one = np.ones(out, np.float32)
            words = [one * 0.9, one * 0.05, one * 0.02, one * 1.1]
            self.add("BatchNormalization", self.tip, *map(self.constant, words))
        if act == "Clip":
            self.add("Clip", self.tip, *map(self.constant, (np.float32(0), np.float32(6))))
        elif act == "Swish":
            self.add("Mul", self.tip, self.add("Sigmoid"))
        elif act:
            self.add(act)
        return self.tip

    def save(self, path):
        info = helper.make_tensor_value_info
        outputs = [info(n, TensorProto.FLOAT, None) for n in [*self.outputs, self.tip]]
        inputs = [info("x", TensorProto.FLOAT, self.dims)]
        graph = helper.make_graph(self.nodes, path.stem, inputs, outputs, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        onnx.save(onnx.shape_inference.infer_shapes(model), path)
        return path


def chain(net):
    net.conv(act="Relu")
    net.conv(act="Relu")
    net.conv(norm=False)


def clipped(net):
    """MobileNet's: 1 x 1, depthwise, 1 x 1, a sum."""
    start = net.conv(act="Clip")
    net.conv(out=32, kernel=1, act="Clip")
    net.conv(into=32, out=32, group=32, act="Clip")
    net.conv(into=32, kernel=1)
    net.add("Add", start, net.tip)
    net.conv(act="Clip")


def residual(net):
    for _ in range(2):
        start = net.tip
        net.conv(act="Relu")
        net.conv()
        net.add("Add", net.tip, start)
        net.add("Relu")
    net.conv()


def gated(net):
    """x * Sigmoid(x), and a gate for each channel."""
    start = net.conv(act="Swish")
    net.add("GlobalAveragePool")
    net.conv(kernel=1, norm=False, act="Relu")
    net.conv(kernel=1, norm=False, act="Sigmoid")
    net.add("Mul", start, net.tip)
    net.conv(act="LeakyRelu")
    net.conv(act="HardSwish")
    net.conv()


def joined(net):
    start = net.conv(act="Relu")
    left = net.conv(start, act="Relu")
    net.add("MaxPool", start, kernel_shape=[3, 3], pads=[1] * 4)
    right = net.conv(norm=False)
    net.add("Concat", left, right, start, axis=1)
    net.conv(into=48, act="Relu")


def outputs_inside(net):
    """Outputs of the model that other layers read, too."""
    net.outputs.append(net.conv(act="Relu"))
    net.outputs.append(net.conv())
    net.conv()


def classifier(net):
    net.conv(act="Relu")
    net.add("MaxPool", kernel_shape=[2, 2], strides=[2, 2])
    net.conv(act="Relu")
    net.add("GlobalAveragePool")
    net.add("Flatten")
    net.add("Gemm", net.tip, net.weight(16, 32), net.constant(np.full(32, 0.1, np.float32)))
    net.add("Relu")
    net.add("MatMul", net.tip, net.weight(32, 32))
    net.add("Add", net.tip, net.constant(np.full(32, 0.1, np.float32)))


def transposed(net):
    net.conv(act="Relu")
    net.add("ConvTranspose", net.tip, net.weight(16, 16, 2, 2), strides=[2, 2])
    net.conv(act="Relu")


# The net, operators of the optimized model that have to be there, and those that stay in float.
NETS = {
    chain: ({"QLinearConv": 3}, []),
    clipped: ({"QLinearConv": 5, "QLinearAdd": 1}, []),
    residual: ({"QLinearConv": 5, "QLinearAdd": 2}, []),
    gated: ({"QLinearConv": 6, "QLinearMul": 2, "QLinearSigmoid": 2, "QLinearLeakyRelu": 1}, []),
    joined: ({"QLinearConv": 4, "QLinearConcat": 1}, []),
    outputs_inside: ({"QLinearConv": 3}, []),
    classifier: ({"QLinearConv": 2, "QGemm": 2, "QLinearGlobalAveragePool": 1}, []),
    transposed: ({"QLinearConv": 2}, ["ConvTranspose"]),
}
IN_FLOAT = ["Conv", "FusedConv", "ConvTranspose", "Gemm", "FusedGemm", "MatMul", "FusedMatMul"]


def operators(path) -> collections.Counter:
    return collections.Counter(item.op_type for item in onnx.load(path).graph.node)


def quantize(planex, make, folder, target="onnxruntime"):
    """float.onnx, samples.npy, and model.onnx, for ONNX Runtime or another."""
    net = Net()
    make(net)
    model = net.save(folder / "float.onnx")
    samples = np.random.default_rng(3).normal(0, 1, (40, *net.dims[1:])).astype("float32")
    np.save(folder / "samples.npy", samples)
    words = ["quantize", model, "--data", folder / "samples.npy", "--target", target]
    planex(*words, "--method", "minmax", "--samples", 16, "-o", folder / "model.onnx")


@pytest.fixture(scope="module", params=NETS, ids=lambda net: net.__name__)
def quantized(request, planex, tmp_path_factory):
    """What was asked for, and the folder of its models."""
    folder = tmp_path_factory.mktemp(request.param.__name__)
    quantize(planex, request.param, folder)
    return request.param, folder


@pytest.fixture(scope="module")
def run(quantized, drivers_python):
    """What both models give, by the name of the output."""
    _, folder = quantized
    found = {}
    for name in ("float", "model"):
        files = [folder / f"{name}.onnx", folder / "samples.npy", folder / f"{name}.npz"]
        subprocess.run([drivers_python, "-c", RUN, *map(str, files)], check=True)
        found[name] = dict(np.load(files[-1]))
    return found


def test_it_computes_all_layers_on_8_bits(quantized, run):
    net, folder = quantized
    wanted, stays = NETS[net]
    made = operators(folder / "model.onnx.optimized")
    assert {op: made[op] for op in wanted} == wanted, made
    assert sorted(op for op in made if op in IN_FLOAT) == stays, made
    assert not [op for op in made if "Integer" in op], made


def test_outputs_keep_their_names_and_are_near(run):
    assert list(run["model"]) == list(run["float"])
    for name, values in run["float"].items():
        error = run["model"][name] - values
        assert 10 * np.log10(np.mean(values**2) / np.mean(error**2)) > 20, name


def test_the_model_is_right_onnx(quantized):
    _, folder = quantized
    model = onnx.load(folder / "model.onnx")
    onnx.checker.check_model(model, full_check=True)
    weights = {item.name: item.data_type for item in model.graph.initializer}
    pairs = [item for item in model.graph.node if item.op_type == "QuantizeLinear"]
    assert pairs and {weights[item.input[2]] for item in pairs} == {TensorProto.UINT8}


def test_process_shows_it(planex, drivers_python, tmp_path):
    """planex itself reads from ONNX Runtime's trace that no convolution runs in float."""
    quantize(planex, residual, tmp_path)
    words = ["--engine", "onnxruntime", "--python", drivers_python, "-o", tmp_path / "run"]
    short = ["--", "--duration-ms", "20", "--profile-ms", "20", "--warmup", "1"]
    planex("process", tmp_path / "model.onnx", *words, *short)
    told = planex("explain", "quantization", tmp_path / "run", "--format", "json").stdout
    facts = json.loads(told)
    assert facts["verdict"] == "quantized"
    assert facts["totals"]["quantized"]["count"] == facts["totals"]["matrix"]["count"] == 5


# Nets whose pairs are where TensorRT wants them, in int8: advice makes them ONNX Runtime's.
ADVISED = {
    chain: {"QLinearConv": 3},
    residual: {"QLinearConv": 5, "QLinearAdd": 2},
    joined: {"QLinearConv": 4, "QLinearConcat": 1},
    gated: {"QLinearConv": 6, "QLinearMul": 2, "QLinearLeakyRelu": 1},
}


@pytest.mark.parametrize("net", ADVISED, ids=lambda net: net.__name__)
def test_advice_makes_another_model_fuse(planex, drivers_python, tmp_path, net):
    quantize(planex, net, tmp_path, target="tensorrt")
    before, after, data = (tmp_path / f for f in ("model.onnx", "advised.onnx", "samples.npy"))
    words = ["--target", "onnxruntime", "--apply", "-o", after, "--data", data]
    told = json.loads(planex("advise", before, *words, "--format", "json").stdout)
    assert all(row["is_applied"] for row in told["advice"]), told["advice"]
    for name in (before, after):
        files = [name, data, name.with_suffix(".npz")]
        subprocess.run([drivers_python, "-c", RUN, *map(str, files)], check=True)
    made = operators(f"{after}.optimized")
    wanted = ADVISED[net]
    assert {op: made[op] for op in wanted} == wanted, made
    assert operators(f"{before}.optimized")["QLinearConv"] < wanted["QLinearConv"]
    assert [op for op in made if op in IN_FLOAT] == [], made
    old, new = (np.load(name.with_suffix(".npz")) for name in (before, after))
    for name in old:
        error = new[name] - old[name]
        assert 10 * np.log10(np.mean(old[name] ** 2) / np.mean(error**2)) > 20, name


def undone(planex, run) -> list[dict]:
    told = json.loads(planex("lint", run, "--format", "json", code=None).stdout)
    return [item for item in told["findings"] if item["rule"] == "quantization-undone"]


@pytest.mark.parametrize("target", ["tensorrt", "weights"])
def test_lint_says_that_quantization_is_undone(planex, drivers_python, tmp_path, target):
    """Pairs where ONNX Runtime fuses nothing; weights that alone are quantized."""
    quantize(planex, residual, tmp_path, target="tensorrt")
    if target == "weights":
        model = onnx.load(tmp_path / "model.onnx")
        pairs = {n.output[0]: n for n in model.graph.node if n.op_type == "QuantizeLinear"}
        floats = {
            n.output[0]: pairs[n.input[0]].input[0]
            for n in model.graph.node
            if n.op_type == "DequantizeLinear" and n.input[0] in pairs
        }
        kept = [
            n for n in model.graph.node if n not in pairs.values() and n.output[0] not in floats
        ]
        for item in kept:
            item.input[:] = [floats.get(name, name) for name in item.input]
        del model.graph.node[:]
        model.graph.node.extend(kept)
        onnx.save(model, tmp_path / "model.onnx")
    words = ["--engine", "onnxruntime", "--python", drivers_python, "-o", tmp_path / "run"]
    planex("process", tmp_path / "model.onnx", *words, *SHORT)
    findings = undone(planex, tmp_path / "run")
    assert findings, "one for each rule of the engine"
    for finding in findings:
        assert "weights dequantized in every inference" in finding["evidence"]
    if target == "tensorrt":
        assert any("ONNX Runtime fuses a convolution only" in one["message"] for one in findings)
        return
    (finding,) = findings
    assert "keep its weights in float" in finding["fix"]
    # What it would gain is not known, and nothing is promised.
    assert finding["estimated_ms"] is None


def test_lint_says_nothing_where_it_is_not(planex, drivers_python, tmp_path):
    quantize(planex, residual, tmp_path)
    words = ["--engine", "onnxruntime", "--python", drivers_python, "-o", tmp_path / "run"]
    planex("process", tmp_path / "model.onnx", *words, *SHORT)
    assert undone(planex, tmp_path / "run") == []
