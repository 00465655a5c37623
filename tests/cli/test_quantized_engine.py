"""Engines with the records of planex quantize and planex accuracy beside their files."""

from __future__ import annotations

import json
import shutil

import pytest

ENGINE = "tests/data/openvino/tiny-qdq"


def judged(db, **more):
    return {"tensor": "output", "sqnr_db": db, "is_equal": False, "top1_ratio": None} | more


def quantize_record(**more):
    tensor = {"min": -1, "max": 2, "threshold": 1.5, "scale": 1.5 / 127, "is_unsigned": False}
    tensor |= {"histogram_max": 2, "histogram": [9, 4, 1, 1], "clipped_ratio": 0.125}
    return {
        "schema": "planex.quantize/1",
        "method": "mse",
        "weight_bits": 7,
        "isa": "avx2",
        "calibration_count": 64,
        "scores": [{"method": "mse", "is_chosen": True, "simulated": [judged(22.5)]}],
        "engine": [judged(21.5)],
        "engine_to_simulated": [judged(28)],
        "tensors": [
            tensor | {"tensor": "input", "node": None, "sqnr_db": 31.25},
            tensor | {"tensor": "relu", "node": "relu", "sqnr_db": 33.5},
        ],
    } | more


def accuracy_record(**more):
    return {
        "schema": "planex.layer-accuracy/1",
        "sample_count": 32,
        "isa": "avx2",
        "runtime_version": "2026.4.1-22982",
        "simulated": [judged(21.75)],
        "engine": [judged(20.375)],
        "engine_to_simulated": [judged(26)],
        "layers": [
            {
                "tensor": "c",
                "node": "conv1",
                "op_type": "Conv",
                "simulated_db": 44,
                "tap": "missing",
            },
            {
                **{"tensor": "relu", "node": "relu", "op_type": "Relu", "tap": "verified"},
                **{"simulated_db": 43.5, "engine_db": 8.25},
            },
        ],
    } | more


def point(kept, db, **more):
    figures = {"macs_ratio": 0.125 * len(kept), "weight_bytes": 100 * len(kept), "ms": None}
    figures |= {"sqnr_db": db + 0.5, "judged_sqnr_db": db, "is_chosen": False}
    return {"kept": kept, "float_layers": len(kept)} | figures | more


def search_record(**more):
    return {
        "schema": "planex.search/1",
        "goal": "20 dB",
        "cost": "layers",
        "isa": "avx2",
        "front": [
            point([], 12.25),
            point(
                ["conv1"],
                22,
                is_chosen=True,
                median_ms=1.5,
                median_low_ms=1.25,
                median_high_ms=1.75,
            ),
        ],
        "path": [],
        "layers": [],
        "simulated": [judged(22)],
    } | more


def drawn(shown, step):
    size = {"channels": 8, "tensor_height": 4, "tensor_width": 4, "height": 2, "width": 2}
    return {"tensor": "relu", "shown": shown, "step": step, "cells": [0, 255, 7, 1]} | size


@pytest.fixture
def run(tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(ENGINE, folder)
    (folder / "accuracy.json").write_text(json.dumps(accuracy_record()), "utf-8")
    (folder / "tiny-qdq.quantize.json").write_text(json.dumps(quantize_record()), "utf-8")
    return folder


def rows_of(planex, *words):
    return json.loads(planex("query", *words, "--format", "json").stdout)["rows"]


def test_both_records_are_in_sql(planex, run):
    assert rows_of(
        planex,
        run,
        "SELECT tensor, method, threshold, dtype, is_unsigned, zero_point, clipped_ratio, sqnr_db "
        "FROM calibration",
    ) == [
        ["input", "mse", 1.5, "INT8", 0, 0, 0.125, 31.25],
        ["relu", "mse", 1.5, "INT8", 0, 0, 0.125, 33.5],
    ]
    assert rows_of(
        planex,
        run,
        "SELECT tensor, l.name, l.median_ms, a.engine_db, a.simulated_db - a.engine_db, tap "
        "FROM accuracy a JOIN layers l USING (layer_id) ORDER BY 4",
    ) == [
        ["c", "conv1/WithoutBiases", 0.00025, None, None, "missing"],
        ["relu", "conv1/WithoutBiases", 0.00025, 8.25, 35.25, "verified"],
    ]
    outputs = rows_of(planex, run, "SELECT record, compared, sqnr_db FROM accuracy_outputs")
    assert ["accuracy", "engine", 20.375] in outputs
    assert ["quantize", "simulated", 22.5] in outputs
    assert len(outputs) == 6


def test_layers_show_what_was_lost(planex, run):
    lines = planex("layers", run).stdout.splitlines()
    assert "simulated" in lines[0] and "engine" in lines[0]
    (line,) = [line for line in lines if "conv1/WithoutBiases" in line and "8.2" in line]
    assert "43.5" in line
    assert "engine_db" not in planex("layers", ENGINE, "--format", "csv").stdout


def test_report_has_records(planex, run):
    document = json.loads(planex("report", run, "--format", "json", "-o", "-").stdout)
    accuracy = document["engines"][0]["explain"]["accuracy"]
    assert accuracy["end_engine_db"] == 20.375
    assert accuracy["sentences"][0] == (
        "The outputs keep 20.4 dB in the engine; the model's own arithmetic keeps 21.8 dB."
    )
    assert accuracy["method"] == "mse" and accuracy["isa"] == "avx2"
    assert [tensor["engine_db"] for tensor in accuracy["tensors"]] == [None, 8.25]
    assert accuracy["calibration"][1]["histogram"] == [9, 4, 1, 1]
    plain = json.loads(planex("report", ENGINE, "--format", "json", "-o", "-").stdout)
    assert plain["engines"][0]["explain"]["accuracy"] is None


def test_compare_has_both(planex, run, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(run, other)
    record = accuracy_record(engine=[judged(12.5)])
    record["layers"][1]["engine_db"] = 5.5
    (other / "accuracy.json").write_text(json.dumps(record), "utf-8")
    compared = json.loads(planex("compare", run, other, "--pairs", "--format", "json").stdout)
    totals = {row["metric"]: row for row in compared["totals"]}
    assert totals["outputs_engine_db"]["values"] == [20.375, 12.5]
    assert totals["outputs_engine_db"]["unit"] == "dB"
    assert totals["outputs_simulated_db"]["values"] == [21.75, 21.75]
    pairs = [pair for pair in compared["pairs"] if pair["a_engine_db"] is not None]
    assert [(pair["a_engine_db"], pair["b_engine_db"]) for pair in pairs] == [(8.25, 5.5)]
    text = planex("compare", run, other).stdout
    (line,) = [line for line in text.splitlines() if "SQNR of the outputs, in the engine" in line]
    assert "20.4" in line and "12.5" in line
    one_side = json.loads(planex("compare", run, ENGINE, "--pairs", "--format", "json").stdout)
    assert "a_engine_db" not in one_side["pairs"][0]


def test_record_of_another_model_is_left_out_unless_it_is_named(planex, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(ENGINE, folder)
    record = folder / "other.int8.onnx.quantize.json"
    record.write_text(json.dumps(quantize_record()), "utf-8")
    count = "SELECT count(*) FROM calibration"
    assert rows_of(planex, folder, count) == [[0]]
    said = "its name is that of another model; use it with --accuracy"
    assert said in planex("doctor", folder).stdout
    plan = tmp_path / "named.plan.json"
    planex("export", folder, "--accuracy", record, "--format", "plan", "-o", plan)
    assert rows_of(planex, plan, count) == [[2]]


def test_export_reads_back_the_same(planex, run, tmp_path):
    plan = tmp_path / "again.plan.json"
    planex("export", run, "--format", "plan", "-o", plan)
    query = "SELECT * FROM accuracy"
    assert rows_of(planex, plan, query) == rows_of(planex, run, query)
    query = "SELECT layer_id, simulated_db, engine_db FROM layers WHERE engine_db IS NOT NULL"
    assert rows_of(planex, plan, query) == rows_of(planex, run, query) != []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"schema": "planex.layer-accuracy/2", "layers": []}', "a newer planex"),
        ('{"schema": "planex.layer-accuracy/1", "layers": [{"engine_db": "x"}]}', "a number"),
        ('{"schema": "planex.layer-accuracy/1", "layers": [', "accuracy.json"),
    ],
)
def test_damaged_records_are_errors(planex, run, text, said):
    (run / "accuracy.json").write_text(text, "utf-8")
    assert said in planex("summary", run, code=3).stderr


def test_a_front_is_in_sql_and_in_the_report(planex, run):
    (run / "tiny-qdq.search.json").write_text(json.dumps(search_record()), "utf-8")
    query = "SELECT point, float_layers, median_ms, judged_sqnr_db, is_chosen FROM front"
    assert rows_of(planex, run, query) == [[0, 0, None, 12.25, 0], [1, 1, 1.5, 22, 1]]
    query = "SELECT point, op_name, l.name FROM front_layers JOIN layers l USING (layer_id)"
    assert rows_of(planex, run, query) == [[1, "conv1", "conv1/WithoutBiases"]]
    report = json.loads(planex("report", run, "--format", "json", "-o", "-").stdout)
    accuracy = report["engines"][0]["explain"]["accuracy"]
    assert accuracy["goal"] == "20 dB" and accuracy["cost"] == "layers"
    assert [one["kept"] for one in accuracy["front"]] == [[], ["conv1"]]
    assert accuracy["front"][1]["median_low_ms"] == 1.25
    assert (
        "A search found 2 models that no other model beats; the one that it wrote keeps 1 layer "
        "in float and reaches 22.0 dB." in accuracy["sentences"]
    )
    # The record of quantizing goes before that of a search.
    outputs = rows_of(planex, run, "SELECT record, sqnr_db FROM accuracy_outputs")
    assert ["search", 22] in outputs
    assert accuracy["end_simulated_db"] == 21.75


def test_a_search_alone_is_a_record(planex, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(ENGINE, folder)
    (folder / "tiny-qdq.search.json").write_text(json.dumps(search_record()), "utf-8")
    report = json.loads(planex("report", folder, "--format", "json", "-o", "-").stdout)
    assert report["engines"][0]["explain"]["accuracy"]["end_simulated_db"] == 22


def test_difference_maps_come_through_and_are_not_redacted_but_left_out(planex, run, tmp_path):
    record = accuracy_record(maps=[drawn("float", 0.5), drawn("engine", 0.125)])
    (run / "accuracy.json").write_text(json.dumps(record), "utf-8")
    query = "SELECT tensor, shown, step, height, width FROM difference_maps"
    rows = [["relu", "float", 0.5, 2, 2], ["relu", "engine", 0.125, 2, 2]]
    assert rows_of(planex, run, query) == rows
    report = json.loads(planex("report", run, "--format", "json", "-o", "-").stdout)
    maps = report["engines"][0]["explain"]["accuracy"]["maps"]
    assert [one["cells"] for one in maps] == [[0, 255, 7, 1]] * 2
    plan = tmp_path / "again.plan.json"
    planex("export", run, "--format", "plan", "-o", plan)
    assert rows_of(planex, plan, query) == rows
    # They show what the user's data looks like.
    capsule = tmp_path / "capsule.planex"
    planex("archive", run, "--redact", "-o", capsule)
    assert rows_of(planex, capsule, query) == []


def test_a_map_of_another_size_is_an_error(planex, run):
    record = accuracy_record(maps=[drawn("float", 0.5) | {"width": 3}])
    (run / "accuracy.json").write_text(json.dumps(record), "utf-8")
    assert "4 cells of 2 x 3" in planex("summary", run, code=3).stderr


def test_pairs_of_the_page_have_what_was_lost(planex, run, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(run, other)
    record = accuracy_record()
    record["layers"][1]["engine_db"] = 5.5
    (other / "accuracy.json").write_text(json.dumps(record), "utf-8")
    report = json.loads(planex("report", run, other, "--format", "json", "-o", "-").stdout)
    pairs = report["comparison"]["engine_pairs"][0]["pairs"]
    assert [mdb for mdb in pairs["a_engine_mdb"] if mdb is not None] == [8250]
    assert [mdb for mdb in pairs["b_engine_mdb"] if mdb is not None] == [5500]
    one_side = json.loads(planex("report", run, ENGINE, "--format", "json", "-o", "-").stdout)
    assert "a_engine_mdb" not in one_side["comparison"]["engine_pairs"][0]["pairs"]
