"""`planex explain reformats` and `planex explain precision`: goldens, schemas, sums that close."""

from __future__ import annotations

import csv
import io
import json
import math
import os

import pytest

TOPICS = ["reformats", "precision"]
ENGINES = [
    "resnet18-a100-qat",
    "resnet18-a100-qat-residual",
    "resnet18-a100-qat-residual-qgap",
    "mobilenet-titanrtx-qat-trt8.2",
    "controlnet-a10-trt8.6",
    "depth-anything-v2-rtx30-trt10",
    "alexnet-torch-tensorrt-10",
    "openvino2026.4-resnet18-qdq-naive-b8",
    "openvino2026.4-resnet18-qdq-shared-b8",
    "rtx1.7-resnet18-qdq-naive",
    "yolo-orin-trt8.5.2-names-only",
]


def document(planex, engines, topic, engine):
    return json.loads(planex("explain", topic, engine, "--format", "json", cwd=engines).stdout)


@pytest.mark.parametrize("topic", TOPICS)
@pytest.mark.parametrize("engine", ENGINES)
def test_documents_fit_their_schema(planex, engines, valid, topic, engine):
    text = planex("explain", topic, engine, "--format", "json", cwd=engines).stdout
    valid(text, f"explain-{topic}")


@pytest.mark.parametrize("engine", ENGINES)
def test_quantization_closes(planex, engines, engine):
    found = document(planex, engines, "quantization", engine)
    totals = found["totals"]
    runs = ("quantized", "writes_float", "weights_only", "float")
    for parts in (runs, ("requested", "not_requested", "unknown")):
        for key in ("count", "time_ms"):
            sum_of = sum(totals[part][key] or 0 for part in parts)
            assert math.isclose(totals["matrix"][key] or 0, sum_of, rel_tol=1e-9), (parts, key)
    # One count of conversions, here and in explain reformats.
    kinds = document(planex, engines, "reformats", engine)["reformats"]
    crossing = [r for r in kinds if r["kind"] in ("quantize", "dequantize", "round-trip")]
    assert totals["conversions"]["count"] == len(crossing)
    text = planex("explain", "quantization", engine, "--width", 0, cwd=engines).stdout
    assert found["headline"] in text
    for layer in found["layers"]:
        assert (layer["reason"] is None) == (layer["cause"] is None)


@pytest.mark.parametrize("engine", ENGINES)
def test_reformats_close(planex, engines, engine):
    found = document(planex, engines, "reformats", engine)
    totals = found["totals"]
    for key in ("count", "time_ms", "io_bytes"):
        parts = [totals[part][key] or 0 for part in ("avoidable", "needed", "unclear")]
        assert math.isclose(totals["all"][key] or 0, sum(parts), rel_tol=1e-12), key
        whom = [totals[f"avoidable_{by}"][key] or 0 for by in ("in_model", "by_caller")]
        assert math.isclose(totals["avoidable"][key] or 0, sum(whom), rel_tol=1e-12), key
    rows = found["reformats"]
    assert totals["all"]["count"] == len(rows)
    assert sorted(row["layer_id"] for row in rows) == sorted(
        layer for group in found["groups"] for layer in group["layer_ids"]
    )
    for row in rows:
        assert row["cause"] and row["advice"]
        assert (row["verdict"] == "avoidable") == (row["changed_by"] is not None)


@pytest.mark.parametrize("engine", ENGINES)
def test_transitions_close(planex, engines, engine):
    found = document(planex, engines, "precision", engine)
    for key in ("count", "time_ms", "io_bytes"):
        cells = sum(cell["all"][key] or 0 for cell in found["transitions"])
        assert math.isclose(found["totals"]["all"][key] or 0, cells, rel_tol=1e-12), key


@pytest.mark.parametrize("topic", TOPICS)
def test_formats_agree(planex, engines, topic):
    engine = "resnet18-a100-qat"
    found = document(planex, engines, topic, engine)
    text = planex("explain", topic, engine, "--format", "csv", cwd=engines).stdout
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    if topic == "reformats":
        assert [int(row["layer_id"]) for row in rows] == [
            row["layer_id"] for row in found["reformats"]
        ]
        assert [row["advice"] for row in rows] == [row["advice"] for row in found["reformats"]]
    else:
        cells = [row for row in rows if row["section"] == "transition"]
        assert [float(row["time_ms"]) for row in cells] == [
            cell["all"]["time_ms"] for cell in found["transitions"]
        ]
    markdown = planex("explain", topic, engine, "--format", "markdown", cwd=engines).stdout
    assert markdown.count("\n|") > 10


@pytest.mark.parametrize("topic", TOPICS)
def test_all_shows_everything(planex, engines, topic):
    for engine in ("resnet18-a100-qat", "controlnet-a10-trt8.6"):
        text = planex("explain", topic, engine, "--all", "--width", 0, cwd=engines).stdout
        found = document(planex, engines, topic, engine)
        assert " more like it" not in text and "--all" not in text
        rows = (
            found["reformats"]
            if topic == "reformats"
            else [layer for island in found["islands"] for layer in island["layers"]]
        )
        assert all(row["name"] in text for row in rows)


@pytest.mark.parametrize("topic", TOPICS)
def test_every_engine_can_be_asked(planex, engines, topic):
    for engine in sorted(os.listdir(engines)):
        first = planex("explain", topic, engine, "--width", 100, cwd=engines)
        assert first.stdout and "\x1b" not in first.stdout, engine
