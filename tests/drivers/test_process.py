"""`planex process` with the programs in Python: one folder, one engine, one manifest."""

from __future__ import annotations

import hashlib
import json

import pytest

SHORT = ["--duration-ms", "20", "--profile-ms", "20", "--warmup", "1"]
WRITTEN = {
    "onnxruntime": ["machine.json", "optimized.onnx", "times.json", "trace.json"],
    "tensorrt-rtx": ["build.log", "machine.json"],
}


@pytest.mark.parametrize("engine", list(WRITTEN))
def test_one_run(planex, drivers_python, models, tmp_path, engine):
    words = ["process", models / "small.onnx", "--engine", engine, "--python", drivers_python]
    planex(*words, "-o", tmp_path / "run", "--", *SHORT)
    names = sorted(path.name for path in (tmp_path / "run").iterdir())
    assert names == ["manifest.json", *(f"small.{ending}" for ending in WRITTEN[engine])]
    manifest = json.loads((tmp_path / "run/manifest.json").read_text("utf-8"))
    assert manifest["engine"] == engine
    assert manifest["result"]["schema"] == f"planex.{engine}-result/1"
    assert sorted(entry["file"] for entry in manifest["artefacts"]) == names[1:]
    for entry in manifest["artefacts"]:
        content = (tmp_path / "run" / entry["file"]).read_bytes()
        assert entry["sha256"] == hashlib.sha256(content).hexdigest()
    summary = json.loads(planex("summary", tmp_path / "run", "--format", "json").stdout)
    assert summary["engine"]["producer"] == engine
    result = manifest["result"]["engine"]
    assert summary["engine"]["producer_version"] == result["producer_version"]
    assert summary["engine"]["device"] == result["device"]
    assert summary["layer_count"] >= 1
    doctor = json.loads(planex("doctor", tmp_path / "run", "--format", "json").stdout)
    assert doctor["error"] is None and all(file["used"] for file in doctor["files"])
    if "times.json" in WRITTEN[engine]:
        samples_are_placed(planex, tmp_path / "run")


def samples_are_placed(planex, folder):
    """Samples of the machine were taken before, during and after the inferences."""
    query = "SELECT min(inference_ms), max(inference_ms) FROM machine_samples"
    ((first, last),) = json.loads(planex("query", folder, query, "--format", "json").stdout)["rows"]
    times = json.loads((folder / "small.times.json").read_text("utf-8"))
    assert first < 0 <= times["columns"]["start_ms"][-1] < last


@pytest.mark.parametrize("engine", list(WRITTEN))
def test_an_error_reaches_the_user(planex, drivers_python, models, tmp_path, engine):
    words = ["process", models / "words.onnx", "--engine", engine, "--python", drivers_python]
    failed = planex(*words, "-o", tmp_path / "run", code=3)
    assert '1 input with dynamic dimensions: "ids": ?x?' in failed.stderr
    assert "--shape ids=1x128" in failed.stderr
    failed = planex(*words, "-o", tmp_path / "run", "--precision", "fp16", code=2)
    assert "has no precision" in failed.stderr
    assert not list(tmp_path.rglob("*.*"))


def test_the_package_is_missing(planex, this_python, models, tmp_path):
    words = ["process", models / "small.onnx", "--engine", "onnxruntime", "--python", this_python]
    failed = planex(*words, "-o", tmp_path / "run", code=None)
    assert failed.returncode in (2, 3)
    assert "python -m pip install onnxruntime" in failed.stderr


def test_tensorrt_as_it_is_played(planex, this_python, stand_in, tmp_path):
    model = tmp_path / "net.onnx"
    layers = {"fc": 0.5, "relu": 0.25}
    ports = {"inputs": {"x": ["FLOAT", [-1, 8]]}, "outputs": {"y": ["FLOAT", [-1, 4]]}}
    model.write_text(json.dumps({**ports, "layers": layers}))
    words = ["process", model, "--engine", "tensorrt", "--python", this_python]
    environment = {**stand_in, "PLANEX_STAND_IN": "10.0.1"}
    planex(*words, "-o", tmp_path / "run", "--", *SHORT, env=environment)
    summary = json.loads(planex("summary", tmp_path / "run", "--format", "json").stdout)
    assert summary["engine"]["producer"] == "tensorrt"
    assert summary["engine"]["device"] == "Stand-in GPU 0"
    assert summary["time"]["end_to_end"]["count"] >= 30
    assert summary["time"]["layers_median_ms"] == pytest.approx(0.75)


@pytest.mark.parametrize("fails", ["build", "crash"])
def test_the_log_of_a_build_that_fails(planex, this_python, stand_in, tmp_path, fails):
    """It stays until a run goes well, and is no file of an engine."""
    model = tmp_path / "net.onnx"
    content = {"inputs": {"x": ["FLOAT", [1]]}, "outputs": {"y": ["FLOAT", [1]]}}
    content["layers"] = {"fc": 0.5}
    folder = tmp_path / "run"
    words = ["process", model, "--engine", "tensorrt", "--python", this_python, "-o", folder]
    environment = {**stand_in, "PLANEX_STAND_IN": "10.0.1"}
    model.write_text(json.dumps({**content, "fails": fails}))
    failed = planex(*words, "--", *SHORT, env=environment, code=4)
    (log,) = folder.iterdir()
    assert log.name == "net.failed.log" and f"The complete log: {log}" in failed.stderr
    assert "TensorRT version: 10.0.1" in log.read_text("utf-8")
    assert "the log of an engine that could not be built" in planex("doctor", folder, code=3).stdout
    model.write_text(json.dumps(content))
    planex(*words, "--", *SHORT, env=environment)
    assert not log.exists()
    model.write_text(json.dumps({**content, "fails": fails}))
    planex(*words, "--", *SHORT, env=environment, code=4)
    doctor = json.loads(planex("doctor", folder, "--format", "json").stdout)
    assert [file["file"] for file in doctor["files"] if not file["used"]] == [str(log)]


@pytest.mark.parametrize(("name", "paired"), [("resnet", 5), ("words", 3), ("choice", 1)])
def test_engines_side_by_side(planex, planex_bin, drivers_python, models, tmp_path, name, paired):
    """One report of all; layers are paired through the model."""
    engines = ["onnxruntime", "tensorrt-rtx"]
    if (planex_bin.parent / "planex-openvino").exists():
        engines.insert(0, "openvino")
    model = models / f"{name}.onnx"
    words = ["process", model, "-o", tmp_path / "out", "--python", drivers_python]
    for engine in engines:
        words += ["--engine", engine]
    if name == "words":
        words += ["--shape", "ids=2x6"]
    planex(*words, "--", "onnxruntime:--duration-ms", "onnxruntime:20")
    assert (tmp_path / "out/report.html").stat().st_size > 10_000
    folders = [tmp_path / "out" / engine for engine in engines]
    for folder, engine in zip(folders, engines, strict=True):
        summary = json.loads(planex("summary", folder, "--format", "json").stdout)
        assert summary["engine"]["producer"] == engine
        assert (summary["time"]["end_to_end"] is None) == (engine == "tensorrt-rtx")
    words = ["compare", *folders, "--model", model, "--format", "json"]
    pairs = json.loads(planex(*words).stdout)["pairs"]
    for place in range(1, len(engines)):
        ways = [pair["match_by"] for pair in pairs if pair["engine"] == place]
        assert ways.count("source") >= paired and "order" not in ways, (engines[place], ways)
