"""`planex optimize` that is killed, runs out of room, or drives an engine that crashes: what was
proven stands, the record says what happened, and the same command goes on."""

import json
import resource
import shutil
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, save_model

BRIEF = [f"--flag={word}" for word in ("--duration-ms", "60", "--profile-ms", "20")]
OPTIONS = ["--try", "options", *BRIEF]


@pytest.fixture(autouse=True)
def driver(planex_bin):
    if not (planex_bin.parent / "planex-openvino").exists():
        pytest.skip("no planex-openvino beside planex")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A convolution, and a constant that can be folded."""
    folder = tmp_path_factory.mktemp("model")
    draw = np.random.default_rng(3)
    nodes = [
        helper.make_node("Exp", ["x"], ["e"], "exp"),
        helper.make_node("Conv", ["e", "w"], ["c"], "conv", pads=[1, 1, 1, 1]),
        helper.make_node("Exp", ["k"], ["folded"], "constant"),
        helper.make_node("Add", ["c", "folded"], ["y"], "add"),
    ]
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 8, 32, 32])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 8, 32, 32])],
        [
            numpy_helper.from_array(draw.normal(0, 0.2, (8, 8, 3, 3)).astype("float32"), "w"),
            numpy_helper.from_array(draw.normal(0, 1, (1, 8, 1, 1)).astype("float32"), "k"),
        ],
    )
    save_model(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
        folder / "model.onnx",
    )
    return folder / "model.onnx"


def record(folder):
    return json.loads((folder / "optimize.json").read_text("utf-8"))


def states(folder):
    return {step["id"]: step["state"] for step in record(folder)["steps"]}


def test_killed_again_and_again_it_goes_on(planex_bin, planex, model, tmp_path):
    best = tmp_path / "best"
    words = [planex_bin, "optimize", model, *OPTIONS, "-o", best]
    decided = []
    for _ in range(2):
        process = subprocess.Popen(words, stderr=subprocess.PIPE)
        deadline = time.monotonic() + 120
        # Killed as soon as it has decided one step more.
        while time.monotonic() < deadline:
            told = record(best)["steps"] if (best / "optimize.json").exists() else []
            if len(told) > len(decided):
                break
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        before, decided = decided, told
        assert decided[: len(before)] == before, "what was decided stands"
    planex("optimize", *words[2:])
    told = record(best)
    assert told["steps"][: len(decided)] == decided
    assert len(told["steps"]) == 3 and not told["is_interrupted"]
    assert told["first"]["median_ms"] > 0
    assert told["duration_s"] > sum(step["duration_s"] for step in decided)


def test_another_search_is_not_continued(planex, model, tmp_path):
    best = tmp_path / "best"
    planex("optimize", model, *OPTIONS, "--budget", "0.01s", "-o", best)
    assert set(states(best).values()) == {"not-tried"}
    told = planex("optimize", model, *OPTIONS, "--flag=--seed", "--flag=2", "-o", best, code=2)
    assert "optimize.state.json" in told.stderr and "--fresh" in told.stderr
    # More time, or other kinds, are the same search.
    planex("optimize", model, *OPTIONS, "--try", "clean", "--budget", "1m", "-o", best)
    assert "not-tried" not in states(best).values()
    planex(
        *("optimize", model, "--try", "clean", *BRIEF, "--flag=--seed", "--flag=2"),
        *("--fresh", "-o", best),
    )
    assert set(states(best)) == {"clean", "clean+opset"}


def test_a_damaged_state_is_said(planex, model, tmp_path):
    best = tmp_path / "best"
    planex("optimize", model, *OPTIONS, "--budget", "0.01s", "-o", best)
    (best / "optimize.state.json").write_text("{")
    told = planex("optimize", model, *OPTIONS, "-o", best, code=3)
    assert "optimize.state.json" in told.stderr
    planex("optimize", model, *OPTIONS, "--budget", "0.01s", "--fresh", "-o", best)


def test_an_engine_that_crashes_on_a_candidate(planex_bin, model, tmp_path):
    programs = tmp_path / "programs"
    programs.mkdir()
    shutil.copy(planex_bin, programs / "planex")
    wrapper = programs / "planex-openvino"
    wrapper.write_text(
        '#!/bin/sh\ncase "$*" in *DENORMALS*) kill -SEGV $$ ;; *PINNING*) exit 7 ;; esac\n'
        f'exec "{planex_bin.parent}/planex-openvino" "$@"\n'
    )
    wrapper.chmod(0o755)
    best = tmp_path / "best"
    words = [programs / "planex", "optimize", model, *OPTIONS, "-o", best]
    subprocess.run(words, check=True, capture_output=True)
    told = record(best)
    by_id = {step["id"]: step for step in told["steps"]}
    assert by_id["denormals=zero"]["state"] == by_id["pinning=on"]["state"] == "failed"
    assert "SIGSEGV" in by_id["denormals=zero"]["reason"]
    assert by_id["pinning=on"]["reason"]
    assert by_id["isa=avx2"]["state"] != "failed"
    assert told["first"]["median_ms"] > 0


def test_the_script_that_it_leaves_needs_no_planex(planex, model, tmp_path):
    best = tmp_path / "best"
    words = ["--flag=--config", "--flag=CPU_DENORMALS_OPTIMIZATION=YES", "--try", "clean", *BRIEF]
    planex("optimize", model, *words, "-o", best)
    script = best / "reproduce.py"
    text = script.read_text("utf-8")
    assert '"CPU_DENORMALS_OPTIMIZATION": "YES"' in text and "duration" not in text
    done = subprocess.run(
        [sys.executable, script], check=True, capture_output=True, encoding="utf-8", cwd="/"
    )
    assert float(done.stdout.split()[0]) > 0
    planex("optimize", model, *words, "--flag=--streams=2", "--fresh", "-o", best)
    done = subprocess.run(
        [sys.executable, script], check=True, capture_output=True, encoding="utf-8", cwd="/"
    )
    assert "inferences/s" in done.stdout


def test_memory_is_what_explain_says(planex, model, tmp_path):
    """Of the engines that it leaves."""
    best, data = tmp_path / "best", tmp_path / "data.npy"
    np.save(data, np.random.default_rng(5).normal(0, 1, (24, 8, 32, 32)).astype("float32"))
    words = ["--for", "memory", "--goal", "10dB", "--data", data, *BRIEF, "-o", best]
    text = planex("optimize", model, *words).stdout
    told = record(best)
    assert told["aim"] == "memory" and "less memory: " in text.splitlines()[0]
    assert told["best"]["memory_bytes"] < told["first"]["memory_bytes"]
    # The folder is the engine that it was made for.
    whole, engine = (
        planex("summary", path, "--format", "json").stdout for path in (best, best / "best")
    )
    for part in ("engine", "layer_count", "memory", "time"):
        assert json.loads(whole)[part] == json.loads(engine)[part]
    for name in ("first", "best"):
        memory = json.loads(planex("summary", best / name, "--format", "json").stdout)["memory"]
        assert told[name]["memory_bytes"] == memory["weight_bytes"] + memory["peak"]["bytes"]
    for step in told["steps"]:
        assert step["state"] != "not-faster" and step["low_ratio"] is None
        if step["state"] == "kept":
            assert step["after"]["memory_bytes"] < step["before"]["memory_bytes"]


def test_throughput_runs_several_at_once(planex, model, tmp_path):
    best = tmp_path / "best"
    words = ["--for", "throughput", "--max-threads", "2", *OPTIONS, "-o", best]
    text = planex("optimize", model, *words).stdout
    told = record(best)
    assert told["aim"] == "throughput" and "/s" in text.splitlines()[0]
    step = next(step for step in told["steps"] if step["id"] == "streams=2")
    assert step["state"] in ("kept", "not-faster", "not-confirmed"), step
    assert step["latency_ms"] > 0 and step["after"]["median_ms"] > 0
    assert "--streams=2" in step["command"]
    words = ["--for", "throughput", "--max-latency", "0.000001", *OPTIONS, "--fresh", "-o", best]
    planex("optimize", model, *words)
    assert states(best)["streams=2"] == "too-late"
    # Without the aim, one inference runs at a time.
    planex("optimize", model, *OPTIONS, "--fresh", "-o", best)
    assert "streams=2" not in states(best)


@pytest.mark.parametrize("most_bytes", [0, 2_000, 20_000, 200_000])
def test_without_room_the_record_is_whole(planex_bin, model, tmp_path, most_bytes):
    """As `ulimit -f` does it: a write fails as on a full disk."""

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

    best = tmp_path / "best"
    done = subprocess.run(
        [planex_bin, "optimize", model, *OPTIONS, "-o", best],
        preexec_fn=limit,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 3, done
    assert "File too large" in done.stderr
    for path in best.rglob("*.json") if best.exists() else []:
        json.loads(path.read_text("utf-8"))
    assert not list(best.rglob("*.tmp*"))
