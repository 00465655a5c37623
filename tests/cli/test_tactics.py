"""`planex explain tactics` of real logs, against the logs' own lines."""

import json
import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

from other_winner import with_other_winner

LOGS = {
    "8.0": "engines-2/trtexec-log-trt8.0.3/04-trtexec-output-fp16.txt",
    "8.2": "engines/mnist-trt8.2.3-names-only/result-FP32.txt",
    "8.5": "engines/yolo-orin-trt8.5.2-names-only/trt.out",
    "8.6": "engines/mnist-trt8.6.0-names-only/result-02.log",
    "10": "engines/mnist-trt10.14.1-logs/result-02.log",
}


@pytest.fixture(params=LOGS.values(), ids=LOGS.keys())
def log(request, data):
    return data / request.param


def explained(planex, path):
    return json.loads(planex("explain", "tactics", path, "--format", "json").stdout)


def rows(planex, path, sql):
    document = json.loads(planex("query", path, sql, "--format", "json").stdout)
    return document["rows"]


def test_each_timed_line_is_a_row(planex, log):
    text = log.read_text(errors="replace")
    timed = len(re.findall(r"(?<!Fastest )\bTactic: \S+ Time: [0-9]", text))
    sql = (
        "select count(*) n from tactics join tactic_choices using (choice_id) "
        "where outcome = 'timed' and kind <> 'operation'"
    )
    assert rows(planex, log, sql)[0][0] == timed
    chosen = len(re.findall(r"Chose Runner Type: ", text))
    sql = (
        "select count(*) n from tactics join tactic_choices using (choice_id) "
        "where is_chosen = 1 and kind = 'layer' and outcome <> 'cached'"
    )
    assert rows(planex, log, sql)[0][0] == chosen


def test_what_was_chosen_is_the_fastest_of_its_formats(planex, log):
    sql = (
        "select count(*) n from tactics t join tactic_choices c using (choice_id) "
        "where c.tactic is not null and t.time_ms < c.time_ms"
    )
    assert rows(planex, log, sql)[0][0] == 0


def test_figures_add_up(planex, log):
    found = explained(planex, log)
    assert found["schema"] == "planex.explain-tactics/1"
    assert found["layer_count"] == len(found["layers"]) > 0
    assert found["known"] == sum(layer["runner"] is not None for layer in found["layers"]) > 0
    assert found["candidates"] == sum(layer["candidates"] for layer in found["layers"])
    skipped = found["skipped_workspace"] + found["skipped_memory"] + found["skipped_error"]
    assert skipped == len(found["skipped"]) == sum(layer["skipped"] for layer in found["layers"])
    for layer in found["layers"]:
        used = [choice for choice in layer["formats"] if choice["is_used"] == 1]
        assert len(used) == (layer["runner"] is not None)
        if layer["margin_ms"] is not None:
            assert layer["margin_ms"] == pytest.approx(layer["runner_up_ms"] - layer["time_ms"])
            assert layer["margin_ms"] >= 0
        if found["noise_share"] is None and found["timer_step_ms"] is None:
            assert layer["is_within_noise"] is None
        assert (layer["gain_ms"] is None) == (layer["lost_to"] is None)
    if found["accounted_share"] is not None:
        assert 0 < found["accounted_share"] <= 1
    outer = sum(phase["seconds"] for phase in found["phases"] if phase["within"] is None)
    assert found["accounted_s"] == pytest.approx(outer)


def test_the_engine_has_the_tactic_that_is_called_used(planex, log):
    sql = (
        "select count(*) n, sum(a.value <> c.tactic) other from tactic_choices c "
        "join attributes a on a.layer_id = c.layer_id and a.key = 'TacticValue' "
        "where c.is_used = 1"
    )
    count, other = rows(planex, log, sql)[0]
    assert count > 0
    assert other == 0


def test_one_layer_alone(planex, data):
    path = data / LOGS["10"]
    text = planex("explain", "tactics", path, "--layer", "node_max_pool2d_1").stdout
    assert "formats considered" in text
    assert "726 candidates of 11 layers" in text
    failed = planex("explain", "tactics", path, "--layer", "nothing", code=2)
    assert "--layer" in failed.stderr


def test_says_how_to_get_tactics(planex, data):
    found = explained(planex, data / "engines/resnet18-a100-fp16")
    assert found["layers"] == []
    assert "trtexec --verbose" in found["sentences"][0]
    rtx = explained(planex, data / "engines/rtx1.7-resnet18-fp16")
    assert "TensorRT-RTX" in rtx["sentences"][0]


def test_a_plan_keeps_them(planex, data, tmp_path):
    path = data / LOGS["10"]
    plan = tmp_path / "x.plan.json"
    planex("export", path, "--format", "plan", "-o", plan)
    before, after = explained(planex, path), explained(planex, plan)
    del before["engine"], after["engine"]
    assert before == after


def test_two_builds_are_compared(planex, data, tmp_path):
    """The same build, but for one layer whose two best tactics changed places."""
    text = (data / LOGS["8.2"]).read_text()
    a, b = tmp_path / "a.log", tmp_path / "b.log"
    a.write_text(text)
    [layer] = [row for row in explained(planex, a)["layers"] if row["name"] == "MaxPool2d_1"]
    b.write_text(with_other_winner(text, layer))
    document = json.loads(planex("compare", a, b, "--format", "json").stdout)
    found = document["differences"][0]["tactics"]
    assert found["compared"] == 9
    assert [row["layer"] for row in found["layers"]] == [layer["name"]]
    [row] = found["layers"]
    assert row["are_candidates_same"] is True
    assert row["b_margin_ms"] == pytest.approx(0.0002)
    assert "same candidates, a different winner by" in found["sentence"]
    assert found["sentence"] in " ".join(planex("compare", a, b, "--width", 0).stdout.split())


def test_a_build_is_like_itself(planex, data):
    a = data / LOGS["8.2"]
    document = json.loads(planex("compare", a, a, "--format", "json").stdout)
    same = document["differences"][0]["tactics"]
    assert (same["layers"], same["noise_share"], same["compared"]) == ([], 0, 9)
