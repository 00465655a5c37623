"""Logs of several runs: doctor lists them, --run chooses one, every verb of an engine takes it."""

from __future__ import annotations

import json

import pytest

VERBS = {
    "summary": [],
    "layers": ["--columns", "name"],
    "lint": [],
    "doctor": [],
    "explain": [],
}


def build(name: str) -> str:
    return (
        "[TRT] [I] [MemUsageChange] Init builder kernel library: CPU +1\n"
        "[TRT] [V] Original: 3 layers\n"
        "[TRT] [V] Engine generation completed in 1 seconds.\n"
        "[TRT] [V] Engine Layer Information:\n"
        f"Layer(Reduce): {name}, Tactic: 0x0, x[Float(4,8)] -> y[Float(4)]\n"
    )


def load(plan: str, batch: int, ms: float) -> str:
    command = f"TensorRT.trtexec [TensorRT v8401] # trtexec --loadEngine={plan}"
    figures = f"min = {ms} ms, max = {ms} ms, mean = {ms} ms, median = {ms} ms"
    return (
        f"&&&& RUNNING {command}\n"
        "[I] Loaded engine size: 4 MiB\n"
        f"[I] Created input binding for x with dimensions {batch}x8\n"
        "[I] === Performance summary ===\n"
        f"[I] Throughput: {1000 / ms} qps\n"
        f"[I] Latency: {figures}, percentile(99%) = {ms} ms\n"
        f"[I] GPU Compute Time: {figures}, percentile(99%) = {ms} ms\n"
        f"&&&& PASSED {command}\n"
    )


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "runs.log"
    text = build("small") + load("a.plan", 1, 2.5) + build("large") + load("b.plan", 64, 4.5)
    path.write_text(text, encoding="utf-8")
    return path


def test_doctor_lists_the_runs(planex, valid, log):
    runs = valid(planex("doctor", log, "--format", "json").stdout, "doctor")["runs"]
    assert [run["engine_file"] for run in runs] == ["a.plan", "b.plan"]
    assert [run["median_ms"] for run in runs] == [2.5, 4.5]
    assert [run["shapes"] for run in runs] == ["x: 1x8", "x: 64x8"]
    assert [run["is_shown"] for run in runs] == [False, True]
    assert [run["build_line"] for run in runs] == [1, 14]
    text = planex("doctor", log, "--run", "1").stdout
    assert "run 1" in text and "run 2" in text and "a.plan" in text
    # Commands are of the run that is shown.
    assert "--loadEngine=a.plan --" in text and "--loadEngine=b.plan --" not in text


@pytest.mark.parametrize(("number", "name", "ms"), [(1, "small", 2.5), (2, "large", 4.5)])
def test_a_run_has_its_own_layers_and_times(planex, log, number, name, ms):
    document = json.loads(planex("summary", log, "--run", number, "--format", "json").stdout)
    assert document["time"]["end_to_end"]["median_ms"] == ms
    layers = json.loads(planex("layers", log, "--run", number, "--format", "json").stdout)
    assert name in json.dumps(layers)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_takes_it(planex, log, verb):
    words = ["explain", "speed"] if verb == "explain" else [verb]
    planex(*words, log, *VERBS[verb], "--run", 1)


def test_what_is_not_there_is_an_error(planex, log, tmp_path):
    missing = planex("summary", log, "--run", 3, code=2)
    assert "--run 3: the log contains 2 runs" in missing.stderr
    assert "planex doctor" in missing.stderr
    planex("summary", log, "--run", 0, code=2)
    planex("summary", log, "--run", "first", code=2)
    layers = tmp_path / "alone" / "x.graph.json"
    layers.parent.mkdir()
    layers.write_text('{"Layers": ["a"], "Bindings": []}', encoding="utf-8")
    alone = planex("summary", layers, "--run", 1, code=2)
    assert "none of the files is a log with several runs" in alone.stderr
