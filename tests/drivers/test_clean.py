"""Models of `planex clean` compute in ONNX Runtime what they computed before."""

from __future__ import annotations

import json
import pathlib
import subprocess

import numpy as np
import onnx
import pytest
from clean_cases import CASES
from onnx import TensorProto, helper, numpy_helper

ROOT = pathlib.Path(__file__).resolve().parents[2]
SKELETONS = ROOT / "tests/quantize/models"
# Runs pairs of models on the same numbers, without ONNX Runtime's own simplifications, and says how
# far apart they are, as a share of the largest value.
COMPARE = """
import json, sys, numpy, onnxruntime
options = onnxruntime.SessionOptions()
options.log_severity_level = 3
options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
def session(path):
    return onnxruntime.InferenceSession(path, options, ["CPUExecutionProvider"])
def signature(values):
    return [(one.name, one.type) for one in values]
apart = {}
for name, (before, after, sizes) in json.load(open(sys.argv[1])).items():
    one, two = session(before), session(after)
    inputs = one.get_inputs()
    assert signature(inputs) == signature(two.get_inputs()), name
    assert [i.shape for i in inputs] == [i.shape for i in two.get_inputs()], name
    assert signature(one.get_outputs()) == signature(two.get_outputs()), name
    apart[name] = 0.0
    for seed in range(3):
        draw, data = numpy.random.default_rng(seed), {}
        for value in inputs:
            shape = [d if isinstance(d, int) else sizes.get(d, 2) for d in value.shape]
            kind = "float16" if "float16" in value.type else "float32"
            data[value.name] = draw.normal(0, 2, shape).astype(kind)
        for a, b in zip(one.run(None, data), two.run(None, data)):
            assert a.shape == b.shape and a.dtype == b.dtype, name
            gap = numpy.abs(a.astype("float64") - b).max(initial=0)
            apart[name] = max(apart[name], float(gap / max(1e-6, numpy.abs(a).max(initial=0))))
json.dump(apart, sys.stdout)
"""
TOLERANCE = 1e-5


def cleaned(planex, model, output, *words):
    done = planex("clean", model, "-o", output, "--format", "json", *words)
    onnx.checker.check_model(onnx.load(output))
    told = json.loads(done.stdout)
    assert json.loads(pathlib.Path(f"{output}.clean.json").read_text("utf-8")) == told
    return told


def compared(python, pairs, folder):
    path = folder / "pairs.json"
    path.write_text(json.dumps(pairs), "utf-8")
    words = [python, "-c", COMPARE, path]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def operators(path):
    nodes = onnx.load(path).graph.node
    return " ".join(node.op_type for node in nodes if node.op_type != "Constant")


@pytest.fixture(scope="module")
def cases(planex, drivers_python, tmp_path_factory):
    """By name: the case, the operators that are left, what was told, how far apart results are."""
    folder = tmp_path_factory.mktemp("cases")
    made, pairs = {}, {}
    for make in CASES:
        case, name = make(), make.__name__
        before, after = folder / f"{name}.onnx", folder / f"{name}.clean.onnx"
        onnx.checker.check_model(case.model, full_check=True)
        onnx.save(case.model, before)
        told = cleaned(planex, before, after)
        onnx.checker.check_model(onnx.load(after), full_check=True)
        made[name] = (case, operators(after), told)
        pairs[name] = (str(before), str(after), {})
    apart = compared(drivers_python, pairs, folder)
    return {name: (*rest, apart[name]) for name, rest in made.items()}


@pytest.mark.parametrize("name", [make.__name__ for make in CASES])
def test_case(cases, name):
    case, left, told, apart = cases[name]
    assert left == case.left
    # Names that nothing reads any more, and copies of constants, come with other passes.
    passes = {step["pass"] for step in told["steps"]}
    assert passes >= case.passes
    assert passes - case.passes <= {"constants", "duplicates", "fold", "no-ops"} or not case.passes
    assert apart == 0 if case.exact else apart < TOLERANCE


def test_every_pass_has_a_case(planex, tmp_path):
    model = tmp_path / "model.onnx"
    onnx.save(CASES[0]().model, model)
    done = planex("clean", model, "-o", tmp_path / "x.onnx", "--only", "nonsense", code=2)
    named = done.stderr.split("passes: ")[1].split()
    passes = {word.strip(",") for word in named} - {"and"}
    assert passes >= {"dead", "fold", "transposes"}
    tried = set().union(*(make().passes for make in CASES))
    assert tried == passes


def with_weights(skeleton, dims):
    """A model of the tests of quantize, whose file has no weights, with random ones."""
    net = onnx.load(skeleton, load_external_data=False)
    draw = np.random.default_rng(1)
    nodes = [node for node in net.graph.node if node.op_type == "Constant"]
    constants = [attribute.t for node in nodes for attribute in node.attribute]
    for tensor in [*net.graph.initializer, *constants]:
        if tensor.data_location != onnx.TensorProto.EXTERNAL:
            continue
        if len(tensor.dims) > 1:
            values = draw.normal(0, 1 / np.sqrt(np.prod(tensor.dims[1:])), tensor.dims)
        else:
            # Variances among them.
            values = draw.uniform(0.5, 1.5, tensor.dims)
        tensor.CopyFrom(numpy_helper.from_array(values.astype("float32"), tensor.name))
    if dims:
        for dim, size in zip(net.graph.input[0].type.tensor_type.shape.dim, dims, strict=True):
            dim.dim_value = size
    return net


@pytest.mark.parametrize(
    ("name", "dims", "most"),
    [
        ("ppocr-cls", (1, 3, 48, 192), 180),
        ("ppocr-det", (1, 3, 160, 160), 270),
        ("ppocr-rec", (1, 3, 48, 192), 355),
    ],
)
def test_real_models(planex, drivers_python, tmp_path, name, dims, most):
    before, after = tmp_path / "before.onnx", tmp_path / "after.onnx"
    onnx.save(with_weights(SKELETONS / f"{name}.onnx", dims), before)
    told = cleaned(planex, before, after)
    assert told["node_count"] <= most < told["node_count_before"]
    assert len(operators(after).split()) == told["node_count"]
    pairs = {name: (str(before), str(after), {})}
    # The detector's last Sigmoid works on thousands, of which rounding leaves some.
    assert compared(drivers_python, pairs, tmp_path)[name] < 1e-3


def test_each_pass_alone(planex, drivers_python, tmp_path):
    before = tmp_path / "before.onnx"
    onnx.save(with_weights(SKELETONS / "ppocr-cls.onnx", (1, 3, 48, 192)), before)
    steps = cleaned(planex, before, tmp_path / "all.onnx")["steps"]
    pairs = {}
    for step in steps:
        after = tmp_path / f"{step['pass']}.onnx"
        told = cleaned(planex, before, after, "--only", step["pass"])
        assert {one["pass"] for one in told["steps"]} <= {step["pass"]}
        skipped = cleaned(planex, before, tmp_path / "rest.onnx", "--skip", step["pass"])
        assert step["pass"] not in {one["pass"] for one in skipped["steps"]}
        pairs[step["pass"]] = (str(before), str(after), {})
    for name, apart in compared(drivers_python, pairs, tmp_path).items():
        effect = next(step["effect"] for step in steps if step["pass"] == name)
        assert apart == 0 if effect == "exact" else apart < TOLERANCE, name


def test_same_bytes_and_nothing_left(planex, tmp_path):
    before = tmp_path / "before.onnx"
    onnx.save(with_weights(SKELETONS / "ppocr-cls.onnx", None), before)
    for name in ("one", "two"):
        cleaned(planex, before, tmp_path / f"{name}.onnx")
    one = (tmp_path / "one.onnx").read_bytes()
    assert one == (tmp_path / "two.onnx").read_bytes()
    told = cleaned(planex, tmp_path / "one.onnx", tmp_path / "again.onnx")
    assert not told["steps"] and (tmp_path / "again.onnx").read_bytes() == one
    assert (
        "nothing to simplify"
        in planex("clean", tmp_path / "one.onnx", "-o", tmp_path / "again.onnx").stdout
    )


def test_opset_is_raised(planex, drivers_python, tmp_path):
    """A Gelu needs opset 20; before, it stays spelled out."""
    make = next(make for make in CASES if make.__name__ == "gelus")
    model = make().model
    model.opset_import[0].version = 17
    before = tmp_path / "before.onnx"
    onnx.save(model, before)
    told = cleaned(planex, before, tmp_path / "old.onnx")
    assert "Gelu" not in operators(tmp_path / "old.onnx") and told["opset"] == 17
    told = cleaned(planex, before, tmp_path / "new.onnx", "--opset", "20")
    assert (told["opset_before"], told["opset"]) == (17, 20)
    assert operators(tmp_path / "new.onnx") == "Gelu Gelu Gelu Gelu"
    pairs = {"gelus": (str(before), str(tmp_path / "new.onnx"), {})}
    assert compared(drivers_python, pairs, tmp_path)["gelus"] < TOLERANCE


def test_external_data_stay_where_they_are(planex, drivers_python, tmp_path):
    """But for a weight that changes, which moves into the model."""
    (tmp_path / "from").mkdir()
    (tmp_path / "to").mkdir()
    draw = np.random.default_rng(3)
    weights = [
        numpy_helper.from_array(draw.normal(size=(8, 8)).astype("float32"), name) for name in "ab"
    ]
    factor = numpy_helper.from_array(np.full(8, 3, "float32"), "f")
    node = helper.make_node
    nodes = [
        node("MatMul", ["x", "a"], ["h"]),
        node("Relu", ["h"], ["r"]),
        node("MatMul", ["r", "b"], ["p"]),
        node("Mul", ["p", "f"], ["y"]),
    ]
    values = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [2, 8]) for name in "xy"]
    graph = helper.make_graph(nodes, "g", values[:1], values[1:], [*weights, factor])
    opsets = [helper.make_opsetid("", 17)]
    before = tmp_path / "from/model.onnx"
    onnx.save_model(
        helper.make_model(graph, opset_imports=opsets, ir_version=8),
        before,
        save_as_external_data=True,
        location="model.bin",
        size_threshold=100,
    )
    after = tmp_path / "to/clean.onnx"
    told = cleaned(planex, before, after)
    assert [step["pass"] for step in told["steps"]] == ["scales"]
    written = onnx.load(after, load_external_data=False)
    places = {one.name: one.data_location for one in written.graph.initializer}
    assert places.pop("a") == TensorProto.EXTERNAL
    assert set(places.values()) == {TensorProto.DEFAULT}
    data = (tmp_path / "to/model.bin").read_bytes()
    assert data == (tmp_path / "from/model.bin").read_bytes()
    pairs = {"external": (str(before), str(after), {})}
    assert compared(drivers_python, pairs, tmp_path)["external"] < TOLERANCE


class Bodies:
    """A random graph of If, Loop and Scan in each other; every tensor is 2 × 3, or one of these."""

    def __init__(self, seed):
        self.draw = np.random.default_rng(seed)
        self.count = 0

    def name(self):
        self.count += 1
        # Those of passes, too, in whatever graph they are.
        return str(self.draw.choice(["t", "fold", "axes", "same"])) + f"_{self.count}"

    def constant(self, value):
        name = self.name()
        self.nodes[-1].append(
            helper.make_node("Constant", [], [name], value=numpy_helper.from_array(value))
        )
        return name

    def node(self, op, inputs, **attributes):
        name = self.name()
        self.nodes[-1].append(helper.make_node(op, inputs, [name], name, **attributes))
        return name

    def graph(self, seen, depth, inputs=(), result=None):
        """`seen`: what it can read. `result`: adds what the operator needs, by its last tensor."""
        self.nodes = [*getattr(self, "nodes", []), []]
        seen = list(seen)
        for _ in range(int(self.draw.integers(2, 6))):
            seen.append(self.step(seen, depth))
        outputs = result(seen[-1]) if result else [seen[-1]]
        values = [helper.make_tensor_value_info(name, kind, dims) for name, kind, dims in inputs]
        made = [
            helper.make_value_info(name, helper.make_tensor_type_proto(1, None)) for name in outputs
        ]
        if result:
            made[0] = helper.make_tensor_value_info(outputs[0], TensorProto.BOOL, [])
        return helper.make_graph(self.nodes.pop(), self.name(), values, made)

    def step(self, seen, depth):
        pick = lambda: str(self.draw.choice(seen))  # noqa: E731
        kind = self.draw.integers(0, 9 if depth < 3 else 6)
        if kind == 0:
            return self.node("Identity", [pick()])
        if kind == 1:
            return self.node("Add", [pick(), pick()])
        if kind == 2:
            turned = self.node("Transpose", [pick()], perm=[1, 0])
            return self.node("Transpose", [turned], perm=[1, 0])
        if kind == 3:
            return self.node("Mul", [pick(), self.constant(np.float32([[0.5, 1, 2]]))])
        if kind == 4:
            rows = self.node("Gather", [self.node("Shape", [pick()]), self.constant(np.int64([0]))])
            sizes = self.node("Concat", [rows, self.constant(np.int64([-1]))], axis=0)
            return self.node("Reshape", [pick(), sizes])
        if kind == 5:
            return self.node("Relu", [pick()])
        if kind in (6, 7):
            if self.draw.integers(0, 2):
                condition = self.constant(np.array(bool(self.draw.integers(0, 2))))
            else:
                total = self.node("ReduceSum", [pick()], keepdims=0)
                condition = self.node("Greater", [total, self.constant(np.float32(0))])
            branches = {
                name: self.graph(seen, depth + 1) for name in ("then_branch", "else_branch")
            }
            return self.node("If", [condition], **branches)
        carried, turn, going = self.name(), self.name(), self.name()
        inputs = [
            (turn, TensorProto.INT64, []),
            (going, TensorProto.BOOL, []),
            (carried, TensorProto.FLOAT, [2, 3]),
        ]

        def result(last):
            return [self.node("Identity", [going]), self.node("Identity", [last])]

        body = self.graph([*seen, carried], depth + 1, inputs, result)
        turns, start = self.constant(np.int64(2)), self.constant(np.array(True))
        return self.node("Loop", [turns, start, pick()], body=body)

    def model(self):
        self.nodes = [[]]
        seen = ["x", "z"]
        for _ in range(6):
            seen.append(self.step(seen, 0))
        y = self.node("Identity", [seen[-1]])
        values = [helper.make_tensor_value_info(name, 1, [2, 3]) for name in ("x", "z")]
        made = helper.make_tensor_value_info(y, TensorProto.FLOAT, [2, 3])
        graph = helper.make_graph(self.nodes[0], "bodies", values, [made])
        opsets = [helper.make_opsetid("", 17)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def test_bodies_compute_the_same(planex, drivers_python, tmp_path):
    pairs, before, after = {}, 0, 0
    for seed in range(120):
        path = tmp_path / f"{seed}.onnx"
        onnx.save(Bodies(seed).model(), path)
        told = cleaned(planex, path, tmp_path / f"{seed}.clean.onnx")
        before, after = before + told["node_count_before"], after + told["node_count"]
        pairs[str(seed)] = (str(path), str(tmp_path / f"{seed}.clean.onnx"), {})
    apart = compared(drivers_python, pairs, tmp_path)
    assert max(apart.values()) == 0, {name: gap for name, gap in apart.items() if gap > 0}
    assert after < 0.6 * before
