"""planex-tensorrt-rtx with NVIDIA's real package, which builds engines without a GPU."""

from __future__ import annotations

import json
import os
import pathlib
import resource
import signal
import subprocess

import pytest


def names_in(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def result_of(folder, name) -> dict:
    return json.loads((folder / f"{name}.result.json").read_text("utf-8"))


@pytest.fixture
def build(drive, drivers_python, models, tmp_path):
    """build(MODEL, *flags): a folder of its files."""

    def run(model, *flags, code=0, before=None, env=None):
        path = model if isinstance(model, pathlib.Path) else models / f"{model}.onnx"
        words = ["--model", path, "--out", tmp_path / path.stem, *flags]
        options = {"code": code, "before": before, "env": env}
        return drive("tensorrt-rtx", *words, python=drivers_python, **options)

    return run


@pytest.mark.parametrize(
    ("name", "flags", "layers"),
    [
        ("small", [], 1),
        ("words", ["--shape", "ids=2x6"], 4),
        ("choice", [], 4),
        ("resnet", ["--target", "sm80"], 4),
    ],
)
def test_one_engine(planex, build, tmp_path, name, flags, layers):
    driven = build(name, *flags)
    assert driven.phases == ["read", "compile", "write"]
    assert names_in(tmp_path) == [f"{name}.build.log", f"{name}.result.json"]
    summary = json.loads(planex("summary", tmp_path, "--format", "json").stdout)
    assert summary["engine"]["producer"] == "tensorrt-rtx"
    assert summary["engine"]["producer_version"] == "1.7.1.116"
    assert summary["engine"]["name"] == name
    assert summary["layer_count"] >= layers
    doctor = json.loads(planex("doctor", tmp_path, "--format", "json").stdout)
    assert doctor["error"] is None
    result = result_of(tmp_path, name)
    assert result["schema"] == "planex.tensorrt-rtx-result/1"
    assert result["engine"]["has_run"] is False and result["plan_bytes"] > 1000
    assert result["parse_ms"] > 0 and result["build_ms"] > 0
    targets = [word.upper() for word in flags[1:] if word.startswith("sm")]
    assert result["engine"]["targets"] == targets
    assert result["engine"]["device"].startswith("no GPU: built for")


def test_a_real_engine_of_the_data(planex, build, engines, tmp_path):
    """The same layers as the log that another program wrote of it."""
    build(engines / "rtx1.7-loop/loop.onnx")

    def layers(path):
        return json.loads(planex("layers", path, "--format", "json").stdout)["rows"]

    assert layers(tmp_path) == layers(engines / "rtx1.7-loop") != []


def test_several_targets_are_one_engine(build, tmp_path):
    build("small", "--target", "sm80,8.6", "--target", "sm89", "--save-engine")
    result = result_of(tmp_path, "small")
    assert result["engine"]["targets"] == ["SM80", "SM86", "SM89"]
    assert result["engine"]["device"] == "no GPU: built for sm80, sm86 and sm89"
    log = (tmp_path / "small.build.log").read_text("utf-8")
    assert "Number of target compute capabilities: 3" in log
    assert (tmp_path / "small.engine").stat().st_size == result["plan_bytes"]


def test_settings(build, tmp_path):
    flags = ["--strongly-typed", "--max-aux-streams", "0", "--optimization-level", "2"]
    flags += ["--flag", "no-tf32", "--flag", "direct-io"]
    build("small", *flags, "--profile", "x:1x16:4x16:16x16", "--profile", "x:16x16:16x16:32x16")
    config = result_of(tmp_path, "small")["config"]
    assert config["strongly_typed"] is True and config["max_aux_streams"] == 0
    assert "DIRECT_IO" in config["flags"] and "TF32" not in config["flags"]
    shapes = [{"x": ["1x16", "4x16", "16x16"]}, {"x": ["16x16", "16x16", "32x16"]}]
    assert config["optimization_profiles"] == shapes
    # The first profile's best shape is what is run.
    result = result_of(tmp_path, "small")
    assert result["inputs"] == [{"name": "x", "dims": [4, 16]}] and not any(
        "dynamic batch" in note for note in result["notes"]
    )


def test_the_terms_are_shown_once(build, models, tmp_path):
    state = {"XDG_STATE_HOME": str(tmp_path / "state")}
    build("small", env=state)
    assert any("license agreement" in note for note in result_of(tmp_path, "small")["notes"])
    build("small", env=state)
    assert not any("license agreement" in note for note in result_of(tmp_path, "small")["notes"])


def test_state_that_can_not_be_kept_is_no_error(build, tmp_path):
    build("small", env={"XDG_STATE_HOME": "/dev/null"})
    assert result_of(tmp_path, "small")["notes"]


@pytest.mark.parametrize(
    ("flags", "code", "kind", "message", "hint"),
    [
        (["--precision", "fp16"], 2, "usage", "has no precision fp16", "planex cast"),
        (["--target", "sm99"], 2, "usage", "no target", "Did you mean sm89?"),
        (["--target", "sm80,current"], 2, "usage", "can't be combined", ""),
        (["--flag", "refits"], 2, "usage", "no builder flag", "Did you mean REFIT?"),
        (["--profile", "x:1x16"], 2, "usage", "is not INPUT:MIN:OPT:MAX", ""),
        (["--profile", "y:1:2:3"], 4, "bad-input", 'no input "y"', ""),
        (["--profile", "x:4x16:2x16:8x16"], 2, "usage", "MIN<=OPT<=MAX", ""),
        (["--shape", "x=4x17"], 4, "bad-input", "does not fit", ""),
    ],
)
def test_refused(build, nothing_stays, flags, code, kind, message, hint):
    error = build("small", *flags, code=code).error
    assert error["kind"] == kind
    assert message in error["message"] and hint in error.get("hint", ""), error
    nothing_stays()


@pytest.mark.parametrize(
    ("model", "kind", "message"),
    [
        ("unknown", "unsupported", "odd (Nonsense)"),
        ("damaged", "bad-input", "not UTF-8"),
    ],
)
def test_models_that_fail(build, only_log_stays, model, kind, message):
    error = build(model, code=4).error
    assert (error["kind"], message in error["message"]) == (kind, True), error
    only_log_stays()


@pytest.mark.parametrize(
    ("model", "kind", "message"),
    [
        ("garbage", "bad-input", "found no outputs"),
        ("words", "bad-input", '1 input with dynamic dimensions: "ids": ?x?'),
        ("folder", "bad-input", "is a folder"),
        ("missing", "not-found", "no such model file"),
    ],
)
def test_models_of_which_no_log_tells(build, nothing_stays, model, kind, message):
    error = build(model, code=4).error
    assert (error["kind"], message in error["message"]) == (kind, True), error
    nothing_stays()


def test_a_build_that_fails_tells_the_logs_words(build, engines, only_log_stays):
    error = build(engines / "rtx1.7-fp8/fp8.onnx", "--target", "sm80", code=4).error
    assert error["kind"] == "tool" and error["phase"] == "compile"
    assert "sm80" in error["message"], error
    only_log_stays()


@pytest.mark.parametrize("limit", [0, 4_000, 40_000])
def test_a_full_disk(build, nothing_stays, limit):
    def at_most() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    error = build("resnet", "--save-engine", code=4, before=at_most).error
    assert (
        error["kind"] == "io" and f"limited to {limit} bytes here (ulimit -f)" in error["hint"]
    ), error
    nothing_stays()


def test_ended_while_it_builds(scripts, drivers_python, engines, tmp_path, nothing_stays):
    model = engines / "rtx1.7-lstm/lstm.onnx"
    process = subprocess.Popen(
        [drivers_python, scripts["tensorrt-rtx"], "--model", model, "--out", tmp_path / "run"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "XDG_STATE_HOME": "/dev/null"},
    )
    assert process.stdout is not None
    while '"compile"' not in process.stdout.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    _, stderr = process.communicate()
    assert process.returncode == 4
    assert json.loads(stderr.splitlines()[-1])["message"] == "stopped by SIGTERM"
    nothing_stays()


def test_the_package_is_as_it_is_played(drivers_python):
    """names.json is what the stand-in has of this package: it must be what the package has."""
    path = pathlib.Path(__file__).parent / "stand_in/names.json"
    recorded = json.loads(path.read_text("utf-8"))["versions"]["rtx"]
    program = """
import json, sys, tensorrt_rtx
print(json.dumps({name: [word for word in dir(getattr(tensorrt_rtx, name)) if word[0] != "_"]
                  for name in sys.argv[1:]}))
"""
    words = [drivers_python, "-c", program, *recorded]
    out = subprocess.run(words, capture_output=True, encoding="utf-8", check=True).stdout
    there = json.loads(out)
    missing = {kind: set(names) - set(there[kind]) for kind, names in recorded.items()}
    assert not any(missing.values()), missing
