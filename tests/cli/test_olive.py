"""Footprints of Olive: a search in which each candidate was measured once, and what that proves."""

from __future__ import annotations

import json
import pathlib
import shutil

import pytest

RECORDED = pathlib.Path(__file__).parents[1] / "data" / "olive"


@pytest.fixture
def messages(planex):
    def of(path):
        document = json.loads(planex("summary", path, "--format", "json").stdout)
        return {one["code"]: one["message"] for one in document["diagnostics"]}

    return of


def test_a_search_whose_candidates_are_all_slower(planex, messages):
    found = messages(RECORDED / "0.13")
    assert "made 9 models and measured 9 of them once (latency-avg)" in found["olive-search"]
    # 0.07127 ms against 0.05516 ms; Olive saved it.
    assert found["olive-best"].startswith(
        "98438680 is the best candidate by latency-avg: 0.07127 ms (onnxfloattofloat16); none is "
        "ahead of the input model (0.05516 ms)"
    )
    made = "onnxdynamicquantization (per_channel true, precision uint8"
    assert f"the runner-up, 11b365a7 ({made}" in found["olive-best"]
    assert "olive-not-proven" not in found and "olive-to-settle" not in found
    text = planex("summary", RECORDED / "0.13").stdout
    assert "A search by Olive." in text and "none is ahead of the input model" in text


def test_of_a_folder_the_whole_search_is_read(planex, messages):
    found = messages(RECORDED / "0.9")
    assert "1 model between passes was not measured" in found["olive-search"]
    assert "(onnxpeepholeoptimizer, onnxdynamicquantization (" in found["olive-best"]
    assert "footprints.json" in found["olive-footprint-left-out"]
    rows = json.loads(
        planex(
            *("query", RECORDED / "0.9", "--format", "json"),
            "select count(distinct section) as sections from metadata "
            "where section like 'olive candidate %'",
        ).stdout
    )
    assert rows["rows"] == [[10]]


def changed(tmp_path, change):
    document = json.loads((RECORDED / "0.13/footprint.json").read_text("utf-8"))
    change(document)
    path = tmp_path / "footprint.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def latency(node):
    return node["metrics"]["value"]["latency-avg"]


def test_the_command_that_would_settle_it(messages, tmp_path):
    def change(document):
        latency(document["11b365a7"])["value"] = 0.053

    found = messages(changed(tmp_path, change))
    # 1 − 0.053 ÷ 0.05516.
    assert "3.9 % ahead of the input model" in found["olive-best"]
    assert found["olive-not-proven"].startswith("that proves nothing")
    assert "within that" in found["olive-not-proven"]
    command = found["olive-to-settle"]
    assert "planex process MODEL.onnx --engine onnxruntime -o first$i" in command
    assert "runs/11b365a7/models/glyphs.onnx --engine onnxruntime -o best$i" in command


def test_failed_and_unmeasured_ones(messages, tmp_path):
    def change(document):
        document["7729a441"]["metrics"] = None
        document["98438680"].update(model_config_data={"is_pruned": True}, metrics=None)

    found = messages(changed(tmp_path, change))
    assert "1 of 10 models could not be made" in found["olive-failed"]
    assert "98438680, by onnxfloattofloat16" in found["olive-failed"]
    assert "the input model was not measured" in found["olive-best"]
    assert found["olive-not-proven"].startswith("that proves nothing")


def test_another_version_is_refused(planex, tmp_path):
    def change(document):
        for node in document.values():
            node["configuration"] = node.pop("model_config_data")

    told = planex("summary", changed(tmp_path, change), code=3).stderr
    assert "no model_config_data" in told and "Olive 0.3 to 0.13" in told


def test_beside_the_model_that_olive_saved(planex, messages, tmp_path):
    shutil.copy(RECORDED / "0.13/footprint.json", tmp_path)
    shutil.copy(RECORDED.parent / "glyphs/glyphs.onnx", tmp_path / "model.onnx")
    assert "olive-best" in messages(tmp_path)
