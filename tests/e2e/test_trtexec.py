"""`planex process --engine trtexec`, with a trtexec that replays recorded runs."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import time

import pytest

VERSIONS = ["8.2", "8.5", "8.6", "10.16", "11.0"]
ENDINGS = ["graph.json", "profile.json", "times.json", "machine.json", "build.log", "times.log",
           "profile.log", "engine"]  # fmt: skip


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "net.onnx"
    path.write_bytes(b"a model that only trtexec reads")
    return path


@pytest.fixture
def process(planex, data, model, trtexec, tmp_path):
    """Runs planex with a trtexec of a version."""

    def run(*words, version="8.6", fault="", code=0):
        env = {"PLANEX_TEST_DATA": str(data), "REPLAY_VERSION": version, "REPLAY_FAULT": fault}
        command = ["process", model, "-o", tmp_path / "run", "--engine", "trtexec"]
        return planex(*command, "--program", trtexec, *words, env=env, code=code)

    return run


def failed_log(tmp_path, said):
    """What a failed run leaves, and names: what the program printed."""
    (log,) = (tmp_path / "run").iterdir()
    assert log.name == "net.failed.log" and "RUNNING TensorRT" in log.read_text("utf-8")
    assert f"The complete log: {log}" in said


def steps(folder):
    return [
        {word.split("=")[0].removeprefix("--") for word in command[1:]}
        for command in json.loads((folder / "manifest.json").read_text("utf-8"))["commands"]
    ]


@pytest.mark.parametrize("version", VERSIONS)
def test_files_of_a_run(process, planex, tmp_path, version):
    process(version=version)
    folder = tmp_path / "run"
    assert {path.name for path in folder.iterdir()} == {
        "manifest.json",
        *(f"net.{ending}" for ending in ENDINGS),
    }
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["result"]["producer_version"].startswith(version)
    assert [artefact["file"] for artefact in manifest["artefacts"]] == [
        f"net.{ending}" for ending in ENDINGS
    ]
    assert not any(".planex-" in word for command in manifest["commands"] for word in command)
    build, times, profile = steps(folder)
    assert "saveEngine" in build and not {"exportTimes", "exportProfile"} & build
    assert ("skipInference" in build) == (version not in ("8.2", "8.5"))
    assert "exportTimes" in times and not {"exportProfile", "dumpProfile"} & times
    assert {"exportProfile", "exportLayerInfo"} <= profile and "exportTimes" not in profile
    for words in (build, times, profile):
        assert ("loadEngine" in words) != ("onnx" in words)
    assert "PASSED" in (folder / "net.build.log").read_text("utf-8")


@pytest.mark.parametrize("version", VERSIONS)
def test_a_run_opens_as_one_engine(process, planex, tmp_path, version):
    process(version=version)
    summary = json.loads(planex("summary", tmp_path / "run", "--format", "json").stdout)
    assert summary["engine"]["name"] == "net" and summary["engine"]["producer"] == "tensorrt"
    assert summary["layer_count"] > 10
    assert summary["time"]["layers_mean_ms"] > 0
    assert summary["time"]["end_to_end"]["count"] > 10
    # Also by its graph, which is what planex names at the end.
    planex("summary", tmp_path / "run/net.graph.json")


def test_words_with_and_without_dashes(process, tmp_path):
    process("fp16", "memPoolSize=workspace:64", "warmUp=5", "--", "--int8", "--useCudaGraph",
            "--timingCacheFile=t.cache")  # fmt: skip
    build, times, profile = steps(tmp_path / "run")
    assert {"fp16", "int8", "memPoolSize", "timingCacheFile"} <= build
    assert "warmUp" not in build and not {"fp16", "int8", "memPoolSize"} & (times | profile)
    assert {"warmUp", "useCudaGraph"} <= times
    assert "warmUp" in profile and "useCudaGraph" not in profile, "graphs hide the layers"


def test_common_options(process, tmp_path):
    process("--shape", "x=1x3x8x8", "--shape", "a:b=2", "--precision", "fp16")
    commands = json.loads((tmp_path / "run/manifest.json").read_text("utf-8"))["commands"]
    for command in commands:
        assert "--shapes=x:1x3x8x8,'a:b':2" in command
    assert ["--fp16" in command for command in commands] == [True, False, False]


def test_words_that_planex_sets(process, tmp_path):
    result = process("exportProfile=mine.json", "--", "--saveEngine=mine", "--verbose")
    for word in ["exportProfile", "saveEngine", "verbose"]:
        assert f"note: {word} is left out" in result.stderr
    commands = json.loads((tmp_path / "run/manifest.json").read_text("utf-8"))["commands"]
    assert not any("mine" in word for command in commands for word in command)


@pytest.mark.parametrize(
    ("version", "words", "said"),
    [
        ("8.2", ["memPoolSize=workspace:64"], "it was added in 8.4"),
        ("8.6", ["bf16"], "it was added in 9.1"),
        ("10.16", ["workspace=64"], "memPoolSize=workspace"),
        ("11.0", ["fp16"], "planex cast"),
        ("11.0", ["--precision", "int8"], "planex cast"),
        ("8.6", ["--threads", "2"], "GPU"),
        ("8.6", ["--precision", "fp12"], "fp16"),
    ],
)
def test_options_of_other_versions(process, tmp_path, version, words, said):
    result = process(*words, version=version, code=2)
    assert said in result.stderr
    assert not (tmp_path / "run").exists()


def test_options_without_effect_are_told(process):
    assert "that is the default now" in process("useSpinWait", version="11.0").stderr


def test_option_that_no_release_knows(process, tmp_path):
    """It may be newer than planex: trtexec decides."""
    process("brandNew=1")
    for words in steps(tmp_path / "run"):
        assert "brandNew" in words


def test_a_version_newer_than_all_known(process, tmp_path):
    process(version="12.3")
    manifest = json.loads((tmp_path / "run/manifest.json").read_text("utf-8"))
    assert manifest["result"]["producer_version"] == "12.3.0"


def test_a_version_too_old(process, tmp_path):
    assert "8.2 is the first" in process(version="8.0", code=3).stderr
    assert not (tmp_path / "run").exists()


def test_no_version(process, tmp_path):
    result = process(version="silent", code=4)
    assert "does not print its version" in result.stderr and "what is this?" in result.stderr
    assert not (tmp_path / "run").exists()


def test_no_program(planex, model, tmp_path):
    words = ["process", model, "-o", tmp_path / "run", "--engine", "trtexec"]
    result = planex(*words, "--program", tmp_path / "none", code=3)
    assert "there is no" in result.stderr and "--launcher" in result.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("step", ["build", "times", "profile"])
@pytest.mark.parametrize(
    ("fault", "code", "said"),
    [
        ("fail", 3, "TensorRT can't parse the model"),
        ("kill", 4, "SIGKILL"),
        ("crash", 4, "SIGSEGV"),
        ("disk", 3, "can't write the engine"),
    ],
)
def test_a_step_that_fails(process, tmp_path, step, fault, code, said):
    result = process(fault=f"{step}:{fault}", code=code)
    assert said in result.stderr
    assert len(result.stderr.splitlines()) >= 3, "the error, what was said, and the way on"
    failed_log(tmp_path, result.stderr)
    process()
    assert not list((tmp_path / "run").glob("*.failed.log"))


@pytest.mark.parametrize("step", ["build", "times", "profile"])
def test_a_hang_ends(process, tmp_path, step):
    result = process("--timeout", "0.5", fault=f"{step}:hang", code=4)
    assert "took too long" in result.stderr
    failed_log(tmp_path, result.stderr)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("step", ["build", "times", "profile"])
def test_stopped(planex_bin, data, model, trtexec, tmp_path, step, stop):
    before = sorted(tmp_path.iterdir())
    env = {**os.environ, "PLANEX_TEST_DATA": str(data), "REPLAY_FAULT": f"{step}:hang"}
    process = subprocess.Popen(
        [planex_bin, "process", model, "-o", tmp_path / "run", "--engine", "trtexec",
         "--program", trtexec],
        stderr=subprocess.PIPE,
        text=True,
        env=env,
        start_new_session=True,
    )  # fmt: skip
    log = {"build": "build", "times": "times", "profile": "profile"}[step]
    while not list(tmp_path.glob(f"run/.planex-*/net.{log}.log")):
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(stop)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 128 + stop, said
    assert sorted(tmp_path.iterdir()) == before


def test_failed_run_keeps_the_last_good_one(process, tmp_path):
    process()
    before = {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    process(fault="profile:fail", code=3)
    after = {path.name: path.read_bytes() for path in (tmp_path / "run").iterdir()}
    assert after.pop("net.failed.log")
    assert after == before


def test_a_full_disk(process, tmp_path):
    """No file may grow: writing fails as on a full disk."""
    signals = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    try:
        result = process(code=None)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, signals)
    assert result.returncode in (3, 4), result.stderr
    assert result.stderr.splitlines()[-1]
    # The log of the program that could not write.
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["net.failed.log"]


def test_build_only(process, tmp_path):
    result = process("skipInference")
    assert "there are no times" in result.stderr
    names = {path.name for path in (tmp_path / "run").iterdir()}
    assert names == {
        "net.graph.json",
        "net.build.log",
        "net.engine",
        "net.machine.json",
        "manifest.json",
    }


def test_a_saved_engine_is_run(planex, data, trtexec, tmp_path):
    engine = tmp_path / "net.engine"
    engine.write_bytes(b"ftrt")
    planex("process", engine, "-o", tmp_path / "run", "--engine", "trtexec", "--program", trtexec,
           env={"PLANEX_TEST_DATA": str(data)})  # fmt: skip
    assert [("onnx" in words, "loadEngine" in words) for words in steps(tmp_path / "run")] == [
        (False, True),
        (False, True),
    ]


def test_print_only(process, tmp_path):
    result = process("--print-only", "fp16")
    lines = result.stdout.splitlines()
    assert len(lines) == 3 and not (tmp_path / "run").exists()
    assert lines[0].endswith(f"> {tmp_path}/run/net.build.log 2>&1") and "--fp16" in lines[0]


def test_help_of_the_program(process):
    assert "--onnx=<file>" in process("--", "--help").stdout
