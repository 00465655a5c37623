#!/usr/bin/env python3
"""Writes ResNet-18 as ONNX, in floating point and with four placements of Q/DQ pairs.

    make_resnet18.py [--variant NAME|all] [--batch N] [--seed N] [--samples N] [-o DIR]

All files of one seed hold the same network; they differ only in where QuantizeLinear and
DequantizeLinear stand. So a comparison of the engines built from them shows what the placement
costs:

    fp32              no Q/DQ
    qdq-naive         before every convolution and the fully connected layer, one pair per reader
    qdq-residual      + the skip input of every addition
    qdq-residual-gap  + before the global average pooling
    qdq-shared        one pair per tensor for all its readers; + before the max pooling (and so
                      none behind it) and on the other input of every addition
    tiny-fp32         three convolutions and one skip connection on 8x8 images, for tests
    tiny-qdq          the same network, Q/DQ placed as in qdq-naive

With --samples, also samples.npz: random pictures, like the one that the scales come from.

Nothing is downloaded: the weights are random (He initialisation, uniform), batch normalisation
counts as folded into the convolutions. The accuracy of such a network means nothing; its layers,
shapes and timings are those of the real one.

The same arguments give the same bytes on every machine. Two things see to that: the weights come
from the raw 64-bit output of PCG64, which NumPy promises never to change, and use exact arithmetic
only; and the activation scales, which come from a forward pass (one random image, in float64), are
rounded up to four significant bits, far coarser than the differences between BLAS libraries.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import pathlib
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 17
IR_VERSION = 8  # The IR version that belongs to opset 17; older readers refuse newer ones.
SCALE_BITS = 4


# --- The network ------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Op:
    """One operation. `inputs` names operations ("input" is the model's input)."""

    name: str
    kind: str  # conv, relu, maxpool, add, avgpool, flatten, fc
    inputs: tuple[str, ...]
    in_channels: int = 0
    out_channels: int = 0
    kernel: int = 0
    stride: int = 1
    pad: int = 0
    gain: float = 2.0  # He: variance of the weights = gain / fan-in


@dataclasses.dataclass(frozen=True)
class Network:
    name: str
    image: int  # height and width of the input
    classes: int
    ops: tuple[Op, ...]


def basic_block(ops: list[Op], prefix: str, source: str, cin: int, cout: int, stride: int) -> str:
    """Appends one residual block and returns the name of its last operation."""
    ops.append(Op(f"{prefix}.conv1", "conv", (source,), cin, cout, 3, stride, 1))
    ops.append(Op(f"{prefix}.relu1", "relu", (f"{prefix}.conv1",)))
    # A block adds to what it got. Without a smaller gain in its last convolution the activations
    # of a network without batch normalisation grow from block to block.
    ops.append(Op(f"{prefix}.conv2", "conv", (f"{prefix}.relu1",), cout, cout, 3, 1, 1, gain=0.5))
    skip = source
    if stride != 1 or cin != cout:
        skip = f"{prefix}.downsample"
        ops.append(Op(skip, "conv", (source,), cin, cout, 1, stride, 0, gain=1.0))
    ops.append(Op(f"{prefix}.add", "add", (f"{prefix}.conv2", skip)))
    ops.append(Op(f"{prefix}.relu2", "relu", (f"{prefix}.add",)))
    return f"{prefix}.relu2"


def head(ops: list[Op], source: str, channels: int, classes: int) -> None:
    ops.append(Op("avgpool", "avgpool", (source,)))
    ops.append(Op("flatten", "flatten", ("avgpool",)))
    ops.append(Op("fc", "fc", ("flatten",), channels, classes, gain=1.0))


def resnet18() -> Network:
    """ResNet-18 as in He et al. 2015 (arXiv:1512.03385), table 1; names as in torchvision."""
    ops = [
        Op("conv1", "conv", ("input",), 3, 64, 7, 2, 3),
        Op("relu", "relu", ("conv1",)),
        Op("maxpool", "maxpool", ("relu",), kernel=3, stride=2, pad=1),
    ]
    last, channels = "maxpool", 64
    for stage, width in enumerate((64, 128, 256, 512), start=1):
        for block in range(2):
            stride = 2 if stage > 1 and block == 0 else 1
            last = basic_block(ops, f"layer{stage}.{block}", last, channels, width, stride)
            channels = width
    head(ops, last, channels, 1000)
    return Network("resnet18", 224, 1000, tuple(ops))


def tiny() -> Network:
    ops = [
        Op("conv1", "conv", ("input",), 3, 8, 3, 1, 1),
        Op("relu", "relu", ("conv1",)),
    ]
    last = basic_block(ops, "layer1.0", "relu", 8, 8, 1)
    head(ops, last, 8, 10)
    return Network("tiny", 8, 10, tuple(ops))


# --- Weights and scales -------------------------------------------------------------------------


class Uniform:
    """Uniform numbers in [-1, 1) with 24 bits, so that each is exact in float32."""

    def __init__(self, seed: int):
        self._bits = np.random.PCG64(seed)

    def draw(self, shape: tuple[int, ...]) -> np.ndarray:
        raw = self._bits.random_raw(math.prod(shape)) >> np.uint64(40)
        return (raw.astype(np.float64) / 2**23 - 1.0).astype(np.float32).reshape(shape)


def make_weights(net: Network, seed: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Weight and bias of every convolution and of the fully connected layer."""
    uniform = Uniform(seed)
    weights = {}
    for op in net.ops:
        if op.kind not in ("conv", "fc"):
            continue
        shape = (op.out_channels, op.in_channels)
        if op.kind == "conv":
            shape += (op.kernel, op.kernel)
        # A uniform distribution over [-limit, limit] has the variance limit² / 3.
        limit = np.float32(math.sqrt(3.0 * op.gain / math.prod(shape[1:])))
        bias = uniform.draw((op.out_channels,)) * np.float32(0.05)
        weights[op.name] = (uniform.draw(shape) * limit, bias)
    return weights


def windows(x: np.ndarray, kernel: int, stride: int, pad: int, fill: float) -> np.ndarray:
    """x[C,H,W] -> [C,H',W',kernel,kernel], a view."""
    x = np.pad(x, ((0, 0), (pad, pad), (pad, pad)), constant_values=fill)
    view = np.lib.stride_tricks.sliding_window_view(x, (kernel, kernel), axis=(1, 2))
    return view[:, ::stride, ::stride]


def forward(op: Op, args: list[np.ndarray], weights: dict) -> np.ndarray:
    """One operation on one image, in float64."""
    x = args[0]
    if op.kind == "conv":
        weight, bias = (w.astype(np.float64) for w in weights[op.name])
        w = windows(x, op.kernel, op.stride, op.pad, 0.0)
        return np.tensordot(weight, w, axes=([1, 2, 3], [0, 3, 4])) + bias[:, None, None]
    if op.kind == "fc":
        weight, bias = (w.astype(np.float64) for w in weights[op.name])
        return weight @ x + bias
    if op.kind == "relu":
        return np.maximum(x, 0.0)
    if op.kind == "maxpool":
        return windows(x, op.kernel, op.stride, op.pad, -np.inf).max(axis=(3, 4))
    if op.kind == "add":
        return args[0] + args[1]
    if op.kind == "avgpool":
        return x.mean(axis=(1, 2), keepdims=True)
    return x.reshape(-1)  # flatten


def round_up(value: float, bits: int) -> float:
    """The smallest number with `bits` significant bits that is not below value."""
    mantissa, exponent = math.frexp(value)
    return math.ldexp(math.ceil(mantissa * 2**bits), exponent - bits)


def calibrate(net: Network, weights: dict, seed: int) -> dict[str, np.float32]:
    """The INT8 scale of every tensor: its largest magnitude on one random image, over 127."""
    image = Uniform(seed + 1).draw((3, net.image, net.image)).astype(np.float64) * 2.0
    values = {"input": image}
    for op in net.ops:
        values[op.name] = forward(op, [values[name] for name in op.inputs], weights)
    return {
        name: np.float32(round_up(float(np.abs(value).max()) / 127.0, SCALE_BITS))
        for name, value in values.items()
    }


# --- Q/DQ placement -----------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Placement:
    """Which inputs get a Q/DQ pair, beside those of convolutions and the fully connected layer."""

    residual: bool = False  # the skip input of additions
    gap: bool = False  # the global average pooling
    everywhere: bool = False  # the max pooling and the main input of additions
    shared: bool = False  # one pair per tensor, not per reader

    def pair_name(self, op: Op, index: int) -> str | None:
        """The name of the pair on one input of an operation, or None where there is none."""
        if op.kind in ("conv", "fc"):
            return f"{op.name}.input"
        if op.kind == "add":
            block = op.name.removesuffix(".add")
            if index == 1:
                return f"{block}.residual" if self.residual else None
            return f"{block}.mainadd" if self.everywhere else None
        if (op.kind == "avgpool" and self.gap) or (op.kind == "maxpool" and self.everywhere):
            return f"{op.name}.input"
        return None


@dataclasses.dataclass(frozen=True)
class Variant:
    name: str
    network: str
    placement: Placement | None

    @property
    def file_name(self) -> str:
        return f"{self.name}.onnx" if self.network == "tiny" else f"{self.network}-{self.name}.onnx"


NETWORKS = {"resnet18": resnet18, "tiny": tiny}
VARIANTS = {
    v.name: v
    for v in (
        Variant("fp32", "resnet18", None),
        Variant("qdq-naive", "resnet18", Placement()),
        Variant("qdq-residual", "resnet18", Placement(residual=True)),
        Variant("qdq-residual-gap", "resnet18", Placement(residual=True, gap=True)),
        Variant(
            "qdq-shared",
            "resnet18",
            Placement(residual=True, gap=True, everywhere=True, shared=True),
        ),
        Variant("tiny-fp32", "tiny", None),
        Variant("tiny-qdq", "tiny", Placement()),
    )
}


# --- ONNX ---------------------------------------------------------------------------------------


class Writer:
    """Collects the nodes and initialisers of one ONNX graph."""

    def __init__(self, net: Network, placement: Placement | None, weights: dict, scales: dict):
        self._net, self._placement = net, placement
        self._weights, self._scales = weights, scales
        self._kinds = {op.name: op.kind for op in net.ops}
        self._nodes: list[onnx.NodeProto] = []
        self._initializers: dict[str, onnx.TensorProto] = {}
        self._pairs: dict[str, str] = {}  # what a pair is found by -> its output tensor

    def model(self, batch: int, title: str) -> onnx.ModelProto:
        for op in self._net.ops:
            self._add(op)
        image = [batch, 3, self._net.image, self._net.image]
        answer = [batch, self._net.classes]
        graph = helper.make_graph(
            self._nodes,
            self._net.name,
            [helper.make_tensor_value_info("input", TensorProto.FLOAT, image)],
            [helper.make_tensor_value_info("output", TensorProto.FLOAT, answer)],
            list(self._initializers.values()),
        )
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR_VERSION,
            producer_name="make_resnet18",
            doc_string=f"{title}: random weights, for measuring only",
        )
        model = onnx.shape_inference.infer_shapes(model, strict_mode=True)
        onnx.checker.check_model(model, full_check=True)
        return model

    def _tensor(self, name: str) -> str:
        if name == "input":
            return "input"
        return "output" if name == self._net.ops[-1].name else f"{name}.output"

    def _node(self, op_type: str, name: str, inputs: list[str], output: str, **attributes) -> str:
        self._nodes.append(helper.make_node(op_type, inputs, [output], name=name, **attributes))
        return output

    def _constant(self, name: str, value: np.ndarray) -> str:
        self._initializers.setdefault(name, numpy_helper.from_array(value, name))
        return name

    def _input(self, op: Op, index: int) -> str:
        """The tensor an operation reads: the producer's, or that of a Q/DQ pair behind it."""
        source = op.inputs[index]
        pair = self._placement.pair_name(op, index) if self._placement else None
        if pair is None or (self._placement.shared and self._kinds.get(source) == "maxpool"):
            # Max pooling picks among quantized values; quantizing those again would be in vain.
            return self._tensor(source)
        key = source if self._placement.shared else pair
        if key not in self._pairs:
            scale = self._constant(f"{pair}.scale", self._scales[source])
            zero = self._constant(f"{pair}.zero_point", np.int8(0))
            quantized = self._node(
                "QuantizeLinear",
                f"{pair}.QuantizeLinear",
                [self._tensor(source), scale, zero],
                f"{pair}.quantized",
            )
            self._pairs[key] = self._node(
                "DequantizeLinear",
                f"{pair}.DequantizeLinear",
                [quantized, scale, zero],
                f"{pair}.dequantized",
            )
        return self._pairs[key]

    def _weight(self, op: Op) -> str:
        """The weight tensor: float, or INT8 with one scale per output channel."""
        name, weight = f"{op.name}.weight", self._weights[op.name][0]
        if self._placement is None:
            return self._constant(name, weight)
        channels = (op.out_channels,) + (1,) * (weight.ndim - 1)
        scale = np.abs(weight).reshape(op.out_channels, -1).max(axis=1) / np.float32(127.0)
        quantized = np.rint(weight / scale.reshape(channels)).astype(np.int8)
        inputs = [
            self._constant(f"{name}.quantized", quantized),
            self._constant(f"{name}.scale", scale),
            self._constant(f"{name}.zero_point", np.zeros(op.out_channels, np.int8)),
        ]
        return self._node("DequantizeLinear", f"{name}.DequantizeLinear", inputs, name, axis=0)

    def _add(self, op: Op) -> None:
        inputs = [self._input(op, i) for i in range(len(op.inputs))]
        window = {
            "kernel_shape": [op.kernel] * 2,
            "strides": [op.stride] * 2,
            "pads": [op.pad] * 4,
        }
        if op.kind in ("conv", "fc"):
            inputs.append(self._weight(op))
            inputs.append(self._constant(f"{op.name}.bias", self._weights[op.name][1]))
        op_type, attributes = {
            "conv": ("Conv", window),
            "fc": ("Gemm", {"transB": 1}),
            "relu": ("Relu", {}),
            "maxpool": ("MaxPool", window),
            "add": ("Add", {}),
            "avgpool": ("GlobalAveragePool", {}),
            "flatten": ("Flatten", {"axis": 1}),
        }[op.kind]
        self._node(op_type, op.name, inputs, self._tensor(op.name), **attributes)


def make_model(variant: str, batch: int = 1, seed: int = 18) -> onnx.ModelProto:
    """The model of one variant, checked and with all shapes inferred."""
    chosen = VARIANTS[variant]
    net = NETWORKS[chosen.network]()
    weights = make_weights(net, seed)
    scales = calibrate(net, weights, seed) if chosen.placement else {}
    title = chosen.file_name.removesuffix(".onnx")
    return Writer(net, chosen.placement, weights, scales).model(batch, title)


def write_model(variant: str, folder: pathlib.Path, batch: int, seed: int) -> pathlib.Path:
    """Writes one variant; a file under its final name is always complete."""
    path = folder / VARIANTS[variant].file_name
    partial = path.with_name(path.name + ".partial")
    model = make_model(variant, batch, seed)
    partial.write_bytes(model.SerializeToString(deterministic=True))
    partial.replace(path)
    return path


def write_samples(folder: pathlib.Path, image: int, count: int, seed: int) -> pathlib.Path:
    """Pictures to judge or calibrate with; none of them is the one that the scales come from."""
    path = folder / "samples.npz"
    pictures = Uniform(seed + 2).draw((count, 3, image, image)) * np.float32(2.0)
    np.savez(path, input=pictures)
    return path


def main(argv: list[str] | None = None) -> int:
    def positive(text: str) -> int:
        number = int(text)
        if number < 1:
            raise argparse.ArgumentTypeError(f"{number} is not positive")
        return number

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--variant", default="all", choices=[*VARIANTS, "all"])
    parser.add_argument("--batch", type=positive, default=1)
    parser.add_argument("--seed", type=int, default=18)
    parser.add_argument("--samples", type=positive, metavar="N", help="also write N pictures")
    parser.add_argument(
        "-o", "--output", type=pathlib.Path, default=pathlib.Path("."), metavar="DIR"
    )
    args = parser.parse_args(argv)

    args.output.mkdir(parents=True, exist_ok=True)
    # "all" is what a user wants to look at; the tiny ones are for tests and asked for by name.
    full = [name for name, v in VARIANTS.items() if v.network == "resnet18"]
    names = full if args.variant == "all" else [args.variant]
    for name in names:
        print(write_model(name, args.output, args.batch, args.seed))
    if args.samples:
        image = NETWORKS[VARIANTS[names[0]].network]().image
        print(write_samples(args.output, image, args.samples, args.seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
