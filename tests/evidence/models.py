"""Small ONNX models from fixed seeds, and what a case of the evidence is."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

# Results are the same where nothing is left but the rounding of floats, or, where numbers of 8 bits
# are rounded in another place, this far above the quantization's own noise.
FLOAT_DB = 80.0
QUANTIZED_DB = 25.0


class Graph:
    """A graph that grows at its end; `tip` is the tensor there, `x` its input."""

    def __init__(self, *dims: int | str, opset: int = 17, seed: int = 1):
        self.nodes, self.constants, self.opset = [], [], opset
        self.inputs = {"x": dims}
        self.input_type = TensorProto.FLOAT
        self.outputs: list[str] = []
        self.random = np.random.default_rng(seed)
        self.tip = "x"

    def constant(self, data) -> str:
        name = f"k{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(data), name))
        return name

    def normal(self, *dims: int, scale: float | None = None) -> np.ndarray:
        if scale is None:
            scale = float(np.prod(dims[1:])) ** -0.5
        return (self.random.normal(size=dims) * scale).astype(np.float32)

    def add(self, op: str, *inputs, count: int = 1, name: str = "", **attributes) -> str:
        """The first output; inputs that are arrays become constants."""
        words = [word if isinstance(word, str) else self.constant(word) for word in inputs]
        label = name or f"{op.lower()}_{len(self.nodes)}"
        outs = [f"{label}.{i}" if i else label for i in range(count)]
        self.nodes.append(helper.make_node(op, words, outs, name=label, **attributes))
        self.tip = outs[0]
        return self.tip

    def outs(self) -> list[str]:
        return list(self.nodes[-1].output)

    def pair(self, tensor: str, scale: float = 0.03, zero=None) -> str:
        """Q/DQ; the type is that of the zero point, int8 without one."""
        zero = np.int8(0) if zero is None else zero
        words = [self.constant(np.float32(scale)), self.constant(zero)]
        small = self.add("QuantizeLinear", tensor, *words)
        return self.add("DequantizeLinear", small, *words)

    def small_weight(self, *dims: int, axis: int = 0) -> str:
        """DequantizeLinear of int8, a scale for each channel along the axis."""
        return self.small(self.normal(*dims), axis)

    def small(self, data: np.ndarray, axis: int = 0) -> str:
        others = tuple(i for i in range(data.ndim) if i != axis)
        spread = np.abs(data).max(axis=others, keepdims=True) / 127
        whole = np.clip(np.round(data / spread), -127, 127).astype(np.int8)
        scale, zero = spread.reshape(-1).astype(np.float32), np.zeros(data.shape[axis], np.int8)
        return self.add("DequantizeLinear", whole, scale, zero, axis=axis)

    def conv(
        self, tensor, inputs: int, outputs: int, kernel: int = 3, *, small=False, **attributes
    ) -> str:
        dims = (outputs, inputs // attributes.get("group", 1), kernel, kernel)
        weight = self.small_weight(*dims) if small else self.normal(*dims)
        bias = self.normal(outputs, scale=0.1)
        attributes.setdefault("pads", [kernel // 2] * 4)
        return self.add("Conv", tensor, weight, bias, **attributes)

    def model(self, *outputs: str) -> onnx.ModelProto:
        floats = TensorProto.FLOAT
        kind = self.input_type
        ins = [helper.make_tensor_value_info(n, kind, dims) for n, dims in self.inputs.items()]
        names = outputs or self.outputs or [self.tip]
        outs = [helper.make_tensor_value_info(name, floats, None) for name in names]
        graph = helper.make_graph(self.nodes, "evidence", ins, outs, self.constants)
        domains = {"": self.opset} | {node.domain: 1 for node in self.nodes if node.domain}
        opsets = [helper.make_opsetid(*item) for item in domains.items()]
        made = helper.make_model(graph, opset_imports=opsets, ir_version=10)
        return onnx.shape_inference.infer_shapes(made)


@dataclasses.dataclass(frozen=True)
class Advised:
    """The model that `planex advise --apply` makes of the one before, for the case's engine."""

    has_data: bool = False  # for tensors that have to be calibrated


@dataclasses.dataclass(frozen=True)
class Cast:
    """The model that `planex cast` makes of the one before."""

    to: str  # a type: "fp16"


@dataclasses.dataclass(frozen=True)
class Quantized:
    """The model that `planex quantize` makes of the float one, for the case's engine."""

    words: tuple[str, ...] = ()
    has_data: bool = True


@dataclasses.dataclass(frozen=True)
class Broken:
    """The model after, in which the rule is broken: all else is the same on both sides."""

    edit: Callable[[onnx.ModelProto], None]


Make = Callable[[], onnx.ModelProto]


@dataclasses.dataclass(frozen=True)
class Case:
    rule: str
    engines: tuple[str, ...]
    model: str  # what it is, in words
    change: str  # what following the advice was
    before: Make | Quantized | Broken
    after: Make | Advised | Cast | Quantized
    # How the caller's side changes: the order of the axes of inputs and outputs, by place.
    turned_inputs: Mapping[int, tuple[int, ...]] = dataclasses.field(default_factory=dict)
    turned_outputs: Mapping[int, tuple[int, ...]] = dataclasses.field(default_factory=dict)
    # The caller quantizes the input itself: scale and zero point, uint8.
    quantized_input: tuple[float, int] | None = None
    # Words of `planex process` for the model before, and after.
    before_words: tuple[str, ...] = ()
    after_words: tuple[str, ...] = ()
    same_db: float = FLOAT_DB  # from which on results are the same
    input_range: tuple[float, float] = (-3.0, 3.0)
    requests: int = 1  # inferences that one of the model after stands for
    kind: str = "lint"  # or "placement"
    # --- Of placement rules ---
    # Who says that the model before breaks the rule and the one after does not: "advise";
    # "quantize", in its record; "hand": neither judges by it, the models are written so.
    known_by: str = "advise"
    # "time"; "results": they are nearer to those of the float model, whatever it takes; "refused":
    # the engine does not take the model before.
    about: str = "time"
    float_model: Make | None = None  # what both are compared with, and Quantized is made of
    message: str = ""  # a pattern: what the engine says of a model that it refuses
    # Of the engine's process: a processor with fewer instructions.
    environment: Mapping[str, str] = dataclasses.field(default_factory=dict)
