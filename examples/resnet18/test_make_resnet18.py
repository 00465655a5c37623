"""Tests of the ResNet-18 generator: what is in the files, and what an engine makes of them."""

import collections
import hashlib
import subprocess
import sys

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

import make_resnet18

QDQ_PAIRS = {
    # Pairs on activations: 20 convolutions and fc; + 8 additions; + the average pooling. Shared:
    # the input, relu, what each block's relu1, conv2 and relu2 and 3 downsamples give, flatten.
    "fp32": 0,
    "qdq-naive": 21,
    "qdq-residual": 29,
    "qdq-residual-gap": 30,
    "qdq-shared": 30,
    "tiny-fp32": 0,
    "tiny-qdq": 4,
}
WEIGHTED = {"resnet18": 21, "tiny": 4}


@pytest.fixture(scope="module")
def models():
    return {name: make_resnet18.make_model(name) for name in make_resnet18.VARIANTS}


def count(model):
    return collections.Counter(node.op_type for node in model.graph.node)


@pytest.mark.parametrize("variant", QDQ_PAIRS)
def test_number_of_pairs(models, variant):
    ops = count(models[variant])
    assert ops["QuantizeLinear"] == QDQ_PAIRS[variant]
    weights = WEIGHTED[make_resnet18.VARIANTS[variant].network] if QDQ_PAIRS[variant] else 0
    assert ops["DequantizeLinear"] == QDQ_PAIRS[variant] + weights


@pytest.mark.parametrize("variant", QDQ_PAIRS)
def test_names(models, variant):
    names = [node.name for node in models[variant].graph.node]
    assert len(names) == len(set(names)), "node names are unique"
    assert {"conv1", "relu", "layer1.0.conv1", "layer1.0.add", "avgpool", "flatten", "fc"} <= set(
        names
    )
    if not variant.startswith("tiny"):
        assert {"maxpool", "layer1.0.relu2", "layer2.0.downsample", "layer4.1.relu2"} <= set(names)
    if variant == "qdq-naive":
        assert "layer1.0.conv1.input.QuantizeLinear" in names
        assert "layer1.0.conv1.weight.DequantizeLinear" in names
    if variant == "qdq-residual":
        assert "layer1.0.residual.QuantizeLinear" in names
    if variant == "qdq-shared":
        assert "maxpool.input.QuantizeLinear" in names
        assert "layer1.0.mainadd.QuantizeLinear" in names


def test_shared_has_one_pair_per_tensor(models):
    quantized = [
        node.input[0]
        for node in models["qdq-shared"].graph.node
        if node.op_type == "QuantizeLinear"
    ]
    assert len(quantized) == len(set(quantized))


def test_variants_are_the_same_network(models):
    def operations(model):
        return [
            (node.name, node.op_type)
            for node in model.graph.node
            if not node.op_type.endswith("QuantizeLinear") and node.op_type != "DequantizeLinear"
        ]

    reference = operations(models["fp32"])
    for name in ("qdq-naive", "qdq-residual", "qdq-residual-gap", "qdq-shared"):
        assert operations(models[name]) == reference

    constants = {
        name: {i.name: numpy_helper.to_array(i) for i in models[name].graph.initializer}
        for name in ("fp32", "qdq-naive")
    }
    weight = constants["fp32"]["layer3.0.conv1.weight"]
    scale = constants["qdq-naive"]["layer3.0.conv1.weight.scale"][:, None, None, None]
    restored = constants["qdq-naive"]["layer3.0.conv1.weight.quantized"] * scale
    assert np.abs(restored - weight).max() <= 0.5001 * scale.max()


def test_size_and_shapes(models):
    macs = 0
    graph = models["fp32"].graph
    shapes = {
        info.name: [d.dim_value for d in info.type.tensor_type.shape.dim]
        for info in [*graph.value_info, *graph.output]
    }
    constants = {i.name: i for i in graph.initializer}
    for node in graph.node:
        assert node.output[0] in shapes, "every tensor has a shape"
        if node.op_type in ("Conv", "Gemm"):
            per_output = np.prod(constants[node.input[1]].dims[1:])
            macs += int(np.prod(shapes[node.output[0]])) * int(per_output)
    # What ResNet-18 needs for one 224x224 image: 1.814 G multiply-accumulates.
    assert macs == 1814073344


@pytest.mark.parametrize("variant", ["tiny-fp32", "tiny-qdq"])
def test_tiny_is_tiny(tmp_path, variant):
    path = make_resnet18.write_model(variant, tmp_path, 1, 18)
    assert path.stat().st_size < 10_000


@pytest.mark.parametrize("variant", QDQ_PAIRS)
def test_batch_changes_shapes_only(models, variant):
    model = make_resnet18.make_model(variant, batch=4)
    assert model.graph.input[0].type.tensor_type.shape.dim[0].dim_value == 4
    assert model.graph.output[0].type.tensor_type.shape.dim[0].dim_value == 4
    assert list(model.graph.node) == list(models[variant].graph.node)
    assert list(model.graph.initializer) == list(models[variant].graph.initializer)


# Recorded once. They change when the network changes, or when two machines disagree about it; the
# latter would be a bug. Scales come from a forward pass and are therefore part of the second one.
# The bytes around them belong to the protobuf library, whose version is pinned.
RECORDED = {
    "tiny-fp32": "67f6b1b266999965cf633d1657f7a3ace41e42b9689cabdf5510acb65010c8fc",
    "tiny-qdq": "8a70a3aceb679d98046b22961852a7f760f2dbba361ca41798c26b662910b9d3",
}


@pytest.mark.parametrize("variant", RECORDED)
def test_same_bytes_as_recorded(tmp_path, variant):
    path = make_resnet18.write_model(variant, tmp_path, 1, 18)
    assert hashlib.sha256(path.read_bytes()).hexdigest() == RECORDED[variant]


def test_same_bytes_from_another_process(tmp_path):
    script = make_resnet18.__file__
    digests = set()
    for run in ("a", "b"):
        out = tmp_path / run
        subprocess.run(
            [sys.executable, script, "--variant", "qdq-shared", "--batch", "2", "-o", out],
            check=True,
            capture_output=True,
        )
        (path,) = out.iterdir()
        assert path.name == "resnet18-qdq-shared.onnx"
        digests.add(hashlib.sha256(path.read_bytes()).hexdigest())
    assert len(digests) == 1


def test_seed_changes_weights_only(models):
    other = make_resnet18.make_model("tiny-qdq", seed=19)
    assert [n.name for n in other.graph.node] == [n.name for n in models["tiny-qdq"].graph.node]
    assert list(other.graph.initializer) != list(models["tiny-qdq"].graph.initializer)


def test_bad_arguments():
    for arguments in (["--variant", "int4"], ["--batch", "0"]):
        with pytest.raises(SystemExit) as stop:
            make_resnet18.main(arguments)
        assert stop.value.code == 2


def test_scales_are_rounded_up():
    for value in (0.1, 1.0, 3.14159, 1e-6):
        rounded = make_resnet18.round_up(value, 4)
        assert value <= rounded <= value * 1.125
        assert rounded == np.float32(rounded)


def engine_facts(model):
    """(layers that do work, float layers, bytes they write) of what OpenVINO makes of a model."""
    openvino = pytest.importorskip("openvino")
    core = openvino.Core()
    compiled = core.compile_model(
        core.read_model(model.SerializeToString()),
        "CPU",
        {
            # The default is bfloat16 where the CPU has it, which would hide the float layers.
            "INFERENCE_PRECISION_HINT": "f32",
            "ENABLE_CPU_PINNING": False,
            "INFERENCE_NUM_THREADS": 1,
        },
    )
    layers = floats = written = 0
    for node in compiled.get_runtime_model().get_ordered_ops():
        kind = node.get_rt_info()["layerType"]
        if str(getattr(kind, "value", kind)) in ("Const", "Input", "Output", "Reshape"):
            continue
        layers += 1
        floats += node.output(0).element_type.get_type_name() == "f32"
        written += sum(int(np.prod(o.shape)) * o.element_type.size for o in node.outputs())
    return layers, floats, written


def test_every_placement_removes_float_layers_and_traffic(models):
    order = ("fp32", "qdq-naive", "qdq-residual", "qdq-residual-gap", "qdq-shared")
    facts = [engine_facts(models[name]) for name in order]
    floats = [f for _, f, _ in facts]
    written = [w for _, _, w in facts]
    assert floats == sorted(floats, reverse=True) and len(set(floats)) == len(floats), facts
    assert written == sorted(written, reverse=True) and len(set(written)) == len(written), facts


def test_quantized_networks_answer_like_the_float_one(models):
    openvino = pytest.importorskip("openvino")
    core = openvino.Core()
    image = make_resnet18.Uniform(5).draw((1, 3, 224, 224)) * 2
    answers = {}
    for name in ("fp32", "qdq-naive", "qdq-shared"):
        compiled = core.compile_model(
            core.read_model(models[name].SerializeToString()),
            "CPU",
            {
                "INFERENCE_PRECISION_HINT": "f32",
                "ENABLE_CPU_PINNING": False,
                # What the models say, not what INT8 kernels make of it: without VNNI they saturate,
                # which costs 29 dB.
                "LP_TRANSFORMS_MODE": "NO",
            },
        )
        answers[name] = compiled([image])[0]
    signal = np.square(answers["fp32"]).sum()
    for name in ("qdq-naive", "qdq-shared"):
        noise = np.square(answers[name] - answers["fp32"]).sum()
        # 37 dB measured; a wrong scale or a swapped weight costs tens of decibels.
        assert 10 * np.log10(signal / noise) > 30, name


def test_numpy_forward_pass_is_right(models):
    """The scales come from our own forward pass; it must compute what an engine computes."""
    openvino = pytest.importorskip("openvino")
    net = make_resnet18.tiny()
    weights = make_resnet18.make_weights(net, 18)
    image = make_resnet18.Uniform(7).draw((3, 8, 8))
    values = {"input": image.astype(np.float64)}
    for op in net.ops:
        values[op.name] = make_resnet18.forward(op, [values[i] for i in op.inputs], weights)
    core = openvino.Core()
    compiled = core.compile_model(
        core.read_model(models["tiny-fp32"].SerializeToString()),
        "CPU",
        {"INFERENCE_PRECISION_HINT": "f32", "ENABLE_CPU_PINNING": False},
    )
    np.testing.assert_allclose(compiled([image[None]])[0][0], values["fc"], rtol=1e-4, atol=1e-4)


def test_checker_accepts_all(models):
    for model in models.values():
        onnx.checker.check_model(model, full_check=True)
        assert model.opset_import[0].version == 17
