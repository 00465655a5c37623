"""`planex process` with the real OpenVINO: model in, files out, and what goes wrong on the way."""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

import pytest

from watching import processes_with, processor_seconds, wait_until

# Short measurements: these tests are about files, not about times.
SHORT = ["--duration-ms", "30", "--profile-ms", "60", "--rounds", "3", "--warmup", "1"]
ENDLESS = ["--duration-ms", "600000", "--iterations", "10000000"]
MODELS = ["tiny-fp32", "tiny-qdq"]
pytestmark = pytest.mark.usefixtures("driver")


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    import make_resnet18

    folder = tmp_path_factory.mktemp("models")
    for name in MODELS:
        assert make_resnet18.main(["--variant", name, "-o", str(folder)]) == 0
    return folder


@pytest.fixture(scope="session")
def runs(planex, models, tmp_path_factory):
    """One folder per model, as planex process leaves it."""
    folder = tmp_path_factory.mktemp("runs")
    for name in MODELS:
        planex("process", models / f"{name}.onnx", "-o", folder / name, "--", *SHORT)
    return folder


def sha256(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def drivers_of(process):
    """The drivers that a planex started."""
    children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    found = processes_with("planex-openvino")
    return [pid for pid in map(int, children) if pid in found]


def no_driver_left(mark):
    """No process has `mark` in its command line. One that was left would work for ten minutes
    (ENDLESS); one that is being ended needs a moment."""
    deadline = time.monotonic() + 60
    while left := processes_with(mark, "planex"):
        assert time.monotonic() < deadline, left
        time.sleep(0.05)


# When it is stopped: at once, when the driver is there, when the driver has worked for a while.
def wait_for_driver(process, worked_seconds):
    wait_until(
        lambda: any(processor_seconds(pid) >= worked_seconds for pid in drivers_of(process)),
        "the driver works",
        process,
    )


@pytest.mark.parametrize("name", MODELS)
def test_files_and_manifest(runs, models, name):
    folder = runs / name
    expected = [f"{name}.{kind}.json" for kind in ("graph", "profile", "times", "machine")]
    assert sorted(path.name for path in folder.iterdir()) == sorted([*expected, "manifest.json"])
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["schema"] == "planex.manifest/1"
    listed = {entry["file"]: entry for entry in manifest["artefacts"]}
    assert list(listed) == expected
    for file, entry in listed.items():
        assert entry["sha256"] == sha256(folder / file)
        assert entry["size_bytes"] == (folder / file).stat().st_size
    assert manifest["model"]["sha256"] == sha256(models / f"{name}.onnx")
    for path in folder.iterdir():
        assert next(iter(json.loads(path.read_text("utf-8")))) == "schema"


@pytest.mark.parametrize("name", MODELS)
def test_everything_works_on_a_run(planex, runs, tmp_path, name):
    folder = runs / name
    summary = json.loads(planex("summary", folder, "--format", "json").stdout)
    assert summary["engine"]["producer"] == "openvino"
    assert summary["engine"]["name"] == name
    assert summary["layer_count"] >= 5 and summary["macs"] > 0
    assert summary["time"]["end_to_end"]["count"] >= 10
    times = json.loads((folder / f"{name}.times.json").read_text("utf-8"))
    assert len(json.dumps(times)) > 100
    text = planex(folder).stdout
    assert "OpenVINO" in text and name in text
    for verb in ["layers", "lint", "doctor", "query"]:
        planex(verb, folder)
        planex(verb, folder, "--format", "json")
    doctor = json.loads(planex("doctor", folder, "--format", "json").stdout)
    assert doctor["error"] is None
    assert all(file["used"] for file in doctor["files"]), doctor["files"]
    joined = [file for file in doctor["files"] if file["joined_count"] is not None]
    assert joined and all(file["joined_count"] == file["record_count"] for file in joined)
    planex("report", folder, "-o", tmp_path / "r.html")
    planex("report", folder, folder, "-o", tmp_path / "two.html")
    layers = json.loads(planex("layers", folder, "--format", "json").stdout)
    assert len(layers["rows"]) == summary["layer_count"]


def test_thirty_samples_whatever_they_take(planex, tmp_path):
    """A comparison needs them, however slow the model is beside the time that is given."""
    import numpy
    from onnx import helper, numpy_helper

    side = 512
    weight = numpy_helper.from_array(numpy.ones((side, side), numpy.float32), "w")
    nodes = [
        helper.make_node("MatMul", [f"t{i}", "w"], [f"t{i + 1}"], name=f"mm{i}") for i in range(4)
    ]
    values = [float_value(f"t{i}", [side, side]) for i in (0, 4)]
    model = tmp_path / "slow.onnx"
    model.write_bytes(onnx_model(nodes, values[:1], values[1:], [weight]).SerializeToString())
    flags = ["--duration-ms", "20", "--profile-ms", "20", "--rounds", "1", "--warmup", "1"]
    planex("process", model, "-o", tmp_path / "run", "--", *flags)
    times = json.loads((tmp_path / "run/slow.times.json").read_text("utf-8"))
    latencies = times["columns"]["latency_ms"]
    assert sum(latencies) > 20, "thirty take longer than was asked for"
    assert len(latencies) == 30
    summary = json.loads(planex("summary", tmp_path / "run", "--format", "json").stdout)
    assert summary["time"]["end_to_end"]["count"] == 30
    verdict = json.loads(
        planex("compare", tmp_path / "run", tmp_path / "run", "--format", "json").stdout
    )["differences"][0]["verdict"]
    assert verdict["unclear_reason"] != "too-few-samples" and verdict["low_ratio"] is not None


def test_streams(planex, models, tmp_path):
    """Latency is of one inference at a time; throughput is measured with one on each stream."""
    words = ["process", models / "tiny-fp32.onnx", "-o", tmp_path / "run", "--"]
    planex(*words, *SHORT, "--streams", "2", "--iterations", "40")
    times = json.loads((tmp_path / "run/tiny-fp32.times.json").read_text("utf-8"))
    assert times["thread_count"] == 1 and times["throughput_requests"] == 2
    assert times["throughput_count"] == 80
    rate = times["throughput_count"] * 1000 / times["throughput_wall_ms"]
    assert times["throughput_per_s"] == pytest.approx(rate, rel=1e-4)
    starts, latencies = times["columns"]["start_ms"], times["columns"]["latency_ms"]
    ends = [start + latency for start, latency in zip(starts, latencies, strict=True)]
    assert all(end <= start for end, start in zip(ends, starts[1:], strict=False))
    summary = json.loads(planex("summary", tmp_path / "run", "--format", "json").stdout)
    assert summary["time"]["throughput_per_s"] == pytest.approx(times["throughput_per_s"])
    manifest = json.loads((tmp_path / "run/manifest.json").read_text("utf-8"))
    assert manifest["result"]["engine"]["streams"] == 2
    assert manifest["result"]["config"]["INFERENCE_NUM_THREADS"] == "2"
    planex(*words, *SHORT)
    times = json.loads((tmp_path / "run/tiny-fp32.times.json").read_text("utf-8"))
    assert not any(key.startswith("throughput") for key in times)


def test_compare_runs(planex, runs):
    words = ["compare", runs / "tiny-fp32", runs / "tiny-qdq"]
    document = json.loads(planex(*words, "--format", "json").stdout)
    assert len(document["engines"]) == 2
    precisions = {row["precision"]: row["count"] for row in document["by_precision"]}
    quantized = {p for p in precisions if p in ("INT8", "UINT8")}
    assert quantized, "OpenVINO runs the quantized model in 8 bits"
    text = planex(*words).stdout
    assert "speed-up" in text


def test_what_is_printed(planex, models, tmp_path):
    result = planex("process", models / "tiny-fp32.onnx", "-o", tmp_path / "run", "--", *SHORT)
    printed = [pathlib.Path(line) for line in result.stdout.splitlines()]
    assert sorted(printed) == sorted((tmp_path / "run").iterdir())
    assert printed[-1].name == "manifest.json"
    phases = re.findall(r"^openvino: (\w+) [\d.]+ s$", result.stderr, re.MULTILINE)
    assert phases[:2] == ["read", "compile"] and "time" in phases
    following = re.search(r"^next: planex (summary .*)$", result.stderr, re.MULTILINE)[1]
    assert "//" not in following
    planex(*following.split())
    assert "\x1b" not in result.stderr


def test_same_model_same_graph(planex, models, tmp_path):
    for name in ["one", "two"]:
        planex("process", models / "tiny-fp32.onnx", "-o", tmp_path / name, "--", *SHORT)
    first, second = (
        re.sub(r"_\d+", "_N", (tmp_path / name / "tiny-fp32.graph.json").read_text("utf-8"))
        for name in ["one", "two"]
    )
    assert first == second


def test_print_only(planex, models, tmp_path, files_in, runs):
    model = models / "tiny-fp32.onnx"
    words = ["process", model, "-o", tmp_path / "a b", "--print-only", "--", *SHORT]
    result = planex(*words, cwd=tmp_path)
    assert files_in(tmp_path) == [] and list(tmp_path.iterdir()) == []
    (line,) = result.stdout.splitlines()
    (tmp_path / "a b").mkdir()
    subprocess.run(["sh", "-c", line], cwd=tmp_path, check=True, capture_output=True)
    made = {path.name for path in (tmp_path / "a b").iterdir()}
    # What planex itself adds.
    added = {"manifest.json", "tiny-fp32.machine.json"}
    assert {p.name for p in (runs / "tiny-fp32").iterdir()} - added <= made
    planex("summary", tmp_path / "a b")


def test_launcher(planex, models, tmp_path):
    model = models / "tiny-fp32.onnx"
    words = ["process", model, "-o", tmp_path / "run", "--launcher", "env PLANEX_TEST=1 nice"]
    line = planex(*words, "--print-only").stdout
    assert line.startswith("env PLANEX_TEST=1 nice ")
    planex(*words, "--", *SHORT)
    planex("summary", tmp_path / "run")


def test_questions(planex, tmp_path, models, files_in):
    for question, said in [("--help", "--shape"), ("--version", "OpenVINO")]:
        result = planex("process", models / "tiny-fp32.onnx", "--", question, cwd=tmp_path)
        assert said in result.stdout or said.lower() in result.stdout.lower()
        assert files_in(tmp_path) == []


def test_run_again_replaces(planex, models, tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "mine.txt").write_text("stays")
    for _ in range(2):
        planex("process", models / "tiny-fp32.onnx", "-o", folder, "--", *SHORT)
    assert (folder / "mine.txt").read_text() == "stays"
    assert len(list(folder.iterdir())) == 6
    planex("summary", folder)


# --- What goes wrong ---------------------------------------------------------------------------


def onnx_model(nodes, inputs, outputs, initializers=(), opset=17):
    from onnx import helper

    graph = helper.make_graph(nodes, "g", inputs, outputs, list(initializers))
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("my.domain", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def float_value(name, dims):
    from onnx import TensorProto, helper

    return helper.make_tensor_value_info(name, TensorProto.FLOAT, dims)


def garbage(path, models):
    path.write_bytes(os.urandom(4096))


def empty(path, models):
    path.write_bytes(b"")


def text(path, models):
    path.write_text("this is no model\n")


def truncated(path, models):
    content = (models / "tiny-fp32.onnx").read_bytes()
    path.write_bytes(content[: len(content) // 2])


def unknown_operation(path, models):
    from onnx import helper

    node = helper.make_node("FlyToTheMoon", ["x"], ["y"], name="moon", domain="my.domain")
    model = onnx_model([node], [float_value("x", [1, 4])], [float_value("y", [1, 4])])
    path.write_bytes(model.SerializeToString())


def refused_node(path, models):
    from onnx import helper

    node = helper.make_node("GridSample", ["x", "grid"], ["warped"], name="flow/sample")
    inputs = [float_value("x", [1, 3, 8, 8, 8]), float_value("grid", [1, 8, 8, 8, 3])]
    model = onnx_model([node], inputs, [float_value("warped", None)])
    path.write_bytes(model.SerializeToString())


def missing_external_data(path, models):
    from onnx import TensorProto, helper

    weight = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[4, 4])
    weight.data_location = TensorProto.EXTERNAL
    for key, value in [("location", "weights.bin"), ("offset", "0"), ("length", "64")]:
        entry = weight.external_data.add()
        entry.key, entry.value = key, value
    node = helper.make_node("MatMul", ["x", "w"], ["y"], name="mm")
    model = onnx_model([node], [float_value("x", [1, 4])], [float_value("y", [1, 4])], [weight])
    path.write_bytes(model.SerializeToString())


def sound(path, models):
    shutil.copy(models / "tiny-fp32.onnx", path)


# What makes the model, flags, exit codes that are right, what has to be said.
FAILURES = {
    "garbage": (garbage, [], {3}, "model.onnx"),
    "empty": (empty, [], {3}, "empty"),
    "text": (text, [], {3}, "model.onnx"),
    "truncated": (truncated, [], {3}, "cut"),
    "unknown operation": (unknown_operation, [], {3, 4}, '"my.domain.FlyToTheMoon", node "moon"'),
    "node that is refused": (refused_node, [], {3}, 'the GridSample node "flow/sample"'),
    "missing external data": (missing_external_data, [], {3}, "weights.bin"),
    "shape of no input": (sound, ["--shape", "nothing=1x3x8x8"], {2, 3}, "nothing"),
    "shape of another rank": (sound, ["--shape", "input=1x3"], {2, 3}, "input"),
    "shape that does not fit": (sound, ["--shape", "input=1x5x8x8"], {2, 3}, "shape"),
    "shape that is none": (sound, ["--shape", "input=1xtwox3"], {2}, "two"),
    "unknown flag": (sound, ["--iteratons", "5"], {2}, "--iterations"),
    "flag without value": (sound, ["--threads"], {2}, "--threads"),
    "value out of range": (sound, ["--threads", "0"], {2}, "0"),
    "unknown property": (sound, ["--config", "NO_SUCH_PROPERTY=1"], {2, 3}, "NO_SUCH_PROPERTY"),
}


def check_failure(result, tmp_path, before, said):
    lines = result.stderr.splitlines()
    errors = [i for i, line in enumerate(lines) if line.startswith("error: ")]
    assert len(errors) == 1, result.stderr
    message = lines[errors[0] :]
    assert said in "\n".join(message), result.stderr
    assert len(message[0]) > 15 and len(message) >= 2, "a reason and what to do"
    assert "terminate called" not in result.stderr and "bug" not in result.stderr
    assert result.stdout == ""
    assert sorted(tmp_path.rglob("*")) == before, "no file is left, no folder made"
    no_driver_left(tmp_path)


@pytest.mark.parametrize("case", FAILURES)
def test_failure(planex, models, tmp_path, case):
    make, flags, codes, said = FAILURES[case]
    model = tmp_path / "model.onnx"
    make(model, models)
    before = sorted(tmp_path.rglob("*"))
    words = ["process", model, "-o", tmp_path / "run", "--", *SHORT, *flags]
    result = planex(*words, code=None)
    assert result.returncode in codes, result.stderr
    check_failure(result, tmp_path, before, said)


def test_missing_model(planex, tmp_path):
    result = planex("process", tmp_path / "no.onnx", "-o", tmp_path / "run", code=3)
    assert "no.onnx" in result.stderr.splitlines()[0]
    assert list(tmp_path.iterdir()) == []
    result = planex("process", tmp_path, "-o", tmp_path / "run", code=3)
    assert list(tmp_path.iterdir()) == []


def test_crash_of_openvino(planex, data, tmp_path):
    model = data / "openvino-crash-conv-arity.onnx"
    if not model.exists():
        pytest.skip(f"no {model}")
    result = planex("process", model, "-o", tmp_path / "run", "--", *SHORT, code=None)
    assert result.returncode in (3, 4), result.stderr
    check_failure(result, tmp_path, [], "openvino-crash-conv-arity.onnx")


def test_unknown_engine(planex, models, tmp_path):
    words = ["process", models / "tiny-fp32.onnx", "-o", tmp_path / "run", "--engine", "openvin"]
    result = planex(*words, code=2)
    assert "openvino" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_folder_that_cannot_be_made(planex, models, tmp_path):
    (tmp_path / "file").write_text("in the way")
    words = ["process", models / "tiny-fp32.onnx", "-o", tmp_path / "file" / "run", "--", *SHORT]
    result = planex(*words, code=3)
    assert result.stderr.splitlines()[-1] and "file" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_failed_run_keeps_the_last_good_one(planex, models, tmp_path):
    folder = tmp_path / "run"
    model = tmp_path / "model.onnx"
    shutil.copy(models / "tiny-fp32.onnx", model)
    planex("process", model, "-o", folder, "--", *SHORT)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    model.write_bytes(b"broken")
    planex("process", model, "-o", folder, "--", *SHORT, code=3)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


# --- Being stopped -----------------------------------------------------------------------------


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("worked_seconds", [None, 0, 1], ids=["at once", "driver", "at work"])
def test_stopped(planex_bin, models, tmp_path, stop, worked_seconds):
    process = subprocess.Popen(
        [planex_bin, "process", models / "tiny-fp32.onnx", "-o", tmp_path / "run", "--",
         *ENDLESS],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )  # fmt: skip
    if worked_seconds is not None:
        wait_for_driver(process, worked_seconds)
    process.send_signal(stop)
    out, said = process.communicate(timeout=20)
    assert process.returncode in (130, 143, -stop), said
    assert out == ""
    assert sorted(tmp_path.rglob("*")) == []
    no_driver_left(tmp_path)


def test_ctrl_c_of_a_terminal_reaches_all(planex_bin, models, tmp_path):
    """A terminal sends SIGINT to the whole group: planex and the driver at once."""
    process = subprocess.Popen(
        [planex_bin, "process", models / "tiny-fp32.onnx", "-o", tmp_path / "run", "--",
         *ENDLESS],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )  # fmt: skip
    wait_for_driver(process, 0.1)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130, said
    assert "stopped" in said
    assert list(tmp_path.iterdir()) == []
    no_driver_left(tmp_path)


def test_killed_leaves_no_driver(planex_bin, models, tmp_path):
    process = subprocess.Popen(
        [planex_bin, "process", models / "tiny-fp32.onnx", "-o", tmp_path / "run", "--",
         *ENDLESS],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    wait_for_driver(process, 0.1)
    process.kill()
    process.wait(10)
    no_driver_left(tmp_path)
    assert not (tmp_path / "run" / "manifest.json").exists()


# --- Where it runs -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["with space", "ünï 模型 🚀", "quote'\"$(touch x)", "-dash"])
def test_odd_paths(planex, models, tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    shutil.copy(models / "tiny-fp32.onnx", folder / f"{name}.onnx")
    planex("process", folder / f"{name}.onnx", "-o", folder / "out put", "--", *SHORT)
    assert f"{name}.graph.json" in [path.name for path in (folder / "out put").iterdir()]
    summary = json.loads(planex("summary", folder / "out put", "--format", "json").stdout)
    assert summary["engine"]["name"] == name
    words = ["process", folder / f"{name}.onnx", "-o", folder / "again", "--print-only"]
    line = planex(*words, "--", *SHORT).stdout
    (folder / "again").mkdir()
    subprocess.run(["sh", "-c", line], cwd=tmp_path, check=True, capture_output=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == [name], "the shell ran no name"


def test_relative_paths_and_default_folder(planex, models, tmp_path):
    shutil.copy(models / "tiny-fp32.onnx", tmp_path / "m.onnx")
    planex("process", "m.onnx", "--", *SHORT, cwd=tmp_path)
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {"m.onnx", *(f"m.{k}.json" for k in ["graph", "profile", "times"])} | {
        "m.machine.json",
        "manifest.json",
    }
    planex("summary", ".", cwd=tmp_path)
    planex("process", "../" + tmp_path.name + "/m.onnx", "-o", "x/y/", "--", *SHORT, cwd=tmp_path)
    planex("summary", "x/y/", cwd=tmp_path)


def test_empty_environment(planex_bin, models, tmp_path):
    program = ["env", "-i", planex_bin, "process", models / "tiny-fp32.onnx", "-o", tmp_path / "r"]
    result = subprocess.run(
        [*program, "--", *SHORT], cwd="/", capture_output=True, text=True, timeout=60
    )
    assert result.returncode == 0, result.stderr
    assert len(list((tmp_path / "r").iterdir())) == 5


def test_closed_streams(planex_bin, models, tmp_path):
    command = '"$0" process "$1" -o "$2" -- --duration-ms 30 --profile-ms 60 --rounds 3 <&- 2>&-'
    result = subprocess.run(
        ["bash", "-c", command, planex_bin, models / "tiny-fp32.onnx", tmp_path / "r"],
        stdout=subprocess.PIPE,
        timeout=60,
    )
    assert result.returncode == 0
    assert len(list((tmp_path / "r").iterdir())) == 5


def test_two_at_once(planex_bin, models, tmp_path):
    both = [
        subprocess.Popen(
            [planex_bin, "process", models / f"{name}.onnx", "-o", tmp_path / "r", "--", *SHORT],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in MODELS
    ]
    for process in both:
        _, said = process.communicate(timeout=60)
        assert process.returncode == 0, said
    names = {path.name for path in (tmp_path / "r").iterdir()}
    assert {f"{name}.graph.json" for name in MODELS} <= names
    assert len(names) == 9
