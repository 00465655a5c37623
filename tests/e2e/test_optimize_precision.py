"""Steps of `planex optimize` that change types: what each needs, and that its command does by hand
what the step did."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shlex
import subprocess

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

ROOT = pathlib.Path(__file__).parent.parent.parent
# Short measurements: which steps are made, and how they are judged, is what counts here.
SHORT = ["--flag=--duration-ms", "--flag=60", "--flag=--warmup", "--flag=1"]


def products(folder: pathlib.Path, width: int, count: int = 3) -> pathlib.Path:
    """Products of one row, in which reading the weights takes the time; and samples."""
    draw = np.random.default_rng(5)
    nodes, weights, tensor = [], [], "x"
    for place in range(count):
        weight = draw.normal(0, width**-0.5, (width, width)).astype("float32")
        weights.append(numpy_helper.from_array(weight, f"w{place}"))
        nodes.append(helper.make_node("MatMul", [tensor, f"w{place}"], [f"m{place}"], f"p{place}"))
        nodes.append(helper.make_node("Tanh", [f"m{place}"], [f"t{place}"], f"a{place}"))
        tensor = f"t{place}"
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        nodes,
        "products",
        [value("x", TensorProto.FLOAT, [1, width])],
        [value(tensor, TensorProto.FLOAT, [1, width])],
        weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, folder / "net.onnx")
    np.savez(folder / "samples.npz", x=draw.normal(0, 1, (24, 1, width)).astype("float32"))
    return folder / "net.onnx"


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    return products(tmp_path_factory.mktemp("wide"), 2048)


@pytest.fixture(scope="module")
def narrow(tmp_path_factory):
    return products(tmp_path_factory.mktemp("narrow"), 384)


@pytest.fixture
def optimize(planex, driver, tmp_path):
    """Runs the verb on a model and its samples; returns the record."""

    def run(model, *words, goal="8dB", env=None):
        words = ["--data", model.parent / "samples.npz", "--goal", goal, *words]
        planex("optimize", model, *words, "-o", tmp_path / "best", env=env, timeout=300)
        return json.loads((tmp_path / "best/optimize.json").read_text("utf-8"))

    return run


def by_id(told):
    return {step["id"]: step for step in told["steps"]}


def has_bfloat16():
    flags = pathlib.Path("/proc/cpuinfo").read_text("utf-8").split()
    return "avx512_bf16" in flags or "amx_bf16" in flags


def test_commands_of_kept_steps_give_the_same_bytes(optimize, planex, wide, tmp_path, monkeypatch):
    told = optimize(wide, "--try", "precision,clean", "--judge-samples", "6", *SHORT)
    steps = by_id(told)
    quantized = [name for name in told["kept"] if name in ("int8", "int4-weights")]
    assert quantized, told["steps"]
    assert steps["int4-weights"]["sqnr_db"] > 8
    monkeypatch.chdir(tmp_path)
    for step in told["steps"]:
        if step["state"] != "kept" or "planex process" in step["command"]:
            continue
        for line in step["command"].splitlines():
            command = shlex.split(line)
            planex(*command[1:])
    written = shlex.split(steps[quantized[-1]]["command"].splitlines()[-1])[-1]
    assert (tmp_path / written).read_bytes() == (tmp_path / "best/model.onnx").read_bytes()


def test_bfloat16_is_judged_as_the_engine_computes_it(optimize, planex, narrow, tmp_path):
    told = optimize(narrow, "--try", "precision", *SHORT, goal="30dB")
    step = by_id(told)["bf16"]
    if not has_bfloat16():
        assert step["state"] == "unchanged" and "has no BF16" in step["reason"]
        return
    # Eight bits of mantissa: far from equal, and better than INT8.
    assert 30 < step["sqnr_db"] < 80, step
    assert step["change_ratio"] is not None
    words = shlex.split(step["command"])
    assert words[-2:] == ["--precision", "bf16"]
    words[words.index("-o") + 1] = str(tmp_path / "run")
    # In place of the file that the quantizing steps would have written.
    words[2] = str(narrow)
    planex(*words[1:])
    types = planex("query", tmp_path / "run", "select distinct precision from layers").stdout
    assert "BF16" in types


def test_float16_needs_a_processor_that_has_it(optimize, narrow):
    if "avx512_fp16" in pathlib.Path("/proc/cpuinfo").read_text("utf-8").split():
        pytest.skip("this processor has it")
    step = by_id(optimize(narrow, "--try", "precision", *SHORT))["fp16"]
    assert step["state"] == "unchanged" and "has no FP16" in step["reason"]


def test_small_weights_of_products_stay(optimize, tmp_path):
    model = products(tmp_path, 64)
    step = by_id(optimize(model, "--try", "precision", *SHORT))["int4-weights"]
    assert step["state"] == "unchanged" and "12288 weights" in step["reason"]


def test_trtexec_takes_types_from_the_model(optimize, planex, data, narrow, trtexec, tmp_path):
    env = {"PLANEX_TEST_DATA": str(data), "REPLAY_VERSION": "10.16"}
    words = ["--engine", "trtexec", "--program", trtexec, "--try", "precision"]
    told = optimize(narrow, *words, env={**os.environ, **env})
    steps = by_id(told)
    # All its runs are the same recording: each is made and judged, and none is faster.
    assert told["kept"] == []
    for name, least_db in (("int8", 15), ("fp8", 10), ("int4-weights", 8), ("bf16", 30),
                           ("fp16", 45)):  # fmt: skip
        assert steps[name]["state"] == "not-faster", steps[name]
        assert steps[name]["sqnr_db"] > least_db, steps[name]
    for name in ("fp8", "bf16", "fp16"):
        (command,) = steps[name]["command"].splitlines()
        words = shlex.split(command)
        words[-1] = str(tmp_path / words[-1])
        planex(*words[1:])
        assert os.path.getsize(words[-1]) < os.path.getsize(narrow)


def test_the_plan_knows_what_an_engine_takes(planex, narrow, tmp_path):
    def plan(*words):
        text = planex("optimize", narrow, "--data", narrow.parent / "samples.npz", "--goal", "20dB",
                      "--try", "precision", "--print-plan", *words, "-o", tmp_path / "no",
                      "--format", "json").stdout  # fmt: skip
        return {step["id"] for step in json.loads(text)["steps"]}

    assert "fp8" not in plan() and "bf16" in plan()
    assert "fp8" in plan("--engine", "tensorrt-rtx")
    assert not {"fp8", "fp16", "bf16"} & plan("--engine", "onnxruntime")
    cuda = plan("--engine", "onnxruntime", "--flag=--provider", "--flag=cuda")
    assert "fp16" in cuda and "bf16" not in cuda


def commands_of(section):
    """The commands of a page's shell block."""
    (block,) = re.findall(r"^```sh\n(planex .*?)^```$", section, re.DOTALL | re.MULTILINE)
    return [shlex.split(line) for line in block.replace("\\\n", " ").splitlines()]


def test_the_tutorial_holds(optimize, planex, tmp_path, monkeypatch):
    """Its story, with OpenVINO and shortened: INT8 is what the float model needs, and the command
    by hand writes that model."""
    import make_resnet18

    page = (ROOT / "docs/tutorial/optimize-resnet18.md").read_text("utf-8")
    story = page.split("## 4. The float model")[1].split("\n## ")[0]
    assert re.search(r"^  int8 .* kept$", story, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    make_resnet18.main(["--variant", "fp32", "--samples", "48", "-o", "models"])
    model = pathlib.Path("models/resnet18-fp32.onnx")
    told = optimize(model, "--try", "precision", "--budget", "2m", *SHORT, goal="15dB")
    assert told["kept"][0] == "int8"
    by_hand = page.split("## 5. The same by hand")[1].split("\n## ")[0]
    (command,) = [words for words in commands_of(by_hand) if words[1] == "quantize"]
    assert shlex.join(command) == by_id(told)["int8"]["command"]
    planex(*command[1:])
    assert pathlib.Path(command[-1]).read_bytes() == (tmp_path / "best/model.onnx").read_bytes()


def test_what_the_page_on_ci_says_works(planex, driver, wide, tmp_path, monkeypatch):
    """The script of the scheduled job, with less time, and the exit code that reads the record."""
    page = (ROOT / "docs/how-to/use-in-ci.md").read_text("utf-8")
    section = page.split("## Optimize on a schedule")[1].split("\n## ")[0]
    script, exit_line = re.findall(r"^```sh\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    for folder in ("models", "data", "perf"):
        pathlib.Path(folder).mkdir()
    pathlib.Path("models/net.onnx").write_bytes(wide.read_bytes())
    pathlib.Path("data/samples.npz").write_bytes((wide.parent / "samples.npz").read_bytes())
    planex("process", "models/net.onnx", "-o", "perf/good")
    assert "--budget 20m" in script
    script = script.replace("--budget 20m", "--budget 40s --goal 8dB")
    script = script.replace("--goal 20dB ", "", 1)
    environment = {**os.environ, "PATH": f"{driver.parent}:{os.environ['PATH']}"}
    done = subprocess.run(["sh", "-c", script], env=environment, capture_output=True, text=True,
                          timeout=300, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "faster" in pathlib.Path("optimized/comparison.md").read_text("utf-8")
    kept = json.loads(pathlib.Path("optimized/optimize.json").read_text("utf-8"))["kept"]
    code = subprocess.run(["sh", "-c", exit_line], check=False, timeout=60).returncode
    assert code == bool(kept)
