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
