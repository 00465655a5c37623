"""The rules of src/engines/engine_rules.cc: the smallest models of both sides, in the real engine.

A rule whose proof is "built" has its row here: models that the engine fuses,
and models that it does not.
"""

from __future__ import annotations

import json
import pathlib
import re
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

ROOT = pathlib.Path(__file__).parents[2]
node = helper.make_node

# Prints the operators that ONNX Runtime makes of each model.
OPTIMIZE = """
import sys, onnxruntime
for path in sys.argv[1:]:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.optimized_model_filepath = path + ".optimized"
    onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
"""


class Model:
    """A graph that grows at its end; `tip` is the tensor there."""

    def __init__(self, opset: int, *dims: int):
        self.nodes, self.constants, self.opset, self.dims = [], [], opset, dims
        self.tip = "x"

    def constant(self, data, kind=None) -> str:
        name = f"k{len(self.constants)}"
        data = np.asarray(data)
        if kind is None:
            self.constants.append(numpy_helper.from_array(data, name))
        else:
            values = data.ravel().tolist()
            self.constants.append(helper.make_tensor(name, kind, data.shape, values))
        return name

    def add(self, op: str, *inputs: str, outputs: int = 1, **attributes) -> list[str]:
        names = [f"t{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(node(op, list(inputs), names, name=f"n{len(self.nodes)}", **attributes))
        self.tip = names[0]
        return names

    def pair(self, tensor: str, zero, scale: float = 0.05) -> str:
        """Q/DQ; the type is that of the zero point."""
        zero = zero if isinstance(zero, str) else self.constant(zero)
        words = [self.constant(np.asarray(scale, np.float32)), zero]
        (small,) = self.add("QuantizeLinear", tensor, *words)
        return self.add("DequantizeLinear", small, *words)[0]

    def weight(self, *dims: int, zero: int = 0) -> str:
        data = (np.arange(np.prod(dims)) % 200 - 100).astype(np.int8).reshape(dims)
        scale = self.constant(np.float32(0.01))
        zero = self.constant(np.int8(zero))
        return self.add("DequantizeLinear", self.constant(data), scale, zero)[0]

    def save(self, path: pathlib.Path) -> pathlib.Path:
        float_type = TensorProto.FLOAT
        inputs = [helper.make_tensor_value_info("x", float_type, self.dims)]
        outputs = [helper.make_tensor_value_info(self.tip, float_type, None)]
        graph = helper.make_graph(self.nodes, path.stem, inputs, outputs, self.constants)
        opsets = [helper.make_opsetid("", self.opset)]
        onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=10), path)
        return path


U8, I8 = np.uint8, np.int8
UNSIGNED = U8(0)


def convolution(
    *behind,
    read=UNSIGNED,
    write=UNSIGNED,
    second=False,
    quantized=True,
    weights_only=False,
    add=None,
    scale=0.05,
    op="Conv",
    bias=None,
    other=None,
    weight_zero=0,
    is_list=False,
) -> Model:
    """Q/DQ, Conv, operations behind, Q/DQ. second: another reader dequantizes the input, too;
    other: something reads what the Conv writes ("float"), or what is quantized ("pair")."""
    model = Model(17, 1, 16, 8, 8)
    if is_list:
        read, scale = np.full(1, read), np.full(1, scale)
    data = "x" if weights_only else model.pair("x", read, scale if is_list else 0.05)
    words = model.nodes[-1].input[1:] if second else []
    read_again = model.add("DequantizeLinear", model.nodes[0].output[0], *words) if second else None
    inputs = [data, model.weight(16, 16, 3, 3, zero=weight_zero)]
    if bias is not None:
        inputs.append(model.constant(np.full(16, bias, np.float32)))
    (made,) = model.add(op, *inputs, pads=[1, 1, 1, 1])
    for step in behind:
        extra = []
        if step == "BatchNormalization":
            extra = [model.constant(np.ones(16, np.float32)) for _ in range(4)]
        elif step == "Clip":
            extra = [model.constant(np.float32(0)), model.constant(np.float32(6))]
        model.add(step, model.tip, *extra)
    if add is not None:
        own = model.pair(model.tip, write) if add == "both" else model.tip
        skip = model.pair("x", write)
        model.add("Add", own, skip)
    if quantized:
        model.pair(model.tip, write, scale)
    if read_again or other:
        end = model.tip
        by_other = {"float": made, "pair": end}
        (gate,) = model.add("Sigmoid", read_again[0] if read_again else by_other[other])
        model.add("Mul", end, gate)
    return model


def product(op="MatMul", *, quantized=True, weights=True, bias="float") -> Model:
    model = Model(17, 8, 64)
    data = model.pair("x", U8(0))
    right = model.weight(64, 64)
    if not weights:
        right = model.constant(np.ones((64, 64), np.float32))
    more = []
    if op == "Gemm" and bias == "float":
        more = [model.constant(np.zeros(64, np.float32))]
    elif op == "Gemm" and bias == "int":
        words = [model.constant(np.float32(0.05 * 0.01)), model.constant(np.int32(0))]
        more = model.add("DequantizeLinear", model.constant(np.arange(64, dtype=np.int32)), *words)
    model.add(op, data, right, *more)
    if op == "MatMul" and bias == "behind":
        model.add("Add", model.tip, model.constant(np.ones(64, np.float32)))
    if quantized:
        model.pair(model.tip, U8(0))
    return model


def small_weights(block=32, axis=0, readers=1, kind=TensorProto.INT4, behind=()) -> Model:
    model = Model(21, 8, 64)
    values = np.arange(64 * 64).reshape(64, 64) % 7
    scales = [64 // block, 64] if axis == 0 else [64, 64 // block]
    words = [model.constant(values, kind), model.constant(np.full(scales, 0.1, np.float32))]
    (right,) = model.add("DequantizeLinear", *words, axis=axis, block_size=block)
    outs = [model.add("MatMul", "x", right)[0] for _ in range(readers)]
    for out in outs[1:]:
        model.add("Add", outs[0], out)
    for op in behind or ("Relu",):
        more = [model.constant(np.ones(64, np.float32))] if op == "Add" else []
        model.add(op, model.tip, *more)
    return model


def dynamic(convolutional: bool) -> Model:
    model = Model(17, *([1, 16, 8, 8] if convolutional else [8, 64]))
    dims = [16, 16, 3, 3] if convolutional else [64, 64]
    weights = model.constant((np.arange(np.prod(dims)) % 99).astype(np.int8).reshape(dims))
    small, scale, zero = model.add("DynamicQuantizeLinear", "x", outputs=3)
    op = "ConvInteger" if convolutional else "MatMulInteger"
    more = {"pads": [1, 1, 1, 1]} if convolutional else {}
    (sums,) = model.add(op, small, weights, zero, model.constant(np.int8(0)), **more)
    (floats,) = model.add("Cast", sums, to=TensorProto.FLOAT)
    (scales,) = model.add("Mul", scale, model.constant(np.float32(0.01)))
    model.add("Mul", floats, scales)
    return model


def eight_bits(kind) -> Model:
    """A MatMul between Q/DQ of FP8, or of INT8."""
    if kind is None:
        return product()
    model = Model(19, 8, 64)
    zero = model.constant(np.float32(0.0), kind)
    data = model.pair("x", zero)
    weights = model.constant(np.ones((64, 64), np.float32), kind)
    scale = model.constant(np.float32(0.05))
    (right,) = model.add("DequantizeLinear", weights, scale, zero)
    model.add("MatMul", data, right)
    model.pair(model.tip, zero)
    return model


FP8 = TensorProto.FLOAT8E4M3FN

# Rule -> (models that fuse, models that stay, the operator that fusing makes).
ONNXRUNTIME = {
    "ort-conv-quantized-output": (
        [convolution()],
        [convolution(quantized=False)],
        "QLinearConv",
    ),
    "ort-conv-equal-types": (
        [convolution(second=True), convolution(read=I8(0), write=I8(0))],
        [convolution(second=True, read=I8(0)), convolution(second=True, read=I8(0), write=I8(0))],
        "QLinearConv",
    ),
    "ort-conv-activation": (
        [
            convolution("Relu"),
            convolution("Relu", read=I8(0), write=I8(-128)),
            convolution("Clip", scale=6 / 255),
            convolution("Clip", scale=0.02, bias=0.1),
        ],
        [
            convolution("Relu", read=I8(0), write=I8(0)),
            convolution("Relu", write=U8(10)),
            convolution("Clip"),
            convolution("Clip", scale=6 / 255, write=U8(10)),
            convolution("Sigmoid"),
            convolution("LeakyRelu"),
        ],
        "QLinearConv",
    ),
    "ort-conv-normalization": (
        [convolution()],
        [convolution("BatchNormalization"), convolution("BatchNormalization", "Relu")],
        "QLinearConv",
    ),
    "ort-conv-addition": ([convolution(add="both")], [convolution(add="one")], "QLinearConv"),
    "ort-conv-other-readers": (
        [convolution(), convolution(other="pair")],
        [convolution(other="float")],
        "QLinearConv",
    ),
    "ort-no-transposed-convolution": (
        [convolution(bias=0.1)],
        [convolution(op="ConvTranspose"), convolution(op="ConvTranspose", bias=0.1)],
        "QLinearConv(Transpose)?|ConvTransposeInteger",
    ),
    "ort-add-both-inputs": ([convolution(add="both")], [convolution(add="one")], "QLinearAdd"),
    "ort-gemm-output": (
        [
            product("Gemm"),
            product("MatMul", bias="behind"),
            product("Gemm", quantized=False, bias="int"),
            product("Gemm", quantized=False, bias=None),
        ],
        [product("Gemm", quantized=False), product("MatMul", quantized=False, bias="behind")],
        "QGemm",
    ),
    "ort-zero-point": (
        [convolution(read=U8(128), write=U8(128)), convolution()],
        [convolution("Relu", read=U8(128), write=U8(128))],
        "QLinearConv",
    ),
    "ort-no-fp8-products": ([eight_bits(None)], [eight_bits(FP8)], "QLinearMatMul"),
    "ort-dynamic-convolution": ([convolution()], [dynamic(True)], "QLinearConv"),
    "ort-dynamic-product": ([dynamic(False)], [dynamic(True)], "DynamicQuantizeMatMul"),
    "ort-weights-of-products": (
        [
            small_weights(),
            small_weights(16),
            small_weights(kind=TensorProto.INT8),
            small_weights(behind=("Sigmoid", "Sqrt")),
        ],
        [
            small_weights(8),
            small_weights(axis=1),
            small_weights(readers=2),
            small_weights(behind=("Relu", "Sqrt")),
            small_weights(behind=("Add", "Relu", "Sqrt")),
        ],
        "MatMulNBits",
    ),
    "ort-weights-of-convolutions": (
        [convolution()],
        [convolution(weights_only=True, quantized=False)],
        "QLinearConv",
    ),
    "ort-matmul-output": (
        [product(), product(quantized=False)],
        [product(weights=False)],
        "QLinearMatMul|MatMulIntegerToFloat",
    ),
}


# Rule -> (models whose layer runs in INT8, models where it runs in float).
FLOAT_INPUT = [convolution(weights_only=True)]
OPENVINO = {
    "openvino-zero-point": (
        [
            convolution(),
            convolution(read=U8(128), write=U8(128)),
            convolution(read=I8(0), write=I8(0)),
            convolution(read=I8(5), write=I8(5)),
        ],
        FLOAT_INPUT,
    ),
    "openvino-conv-quantized-output": ([convolution(quantized=False)], FLOAT_INPUT),
    "openvino-conv-equal-types": (
        [convolution(read=I8(0)), convolution(write=I8(0))],
        FLOAT_INPUT,
    ),
    "openvino-conv-activation": (
        [
            convolution("Relu"),
            convolution("Relu", read=I8(0), write=I8(0)),
            convolution("Clip"),
            convolution("Sigmoid"),
        ],
        FLOAT_INPUT,
    ),
    "openvino-conv-normalization": (
        [convolution("BatchNormalization"), convolution("BatchNormalization", "Relu")],
        FLOAT_INPUT,
    ),
    "openvino-scale-rank": ([convolution(), convolution(is_list=True)], FLOAT_INPUT),
    "openvino-weight-zero-point": ([convolution()], [convolution(weight_zero=3)]),
    "openvino-weights-of-convolutions": (
        [convolution()],
        [convolution(weights_only=True, quantized=False)],
    ),
    "openvino-transposed-convolution": (
        [convolution(op="ConvTranspose")],
        [convolution(op="ConvTranspose", weights_only=True)],
    ),
    "openvino-matmul-output": (
        [product(), product(quantized=False), product("Gemm", quantized=False)],
        [product(weights=False)],
    ),
    "openvino-no-fp8-products": ([eight_bits(None)], [eight_bits(FP8)]),
    "openvino-dynamic-convolution": ([convolution()], [dynamic(True)]),
    "openvino-dynamic-product": ([product()], [dynamic(False)]),
}
# The same for TensorRT-RTX, which builds engines without a GPU.
ZERO = I8(0)
SCALAR = convolution(read=ZERO, write=ZERO)


def signed_product() -> Model:
    model = Model(17, 8, 64)
    model.add("MatMul", model.pair("x", ZERO), model.weight(64, 64))
    return model


TENSORRT_RTX = {
    "rtx-scalar-scale": (
        [SCALAR, convolution("Relu", read=ZERO, write=ZERO)],
        [convolution(read=ZERO, write=ZERO, is_list=True)],
    ),
    "rtx-zero-point": ([SCALAR], [convolution(read=I8(3), write=ZERO)]),
    "rtx-weights-of-products": ([signed_product()], [small_weights(64)]),
    "rtx-weights-of-convolutions": (
        [SCALAR],
        [convolution(weights_only=True, quantized=False)],
    ),
}

WEIGHTED = ["Convolution", "Deconvolution", "FullyConnected", "MatMul"]


def layers_of(planex, folder) -> list[dict]:
    table = json.loads(planex("layers", folder, "--format", "json").stdout)
    columns = [column["name"] for column in table["columns"]]
    return [dict(zip(columns, row, strict=True)) for row in table["rows"]]


@pytest.mark.parametrize("rule", OPENVINO)
def test_openvino_does_it_on_one_side_alone(planex, tmp_path, rule):
    """The type that the layer reads, in an engine of OpenVINO on this processor."""
    short = ["--", "--profile-ms", "5", "--duration-ms", "5"]
    for is_quantized, models in zip([True, False], OPENVINO[rule], strict=True):
        for i, model in enumerate(models):
            path = model.save(tmp_path / f"{is_quantized}{i}.onnx")
            folder = tmp_path / f"{is_quantized}{i}"
            planex("process", path, "--engine", "openvino", "-o", folder, *short)
            rows = layers_of(planex, folder)
            (read,) = [row["precision"] for row in rows if row["type"] in WEIGHTED]
            assert (read in ("INT8", "UINT8")) == is_quantized, rows


@pytest.mark.parametrize("rule", TENSORRT_RTX)
def test_tensorrt_rtx_does_it_on_one_side_alone(planex, drivers_python, tmp_path, rule):
    """The type that the product reads, and that its weights need no kernel of their own."""
    fuses, stays = TENSORRT_RTX[rule]
    for is_quantized, models in ((True, fuses), (False, stays)):
        for i, model in enumerate(models):
            path = model.save(tmp_path / f"{is_quantized}{i}.onnx")
            folder = tmp_path / f"{is_quantized}{i}"
            words = ["--engine", "tensorrt-rtx", "--python", drivers_python, "-o", folder]
            if rule == "rtx-zero-point" and not is_quantized:
                refused = planex("process", path, *words, code=None)
                assert refused.returncode != 0
                assert "Non-zero zero point is not supported" in refused.stderr
                continue
            planex("process", path, *words)
            rows = layers_of(planex, folder)
            products = ("correlation", "gemm", "runtime_fusion")
            # A fused one says of what: "matrix product (runtime_fusion)".
            (read,) = [
                row["precision"] for row in rows if any(word in row["type"] for word in products)
            ]
            assert read == ("INT8" if is_quantized else "FP32"), rows
            # "CastMul": what makes weights float, at every inference.
            expands = [row for row in rows if re.match(r"__myl_CastMul(Cast)?_", row["name"])]
            assert bool(expands) != is_quantized, rows


@pytest.fixture(scope="module")
def made(drivers_python, tmp_path_factory) -> dict[int, list[str]]:
    """What ONNX Runtime makes of each model, by the model's id."""
    folder = tmp_path_factory.mktemp("sides")
    models = [m for fuse, stay, _ in ONNXRUNTIME.values() for m in [*fuse, *stay]]
    paths = [model.save(folder / f"{i}.onnx") for i, model in enumerate(models)]
    subprocess.run([drivers_python, "-c", OPTIMIZE, *map(str, paths)], check=True)
    found = {}
    for model, path in zip(models, paths, strict=True):
        graph = onnx.load(f"{path}.optimized").graph
        found[id(model)] = [item.op_type for item in graph.node]
    return found


@pytest.mark.parametrize("rule", ONNXRUNTIME)
def test_onnxruntime_does_it_on_one_side_alone(made, rule):
    fuses, stays, fused = ONNXRUNTIME[rule]
    for model in fuses:
        assert [op for op in made[id(model)] if re.fullmatch(fused, op)], made[id(model)]
    for model in stays:
        assert not [op for op in made[id(model)] if re.fullmatch(fused, op)], made[id(model)]


def test_each_rule_that_is_said_to_be_built_is_built():
    text = (ROOT / "src/engines/engine_rules.cc").read_text("utf-8")
    rows = re.findall(r'\.id = "([^"]+)".*?\.proof = Proof::k(\w+)', text, re.DOTALL)
    assert len(rows) > 10
    assert {rule for rule, proof in rows if proof == "Built"} == {
        *ONNXRUNTIME,
        *OPENVINO,
        *TENSORRT_RTX,
    }
