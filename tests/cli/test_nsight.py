"""Kernels under their layers: stand-ins for Nsight Systems' export, read beside real engines.

The exports are made by tests/support/nsight_export.py from the names and times of an engine, so the
figures that are expected here follow from its profile: a layer's kernels take its median less 2 µs.
"""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import json
import math
import shutil
import sqlite3
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))


import nsight_export

ENGINE = "resnet18-a100-qat"


@pytest.fixture
def run(tmp_path, engines):
    """A copy of the engine's folder, where an export can be put beside the other files."""
    folder = tmp_path / "run"
    folder.mkdir()
    for file in (Path(engines) / ENGINE).iterdir():
        shutil.copyfile(file, folder / file.name)
    return folder


def write(folder, name="resnet-qat.onnx.engine.sqlite", version="2025", change=None, **options):
    path = folder / name
    path.unlink(missing_ok=True)
    export = nsight_export.Export(path, version)
    nsight_export.write_run(export, nsight_export.layers_of(folder), **options)
    if change:
        export.db.executescript(change)
    export.close()
    return path


def explained(planex, run, *arguments):
    return json.loads(planex("explain", "kernels", run, "--format", "json", *arguments).stdout)


def codes(planex, run, *arguments):
    found = json.loads(planex("query", run, "select code from diagnostics", "--format", "json",
                              *arguments).stdout)  # fmt: skip
    return [code for (code,) in found["rows"]]


def expected(run):
    """Kernel time in ms and launches by layer, as the stand-in was made."""
    return {
        layer.name: (sum(round(k.us * 1000) for k in layer.kernels) / 1e6, len(layer.kernels))
        for layer in nsight_export.layers_of(run)
    }


@pytest.mark.parametrize("version", nsight_export.VERSIONS)
@pytest.mark.parametrize("inline_text", [False, True])
def test_kernels_hang_under_their_layers(planex, run, valid, version, inline_text):
    write(run, version=version, inline_text=inline_text)
    text = planex("explain", "kernels", run, "--format", "json").stdout
    found = valid(text, "explain-kernels")
    wanted = expected(run)
    assert {layer["name"] for layer in found["layers"]} == set(wanted)
    for layer in found["layers"]:
        ms, launches = wanted[layer["name"]]
        assert math.isclose(layer["kernel_ms"], ms, rel_tol=1e-9), layer["name"]
        assert len(layer["kernels"]) == launches
        assert [kernel["index"] for kernel in layer["kernels"]] == list(range(launches))
        assert {kernel["count"] for kernel in layer["kernels"]} == {10}
        # The profile's median has 2 µs more.
        assert math.isclose(layer["difference_ms"], layer["time_ms"] - ms, abs_tol=1e-12)
        assert math.isclose(layer["difference_ms"], 0.002, abs_tol=1e-6), layer["name"]
    assert found["inferences"] == 10
    assert found["launches"] == sum(launches for _, launches in wanted.values())
    assert found["layers_without_kernels"] == 0
    # The application's own kernel, once an inference.
    assert [k["short_name"] for k in found["outside_of_inferences"]] == [
        "void preprocess<float>(float const*, float*, int)"
    ]
    assert found["outside_of_inferences"][0]["count"] == 10


def test_the_sums_close(planex, run):
    write(run)
    found = explained(planex, run)
    layers = found["layers"]
    assert math.isclose(found["kernels_time_ms"], sum(layer["kernel_ms"] for layer in layers))
    assert math.isclose(sum(layer["share"] for layer in layers), 1)
    compared = found["compared"]
    assert math.isclose(
        compared["difference_ms"], compared["layers_time_ms"] - compared["kernels_time_ms"]
    )
    assert math.isclose(compared["layers_time_ms"], sum(layer["time_ms"] for layer in layers))
    assert math.isclose(sum(kernel["share"] for kernel in found["by_kernel"]), 1)
    summary = json.loads(planex("summary", run, "--format", "json").stdout)
    assert math.isclose(summary["time"]["layers_median_ms"], found["layers_time_ms"])
    text = planex("explain", "kernels", run, "--width", 0).stdout
    kernels, whole = (f"{found[key]:.3f}" for key in ("kernels_time_ms", "layers_time_ms"))
    assert f"Σ kernels {kernels} ms of Σ layers {whole} ms" in text


def test_formats_agree(planex, run):
    write(run)
    found = explained(planex, run)
    text = planex("explain", "kernels", run, "--format", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    kernels = [(layer["layer_id"], k) for layer in found["layers"] for k in layer["kernels"]]
    kernels += [("", k) for k in found["between_layers"] + found["outside_of_inferences"]]
    assert [(row["layer_id"], row["kernel"]) for row in rows] == [
        (str(layer), kernel["name"]) for layer, kernel in kernels
    ]
    assert [float(row["median_us"]) for row in rows] == [k["median_us"] for _, k in kernels]
    queried = json.loads(
        planex("query", run, "select median_us from kernels", "--format", "json").stdout
    )
    assert [us for (us,) in queried["rows"]] == [k["median_us"] for _, k in kernels]
    markdown = planex("explain", "kernels", run, "--format", "markdown").stdout
    assert markdown.count("\n|") > 10
    whole = planex("explain", "kernels", run, "--all", "--width", 0).stdout
    assert all(layer["name"] in whole for layer in found["layers"]) and "--all" not in whole


def test_golden(planex, run, root, request):
    write(run)
    found = planex("explain", "kernels", run, "--format", "markdown").stdout
    path = root / "tests/cli/golden/explain-kernels.md"
    if request.config.getoption("--update-golden"):
        path.write_text(found)
    assert path.exists(), "run pytest tests/cli --update-golden and read what it wrote"
    assert found == path.read_text()


def test_an_export_of_another_name_is_named(planex, run, tmp_path):
    other = write(run, name="trace-of-tuesday.sqlite")
    moved = tmp_path / "elsewhere.bin"
    other.rename(moved)
    assert explained(planex, run)["layers"] == []
    assert len(explained(planex, run, "--nsight", moved)["layers"]) > 30
    doctor = planex("doctor", run, "--nsight", moved).stdout
    assert "trace of Nsight Systems" in doctor and "named by --nsight" in doctor


def test_of_several_exports_none_is_guessed(planex, run):
    write(run, name="one.sqlite")
    assert len(explained(planex, run)["layers"]) > 30
    write(run, name="two.sqlite")
    assert explained(planex, run)["layers"] == []
    assert "use it with --nsight" in planex("doctor", run).stdout


def test_other_databases_are_left_alone(planex, run):
    db = sqlite3.connect(run / "resnet-qat.onnx.engine.db")
    db.executescript("CREATE TABLE studies(id INTEGER); INSERT INTO studies VALUES(1)")
    db.close()
    assert explained(planex, run)["layers"] == []
    refused = planex("summary", run, "--nsight", run / "resnet-qat.onnx.engine.db", code=3)
    assert "not an Nsight Systems export" in refused.stderr
    report = run / "x.nsys-rep"
    report.write_bytes(b"NSYS" * 100)
    refused = planex("summary", run, "--nsight", report, code=3)
    assert "nsys export --type sqlite" in refused.stderr


def test_a_packed_export_is_read(planex, run):
    path = write(run)
    packed = gzip.compress(path.read_bytes())
    path.unlink()
    path.with_name(path.name + ".gz").write_bytes(packed)
    assert len(explained(planex, run)["layers"]) > 30


def test_without_a_profile_layers_have_their_kernels_times(planex, run):
    wanted = expected(run)
    write(run)
    (run / "resnet-qat.onnx.engine.profile.json").unlink()
    summary = json.loads(planex("summary", run, "--format", "json").stdout)
    assert math.isclose(
        summary["time"]["layers_median_ms"], sum(ms for ms, _ in wanted.values()), rel_tol=1e-9
    )
    found = explained(planex, run)
    assert found["are_times_of_kernels"] and found["compared"]["difference_ms"] is None
    assert "times-from-kernels" in codes(planex, run)
    assert "profile" not in [piece["what"] for piece in summary["missing"]]


@pytest.mark.parametrize("graph", ["nodes", "lost", "whole"])
def test_cuda_graphs(planex, run, graph):
    write(run, graph=graph)
    found = explained(planex, run)
    if graph == "nodes":
        wanted = expected(run)
        assert {layer["name"] for layer in found["layers"]} == set(wanted)
        for layer in found["layers"]:
            assert math.isclose(layer["kernel_ms"], wanted[layer["name"]][0], rel_tol=1e-9)
    else:
        assert found["layers"] == []
        code = "graph-kernels-without-layer" if graph == "lost" else "graphs-without-kernels"
        assert code in codes(planex, run)


def test_the_report_has_kernels(planex, run):
    write(run)
    report = json.loads(planex("report", run, "--format", "json", "-o", "-").stdout)
    table = report["engines"][0]["tables"]["kernels"]
    found = explained(planex, run)
    assert table["row_count"] == found["launches"] + 1
    assert "median_us" in table["columns"] and "grid" in table["columns"]


def test_the_trace_has_a_track_of_kernels(planex, run, tmp_path):
    write(run)
    out = tmp_path / "x.trace.json"
    planex("export", run, "-o", out)
    trace = json.loads(out.read_text())
    found = explained(planex, run)
    tracks = {
        event["tid"]: event["args"]["name"]
        for event in trace["traceEvents"]
        if event["name"] == "thread_name"
    }
    slices = [e for e in trace["traceEvents"] if e["ph"] == "X" and e.get("cat") == "kernel"]
    assert {tracks[event["tid"]] for event in slices} == {"kernels, CUDA stream 7"}
    assert [(e["args"]["layer_id"], e["args"]["kernel"], e["dur"]) for e in slices] == [
        (layer["layer_id"], kernel["name"], kernel["median_us"])
        for layer in found["layers"]
        for kernel in layer["kernels"]
    ]
    for before, after in itertools.pairwise(slices):
        assert before["ts"] + before["dur"] <= after["ts"] + 1e-6
    assert trace["otherData"]["engines"][0]["kernels"] == len(slices) == found["launches"]
    assert trace["otherData"]["engines"][0]["kernels_without_time"] == 0


def test_kernels_side_by_side_are_told(planex, run):
    write(run)
    assert "kernels-side-by-side" not in codes(planex, run)
    # All kernels of an inference begin with its first.
    begin = (
        "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = end - start + 1000000000, start = 1000000000"
    )
    write(run, change=begin, inferences=1)
    assert "kernels-side-by-side" in codes(planex, run)


def test_an_export_with_a_long_list_of_tables_is_found(planex, run):
    """The list of tables is then anywhere in the file, and its start names none of them."""
    for version in nsight_export.VERSIONS:
        path = write(run, version=version, change="PRAGMA secure_delete = 1; VACUUM")
        db = sqlite3.connect(path)
        for number in range(60):
            db.execute(f"CREATE TABLE OTHER_{number} (id INTEGER /* {'x' * 500} */)")
        db.commit()
        db.close()
        assert len(explained(planex, run)["layers"]) > 30, version


def test_a_plan_keeps_kernels(planex, run, tmp_path):
    write(run)
    plan = tmp_path / "x.plan.json"
    planex("export", run, "-o", plan)
    before, after = explained(planex, run), explained(planex, plan)
    assert after.pop("engine") and before.pop("engine")
    assert after == before


# --- Hostile files: read or refused with one line, and never for long ---

CHANGES = {
    "no kernels": "DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL",
    "no ranges": "DROP TABLE NVTX_EVENTS",
    "no calls": "DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME",
    "no texts": "DROP TABLE StringIds",
    "texts for times": "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = 'soon', end = x'00'",
    "ends before starts": "UPDATE NVTX_EVENTS SET end = start - 1",
    "far away": "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = 9223372036854775807",
    "negative": "UPDATE NVTX_EVENTS SET start = -start, end = -end",
    "no ends": "UPDATE NVTX_EVENTS SET end = NULL",
    "all at once": "UPDATE NVTX_EVENTS SET start = 0, end = 1000000000000",
    "one call": "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET correlationId = 101",
    "one kernel": "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET correlationId = 101",
    "one of each": (
        "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET correlationId = 101;"
        "UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET correlationId = 101"
    ),
    "cyclic views": (
        "DROP TABLE NVTX_EVENTS; CREATE VIEW a AS SELECT * FROM NVTX_EVENTS;"
        "CREATE VIEW NVTX_EVENTS AS SELECT * FROM a"
    ),
    "an endless view": (
        "DROP TABLE StringIds; CREATE VIEW StringIds AS WITH RECURSIVE c(id, value) AS "
        "(SELECT 1, 'x' UNION ALL SELECT id + 1, value FROM c) SELECT * FROM c"
    ),
    "a huge text": "INSERT INTO StringIds VALUES(999999, hex(zeroblob(4000000)))",
    "huge names": (
        "UPDATE StringIds SET value = hex(zeroblob(500000)) || id WHERE value LIKE 'sm80%'"
    ),
    "terminal codes": (
        "UPDATE StringIds SET value = char(27) || '[31m' || value || char(10) WHERE id > 60"
    ),
    "markup": "UPDATE StringIds SET value = '<script>alert(1)</script>' || value WHERE id > 60",
}


@pytest.mark.parametrize("change", CHANGES)
def test_odd_exports(planex, run, change):
    write(run, change=CHANGES[change], inferences=3)
    for arguments in (
        ["summary", run],
        ["explain", "kernels", run],
        ["report", run, "--format", "json", "-o", "-"],
    ):
        result = planex(*arguments)
        assert "\x1b" not in result.stdout, change
        assert "<script>" not in result.stdout or "report" in arguments


def test_a_cut_export_is_an_error_that_names_it(planex, run):
    path = write(run)
    whole = path.read_bytes()
    for size in (10, 99, 5000, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        result = planex("summary", run, "--nsight", path, code=3)
        first = result.stderr.splitlines()[0]
        assert path.name in first, size
    path.write_bytes(whole[: len(whole) // 2])
    result = planex("summary", run, code=3)
    assert "move the file away" in result.stderr


def test_damaged_pages_are_read_or_refused(planex, run):
    path = write(run)
    whole = bytearray(path.read_bytes())
    for page in range(0, len(whole), 4096 * 3):
        damaged = bytearray(whole)
        damaged[page : page + 64] = bytes(range(64))
        path.write_bytes(damaged)
        result = planex("summary", run, "--nsight", path, code=None)
        assert result.returncode in (0, 3), page


# Every kernel once more at the same time, on a stream of another context, launched by calls that
# the recording lacks: another engine beside this one.
BESIDE = """
CREATE TABLE other AS SELECT * FROM CUPTI_ACTIVITY_KIND_KERNEL;
UPDATE other SET contextId = 2, streamId = 13, correlationId = 0;
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT * FROM other;
DROP TABLE other;
"""


def test_streams_beside_one_another(planex, run, valid):
    write(run, change=BESIDE)
    text = planex("explain", "kernels", run, "--format", "json").stdout
    streams = valid(text, "explain-kernels")["streams"]
    ours, others = streams["streams"]
    assert (ours["stream"], others["stream"]) == (7, 13)
    assert (ours["inferences"], others["inferences"]) == (10, 0)
    assert 0 < ours["busy_ms"] < streams["window_ms"]
    assert math.isclose(ours["busy_share"], ours["busy_ms"] / streams["window_ms"])
    # Copies of the program are on the first alone.
    assert 0.9 < ours["overlapped_share"] <= 1
    assert math.isclose(others["overlapped_ms"], others["busy_ms"])
    # When the other's work was given to it is not in the file.
    assert others["waiting_ms"] is None and others["waits_while"] is None
    assert ours["waiting_ms"] is not None
    first, second = streams["pairs"]
    assert first["overlapped_ms"] == second["overlapped_ms"] == others["overlapped_ms"]
    shown = planex("explain", "kernels", run, "--width", 0).stdout
    assert "context 2, stream 13" in shown and "of others" in shown
    assert (
        "2 streams side by side in 13.314 ms of the trace; none waits while another runs "
        "(queueing times are known for 1 of them)" in planex("summary", run, "--width", 0).stdout
    )
    rows = json.loads(
        planex("query", run, "select stream, busy_ms from streams", "--format", "json").stdout
    )["rows"]
    assert rows == [[7, ours["busy_ms"]], [13, others["busy_ms"]]]


def test_one_stream_is_beside_none(planex, run):
    write(run)
    streams = explained(planex, run)["streams"]["streams"]
    assert [stream["overlapped_ms"] for stream in streams] == [0]
    assert "side by side in" not in planex("explain", "kernels", run, "--width", 0).stdout
    assert "side by side" not in planex("summary", run, "--width", 0).stdout
