"""What the tests of the driver programs in Python share.

PLANEX_DRIVERS_PYTHON  an interpreter that has the engines, by default that of tools/drivers_env.sh;
                       without it the tests that need them are skipped, or fail where CI=true
"""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys

import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from unmet import unmet

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
SOURCES = ROOT / "src/drive/scripts"
STAND_IN = HERE / "stand_in"

PHASES = ["read", "compile", "warmup", "time", "profile", "write"]

# Short measurements: these tests are about files, not about times.
SHORT = ["--duration-ms", "20", "--profile-ms", "20", "--warmup", "1"]


@pytest.fixture(scope="session")
def scripts(tmp_path_factory) -> dict[str, pathlib.Path]:
    """The programs by engine, joined as planex joins them."""
    folder = tmp_path_factory.mktemp("scripts")
    found = {}
    parts = (SOURCES / "parts.cmake").read_text("utf-8")
    for name, files in re.findall(r"set\(PLANEX_DRIVER_SCRIPT_(\S+) ([^)]+)\)", parts):
        # Called as the package that it imports: it must not find itself.
        path = folder / f"{name.replace('-', '_')}.py"
        texts = [(SOURCES / file).read_text("utf-8") for file in files.split()]
        path.write_text("".join(texts), encoding="utf-8")
        found[name] = path
    assert set(found) == {"onnxruntime", "tensorrt", "tensorrt-rtx"}
    return found


@pytest.fixture(scope="session")
def drivers_python() -> str:
    default = ROOT / "build/test/drivers/bin/python"
    path = os.environ.get("PLANEX_DRIVERS_PYTHON", str(default))
    if not pathlib.Path(path).exists():
        unmet(f"no interpreter with the engines: {path} (run tools/drivers_env.sh)")
    return path


@dataclasses.dataclass
class Driven:
    code: int
    stdout: str
    stderr: str

    @property
    def error(self) -> dict:
        return json.loads(self.stderr.strip().splitlines()[-1])

    @property
    def phases(self) -> list[str]:
        """Those of the progress, each once; nothing else is on stdout."""
        steps = [json.loads(row) for row in self.stdout.splitlines()]
        assert all(set(step) == {"phase", "done"} and 0 <= step["done"] <= 1 for step in steps)
        return list(dict.fromkeys(step["phase"] for step in steps))


@pytest.fixture(scope="session")
def drive(scripts, tmp_path_factory):
    """drive(engine, *words, python=…, env=…, code=0): runs a program, checks its exit code."""
    state = tmp_path_factory.mktemp("state")

    def run(engine, *words, python, env=None, code=0, before=None) -> Driven:
        result = subprocess.run(
            [python, str(scripts[engine]), *map(str, words)],
            env={**os.environ, "XDG_STATE_HOME": str(state), **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            preexec_fn=before,
            check=False,
        )
        said = f"{words}\nstdout: {result.stdout[-2000:]}\nstderr: {result.stderr[-4000:]}"
        assert result.returncode == code, said
        driven = Driven(result.returncode, result.stdout, result.stderr)
        if code:
            assert driven.error["schema"] == "planex.driver-error/1", said
            assert driven.error["message"] and (code == 2) == (driven.error["kind"] == "usage")
        return driven

    return run


@pytest.fixture(scope="session")
def stand_in(tmp_path_factory) -> dict[str, str]:
    """The environment in which NVIDIA's packages and CUDA are played."""
    folder = tmp_path_factory.mktemp("cuda")
    words = ["gcc", "-shared", "-fPIC", "-Wall", "-Werror", "-o", str(folder / "libcuda.so.1")]
    subprocess.run([*words, str(STAND_IN / "cuda_driver.c")], check=True)
    return {"PYTHONPATH": str(STAND_IN), "LD_LIBRARY_PATH": str(folder)}


@pytest.fixture(scope="session")
def this_python() -> str:
    return sys.executable


def value(name: str, dims: list, kind: int = TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, dims)


def write_model(path: pathlib.Path, nodes, inputs, outputs, constants=()) -> pathlib.Path:
    graph = helper.make_graph(nodes, path.stem, inputs, outputs, list(constants))
    opsets = [helper.make_opsetid("", 19)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=9), path)
    return path


def weight(name: str, *dims: int):
    import numpy

    data = numpy.linspace(-1, 1, int(numpy.prod(dims)), dtype=numpy.float32).reshape(dims)
    return numpy_helper.from_array(data, name)


@pytest.fixture(scope="session")
def models(tmp_path_factory) -> pathlib.Path:
    """small: a dynamic batch; words: dynamic lengths, attention; choice: a conditional; endless: a
    loop; unknown: an operator that nobody has; damaged: and not UTF-8; garbage; folder; resnet: a
    tiny one."""
    import make_resnet18

    folder = tmp_path_factory.mktemp("models")
    node = helper.make_node
    small = [node("MatMul", ["x", "w"], ["h"], name="fc"), node("Relu", ["h"], ["y"], name="act")]
    inputs, outputs = [value("x", ["N", 16])], [value("y", ["N", 8])]
    write_model(folder / "small.onnx", small, inputs, outputs, [weight("w", 16, 8)])
    attention = [
        node("Gather", ["table", "ids"], ["e"], name="embed"),
        node("MatMul", ["e", "wq"], ["q"], name="query"),
        node("Transpose", ["e"], ["k"], name="turn", perm=[0, 2, 1]),
        node("MatMul", ["q", "k"], ["s"], name="scores"),
        node("Softmax", ["s"], ["p"], name="softmax"),
        node("MatMul", ["p", "e"], ["o"], name="mix"),
    ]
    write_model(
        folder / "words.onnx",
        attention,
        [value("ids", ["N", "S"], TensorProto.INT64)],
        [value("o", ["N", "S", 16])],
        [weight("table", 4, 16), weight("wq", 16, 16)],
    )
    branch = [node("Sigmoid", ["h"], ["t"], name="yes")], [node("Tanh", ["h"], ["e"], name="no")]
    branches = [
        helper.make_graph(nodes, name, [], [value(out, [1, 8])])
        for nodes, name, out in zip(branch, ["then", "else"], ["t", "e"], strict=True)
    ]
    choice = [
        node("MatMul", ["x", "w"], ["h"], name="fc"),
        node("If", ["c"], ["y"], name="if", then_branch=branches[0], else_branch=branches[1]),
    ]
    inputs = [value("x", [1, 16]), value("c", [], TensorProto.BOOL)]
    write_model(folder / "choice.onnx", choice, inputs, [value("y", [1, 8])], [weight("w", 16, 8)])
    body = helper.make_graph(
        [node("Identity", ["go"], ["go_on"]), node("Sin", ["v"], ["sin"])],
        "body",
        [value("i", [], TensorProto.INT64), value("go", [], TensorProto.BOOL), value("v", [1, 16])],
        [value("go_on", [], TensorProto.BOOL), value("sin", [1, 16])],
    )
    endless = [node("Loop", ["", "forever", "x"], ["y"], name="loop", body=body)]
    forever = helper.make_tensor("forever", TensorProto.BOOL, [], [True])
    inputs, outputs = [value("x", [1, 16])], [value("y", [1, 16])]
    write_model(folder / "endless.onnx", endless, inputs, outputs, [forever])
    unknown = [node("Nonsense", ["x"], ["y"], name="odd", domain="nowhere")]
    write_model(folder / "unknown.onnx", unknown, inputs, outputs)
    damaged = (folder / "unknown.onnx").read_bytes().replace(b"odd", b"o\xb8d")
    (folder / "damaged.onnx").write_bytes(damaged)
    (folder / "garbage.onnx").write_bytes(bytes(range(256)) * 8)
    (folder / "folder.onnx").mkdir()
    onnx.save(make_resnet18.make_model("tiny-fp32"), folder / "resnet.onnx")
    return folder


@pytest.fixture
def only_log_stays(tmp_path):
    """That a run which failed left its log, and nothing else: NAME.failed.log."""

    def check() -> None:
        (log,) = tmp_path.rglob("*")
        assert log.name.endswith(".failed.log")
        assert "&&&& FAILED" in log.read_text("utf-8").splitlines()[-1]

    return check


@pytest.fixture
def nothing_stays(tmp_path):
    """That a run which failed left nothing: no file, no folder."""

    def check() -> None:
        assert [path.name for path in tmp_path.rglob("*")] == []

    return check
