"""planex-onnxruntime with the real ONNX Runtime: model in, files out, and what goes wrong."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess

import pytest

# Short measurements: these tests are about files, not about times.
SHORT = ["--duration-ms", "20", "--profile-ms", "20", "--warmup", "1"]
WORDS = ["--shape", "ids=2x6"]


def names_in(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def read(folder, file) -> dict:
    return json.loads((folder / file).read_text("utf-8"))


@pytest.fixture(scope="module")
def runs(drive, drivers_python, models, tmp_path_factory):
    """A folder of files for each model."""
    folder = tmp_path_factory.mktemp("runs")
    for name, flags in {"small": [], "words": WORDS, "choice": [], "resnet": []}.items():
        (folder / name).mkdir()
        words = ["--model", models / f"{name}.onnx", "--out", folder / name / name, *flags, *SHORT]
        driven = drive("onnxruntime", *words, python=drivers_python)
        assert driven.phases == ["read", "compile", "warmup", "time", "profile", "write"]
    return folder


@pytest.mark.parametrize("name", ["small", "words", "choice", "resnet"])
def test_one_engine_with_times_and_links(planex, runs, name):
    folder = runs / name
    endings = ["optimized.onnx", "result.json", "times.json", "trace.json"]
    assert names_in(folder) == [f"{name}.{ending}" for ending in endings]
    summary = json.loads(planex("summary", folder, "--format", "json").stdout)
    assert summary["engine"]["producer"] == "onnxruntime"
    assert summary["engine"]["name"] == name
    assert summary["layer_count"] >= 2
    assert summary["time"]["layers_median_ms"] > 0
    times = read(folder, f"{name}.times.json")
    end_to_end = summary["time"]["end_to_end"]
    assert end_to_end["count"] == times["count"] == len(times["columns"]["latency_ms"]) >= 30
    assert len(times["profiled_latency_ms"]) >= 5
    assert times["thread_count"] == 1
    doctor = json.loads(planex("doctor", folder, "--format", "json").stdout)
    assert doctor["error"] is None
    used = {file["file"].split(".", 1)[1] for file in doctor["files"] if file["used"]}
    assert used == {"optimized.onnx", "times.json", "trace.json"}
    (model,) = [file for file in doctor["files"] if file["file"].endswith(".optimized.onnx")]
    assert model["joined_count"] == summary["record_count"], "each layer is a node of the model"
    for verb in ["layers", "lint"]:
        planex(verb, folder, "--format", "json")


def test_result(runs):
    result = read(runs / "words", "words.result.json")
    assert next(iter(result)) == "schema" and result["schema"] == "planex.onnxruntime-result/1"
    assert result["engine"]["providers"] == ["CPUExecutionProvider"]
    assert result["engine"]["producer_version"] == result["versions"]["onnxruntime"]
    assert result["inputs"] == [{"name": "ids", "dims": [2, 6], "element_type": "int64"}]
    assert result["notes"] == [] and result["compile_ms"] > 0
    notes = read(runs / "small", "small.result.json")["notes"]
    assert len(notes) == 1 and "dynamic batch set to 1 (shape 1x16)" in notes[0]


def test_settings_are_taken_and_recorded(drive, drivers_python, models, tmp_path):
    words = [*SHORT, "--threads", "2", "--optimization", "disable", "--iterations", "7"]
    words += ["--rounds", "3", "--seed", "5", "--config", "session.intra_op.allow_spinning=0"]
    words += ["--shape", "x=4x16", "--name", "other"]
    words += ["--model", models / "small.onnx", "--out", tmp_path / "small"]
    drive("onnxruntime", *words, python=drivers_python)
    result = read(tmp_path, "small.result.json")
    assert result["engine"]["name"] == "other" and result["seed"] == 5
    assert result["engine"]["threads"] == 2 and result["engine"]["optimization"] == "disable"
    assert result["config"] == {"session.intra_op.allow_spinning": "0"}
    assert result["profiled_count"] == 3 and result["notes"] == []
    times = read(tmp_path, "small.times.json")
    assert times["count"] == 7 and len(times["profiled_latency_ms"]) == 3
    trace = json.loads((tmp_path / "small.trace.json").read_text("utf-8"))
    assert sum(event["name"] == "model_run" for event in trace) == 3
    shapes = {json.dumps(e["args"]["input_type_shape"]) for e in trace if e["cat"] == "Node"}
    assert any("[4, 16]" in shape for shape in shapes)


def test_without_a_profile_old_files_go(drive, drivers_python, models, tmp_path):
    words = ["--model", models / "small.onnx", "--out", tmp_path / "small", *SHORT]
    drive("onnxruntime", *words, python=drivers_python)
    assert "small.trace.json" in names_in(tmp_path)
    driven = drive("onnxruntime", *words, "--no-profile", python=drivers_python)
    assert "profile" not in driven.phases
    assert names_in(tmp_path) == ["small.result.json", "small.times.json"]


def test_help_and_version(drive, drivers_python):
    text = drive("onnxruntime", "--version", python=drivers_python).stdout
    assert text.startswith("planex-onnxruntime 0.1, ONNX Runtime 1.32.0\n")
    text = drive("onnxruntime", "--help", python=drivers_python).stdout
    assert "--provider-option" in text and "--shape" in text


@pytest.mark.parametrize(
    ("flags", "code", "kind", "message", "hint"),
    [
        (["--provider", "cuda"], 4, "unsupported", "has no execution provider", "It has "),
        (["--device", "gpu"], 4, "unsupported", "has no execution provider", "onnxruntime-gpu"),
        (["--precision", "fp16"], 2, "usage", "has no precision", "Convert the model"),
        (["--thread", "2"], 2, "usage", "unknown option", "Did you mean --threads?"),
        (["--shape", "x"], 2, "usage", "is not NAME=SHAPE", ""),
        (["--shape", "x=4x17"], 4, "bad-input", "the model has ?x16 there", "shown as ?"),
        (["--shape", "y=4"], 4, "bad-input", 'no input "y"', ""),
        (["--provider-option", "gpu:a=b"], 2, "usage", "no provider", "Did you mean cpu?"),
        (["--optimization", "most"], 2, "usage", "invalid choice", "--help"),
    ],
)
def test_refused(
    drive, drivers_python, models, tmp_path, nothing_stays, flags, code, kind, message, hint
):
    words = ["--model", models / "small.onnx", "--out", tmp_path / "small", *flags]
    error = drive("onnxruntime", *words, python=drivers_python, code=code).error
    assert error["kind"] == kind
    assert message in error["message"] and hint in error.get("hint", "")
    nothing_stays()


@pytest.mark.parametrize(
    ("model", "kind", "message"),
    [
        ("garbage", "bad-input", "Protobuf parsing failed"),
        ("folder", "bad-input", "is a folder"),
        ("missing", "not-found", "no such model file"),
        ("unknown", "bad-input", "Nonsense"),
        ("damaged", "bad-input", "not UTF-8"),
        ("words", "bad-input", '1 input with dynamic dimensions: "ids": ?x?'),
    ],
)
def test_models_that_fail(
    drive, drivers_python, models, tmp_path, nothing_stays, model, kind, message
):
    words = ["--model", models / f"{model}.onnx", "--out", tmp_path / "run", *SHORT]
    error = drive("onnxruntime", *words, python=drivers_python, code=4).error
    assert (error["kind"], message in error["message"]) == (kind, True), error
    if model == "words":
        assert "--shape ids=1x128" in error["hint"]
    nothing_stays()


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_a_hang_is_ended_and_leaves_nothing(
    scripts, drivers_python, models, tmp_path, nothing_stays, stop
):
    """The engine is in its own code then, and never returns to the interpreter."""
    words = ["--model", models / "endless.onnx", "--out", tmp_path / "run"]
    process = subprocess.Popen(
        [drivers_python, scripts["onnxruntime"], *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdout is not None
    while '"warmup"' not in process.stdout.readline():
        assert process.poll() is None
    process.send_signal(stop)
    _, stderr = process.communicate()
    error = json.loads(stderr.splitlines()[-1])
    assert process.returncode == 4 and error["message"] == f"stopped by {stop.name}"
    nothing_stays()


@pytest.mark.parametrize("limit", [0, 600, 3_000])
def test_a_full_disk(drive, drivers_python, models, tmp_path, nothing_stays, limit):
    """Whichever file it is that does not fit, none stays: the model, the trace, the times."""

    def at_most() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    words = ["--model", models / "small.onnx", "--out", tmp_path / "run", *SHORT]
    words += ["--iterations", "30"] + (["--no-optimized-model"] if limit > 600 else [])
    error = drive("onnxruntime", *words, python=drivers_python, code=4, before=at_most).error
    assert error["kind"] in ("io", "tool"), error
    nothing_stays()


def test_a_folder_that_is_not_there(drive, drivers_python, models, tmp_path):
    words = ["--model", models / "small.onnx", "--out", tmp_path / "none/run"]
    error = drive("onnxruntime", *words, python=drivers_python, code=4).error
    assert error["kind"] == "io" and "can't write in" in error["message"]


def test_a_package_that_is_not_there(drive, this_python, models, tmp_path, nothing_stays):
    words = ["--model", models / "small.onnx", "--out", tmp_path / "run"]
    error = drive("onnxruntime", *words, python=this_python, code=4).error
    assert error["kind"] == "not-found" and this_python in error["message"]
    assert "python -m pip install onnxruntime" in error["hint"]
    nothing_stays()


def test_the_environment_is_all_that_it_needs(scripts, drivers_python, models, tmp_path):
    """In another folder, with a program that can't be written, and stdout that nobody takes."""
    os.chmod(scripts["onnxruntime"], 0o444)
    words = ["--model", models / "small.onnx", "--out", "run", *SHORT]
    with open("/dev/full", "w") as nobody:
        subprocess.run(
            [drivers_python, scripts["onnxruntime"], *words],
            cwd=tmp_path,
            stdout=nobody,
            check=True,
        )
    assert len(names_in(tmp_path)) == 4
