"""Small models for test_clean.py: what exporters write, and what is left of it.

A case is the model, the operators that are left, and the passes that do it.
"""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

NHWC, NCHW = [0, 2, 3, 1], [0, 3, 1, 2]


@dataclasses.dataclass
class Case:
    model: onnx.ModelProto
    left: str  # operators, in their order
    passes: set[str]
    exact: bool = False


class Net:
    """Writes a model node by node; names are numbers."""

    def __init__(self, *shape, kind=TensorProto.FLOAT, opset=20):
        self.nodes, self.constants, self.opset = [], [], opset
        self.inputs = [helper.make_tensor_value_info("x", kind, shape)]
        self.draw = np.random.default_rng(7)
        self.count = itertools.count()

    def const(self, values, kind="float32"):
        name = f"c{next(self.count)}"
        self.constants.append(numpy_helper.from_array(np.asarray(values, kind), name))
        return name

    def ints(self, *values):
        return self.const(values, "int64")

    def weight(self, *shape):
        return self.const(self.draw.normal(0, 0.3, shape))

    def add(self, op, *inputs, outputs=1, **attributes):
        made = [f"t{next(self.count)}" for _ in range(outputs)]
        inputs = [self.const(one) if isinstance(one, float) else one for one in inputs]
        node = helper.make_node(op, inputs, made, name=f"n_{made[0]}", **attributes)
        self.nodes.append(node)
        return made[0] if outputs == 1 else made

    def conv(self, x, inputs, outputs, kernel=3, bias=True, **attributes):
        words = [x, self.weight(outputs, inputs, kernel, kernel)]
        if bias:
            words.append(self.weight(outputs))
        attributes.setdefault("pads", [kernel // 2] * 4)
        return self.add("Conv", *words, **attributes)

    def norm(self, x, channels):
        positive = [self.const(self.draw.uniform(0.5, 1.5, channels)) for _ in range(2)]
        scale, variance = positive
        return self.add(
            "BatchNormalization", x, scale, self.weight(channels), self.weight(channels), variance
        )

    def turned(self, x, perm):
        return self.add("Transpose", x, perm=perm)

    def done(self, *outputs, left, passes, kind=TensorProto.FLOAT, exact=False):
        made = [helper.make_tensor_value_info(name, kind, None) for name in outputs]
        graph = helper.make_graph(self.nodes, "g", self.inputs, made, self.constants)
        opsets = [helper.make_opsetid("", self.opset)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=9)
        # Fills in the shapes of outputs and of all tensors in between.
        model = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True)
        return Case(model, left, set(passes.split()), exact)


def no_ops():
    net = Net(2, 4)
    x = net.add("Identity", "x")
    x = net.add("Dropout", x, 0.5)
    x = net.add("Relu", x)
    x = net.add("Mul", x, net.const([1, 1, 1, 1]))
    x = net.add("Add", x, 0.0)
    x = net.add("Reshape", x, net.ints(2, 4))
    x = net.add("Cast", x, to=TensorProto.FLOAT)
    x = net.add("Slice", x, net.ints(0), net.ints(9), net.ints(1))
    x = net.add("Concat", x, axis=0)
    x = net.add("Expand", x, net.ints(1, 4))
    return net.done(x, left="Relu", passes="no-ops", exact=True)


def no_op_that_broadcasts():
    net = Net(1, 4)
    x = net.add("Add", "x", net.const(np.zeros((3, 4))))
    return net.done(x, left="Add", passes="", exact=True)


def input_that_is_an_output():
    net = Net(1, 4)
    return net.done(net.add("Identity", "x"), left="Identity", passes="", exact=True)


def shapes_folded():
    """What PyTorch writes for x.view(x.size(0), -1)."""
    net = Net(2, 3, 4)
    x = net.add("Relu", "x")
    size = net.add("Gather", net.add("Shape", x), net.const(0, "int64"), axis=0)
    shape = net.add("Concat", net.add("Unsqueeze", size, net.ints(0)), net.ints(-1), axis=0)
    x = net.add("Reshape", x, shape)
    return net.done(x, left="Relu Reshape", passes="fold", exact=True)


def shape_with_an_open_batch():
    net = Net("n", 3, 4)
    x = net.add("Relu", "x")
    size = net.add("Gather", net.add("Shape", x), net.const(0, "int64"), axis=0)
    shape = net.add("Concat", net.add("Unsqueeze", size, net.ints(0)), net.ints(12), axis=0)
    x = net.add("Reshape", x, shape)
    return net.done(x, left="Relu Reshape", passes="reshapes", exact=True)


def shape_copied_and_open():
    net = Net("n", "m", 4)
    x = net.add("Relu", "x")
    size = net.add("Gather", net.add("Shape", x), net.const(0, "int64"), axis=0)
    shape = net.add("Concat", net.add("Unsqueeze", size, net.ints(0)), net.ints(-1), axis=0)
    x = net.add("Reshape", x, shape)
    return net.done(x, left="Relu Reshape", passes="reshapes", exact=True)


def constants_folded():
    net = Net(2, 3)
    one, two = net.weight(3), net.weight(3)
    c = net.add("Mul", net.add("Sqrt", net.add("Abs", one)), net.add("Neg", two))
    c = net.add("Transpose", net.add("Unsqueeze", c, net.ints(0)), perm=[1, 0])
    c = net.add("Where", net.add("Less", c, 0.1), c, net.add("Floor", c))
    c = net.add("Reshape", net.add("Concat", c, c, axis=1), net.ints(2, -1))
    return net.done(net.add("Add", "x", c), left="Add", passes="fold", exact=True)


def large_constant_not_folded():
    net = Net(1, 1024)
    c = net.add("Expand", net.const(2.0), net.ints(1024, 1024))
    return net.done(net.add("Add", "x", c), left="Expand Add", passes="", exact=True)


def constant_nodes():
    net = Net(2, 3)
    c = net.add("Constant", value=numpy_helper.from_array(np.ones(3, "float32")))
    d = net.add("Constant", value_float=2.0)
    x = net.add("Mul", net.add("Sub", "x", c), d)
    return net.done(x, left="Sub Mul", passes="constants", exact=True)


def casts():
    net = Net(2, 3, kind=TensorProto.FLOAT16)
    x = net.add("Cast", "x", to=TensorProto.FLOAT)
    x = net.add("Cast", x, to=TensorProto.FLOAT16)
    x = net.add("Relu", x)
    x = net.add("Cast", net.add("Cast", x, to=TensorProto.DOUBLE), to=TensorProto.FLOAT)
    return net.done(x, left="Relu Cast", passes="casts no-ops", exact=True)


def cast_that_rounds():
    net = Net(2, 3)
    x = net.add("Cast", "x", to=TensorProto.FLOAT16)
    return net.done(
        net.add("Cast", x, to=TensorProto.FLOAT), left="Cast Cast", passes="", exact=True
    )


def duplicates():
    net = Net(2, 3)
    a = net.add("Add", net.add("Relu", "x"), net.const([1, 2, 3]))
    b = net.add("Add", net.add("Relu", "x"), net.const([1, 2, 3]))
    return net.done(net.add("Mul", a, b), left="Relu Add Mul", passes="duplicates", exact=True)


def dead():
    net = Net(2, 3)
    net.add("Relu", net.add("Abs", "x"))
    net.weight(5)
    return net.done(net.add("Sin", "x"), left="Sin", passes="dead", exact=True)


def reshapes():
    net = Net(2, 3, 4, 1)
    x = net.add("Squeeze", net.add("Relu", "x"), net.ints(3))
    x = net.add("Reshape", net.add("Unsqueeze", x, net.ints(0)), net.ints(6, 4))
    x = net.add("Relu", net.add("Flatten", x, axis=0))
    return net.done(x, left="Relu Reshape Relu", passes="reshapes", exact=True)


def reduction_kept():
    """A mean over space, whose axes a Reshape adds again."""
    net = Net("n", 4, 5, 5)
    x = net.add("ReduceMean", net.add("Relu", "x"), net.ints(2, 3), keepdims=0)
    x = net.add("Reshape", x, net.ints(-1, 4, 1, 1))
    return net.done(net.conv(x, 4, 2, 1), left="Relu ReduceMean Conv", passes="reductions")


def channels_last():
    """A block of a Keras export: all convolutions between two Transposes, all else in NHWC."""
    net = Net("n", 8, 8, 4)
    x = start = net.add("Mul", "x", net.const([1, 2, 3, 4]))
    for _ in range(2):
        x = net.turned(net.conv(net.turned(x, NCHW), 4, 4), NHWC)
        x = net.add("Clip", net.add("Add", x, net.weight(4)), 0.0, 6.0)
    x = net.add("Add", x, start)
    x = net.add("Concat", x, net.add("Sigmoid", x), axis=3)
    x = net.add("Pad", x, net.ints(0, 1, 2, 0, 0, 0, 1, 0))
    x = net.turned(net.conv(net.turned(x, NCHW), 8, 4), NHWC)
    x = net.add("ReduceMean", x, net.ints(1, 2), keepdims=0)
    return net.done(
        x,
        left="Transpose Mul Conv Clip Conv Clip Add Sigmoid Concat Conv ReduceMean",
        passes="transposes scales pads",
    )


def channels_last_output():
    net = Net(1, 8, 8, 4)
    x = net.turned(net.conv(net.turned("x", NCHW), 4, 4), NHWC)
    x = net.add("Softmax", net.add("Relu", x), axis=-1)
    return net.done(x, left="Transpose Conv Transpose Relu Softmax", passes="")


def transposes_kept():
    """Nothing cancels, so nothing is moved."""
    net = Net(1, 4, 6)
    x = net.add("Relu", net.turned("x", [0, 2, 1]))
    return net.done(net.add("MatMul", x, net.weight(4, 3)), left="Transpose Relu MatMul", passes="")


def transpose_of_nothing():
    net = Net("n", 1, 1, 6)
    x = net.add("Reshape", net.turned("x", NCHW), net.ints(-1, 6))
    return net.done(x, left="Reshape", passes="transposes reshapes", exact=True)


def split_and_slice():
    net = Net(1, 6, 6, 4)
    x = net.turned(net.add("Sin", "x"), NCHW)
    a, b = net.add("Split", x, net.ints(1, 3), axis=1, outputs=2)
    b = net.add("Slice", b, net.ints(0), net.ints(1), net.ints(1))
    x = net.turned(net.add("Add", a, net.add("Softmax", b, axis=2)), NHWC)
    return net.done(x, left="Sin Split Slice Softmax Add", passes="transposes", exact=True)


def pads():
    net = Net(1, 3, 9, 9)
    x = net.add("Pad", "x", net.ints(0, 0, 1, 1, 0, 0, 2, 2))
    x = net.add("Relu", net.conv(x, 3, 4, pads=[0, 0, 0, 0], strides=[2, 2]))
    y = net.add("Pad", x, net.ints(0, 0, 1, 1, 0, 0, 1, 1))
    y = net.add("MaxPool", y, kernel_shape=[3, 3], strides=[2, 2])
    z = net.add("Pad", x, net.ints(0, 0, 1, 0, 0, 0, 0, 1))
    z = net.add("AveragePool", z, kernel_shape=[2, 2])
    left = "Conv Relu MaxPool AveragePool"
    return net.done(y, z, left=left, passes="pads")


def pad_before_a_maximum_of_anything():
    net = Net(1, 3, 9, 9)
    x = net.add("Pad", "x", net.ints(0, 0, 1, 1, 0, 0, 1, 1))
    x = net.add("MaxPool", x, kernel_shape=[3, 3])
    return net.done(x, left="Pad MaxPool", passes="", exact=True)


def batch_norms():
    net = Net(1, 4, 8, 8)
    x = net.add("Relu", net.norm(net.conv("x", 4, 6, bias=False), 6))
    x = net.norm(net.add("ConvTranspose", x, net.weight(6, 2, 3, 3), net.weight(4), group=2), 4)
    x = net.add("Flatten", net.add("GlobalAveragePool", x))
    x = net.norm(net.add("Gemm", x, net.weight(5, 4), net.weight(5), transB=1), 5)
    left = "Conv Relu ConvTranspose GlobalAveragePool Flatten Gemm"
    return net.done(x, left=left, passes="batch-norms")


def shared_weight():
    net = Net(1, 4, 8, 8)
    w = net.weight(4, 4, 1, 1)
    x = net.norm(net.add("Conv", "x", w), 4)
    return net.done(
        net.add("Conv", x, w), left="Conv BatchNormalization Conv", passes="", exact=True
    )


def scales():
    net = Net("n", 4, 8, 8)
    x = net.conv("x", 4, 6, bias=False)
    x = net.add("Add", net.add("Mul", x, net.weight(1, 6, 1, 1)), net.weight(6, 1, 1))
    x = net.add("Relu", net.add("Sub", 1.0, net.add("Div", x, 2.0)))
    x = net.add("Mul", net.add("Mul", x, 3.0), net.weight(6, 1, 1))
    x = net.add("Flatten", x)
    x = net.add("Mul", net.add("MatMul", x, net.weight(384, 5)), net.weight(5))
    x = net.add("Tanh", net.add("Add", net.add("Add", x, net.weight(5)), 1.0))
    return net.done(x, left="Conv Relu Mul Flatten Gemm Tanh", passes="scales gemm")


def scale_of_pixels():
    """One factor for each pixel, not for each channel."""
    net = Net(1, 4, 8, 8)
    x = net.add("Mul", net.conv("x", 4, 6), net.weight(8, 8))
    return net.done(x, left="Conv Mul", passes="", exact=True)


def clips():
    net = Net(2, 5)
    x = net.add("Min", net.add("Max", "x", 0.0), 6.0)
    x = net.add("Add", x, net.add("Max", net.add("Sin", "x"), 0.0))
    x = net.add("Clip", net.add("Relu", net.add("Neg", x)), -1.0, 3.0)
    return net.done(x, left="Clip Sin Relu Add Neg Clip", passes="clips", exact=True)


def hard_swish():
    net = Net(2, 5)
    gate = net.add("Clip", net.add("Add", "x", 3.0), 0.0, 6.0)
    x = net.add("Div", net.add("Mul", "x", gate), 6.0)
    gate = net.add("Clip", net.add("Add", x, 3.0), 0.0, 6.0)
    y = net.add("Mul", x, net.add("Mul", gate, 1 / 6))
    z = net.add("Div", net.add("Clip", net.add("Add", y, 3.0), 0.0, 6.0), 6.0)
    return net.done(z, left="HardSwish HardSwish HardSigmoid", passes="hard-swish")


def mish():
    net = Net(2, 5)
    x = net.add("Mul", "x", net.add("Tanh", net.add("Softplus", "x")))
    return net.done(x, left="Mish", passes="mish")


def gelu_of(net, x, order):
    e = net.add("Add", net.add("Erf", net.add("Div", x, float(np.sqrt(2)))), 1.0)
    if order == 0:
        return net.add("Mul", net.add("Mul", x, e), 0.5)
    if order == 1:
        return net.add("Mul", x, net.add("Mul", e, 0.5))
    return net.add("Mul", net.add("Mul", 0.5, x), e)


def gelus():
    net = Net(2, 5)
    x = "x"
    for order in range(3):
        x = gelu_of(net, x, order)
    cube = net.add("Mul", net.add("Pow", x, 3.0), 0.044715)
    inner = net.add("Mul", net.add("Add", x, cube), float(np.sqrt(2 / np.pi)))
    y = net.add("Mul", net.add("Mul", x, 0.5), net.add("Add", net.add("Tanh", inner), 1.0))
    return net.done(y, left="Gelu Gelu Gelu Gelu", passes="gelu")


def layer_norm_of(net, x, size, affine=True):
    d = net.add("Sub", x, net.add("ReduceMean", x, net.ints(-1)))
    v = net.add("ReduceMean", net.add("Pow", d, 2.0), net.ints(-1))
    n = net.add("Div", d, net.add("Sqrt", net.add("Add", v, 1e-5)))
    if not affine:
        return n
    return net.add("Add", net.add("Mul", n, net.weight(size)), net.weight(size))


def layer_norms():
    net = Net("n", 6, 16)
    x = layer_norm_of(net, layer_norm_of(net, "x", 16), 16, affine=False)
    return net.done(x, left="LayerNormalization LayerNormalization", passes="layer-norm")


def group_norm():
    net = Net("n", 6, 5, 5, opset=21)
    x = net.add("Reshape", "x", net.ints(0, 3, -1))
    x = net.add("InstanceNormalization", x, net.const(np.ones(3)), net.const(np.zeros(3)))
    x = net.add("Reshape", x, net.ints(-1, 6, 5, 5))
    x = net.add("Add", net.add("Mul", x, net.weight(6, 1, 1)), net.weight(6, 1, 1))
    return net.done(x, left="GroupNormalization", passes="group-norm")


def depth_to_space():
    net = Net("n", 8, 3, 5)
    x = net.add("Reshape", "x", net.ints(-1, 2, 2, 2, 3, 5))
    x = net.add("Reshape", net.turned(x, [0, 1, 4, 2, 5, 3]), net.ints(-1, 2, 6, 10))
    x = net.add("Sin", x)
    x = net.add("Reshape", x, net.ints(-1, 2, 3, 2, 5, 2))
    x = net.add("Reshape", net.turned(x, [0, 1, 3, 5, 2, 4]), net.ints(-1, 8, 3, 5))
    x = net.add("Reshape", x, net.ints(-1, 2, 2, 2, 3, 5))
    x = net.add("Reshape", net.turned(x, [0, 3, 4, 1, 5, 2]), net.ints(-1, 2, 6, 10))
    left = "DepthToSpace Sin Reshape Transpose Reshape DepthToSpace"
    return net.done(x, left=left, passes="depth-to-space", exact=True)


def quantized():
    """Scales, and what is between a DQ and a Q, keep their form."""
    net = Net(1, 4, 8, 8)
    one = [net.const(0.1), net.const(0, "int8")]
    x = net.add("DequantizeLinear", net.add("QuantizeLinear", "x", *one), *one)
    x = net.norm(net.conv(x, 4, 4, bias=False), 4)
    two = [net.const(0.1), net.const(0, "int8")]
    x = net.add("DequantizeLinear", net.add("QuantizeLinear", x, *two), *two)
    x = net.add("Relu", net.add("Identity", net.norm(net.conv(net.add("Sin", x), 4, 4), 4)))
    left = (
        "QuantizeLinear DequantizeLinear Conv BatchNormalization QuantizeLinear DequantizeLinear "
        "Sin Conv Relu"
    )
    return net.done(x, left=left, passes="no-ops batch-norms")


def branch():
    """A subgraph reads a tensor of the graph around it, which keeps its name."""
    net = Net(1, 4)
    h = net.add("Identity", net.add("Relu", "x"))
    made = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 4]) for name in "ab"]
    then = helper.make_graph([helper.make_node("Sin", [h], ["a"])], "then", [], made[:1])
    other = helper.make_graph([helper.make_node("Cos", [h], ["b"])], "else", [], made[1:])
    total = net.add("ReduceSum", "x", keepdims=0)
    x = net.add("If", net.add("Less", total, 0.0), then_branch=then, else_branch=other)
    return net.done(x, left="Relu ReduceSum Less If", passes="no-ops", exact=True)


def constant_branch():
    """What PyTorch writes for a squeeze of a dimension whose size it does not know."""
    net = Net(1, 4, 1)
    h = net.add("Relu", "x")
    size = net.add("Gather", net.add("Shape", h), net.ints(2), axis=0)
    cond = net.add("Equal", size, net.ints(1))
    made = [helper.make_tensor_value_info("a", TensorProto.FLOAT, [1, 4])]
    axes = numpy_helper.from_array(np.array([-1]), "axes")
    then = [
        helper.make_node("Constant", [], ["k"], value_float=2.0),
        helper.make_node("Mul", [h, "k"], ["m"]),
        helper.make_node("Squeeze", ["m", "axes"], ["a"]),
    ]
    then = helper.make_graph(then, "then", [], made, [axes])
    other = [helper.make_node("Sin", [h], ["b"]), helper.make_node("Flatten", ["b"], ["a"])]
    other = helper.make_graph(other, "else", [], made)
    x = net.add("If", cond, then_branch=then, else_branch=other)
    x = net.add("Cos", x)
    return net.done(x, left="Relu Mul Squeeze Cos", passes="branches", exact=True)


CASES = [
    *[no_ops, no_op_that_broadcasts, input_that_is_an_output, shapes_folded],
    *[shape_with_an_open_batch, shape_copied_and_open, constants_folded],
    *[large_constant_not_folded, constant_nodes, casts, cast_that_rounds, duplicates, dead],
    *[reshapes, reduction_kept, channels_last, channels_last_output, transposes_kept],
    *[transpose_of_nothing, split_and_slice, pads, pad_before_a_maximum_of_anything],
    *[batch_norms, shared_weight, scales, scale_of_pixels, clips, hard_swish, mish, gelus],
    *[layer_norms, group_norm, depth_to_space, quantized, branch],
    constant_branch,
]
