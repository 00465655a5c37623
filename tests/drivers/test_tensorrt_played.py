"""planex-tensorrt, and what planex-tensorrt-rtx does where there is a GPU.

NVIDIA's packages and CUDA's driver are played (stand_in/): no GPU is needed.
"""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
import time

import pytest

SHORT = ["--duration-ms", "20", "--profile-ms", "20", "--warmup", "1"]
VERSIONS = ["8.6.1", "10.0.1", "11.4.0.106"]
ENGINES = [*(("tensorrt", version) for version in VERSIONS), ("tensorrt-rtx", "rtx")]
MODEL = {
    "inputs": {"x": ["FLOAT", [-1, 8]], "m": ["INT32", [-1]]},
    "outputs": {"y": ["FLOAT", [-1, 4]], "count": ["INT32", [-2]]},
    "layers": {"fc": 0.5, "relu": 0.25, "out": 0.125},
}


def names_in(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def result_of(folder) -> dict:
    return json.loads((folder / "net.result.json").read_text("utf-8"))


@pytest.fixture
def run(drive, this_python, stand_in, tmp_path, tmp_path_factory):
    """run(engine, version, *flags, model=…, code=0): the files are in tmp_path."""
    folder = tmp_path_factory.mktemp("model")

    def build(engine, version, *flags, model=MODEL, code=0, env=None, size="x=2x8"):
        path = folder / "net.onnx"
        path.write_text(model if isinstance(model, str) else json.dumps(model), "utf-8")
        words = ["--model", path, "--out", tmp_path / "net", *SHORT, *flags]
        words += ["--shape", size] if size else []
        variables = {**stand_in, "PLANEX_STAND_IN": version, **(env or {})}
        return drive(engine, *words, python=this_python, env=variables, code=code)

    return build


@pytest.mark.parametrize(("engine", "version"), ENGINES)
def test_one_engine_with_times(planex, run, tmp_path, engine, version):
    driven = run(engine, version)
    assert driven.phases == ["read", "compile", "warmup", "time", "profile", "write"]
    kinds = ["build.log", "graph.json", "profile.json", "result.json", "times.json"]
    assert names_in(tmp_path) == [f"net.{kind}" for kind in kinds]
    summary = json.loads(planex("summary", tmp_path, "--format", "json").stdout)
    assert summary["engine"]["name"] == "net" and summary["layer_count"] == 3
    assert summary["time"]["layers_median_ms"] == pytest.approx(0.875)
    times = json.loads((tmp_path / "net.times.json").read_text("utf-8"))
    assert 0 < time.monotonic_ns() - times["origin_monotonic_ns"] < 60e9
    assert set(times["columns"]) == {"start_ms", "enqueue_ms", "compute_ms", "latency_ms"}
    assert summary["time"]["end_to_end"]["count"] == times["count"] >= 30
    assert min(times["columns"]["compute_ms"]) >= 0.875
    doctor = json.loads(planex("doctor", tmp_path, "--format", "json").stdout)
    assert doctor["error"] is None
    (profile,) = [file for file in doctor["files"] if file["file"].endswith(".profile.json")]
    assert profile["joined_count"] == profile["record_count"] == 3
    result = result_of(tmp_path)
    assert result["schema"] == f"planex.{engine}-result/1"
    assert result["engine"]["device"] == "Stand-in GPU 0"
    assert result["engine"]["compute_capability"] == "8.9"
    assert result["engine"]["cuda_version"] == "12.8"
    assert result["inputs"] == [{"name": "x", "dims": [2, 8]}, {"name": "m", "dims": [1]}]


def test_profile_is_as_trtexec_writes_it(run, tmp_path):
    run("tensorrt", "10.0.1", "--rounds", "4")
    head, *rows = json.loads((tmp_path / "net.profile.json").read_text("utf-8"))
    assert head == {"count": 4}
    assert [row["name"] for row in rows] == ["fc", "relu", "out"]
    assert rows[0] == {
        "name": "fc",
        "timeMs": 2.0,
        "averageMs": 0.5,
        "medianMs": 0.5,
        "percentage": pytest.approx(57.142857),
    }


@pytest.mark.parametrize(
    ("version", "flags", "expected"),
    [
        ("8.6.1", ["--precision", "fp16"], ["FP16", "TF32"]),
        ("8.6.1", ["--precision", "best"], ["FP16", "FP8", "INT8", "TF32"]),
        ("10.0.1", ["--precision", "bf16", "--no-tf32"], ["BF16"]),
        ("10.0.1", ["--flag", "sparse-weights"], ["SPARSE_WEIGHTS", "TF32"]),
        ("11.4.0.106", ["--precision", "fp32"], ["TF32"]),
    ],
)
def test_precision_follows_the_version(run, tmp_path, version, flags, expected):
    run("tensorrt", version, *flags)
    assert sorted(result_of(tmp_path)["config"]["flags"]) == expected


@pytest.mark.parametrize(
    ("version", "flags", "message", "hint"),
    [
        ("11.4.0.106", ["--precision", "fp16"], "has no precision fp16", "planex cast"),
        ("8.6.1", ["--precision", "bf16"], "has no precision bf16", "A later version"),
        ("8.6.1", ["--strongly-typed"], "no strongly typed networks", ""),
        ("10.0.1", ["--strongly-typed", "--precision", "fp16"], "exclude each other", ""),
        ("10.0.1", ["--precision", "int2"], 'no precision "int2"', "Valid: fp32"),
        ("10.0.1", ["--device", "7"], "there is no GPU 7", ""),
        ("10.0.1", ["--profile", "x:1x8:2x8:1x8"], "out of order", ""),
        ("10.0.1", ["--profile", "x:4x8:4x8:8x8"], "fits no profile", ""),
    ],
)
def test_refused(run, nothing_stays, version, flags, message, hint):
    error = run("tensorrt", version, *flags, code=2).error
    assert message in error["message"] and hint in error.get("hint", ""), error
    nothing_stays()


@pytest.mark.parametrize(("engine", "version"), ENGINES)
@pytest.mark.parametrize(
    ("fails", "phase", "kind", "message"),
    [
        ("parse", "read", "unsupported", "Plugin not found"),
        ("build", "compile", "tool", "Could not find any implementation for node fc."),
        ("load", "compile", "tool", "could not be loaded"),
        ("context", "compile", "tool", "could not be made"),
        ("enqueue", "warmup", "tool", "an illegal address"),
    ],
)
def test_failures_tell_the_logs_words(
    run, only_log_stays, engine, version, fails, phase, kind, message
):
    error = run(engine, version, model={**MODEL, "fails": fails}, code=4).error
    assert (error["phase"], error["kind"]) == (phase, kind), error
    assert message in error["message"]
    if fails == "build":
        assert error["message"].endswith("\nEngine generation failed")
    only_log_stays()


def test_garbage(run, nothing_stays):
    assert run("tensorrt", "10.0.1", model="garbage", code=4).error["kind"] == "bad-input"
    nothing_stays()


@pytest.mark.parametrize("function", ["cuMemAlloc_v2", "cuMemcpyHtoD_v2", "cuStreamSynchronize"])
def test_cuda_that_fails(run, only_log_stays, function):
    error = run("tensorrt", "10.0.1", env={"STAND_IN_FAILS": function}, code=4).error
    assert error["message"] == f"CUDA: {function} failed: CUDA_ERROR_OUT_OF_MEMORY"
    assert "smaller batch" in error["hint"]
    only_log_stays()


@pytest.mark.parametrize("gone", [{"STAND_IN_GPUS": "0"}, {"LD_LIBRARY_PATH": ""}])
def test_without_a_gpu(run, tmp_path, nothing_stays, gone):
    error = run("tensorrt", "10.0.1", env=gone, code=4).error
    assert error["kind"] == "unsupported" and "--launcher" in error["hint"]
    nothing_stays()
    run("tensorrt-rtx", "rtx", env=gone)
    assert names_in(tmp_path) == ["net.build.log", "net.result.json"]


def test_timing_cache(run, tmp_path, tmp_path_factory):
    cache = tmp_path_factory.mktemp("cache") / "timing.cache"
    run("tensorrt", "10.0.1", "--timing-cache", cache)
    assert cache.read_bytes() == b"timed"
    run("tensorrt", "10.0.1", "--timing-cache", cache)
    assert cache.read_bytes() == b"timedtimed"
    cache.write_bytes(b"another GPU's")
    error = run("tensorrt", "10.0.1", "--timing-cache", cache, code=4).error
    assert "rejected this timing cache" in error["message"]
    assert names_in(cache.parent) == ["timing.cache"]


def test_threads_are_other_engines(run, tmp_path):
    run("tensorrt", "10.0.1", "--threads", "1")
    assert "--threads is ignored" in " ".join(result_of(tmp_path)["notes"])


def test_profile_gives_the_shape(run, tmp_path):
    flags = ["--profile", "x:1x8:4x8:16x8,m:1:2:3", "--save-engine"]
    run("tensorrt", "10.0.1", *flags, size=None)
    result = result_of(tmp_path)
    assert result["inputs"] == [{"name": "x", "dims": [4, 8]}, {"name": "m", "dims": [2]}]
    assert (tmp_path / "net.engine").stat().st_size == result["plan_bytes"]


def test_too_old(run, nothing_stays, tmp_path_factory):
    folder = tmp_path_factory.mktemp("old")
    (folder / "tensorrt.py").write_text('__version__ = "8.4.3.1"\n')
    error = run("tensorrt", "10.0.1", env={"PYTHONPATH": str(folder)}, code=4).error
    assert error["kind"] == "unsupported" and "--engine trtexec" in error["hint"]
    nothing_stays()


def test_ended_while_it_builds(
    scripts, stand_in, this_python, tmp_path, tmp_path_factory, nothing_stays
):
    model = tmp_path_factory.mktemp("model") / "net.onnx"
    model.write_text(json.dumps({**MODEL, "fails": "hang"}))
    words = ["--model", model, "--out", tmp_path / "net", "--shape", "x=2x8"]
    process = subprocess.Popen(
        [this_python, scripts["tensorrt"], *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, **stand_in},
    )
    assert process.stdout is not None
    while '"compile"' not in process.stdout.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    _, stderr = process.communicate()
    assert process.returncode == 4
    assert json.loads(stderr.splitlines()[-1])["message"] == "stopped by SIGTERM"
    nothing_stays()


def test_the_stand_in_plays_only_what_there_is():
    """Each of its names is one of some version's real package."""
    program = "import json, stand_in_of_tensorrt as s; print(json.dumps([s.NAMES, {k: sorted(v) "
    program += "for k, v in s.members_played().items()}]))"
    folder = os.path.join(os.path.dirname(__file__), "stand_in")
    words = [sys.executable, "-c", program]
    out = subprocess.run(words, cwd=folder, capture_output=True, check=True).stdout
    versions, played = json.loads(out)
    assert set(versions) == {*VERSIONS, "rtx"}
    for kind, names in played.items():
        for version in versions.values():
            known = version.get(kind)
            # What ParserError says of nodes came with 10; compute capabilities are RTX's.
            newer = {"node_name", "node_operator"} | {
                name for name in names if "compute_capab" in name
            }
            assert known is None or set(names) - newer <= set(known), kind


@pytest.mark.parametrize("name", ["onnxruntime", "tensorrt", "tensorrt-rtx"])
def test_the_programs_are_of_python_3_8(scripts, name):
    text = scripts[name].read_text("utf-8")
    ast.parse(text, feature_version=(3, 8))
    assert text.count("from __future__") == 1
